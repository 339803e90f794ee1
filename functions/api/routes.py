"""Routes and what is said of them: one decorator makes both, so what is not described is not there."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, get_args

from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

import front
from sheaf import paging, requests, schemas
from sheaf.errors import InvalidRequest
from sheaf.library.views import DocumentStatus
from sheaf.schemas import Schema
from sheaf.views import Status

Handler = Callable[..., Any]

CONFLICT = ("409",)
TOO_MUCH = ("409", "429")
GIVEN = "The nextCursor of the page before."
QUERY: dict[str, tuple[Any, str]] = {
    "cursor": (paging.Cursor, GIVEN),
    "rowCursor": (paging.RowCursor, GIVEN),
    "rowStatus": (Status, "Only rows with this status."),
    "documentStatus": (DocumentStatus, "Only documents with this status."),
    "page": (requests.Whole, "Only this page; else from the first on."),
    "version": (requests.Whole, "This version; else the newest."),
    "view": (paging.View, "What retries made of a row, in its place."),
}
NAMES = {"rowCursor": "cursor", "rowStatus": "status", "documentStatus": "status"}
"""What parameters are called that are not called as here, because two of a name take different things."""


@dataclass(frozen=True)
class Operation:
    """One method of one path."""

    method: str
    path: str
    summary: str
    handler: Handler
    body: type | None
    status: int
    query: tuple[str, ...]
    open_to_all: bool
    tagged: bool
    of_project: bool
    refuses: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.handler.__name__

    @property
    def takes(self) -> str | None:
        """What its body is called."""
        return schemas.name(self.body) if self.body else None

    @property
    def gives(self) -> Any:
        """What it shows, as its handler's annotation says; None where there is nothing to show."""
        shown = self.handler.__annotations__["return"]
        return next(iter(get_args(shown)), shown)

    @property
    def asked(self) -> dict[str, Schema]:
        """Its query's parameters, by name."""
        return {
            NAMES.get(key, key): {"schema": schemas.of(QUERY[key][0], {}), "description": QUERY[key][1]}
            for key in self.query
        }

    @property
    def keyed(self) -> bool:
        """Whether it takes an idempotency key: it makes something, and its body has a place for one."""
        return self.status != 200 and self.body is not None and "idempotencyKey" in schemas.fields(self.body)  # noqa: PLR2004 - HTTP's own number

    @property
    def methods(self) -> tuple[str, ...]:
        return ("GET", "HEAD") if self.method == "GET" else (self.method,)


class Routes(APIGatewayHttpRouter):
    """The routes of one subject."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.operations: list[Operation] = []

    def operation(  # noqa: PLR0913 - what there is to say of an operation, each by name
        self,
        method: str,
        path: str,
        summary: str,
        *,
        takes: type | None = None,
        status: int = 200,
        query: tuple[str, ...] = (),
        open_to_all: bool = False,
        tagged: bool = False,
        of_project: bool = True,
        refuses: tuple[str, ...] = (),
    ) -> Callable[[Handler], Handler]:
        """Make a route and describe it. `refuses` are the refusals that do not follow from the rest."""

        def describe(handler: Handler) -> Handler:
            shown = re.sub(r"<(\w+)>", r"{\1}", path)
            belongs = of_project and not open_to_all
            said = (takes, status, query, open_to_all, tagged, belongs, refuses)
            item = Operation(method, shown, summary, handler, *said)
            self.operations.append(item)

            @wraps(handler)
            def asked(**place: str) -> Any:
                _refuse_unknown(front.app.current_event.query_string_parameters, item)
                return front.answered(handler(**place), status, tagged=tagged)

            self.route(path, method=list(item.methods))(asked)
            return handler

        return describe


def _refuse_unknown(given: dict[str, str] | None, item: Operation) -> None:
    """Raises InvalidRequest for a query parameter that the operation does not have."""
    known = {NAMES.get(key, key) for key in item.query}
    unknown = sorted((given or {}).keys() - known)
    if unknown:
        there = f"there are: {', '.join(sorted(known))}" if known else "there are none"
        raise InvalidRequest(requests.shown(unknown[0]), f"is not a parameter of this address; {there}.")
