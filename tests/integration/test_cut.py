"""Every handler, cut at every one of its AWS calls: before it, after it, and with its reply lost.

Then redelivery and sweeps run, and all is as it should be: the task is closed, its counts are its rows, and no work
was done twice but where a crash fell between a row's work and its end. The n-th call is cut for n = 0, 1, 2 … until a
run has no n-th call, so that a call added tomorrow is cut tomorrow.
"""

import itertools
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

import pytest

from sheaf.items import Payload
from sheaf.protocol import manifest, scatter
from sheaf.protocol.lifecycle import CLOSED, TERMINAL
from tests.support.bench import TASKS, Bench, stack
from tests.support.calls import Killed
from tests.support.clients import client
from tests.support.items import DAY

pytestmark = pytest.mark.slow

ENDS = {"ok", "permanent"}
BUCKET = "databucket"


@dataclass
class Case:
    """One handler at work: what is there before, what it is told to do, and what must be true at the end."""

    prepare: Callable[[Bench], None]
    act: Callable[[Bench], object]
    least: int
    """Calls that it makes at least: with fewer the case would be about nothing."""
    acts: dict[int, list[str]] = field(default_factory=dict)
    finish: Callable[[Bench], object] = lambda _bench: None
    check: Callable[[Bench], None] = lambda _bench: None
    statuses: list[str] = field(default_factory=lambda: ["completed", "completed"])
    tasks: int = 1


def opened(*scripts, deliver=0):
    """A task of these scripts, so many of whose messages have been delivered."""

    def prepare(bench):
        bench.tolerated = (ZeroDivisionError,)
        bench.open([bench.probe(*acts) for acts in scripts], kind="probe", key="k")
        bench.deliver("probe", limit=deliver)

    return prepare


def documents(bench):
    bench.named = [bench.probe("ok"), bench.probe("ok")]


def ask(bench):
    """The request; a client that gets no answer repeats it."""
    return bench.post(bench.named, key="k")


def ask_again_if_nothing_came_of_it(bench):
    if not bench.tasks():
        ask(bench)


def half_scattered(bench):
    """Two of three parts are written and sent; who was asked for the third has died."""
    bench.named = [bench.probe("ok") for _ in range(6)]
    ask(bench)
    bench.sweep_once(parts=2)
    assert bench.tasks()[0].unsent == {2}
    bench.pass_time(minutes=2)


def lease_over(bench):
    """The first row's worker died in mid-work, and its message is gone."""
    opened(["ok"], ["ok"])(bench)
    with bench.calls.watch() as calls:
        calls.cut_before = 3
        bench.deliver("probe", limit=1)
    bench.held.pop(next(iter(bench.held)))
    bench.pass_time(minutes=2)


def lost(bench):
    """Both messages have vanished, eleven minutes ago."""
    opened(["ok"], ["ok"])(bench)
    bench.lose_messages()
    bench.pass_time(minutes=11)


def reopened(bench):
    """Paused, its messages acknowledged at the gate, and resumed."""
    opened(["ok"], ["ok"])(bench)
    bench.http("POST", f"{TASKS}/{bench.tasks()[0].id}/pause")
    bench.deliver("probe")
    bench.pass_time(minutes=1)
    bench.http("POST", f"{TASKS}/{bench.tasks()[0].id}/resume")
    bench.pass_time(seconds=1)


def cancelled(bench):
    opened(["ok"], ["throttle:600", "ok"], ["ok"], deliver=2)(bench)
    bench.http("POST", f"{TASKS}/{bench.tasks()[0].id}/cancel")


def spent(bench):
    """A row without tries, which only the sweep can end."""
    opened(["ok"], ["ok"], deliver=1)(bench)
    row = bench.all_rows()[1]
    row.tries = row.attempt = 4
    bench.put(row)


