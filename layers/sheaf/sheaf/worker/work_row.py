"""One message: read the gates, claim the row, do the work, settle. A worker writes its own row only.

What `handle` decides, it decides on the row and never on the message.
"""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import NamedTuple

from pynamodb.expressions.condition import Condition

from sheaf import jobs
from sheaf.errors import Failure, Permanent, ProviderDown, Throttled, Transient, Unavailable
from sheaf.items import Item, Row, Task, task_key
from sheaf.items import provider_gate as provider_gate_of
from sheaf.logs import Measured, say
from sheaf.model_calls.gated_call import Knock, knock
from sheaf.model_calls.row_calls import Line
from sheaf.outside import objects
from sheaf.outside.deliveries import Acknowledge, Answer, HideUntil, Message, broken_off
from sheaf.outside.needs import Aws, BatchAws, BatchTables, HasEngines, Objects, Tables, TimedTables
from sheaf.outside.store import Option, Raw, Refused, query_raw
from sheaf.outside.wiring import World
from sheaf.plain_json import Json, JsonObject
from sheaf.protocol import latest, lifecycle, manifest, payloads, provider_gate, queries, row_messages
from sheaf.protocol.leases import Bid, Due
from sheaf.protocol.lifecycle import TERMINAL, GateState, RowStatus, Spent
from sheaf.protocol.row_messages import Address
from sheaf.settings import Kind, WorkerSettings

STOP_BEFORE_MS = 20_000
SHORT_CLOSURE_MS = 15 * 60 * 1000
HIDDEN_ROWS = 100  # of a task, behind a short closure: a queue lets no more than 120,000 be in flight
BACKOFF_SECONDS = 5
BACKOFF_MAX_SECONDS = 300
THROTTLED_SECONDS = 15


class Delivery(NamedTuple):
    world: World[WorkerSettings]
    message: Message
    address: Address
    ends_at: int

    @property
    def kind(self) -> Kind:
        return self.world.settings.kinds[self.world.settings.kind]

    @property
    def stop_at(self) -> int:
        return self.ends_at - STOP_BEFORE_MS

    def say(self, event: str, *, measured: Measured | None = None, **fields: Json) -> None:
        say(event, measured=measured, task=self.address.task, row=self.address.row, kind=self.kind.name, **fields)

    def say_attempt(self, event: str, spent: Spent | None, measured: Measured, **fields: Json) -> None:
        paid = {"CostUsd": spent.cost / 1_000_000, "Tokens": spent.tokens} if spent else {}
        self.say(event, measured={"AttemptsEnded": 1, **measured, **paid}, **fields)


def handle(world: World[WorkerSettings], message: Message, remaining_ms: int) -> Answer:
    """Work on a message's row, if it is to be worked on: what becomes of the message. Raises Defect, Unavailable."""
    ends_at = world.now() + remaining_ms
    address = row_messages.decode(message.body)
    if address is None:
        say("message_unreadable", message_id=message.message_id)
        return Acknowledge()
    delivery = Delivery(world, message, address, ends_at)
    # Before any claim: what cannot be imported costs no row a try.
    jobs.load(delivery.kind.module)
    answer = _answer(delivery)
    if isinstance(answer, Acknowledge) and answer.event:
        delivery.say(answer.event, **answer.about)
    return answer


def _answer(delivery: Delivery) -> Answer:
    with _gates(delivery) as leave:
        if not isinstance(leave, Knock):
            return leave
        row = _claim(delivery)
        if not isinstance(row, Row):
            return row
        outcome, spent = _work(delivery, row, leave)
        return _settle(delivery, row, outcome, spent)


@contextmanager
def _gates(delivery: Delivery) -> Iterator[Answer | Knock]:
    world, address = delivery.world, delivery.address
    # An engine that was taken away has no gate that a worker may write: the claim tells why the row cannot be done.
    settings = world.settings.engines.models.get(address.engine or "")
    paced = settings is not None and settings.calls_per_minute > 0
    gate, front, provider, pace = queries.gates_before(world, address.task, address.engine, paced=paced)
    now = world.now()
    shut = behind_gate(gate) or behind_front(front, address.row)
    if shut is not None:
        yield shut
        return
    name = provider_gate_of(address.engine or "", address.task.partition("/")[0])
    knocked = knock(world, name, provider, pace, now) if settings else Knock(None)
    try:
        yield _behind_provider(delivery, knocked, now) or knocked
    finally:
        if knocked.prober:
            # A probe that was answered, or in vain, has ended by itself: then this one is refused.
            with suppress(Unavailable):
                provider_gate.end_probe(world, name, knocked.prober)


def behind_gate(gate: str | None) -> Answer | None:
    """No claim behind a task's shut gate: the sweep sends the row again when the task goes on."""
    return None if gate in {None, GateState.OPEN} else Acknowledge("parked", {"reason": gate})


def behind_front(front: int | None, row: int) -> Answer | None:
    """No claim while others are at work, as many as may be: the sweep sends the row again when the front has passed it."""
    return None if front is None or row < front else Acknowledge("parked", {"reason": "limit"})


