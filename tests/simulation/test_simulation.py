"""A taste of `python -m tests.simulation`: some seeds, some single faults, the kept cases, and that every planted bug fits."""

import json
import os
import subprocess
import sys
from collections import Counter

from sheaf.items import ProviderGate, Row, SweeperLease
from tests.simulation import quick
from tests.simulation.__main__ import FOUND_AT
from tests.simulation.matrix import gaps, wanted
from tests.simulation.planted.bugs import BUGS
from tests.simulation.planted.planting import fits
from tests.simulation.processes import ROOT
from tests.support.shelf import a_document, usable


def _simulation(*words: str) -> dict[str, object]:
    """Its last line. In a process of its own: a simulation changes the product's numbers, and the order of sets is fixed."""
    environment = {**os.environ, "PYTHONHASHSEED": "0"}
    done = subprocess.run(
        [sys.executable, "-m", "tests.simulation", *words],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-8_000:] + done.stderr[-4_000:]
    return dict(json.loads(done.stdout.splitlines()[-1]))


def test_nothing_breaks_in_a_hundred_seeds():
    found = _simulation("--seeds", "100", "--first", "700000")

    assert found["violations"] == 0
    assert found["seeds"] == 100


def test_nothing_breaks_again_that_was_found_before():
    assert _simulation("--kept")["violations"] == 0


def test_every_planted_bug_still_fits_the_product():
    assert len(BUGS) >= 40
    assert {bug.name: missing for bug in BUGS if (missing := fits(bug, ROOT))} == {}


def test_a_failure_says_seed_commit_and_the_few_faults_that_it_takes_when_a_bug_is_planted():
    words = [sys.executable, "-m", "tests.simulation", "--plant", "fence on the state only", "--first", "300"]
    environment = {**os.environ, "PYTHONHASHSEED": "0"}
    told = subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True, check=True).stdout
    rule, seed, command, *trace = told.splitlines()
    assert rule.startswith("S4: row ")
    assert "commit" in seed
    assert seed.count("outlive worker-") == 1
    assert "--mix 'late finishers'" in command
    assert any("VIOLATION S4" in line for line in trace)
    assert len(trace) <= 45


def test_a_planted_bug_is_found_within_half_the_seeds_that_it_is_given():
    found = _simulation("--planted", "expire names no attempt", "--first", "40000")
    assert found["planted"] == "1/1"


def test_no_seed_is_kept_for_a_bug_that_is_gone():
    assert json.loads(FOUND_AT.read_text()).keys() <= {bug.name for bug in BUGS}


BOTH_WAYS = """
from tests.simulation.processes import ROOT, use
use(ROOT)
from tests.simulation.exhaustive import STORIES, alone, branched, singles
story = STORIES["kinds"]
faults = list(singles(story))
copied, played = branched(story, faults), alone(story, faults)
assert copied.runs == len(faults) > 5, copied
assert copied == played, (copied.cells - played.cells, played.cells - copied.cells)
"""


def test_a_run_that_branches_off_is_the_run_that_is_played_from_the_beginning():
    """Mutation caught: a copy that goes on without its fault, or tells the original's cells."""
    words = [sys.executable, "-c", BOTH_WAYS]
    told = subprocess.run(
        words, cwd=ROOT, env={**os.environ, "PYTHONHASHSEED": "0"}, capture_output=True, text=True, check=False
    )
    assert told.returncode == 0, told.stderr


def test_a_cell_that_was_not_met_is_a_gap():
    cells = Counter(wanted())
    assert gaps(cells) == []
    cells["worker", "update_item", "kill_after"] = 0
    cells["worker", "scan", "none"] = 1
    assert gaps(cells) == ["kill_after never met worker update_item", "matrix.CALLS lacks worker scan"]


def test_an_item_is_read_as_pynamodb_reads_it():
    """The simulation reads items quicker than PynamoDB does, and must not read them otherwise."""
    told = usable("a.pdf", "texts/p/d/1.json", "v1")
    items = [
        a_document("p", "k", "d", usable=told, reason="Why"),
        SweeperLease(gate="sweeper", wanted={"a", "b"}, lease_until=5),
        ProviderGate(gate="provider/openai/p", parked=True),
        Row(
            shard="p/t/0000",
            row=3,
            status="pending",
            document="d",
            options={"template": "rct@1"},
            pinned_key="k",
            created_at=1,
            updated_at=2,
        ),
    ]
    for item in items:
        stored = {**item.serialize(), "of_a_newer_version": {"S": "x"}, "due_at": {"NULL": True}}
        plain, quicker = type(item).from_raw_data(stored), quick.from_raw_data(type(item), stored)
        assert quicker.attribute_values == plain.attribute_values
        assert quicker.serialize() == plain.serialize()


def test_a_seed_gives_the_same_run_twice():
    words = [sys.executable, "-m", "tests.simulation", "--seed", "3"]
    environment = {**os.environ, "PYTHONHASHSEED": "0"}

    runs = [
        subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True, check=True).stdout
        for _ in range(2)
    ]

    assert runs[0] == runs[1]
