"""One message: read the gate, claim the row, do the work, write what came of it. A worker writes its own row only.

`handle` says whether the message stays in the queue. What it decides, it decides on the row and never on the message.
"""

import hashlib
import math
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from botocore.exceptions import ClientError

from sheaf import editions, kinds, lifecycle, messages, objects, provider_gate, queries
from sheaf.calling import Knock, knock
from sheaf.errors import Failure, Permanent, ProviderDown, Throttled, Transient, Unavailable
from sheaf.lifecycle import TERMINAL, Due, GateState, RowStatus, Spent
from sheaf.line import Line
from sheaf.messages import Address
from sheaf.models import Gate, Row
from sheaf.models import provider_gate as provider_gate_of
from sheaf.store import Refused, call
from sheaf.telemetry import say
from sheaf.wiring import World

STOP_BEFORE_MS = 20_000
HIDE_MAX_SECONDS = 12 * 3600 - 600
SHORT_CLOSURE_MS = 15 * 60 * 1000
BACKOFF_SECONDS = 5
BACKOFF_MAX_SECONDS = 300
THROTTLED_SECONDS = 15
BUSY_SECONDS = 20


@dataclass(frozen=True)
class Message:
    """One record of the queue's event."""

    body: str
    receipt: str
    message_id: str
    receives: int


def handle(world: World[Any], message: Message, remaining_ms: int) -> bool:
    """True when the message must stay in the queue (hidden for as long as it has to wait), False to acknowledge it."""
    address = messages.decode(message.body)
    if address is None:
        say("message_unreadable", message_id=message.message_id)
        return False
    # Before any claim: what cannot be imported costs no row a try.
    kinds.load(world.settings.kinds[world.settings.kind].module)
    try:
        return _handle(world, message, address, remaining_ms)
    except Unavailable as error:
        say("aws_unavailable", task=address.task, row=address.row, reason=str(error))
        return _hide(world, message, BUSY_SECONDS * (1 + world.chance()))


def _handle(world: World[Any], message: Message, address: Address, remaining_ms: int) -> bool:
    # An engine that was taken away has no gate that a worker may write: the claim tells why the row cannot be done.
    settings = world.settings.engines.models.get(address.engine or "")
    paced = settings is not None and settings.calls_per_minute > 0
    gate, provider, pace = queries.gates_before(world, address.task, address.engine, paced=paced)
    now = world.now()
    if gate and gate.state not in {None, GateState.OPEN}:
        return _shut(world, message, address, gate, now)
    name = provider_gate_of(address.engine or "", address.task.partition("/")[0])
    knocked = knock(world, name, provider, pace, now) if settings else Knock(None)
    if knocked.wait_until is not None:
        return _wait_for_provider(world, message, address, knocked, now)
    try:
        return _claim(world, message, address, knocked, remaining_ms)
    finally:
        if knocked.prober:
            # A probe that was answered, or in vain, has ended by itself: then this one is refused.
            with suppress(Unavailable):
                provider_gate.end_probe(world, name, knocked.prober)


def _wait_for_provider(world: World[Any], message: Message, address: Address, knocked: Knock, now: int) -> bool:
    """No claim behind a provider's shut gate: hidden for a short time; after a long one the sweep sends again."""
    until = knocked.wait_until or now
    gate = knocked.gate
    if gate and gate.parked and until - now > SHORT_CLOSURE_MS:
        say("parked", task=address.task, row=address.row, reason=gate.reason, provider=address.engine)
        return False
    return _hide_until(world, message, until)


def _claim(world: World[Any], message: Message, address: Address, knocked: Knock, remaining_ms: int) -> bool:
    settings, now = world.settings, world.now()
    claimed = lifecycle.claim(
        world,
        address.key,
        token=world.token(),
        now=now,
        max_tries=settings.kinds[settings.kind].max_tries,
        lease_until=now + remaining_ms + settings.lease_slack_seconds * 1000,
    )
    if isinstance(claimed, Refused):
        return _refused(world, message, address, claimed.item, now)
    return _work(world, message, claimed, knocked, now + remaining_ms - STOP_BEFORE_MS)


