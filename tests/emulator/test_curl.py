"""The session with curl in docs/http.md, executed as it stands: whoever types it must come to a table.

Its blocks stand between `<!-- session -->` and `<!-- /session -->`, fenced as sh, and run in order in one bash, in a
folder where `.sheaf/local.json` is this stack's own. The page asks for `make run` before: a task over the samples.
"""

import json
import os
import re
import subprocess

import pytest

from local.settings import ROOT
from tests.support.deployed import TASKS, eventually

pytestmark = pytest.mark.emulator

PAGE = ROOT / "docs" / "http.md"
PAPERS = sorted(paper.name for paper in (ROOT / "samples").glob("*.nxml"))
SESSION = re.compile(r"<!-- session -->(.*?)<!-- /session -->", re.S)
BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.S | re.M)


def commands(page):
    """The session's commands, as one script. Raises ValueError where the page has none."""
    found = [block for session in SESSION.findall(page) for block in BLOCK.findall(session)]
    if not found:
        raise ValueError("no sh block between <!-- session --> and <!-- /session -->")
    return "\n".join(found)


def run(script, folder):
    """The script in a shell that stops at the first failure; what it printed, and the commands as it went."""
    # Nothing of whoever runs the tests, and no proxy: curl talks to the loopback.
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "TMPDIR": str(folder), "NO_PROXY": "*"}
    command = ["bash", "-x", "-e", "-u", "-o", "pipefail", "-c", script]
    return subprocess.run(
        command, check=False, cwd=folder, env=environment, capture_output=True, text=True, timeout=600
    )


@pytest.fixture
def after_make_run(deployed, tmp_path):
    """A folder as `make run` leaves it, of a project where nothing else happened: the samples, read by one task."""
    (tmp_path / ".sheaf").mkdir()
    (tmp_path / ".sheaf" / "local.json").write_text(json.dumps(deployed.places("reader")))
    documents = [
        deployed.papers([(ROOT / "samples" / name).read_bytes()], project="page", base="samples", name=name)[0]
        for name in PAPERS
    ]
    task_id = deployed.open(documents, kind="extract_paper", who="reader")["taskId"]
    eventually(lambda: deployed.see(task_id, "reader")["status"] == "completed", "the demo's end")
    return tmp_path, documents


def test_the_page_s_session_ends_in_a_table_when_it_is_typed_as_it_stands(deployed, after_make_run):
    """Every command succeeds: every paper is a line of the table, and the deleted task's key stays used."""
    folder, documents = after_make_run
    ran = run(commands(PAGE.read_text()), folder)
    assert ran.returncode == 0, ran.stdout[-2000:] + ran.stderr[-4000:]
    said = ran.stdout.splitlines()
    (task_id,) = re.findall(rf"^task (\w+) is processing, {len(documents)} documents$", ran.stdout, re.M)
    table = dict(line.split()[:2] for line in said if line.startswith(f"{task_id}-"))
    assert table == {f"{task_id}-{number}": name for number, name in enumerate(PAPERS)}
    assert f"row 0 is completed: {documents[0]} in version" in ran.stdout
    assert said[-1] == "urn:sheaf:problem:task-deleted"
    assert deployed.ask("GET", f"{TASKS}/{task_id}", who="reader").status == 404


def test_a_session_is_not_believed_when_one_of_its_commands_fails(tmp_path):
    """The runner itself: it stops at the first failure, also in a pipe, and reads nothing outside the marks."""
    page = "```sh\necho outside\n```\n<!-- session -->\n```sh\necho in\n```\n{}```sh\necho on\n```\n<!-- /session -->"
    well = run(commands(page.format("")), tmp_path)
    broken = run(commands(page.format("```sh\nfalse | cat\n```\n")), tmp_path)
    assert (well.returncode, well.stdout.split()) == (0, ["in", "on"])
    assert (broken.returncode == 0, broken.stdout.split()) == (False, ["in"])
    with pytest.raises(ValueError, match="no sh block"):
        commands("```sh\necho outside\n```")
