"""Rules of exports: which is whose, what its file holds, who is shown it, and what is left of it."""

import csv
import io
import json
from dataclasses import dataclass
from typing import Any, NamedTuple

from tests.simulation.deployed import EXPORT
from tests.simulation.items import CLOSED, TERMINAL, parsed, task_of, val

AGAIN = {"error", "cancelled"}
READS = {
    ("batch_get_item", "tasks"),
    ("batch_get_item", "results"),
    ("get_item", "tasks"),
    ("query", "results"),
    ("query", "reviews"),
}
LOOK_MS = 60_000
LAG_MS = 30_000  # of the index, at most
"""Within this an answer is given that was true when somebody asked."""


class Line(NamedTuple):
    """What a file says of a row."""

    document: str
    status: str
    study: str
    """Of what was read: its task, row and attempt."""


@dataclass(frozen=True)
class Ordered:
    """An export as it was opened: of which parts of a table, all of them closed before it was asked for."""

    wish: str
    chain: tuple[str, ...] | None
    """None where the table was still changing."""
    at: int


class ExportRules:
    """Mixed into Invariants."""

    sim: Any
    skew: int
    violate: Any
    decided_at: float

    def prepare_exports(self) -> None:
        self.ordered: dict[str, Ordered] = {}

    # ------------------------------------------------------------------ opening

    def export_opened(self, name: str, after: Any, ctx: Any) -> None:
        """Another of the same table is opened only where the first is of no use any more."""
        export, table = val(after, "task"), val(after, "project")
        if (table,) not in self.sim.tasks:
            self.violate("O4", f"{name}: it stands in the list of {table}")
            return
        options = parsed(after, "options")
        wish = json.dumps({key: value for key, value in options.items() if key != "asOf"}, sort_keys=True)
        chain = self._settled(table, ctx.started)
        for other, before in self.ordered.items():
            of_it = other.partition("/")[0] == export.partition("/")[0] and (before.wish, before.chain) == (wish, chain)
            # The first may not have seen a decision yet, which the index showed to the second.
            is_decided_anew = self.decided_at > before.at - LAG_MS or self.sim.frozen_since(before.at)
            if chain and of_it and not is_decided_anew and not self._of_no_use(other):
                self.violate("O1", f"{name}: {other} is the same, and there")
        self.ordered[export] = Ordered(wish, chain, ctx.started)

    def _settled(self, table: str, instant: int) -> tuple[str, ...] | None:
        """The table and its retries, if all that there are now were closed by then."""
        chain = self._chain(table)
        seen = [self.sim.dynamo.tables["tasks"].as_of((task,), instant) for task in chain]
        return tuple(chain) if all(val(task, "status") in CLOSED for task in seen) else None

    def _of_no_use(self, export: str) -> bool:
        row = self.sim.row(export, 0)
        return val(row, "status") in AGAIN or self.sim.gone(export, self.sim.kernel.now + self.skew)

    # ------------------------------------------------------------------ what a worker reads and writes

    def export_may(self, ctx: Any, operation: str, arguments: dict[str, Any], tables: set[str]) -> bool:
        """Whether this is the reading of a table of its project. It writes no item but its row."""
        if operation == "put_object":
            row = ctx.works_on or ("", 0)
            return str(arguments["Key"]).startswith(f"tasks/{row[0]}/rows/{row[1]}-")
        return all((operation, table) in READS for table in tables)

    def check_file(self, name: str, key: Any, after: Any) -> None:
        """A ready export points at a file that is there, and that holds what the table held."""
        stored = self.sim.s3.find(val(after, "data_key") or "")
        if stored is None:
            self.violate("O2", f"{name}: ready, and {val(after, 'data_key')} is not there")
            return
        export = task_of(key[0])
        options = parsed(self.sim.tasks[export,], "options")
        table = f"{export.partition('/')[0]}/{options['task']}"
        since = self._claimed_at(key, val(after, "attempt"))
        there = self._as_of(table, since)
        if not self.sim.gone(table) and parsed(after, "summary")["rows"] < len(there):
            self.violate("O3", f"{name}: {parsed(after, 'summary')} of {len(there)}")
        lines = self._lines(options["format"], stored.content)
        if lines is not None:
            self._held(name, table, lines, since)
            if not self.sim.gone(table):
                wanted = {row for row in there if row[1] == "completed"} if options["format"] == "csv-long" else there
                self._lacks_none(name, table, wanted, {line.document for line in lines})

    def _lines(self, kind: str, content: bytes) -> list[Line] | None:
        """The lines of a file; None for a workbook, of which its rows are counted. A long file has only what was read."""
        if kind == "xlsx":
            return None
        text = content.decode("utf-8-sig")
        told = (
            [json.loads(line) for line in text.splitlines()] if kind == "jsonl" else csv.DictReader(io.StringIO(text))
        )
        if kind == "csv-long":
            return [Line(self._document(line["study"]), "completed", line["study"]) for line in told]
        return [Line(line["document"], line["status"], line["study"] or "") for line in told]

    def _document(self, study: str) -> str:
        """Whose it is, of what was read."""
        task, _, place = study.partition("#")
        number, size = int(place.partition(".")[0]), val(self.sim.tasks[task,], "shard_rows")
        past = self.sim.dynamo.tables["results"].past[f"{task}/{number // size:04d}", number]
        return next(str(val(row, "document")) for _, row in past if row)

    def _claimed_at(self, key: Any, attempt: int) -> int:
        """When that attempt began to read, by the world's clock."""
        past = self.sim.dynamo.tables["results"].past[key]
        return int(next(when for when, item in past if val(item, "attempt") == attempt))

    def _as_of(self, task: str, instant: int) -> set[tuple[str, str]]:
        """A task's rows as they were: document and status."""
        table, item = self.sim.dynamo.tables["results"], self.sim.tasks[task,]
        size = val(item, "shard_rows")
        rows = [table.as_of((f"{task}/{n // size:04d}", n), instant) for n in range(val(item, "total"))]
        lost = {n for of, n in self.sim.vanished if of == task}
        return {(val(row, "document"), val(row, "status")) for row in rows if row and val(row, "row") not in lost}

    def _held(self, name: str, table: str, lines: list[Line], since: int) -> None:
        """Each line is what a row of the table, or of its retries, was; no document stands there twice."""
        documents = [line.document for line in lines]
        if len({*documents}) != len(documents):
            self.violate("O3", f"{name}: {sorted(documents)}, each of them once")
        parts = self._chain(table)
        for line in lines:
            found = [part for part in parts if self._was(part, line, since)]
            if not found:
                self.violate("O3", f"{name}: no row of {table} ever was {line}")
            newer = parts[parts.index(found[-1]) + 1 :] if found and line.status in AGAIN else []
            for part in newer:
                if not self.sim.gone(part) and line.document in dict(self._as_of(part, since)):
                    self.violate("O3", f"{name}: {line}, and {part} tried it again")

    def _was(self, task: str, line: Line, since: int) -> bool:
        """Whether a row of this task was that, at any instant from then on."""
        item, table = self.sim.tasks[task,], self.sim.dynamo.tables["results"]
        size = val(item, "shard_rows")
        for number in range(val(item, "total")):
            past = table.past.get((f"{task}/{number // size:04d}", number), [])
            seen = [
                row for at, (_, row) in enumerate(past) if row and (at + 1 == len(past) or past[at + 1][0] >= since)
            ]
            if any(_line(task, row) == line for row in seen):
                return True
        return False

    def _lacks_none(self, name: str, table: str, wanted: set[tuple[str, str]], there: set[str]) -> None:
        missing = sorted(document for document, _ in wanted if document not in there)
        if missing:
            self.violate("O3", f"{name}: {missing} of {table} are not in it")

    def _chain(self, table: str) -> list[str]:
        """The table and its retries, oldest first."""
        chain = [table]
        while (newer := val(self.sim.tasks[chain[-1],], "retried_by")) is not None:
            chain.append(newer)
        return chain

    def table_gone(self, name: str, export: str) -> None:
        """It gave up: its table, or a retry of it, was deleted."""
        table = f"{export.partition('/')[0]}/{parsed(self.sim.tasks[export,], 'options')['task']}"
        if not any(self.sim.gone(part) for part in self._chain(table)):
            self.violate("S10", f"{name}: it says that {table} was deleted")

    # ------------------------------------------------------------------ what people are shown

    def export_answered(self, asked: int, task: str, body: Any) -> None:
        """An order was taken: what is given is its own table's, of use, and not over."""
        export = f"{task.partition('/')[0]}/{body['exportId']}"
        self._is_of(task, export, "ordered")
        key = (f"{export}/0000", 0)
        failed = val(self.sim.dynamo.tables["results"].as_of(key, asked - 1), "status") in AGAIN
        if failed or self._over_before(export, asked):
            self.violate("O1", f"{export} is given to who asks again, and it failed before or is over")
        table, then = self._settled(task, asked), self.ordered[export].chain
        if table and then and table != then:
            self.violate("O1", f"{export} is given for {table}, and it is of {then}")

    def export_shown(self, asked: int, task: str, body: Any) -> None:
        """One export as it was given, alone or in its list."""
        export = f"{task.partition('/')[0]}/{body['exportId']}"
        self._is_of(task, export, "shown")
        if self._over_before(export, asked):
            self.violate("O5", f"{export} is shown, and it was over")
        row = self.sim.row(export, 0)
        if body["status"] == "ready" and row is not None:
            self.check_payload(f"export {export}", (row["shard"]["S"], 0), row)
        if body["status"] == "ready" and val(row, "status") != "completed" and not self.sim.gone(export):
            self.violate("O2", f"{export} is shown as ready: {val(row, 'status')}")

    def export_hidden(self, export: str) -> None:
        """It was said that there is none."""
        if not self.sim.gone(export, self.sim.kernel.now + self.skew):
            self.violate("O1", f"{export} was accepted, and there is no such export")

    def exports_listed(self, task: str, names: list[str], accepted: set[str]) -> None:
        """All of a task's, long after the last was ordered."""
        soon = self.sim.kernel.now + self.skew
        missing = [export for export in sorted(accepted - {*names}) if not self.sim.gone(export, soon)]
        if missing:
            self.violate("O4", f"{missing} are not in the list of {task}")

    def tasks_listed(self, names: list[str]) -> None:
        """A project's list."""
        exports = [name for name in names if val(self.sim.tasks.get((name,)), "kind") == EXPORT]
        if exports:
            self.violate("O4", f"{exports} stand among the tasks")

    def export_taken_for_a_task(self, export: str, verb: str, status: int | None) -> None:
        if status is not None and status < 500 and status != 404:
            self.violate("O4", f"{verb} {export} as a task: {status}")

    def _is_of(self, task: str, export: str, how: str) -> None:
        item = self.sim.tasks.get((export,))
        if val(item, "kind") != EXPORT or val(item, "project") != task:
            self.violate("O4", f"{export} is {how} at {task}")

    def _over_before(self, export: str, asked: int) -> bool:
        return bool(self.sim.gone(export, asked - self.skew))

    # ------------------------------------------------------------------ the end

    def exports_at_the_end(self, accepted: set[str]) -> None:
        """Everybody who ordered has a file, or is told that there is none."""
        for export in sorted(accepted):
            row, item = self.sim.row(export, 0), self.sim.tasks.get((export,))
            if item is None or val(item, "status") not in CLOSED:
                self.violate("O6", f"{export} was accepted and is {val(item, 'status')}")
            elif not self.sim.gone(export) and val(row, "status") not in TERMINAL:
                self.violate("O6", f"{export} is closed, its row {val(row, 'status')}")

    def exports_after_the_janitor(self) -> None:
        """Of one that is over or whose task is deleted nothing is left but its item, and a mark for the second round."""
        for (export,), item in self.sim.task_items():
            if val(item, "kind") != EXPORT or not self.sim.gone(export, self.sim.kernel.now - LOOK_MS - self.skew):
                continue
            left = [
                key for key in self.sim.s3.objects if key.startswith(f"tasks/{export}/") and not key.endswith("/erased")
            ]
            if left or self.sim.rows_of(export):
                self.violate("O5", f"{export} is over, and there is {left or self.sim.rows_of(export)}")


def _line(task: str, row: Any) -> Line:
    """What a file has of a row."""
    done = val(row, "status") == "completed"
    study = f"{task}#{val(row, 'row')}.{val(row, 'attempt')}" if done else ""
    return Line(val(row, "document"), val(row, "status"), study)