def _shut(world: World[Any], message: Message, address: Address, gate: Gate, now: int) -> bool:
    """No claim behind a shut gate. A short closure is waited for; after a long one the sweep sends again."""
    if gate.shut_until is not None and gate.shut_until - now <= SHORT_CLOSURE_MS:
        return _hide_until(world, message, gate.shut_until)
    say("parked", task=address.task, row=address.row, reason=gate.state)
    return False


def _refused(world: World[Any], message: Message, address: Address, row: Row | None, now: int) -> bool:
    """What a refused claim means, in this order, on the row as it stands."""
    if row is None:
        say("row_unknown", task=address.task, row=address.row)
        return False
    if row.status in TERMINAL:
        return False
    if row.status == RowStatus.EXTRACTING and (row.lease_until or 0) >= now:
        return _hide_until(world, message, row.lease_until or now)
    if row.status == RowStatus.PENDING and row.not_before > now:
        return _hide_until(world, message, row.not_before)
    say("tries_spent", task=address.task, row=address.row, tries=row.tries)
    return False


def _work(world: World[Any], message: Message, row: Row, knocked: Knock, stop_at: int) -> bool:
    """Work on a claimed row. Whatever is not a known failure is given back to the queue and raised."""
    kind = kinds.load(world.settings.kinds[world.settings.kind].module)
    outcome: kinds.Done | Failure | None = None
    line: Line | None = None
    try:
        with world.time_limit((stop_at - world.now()) / 1000):
            line = _line(world, row, knocked, stop_at)
            outcome = kind.work(_job(world, row, line, stop_at))
    except Failure as failure:
        outcome = failure
    finally:
        if outcome is None:
            defect = Transient("The work stopped at a defect of ours; the log of this time says which.", "defect")
            # Whether or not that can be written now, it is the defect that is raised.
            with suppress(Unavailable):
                _give_back(world, message, row, defect, _spent(line))
    return _write(world, message, row, outcome, _spent(line))


def _line(world: World[Any], row: Row, knocked: Knock, stop_at: int) -> Line | None:
    """The row's line to its provider; none for the built-in rules. Raises Permanent."""
    if row.engine is None:
        return None
    settings = world.settings.engines.models.get(row.engine)
    if settings is None:
        raise Permanent(f"This deployment has no engine {row.engine} any more.", "engine_gone")
    return Line(world, settings, row, knocked, stop_at, row.lease_until or 0)


def _spent(line: Line | None) -> Spent | None:
    """What goes on the row with whatever is written next; nothing where nothing was asked."""
    if line is None or not (line.meter.calls or line.meter.reused):
        return None
    return Spent(line.meter.micro_usd or 0, line.meter.usage.total)


def _write(world: World[Any], message: Message, row: Row, outcome: kinds.Done | Failure, spent: Spent | None) -> bool:
    if isinstance(outcome, Transient):
        return _give_back(world, message, row, outcome, spent)
    written: Row | Refused[Row]
    if isinstance(outcome, Failure):
        written = lifecycle.fail(
            world, row, error_class=outcome.error_class, message=outcome.message, now=world.now(), spent=spent
        )
    else:
        key = _store(world, row, outcome.data)
        written = lifecycle.complete(world, row, data_key=key, summary=outcome.summary, now=world.now(), spent=spent)
    lost = isinstance(written, Refused)
    say(
        "lease_lost" if lost else "row_ended",
        task=row.task,
        row=row.row,
        attempt=row.attempt,
        status=None if isinstance(written, Refused) else written.status,
        error_class=outcome.error_class if isinstance(outcome, Failure) else None,
    )
    return False


