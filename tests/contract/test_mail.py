"""Mail of a close needs no code: a rule that takes the very events that the aggregator sends, and words made of them."""

import re

import pytest

from tests.support import stack_file

MADE = stack_file.load()
RULE = MADE["Resources"]["NoticeRule"]["Properties"]
(TARGET,) = RULE["Targets"]


def is_taken(pattern, event):
    """EventBridge's own way with lists of values."""
    return all(
        is_taken(wanted, event[name]) if isinstance(wanted, dict) else event.get(name) in wanted
        for name, wanted in pattern.items()
    )


@pytest.fixture
def sent(bench):
    """The events of a task that closes and of an export of it, as they come to the bus."""
    task = bench.open([bench.paper("No trial.", "none.txt", read=b"{}")])
    with bench.calls.watch() as calls:
        bench.settle()
        bench.http("POST", f"/asl/extraction/tasks/{task}/exports", {"format": "csv"})
        bench.settle("export_table")
        entries = [entry for _, name, told in calls.made if name == "PutEvents" for entry in told["Entries"]]
    notices = iter(bench.notices)
    return [{"source": each["Source"], "detail-type": each["DetailType"], "detail": next(notices)} for each in entries]


def pattern(table):
    detail = RULE["EventPattern"]["detail"]
    assert detail["tasksTable"] == [{"Ref": "TasksTable"}]
    return {**RULE["EventPattern"], "detail": {**detail, "tasksTable": [table]}}


def test_the_rule_takes_the_close_of_a_task_and_not_of_an_export_or_of_another_stack(sent):
    """Mutation caught: an event without its table, and so mail of every stack of the account from each of them."""
    assert [is_taken(pattern("TasksTable"), event) for event in sent] == [True, False]
    assert [is_taken(pattern("another-TasksTable"), event) for event in sent] == [False, False]


def test_the_words_name_what_the_event_has(sent):
    paths = TARGET["InputTransformer"]["InputPathsMap"]
    assert {path.removeprefix("$.detail.") for path in paths.values()} <= sent[0]["detail"].keys()
    text, _ = TARGET["InputTransformer"]["InputTemplate"]["Fn::Sub"]
    assert set(re.findall(r"<(\w+)>", text)) == paths.keys()
    assert all(line[0] == line[-1] == '"' for line in text.splitlines())


def test_the_topic_takes_messages_of_eventbridge_and_is_there_only_with_an_address():
    """Mutation caught: a condition in its policy, with which EventBridge publishes nothing."""
    for name in ("NoticeTopic", "NoticeTopicPolicy", "NoticeRule"):
        assert MADE["Resources"][name]["Condition"] == "WithNoticeEmail"
    (statement,) = MADE["Resources"]["NoticeTopicPolicy"]["Properties"]["PolicyDocument"]["Statement"]
    assert statement["Principal"] == {"Service": "events.amazonaws.com"}
    assert "Condition" not in statement
