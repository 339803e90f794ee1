"""What is deployed in a simulation: tables, queues, the bucket, settings and handlers, and looks at what is stored."""

import importlib
import json
import random
from dataclasses import fields, replace
from typing import Any

from clinical.export_table import orders
from clinical.papers import read_paper
from sheaf import logs, settings
from sheaf.aggregator import decide_row
from sheaf.api import forecast
from sheaf.engine_settings import Engines
from sheaf.janitor import task_objects
from sheaf.notices import deliver
from sheaf.outside import store
from sheaf.protocol import manifest, provider_gate, row_messages, scatter
from sheaf.settings import Kind, Kinds
from sheaf.worker import work_row
from tests.simulation import clients, parsing, provider, quick
from tests.simulation.dynamo import Dynamo, product_tables
from tests.simulation.faults import HOUR, MINUTE
from tests.simulation.items import val
from tests.simulation.mapping import Mapping
from tests.simulation.queues import Queue, Sqs
from tests.simulation.storage import S3, Bus, Invoker
from tests.simulation.telling import Log

QUEUES = {"probe": "queue", "count_words": "second-queue"}
"""Of each kind of work. The second is real: its own desk orders it, and its own work is done where nothing else is played."""
EXPORT, EXPORT_QUEUE = "export_table", "third-queue"
"""Real too, and ordered at a task of the first kind."""
NOTICES, RETRY_MS = "notices", 10 * MINUTE
"""The queue of notices, and the longest wait between two tries: so that all come before the world ends."""
DAY_MS = 24 * HOUR
PARKS_MS = PROBED_EVERY_MS = 2 * MINUTE
HIDDEN_ROWS = 2
LONGEST_MS, LONGEST_ASKED_MS = 4 * MINUTE, 8 * MINUTE
"""Closures of a provider's gate, of which there are several in one world."""
SETTINGS = {
    "api": settings.ApiSettings, "worker": settings.WorkerSettings, "aggregator": settings.AggregatorSettings,
    "janitor": settings.JanitorSettings,
    "intake": settings.IntakeSettings, "notice": settings.NoticeSettings,
}  # fmt: skip


