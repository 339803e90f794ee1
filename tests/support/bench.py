"""The whole system in one process: the real handlers on moto's AWS, with a clock, a queue pump and faults of our own.

Time stands still unless it is moved. Every AWS call passes `Calls`, where it can be counted, cut or have its reply
lost. The pump does what an event source mapping does: one record a batch, deleted unless reported as failed, seen
again when its visibility is over.
"""

import copy
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import boto3
import botocore.client

import aggregator
import api
import dead_letter
import janitor
import worker
from sheaf import settings, wiring
from sheaf.lifecycle import CLOSED
from sheaf.models import Row, Task, task_key
from sheaf.wiring import World
from tests.support.template import ROOT, Made

EVENTS = {path.stem: json.loads(path.read_text()) for path in (ROOT / "events").glob("*.json")}
T0 = 1_800_000_000_000
PROJECT = "p1"
_send = botocore.client.BaseClient._make_api_call


class Killed(BaseException):
    """The process died here. No `except Exception` of the product can see it, and nothing it does afterwards counts."""


@dataclass
class Calls:
    """Every AWS call of the process under test, in order, and what is to go wrong with them."""

    made: list[tuple[str, str, dict[str, Any]]] = field(default_factory=list)
    watching: bool = False
    dead: bool = False
    cut_before: int | None = None
    cut_after: int | None = None
    lose_reply_of: int | None = None
    on_call: Callable[[int, str, dict[str, Any]], None] | None = None

    def __call__(self, client: Any, operation: str, arguments: dict[str, Any]) -> Any:
        if not self.watching:
            return _send(client, operation, arguments)
        if self.dead:
            raise Killed
        number = len(self.made)
        self.made.append((client.meta.service_model.service_name, operation, arguments))
        if self.on_call:
            self.watching = False
            try:
                self.on_call(number, operation, arguments)
            finally:
                self.watching = True
        if number == self.cut_before:
            self.dead = True
            raise Killed
        reply = _send(client, operation, arguments)
        if number == self.cut_after:
            self.dead = True
            raise Killed
        if number == self.lose_reply_of:
            # What the SDK does when a reply is lost: the same call once more.
            return _send(client, operation, arguments)
        return reply

    @contextmanager
    def watch(self) -> Iterator["Calls"]:
        self.made.clear()
        self.watching, self.dead = True, False
        try:
            yield self
        finally:
            self.watching = self.dead = False
            self.cut_before = self.cut_after = self.lose_reply_of = self.on_call = None


@dataclass
class Clock:
    now: int = T0

    def sleep(self, seconds: float) -> None:
        self.now += int(seconds * 1000)


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
    visible_at: int


