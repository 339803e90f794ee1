"""`make race` is run seldom, and with a network: that it can start, and that it counts right, is seen here without one."""

import ast
import json
from types import SimpleNamespace
from typing import Any

import pytest

import probe
from bench.race import diary, installing, measures, ours, table
from bench.race.__main__ import FIELDS, OURS
from bench.race.field import FIELD
from bench.race.peer import SCRIPTS
from tests.support.stack_file import ROOT

KILLED_AT = 10.0
RECORDED = """\
{"batch": "b", "number": 0, "event": "begun", "at": 9.0, "pid": 1}
{"batch": "b", "number": 0, "event": "ended", "at": 9.5, "pid": 1}
{"batch": "b", "number": 1, "event": "begun", "at": 9.6, "pid": 1}
{"batch": "other", "number": 1, "event": "begun", "at": 9.6, "pid": 2}
{"batch": "b", "number": 1, "event": "begun", "at": 40.0, "pid": 2}
{"batch": "b", "number": 1, "event": "ended", "at": 41.5, "pid": 2}
{"batch": "b", "number": 2, "event": "begun", "at": 10.1, "pid": 2}
{"batch": "b", "number": 2, "event": "ended", "at": 10.2, "pid": 2}
{"batch": "b", "number": 2, "event": "begun", "at": 10.3, "pid": 2}
{"batch": "b", "number": 2, "event": "ended", "at": 10.4, "pid": 2}
{"batch": "b", "number": 3, "event": "begun", "at": 42.0, "pid": 2}
{"batch": "b", "number": 3, "eve""".splitlines(keepends=True)


def test_a_kill_is_weighed_when_its_diary_is_read():
    """One of four was interrupted and done again 31.5 s later, one was done twice, one has not ended; half a line is none."""
    entries = diary.read(RECORDED, "b")
    assert diary.kept(entries, 4, KILLED_AT) == (1, 31.5, 1, 1, 1)
    assert diary.drained(entries) == pytest.approx((41.5 - 9.5) * 4 / 3)
    assert diary.last_end(entries) == 41.5


def test_who_holds_a_job_is_known_when_it_has_not_ended_there():
    assert [(entry.number, entry.pid) for entry in diary.at_work(diary.read(RECORDED, "b"))] == [(1, 1), (3, 2)]


def test_the_probe_s_calls_are_read_when_sheaf_races(tmp_path, monkeypatch):
    """The probe writes when it begins; a call whose process was killed before its sleep was over has no end."""
    monkeypatch.setenv("PROBE_LOG", str(tmp_path / "log"))
    for row in (0, 1):
        job: Any = SimpleNamespace(task="p/t", row=row, attempt=1, seconds_left=lambda: 9.0)
        probe._record(job, "ok")
    calls = (tmp_path / "log").read_text().splitlines()
    pid, begun = json.loads(calls[0])["pid"], json.loads(calls[1])["at"]
    whole = list(ours.entries(calls, "b", 0.5, {}, begun + 1))
    assert [(entry.number, entry.event) for entry in whole] == [(0, "begun"), (0, "ended"), (1, "begun"), (1, "ended")]
    killed = ours.entries(calls, "b", 0.5, {pid: begun + 0.1}, begun + 1)
    assert [entry.event for entry in killed] == ["begun", "begun"]
    running = ours.entries(calls, "b", 0.5, {}, begun + 0.1)
    assert [entry.event for entry in running] == ["begun", "begun"]


def test_a_table_is_made_when_lines_were_recorded():
    recorded = [
        json.dumps({"racer": "Sheaf", "versions": "1", "settings": "none"}),
        table.line("Sheaf", "status.1000", 12.345, "ms", calls=1, load=2.0),
        table.line("Celery", "status.1000", 1234.5, "ms", calls=1000, load=9.0),
        table.line("Celery", "kill.closed", float("inf"), "s"),
        table.line("Celery", "kill.lost", 0, "jobs", load=11.04),
        "Dramatiq cannot be installed here: no network",
    ]
    assert table.table(recorded).splitlines() == [
        "| measure | Sheaf | Celery |",
        "| --- | --- | --- |",
        "| status.1000, ms | 12.3 (1) | 1,234 (1,000) |",
        "| kill.closed, s | - | inf |",
        "| kill.lost, jobs | - | 0 |",
        "| load of the machine | 2 | 9-11 |",
    ]


class Instant:
    """A system in which everything is done at once, and of which half is killed to no effect."""

    settings = versions = "none"

    def __init__(self):
        self.entries, self.accepted = [], {}

    def accept(self, batch, count, sleep_ms):
        self.accepted[batch] = (count, sleep_ms / 1000)

    def progress(self, batch):
        return measures.Progress(0, 1)

    def work(self):
        for batch, (count, _) in self.accepted.items():
            for number in range(count):
                self.entries += [diary.Entry(batch, number, event, 5.0 + number, 1) for event in ("begun", "ended")]

    def wait(self, batch):
        return True

    def rest(self):
        pass

    def kill_half(self, batch):
        return 20.0

    def diary(self, batch):
        return [entry for entry in self.entries if entry.batch == batch]

    def clear(self):
        self.accepted.clear()


@pytest.mark.long
def test_every_measure_is_taken_when_a_system_races():
    found = {each.measure: each for each in measures.race(Instant(), size=0.01)}
    assert list(found) == [
        *("accept.100", "accept.1000", "accept.10000", "status.1000"),
        *("drain.noop", "close.noop", "drain.50ms", "overhead.50ms", "close.50ms"),
        *("kill.recovery", "kill.closed", "kill.again", "kill.twice", "kill.lost"),
    ]
    assert found["drain.noop"].value == pytest.approx(1.0)
    assert found["overhead.50ms"].value == pytest.approx(40 / (40 * 0.05 / 10))
    assert found["kill.lost"].value == 0


def test_all_five_race_when_nobody_is_chosen():
    assert list(FIELDS) == [OURS, "pg-boss", "Celery", "Dramatiq", "procrastinate"]


@pytest.mark.parametrize("name", FIELD)
def test_a_peer_s_program_and_versions_are_there_when_it_is_named(name):
    peer = FIELD[name]
    script = (SCRIPTS / peer.script).read_text()
    if peer.script.endswith(".py"):
        ast.parse(script)
    assert all(f"{verb}(" in script for verb in ("accept", "progress", "wait", "clear"))
    assert installing.versions(peer.packages).count(" ") >= len(peer.packages)


def test_make_help_lists_the_race():
    assert "\nrace: $(STAMP) ## " in (ROOT / "Makefile").read_text()
