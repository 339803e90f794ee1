"""Routes and what is said of them: one decorator makes both, so what is not described is not there."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, wraps
from typing import Any, get_args

from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

import front
from sheaf import schemas
from sheaf.checks import check_part, shown
from sheaf.errors import InvalidRequest
from sheaf.schemas import Schema

Handler = Callable[..., Any]

CONFLICT = ("409",)
TOO_MUCH = ("409", "429")


@dataclass(frozen=True)
class Operation:
    method: str
    path: str
    summary: str
    handler: Handler
    body: type | None = None
    status: int = 200
    open_to_all: bool = False
    tagged: bool = False
    of_project: bool = True
    found_again: bool = False  # whether the same request finds what it made before
    refuses: tuple[str, ...] = ()  # the refusals that do not follow from the rest

    @property
    def name(self) -> str:
        return self.handler.__name__

    @property
    def takes(self) -> str | None:
        return schemas.name(self.body) if self.body else None

    @property
    def gives(self) -> Any:
        shown = self.handler.__annotations__["return"]
        return next(iter(get_args(shown)), shown)

    @cached_property
    def asked(self) -> dict[str, Schema]:
        """Its query's parameters, by name: those of its handler that may be left out."""
        hints = {name: hint for name, hint in self.handler.__annotations__.items() if name != "return"}
        there = {name: schemas.of(get_args(hint)[0]) for name, hint in hints.items() if f"{{{name}}}" not in self.path}
        return {name: {"description": schema.pop("description"), "schema": schema} for name, schema in there.items()}

    @property
    def keyed(self) -> bool:
        """Whether it takes an idempotency key: it makes something, and its body has a place for one."""
        return self.status != 200 and self.body is not None and "idempotencyKey" in self.body.__annotations__  # noqa: PLR2004 - HTTP's own number

    @property
    def refusals(self) -> list[str]:
        signed_in = () if self.open_to_all else ("401", "403")
        of_project = ("503",) if self.of_project else ()
        named = ("404",) if "{" in self.path else ()
        return sorted({"400", "500", *signed_in, *of_project, *named, *self.refuses})

    @property
    def methods(self) -> tuple[str, ...]:
        return ("GET", "HEAD") if self.method == "GET" else (self.method,)


class Routes(APIGatewayHttpRouter):
    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.operations: list[Operation] = []

    def operation(self, method: str, path: str, summary: str, **more: Any) -> Callable[[Handler], Handler]:
        def describe(handler: Handler) -> Handler:
            item = Operation(method, re.sub(r"<(\w+)>", r"{\1}", path), summary, handler, **more)
            self.operations.append(item)

            @wraps(handler)
            def asked(**place: str) -> Any:
                query = _query(front.app.current_event.query_string_parameters or {}, item)
                return front.answered(handler(**place, **query), item.status, tagged=item.tagged)

            self.route(path, method=list(item.methods))(asked)
            return handler

        return describe


def _query(given: dict[str, str], item: Operation) -> dict[str, Any]:
    known = item.asked
    unknown = sorted(given.keys() - known.keys())
    if unknown:
        there = f"there are: {', '.join(sorted(known))}" if known else "there are none"
        raise InvalidRequest(shown(unknown[0]), f"is not a parameter of this address; {there}.")
    return {name: _read(name, text, known[name]["schema"]) for name, text in given.items()}


def _read(name: str, text: str, schema: Schema) -> str | int:
    """Only a whole number without more digits than it needs is read as one."""
    is_number = schema["type"] == "integer" and re.fullmatch(r"0|[1-9][0-9]{0,5}", text)
    value = int(text) if is_number else text
    check_part(name, value, schema)
    return value