def behind_provider(knocked: Knock, address: Address, now: int) -> Answer | None:
    """No claim behind a provider's shut gate: the message is hidden, or let go where that is long or many wait."""
    gate, until = knocked.gate, knocked.wait_until
    if until is None:
        return None
    many = provider_gate.is_shut(gate) and address.row >= HIDDEN_ROWS
    if gate and (many or (gate.parked and until - now > SHORT_CLOSURE_MS)):
        return Acknowledge("parked", {"reason": gate.reason, "provider": address.engine})
    return HideUntil(until)


def _behind_provider(delivery: Delivery, knocked: Knock, now: int) -> Answer | None:
    """And before a message is let go its row says so, unless the gate's opening will. What is at work may still need its message."""
    answer, gate = behind_provider(knocked, delivery.address, now), knocked.gate
    if isinstance(answer, Acknowledge) and gate and not gate.parked:
        parked = lifecycle.park(delivery.world, delivery.address.key, now)
        if isinstance(parked, Refused) and parked.item and parked.item.status == RowStatus.EXTRACTING:
            return HideUntil(max(knocked.wait_until or now, parked.item.lease_until or now))
    return answer


def _claim(delivery: Delivery) -> Row | Answer:
    world, now = delivery.world, delivery.world.now()
    lease_until = delivery.ends_at + world.settings.lease_slack_seconds * 1000
    if lease_until <= now:  # it stood still beyond its end: a claim would only cost the row a try
        return HideUntil(now)
    bid = Bid(world.token(), lease_until, delivery.kind.max_tries, now)
    claimed = lifecycle.claim(world, delivery.address.key, bid)
    return unclaimed(claimed.item, now) if isinstance(claimed, Refused) else claimed


def unclaimed(row: Row | None, now: int) -> Answer:
    """What a refused claim means, in this order, on the row as it stands."""
    if row is None:
        return Acknowledge("row_unknown")
    if row.status in TERMINAL:
        return Acknowledge()
    if row.status == RowStatus.EXTRACTING and (row.lease_until or 0) >= now:
        return HideUntil(row.lease_until or now)
    if row.status == RowStatus.PENDING and row.not_before > now:
        return HideUntil(row.not_before)
    return Acknowledge("tries_spent", {"tries": row.tries})


def _work(delivery: Delivery, row: Row, knocked: Knock) -> tuple[jobs.Done | Failure, Spent | None]:
    world, line = delivery.world, None
    try:
        with world.time_limit((delivery.stop_at - world.now()) / 1000):
            line = _line(world, row, knocked, delivery.stop_at)
            return jobs.load(delivery.kind.module).work(_job(world, row, line, delivery.stop_at)), _spent(line)
    except Failure as failure:
        return failure, _spent(line)
    except BaseException as error:
        raise broken_off(lambda defect: _give_back(delivery, row, defect, _spent(line))) from error


def _spent(line: Line | None) -> Spent | None:
    if line is None or not (line.meter.calls or line.meter.reused):
        return None
    return Spent(line.meter.micro_usd or 0, line.meter.usage.total)


def _settle(delivery: Delivery, row: Row, outcome: jobs.Done | Failure, spent: Spent | None) -> Answer:
    world = delivery.world
    if isinstance(outcome, Transient):
        return _give_back(delivery, row, outcome, spent)
    if isinstance(outcome, Failure):
        return _fail(delivery, row, outcome, outcome.error_class, spent)
    key = payloads.write(world, row, outcome.data, outcome.file, outcome.beside)
    if key is None:
        return _give_back(delivery, row, Transient("Its attempt's place was taken; the next one has another."), spent)
    now, summary, marks = world.now(), outcome.summary, outcome.marks
    written = lifecycle.complete(world, row, data_key=key, summary=summary, marks=marks, now=now, spent=spent)
    return _ended(delivery, row, written, spent)


def _fail(delivery: Delivery, row: Row, failure: Failure, error_class: str, spent: Spent | None) -> Answer:
    world, message = delivery.world, failure.message
    written = lifecycle.fail(world, row, error_class=error_class, message=message, now=world.now(), spent=spent)
    return _ended(delivery, row, written, spent, failure.error_class)


def _ended(
    delivery: Delivery, row: Row, written: Row | Refused[Row], spent: Spent | None, error_class: str | None = None
) -> Answer:
    about: JsonObject = {"attempt": row.attempt, "error_class": error_class}
    if isinstance(written, Refused):
        delivery.say_attempt("lease_lost", spent, {"ClaimsLost": 1}, **about)
    else:
        state = "RowsCompleted" if written.status == RowStatus.COMPLETED else "RowsFailed"
        counted = {state: 1, "CallsPerDocument": row.attempt}
        delivery.say_attempt("row_ended", spent, counted, status=written.status, **about)
    return Acknowledge()


