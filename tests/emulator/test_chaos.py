"""Everything at once, on a stack of its own: workers and aggregator killed, messages doubled and lost, the machine
stopped and started. The task closes, its counts are right, and every call is accounted for.

Twice: small in `make check`, and whole, with twenty kills among three hundred documents, in `make chaos`.
"""

import random

import pytest

from tests.support.deployed import CLOSED, Deployed, eventually
from tests.support.trouble import Trouble, account

pytestmark = [pytest.mark.emulator, pytest.mark.slow]

WITHIN_SECONDS = 900
# A script, and how many of the documents have it.
MIX = [
    (["ok"], 12),
    (["throttle:1", "ok"], 2),
    (["throttle:1", "throttle:1", "throttle:1", "ok"], 1),
    (["transient", "ok"], 2),
    (["defect", "ok"], 1),
    (["permanent"], 1),
    (["transient", "permanent"], 1),
]


@pytest.fixture
def own(tmp_path):
    """A stack that nobody else uses: this test stops it."""
    made = Deployed(tmp_path, "sheaf-chaos")
    try:
        yield made
    finally:
        made.remove()


def _scripts(chance, documents):
    kinds = [acts for acts, weight in MIX for _ in range(weight)]
    return [{"acts": chance.choice(kinds), "sleep_ms": chance.randrange(500, 3500)} for _ in range(documents)]


@pytest.mark.parametrize(
    ("documents", "kills"),
    [
        pytest.param(60, 4, id="small"),
        pytest.param(300, 20, id="whole", marks=pytest.mark.chaos),
    ],
)
def test_the_task_closes_and_every_call_is_accounted_for_when_everything_goes_wrong(own, seed, documents, kills):
    """Workers and aggregator killed, every message twice, the queue purged, and a restart in the middle."""
    chance = random.Random(seed)
    scripts = _scripts(chance, documents)
    trouble = Trouble(own, own.open(own.probes(scripts))["taskId"], chance)
    trouble.double()

    trouble.until(0.1)
    killed = trouble.kill_some_at_work(kills // 2)
    eventually(lambda: trouble.kill_all("AggregatorFunction"), "an aggregator to kill")
    trouble.until(0.35)
    trouble.purge()
    trouble.until(0.45)
    trouble.restart()
    trouble.until(0.55)
    killed += trouble.kill_some_at_work(kills - kills // 2)
    assert killed == kills, trouble.told
    task = own.closed(trouble.task_id, within=WITHIN_SECONDS)
    trouble.note("closed")
    _hold_to_account(own, scripts, task, trouble)


def _hold_to_account(own, scripts, task, trouble):
    rows, calls = own.rows(trouble.task_id), own.calls(trouble.task_id)
    assert [row.status for row in rows] == [_end(script) for script in scripts], trouble.told
    assert task["status"] == "completed"
    assert (task["pendingCount"], task["extractingCount"], task["cancelledCount"]) == (0, 0, 0)
    assert task["errorCount"] == sum(_end(script) == "error" for script in scripts)
    assert task["completedCount"] == len(scripts) - task["errorCount"]
    for number, (script, row) in enumerate(zip(scripts, rows, strict=True)):
        account(script["acts"], row, [call for call in calls if call["row"] == number], trouble)
    assert own.see(trouble.task_id)["status"] in CLOSED
    assert trouble.task_id not in own.active()


def _end(script):
    return "error" if script["acts"][-1] == "permanent" else "completed"