def with_leftovers(bench):
    """A closed task with its payloads, and beside them what nothing points at, three days old by the clock."""
    opened(["ok"], ["ok"])(bench)
    bench.settle("probe")
    task = bench.tasks()[0]
    for number in range(3):
        client("s3").put_object(Bucket=BUCKET, Key=f"tasks/{task.task}/rows/9-{number}.json", Body=b"{}")
        bench.put(Payload(f"{task.task}/0000/data", 7 + number, claim="nobody's", packed=b""))
        client("s3").put_object(Bucket=BUCKET, Key=f"tasks/p1/nobody/manifest-{number}.json", Body=b"{}")
    written = client("s3").head_object(Bucket=BUCKET, Key=manifest.key(task.manifest_key, 0))["LastModified"]
    bench.clock.now = int(written.timestamp() * 1000) + 3 * DAY
    task.completed_at = bench.clock.now - 2 * DAY
    bench.put(task)


def tidied(bench):
    """What is pointed at is there and what is not is gone."""
    task = bench.tasks()[0]
    kept = {item["Key"] for item in client("s3").list_objects_v2(Bucket=BUCKET, Prefix="tasks/")["Contents"]}
    assert kept == {manifest.key(task.manifest_key, 0)}
    assert [item.claim for item in bench.payloads()] == [row.token for row in bench.all_rows()]


def failed(bench):
    """A closed task, one of whose rows failed and will succeed when tried again."""
    opened(["ok"], ["permanent"])(bench)
    bench.settle("probe")
    bench.parent = bench.tasks()[0].id


def retry(bench):
    return bench.http("POST", f"{TASKS}/{bench.parent}/retry", {}, headers={"idempotency-key": "r"})


def turn(action):
    return lambda bench: bench.http("POST", f"{TASKS}/{bench.tasks()[0].id}/{action}")


def first_message(bench):
    bench.deliver("probe", limit=1)


OK, TRANSIENT, THROTTLE, PERMANENT, DEFECT = (
    ["ok"],
    ["transient", "ok"],
    ["throttle:5", "ok"],
    ["permanent"],
    ["defect", "ok"],
)
BOTH = {0: OK, 1: OK}
ERROR = ["error", "completed"]
CASES = {
    "api create": Case(documents, ask, 7, BOTH, finish=ask_again_if_nothing_came_of_it),
    "api create, repeated": Case(documents, ask, 7, BOTH, finish=ask),
    "api cancel": Case(opened(OK, OK, deliver=1), turn("cancel"), 3, {0: OK, 1: []}, turn("cancel"), statuses=["completed", "cancelled"]),
    "api pause": Case(opened(OK, OK), turn("pause"), 3, BOTH, finish=turn("resume")),
    "api retry": Case(failed, retry, 8, {0: PERMANENT}, retry, tasks=2, statuses=["completed", "error", "error"]),
    "worker, ok": Case(opened(OK, OK), first_message, 5, BOTH),
    "worker, transient": Case(opened(TRANSIENT, OK), first_message, 5, {0: TRANSIENT, 1: OK}),
    "worker, throttle": Case(opened(THROTTLE, OK), first_message, 5, {0: THROTTLE, 1: OK}),
    "worker, permanent": Case(opened(PERMANENT, OK), first_message, 4, {0: PERMANENT, 1: OK}, statuses=ERROR),
    "worker, defect": Case(opened(DEFECT, OK), first_message, 5, {0: DEFECT, 1: OK}),
    "worker, refused": Case(opened(THROTTLE, OK, deliver=1), lambda bench: bench.hand(bench.all_rows()[0]), 3, {0: THROTTLE, 1: OK}),
    "sweep, count": Case(opened(OK, OK, deliver=1), Bench.sweep_once, 8, BOTH),
    "sweep, scatter": Case(half_scattered, Bench.sweep_once, 12, dict.fromkeys(range(6), OK), statuses=["completed"] * 6),
    "sweep, expire": Case(lease_over, Bench.sweep_once, 12, BOTH),
    "sweep, resend": Case(lost, Bench.sweep_once, 12, BOTH),
    "sweep, reopen": Case(reopened, Bench.sweep_once, 11, BOTH),
    "sweep, cancel": Case(cancelled, Bench.sweep_once, 10, {0: OK, 1: [], 2: []}, statuses=["completed", "cancelled", "cancelled"]),
    "sweep, give up": Case(spent, Bench.sweep_once, 9, {0: OK, 1: []}, statuses=["completed", "error"]),
    "sweep, close": Case(opened(OK, OK, deliver=2), Bench.sweep_once, 10, BOTH),
    "nudged sweep, close": Case(opened(OK, OK, deliver=2), lambda bench: bench.sweep(bench.tasks()[0].task), 10, BOTH),
    "janitor": Case(with_leftovers, Bench.tidy, 13, BOTH, Bench.tidy, tidied),
}  # fmt: skip