def _give_back(delivery: Delivery, row: Row, failure: Transient, spent: Spent | None) -> Answer:
    """Release the row and hide its message until it is due; a refused release hides as well. The last try ends it."""
    world = delivery.world
    at = world.now() + int(_delay(world, row, failure) * 1000)
    written = lifecycle.release(world, row, _due(delivery, failure, at), world.now(), spent)
    if isinstance(written, Refused) and lifecycle.LEASES.holds(row, written.item):
        return _fail(delivery, row, failure, "attempts_spent", spent)
    about: JsonObject = {"attempt": row.attempt, "tries": row.tries, "error_class": failure.error_class}
    lost = {"ClaimsLost": 1} if isinstance(written, Refused) else {}
    delivery.say_attempt("row_released", spent, lost, until=at, **about)
    return HideUntil(at)


def _due(delivery: Delivery, failure: Transient, at: int) -> Due:
    """A throttle counts as no try. Where a gate holds the row, it may go when that opens, however early."""
    if isinstance(failure, Throttled):
        return Due(delivery.world.now() if failure.held else at, max_tries=None, refused=failure.refused)
    return Due(at, delivery.kind.max_tries)


def _delay(world: BatchTables, row: Row, failure: Transient) -> float:
    """Exponential with jitter; what a provider asks for is obeyed, and its jitter only ever adds."""
    if isinstance(failure, Throttled):
        asked = failure.retry_after_seconds or THROTTLED_SECONDS
        # Who had shut the gate comes back after those that it kept waiting: one of them is to try it.
        return asked * (1.25 + world.chance() / 4 if failure.held else 1 + world.chance() / 2)
    ceiling = min(BACKOFF_SECONDS * 2 ** (row.tries - 1), BACKOFF_MAX_SECONDS)
    asked = (failure.retry_after_seconds or 0) if isinstance(failure, ProviderDown) else 0
    return max(float(ceiling * (0.5 + world.chance() / 2)), asked)


def _line(world: World[WorkerSettings], row: Row, knocked: Knock, stop_at: int) -> Line | None:
    if row.provider is None:
        return None
    settings = world.settings.engines.models.get(row.provider)
    if settings is None:
        raise Permanent(f"This deployment has no engine {row.provider} any more.", "engine_gone")
    return Line(world, settings, row, knocked, stop_at)


def _job(world: BatchAws[WorkerSettings], row: Row, line: Line | None, stop_at: int) -> jobs.Job:
    return jobs.Job(
        task=row.task,
        row=row.row,
        attempt=row.attempt,
        item=manifest.item(row),
        options=row.options or {},
        read=lambda: _read(world, row),
        stored=lambda key: _stored(world, key),
        table=lambda task_id: _table(world, task_key(row.project, task_id)),
        items=lambda model, condition, **options: _items(world, model, condition, **options),
        seconds_left=lambda: (stop_at - world.now()) / 1000,
        begin=lambda step: _begin(world, row, step),
        now=world.now,
        walled=world.settings.reader_wall,
        ask=line,
    )


def _begin(world: TimedTables, row: Row, step: str) -> None:
    with suppress(Unavailable):  # a word for people is no reason to stop
        lifecycle.begin_step(world, row, step, world.now())


def _stored(world: Objects, key: str, version: str | None = None) -> bytes:
    try:
        return objects.get(world, key, version)
    except Unavailable as error:
        raise Transient("Storage did not answer.", "storage_unavailable") from error


def _items(world: Tables, model: type[Item], condition: Condition, **options: Option) -> list[Raw]:
    try:
        return [*query_raw(world, model, condition, (), **options)]
    except Unavailable as error:
        raise Transient("The table did not answer.", "table_unavailable") from error


def _read(world: Aws[HasEngines], row: Row) -> bytes:
    try:
        content = _stored(world, row.pinned_key, row.pinned_version)
    except objects.ObjectGone as error:
        raise Permanent("The document's pinned version is gone from storage.", "document_gone") from error
    if row.provider and len(content) > world.settings.model_text_bytes:
        reason = f"The text has {len(content)} bytes; a model is given {world.settings.model_text_bytes} at most."
        raise Permanent(reason, "text_too_large")
    if row.pinned_sha256 and hashlib.sha256(content).hexdigest() != row.pinned_sha256:
        raise Permanent("The document's bytes are not the ones this task was started with.", "document_changed")
    return content


def _table(world: BatchAws[WorkerSettings], key: str) -> tuple[Task, Iterator[tuple[Row, JsonObject | None]]]:
    task = queries.task(world, key)
    if task is None or task.deleted_at is not None:
        raise Permanent("The task was deleted.", "task_gone")
    return task, _rows(world, task)


def _rows(world: BatchAws[WorkerSettings], task: Task) -> Iterator[tuple[Row, JsonObject | None]]:
    try:
        for rows in latest.rows(world, task):
            yield from zip(rows, payloads.read(world, rows), strict=True)
    except Unavailable as error:
        raise Transient("The table did not answer.", "table_unavailable") from error
    except objects.ObjectGone as error:
        raise Permanent("The task was deleted.", "task_gone") from error
