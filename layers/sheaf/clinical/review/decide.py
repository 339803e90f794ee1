"""A decision on cells of a row, in one transaction: if nobody decided meanwhile; twice is once. And erasing by intent. ADR 56."""

import json
from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple, cast

from clinical.review import accuracy, check_counts, review_heads, review_items
from clinical.review.asked_decisions import Subject
from clinical.review.cell_addresses import Decided, Held, at
from clinical.review.review_items import Checked, Decision, EverDecided, Head, Reviewed, counts_key, ever_key, head_key
from clinical.review.review_shapes import SHOWN_MOST, DecidedView, DecisionListView
from sheaf import ids
from sheaf.api import task_table
from sheaf.api.access import Caller, Role
from sheaf.api.idempotency import REUSED
from sheaf.errors import Conflict, NotFound, Unavailable
from sheaf.items import NOBODY, Task
from sheaf.outside import store
from sheaf.outside.needs import ApiWorld, Tables
from sheaf.outside.store import BATCH, InTheWay, Put, Refused, get_raw, query_all, query_raw, transact

TRIES, PAUSE_SECONDS = 10, 0.03
HEAD_BYTES = 300_000  # of a paper's head, as it is stored: DynamoDB takes 400 KB. What makes it smaller is always taken
WAS_LETTERS = 2_000


class Seen(NamedTuple):
    head: Head | None
    checked: Checked | None
    is_first: bool  # nobody of the project has decided on anything yet
    decisions: dict[str, Decision]

    @property
    def cells(self) -> Decided:
        return dict(self.head.cells) if self.head else {}


def decide(world: ApiWorld, caller: Caller, on: Subject, wanted: Sequence[Held]) -> DecidedView:
    """All of these decisions, or none. Raises Conflict where somebody decided meanwhile, Unavailable."""
    for attempt in range(TRIES):
        seen = _seen(world, on, wanted)
        todo = [each for each in wanted if not _is_there(each, seen.decisions)]
        if not todo:
            return _shown(on, seen, seen.cells, seen.checked, [seen.decisions[each["id"]] for each in wanted])
        _check_free(todo, seen.cells)
        if any(each["verb"] == "undo" and each["before"] not in seen.decisions for each in todo):
            continue  # it was read while somebody erased: what is there is looked at again
        now = max(world.now(), seen.head.at + 1 if seen.head else 0)
        made = [_made(on, each, seen, caller.user or NOBODY, now) for each in todo]
        head = _head(on, seen, made, now)
        before, after = accuracy.tally(on.fields, seen.cells), accuracy.tally(on.fields, head.cells)
        change = accuracy.together([before], -1, after)
        checked = check_counts.after(seen.checked, on.task, seen.head, change)
        if _written(world, seen, head, checked, made):
            there = {**seen.decisions, **{_id(each): each for each in made}}
            return _shown(on, seen, head.cells, checked, [there[each["id"]] for each in wanted])
        world.sleep(PAUSE_SECONDS * (attempt + world.chance()))
    raise Unavailable("many decide on this paper at the same moment")


def _seen(world: ApiWorld, on: Subject, wanted: Sequence[Held]) -> Seen:
    names = {each["id"] for each in wanted} | {str(each["before"]) for each in wanted if each["verb"] == "undo"}
    head_at, counts_at, ever_at = head_key(*on.place), counts_key(on.task.task), ever_key(on.task.project)
    keys = [head_at, counts_at, ever_at, *(review_items.decision_key(*on.place, name) for name in sorted(names))]
    found = [item for at in range(0, len(keys), BATCH) for item in get_raw(world, Reviewed, keys[at : at + BATCH])]
    by_place = {item["place"]["S"]: item for item in found}
    head, counts = by_place.get(str(head_at["place"])), by_place.get(str(counts_at["place"]))
    made = [Decision.from_raw_data(item) for place, item in by_place.items() if "/decision/" in place]
    holds = Head.from_raw_data(head) if head else None
    checked = Checked.from_raw_data(counts) if counts else None
    return Seen(holds, checked, str(ever_at["place"]) not in by_place, {_id(each): each for each in made})


def _id(decision: Decision) -> str:
    return str(decision.place).rpartition("/")[2]


def _is_there(wanted: Held, decisions: dict[str, Decision]) -> bool:
    found = decisions.get(wanted["id"])
    if found is not None and found.asked != wanted["asked"]:
        raise Conflict("idempotency-key-reused", REUSED, id=wanted["id"])
    return found is not None


def _check_free(wanted: Sequence[Held], there: Decided) -> None:
    conflicts = []
    for each in wanted:
        holds = there.get(each["address"])
        if (holds["id"] if holds else None) != each["before"]:
            yours = {name: value for name, value in each.items() if name != "asked"}
            theirs = review_heads.cell(holds) if holds else None
            conflicts.append({"address": each["address"], "yours": yours, "theirs": theirs})
    if conflicts:
        reason = "Somebody has decided on this cell since you saw it. Look at both, and decide again."
        raise Conflict("decided-meanwhile", reason, conflicts=conflicts)


