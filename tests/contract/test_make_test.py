"""What `make test` shows and what it leaves out, on a machine with Chromium or without."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.scheduling import LONGEST, TOGETHER

pytestmark = pytest.mark.long

ROOT = Path(__file__).resolve().parents[2]
OF_THE_PAGE = "tests/browser/test_by_hand.py"


def _pytest(*arguments, **environment):
    """pytest as the Makefile calls it, on a PATH without any browser."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "NEED_", "COV_"))}
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "--parts", "-p", "no:cacheprovider", *arguments],
        check=False,
        cwd=ROOT,
        env=kept | {"PATH": "/nonexistent"} | environment,
        capture_output=True,
        text=True,
    )


def test_the_pages_tests_are_skipped_with_one_sentence_when_there_is_no_chromium():
    ended = _pytest(OF_THE_PAGE)
    assert ended.returncode == 0, ended.stdout
    assert ended.stdout.count("need Chromium: install it") == 1
    assert re.search(r"^\d+ skipped in ", ended.stdout, re.M)


def test_the_pages_tests_fail_when_ci_insists_on_them():
    assert "\nexport NEED_CHROMIUM=1\n" in (ROOT / ".ci" / "run").read_text()
    ended = _pytest(OF_THE_PAGE, NEED_CHROMIUM="1")
    assert ended.returncode == 1
    assert re.search(r"^\d+ error", ended.stdout, re.M), ended.stdout


@pytest.mark.parametrize("processes", [(), ("-n", "2")])
def test_each_part_is_told_and_no_dots_when_the_tests_are_run(processes):
    """The closing line stays as CI reads it."""
    ended = _pytest(*processes, "tests/unit/test_pace.py", "tests/contract/test_alarms.py")
    for line in (r"  unit +begins", r"  unit +done: \d+ in \d+ s", r"  contract +begins", r"  contract +done: .*"):
        assert re.search(f"^{line}$", ended.stdout, re.M), ended.stdout
    assert not re.search(r"^\.+", ended.stdout, re.M)
    assert re.search(r"^\d+ passed in ", ended.stdout, re.M)


def test_what_is_put_first_is_there():
    """A module that was moved would come last again, and keep one process busy when the others have ended."""
    assert [name for name in (*LONGEST, *TOGETHER) if not (ROOT / name).exists()] == []
