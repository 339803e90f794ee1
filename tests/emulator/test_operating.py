"""The lines of docs/operating.md, as they stand: a stack is stopped, its tables are restored, a project is erased with proof.

They stand between `<!-- run: NAME -->` and `<!-- /run -->`. The emulator restores a table as it is at that moment, so what is
spoiled here is spoiled after its copy was made.
"""

import re
import subprocess
import sys
from functools import partial

import pytest

from local.settings import ROOT, tool_environment
from tests.support.deployed import TASKS, Deployed, eventually

pytestmark = [pytest.mark.emulator, pytest.mark.chaos]
"""On demand (`make chaos`): it waits for minutes, on a stack of its own."""

BLOCKS = dict(
    re.findall(
        r"<!-- run: ([\w-]+) -->\n```sh\n(.*?)```\n<!-- /run -->", (ROOT / "docs" / "operating.md").read_text(), re.S
    )
)


@pytest.fixture(scope="module")
def own(tmp_path_factory):
    """A stack that nobody else uses: it is stopped, and its tables are deleted."""
    made = Deployed(tmp_path_factory.mktemp("stack"), "sheaf")
    try:
        yield made
    finally:
        made.remove()


@pytest.fixture
def lines(own, tmp_path):
    """Gives what blocks of the page print, in one shell that stops at the first failure."""
    aws = tmp_path / "aws"
    aws.write_text(f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" -m tests.support.aws_cli "$@"\n')
    aws.chmod(0o755)

    def run(*names, **more):
        scratch = tmp_path / "scratch"
        scratch.mkdir(exist_ok=True)
        environment = tool_environment(own.endpoint, scratch) | more
        environment["PATH"] = f"{tmp_path}:{environment['PATH']}"
        script = "\n".join(BLOCKS[name] for name in names)
        command = ["bash", "-e", "-u", "-o", "pipefail", "-c", script]
        ran = subprocess.run(command, check=False, env=environment, capture_output=True, text=True, timeout=900)
        assert ran.returncode == 0, ran.stdout + ran.stderr
        return ran.stdout

    return run


def finished(own, project="demo"):
    """A task of two rows that is done."""
    task_id = own.open(own.probes([{}, {"acts": ["permanent"]}], project=project))["taskId"]
    own.closed(task_id)
    return task_id


def no_rows(own, task_id):
    return own.rows(task_id) == []


def spoil(own, table, key, *more):
    """Delete all of a table's items."""
    dynamodb, name = own.client("dynamodb"), own.physical(table)
    for item in dynamodb.scan(TableName=name)["Items"]:
        dynamodb.delete_item(TableName=name, Key={part: item[part] for part in (key, *more)})


def test_a_finished_table_is_read_as_it_was_when_its_tables_were_spoiled_and_restored(own, lines):
    task_id = finished(own)
    before = own.see(task_id), own.table(task_id)
    functions = [own.physical(name) for name in ("ApiFunction", "ProbeFunction")]
    lines("names", "stop")
    for name in functions:
        kept = own.client("lambda").get_function_concurrency(FunctionName=name)
        assert kept["ReservedConcurrentExecutions"] == 0
    assert own.ask("GET", f"{TASKS}/{task_id}").status >= 429
    lines("names", "beside")
    spoil(own, "TasksTable", "task")
    spoil(own, "ResultsTable", "shard", "row")
    lines("names", "in-place", "start")
    assert (own.see(task_id), own.table(task_id)) == before
    recovery = own.client("dynamodb").describe_continuous_backups(TableName=own.physical("TasksTable"))
    assert (
        recovery["ContinuousBackupsDescription"]["PointInTimeRecoveryDescription"]["PointInTimeRecoveryStatus"]
        == "ENABLED"
    )
    # And work goes on, in tables that were made anew.
    assert own.see(finished(own))["completedCount"] == 1


def test_nothing_of_a_project_is_left_when_it_was_erased_and_another_one_has_all_of_its_own(own, lines):
    """Named alike, so that a prefix would take the other's too."""
    finished(own)
    left = own.papers([b"Another project's paper."], project="demo2", base="own")
    assert lines("erase-names", "proof", PROJECT="demo") != ""
    for task in own.ask("GET", TASKS).body["tasks"]:
        assert own.ask("DELETE", f"{TASKS}/{task['taskId']}").status == 204
        eventually(partial(no_rows, own, task["taskId"]), "the rows' end")
    lines("erase-names", "erase", PROJECT="demo")
    assert lines("erase-names", "proof", PROJECT="demo") == ""
    assert left[0] in lines("erase-names", "proof", PROJECT="demo2")
