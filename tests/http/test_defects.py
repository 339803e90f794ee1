"""A defect of ours: the caller is told that it is not his fault, the operator where it is, and nobody anything else."""

import json

import pytest

from sheaf.errors import ConfigError
from sheaf.outside import wiring
from sheaf.settings import ApiSettings
from tests.http.front import TASKS
from tests.support.calls import aws_error

CANARY = "canary-in-the-words-of-an-exception"


@pytest.mark.parametrize(
    "error",
    [KeyError(CANARY), RecursionError(CANARY), aws_error("AccessDeniedException"), ValueError(CANARY)],
    ids=lambda error: type(error).__name__,
)
def test_the_answer_is_a_problem_without_details_when_nobody_thought_of_the_error(bench, front, heard, error):
    """And one line of the log has the kind of error and the way to it, but not its words."""
    with bench.calls.watch() as calls:
        calls.fail("GetItem", error)
        answer = front.get(f"{TASKS}/{'a' * 20}")
    assert (answer.status, answer.problem) == (500, "internal")
    assert CANARY not in answer.text
    assert type(error).__name__ not in answer.text
    (line,) = [json.loads(line) for line in heard]
    assert (line["message"], line["level"]) == ("request_failed", "ERROR")
    assert line["reason"] == type(error).__name__
    assert line["route"] == f"GET /api/v1{TASKS}/{'a' * 20}"
    assert "tasks.py:" in line["where"]
    assert CANARY not in json.dumps(line)


def test_the_function_fails_when_its_settings_are_missing(bench, front, monkeypatch):
    """No answer hides a broken deployment: the smoke test and the metric of errors see the exception."""
    monkeypatch.delitem(wiring.worlds, ApiSettings)
    monkeypatch.delenv("TASKS_TABLE", raising=False)
    with pytest.raises(ConfigError, match="TASKS_TABLE"):
        front.get(TASKS)
