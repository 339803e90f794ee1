"""What is asked for of a row's cells, read and checked before anything is written: values typed, quotes looked for."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple, cast

from clinical.answered import Values
from clinical.library import downloads
from clinical.own_templates import copies
from clinical.review.cell_addresses import Cells, Held, at, cells, digest
from clinical.review.review_heads import template_of
from clinical.review.review_shapes import DecisionsBody, NewDecisionBody
from clinical.templates import Field, Template
from sheaf.api import task_table
from sheaf.api.access import Caller, Role
from sheaf.errors import Conflict, InvalidRequest, NotFound
from sheaf.items import Row, Task
from sheaf.outside.needs import ApiWorld, Objects
from sheaf.protocol.lifecycle import RowStatus
from sheaf.visible import cleaned


class Subject(NamedTuple):
    task: Task
    row: Row
    fields: Values
    found: Cells

    @property
    def place(self) -> tuple[str, str, str]:
        return self.task.project, self.row.document, template_of(self.task)


def subject(world: ApiWorld, caller: Caller, task: Task, number: int) -> Subject:
    """Raises Forbidden, NotFound, Conflict where nothing was read."""
    caller.must_be(Role.EDITOR)
    row, data = task_table.row_and_data(world, task, number)
    if row.status != RowStatus.COMPLETED or not data or "fields" not in data:
        raise Conflict("row-not-completed", "There is nothing to decide on: nothing was read from this paper.")
    fields: Any = data["fields"]
    return Subject(task, row, fields, cells(fields))


def asked(world: Objects, on: Subject, body: DecisionsBody) -> list[Held]:
    """Each as it would be stored, with a digest of what was asked for. Raises InvalidRequest."""
    template, how = copies.of_task(world, on.task), body.get("how", "one")
    given = body["decisions"]
    pages = _pages(world, on.row) if any(each.get("quote") for each in given) else None
    _distinct([each["id"] for each in given], "id")
    _distinct([each["address"] for each in given], "address")
    made: list[Held] = []
    for number, each in enumerate(given):
        try:
            wanted = _checked(on.found, each, how), _valued(on, template, each, pages)
        except InvalidRequest as error:
            raise InvalidRequest(f"decisions[{number}].{error.field}", error.reason, **error.details) from None
        made.append(cast("Held", {**wanted[0], **wanted[1], "asked": digest([how, cast("Any", each)])}))
    return made


def _distinct(names: Sequence[str], which: str) -> None:
    twice = [name for name, times in Counter(names).items() if times > 1]
    if twice:
        raise InvalidRequest(f"decisions[{names.index(twice[0])}].{which}", "stands twice in this request.")


def _checked(found: Cells, given: NewDecisionBody, how: str) -> Held:
    verb, comment = given["verb"], cleaned(given.get("comment") or "")
    if how == "block" and (verb != "agree" or at(found, given["address"]).state != "found"):
        raise InvalidRequest("verb", "is agree, and its cell found, where cells are decided as a block.")
    if "/+" in given["address"] and verb in {"agree", "absent"}:
        raise InvalidRequest("verb", "is correct, comment or undo where a person adds an entry.")
    if verb == "comment" and not comment:
        raise InvalidRequest("comment", "is missing.")
    if verb == "undo" and not given.get("before"):
        raise InvalidRequest("before", "is missing: it names the decision that is taken back.")
    wanted: Held = {"id": given["id"], "address": given["address"], "verb": verb, "how": how}
    wanted["before"] = given.get("before")
    return {**wanted, "comment": comment} if comment else wanted


def _field(template: Template, found: Cells, given: NewDecisionBody) -> Field:
    name, *rest = given["address"].split("/")
    field = next((each for each in template.fields if each.name == name), None)
    if field and len(rest) > 1:
        field = next((part for part in field.fields if part.name == rest[1]), None)
    elif field and rest:
        kinds = {"[string]": "enum" if field.options else "string", "[object]": "entry"}
        field = replace(field, type=kinds[field.type]) if field.type in kinds else None
    # What a later run found no more may be taken back and talked about.
    is_there = not rest or rest[0][0] == "+" or f"{name}/{rest[0]}" in found or given["verb"] in {"comment", "undo"}
    if field is None or not is_there:
        raise InvalidRequest("address", "is no cell of this row.")
    return field


def _pages(world: Objects, row: Row) -> Any:
    """What quotes are looked for in; None where the text was erased since, and nobody can look any more."""
    from clinical.review import person_values  # noqa: PLC0415 - as that module says

    try:
        return person_values.pages(downloads.text_of_row(world, row))
    except NotFound:
        return None


def _valued(on: Subject, template: Template, given: NewDecisionBody, pages: Any) -> Held:
    field = _field(template, on.found, given)
    if given["verb"] != "correct":
        return {}
    from clinical.review import person_values  # noqa: PLC0415 - as that module says

    value = person_values.typed(field, cast("Any", given.get("value")))
    quote = cleaned(given.get("quote") or "")
    place = cast("Held", {"quote": quote, **{name: given.get(name) for name in ("page", "start", "end")}})
    if not quote:
        return {"value": value}
    if pages is None:
        return {"value": value, "quote": place["quote"]}
    return {**person_values.said_of(field, value, place, pages), "value": value}
