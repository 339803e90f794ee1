"""Logs hold what is on the list and nothing else: never a document's words."""

import json
import logging

import pytest

from sheaf.logs import FIELDS, say


@pytest.mark.parametrize("field", ["text", "filename", "content", "body", "quote", "user", "message_body"])
def test_a_field_is_refused_when_it_is_not_on_the_list(field):
    with pytest.raises(ValueError, match=field):
        say("event", **{field: "x"})


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
