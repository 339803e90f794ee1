"""Every AWS call of the process under test passes here: to be counted, cut, refused, or to have its reply lost."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import botocore.client
from botocore.exceptions import ClientError

Answer = Callable[[Any, str, dict[str, Any]], Any]
send: Answer = botocore.client.BaseClient._make_api_call  # type: ignore[attr-defined]


class Killed(BaseException):
    """The process died here. No `except Exception` of the product can see it, and nothing it does afterwards counts."""


@dataclass
class Calls:
    """Every AWS call of the process under test, in order, and what is to go wrong with them.

    Only inside `watch`. `on_call` runs before the call is made, unwatched: what another process does at that moment.
    """

    answer: Answer = send
    made: list[tuple[str, str, dict[str, Any]]] = field(default_factory=list)
    watching: bool = False
    dead: bool = False
    cut_before: int | None = None
    cut_after: int | None = None
    lose_reply_of: int | None = None
    die_when: Callable[[str, dict[str, Any]], bool] | None = None
    on_call: Callable[[int, str, dict[str, Any]], None] | None = None
    failing: dict[str, list[Exception | None]] = field(default_factory=dict)
    instead: dict[str, Answer] = field(default_factory=dict)
    """For an operation: what answers in AWS's place."""

    def fail(self, operation: str, error: Exception, *, times: int = 1, after: int = 0) -> None:
        """After so many that go well, so many calls of this operation raise this; what the SDK tries by itself is one call."""
        self.failing[operation] = [None] * after + [error] * times

    def __call__(self, client: Any, operation: str, arguments: dict[str, Any]) -> Any:
        if not self.watching:
            return self.answer(client, operation, arguments)
        if self.dead:
            raise Killed
        number = len(self.made)
        self.made.append((client.meta.service_model.service_name, operation, arguments))
        if self.on_call:
            with self.unwatched():
                self.on_call(number, operation, arguments)
        if number == self.cut_before or (self.die_when and self.die_when(operation, arguments)):
            self.die()
        error = self.failing[operation].pop(0) if self.failing.get(operation) else None
        if error is not None:
            raise error
        answer = self.instead.get(operation, self.answer)
        reply = answer(client, operation, arguments)
        if number == self.cut_after:
            self.die()
        if number == self.lose_reply_of:
            # What the SDK does when a reply is lost: the same call once more.
            return answer(client, operation, arguments)
        return reply

    def die(self) -> None:
        self.dead = True
        raise Killed

    @property
    def operations(self) -> list[str]:
        return [operation for _, operation, _ in self.made]

    @contextmanager
    def watch(self) -> Iterator["Calls"]:
        self.made.clear()
        self.watching, self.dead = True, False
        try:
            yield self
        finally:
            self.watching = self.dead = False
            self.cut_before = self.cut_after = self.lose_reply_of = self.die_when = self.on_call = None
            self.failing.clear()
            self.instead.clear()

    @contextmanager
    def nested(self) -> Iterator[list[str]]:
        """The operations that another process makes meanwhile."""
        before = self.watching, self.made, self.on_call
        made: list[tuple[str, str, dict[str, Any]]] = []
        self.watching, self.made, self.on_call = True, made, None
        operations: list[str] = []
        try:
            yield operations
        finally:
            self.watching, self.made, self.on_call = before
            operations += [operation for _, operation, _ in made]

    @contextmanager
    def unwatched(self) -> Iterator[None]:
        """For what another process does, or the test itself."""
        before, self.watching = (self.watching, self.dead), False
        self.dead = False
        try:
            yield
        finally:
            self.watching, self.dead = before


def aws_error(code: str, status: int = 400) -> ClientError:
    """What boto3 raises when AWS answers with this code."""
    return ClientError({"Error": {"Code": code, "Message": ""}, "ResponseMetadata": {"HTTPStatusCode": status}}, "op")  # type: ignore[typeddict-item]
