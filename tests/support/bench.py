"""The whole system in one process: the real handlers on moto's AWS, with a clock, a queue pump and faults of our own.

Time stands still unless it is moved. Every AWS call passes `Calls`, where it can be counted, cut or have its reply
lost. The pump does what an event source mapping does: one record a batch, deleted unless reported as failed, seen
again when its visibility is over.
"""

import copy
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import quote_plus

import botocore.client
import pytest
from moto import mock_aws

import aggregator
import api
import intake
import janitor
import notice
import probe
import worker
from sheaf import settings
from sheaf.aggregator.gather_task import GATHER
from sheaf.items import Row
from sheaf.outside import wiring
from sheaf.outside.wiring import World
from sheaf.protocol import row_messages
from sheaf.protocol.lifecycle import CLOSED
from sheaf.protocol.scatter import SCATTER
from tests.support import kinds, quick_moto, stack_file
from tests.support.calls import Calls, Killed, send
from tests.support.clients import client
from tests.support.clock import T0, Clock, Context
from tests.support.queues import EVENTS, Held, Queues
from tests.support.receivers import Receivers
from tests.support.shelf import shelve
from tests.support.tables import PROJECT, Tables

__all__ = ["EVENTS", "PROJECT", "T0", "TASKS", "Bench", "Calls", "Context", "Held", "Killed", "stack"]

TASKS = "/asl/extraction/tasks"