def run(case: Case, bench: Bench, how: str, n: int) -> list[str]:
    """One cut run and what follows; gives the calls that the handler made."""
    case.prepare(bench)
    bench.pass_time(seconds=1)
    begun = bench.runs()
    with bench.calls.watch() as calls, suppress(Killed):
        setattr(calls, how, n)
        case.act(bench)
    made = calls.operations
    for place, times in (bench.runs() - begun).items():
        assert times <= 1, f"{place} was worked on {times} times by one message"
    expected = bench.runs() + still_to_run(case, bench)
    case.finish(bench)
    expected = expected or still_to_run(case, bench)
    bench.settle("probe", step_seconds=100)
    bench.pass_time(minutes=1)
    bench.sweep()
    settled(case, bench, expected)
    return made


def still_to_run(case: Case, bench: Bench) -> Counter[tuple[str, int]]:
    """For each row that has not ended, the acts that are left: an attempt once claimed has played its own or never will."""
    left: Counter[tuple[str, int]] = Counter()
    for row in bench.all_rows():
        acts = case.acts.get(row.row, [])
        if acts and row.status not in TERMINAL:
            rest = itertools.takewhile(lambda act: act not in ENDS, acts[row.attempt :])
            left[row.task.partition("/")[2], row.row] = len(list(rest)) + 1
    return left


def settled(case: Case, bench: Bench, expected: Counter[tuple[str, int]]) -> None:
    """What is true of every case once all has come to rest."""
    tasks, rows, runs = bench.tasks(), bench.all_rows(), bench.runs()
    assert len(tasks) == case.tasks
    for task in tasks:
        found = Counter(row.status for row in rows if row.task == task.task)
        assert task.status in CLOSED
        assert {"completed": task.completed, "error": task.error, "cancelled": task.cancelled} == {
            status: found[status] for status in TERMINAL
        }
        assert (found.total(), task.extracting) == (task.total, 0)
        assert task.active is None
        assert task.notified_at is not None
    assert sorted(row.status for row in rows) == sorted(case.statuses)
    lease = bench.gate("sweeper/0")
    assert lease is not None
    # Of one that died nobody clears the name: where nothing is due, a tick writes nothing but that it came.
    assert lease.holder is None or lease.lease_until < bench.clock.now
    assert {place: times for place, times in runs.items() if place in expected} == expected, (
        "work was done twice, or never"
    )
    assert max(runs.values()) <= max(map(len, case.acts.values())) + 1
    case.check(bench)


WORKERS = [name for name in CASES if name.startswith("worker")]
CUTS = [
    *(pytest.param(name, how) for name in CASES for how in ("cut_before", "lose_reply_of")),
    # After one call is before the next, but where something that is no AWS call lies between them: a worker's work.
    *(pytest.param(name, "cut_after") for name in WORKERS),
]


@pytest.mark.parametrize(("name", "how"), CUTS)
def test_all_comes_to_a_good_end_when_a_handler_is(name, how, tmp_path, monkeypatch):
    """At each of its calls in turn."""
    if name == "sweep, scatter":
        monkeypatch.setattr(scatter, "WAVE", 2)
        monkeypatch.setattr(manifest, "PART", 2)
    case, n = CASES[name], -1
    made: list[str] = []
    while n < len(made):
        n += 1
        with stack(tmp_path / "probe.log") as bench:
            try:
                made = run(case, bench, how, n)
            except BaseException as error:
                error.add_note(f"{name}: {how} {n}, {bench.calls.operations[n : n + 1]}")
                raise
    assert len(made) >= case.least, f"{name} makes only {made}"
