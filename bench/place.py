"""Where the deployed measures are taken: the whole template with the probe, on an emulator of its own, with 11,200 documents.

Made at the first measure that needs it and removed at the end. Its port, its state and its code are nobody else's.
"""

import http.client
import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

from botocore.config import Config

from local import stack
from local.aws import session
from local.ministack import emulator
from sheaf.items import Row, Task, shard_key
from sheaf_client import profiles
from tests.support import kinds, stack_file, staging
from tests.support.shelf import a_document, usable

T = TypeVar("T")

ROOT = Path(__file__).resolve().parents[1]
PORT = 4731
TASKS = "/asl/extraction/tasks"
CLOSED = {"completed", "cancelled", "failed"}
LIBRARY = {0: 10_000, 50: 1_000, 1_000: 200}
"""Documents by the milliseconds that the probe sleeps over each."""
FROZEN = "texts/{project}/bench/{sleep}.json"
PATIENT = Config(proxies={}, retries={"total_max_attempts": 3}, max_pool_connections=32, read_timeout=60)
BATCH_WRITE = 25
KEEP_ALIVE_SECONDS = 20
"""The emulator hangs up on a connection that was quiet for longer."""


@dataclass(frozen=True)
class Frozen:
    """The one object that all documents of a sleep share."""

    key: str
    version: str