class Deployed:
    """Mixed into Simulation, which has a seed, a swarm, a shape, a kernel and the invariants."""

    seed: int
    swarm: Any
    shape: Any
    kernel: Any
    invariants: Any
    rng: Any
    empty_at: dict[str, int]
    _index_lag: Any

    def _make_aws(self) -> None:
        shape, swarm = self.shape, self.swarm
        self.dynamo = Dynamo(product_tables(), self.invariants.written)
        self.dynamo.page = swarm.page
        self.dynamo.stale = lambda rng: (
            0 if not swarm.stale_ms or rng.random() < 0.5 else rng.randint(0, swarm.stale_ms)
        )
        self.dynamo.index_lag = self._index_lag
        dead = Queue("dead", 180_000, 14 * 24 * HOUR)
        self.dead = dead
        self.queues = {
            kind: Queue(QUEUES[kind], shape.visibility_ms, 4 * 24 * HOUR, dead, shape.max_receives)
            for kind in list(QUEUES)[: shape.kinds]
        }
        if shape.exports:
            self.queues[EXPORT] = Queue(EXPORT_QUEUE, shape.visibility_ms, 4 * 24 * HOUR, dead, shape.max_receives)
        self.intake = Queue("intake", 6 * shape.intake_ms, 4 * 24 * HOUR, dead, shape.max_receives)
        self.notices = Queue(NOTICES, 360_000, 4 * 24 * HOUR)
        self.sqs = Sqs([*self.queues.values(), self.intake, self.notices, dead], self.rng)
        self.sqs.vague, self.sqs.delay_ms = swarm.vague, swarm.send_delay_ms
        self.s3 = S3()
        self.bus = Bus()
        self.services = {
            "dynamodb": self.dynamo,
            "sqs": self.sqs,
            "s3": self.s3,
            "events": self.bus,
            "lambda": Invoker(),
        }
        kinds = Kinds({name: self._kind(number, name) for number, name in enumerate(self.queues)})
        models = {provider.NAME: provider.settings(shape.calls_per_minute)} if shape.engine else {}
        values: dict[str, Any] = {
            "kinds": kinds, "mappings": {name: f"{queue.name:.<36}" for name, queue in self.queues.items()}, "kind": "probe", "engines": Engines("rules", models), "tasks_table": "tasks", "results_table": "results", "gates_table": "gates",
            "sweepers": 1 + self.seed % 3, "library_table": "library", "reviews_table": "reviews", "aws_lambda_function_name": "aggregator", "data_bucket": "bucket", "aggregator_function": "aggregator", "janitor_function": "janitor",
            "intake_queue": "intake", "intake_max_tries": 3, "reader_wall": "required", "mineru_url": "", "mineru_api": "auto", "mineru_key_secret": "", "library_documents_per_project": 1000, "knowledge_bases_per_project": 10,
            "try_provider_every_seconds": 15, "max_usd_per_task": 0, "max_usd_per_project_and_day": 0, "model_text_bytes": 2_000_000, "rereads_per_project_and_day": 1_000,
            "lease_slack_seconds": 60, "upload_seconds": shape.form_s, "undo_days": 1, "reads_per_minute": 6000, "reads_at_once": 20000, "open_tasks_per_project": 50, "documents_per_project": 1000, "documents_per_task": 1000, "rows_at_work_per_task": 1000,
            "notice_queue": NOTICES, "notice_hours": 24, "webhook_wall": "public", "page_at": "https://page",
            "page_origin": "", "export_days": 1, "sheet_minutes": 14_400, "sheet_bytes": 1000, "sheet_rows": 100, "sheet_columns": 100, "sheet_cells": 1000, "sheets_per_project": 10, "row_deadline_seconds": shape.row_deadline_ms // 1000, "stall_window_seconds": shape.stall_ms // 1000,
        }  # fmt: skip
        self.settings = {
            function: cls(**{field.name: values[field.name] for field in fields(cls)})
            for function, cls in SETTINGS.items()
        }
        self.mappings = {}
        for kind, queue in self.queues.items():
            self.mappings[queue.name] = Mapping(
                self, queue, "worker", batch=1, concurrency=shape.concurrency, timeout_ms=shape.worker_ms,
                settings=replace(self.settings["worker"], kind=kind),
            )  # fmt: skip
        self.mappings["intake"] = Mapping(
            self, self.intake, "intake", batch=1, concurrency=2, timeout_ms=shape.intake_ms
        )
        self.mappings[NOTICES] = Mapping(self, self.notices, "notice", batch=1, concurrency=2, timeout_ms=60_000)
        self.handlers = {function: importlib.import_module(function).lambda_handler for function in SETTINGS}

    def _kind(self, number: int, name: str) -> Kind:
        """The second kind has another budget and another wish at expiry than the first."""
        shape = self.shape
        if name == EXPORT:
            return Kind(name, EXPORT_QUEUE, shape.max_tries, "retry", "tests.simulation.work", "-")
        tries = shape.max_tries if not number else 1 + shape.max_tries % 4
        wish: Any = shape.on_expiry if not number else {"retry": "error", "error": "retry"}[shape.on_expiry]
        desk = name if number else "clinical.extract_paper.desk"
        return Kind(name, QUEUES[name], tries, wish, "tests.simulation.work", desk)

    def deploy(self, rng: random.Random) -> None:
        """Other numbers from here on; what runs, and what is stored, was made with those of before."""
        self.shape = replace(
            self.shape, shard_rows=rng.choice([1, 2, 3, 250]), transaction=rng.choice([1, 2, 3]), wave=rng.choice([2, 3, 6]),
            batch=rng.choice([1, 2, 10]), worker_ms=rng.choice([45_000, 60_000, 120_000]),
        )  # fmt: skip
        self.settings["api"] = replace(self.settings["api"], sweepers=rng.choice([1, 2, 3]))
        for queue in self.queues.values():
            self.mappings[queue.name].timeout = self.shape.worker_ms
        self._tune_product()

    def _tune_product(self) -> None:
        """Small shards, transactions and batches, so that a handful of rows has every boundary."""
        shape = self.shape
        scatter.SHARD_ROWS = shape.shard_rows
        scatter.TRANSACTION = shape.transaction
        scatter.WAVE = shape.wave
        manifest.PART = shape.part
        row_messages.BATCH = shape.batch
        store.BATCH = shape.batch
        task_objects.DAY_MS = DAY_MS
        orders.DAY_MS = shape.export_ms
        provider_gate.PARKS_MS = decide_row.PARKS_MS = work_row.SHORT_CLOSURE_MS = PARKS_MS
        work_row.HIDDEN_ROWS = HIDDEN_ROWS
        provider_gate.LONGEST_MS, provider_gate.LONGEST_ASKED_MS = LONGEST_MS, LONGEST_ASKED_MS
        decide_row.PROBE_AGAIN_MS = PROBED_EVERY_MS
        forecast.STILL_MS = 5_000
        read_paper.read_apart = parsing.read_apart
        deliver.LONGEST_MS = RETRY_MS
        quick.hurry()
        clients.install()
        logs._log = Log(self)  # type: ignore[assignment]

    @property
    def tasks(self) -> Any:
        parts = self.dynamo.tables["tasks"].partitions
        return {key: item for part in parts.values() for key, item in part.items()}

    @property
    def gates(self) -> Any:
        return {key: item for part in self.dynamo.tables["gates"].partitions.values() for key, item in part.items()}

    def documents(self) -> list[Any]:
        """Those that people brought, tombstones included."""
        found = self.dynamo.tables["library"].partitions
        return [
            item
            for part in found.values()
            for item in part.values()
            if val(item, "knowledge_base") == "u" and "document" in item
        ]

    def provider_gate(self, task: str) -> Any:
        """The gate of the task's project."""
        return self.dynamo.tables["gates"].get((provider.gate_of(task),))

    def task_items(self) -> Any:
        return list(self.tasks.items())

    def kind_of(self, task: str) -> Kind:
        """The kind of this task's work."""
        kinds: Kinds = self.settings["api"].kinds
        return kinds[val(self.tasks[task,], "kind")]

    def gone(self, task: str, now: int | None = None) -> bool:
        """Whether it is deleted, or an export that is over or whose task is deleted: at that instant, or now."""
        table, at = self.dynamo.tables["tasks"], self.kernel.now if now is None else now
        item = table.get((task,))
        if val(item, "kind") == EXPORT:
            return bool(val(item, "expires_at") <= at or self.gone(val(item, "project"), at))
        return "deleted_at" in (table.as_of((task,), at) or {})

    def row(self, task: str, number: int) -> Any:
        size = val(self.dynamo.tables["tasks"].get((task,)), "shard_rows") or self.shape.shard_rows
        return self.dynamo.tables["results"].get((f"{task}/{number // size:04d}", number))

    def rows_of(self, task: str) -> list[Any]:
        partitions = self.dynamo.tables["results"].partitions
        item = self.dynamo.tables["tasks"].get((task,))
        shards = range(-(-(val(item, "total") or 0) // val(item, "shard_rows")))
        return [row for shard in shards for row in partitions.get(f"{task}/{shard:04d}", {}).values()]

    def noticed(self, task: str) -> bool:
        return any(json.loads(entry["Detail"])["noticeId"].startswith(f"{task}/") for entry in self.bus.entries)

    def under_way(self, row: Any) -> bool:
        """Whether its message is in a queue, seen or hidden."""
        shard, number = row["shard"]["S"], val(row, "row")
        return any(
            f'"{shard}"' in message.body and json.loads(message.body)["r"] == number
            for queue in self.queues.values()
            for message in queue.messages.values()
        )

    def queue_was_empty(self, task: Any, now: int) -> bool:
        """Whether its queue has said, truly or not, that it was empty, in the last minutes."""
        gate = self.gates.get((f"queue/{val(task, 'kind')}",))
        return now - (val(gate, "looked_at") or 0) < 5 * MINUTE and 0 in {val(gate, "messages"), val(gate, "before")}

    def empty_since(self, task: Any) -> int | None:
        """Since when its queue holds nothing, if it has held nothing since then."""
        return self.empty_at.get(val(task, "kind"))