class Bench:
    """One deployed stack."""

    def __init__(self, template: dict[str, Any]) -> None:
        self.made = Made(template)
        self.clock = Clock()
        self.calls = Calls()
        self.held: dict[str, Held] = {}
        self.nudges: list[dict[str, Any]] = []
        self.events: list[dict[str, Any]] = []
        self.tokens = 0
        self.worlds: dict[str, World[Any]] = {}
        for function, cls in (
            ("ApiFunction", settings.ApiSettings), ("AggregatorFunction", settings.AggregatorSettings),
            ("DeadLetterFunction", settings.DeadLetterSettings), ("JanitorFunction", settings.JanitorSettings),
        ):  # fmt: skip
            self.worlds[function] = wiring.worlds[cls] = self.world(settings.read(cls, self.made.environment(function)))

    # ------------------------------------------------------------------ wiring

    def world(self, values: Any) -> World[Any]:
        return World(
            settings=values, now=lambda: self.clock.now, sleep=self.clock.sleep, token=self._token,
            chance=lambda: 0.5, client=self._client, parallel=lambda work, items: [work(item) for item in items],
            time_limit=_no_limit,
        )  # fmt: skip

    def _token(self) -> str:
        self.tokens += 1
        return f"token-{self.tokens}"

    def _client(self, service: str) -> Any:
        if service == "lambda":
            return _Nudged(self)
        return boto3.client(service)

    @property
    def api_world(self) -> World[Any]:
        return self.worlds["ApiFunction"]

    @property
    def sweep_world(self) -> World[Any]:
        return self.worlds["AggregatorFunction"]

    def worker_world(self, kind: str = "extract_paper") -> World[Any]:
        function = "".join(part.title() for part in kind.split("_")) + "Function"
        if function not in self.worlds:
            values = settings.read(settings.WorkerSettings, self.made.environment(function))
            self.worlds[function] = self.world(values)
        return self.worlds[function]

    # ------------------------------------------------------------------ what users and AWS do

    def http(self, method: str, path: str, body: Any = None, *, project: str = PROJECT, headers: Any = None) -> tuple[int, Any]:
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
        self.last_headers = {**reply.get("headers", {}), **{k: v[0] for k, v in reply.get("multiValueHeaders", {}).items()}}
        return reply["statusCode"], json.loads(reply["body"])

    def open(self, documents: list[str], *, kind: str = "extract_paper", key: str | None = None) -> str:
        body = {"templateId": "rct", "documentIds": documents, "kind": kind}
        status, task = self.http("POST", "/asl/extraction/tasks", body, headers={"idempotency-key": key} if key else None)
        assert status in (200, 202), task
        return str(task["taskId"])

    def deliver(self, kind: str = "extract_paper", limit: int = 1000) -> int:
        """Hand every visible message to the worker, one a batch, once. Gives how many there were."""
        self._receive(kind)
        wiring.worlds[settings.WorkerSettings] = self.worker_world(kind)
        timeout = int(self.made.values["".join(p.title() for p in kind.split("_")) + "TimeoutSeconds"])
        due = [held for held in self.held.values() if held.visible_at <= self.clock.now][:limit]
        for held in due:
            self._invoke_worker(held, kind, timeout)
        return len(due)

    def _invoke_worker(self, held: Held, kind: str, timeout: int) -> None:
        record = held.record
        record["attributes"]["ApproximateReceiveCount"] = str(int(record["attributes"]["ApproximateReceiveCount"]) + 1)
        visibility = int(self.made.values["".join(p.title() for p in kind.split("_")) + "VisibilitySeconds"])
        held.visible_at = self.clock.now + visibility * 1000
        try:
            reply = worker.lambda_handler({"Records": [record]}, self.context(timeout))
        except Killed:
            return
        if record["messageId"] not in {failure["itemIdentifier"] for failure in reply["batchItemFailures"]}:
            self.held.pop(record["messageId"], None)

    def _receive(self, kind: str) -> None:
        client, queue = boto3.client("sqs"), self.api_world.settings.kinds[kind].queue
        while found := client.receive_message(QueueUrl=queue, MaxNumberOfMessages=10, VisibilityTimeout=43200).get("Messages"):
            for message in found:
                record = copy.deepcopy(EVENTS["worker-message"]["Records"][0])
                record |= {"messageId": message["MessageId"], "receiptHandle": message["ReceiptHandle"], "body": message["Body"]}
                record["attributes"]["ApproximateReceiveCount"] = "0"
                self.held[message["MessageId"]] = Held(record, self.clock.now)
                client.delete_message(QueueUrl=queue, ReceiptHandle=message["ReceiptHandle"])

    def hide(self, receipt: str, seconds: int) -> None:
        for held in self.held.values():
            if held.record["receiptHandle"] == receipt:
                held.visible_at = self.clock.now + seconds * 1000

    def sweep(self, task: str | None = None, *, seconds: int = 95) -> str:
        """One run of the aggregator, of at most so many seconds."""
        event = EVENTS["aggregator-nudge"] | {"task": task} if task else EVENTS["aggregator-schedule"]
        return str(aggregator.lambda_handler(event, self.context(seconds))["ended"])

    def sweep_once(self) -> None:
        """One pass over every task."""
        self.sweep(seconds=15)

    def dead(self, body: str, receives: int = 100) -> Any:
        event = copy.deepcopy(EVENTS["dead-letter"])
        event["Records"][0]["body"] = body
        event["Records"][0]["attributes"]["ApproximateReceiveCount"] = str(receives)
        return dead_letter.lambda_handler(event, self.context(30))

    def tidy(self) -> int:
        return janitor.lambda_handler(EVENTS["janitor-schedule"], self.context(900))["deleted"]

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
        raise AssertionError(f"still open: {[(t.task, t.status) for t in self.tasks()]}, {[r.status for r in self.all_rows()]}")

    # ------------------------------------------------------------------ what is stored

    def task(self, task_id: str, project: str = PROJECT) -> Task:
        item = boto3.client("dynamodb").get_item(TableName="TasksTable", Key={"task": {"S": task_key(project, task_id)}})["Item"]
        return Task.from_raw_data(item)

    def tasks(self) -> list[Task]:
        return [Task.from_raw_data(item) for item in _scan("TasksTable")]

    def all_rows(self) -> list[Row]:
        return sorted((Row.from_raw_data(item) for item in _scan("ResultsTable")), key=lambda row: (row.shard, row.row))

    def rows(self, task_id: str, project: str = PROJECT) -> list[Row]:
        return [row for row in self.all_rows() if row.task == task_key(project, task_id)]

    def raw(self) -> dict[str, list[dict[str, Any]]]:
        """Every item of every table, to compare before and after."""
        return {name: sorted(_scan(name), key=json.dumps) for name in ("TasksTable", "ResultsTable", "GatesTable")}


def _scan(table: str) -> list[dict[str, Any]]:
    pages = boto3.client("dynamodb").get_paginator("scan").paginate(TableName=table)
    return [item for page in pages for item in page["Items"]]


@contextmanager
def _no_limit(_seconds: float) -> Iterator[None]:
    yield


class _Nudged:
    """An asynchronous invoke of the aggregator, kept instead of made: a test decides when it arrives."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench

    def invoke(self, **arguments: Any) -> dict[str, Any]:
        self.bench.nudges.append(json.loads(arguments["Payload"]))
        return {"StatusCode": 202}
