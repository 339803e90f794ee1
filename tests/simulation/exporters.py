"""People who want a table as a file: they order it, order the same again, look at it, list what there is."""

import json
from functools import partial
from typing import Any, NamedTuple

from tests.simulation.items import CLOSED, val
from tests.simulation.kernel import T0

FORMATS = ("jsonl", "jsonl", "jsonl", "csv", "csv", "csv-long", "csv-long", "csv-long", "csv-long", "xlsx")
AGAIN_AT_MOST = 5
ANSWER_MS = 30_000


class Order(NamedTuple):
    """A file of a task that somebody wants."""

    task: str
    wish: dict[str, Any]


class Exporters:
    """Everybody who takes a table out of this world."""

    def __init__(self, simulation: Any) -> None:
        self.sim = simulation
        self.rng = simulation.rng
        self.orders: list[Order] = []
        self.accepted: dict[str, Order] = {}
        """What each export was ordered as."""

    def begin(self) -> None:
        shape, kernel = self.sim.shape, self.sim.kernel
        if shape.story:
            self._tell()
            return
        for _ in range(shape.exports):
            kernel.at(T0 + self.rng.randint(0, shape.quiet_ms), self._order_any)
        for act in (self._order_again, self._look, self._list, self._take_for_a_task):
            for _ in range(2):
                kernel.at(T0 + self.rng.randint(0, shape.quiet_ms), act)

    def _tell(self) -> None:
        """A table is ordered while it runs and when it has ended, then once more; both files are looked at."""
        for at, act in (
            (1_500, self._order_any),
            (30_000, self._order_any),
            (40_000, self._order_again),
            (45_000, self._look),
        ):
            self.sim.kernel.at(T0 + at, act)

    def closed(self, task: str) -> None:
        """A task has just closed: somebody wants all of its table, with what retries made of it, and somebody else the same."""
        if not self.sim.shape.exports or self.sim.shape.story:
            return
        table = task
        while (parent := val(self.sim.tasks[table,], "retry_of")) is not None:
            table = parent
        if table in self._tables() and self.rng.random() < 0.7:
            before = [order.wish for order in self.orders if order.task == table]
            wish = before[-1] if before and table != task else self._wish()
            for _ in range(self.rng.choice([1, 2, 3])):
                self.sim.users.later(self.rng.randint(0, 120_000), self._order, table, wish)

    # ------------------------------------------------------------------ ordering

    def _tables(self) -> list[str]:
        """Of the kind of which there are files, those that are not deleted."""
        tasks = self.sim.tasks
        return sorted(
            {
                task
                for task in self.sim.users.known
                if val(tasks[task,], "kind") == "probe" and "deleted_at" not in tasks[task,]
            }
        )

    def _wish(self) -> dict[str, Any]:
        return {"format": self.rng.choice(FORMATS), "language": self.rng.choice(["en", "both"])}

    def _order_any(self) -> None:
        if tables := self._tables():
            self._order(self.rng.choice(tables), self._wish())

    def _order_again(self) -> None:
        if self.orders:
            self._order(*self.rng.choice(self.orders))

    def _order(self, task: str, wish: dict[str, Any], times: int = 1) -> None:
        asked = self.sim.kernel.now
        self.orders.append(Order(task, wish))

        def answered(status: int | None, answer: Any) -> None:
            if status in (200, 202):
                self.accepted[f"{task.partition('/')[0]}/{answer['exportId']}"] = Order(task, wish)
                self.sim.invariants.export_answered(asked, task, answer)
                if not self.sim.quiet:
                    self.sim.users.later(self.rng.randint(1_000, 60_000), self._look)
            elif (status is None or status >= 500) and times < AGAIN_AT_MOST:
                self.sim.users.later(self.rng.randint(500, 20_000), self._order, task, wish, times + 1)

        self.sim.users.http("POST", f"{task}/exports", answered, wish)

    # ------------------------------------------------------------------ looking

    def _look(self) -> None:
        if self.accepted:
            self._look_at(self.rng.choice(sorted(self.accepted)))

    def _look_at(self, export: str) -> None:
        (task, wish), asked = self.accepted[export], self.sim.kernel.now

        def answered(status: int | None, answer: Any) -> None:
            if status == 200:
                self.sim.invariants.export_shown(asked, task, answer)
                if answer["status"] == "failed" and not self.sim.quiet:
                    self.sim.users.later(self.rng.randint(1_000, 60_000), self._order, task, wish)
            elif status == 404:
                self.sim.invariants.export_hidden(export)

        self.sim.users.http("GET", f"{task}/exports/{export.partition('/')[2]}", answered)

    def _list(self) -> None:
        """A task's files, and the project's tasks."""
        for task in self._tables()[:2]:
            self._list_of(task)

    def _list_of(self, task: str) -> None:
        asked, project = self.sim.kernel.now, task.partition("/")[0]

        def files(status: int | None, answer: Any) -> None:
            exports = answer["exports"] if status == 200 else []
            for export in exports:
                self.sim.invariants.export_shown(asked, task, export)
            if status == 200 and not self.sim.ticking and self.sim.dynamo.page is None:
                names = [f"{project}/{export['exportId']}" for export in exports]
                of_it = {export for export, order in self.accepted.items() if order.task == task}
                self.sim.invariants.exports_listed(task, names, of_it)

        def tasks(status: int | None, answer: Any) -> None:
            if status == 200:
                self.sim.invariants.tasks_listed([f"{project}/{each['taskId']}" for each in answer["tasks"]])

        self.sim.users.http("GET", f"{task}/exports", files)
        self.sim.users.http("GET", f"{project}/", tasks)

    def _take_for_a_task(self) -> None:
        """Somebody asks for an export where tasks are."""
        if self.accepted:
            export = self.rng.choice(sorted(self.accepted))
            verb = self.rng.choice(["", "/results", "/cancel", "/pause", "/retry", "/exports"])
            answered = lambda status, _: self.sim.invariants.export_taken_for_a_task(export, verb, status)  # noqa: E731
            self.sim.users.http(
                "POST" if verb in ("/cancel", "/pause", "/retry") else "GET", f"{export}{verb}", answered
            )

    def order_everything_again(self) -> None:
        """A day later: what is over by now is made anew, and the rest is there."""
        for task, wish in sorted({(order.task, json.dumps(order.wish)) for order in self.accepted.values()}):
            self._order(task, json.loads(wish), times=AGAIN_AT_MOST)
        self.sim.kernel.run(self.sim.kernel.now + ANSWER_MS)

    def _look_elsewhere(self) -> None:
        """Somebody asks for an export at another task."""
        for export, order in self.accepted.items():
            other = next((task for task in self._tables() if task != order.task), None)
            if other:
                answered = partial(self._answered_elsewhere, export)
                self.sim.users.http("GET", f"{other}/exports/{export.partition('/')[2]}", answered)

    def _answered_elsewhere(self, export: str, status: int | None, _answer: Any) -> None:
        self.sim.invariants.export_taken_for_a_task(export, "elsewhere", status)

    def look_at_everything(self) -> None:
        """At the end: every export that was accepted has ended, and is shown or over."""
        self.sim.invariants.exports_at_the_end(set(self.accepted))
        for export in sorted(self.accepted):
            self._look_at(export)
        for task in self._tables():
            if val(self.sim.tasks[task,], "status") in CLOSED:
                self._list_of(task)
        self._take_for_a_task()
        self._look_elsewhere()
        self.sim.kernel.run(self.sim.kernel.now + ANSWER_MS)