class Bench(Queues, Tables):
    """One deployed stack."""

    def __init__(self, stack_template: dict[str, Any]) -> None:
        self.made = stack_file.made_on_moto(stack_template)
        # One, so that a run of the aggregator is all there is; tests of several give the API another number.
        self.made.values["Sweepers"] = 1
        Queues.__init__(self, Clock())
        Tables.__init__(self, Calls(self._answer))
        self.chance = 0.5
        self.nudges: list[dict[str, Any]] = []
        self.parts: list[dict[str, Any]] = []
        self.notices: list[dict[str, Any]] = []
        self.tolerated: tuple[type[Exception], ...] = ()
        self.raised: list[Exception] = []
        self.dead_letters: list[str] = []
        self.receivers = Receivers()
        self.tokens = self.papers = 0
        self.worlds: dict[str, World[Any]] = {}
        for function, cls in (
            ("ApiFunction", settings.ApiSettings),
            ("AggregatorFunction", settings.AggregatorSettings),
            ("JanitorFunction", settings.JanitorSettings),
            ("IntakeFunction", settings.IntakeSettings),
            ("NoticeFunction", settings.NoticeSettings),
        ):
            self.worlds[function] = wiring.worlds[cls] = self.world(settings.read(cls, self.made.environment(function)))
        self.kinds = self.api_world.settings.kinds
        self.intake_queue = self.api_world.settings.intake_queue
        self.notice_queue = self.api_world.settings.notice_queue

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
            resolve=self.receivers.resolve,
            ask_at=self.receivers.at,
        )

    def _token(self) -> str:
        self.tokens += 1
        return f"token-{self.tokens}"

    def _answer(self, client: Any, operation: str, arguments: dict[str, Any]) -> Any:
        """AWS: moto's, but for what the pump knows better and for asynchronous invokes, which a test delivers."""
        match operation:
            case "ChangeMessageVisibility":
                self.hide(arguments["QueueUrl"], arguments["ReceiptHandle"], arguments["VisibilityTimeout"])
                return {}
            case "GetQueueAttributes":
                return self.look_at(arguments["QueueUrl"], arguments["AttributeNames"])
            case "GetEventSourceMapping":
                return {"State": self.mapping_state, "ScalingConfig": {"MaximumConcurrency": 2}}
            case "SendMessageBatch":
                reply = send(client, operation, arguments)
                self.enqueue(arguments, {entry["Id"] for entry in reply.get("Successful", [])})
                quick_moto.forget_messages()
                return reply
            case "Invoke":
                event = json.loads(arguments["Payload"])
                (self.parts if event["source"] in {GATHER, SCATTER} else self.nudges).append(event)
                return {"StatusCode": 202}
            case "PutEvents":
                self.notices += [json.loads(entry["Detail"]) for entry in arguments["Entries"]]
        return send(client, operation, arguments)

    @property
    def api_world(self) -> World[Any]:
        return self.worlds["ApiFunction"]

    @property
    def sweep_world(self) -> World[Any]:
        return self.worlds["AggregatorFunction"]

    def worker_world(self, kind: str = "extract_paper") -> World[Any]:
        function = f"{kinds.names(kind)[0]}Function"
        if function not in self.worlds:
            values = settings.read(settings.WorkerSettings, self.made.environment(function))
            self.worlds[function] = self.world(values)
        return self.worlds[function]

    def number(self, kind: str, name: str) -> int:
        """One of the template's numbers of a kind: TimeoutSeconds, VisibilitySeconds."""
        return int(self.made.values[f"{kinds.names(kind)[0]}{name}"])

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

    def paper(
        self,
        text: str | bytes,
        name: str = "paper.txt",
        project: str = PROJECT,
        *,
        read: bytes | None = None,
        knowledge_base: str = "kb",
    ) -> str:
        """A document in the library, read already; `read` is what was read of it, if that is to be said."""
        content = text if isinstance(text, bytes) else text.encode()
        place = {"table": "LibraryTable", "bucket": "databucket", "project": project, "knowledge_base": knowledge_base}
        with self.calls.unwatched():
            return shelve(client, **place, filename=name, content=content, text=read, now=self.clock.now)

    def probe(self, *acts: str, sleep_ms: int = 0, large: int = 0) -> str:
        """A document that makes the probe play these acts, one an attempt, the last one from then on.

        What it answers is so many bytes large, however it is packed.
        """
        self.papers += 1
        echo = Random(large).randbytes(large).hex() if large else self.papers
        script = {"acts": acts or ["ok"], "sleep_ms": sleep_ms, "echo": echo}
        return self.paper(json.dumps(script), f"{self.papers}.json", read=json.dumps(script).encode())

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
            self.dead_letters.append(record["body"])
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

    def hand(self, row: Row, kind: str = "probe") -> int | None:
        """Give the worker one more message of this row. The seconds it was hidden for; None when acknowledged."""
        held = self.message(row_messages.encode(row), kind)
        self.invoke_worker(held)
        if held.record["messageId"] not in self.held:
            return None
        return (held.visible_at - self.clock.now) // 1000

    def arrive(self, key: str, content: bytes, *, told: bool = True) -> str:
        """A file comes to the bucket, and S3 tells of it. Gives its version."""
        with self.calls.unwatched():
            version = str(client("s3").put_object(Bucket="databucket", Key=key, Body=content)["VersionId"])
        if told:
            event = copy.deepcopy(EVENTS["intake-upload"]["Records"][0])
            notice = json.loads(event["body"])
            notice["Records"][0]["s3"]["object"] |= {"key": quote_plus(key, safe="/"), "versionId": version}
            self.message(json.dumps(notice), "clean_sheet" if key.startswith("tasks/") else "intake")
        return version

    def take_in(self, limit: int = 1000) -> int:
        """Hand every visible message to the intake, one a batch, once, and then what S3's were sent on as.

        Gives how many there were.
        """
        due = self._for_intake()
        for held in due[:limit]:
            self.invoke_intake(held)
        known = {held.record["messageId"] for held in due}
        for held in [held for held in self._for_intake() if held.record["messageId"] not in known][:limit]:
            self.invoke_intake(held)
        return len(due)

    def _for_intake(self) -> list[Held]:
        return [held for held in self.held.values() if held.kind == "intake" and held.visible_at <= self.clock.now]

    def invoke_intake(self, held: Held) -> None:
        """What the mapping does with one message of the intake."""
        record, identifier = held.record, held.record["messageId"]
        record["attributes"]["ApproximateReceiveCount"] = str(held.receives + 1)
        held.visible_at = self.clock.now + int(self.made.values["IntakeVisibilitySeconds"]) * 1000
        try:
            reply = intake.lambda_handler(
                {"Records": [record]}, self.context(int(self.made.values["IntakeTimeoutSeconds"]))
            )
        except Killed:
            self.calls.dead = False
        except self.tolerated as error:
            self.raised.append(error)
        else:
            if not reply["batchItemFailures"]:
                self.held.pop(identifier, None)

    def tell(self) -> list[str]:
        """Hand every visible notice to its function, one a batch, once; gives the bodies of those that stay."""
        for held in [
            each for each in self.held.values() if each.kind == "notice" and each.visible_at <= self.clock.now
        ]:
            held.record["attributes"]["ApproximateReceiveCount"] = str(held.receives + 1)
            held.visible_at = self.clock.now + int(self.made.values["NoticeVisibilitySeconds"]) * 1000
            try:
                reply = notice.lambda_handler({"Records": [held.record]}, self.context(60))
            except Killed:
                self.calls.dead = False
            else:
                if not reply["batchItemFailures"]:
                    del self.held[held.record["messageId"]]
        return self.queued("notice")

    def sweep(self, task: str | None = None, *, seconds: float = 95, parts: int | None = None) -> str:
        """One run of the aggregator, of at most so many seconds, and the parts that it asks for; the others are lost."""
        event = EVENTS["aggregator-nudge"] | {"task": task} if task else EVENTS["aggregator-schedule"]
        ended = aggregator.lambda_handler(event, self.context(seconds))["ended"]
        self.scatter(parts)
        return str(ended)

    def scatter(self, limit: int | None = None) -> None:
        """What the aggregator was asked for by itself: a part of a scatter each, or a whole gathering."""
        asked, self.parts = self.parts[:limit], []
        for event in asked:
            aggregator.lambda_handler(event, self.context(600))
        if limit is None and self.parts:
            self.scatter()

    def sweep_once(self, *, parts: int | None = None) -> None:
        """One pass over every task; takes half a virtual second, or none where nothing is left to do."""
        self.sweep(seconds=15.5, parts=parts)

    def tidy(self) -> int:
        return int(janitor.lambda_handler(EVENTS["janitor-schedule"], self.context(900))["deleted"])

    def context(self, seconds: float) -> Context:
        return Context(self.clock, self.clock.now + int(seconds * 1000))

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


@contextmanager
def stack(log: Path, made_of: dict[str, Any] | None = None) -> Iterator[Bench]:
    """The real template's stack with the probe laid over it, unless another is given, and nothing in it; the probe's calls go to this file."""
    with mock_aws(), pytest.MonkeyPatch.context() as patch:
        made = Bench(made_of or stack_file.probed())
        patch.setattr(botocore.client.BaseClient, "_make_api_call", _passing(made))
        patch.setattr(probe, "sleep", made.clock.sleep)
        patch.setenv("PROBE_LOG", str(log))
        log.unlink(missing_ok=True)
        yield made
        wiring.worlds.clear()


def _passing(made: Bench) -> Any:
    """A function, because a method of the class must bind to its client."""

    def make_api_call(client: Any, operation: str, arguments: dict[str, Any]) -> Any:
        return made.calls(client, operation, arguments)

    return make_api_call