def _made(on: Subject, wanted: Held, seen: Seen, by: str, now: int) -> Decision:
    there = at(on.found, wanted["address"])
    was: Any = there.value if len(str(there.value)) <= WAS_LETTERS else None
    made = {name: value for name, value in wanted.items() if name != "asked" and value is not None}
    made |= {"before": wanted["before"], "by": by, "at": now, "task": on.task.id, "row": on.row.row}
    made |= {"template": str((on.task.options or {})["template"]), "was": {"state": there.state, "value": was}}
    made["of"] = there.of
    key = review_items.decision_key(*on.place, wanted["id"])
    replaced = seen.cells.get(wanted["address"])
    return Decision(**key, at=now, asked=wanted["asked"], made=made, replaced=replaced)


NOT_IN_HEAD = ("address", "before", "row", "template", "was")


def _holds_now(made: Decision, seen: Seen) -> Held | None:
    short = {name: value for name, value in made.made.items() if name not in NOT_IN_HEAD}
    before = cast("Held", made.replaced or {})
    match short["verb"]:
        case "undo":
            return cast("Held | None", seen.decisions[before["id"]].replaced)
        case "comment" if before:
            return {**before, "id": short["id"], "comment": short["comment"]}
    return {**({"comment": before["comment"]} if "comment" in before else {}), **short}


def _head(on: Subject, seen: Seen, made: Sequence[Decision], now: int) -> Head:
    there = seen.cells
    for each in made:
        address, holds = each.made["address"], _holds_now(each, seen)
        there = {name: cell for name, cell in there.items() if name != address} | ({address: holds} if holds else {})
    if _bytes(there) > max(HEAD_BYTES, _bytes(seen.cells)):
        raise Conflict("limit-reached", "So much was decided and noted on this paper that no more can be kept.")
    version = seen.head.version + 1 if seen.head else 1
    listed_in = review_items.heads_list(on.task.project, on.place[2])
    return Head(**head_key(*on.place), listed_in=listed_in, at=now, task=on.task.id, version=version, cells=there)


def _bytes(cells: Decided) -> int:
    return len(json.dumps(cells, separators=(",", ":"), ensure_ascii=False).encode(errors="replace"))


def _written(world: ApiWorld, seen: Seen, head: Head, checked: Checked, made: Sequence[Decision]) -> bool:
    """All of it, or nothing, where somebody else was at this paper's head or this task's counts."""
    unseen = Head.paper.does_not_exist()
    same = Head.version == seen.head.version if seen.head else unseen
    counted = Checked.version == seen.checked.version if seen.checked else unseen
    writes = [Put(Decision, each.serialize(), unseen) for each in made]
    if seen.is_first:
        ever = EverDecided(**ever_key(str(head.paper).partition("/")[0]))
        writes.append(Put(EverDecided, ever.serialize(), unseen))
    try:
        lost = transact(world, *writes, Put(Head, head.serialize(), same), Put(Checked, checked.serialize(), counted))
    except InTheWay:
        return False
    return not any(lost)


def _shown(on: Subject, seen: Seen, there: Decided, checked: Checked | None, made: Sequence[Decision]) -> DecidedView:
    review = review_heads.shown({"fields": on.fields}, there) or {"checked": 0, "cells": {}}
    views = [review_heads.decision(each.made) for each in made]
    return {"review": review, "decisions": views, "checked": check_counts.brief(checked or seen.checked)}


def history(world: Tables, place: tuple[Task, int], address: str | None) -> DecisionListView:
    """What was decided on a row's paper, newest first: the last two hundred. Raises NotFound."""
    task, number = place
    _, made = review_heads.all_of(partial(query_raw, world), task, task_table.row(world, task, number).document)
    chosen = [each for each in made if address in {None, each["address"]}]
    return {"decisions": [review_heads.decision(each) for each in chosen[:SHOWN_MOST]]}


def erase(world: ApiWorld, caller: Caller, document: str) -> None:
    """What people decided on a document, by all templates. Its head stays, empty, and says by whom and when.

    What is decided while it is at work stays. Raises NotFound where there is nothing, Forbidden.
    """
    caller.must_be(Role.EDITOR)
    paper = review_items.paper_of(caller.project, document)
    is_id = ids.NAME.fullmatch(document)
    there = query_all(world, Reviewed, Reviewed.paper == paper, ConsistentRead=True) if is_id else []
    if not there:
        raise NotFound("There are no decisions on this document.")
    caller.must_be(Role.ADMIN)
    for place in sorted(each.place for each in there if each.place.endswith("/head")):
        _empty(world, paper, place, caller.user or NOBODY)


def _empty(world: ApiWorld, paper: str, place: str, by: str) -> None:
    """The head first, so that whoever decides meanwhile begins anew; then each decision that it knew."""
    for _ in range(TRIES):
        seen = store.get(world, Head, {"paper": paper, "place": place})
        if seen is None:
            return
        now, version = max(world.now(), seen.at + 1), seen.version + 1
        head = Head(paper=paper, place=place, listed_in=seen.listed_in, at=now, version=version, cells={}, erased_by=by)
        if not isinstance(store.put(world, head, Head.version == seen.version), Refused):
            break
    else:
        raise Unavailable("many decide on this paper at the same moment")
    begun = place.removesuffix("head") + "decision/"
    condition = (Decision.paper == paper) & Decision.place.startswith(begun)
    gone = [each for each in query_all(world, Decision, condition, ConsistentRead=True) if each.at <= now]
    world.parallel(
        lambda at: store.delete(world, Decision, {"paper": at.paper, "place": at.place}, Decision.at <= now), gone
    )
