"""The whole system in one process: the real handlers on moto's AWS, with a clock, a queue pump and faults of our own.

Time stands still unless it is moved. Every AWS call passes `Calls`, where it can be counted, cut or have its reply
lost. The pump does what an event source mapping does: one record a batch, deleted unless reported as failed, seen
again when its visibility is over.
"""

import copy
import json
import os
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import botocore.client
import pytest
from moto import mock_aws

import aggregator
import api
import dead_letter
import janitor
import probe
import worker
from sheaf import library, messages, settings, wiring
from sheaf.errors import OutOfTime
from sheaf.lifecycle import CLOSED
from sheaf.models import Gate, Row, Task, task_key
from sheaf.wiring import World
from tests.support import template
from tests.support.calls import Calls, Killed, send
from tests.support.clients import client
from tests.support.template import ROOT, Made

__all__ = ["EVENTS", "PROJECT", "T0", "Bench", "Calls", "Killed", "stack"]

EVENTS = {path.stem: json.loads(path.read_text()) for path in (ROOT / "events").glob("*.json")}
T0 = 1_800_000_000_000
PROJECT = "p1"
TASKS = "/asl/extraction/tasks"
Raw = dict[str, list[dict[str, Any]]]


@dataclass
class Clock:
    """Stands still until somebody sleeps; interrupts whoever sleeps past a time limit, as the real alarm does."""

    now: int = T0
    limits: list[int] = field(default_factory=list)

    def sleep(self, seconds: float) -> None:
        self.now += int(seconds * 1000)
        if self.limits and self.now >= self.limits[-1]:
            self.now = self.limits[-1]
            raise OutOfTime("Stopped by itself shortly before the function's time limit.")

    @contextmanager
    def limit(self, seconds: float) -> Iterator[None]:
        self.limits.append(self.now + int(seconds * 1000))
        try:
            yield
        finally:
            self.limits.pop()


@dataclass
class Context:
    """What Lambda gives a handler beside the event."""

    bench: "Bench"
    ends_at: int
    aws_request_id: str = "request"
    function_name: str = "function"
    memory_limit_in_mb: int = 256
    invoked_function_arn: str = "arn:aws:lambda:us-east-1:123456789012:function:sheaf"

    def get_remaining_time_in_millis(self) -> int:
        return max(0, self.ends_at - self.bench.clock.now)


@dataclass
class Held:
    """A message that the pump has received and not yet deleted."""

    record: dict[str, Any]
    kind: str
    visible_at: int

    @property
    def receives(self) -> int:
        return int(self.record["attributes"]["ApproximateReceiveCount"])


