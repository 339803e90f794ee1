"""People: they ask, ask again, look, pause, go on, cancel, and close the lid in the middle of it."""

import copy
import itertools
import json
import random
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import parse_qsl

from clinical.library.library_items import KnowledgeBase, base_key, bases_list
from tests.simulation.faults import MINUTE
from tests.simulation.gather_rules import SHELF
from tests.simulation.items import CLOSED, val
from tests.simulation.kernel import T0
from tests.support.shelf import a_document, usable
from tests.support.stack_file import ROOT

EVENT = json.loads((ROOT / "events" / "api-create-task.json").read_text())
TASKS = "/api/v1/asl/extraction/tasks"
PROJECTS = ("p1", "p2")
API_MS = 29_000
UNDER_WAY = {"gathering", "processing"}
ENGINE = "openai"


class Users:
    """Everybody who uses this world, and what they were told."""

    def __init__(self, simulation: Any) -> None:
        self.sim = simulation
        self.projects = PROJECTS[: simulation.shape.projects]
        self.rng = simulation.rng
        self.totals: dict[str, int] = {}
        self.by_key: dict[str, Any] = {}
        self.busy = 0
        self.known: list[str] = []
        self.wanted: list[dict[str, Any]] = []

    @property
    def content(self) -> bool:
        """Nobody waits for an answer."""
        return self.busy == 0

    # ------------------------------------------------------------------ the story of one seed

    def begin(self) -> None:
        """Papers in the library, requests in the first half of the time."""
        self._stock()
        shape = self.sim.shape
        for number in range(shape.requests):
            at = T0 + (0 if number == 0 or shape.story else self.rng.randint(0, shape.quiet_ms // 2))
            self.sim.kernel.at(at, self._ask, self._request(number))
        if shape.story:
            if not shape.engine and not shape.exports:
                self._tell()
        elif shape.meddling:
            self._meddle()

    def _stock(self) -> None:
        table = self.sim.dynamo.tables["library"]
        for project, number in itertools.product(self.projects, range(self.sim.shape.documents)):
            key = f"texts/{project}/d{number}/text.json"
            content = f"canary text of paper {number} of {project}, version one".encode()
            version = self._put(key, content)
            item = a_document(
                project, "k", f"d{number}", created_at=T0, usable=usable(f"canary-{number}.txt", key, version, _sha256(content))
            ).serialize()  # fmt: skip
            table.set(table.key(item), item, T0 - 10 * MINUTE)
            self._put(f"inputs/{project}/d{number}", content)
        for project in self.projects:
            base = KnowledgeBase(
                entry=base_key(project, SHELF)["entry"], listed_in=bases_list(project), created_at=T0,
                knowledge_base=SHELF, name="Shelf", first_name="Shelf", opening="opening",
            ).serialize()  # fmt: skip
            table.set(table.key(base), base, T0)

    def _put(self, key: str, content: bytes) -> str:
        put = self.sim.s3.put_object
        version: str = put(_Clock(self.sim.kernel), Bucket="bucket", Key=key, Body=content, ContentType="text/plain")[
            "VersionId"
        ]
        return version

    def _request(self, number: int) -> dict[str, Any]:
        documents = [f"d{n}" for n in range(self.sim.shape.documents)]
        key = f"key-{number}" if self.rng.random() < 0.7 else None
        kind = self._one_of(list(self.sim.queues))
        project = self.projects[number] if self.sim.shape.poison else self._one_of(self.projects)
        asked = {"kind": kind, "key": key, "project": project, **self.sim.limiters.says()}
        if kind == "count_words":
            return {"items": documents, **asked}
        if self.sim.shape.by_reference:
            return {"templateId": "rct", "knowledgeBaseId": SHELF, **asked}
        engine = {"engine": ENGINE} if self.sim.shape.engine else {}
        return {"templateId": "rct", "documentIds": documents, **asked, **engine, **self.sim.spenders.says()}

    def _one_of(self, things: Sequence[str]) -> str:
        return things[0] if len(things) == 1 else str(self.rng.choice(things))

    def _tell(self) -> None:
        """One task is paused and resumed, the other cancelled, retried and forgotten; both are looked at."""
        for at, act in (
            (300, lambda: self._turn(self.known[0], "pause")),
            (500, self._cancel),
            (6_000, lambda: self._turn(self.known[0], "resume")),
            (7_000, self._replace),
            (20_000, self._retry_the_first),
            (30_000, self._look),
            (31_000, self._read_latest),
            (32_000, lambda: self.sim.nudged("janitor", b'{"source": "schedule"}')),
            (40_000, self._delete),
        ):
            self.sim.kernel.at(T0 + at, lambda act=act: act() if self.known else None)

    def _meddle(self) -> None:
        """What somebody does while it runs."""
        rng, quiet, habit = self.rng, self.sim.shape.quiet_ms, self.sim.shape.habit
        if self.sim.shape.by_reference:
            self._meddle_while_it_is_gathered()
        for _ in range(rng.randint(0, 6)):
            self.sim.kernel.at(T0 + rng.randint(0, quiet), rng.choice([self._look, self._look, self._read]))
        for act, rate, more in (
            (self._cancel, 0.2, "turning"),
            (self._pause, 0.25, habit if habit in ("turning", "pausing") else None),
            (self._replace, 0.3, None),
            (self._repeat, 0.4, None),
            (self._other_body, 0.3, None),
            (self._retry, 0.6, "retrying"),
            (self._delete, 0.1, "deleting"),
            (self._probe, 0.8 * self.sim.shape.engine, None),
            (self._pry, 0.2 * (len(self.projects) > 1), None),
        ):
            times = rng.choice([1, 1, 2, 3]) if rng.random() < rate else 0
            for _ in range(times + (rng.randint(1, 4) if more and habit == more else 0)):
                self.sim.kernel.at(
                    T0 + int(quiet * rng.random() ** (0.5 if act in (self._retry, self._delete) else 2)), act
                )

    def _meddle_while_it_is_gathered(self) -> None:
        """In the first seconds a paper is taken away, or the whole task is stopped. (Drawn apart from all else.)"""
        lots = random.Random(self.sim.seed)
        for act, rate in ((self._take_away, 0.7), (self._cancel, 0.3)):
            for _ in range(lots.choice([1, 2, 3]) if lots.random() < rate else 0):
                self.sim.kernel.at(T0 + lots.randint(100, 8_000), act)

    def _take_away(self) -> None:
        document = f"{self._one_of(self.projects)}/d{self.rng.randrange(self.sim.shape.documents)}"
        self.http("DELETE", document, lambda *_: None, at="/api/v1/pkb/documents")

    def end(self) -> None:
        """When the faults stop: whoever paused goes on, so that everything can close."""
        for (task,), item in self.sim.task_items():
            if val(item, "gate") == "paused":
                self._turn(task, "resume")

    def later(self, milliseconds: int, act: Callable[..., None], *arguments: Any) -> None:
        """Somebody means to do this: the world does not end before."""

        def now() -> None:
            self.busy -= 1
            act(*arguments)

        self.busy += 1
        self.sim.kernel.after(milliseconds, now)

    # ------------------------------------------------------------------ opening

    def _ask(self, request: dict[str, Any], times: int = 1) -> None:
        project = request["project"]
        body = {name: value for name, value in request.items() if name not in ("key", "project")}
        headers = {"idempotency-key": request["key"]} if request["key"] else {}
        self.wanted.append(request)

        def answered(status: int | None, answer: Any) -> None:
            if status in (200, 202):
                self.known.append(f"{project}/{answer['taskId']}")
                self.sim.invariants.accepted(
                    self, request["key"] and f"{project}: {request['key']}", json.dumps(body), status, answer["taskId"]
                )
            elif (status is None or status >= 500) and times < 5:
                self.later(self.rng.randint(500, 20_000), self._ask, request, times + 1)

        self.http("POST", f"{project}/", answered, body, headers)
        if self.rng.random() < 0.1:
            self.http("POST", f"{project}/", answered, body, headers)

    def _repeat(self) -> None:
        if self.wanted and not self.sim.quiet:
            self._ask(self.rng.choice(self.wanted))

    def _other_body(self) -> None:
        """The same key for another request: refused, unless it comes first."""
        keyed = [request for request in self.wanted if request["key"]]
        if keyed and not self.sim.quiet:
            request = copy.deepcopy(self.rng.choice(keyed))
            items = "items" if "items" in request else "documentIds"
            request[items] = request[items][:1] if len(request.get(items, ())) > 1 else ["d0"]
            self._ask(request, times=5)

    # ------------------------------------------------------------------ looking and meddling

    def _look(self) -> None:
        if self.known:
            task = self.rng.choice(self.known)
            self.http(
                "GET", task, lambda status, answer: self.sim.invariants.shown(self, answer) if status == 200 else None
            )

    def _read(self) -> None:
        """A page of results, as far as they are there."""
        if self.known:
            self.http("GET", f"{self.rng.choice(self.known)}/results", self._table)

    def _read_latest(self) -> None:
        """Each table, with what its retries made of it."""
        for task in self.known:
            self.http("GET", f"{task}/results?view=latest", self._table)

    def _table(self, status: int | None, answer: Any) -> None:
        if status == 200:
            self.sim.invariants.table_shown(answer["results"])

    def _final_table(self, status: int | None, answer: Any) -> None:
        if status != 200:
            self.sim.invariants.violate("S9", f"the table at the end: {status}, {answer}")
        self._table(status, answer)

    def _pry(self) -> None:
        """Somebody of another project looks, or turns: there is no such task."""
        if self.known and len(self.projects) > 1:
            project, _, name = self.rng.choice(self.known).partition("/")
            other = next(found for found in self.projects if found != project)
            verb = self.rng.choice(["", "/cancel", "/pause", "/retry"])
            answered = lambda status, _: self.sim.invariants.pried(other, name, status)  # noqa: E731
            self.http("POST" if verb else "GET", f"{other}/{name}{verb}", answered)

    def _cancel(self) -> None:
        open_tasks = self._open()
        if open_tasks and not self.sim.quiet:
            task = self.rng.choice(open_tasks)
            self.http("POST", f"{task}/cancel", lambda *_: None)

    def _pause(self) -> None:
        open_tasks = self._open()
        if open_tasks and not self.sim.quiet:
            task = self.rng.choice(open_tasks)
            self._turn(task, "pause")
            for _ in range(self.rng.choice([0, 1, 1, 2])):
                self.later(self.rng.randint(1_000, self.sim.shape.quiet_ms), self._turn, task, "resume")

    def _probe(self) -> None:
        """Somebody is tired of waiting for the provider, and presses the button twice."""
        if self.known and not self.sim.quiet:
            task = self.rng.choice(self.known)
            for _ in range(2):
                self.http("POST", f"{task}/probe", lambda *_: None)

    def _turn(self, task: str, verb: str) -> None:
        """Pause, or go on; after the faults, until it is heard."""

        def answered(*_: Any) -> None:
            if (
                self.sim.quiet
                and val(self.sim.tasks[task,], "gate") == "paused"
                and val(self.sim.tasks[task,], "status") not in CLOSED
            ):
                self._turn(task, "resume")

        self.http("POST", f"{task}/{verb}", answered)

    def _retry(self) -> None:
        """Once more what did not succeed, sometimes twice at the same moment."""
        done = self._open() if self.rng.random() < 0.4 else self._retriable()
        if done and not self.sim.quiet:
            task = self.rng.choice(done)
            key = self.rng.choice([None, None, "again", "once more"])
            headers, body = {"idempotency-key": key} if key else {}, {"refresh": self.rng.random() < 0.3}
            body |= self.sim.spenders.says(0.3)
            for _ in range(self.rng.choice([1, 2, 3])):
                self.later(self.rng.choice([0, 0, 5_000, 60_000]), self._send_retry, task, key, body, headers)

    def _send_retry(self, task: str, key: str | None, body: Any, headers: Any) -> None:
        before = self.by_key.get(f"retry {task} {key}")

        def answered(status: int | None, answer: Any) -> None:
            if status in (200, 202):
                self.known.append(f"{task.partition('/')[0]}/{answer['taskId']}")
            self.sim.invariants.retried(self, f"retry {task} {key}", before, json.dumps(body), status, answer)

        self.http("POST", f"{task}/retry", answered, body, headers)

    def closed(self, task: str) -> None:
        """A task has just closed, and somebody was waiting to try again what did not succeed, while reads are still stale."""
        if self.sim.shape.habit == "deleting":
            self.later(self.rng.randint(0, 5_000), self._delete)
        eager = self.sim.shape.habit == "retrying"
        if self.sim.chance(1.0 if eager else 0.8 if self.sim.swarm.stale_ms else 0.2):
            self.later(self.rng.randint(0, 100 if eager else 1_000), self._retry_at_once, task)

    def _retry_at_once(self, task: str) -> None:
        if task in self._retriable():
            self._send_retry(task, None, {"refresh": False}, {})

    def _retry_the_first(self) -> None:
        for task in self._retriable()[:1]:
            self._retry_at_once(task)

    def _retriable(self) -> list[str]:
        tasks = self.sim.tasks
        return sorted(
            {
                task
                for task in self.known
                if val(tasks[task,], "status") in CLOSED
                and val(tasks[task,], "completed") < (val(tasks[task,], "total") or 0)
            }
        )

    def _delete(self) -> None:
        """A closed task is to be forgotten."""
        closed = sorted({task for task in self.known if val(self.sim.tasks[task,], "status") in CLOSED})
        if closed and not self.sim.quiet:
            self.http("DELETE", self.rng.choice(closed), lambda *_: None)

    def _replace(self) -> None:
        """A newer version of a paper: what runs keeps the old one."""
        number = self.rng.randrange(self.sim.shape.documents)
        project = self._one_of(self.projects)
        for key in (f"texts/{project}/d{number}/text.json", f"inputs/{project}/d{number}"):
            self._put(key, b"another version")

    def _open(self) -> list[str]:
        return sorted({task for task in self.known if val(self.sim.tasks.get((task,)), "status") in UNDER_WAY})

    def look_at_everything(self) -> None:
        """At the end: every task that was ever accepted is there and closed, with all its rows."""
        for task in sorted(set(self.known)):
            if (task,) not in self.sim.tasks:
                self.sim.invariants.violate("S1", f"{task} was accepted and is not there")
                return
            if "deleted_at" not in self.sim.tasks[task,]:
                self.http("GET", task, self._final)
                self.http("GET", f"{task}/results", self._final_table)
        self.sim.kernel.run(self.sim.kernel.now + API_MS + 1_000)

    def _final(self, status: int | None, answer: Any) -> None:
        if status != 200 or (answer["percent"] != 100 and answer["totalCount"] is not None):
            self.sim.invariants.violate("I7", f"at the end {status}: {answer}")
        else:
            self.sim.invariants.shown(self, answer)

    def http(
        self, method: str, path: str, answered: Any, body: Any = None, headers: Any = None, at: str = TASKS
    ) -> None:
        """One request. The path begins with the caller's project, which is no part of the URL but of the token."""
        event = copy.deepcopy(EVENT)
        project, _, rest = path.partition("/")
        rest, _, query = rest.partition("?")
        event["queryStringParameters"] = dict(parse_qsl(query))
        event["rawPath"] = event["requestContext"]["http"]["path"] = f"{at}/{rest}".rstrip("/")
        event["requestContext"]["http"]["method"] = method
        event["requestContext"]["authorizer"]["jwt"]["claims"]["cognito:groups"] = f"[{project}]"
        event["headers"] = {"content-type": "application/json", **(headers or {})}
        event["body"] = json.dumps(body) if body is not None else None

        def ended(_sandbox: Any, outcome: str, result: Any) -> None:
            self.busy -= 1
            answered(
                *((result["statusCode"], json.loads(result["body"] or "null")) if outcome == "ok" else (None, None))
            )

        self.busy += 1
        self.sim.invoke("api", event, API_MS, ended)


class _Clock:
    """What the model needs to know of whoever puts papers into the library beforehand."""

    def __init__(self, kernel: Any) -> None:
        self.kernel = kernel


def _sha256(content: bytes) -> str:
    import hashlib  # noqa: PLC0415

    return hashlib.sha256(content).hexdigest()
