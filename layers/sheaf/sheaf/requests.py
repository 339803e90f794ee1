"""What a caller asked for, read and checked before anything is written. Pure. Raises InvalidRequest."""

import json
import re
from collections import Counter
from dataclasses import dataclass
from typing import TypeGuard

from sheaf import ids
from sheaf.errors import InvalidRequest
from sheaf.plain_json import Json, JsonObject

BODY_MAX = 1_000_000
DOCUMENTS_MAX = 10_000
IDEMPOTENCY_KEY = re.compile(r"[\x21-\x7e]{1,128}")
WHOLE_MAX = 999_999
"""The largest version or page that can be asked for."""
BUDGET_MAX_USD = 1_000_000
RETRY_FIELDS = {"refresh", "budgetUsd", "idempotencyKey"}


@dataclass(frozen=True)
class Retry:
    """How what did not succeed is to be tried again."""

    refresh: bool = False
    """With the library's current versions."""
    budget: int | None = None
    names_budget: bool = False
    """Otherwise it may cost what is left of the one before."""


def flag(fields: JsonObject, name: str) -> bool:
    """Whether it is asked for; not where it is left out. Raises InvalidRequest."""
    value = fields.get(name, False)
    if not isinstance(value, bool):
        raise InvalidRequest(name, "is true or false.")
    return value


def budget(dollars: Json) -> int | None:
    """A budget in millionths of a dollar; None for none."""
    if dollars is None:
        return None
    if not isinstance(dollars, int | float) or isinstance(dollars, bool) or not 0 < dollars <= BUDGET_MAX_USD:
        raise InvalidRequest("budgetUsd", f"is a number of dollars above 0, at most {BUDGET_MAX_USD}.")
    return max(1, int(dollars * 1_000_000))


def new_budget(body: str | None) -> int | None:
    """A task's new budget; null takes it away."""
    return budget(needed(fields_of(body, {"budgetUsd"}), "budgetUsd"))


def idempotency_key(in_header: str | None, in_body: Json) -> str | None:
    """The one key of this request; it may stand in the header or in the body, or in both if they agree."""
    if in_header is not None and in_body is not None and in_header != in_body:
        raise InvalidRequest("idempotencyKey", "differs from the Idempotency-Key header.")
    key = in_header if in_header is not None else in_body
    if key is None:
        return None
    if not isinstance(key, str) or not IDEMPOTENCY_KEY.fullmatch(key):
        name = "idempotencyKey" if in_header is None else "Idempotency-Key"
        raise InvalidRequest(name, "is 1 to 128 printable ASCII characters without spaces.")
    return key


def retry(body: str | None) -> tuple[Retry, Json]:
    """The wish, and the idempotency key if the body names one."""
    fields = fields_of(body, RETRY_FIELDS) if body else {}
    wish = Retry(flag(fields, "refresh"), budget(fields.get("budgetUsd")), names_budget="budgetUsd" in fields)
    return wish, fields.get("idempotencyKey")


def result_id(text: str) -> tuple[str, int] | None:
    """The task's id and the row's number in a result's id."""
    task_id, dash, number = text.rpartition("-")
    digits = number.isascii() and number.isdigit() and len(number) <= 9  # noqa: PLR2004 - digits of the largest task
    return (task_id, int(number)) if dash and digits else None


def number(name: str, text: str | None) -> int | None:
    """A number of the query, from 1 on; None where it is left out."""
    if text is None:
        return None
    if not re.fullmatch(r"[1-9][0-9]{0,5}", text):
        raise InvalidRequest(name, f"is a whole number from 1 to {WHOLE_MAX}.")
    return int(text)


def needed(fields: JsonObject, name: str, where: str | None = None) -> Json:
    """What must be there, whatever it is. Raises InvalidRequest where it is missing."""
    if name not in fields:
        raise InvalidRequest(where or name, "is missing.")
    return fields[name]


def whole(value: Json) -> int | None:
    """A whole number as JSON Schema knows it, so that 1.0 is one; None for anything else."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def fields_of(body: str | None, known: set[str]) -> JsonObject:
    """A body's fields, all of them known. Raises InvalidRequest for anything that is not one JSON object of these."""
    return only(an_object(body), known)


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


def only(fields: JsonObject, known: set[str]) -> JsonObject:
    """The same fields. Raises InvalidRequest for one that is not known."""
    unknown = sorted(fields.keys() - known)
    if unknown:
        reason = f"is not a field of this request; there are: {', '.join(sorted(known))}."
        raise InvalidRequest(shown(unknown[0]), reason)
    return fields


def _parsed(body: str) -> Json:
    """What the parser says of itself is no news for a caller."""
    try:
        told: Json = json.loads(body, parse_constant=_no_constant, object_pairs_hook=_no_repeats)
    except json.JSONDecodeError as error:
        raise InvalidRequest("body", f"is not JSON, as line {error.lineno}, column {error.colno} shows.") from error
    except RecursionError as error:
        raise InvalidRequest("body", "is nested too deeply.") from error
    except ValueError as error:
        raise InvalidRequest("body", "has a number with more digits than are read.") from error
    return told


def shown(name: str) -> str:
    """A name from outside, as it may stand in an answer: short, and no half of a character."""
    return name[:60].encode(errors="backslashreplace").decode()


def _no_constant(name: str) -> None:
    raise InvalidRequest("body", f"is not JSON: there is no {name} in it.")


def _no_repeats(pairs: list[tuple[str, Json]]) -> JsonObject:
    content = dict(pairs)
    if len(content) != len(pairs):
        raise InvalidRequest("body", "names something twice in one object.")
    return content


def name(fields: JsonObject, field: str) -> str:
    """A name that has to be there. Raises InvalidRequest."""
    value = needed(fields, field)
    if not _is_name(value):
        raise InvalidRequest(field, "is 1 to 40 letters, digits, - or _.")
    return value


def _is_name(value: Json) -> TypeGuard[str]:
    return isinstance(value, str) and ids.NAME.fullmatch(value) is not None


def names(fields: JsonObject, field: str, what: str) -> list[str]:
    """The names of a task's items, as many as a task takes, none twice. Raises InvalidRequest."""
    value = needed(fields, field)
    if not isinstance(value, list):
        raise InvalidRequest(field, f"is not a list of {what} ids.")
    if not value:
        raise InvalidRequest(field, f"is empty; choose at least one {what}.")
    if len(value) > DOCUMENTS_MAX:
        raise InvalidRequest(field, f"has {len(value)} ids; one task takes at most {DOCUMENTS_MAX}.")
    wrong = next((at for at, name in enumerate(value) if not _is_name(name)), None)
    if wrong is not None:
        raise InvalidRequest(f"{field}[{wrong}]", f"is not a {what} id.")
    twice = [name for name, times in Counter(value).items() if times > 1]
    if twice:
        raise InvalidRequest(field, f"names a {what} twice.", **{field: twice[:20]})
    return [str(name) for name in value]