class Place:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.probe_log = folder / "probe.log"
        self.clients: dict[str, Any] = {}
        self.line: http.client.HTTPConnection | None = None
        self.line_at = 0.0
        sources = folder / "sources"
        sources.mkdir()
        emulator.start(folder / "home", port=PORT, say=_quiet)
        given = {"ProbeLog": str(self.probe_log), "ProbeConcurrency": "10"}
        self.stack = stack.deploy(
            template=_stage(sources), folder=folder / "home", parameters=given, name="bench", say=_quiet
        )
        self.places = json.loads((folder / "home" / "local.json").read_text())
        self.project = self.places["projectId"]
        self.token, self.token_at = profiles.token(self.places), time.monotonic()
        self.objects = {sleep: self._object(sleep) for sleep in LIBRARY}
        for sleep, count in LIBRARY.items():
            self._fill(sleep, count)

    # ------------------------------------------------------------------ AWS

    def client(self, service: str) -> Any:
        """As the account's owner, straight to the emulator."""
        if service not in self.clients:
            address = self.stack.emulator.endpoint
            self.clients[service] = session().client(service, endpoint_url=address, config=PATIENT)  # type: ignore[call-overload]
        return self.clients[service]

    def name(self, logical: str) -> str:
        return self.stack.resources[logical]

    @property
    def bucket(self) -> str:
        return self.stack.outputs["DataBucket"]

    def _object(self, sleep: int) -> Frozen:
        key = FROZEN.format(project=self.project, sleep=sleep)
        put = self.client("s3").put_object(Bucket=self.bucket, Key=key, Body=json.dumps({"sleep_ms": sleep}).encode())
        return Frozen(key, put["VersionId"])

    def _fill(self, sleep: int, count: int) -> None:
        """Entries of the library, many at a time and all over one object: filling it is not what is measured."""
        frozen = self.objects[sleep]
        entries = [
            a_document(
                self.project,
                "bench",
                document,
                created_at=time.time_ns() // 1_000_000,
                usable=usable(f"{document}.json", frozen.key, frozen.version),
            ).serialize()
            for document in self.documents(count, sleep=sleep)
        ]
        for at in range(0, count, BATCH_WRITE):
            puts = [{"PutRequest": {"Item": entry}} for entry in entries[at : at + BATCH_WRITE]]
            left = self.client("dynamodb").batch_write_item(RequestItems={self.name("LibraryTable"): puts})
            assert not left.get("UnprocessedItems"), "the library was not filled"

    def documents(self, count: int, *, sleep: int = 0) -> list[str]:
        """Ids of documents over which the probe sleeps so many milliseconds."""
        assert count <= LIBRARY[sleep], "the library is smaller than that"
        return [f"d{sleep:04d}{number:015d}" for number in range(count)]

    @contextmanager
    def recorded(self, logical: str) -> Iterator["Recording"]:
        """Every AWS request of one function, through a proxy of ours, which slows it down a little."""
        path = self.folder / f"{logical}-{time.time_ns()}.jsonl"
        command = [sys.executable, "-m", "bench.recorder", str(self.stack.emulator.port), str(path)]
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as proxy:
            assert proxy.stdout
            port = int(proxy.stdout.readline())
            self._point(logical, f"http://127.0.0.1:{port}")
            try:
                yield Recording(path)
            finally:
                self._point(logical, None)
                proxy.terminate()

    def _point(self, logical: str, address: str | None) -> None:
        name = self.name(logical)
        functions = self.client("lambda")
        given = functions.get_function_configuration(FunctionName=name)["Environment"]["Variables"]
        given.pop("AWS_ENDPOINT_URL", None)
        if address:
            given["AWS_ENDPOINT_URL"] = address
        functions.update_function_configuration(FunctionName=name, Environment={"Variables": given})

    def listen(self, function: str, *, enabled: bool) -> None:
        """Let a function take messages from its queue, or not."""
        functions = self.client("lambda")
        for mapping in functions.list_event_source_mappings(FunctionName=self.name(function))["EventSourceMappings"]:
            functions.update_event_source_mapping(UUID=mapping["UUID"], Enabled=enabled)
        if not enabled:
            time.sleep(0.3)  # what the poller has taken already

    # ------------------------------------------------------------------ HTTP

    def ask(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        """One request on a connection that stays open."""
        if time.monotonic() - self.token_at > 300:  # noqa: PLR2004 - tokens are good for 15 minutes
            self.token, self.token_at = profiles.token(self.places), time.monotonic()
        if self.line is None or time.monotonic() - self.line_at > KEEP_ALIVE_SECONDS:
            self.line = http.client.HTTPConnection("127.0.0.1", self.stack.emulator.port, timeout=60)
        self.line_at = time.monotonic()
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        content = None if body is None else json.dumps(body).encode()
        try:
            self.line.request(method, urlsplit(self.stack.api).path + path, content, headers)
            answer = self.line.getresponse()
            return answer.status, json.loads(answer.read() or b"null")
        except (http.client.HTTPException, OSError):
            self.line = None
            raise

    def post(self, documents: Sequence[str]) -> str:
        """A new task over these documents; its id."""
        status, task = self.ask("POST", TASKS, {"templateId": "rct", "documentIds": list(documents), "kind": "probe"})
        assert status == 202, task  # noqa: PLR2004 - HTTP's own number
        return str(task["taskId"])

    def closed(self, task_id: str, *, within: float = 120, every: float = 0.5) -> Task:
        """The task's item, once it has closed; looked at directly, so that waiting costs the functions little."""
        deadline = time.monotonic() + within
        while (task := self.task(task_id)).status not in CLOSED:
            assert time.monotonic() < deadline, f"still open after {within} s: {task.serialize()}"
            time.sleep(every)
        return task

    def wait_for(self, found: Callable[[], T | None], *, within: float = 120, every: float = 0.5) -> T:
        deadline = time.monotonic() + within
        while (result := found()) is None:
            assert time.monotonic() < deadline, f"not within {within} s"
            time.sleep(every)
        return result

    # ------------------------------------------------------------------ what is stored

    def task(self, task_id: str) -> Task:
        key = {"task": {"S": f"{self.project}/{task_id}"}}
        found = self.client("dynamodb").get_item(TableName=self.name("TasksTable"), Key=key, ConsistentRead=True)
        return Task.from_raw_data(found["Item"])

    def raw_task(self, task_id: str) -> dict[str, Any]:
        key = {"task": {"S": f"{self.project}/{task_id}"}}
        found = self.client("dynamodb").get_item(TableName=self.name("TasksTable"), Key=key, ConsistentRead=True)
        return dict(found["Item"])

    def rows(self, task: Task) -> list[Row]:
        shards = range(-(-task.total // task.shard_rows))
        return [Row.from_raw_data(item) for shard in shards for item in self.items(shard_key(task.task, shard))]

    def items(self, shard: str, table: str = "ResultsTable") -> list[dict[str, Any]]:
        pages = (
            self.client("dynamodb")
            .get_paginator("query")
            .paginate(
                TableName=self.name(table),
                KeyConditionExpression="#s = :s",
                ExpressionAttributeNames={"#s": "shard"},
                ExpressionAttributeValues={":s": {"S": shard}},
                ConsistentRead=True,
            )
        )
        return [item for page in pages for item in page["Items"]]

    def probe_calls(self, task_id: str) -> list[int]:
        """Rows of this task that the probe worked on, one entry a call."""
        lines = self.probe_log.read_text().splitlines() if self.probe_log.exists() else []
        return [json.loads(line)["row"] for line in lines if f"/{task_id}" in line]

    def warm_up(self) -> None:
        """Every function has run, and ten workers are up."""
        self.closed(self.post(self.documents(200)))


@dataclass(frozen=True)
class Recording:
    """The requests that one function made while this was open."""

    path: Path

    def lines(self) -> Iterator[dict[str, Any]]:
        with self.path.open() as file:
            for line in file:
                yield json.loads(line)

    def operations(self, since: float = 0) -> list[str]:
        return [f"{line['service']}.{line['operation']}" for line in self.lines() if line["at"] >= since]


def _stage(folder: Path) -> Path:
    """The probed template with the bare worker beside it."""
    staged = staging.stage(folder, "probe")
    (folder / "functions" / "bare").mkdir()
    shutil.copy2(ROOT / "bench" / "bare.py", folder / "functions" / "bare" / "bare.py")
    overlay = stack_file.load(ROOT / "bench" / "overlay.yaml")
    staged.write_text(stack_file.dump(kinds.merged(json.loads(staged.read_text()), overlay)))
    return staged


def _quiet(_line: str) -> None:
    """What the deployment says is not what is measured."""


folders: list[Path] = []


@cache
def place() -> Place:
    """The one stack of this run, up and warm."""
    folders.append(Path(tempfile.mkdtemp(prefix="sheaf-bench-")))
    found = Place(folders[-1])
    found.warm_up()
    return found


def remove_all() -> None:
    """Stop the emulator and delete what it kept, also where the stack was never finished."""
    while folders:
        folder = folders.pop()
        emulator.stop(folder / "home", seconds=60)
        shutil.rmtree(folder)
