"""Logs hold what is on the list and nothing else: never a document's words."""

import json
import logging
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from sheaf.logs import FIELDS, invoked, say
from tests.support.clock import Clock, Context


@pytest.mark.parametrize("field", ["text", "filename", "content", "body", "quote", "user", "message_body"])
def test_a_field_is_refused_when_it_is_not_on_the_list(field):
    fields: dict[str, Any] = {field: "x"}
    with pytest.raises(ValueError, match=field):
        say("event", **fields)


def test_one_json_line_is_written_when_everything_said_is_on_the_list(caplog):
    """As CloudWatch and the dashboard's query read it."""
    say("row_ended", task="p1/t1", row=3, status="completed")
    line = logging.getLogger("sheaf").handlers[0].format(caplog.records[-1])
    said = json.loads(line)
    assert "\n" not in line
    assert (said["message"], said["task"], said["row"], said["status"]) == ("row_ended", "p1/t1", 3, "completed")


def test_no_field_of_the_list_can_hold_a_documents_words():
    """Names that would invite text are not there."""
    assert not FIELDS & {"text", "filename", "quote", "value", "data", "summary", "name", "error_message"}


def line_of(record):
    return json.loads(logging.getLogger("sheaf").handlers[0].format(record))


def test_a_metric_is_refused_when_it_is_not_on_the_list():
    with pytest.raises(ValueError, match="RowsEaten"):
        say("event", measured={"RowsEaten": 1}, kind="probe")


def test_metrics_of_two_dimensions_are_refused_when_one_line_is_to_hold_them():
    with pytest.raises(ValueError, match="too many values"):
        say("event", measured={"Throttles": 1, "RowsFailed": 1}, kind="probe", provider="openai")


def test_a_line_is_what_cloudwatch_takes_when_something_was_measured(caplog, monkeypatch):
    """Namespace, dimensions and units as the alarms name them; the line's own fields stay beside."""
    monkeypatch.setenv("POWERTOOLS_SERVICE_NAME", "my-stack")
    say("row_ended", measured={"RowsCompleted": 1, "OldestPendingSeconds": 2.5}, kind="probe", task="p1/t1")
    said = line_of(caplog.records[-1])
    assert said["_aws"]["CloudWatchMetrics"] == [
        {
            "Namespace": "Sheaf",
            "Dimensions": [["kind", "service"]],
            "Metrics": [
                {"Name": "RowsCompleted", "Unit": "Count"},
                {"Name": "OldestPendingSeconds", "Unit": "Seconds"},
            ],
        }
    ]
    assert (said["kind"], said["service"], said["task"]) == ("probe", "my-stack", "p1/t1")
    assert (said["RowsCompleted"], said["OldestPendingSeconds"]) == ([1.0], [2.5])


def test_a_line_holds_its_own_values_alone_when_threads_measure_side_by_side(caplog):
    """Mutation caught: Powertools' `Metrics`, whose values all threads share."""
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: say("row_ended", measured={"RowsCompleted": n}, kind=f"kind{n}"), range(200)))
    said = [line_of(record) for record in caplog.records]
    assert sorted((line["kind"], line["RowsCompleted"]) for line in said) == sorted(
        (f"kind{n}", [float(n)]) for n in range(200)
    )


def test_a_line_has_no_metrics_when_nothing_was_measured(caplog):
    say("row_ended", measured={}, task="p1/t1")
    assert "_aws" not in line_of(caplog.records[-1])


def test_each_line_says_its_request_and_whether_the_process_is_new_when_a_handler_runs(caplog):
    @invoked
    def handler(_event, _context):
        say("event")
        return "answer"

    for number in range(2):
        assert handler({}, Context(Clock(), 0, aws_request_id=f"request-{number}")) == "answer"
        said = line_of(caplog.records[-1])
        assert said["function_request_id"] == f"request-{number}"
        assert said["cold_start"] in {number == 0, False}
