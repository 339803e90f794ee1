"""Every AWS call of the process under test passes here: to be counted, cut, refused, or to have its reply lost."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import botocore.client

Answer = Callable[[Any, str, dict[str, Any]], Any]
send: Answer = botocore.client.BaseClient._make_api_call


class Killed(BaseException):
    """The process died here. No `except Exception` of the product can see it, and nothing it does afterwards counts."""


@dataclass
class Calls:
    """Every AWS call of the process under test, in order, and what is to go wrong with them.

    Only inside `watch`. `on_call` runs before the call is made, unwatched, and may raise what the SDK would raise.
    """

    answer: Answer = send
    made: list[tuple[str, str, dict[str, Any]]] = field(default_factory=list)
    watching: bool = False
    dead: bool = False
    cut_before: int | None = None
    cut_after: int | None = None
    lose_reply_of: int | None = None
    on_call: Callable[[int, str, dict[str, Any]], None] | None = None

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
        if number == self.cut_before:
            self.die()
        reply = self.answer(client, operation, arguments)
        if number == self.cut_after:
            self.die()
        if number == self.lose_reply_of:
            # What the SDK does when a reply is lost: the same call once more.
            return self.answer(client, operation, arguments)
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
            self.cut_before = self.cut_after = self.lose_reply_of = self.on_call = None

    @contextmanager
    def unwatched(self) -> Iterator[None]:
        """For what another process does, or the test itself."""
        before, self.watching = (self.watching, self.dead), False
        self.dead = False
        try:
            yield
        finally:
            self.watching, self.dead = before


def failing(operation: str, error: Exception, *, times: int = 10**9) -> Callable[[int, str, dict[str, Any]], None]:
    """An `on_call` that raises this at the first so many calls of this operation."""
    left = [times]

    def on_call(_number: int, made: str, _arguments: dict[str, Any]) -> None:
        if made == operation and left[0] > 0:
            left[0] -= 1
            raise error

    return on_call
