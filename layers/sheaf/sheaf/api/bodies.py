"""What a caller asked for, read and checked before anything is written: bodies, and where a page starts. Pure. Raises InvalidRequest."""

import json
from collections.abc import Callable, Mapping
from typing import Annotated, Any, NotRequired, TypedDict, TypeVar, cast

from sheaf import ids, schemas
from sheaf.checks import check, check_part
from sheaf.errors import InvalidRequest
from sheaf.plain_json import Json, JsonObject
from sheaf.schemas import Id, Said

T = TypeVar("T")

BODY_MAX = 1_000_000
DOCUMENTS_MAX = 10_000
WHOLE_MAX = 999_999  # the largest version or page that can be asked for
BUDGET_MAX_USD = 1_000_000

Key = Annotated[str, Said(pattern=r"^[\x21-\x7e]{1,128}$", title="1 to 128 printable ASCII characters without spaces")]
Whole = Annotated[int, Said(minimum=1, maximum=WHOLE_MAX)]
BudgetUsd = Annotated[float | None, Said(exclusiveMinimum=0, maximum=BUDGET_MAX_USD, examples=[2.5])]
MOST_AT_WORK = "The most of its rows at work at once; null for no limit."
FOR_PEOPLE = "For people; need not be unique."
NAME_MAX = 80
Name = Annotated[str | None, Said(maxLength=NAME_MAX, examples=["Delirium, first screening"], description=FOR_PEOPLE)]
AtWork = Annotated[int | None, Said(minimum=1, examples=[20], description=MOST_AT_WORK)]
GIVEN = "The nextCursor of the page before."
OURS = "one that this API gave"
Cursor = Annotated[str, Said(pattern=rf"^[0-9]{{1,14}}-{ids.NAME.pattern}$", description=GIVEN, title=OURS)]
RowCursor = Annotated[str, Said(pattern="^[0-9]{1,9}$", description=GIVEN, title=OURS)]


class NewTaskBody(TypedDict):
    """What every kind of work takes, and what this kind adds to that."""

    kind: NotRequired[Id]
    name: NotRequired[Name]
    mostAtWork: NotRequired[AtWork]
    idempotencyKey: NotRequired[Key | None]


class TaskNameBody(TypedDict):
    name: Name


class BudgetBody(TypedDict):
    budgetUsd: BudgetUsd


class LimitBody(TypedDict):
    mostAtWork: AtWork


class RetryBody(TypedDict):
    refresh: NotRequired[bool]
    budgetUsd: NotRequired[Annotated[BudgetUsd, Said(description="Without it, what is left of the task's own.")]]
    idempotencyKey: NotRequired[Key | None]


def budget(dollars: float | None) -> int | None:
    return None if dollars is None else max(1, int(dollars * 1_000_000))


def idempotency_key(in_header: str | None, in_body: Any) -> str | None:
    """The one key of this request; it may stand in the header or in the body, or in both if they agree."""
    if in_header is not None and in_body is not None and in_header != in_body:
        raise InvalidRequest("idempotencyKey", "differs from the Idempotency-Key header.")
    key = in_header if in_header is not None else in_body
    if key is None:
        return None
    check_part("idempotencyKey" if in_header is None else "Idempotency-Key", key, schemas.of(Key))
    return str(key)


def fields_of(body: str | None, shape: Callable[..., T]) -> T:
    """A body's fields, as the shape has them. Raises InvalidRequest for anything else."""
    fields = an_object(body)
    check(fields, schemas.whole(shape))
    return cast("T", fields)


def an_object(body: str | None) -> JsonObject:
    """A body's fields, whatever they are. Raises InvalidRequest for anything that is not one JSON object."""
    if not body:
        raise InvalidRequest("body", "is empty; a JSON object is expected.")
    if len(body.encode(errors="replace")) > BODY_MAX:
        raise InvalidRequest("body", f"is larger than {BODY_MAX} bytes.")
    content = _parsed(body)
    if not isinstance(content, dict):
        raise InvalidRequest("body", "is not a JSON object.")
    return content


def _parsed(body: str) -> Any:
    """What the parser says of itself is no news for a caller."""
    try:
        content: Json = json.loads(body, parse_constant=_no_constant, object_pairs_hook=_no_repeats)
    except json.JSONDecodeError as error:
        raise InvalidRequest("body", f"is not JSON, as line {error.lineno}, column {error.colno} shows.") from error
    except RecursionError as error:
        raise InvalidRequest("body", "is nested too deeply.") from error
    except ValueError as error:
        raise InvalidRequest("body", "has a number with more digits than are read.") from error
    return content


def _no_constant(name: str) -> None:
    raise InvalidRequest("body", f"is not JSON: there is no {name} in it.")


def _no_repeats(pairs: list[tuple[str, Json]]) -> JsonObject:
    content = dict(pairs)
    if len(content) != len(pairs):
        raise InvalidRequest("body", "names something twice in one object.")
    return content


def cursor(after: Mapping[str, Any] | None, key: str) -> str | None:
    """For a caller: where an index's next page starts; `key` names the attribute that ends with the id."""
    return f"{after['created_at']['N']}-{after[key]['S'].rpartition('/')[2]}" if after else None


def start(text: str | None, key: Callable[[str], Mapping[str, Any]], **listed: str) -> dict[str, Any] | None:
    """Where a page of an index starts; the list is the caller's own, whatever the cursor says."""
    if text is None:
        return None
    instant, _, name = text.partition("-")
    texts = {part: {"S": value} for part, value in {**key(name), **listed}.items()}
    return {**texts, "created_at": {"N": str(int(instant))}}