class Bench:
    """One deployed stack."""

    def __init__(self, stack_template: dict[str, Any]) -> None:
        self.made = Made(stack_template)
        self.clock = Clock()
        self.calls = Calls(self._answer)
        self.chance = 0.5
        self.held: dict[str, Held] = {}
        self.nudges: list[dict[str, Any]] = []
        self.notices: list[dict[str, Any]] = []
        self.queue_says_empty = False
        self.tolerated: tuple[type[Exception], ...] = ()
        self.raised: list[Exception] = []
        self.tokens = self.papers = 0
        self.worlds: dict[str, World[Any]] = {}
        for function, cls in (
            ("ApiFunction", settings.ApiSettings),
            ("AggregatorFunction", settings.AggregatorSettings),
            ("DeadLetterFunction", settings.DeadLetterSettings),
            ("JanitorFunction", settings.JanitorSettings),
        ):
            self.worlds[function] = wiring.worlds[cls] = self.world(settings.read(cls, self.made.environment(function)))

    # ------------------------------------------------------------------ wiring

    def world(self, values: Any) -> World[Any]:
        return World(
            settings=values,
            now=lambda: self.clock.now,
            sleep=self.clock.sleep,
            token=self._token,
            chance=lambda: self.chance,
            client=client,
            parallel=lambda work, items: [work(item) for item in items],
            time_limit=self.clock.limit,
        )

    def _token(self) -> str:
        self.tokens += 1
        return f"token-{self.tokens}"

    def _answer(self, client: Any, operation: str, arguments: dict[str, Any]) -> Any:
        """AWS: moto's, but for what the pump knows better and for asynchronous invokes, which a test delivers."""
        match operation:
            case "ChangeMessageVisibility":
                self._hide(arguments["ReceiptHandle"], arguments["VisibilityTimeout"])
                return {}
            case "GetQueueAttributes":
                return self._look_at(arguments["QueueUrl"], arguments["AttributeNames"])
            case "SendMessageBatch":
                reply = send(client, operation, arguments)
                self._enqueue(arguments, {entry["Id"] for entry in reply.get("Successful", [])})
                return reply
            case "Invoke":
                self.nudges.append(json.loads(arguments["Payload"]))
                return {"StatusCode": 202}
            case "PutEvents":
                self.notices += [json.loads(entry["Detail"]) for entry in arguments["Entries"]]
        return send(client, operation, arguments)

    def _hide(self, receipt: str, seconds: int) -> None:
        for held in self.held.values():
            if held.record["receiptHandle"] == receipt:
                held.visible_at = self.clock.now + seconds * 1000

    def _enqueue(self, sent: dict[str, Any], taken: set[str]) -> None:
        kind = next(kind for kind in self.api_world.settings.kinds.values() if kind.queue == sent["QueueUrl"])
        for entry in sent["Entries"]:
            if entry["Id"] in taken:
                self.message(entry["MessageBody"], kind.name)

    def _look_at(self, queue: str, names: list[str]) -> dict[str, Any]:
        """The queue's own numbers, which are the pump's: all there is counts as in flight."""
        kinds = self.api_world.settings.kinds
        held = sum(kinds[held.kind].queue == queue for held in self.held.values())
        numbers = dict.fromkeys(names, "0") | {"ApproximateNumberOfMessagesNotVisible": str(held)}
        return {"Attributes": {} if self.queue_says_empty else {name: numbers[name] for name in names}}

    @property
    def api_world(self) -> World[Any]:
        return self.worlds["ApiFunction"]

    @property
    def sweep_world(self) -> World[Any]:
        return self.worlds["AggregatorFunction"]

    def worker_world(self, kind: str = "extract_paper") -> World[Any]:
        function = f"{_pascal(kind)}Function"
        if function not in self.worlds:
            values = settings.read(settings.WorkerSettings, self.made.environment(function))
            self.worlds[function] = self.world(values)
        return self.worlds[function]

    def number(self, kind: str, name: str) -> int:
        """One of the template's numbers of a kind: TimeoutSeconds, VisibilitySeconds."""
        return int(self.made.values[f"{_pascal(kind)}{name}"])

    # ------------------------------------------------------------------ what users do

    def http(
        self, method: str, path: str, body: Any = None, *, project: str = PROJECT, headers: Any = None
    ) -> tuple[int, Any]:
        route, _, query = path.partition("?")
        event = copy.deepcopy(EVENTS["api-create-task"])
        event["rawPath"] = event["requestContext"]["http"]["path"] = f"/api/v1{route}"
        event["requestContext"]["http"]["method"] = method
        event["requestContext"]["authorizer"]["jwt"]["claims"]["cognito:groups"] = f"[{project}]"
        event["rawQueryString"] = query
        event["queryStringParameters"] = dict(pair.split("=") for pair in query.split("&") if pair)
        event["headers"] = {"content-type": "application/json", **(headers or {})}
        event["body"] = json.dumps(body) if body is not None and not isinstance(body, str) else body
        reply = api.lambda_handler(event, self.context(29))
        many = {name: values[0] for name, values in reply.get("multiValueHeaders", {}).items()}
        self.last_headers = {**reply.get("headers", {}), **many}
        return reply["statusCode"], json.loads(reply["body"] or "null")

    def post(self, documents: list[str], *, key: str | None = None, **more: Any) -> tuple[int, Any]:
        """Ask for a task of probes; gives the status and the body."""
        body = {"templateId": "rct", "documentIds": documents, "kind": "probe", **more}
        return self.http("POST", TASKS, body, headers={"idempotency-key": key} if key else None)

    def open(self, documents: list[str], *, kind: str = "extract_paper", key: str | None = None) -> str:
        status, task = self.post(documents, key=key, kind=kind)
        assert status in (200, 202), task
        return str(task["taskId"])

    def paper(self, text: str | bytes, name: str = "paper.txt", project: str = PROJECT) -> str:
        """A document in the library."""
        content = text if isinstance(text, bytes) else text.encode()
        return library.add_document(
            self.api_world, project=project, knowledge_base="kb", filename=name, content=content
        )

    def probe(self, *acts: str, sleep_ms: int = 0) -> str:
        """A document that makes the probe play these acts, one an attempt, the last one from then on."""
        self.papers += 1
        script = {"acts": acts or ["ok"], "sleep_ms": sleep_ms, "echo": self.papers}
        return self.paper(json.dumps(script), f"{self.papers}.json")

    def probes(self, *acts: str, count: int = 1) -> str:
        """A task of so many documents that all play these acts."""
        return self.open([self.probe(*acts) for _ in range(count)], kind="probe")

    # ------------------------------------------------------------------ what AWS does

    def deliver(self, kind: str = "extract_paper", limit: int = 1000) -> int:
        """Hand every visible message to the worker, one a batch, once. Gives how many there were."""
        due = [held for held in self.held.values() if held.kind == kind and held.visible_at <= self.clock.now][:limit]
        for held in due:
            self.invoke_worker(held)
        return len(due)

    def invoke_worker(self, held: Held) -> None:
        """What the mapping does with one message, its dead-lettering included."""
        record, identifier = held.record, held.record["messageId"]
        if held.receives >= int(self.made.values["MaxReceives"]):
            del self.held[identifier]
            self.dead(record["body"], held.receives)
            return
        record["attributes"]["ApproximateReceiveCount"] = str(held.receives + 1)
        held.visible_at = self.clock.now + self.number(held.kind, "VisibilitySeconds") * 1000
        wiring.worlds[settings.WorkerSettings] = self.worker_world(held.kind)
        try:
            reply = worker.lambda_handler({"Records": [record]}, self.context(self.number(held.kind, "TimeoutSeconds")))
        except Killed:
            self.calls.dead = False
        except self.tolerated as error:
            self.raised.append(error)
        else:
            if identifier not in {failure["itemIdentifier"] for failure in reply["batchItemFailures"]}:
                self.held.pop(identifier, None)

    def message(self, body: str, kind: str = "probe") -> Held:
        """A message with this body, received a moment ago: nobody else has it."""
        self.papers += 1
        record = copy.deepcopy(EVENTS["worker-message"]["Records"][0])
        record |= {"messageId": f"m{self.papers}", "receiptHandle": f"r{self.papers}", "body": body}
        record["attributes"]["ApproximateReceiveCount"] = "0"
        self.held[record["messageId"]] = held = Held(record, kind, self.clock.now)
        return held

    def hand(self, row: Row, kind: str = "probe") -> int | None:
        """Give the worker one more message of this row. The seconds it was hidden for; None when acknowledged."""
        held = self.message(messages.encode(row), kind)
        self.invoke_worker(held)
        if held.record["messageId"] not in self.held:
            return None
        return (held.visible_at - self.clock.now) // 1000

    def lose_messages(self, kind: str = "probe") -> int:
        """Every message of this kind's queue vanishes."""
        lost = [identifier for identifier, held in self.held.items() if held.kind == kind]
        for identifier in lost:
            del self.held[identifier]
        return len(lost)

    def queued(self, kind: str = "probe") -> list[str]:
        """The bodies of all messages there are, seen or not."""
        return sorted(held.record["body"] for held in self.held.values() if held.kind == kind)

    def sweep(self, task: str | None = None, *, seconds: int = 95) -> str:
        """One run of the aggregator, of at most so many seconds."""
        event = EVENTS["aggregator-nudge"] | {"task": task} if task else EVENTS["aggregator-schedule"]
        return str(aggregator.lambda_handler(event, self.context(seconds))["ended"])

    def sweep_once(self) -> None:
        """One pass over every task; takes a virtual second."""
        self.sweep(seconds=16)

    def dead(self, body: str, receives: int = 100) -> Any:
        event = copy.deepcopy(EVENTS["dead-letter"])
        event["Records"][0]["body"] = body
        event["Records"][0]["attributes"]["ApproximateReceiveCount"] = str(receives)
        return dead_letter.lambda_handler(event, self.context(30))

    def tidy(self) -> int:
        return int(janitor.lambda_handler(EVENTS["janitor-schedule"], self.context(900))["deleted"])

    def context(self, seconds: int) -> Context:
        return Context(self, self.clock.now + seconds * 1000)

    def pass_time(self, *, seconds: float = 0, minutes: float = 0, hours: float = 0) -> None:
        self.clock.now += int((seconds + minutes * 60 + hours * 3600) * 1000)

    def settle(self, kind: str = "extract_paper", *, rounds: int = 200, step_seconds: float = 60) -> None:
        """Deliveries, sweeps and a minute's wait, until every task has closed. Raises AssertionError if they do not."""
        for _ in range(rounds):
            self.deliver(kind)
            self.sweep_once()
            if all(task.status in CLOSED for task in self.tasks()):
                return
            self.pass_time(seconds=step_seconds)
        stuck = [(t.task, t.status) for t in self.tasks()], [r.status for r in self.all_rows()]
        raise AssertionError(f"still open: {stuck}")

    # ------------------------------------------------------------------ what is stored

    def put(self, item: Row | Task | Gate) -> Any:
        """Lay an item down as it is: no product code, no condition."""
        table = {Row: "ResultsTable", Task: "TasksTable", Gate: "GatesTable"}[type(item)]
        with self.calls.unwatched():
            client("dynamodb").put_item(TableName=table, Item=item.serialize())
        return item

    def task(self, task_id: str, project: str = PROJECT) -> Task:
        return next(task for task in self.tasks() if task.task == task_key(project, task_id))

    def tasks(self) -> list[Task]:
        return [Task.from_raw_data(item) for item in self._scan("TasksTable") if "status" in item]

    def all_rows(self) -> list[Row]:
        rows = (Row.from_raw_data(item) for item in self._scan("ResultsTable"))
        return sorted(rows, key=lambda row: (row.shard, row.row))

    def get_row(self, shard: str, number: int = 0) -> Row | None:
        return next((row for row in self.all_rows() if (row.shard, row.row) == (shard, number)), None)

    def rows(self, task_id: str, project: str = PROJECT) -> list[Row]:
        return [row for row in self.all_rows() if row.task == task_key(project, task_id)]

    def row(self) -> Row:
        """The only row there is."""
        (row,) = self.all_rows()
        return row

    def statuses(self, task_id: str) -> list[str]:
        return [row.status for row in self.rows(task_id)]

    def gate(self, key: str) -> Gate | None:
        return next((Gate.from_raw_data(item) for item in self._scan("GatesTable") if item["gate"]["S"] == key), None)

    def raw(self) -> Raw:
        """Every item of every table, to compare before and after."""
        return {name: sorted(self._scan(name), key=json.dumps) for name in ("TasksTable", "ResultsTable", "GatesTable")}

    def runs(self) -> Counter[tuple[str, int]]:
        """How often the probe worked on each row of each task."""
        return Counter((call["task"].partition("/")[2], call["row"]) for call in self.probe_calls())

    def probe_calls(self) -> list[dict[str, Any]]:
        log = Path(os.environ["PROBE_LOG"])
        return [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []

    def _scan(self, table: str) -> list[dict[str, Any]]:
        with self.calls.unwatched():
            pages = client("dynamodb").get_paginator("scan").paginate(TableName=table)
            return [item for page in pages for item in page["Items"]]


def _pascal(kind: str) -> str:
    return "".join(part.title() for part in kind.split("_"))


@contextmanager
def stack(log: Path) -> Iterator[Bench]:
    """The real template's stack with the probe laid over it, and nothing in it; the probe's calls go to this file."""
    with mock_aws(), pytest.MonkeyPatch.context() as patch:
        made = Bench(template.probed())
        patch.setattr(botocore.client.BaseClient, "_make_api_call", _passing(made))
        patch.setattr(probe, "sleep", made.clock.sleep)
        patch.setenv("PROBE_LOG", str(log))
        log.unlink(missing_ok=True)
        yield made
        wiring.worlds.clear()


def _passing(made: Bench) -> Any:
    return lambda client, operation, arguments: made.calls(client, operation, arguments)
