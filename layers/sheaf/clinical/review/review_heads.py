"""What is decided on the papers of a table: which have been, and what is shown beside each row."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, cast

from clinical.review.accuracy import tally, total
from clinical.review.cell_addresses import Decided, Held, cells, is_stale
from clinical.review.review_items import Head, Reviewed, head_key, heads_list, paper_of
from clinical.review.review_shapes import CellView, DecisionView, ReviewView
from sheaf.items import Row, Task
from sheaf.jobs import ReadItems
from sheaf.outside.needs import BatchTables, Tables
from sheaf.outside.store import Raw, get_many_parts, query_raw
from sheaf.plain_json import JsonObject
from sheaf.protocol.lifecycle import RowStatus
from sheaf.schemas import instant

HIDDEN = ("of", "task")


class Changes(NamedTuple):
    """Which of a project's papers people have decided on, when last and on which task's table. The index lags a moment."""

    papers: dict[str, tuple[int, str | None]]

    @property
    def tag(self) -> str:
        """Another after each decision."""
        return hashlib.sha256(json.dumps(self.papers, sort_keys=True).encode()).hexdigest()[:20]

    def elsewhere(self, tasks: Sequence[str]) -> str:
        """Another after each decision that was not made on these tasks' tables."""
        return Changes({paper: each for paper, each in self.papers.items() if each[1] not in tasks}).tag


NOTHING = Changes({})  # where nobody of the project has ever decided on anything


def template_of(task: Task) -> str:
    return str((task.options or {}).get("template", "")).partition("@")[0]


def changes(world: Tables, task: Task) -> Changes:
    return changes_by(partial(query_raw, world), task)


def changes_by(query: ReadItems, task: Task) -> Changes:
    """One query: it holds a hundred bytes for each paper of the project that was decided on by this template."""
    listed = Head.listed_in == heads_list(task.project, template_of(task))
    found = query(Head, listed, IndexName="by_list")
    return Changes({each["paper"]["S"]: (int(each["at"]["N"]), each.get("task", {}).get("S")) for each in found})


def read(world: BatchTables, task: Task, rows: Sequence[Row], known: Changes | None = None) -> dict[str, Decided]:
    """What is decided on the papers of these rows, by document; with `known` only those are looked for that have anything."""
    template = template_of(task)
    names = {row.document for row in rows if row.status == RowStatus.COMPLETED}
    keys = [head_key(task.project, name, template) for name in sorted(names)]
    wanted = [key for key in keys if known is None or key["paper"] in known.papers]
    found: list[Raw] = get_many_parts(world, Head, wanted, ("paper", "cells")) if wanted else []
    return {each["paper"]["S"].partition("/")[2]: json.loads(each["cells"]["S"]) for each in found}


def all_of(query: ReadItems, task: Task, document: str) -> tuple[Decided, list[Held]]:
    theirs = (Reviewed.paper == paper_of(task.project, document)) & Reviewed.place.startswith(f"{template_of(task)}/")
    found = list(query(Reviewed, theirs, ConsistentRead=True))
    made: list[Held] = [json.loads(each["made"]["S"]) for each in found if "made" in each]
    made.sort(key=lambda each: each["at"], reverse=True)
    return next((json.loads(each["cells"]["S"]) for each in found if "cells" in each), {}), made


Beside = Callable[[Row, JsonObject | None], ReviewView | None]


def beside(world: BatchTables, task: Task, rows: Sequence[Row], known: Changes | None = None) -> Beside:
    heads = read(world, task, rows, known)
    return lambda row, data: shown(cast("Any", data), heads.get(row.document)) if data else None


def shown(data: Mapping[str, Any], decided: Decided | None) -> ReviewView | None:
    if not decided:
        return None
    fields = data["fields"]
    found = cells(fields)
    views = {address: cell(made, stale=is_stale(found, address, made)) for address, made in decided.items()}
    return {"checked": total(tally(fields, decided)).checked, "cells": views}


def decision(made: Held) -> DecisionView:
    return cast("DecisionView", cell(made))


def cell(made: Held, *, stale: bool = False) -> CellView:
    view = {name: value for name, value in made.items() if name not in HIDDEN}
    more = {"stale": True} if stale else {}
    return cast("CellView", {**view, "at": instant(made["at"]), "taskId": made["task"], **more})