def _give_back(world: World[Any], message: Message, row: Row, failure: Transient, spent: Spent | None = None) -> bool:
    """Release the row and hide its message until it is due; a refused release hides as well."""
    delay = _delay(world, row, failure)
    due = world.now() + int(delay * 1000)
    ended = False
    written = lifecycle.release(world, row, _due(world, failure, due), world.now(), spent)
    if isinstance(written, Refused) and lifecycle.holds(row, written.item):
        ending = lifecycle.fail(
            world, row, error_class="attempts_spent", message=failure.message, now=world.now(), spent=spent
        )
        ended = not isinstance(ending, Refused)
    say(
        "row_ended" if ended else "row_released",
        task=row.task,
        row=row.row,
        attempt=row.attempt,
        tries=row.tries,
        error_class=failure.error_class,
        until=due,
    )
    return False if ended else _hide_until(world, message, due)


def _due(world: World[Any], failure: Transient, due: int) -> Due:
    """A throttle counts as no try. Where a gate holds the row, it may go when that opens, however early."""
    if isinstance(failure, Throttled):
        return Due(world.now() if failure.held else due, max_tries=None, refused=failure.refused)
    return Due(due, world.settings.kinds[world.settings.kind].max_tries)


def _delay(world: World[Any], row: Row, failure: Transient) -> float:
    """Exponential with jitter; what a provider asks for is obeyed, and its jitter only ever adds."""
    if isinstance(failure, Throttled):
        asked = failure.retry_after_seconds or THROTTLED_SECONDS
        # Who had shut the gate comes back after those that it kept waiting: one of them is to try it.
        return asked * (1.25 + world.chance() / 4 if failure.held else 1 + world.chance() / 2)
    ceiling = min(BACKOFF_SECONDS * 2 ** (row.tries - 1), BACKOFF_MAX_SECONDS)
    asked = (failure.retry_after_seconds or 0) if isinstance(failure, ProviderDown) else 0
    return max(float(ceiling * (0.5 + world.chance() / 2)), asked)


def _hide_until(world: World[Any], message: Message, instant: int) -> bool:
    return _hide(world, message, (instant - world.now()) / 1000 + 0.5 + 2 * world.chance())


def _hide(world: World[Any], message: Message, seconds: float) -> bool:
    """Keep the message out of sight; reported as a failed item. If hiding fails, it comes back by itself."""
    timeout = max(1, min(math.ceil(seconds), HIDE_MAX_SECONDS))
    try:
        call(
            world,
            "sqs",
            "change_message_visibility",
            QueueUrl=world.settings.kinds[world.settings.kind].queue,
            ReceiptHandle=message.receipt,
            VisibilityTimeout=timeout,
        )
    except (ClientError, Unavailable) as error:
        say("hide_failed", message_id=message.message_id, receives=message.receives, reason=type(error).__name__)
    return True


def _job(world: World[Any], row: Row, line: Line | None, stop_at: int) -> kinds.Job:
    return kinds.Job(
        task=row.task,
        row=row.row,
        attempt=row.attempt,
        document=row.document,
        template=row.template,
        filename=row.filename or row.document,
        read=lambda: _read(world, row),
        seconds_left=lambda: (stop_at - world.now()) / 1000,
        engine=row.engine or "rules",
        tries=row.tries,
        line=line,
        find_template=lambda: editions.pinned(world, row.project, row.template),
    )


def _read(world: World[Any], row: Row) -> bytes:
    """The pinned version, whatever has become of the document since."""
    try:
        content = objects.get(world, row.snapshot_key, row.snapshot_version)
    except objects.ObjectGone as error:
        raise Permanent("The document's frozen version is gone from storage.", "document_gone") from error
    except Unavailable as error:
        raise Transient("Storage did not answer.", "storage_unavailable") from error
    if row.engine and len(content) > world.settings.model_text_bytes:
        told = f"The text has {len(content)} bytes; a model is given {world.settings.model_text_bytes} at most."
        raise Permanent(told, "text_too_large")
    if row.snapshot_sha256 and hashlib.sha256(content).hexdigest() != row.snapshot_sha256:
        raise Permanent("The document's bytes are not the ones this task was started with.", "document_changed")
    return content


def _store(world: World[Any], row: Row, data: Mapping[str, Any]) -> str:
    """The payload, before the write that points at it, under a key that holds the attempt."""
    key = f"tasks/{row.task}/rows/{row.row}-{row.attempt}.json"
    objects.put_json(world, key, data)
    return key
