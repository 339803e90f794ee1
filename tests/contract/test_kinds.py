"""Each kind of work is whole: module, queue, dead letters, function, mappings, and who may send and receive."""

import importlib
import json
import re

import pytest

from sheaf.jobs import Desk
from sheaf.protocol import row_messages
from sheaf.settings import Kinds
from tests.support import kinds as laid
from tests.support import new_kind, stack_file
from tests.support.kinds import names

TEMPLATES = {"template.yaml": stack_file.load(), **{f"with {name}": stack_file.with_kind(name) for name in laid.NAMES}}
RECEIVE = {"sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"}
SIX = 6
SQS_MAX = 1_209_600


def kinds(made):
    text = made["Globals"]["Function"]["Environment"]["Variables"]["KINDS"]["Fn::Sub"]
    return Kinds.read(re.sub(r"\$\{(\w+)\}", lambda match: match[1] if "Queue" in match[1] else "4", text))


def value(made, given):
    """A number, through the parameter that it is."""
    return made["Parameters"][given["Ref"]]["Default"] if isinstance(given, dict) else given


EVERY = [pytest.param(made, kind, id=f"{kind}, {which}") for which, made in TEMPLATES.items() for kind in kinds(made)]
each_kind = pytest.mark.parametrize(("made", "kind"), EVERY)
each_queue = pytest.mark.parametrize(
    ("made", "kind"),
    [
        *EVERY,
        *[pytest.param(TEMPLATES["template.yaml"], name, id=f"{name}, template.yaml") for name in ("intake", "notice")],
    ],
)


def resource(made, kind, suffix, of_type):
    body = made["Resources"][f"{names(kind)[0]}{suffix}"]
    assert body["Type"] == of_type
    return body["Properties"]


@pytest.mark.parametrize("name", laid.NAMES)
def test_a_kind_s_block_adds_that_kind_and_changes_nothing_else_when_it_is_laid_on(name):
    """But for the dashboard, which has curves of each kind, and for the API, which looks at each kind's mapping."""
    own = ["extract_paper", "export_table", "clean_sheet"]
    assert list(kinds(TEMPLATES["template.yaml"])) == own
    assert list(kinds(TEMPLATES[f"with {name}"])) == [*own, name]
    base, whole = (TEMPLATES[which]["Resources"] for which in ("template.yaml", f"with {name}"))
    assert {each for each in base if whole[each] != base[each]} == {"Dashboard", "ApiFunction"}
    assert all(each.startswith(names(name)[0]) for each in whole.keys() - base.keys())


@each_kind
def test_a_kind_is_watched_when_somebody_opens_the_dashboard(made, kind):
    body = json.loads(made["Resources"]["Dashboard"]["Properties"]["DashboardBody"]["Fn::Sub"])
    shown = [curve for widget in body["widgets"] for curve in widget["properties"].get("metrics", [])]
    assert {curve[-1]["label"] for curve in shown if f"{{{names(kind)[0]}" in json.dumps(curve)} == {
        f"{kind} {what}"
        for what in ("waiting", "hidden or at work", "invocations", "errors", "throttles", "ms", "dead letters")
    }


@each_kind
def test_somebody_is_told_when_a_kind_s_messages_die(made, kind):
    alarm = resource(made, kind, "DeadLettersAlarm", "AWS::CloudWatch::Alarm")
    assert alarm["Dimensions"] == [
        {"Name": "QueueName", "Value": {"Fn::GetAtt": [f"{names(kind)[0]}DeadLetters", "QueueName"]}}
    ]
    assert kind in alarm["AlarmDescription"]


@each_kind
def test_a_kind_has_a_module_that_can_work(made, kind):
    module = kinds(made)[kind].module
    assert callable(importlib.import_module(module).work)


@each_kind
def test_a_kind_has_a_desk_that_can_do_all_that_is_asked_of_one(made, kind):
    if kind not in kinds(made).ordered:
        return  # exports are ordered at a task: tests/http/test_exports.py
    desk = importlib.import_module(kinds(made)[kind].desk)
    assert [name for name in vars(Desk) if not name.startswith("_") and not callable(getattr(desk, name, None))] == []
    assert desk.SCHEMA["properties"].keys().isdisjoint({"kind", "idempotencyKey"})


@each_kind
def test_a_kind_says_what_to_do_at_expiry_in_words_that_exist(made, kind):
    assert kinds(made)[kind].on_expiry in {"retry", "error"}


@each_kind
def test_a_kinds_function_is_told_which_kind_it_is(made, kind):
    function = resource(made, kind, "Function", "AWS::Serverless::Function")
    assert function["Environment"]["Variables"]["KIND"] == kind
    assert function["Handler"] == "worker.lambda_handler"
    assert kinds(made)[kind].queue == f"{names(kind)[0]}Queue"


@each_queue
def test_a_kinds_queue_feeds_its_function_one_message_at_a_time(made, kind):
    """Batch size 1 and partial answers: a message that must wait holds up no other, and stays by being reported."""
    mapping = resource(made, kind, "Mapping", "AWS::Lambda::EventSourceMapping")
    assert mapping["EventSourceArn"] == {"Fn::GetAtt": [f"{names(kind)[0]}Queue", "Arn"]}
    assert mapping["FunctionName"] == {"Ref": f"{names(kind)[0]}Function"}
    assert mapping["BatchSize"] == 1
    assert mapping["FunctionResponseTypes"] == ["ReportBatchItemFailures"]
    assert "ProvisionedPollerConfig" not in mapping
    assert mapping.get("MaximumBatchingWindowInSeconds", 0) == 0
    waits_for = made["Resources"][f"{names(kind)[0]}Mapping"]["DependsOn"]
    assert f"{names(kind)[0]}Receive" in ([waits_for] if isinstance(waits_for, str) else waits_for)


@each_kind
def test_a_kinds_concurrency_is_a_parameter_and_ten_unless_said(made, kind):
    scaling = resource(made, kind, "Mapping", "AWS::Lambda::EventSourceMapping")["ScalingConfig"]
    assert scaling == {"MaximumConcurrency": {"Ref": f"{names(kind)[0]}Concurrency"}}
    assert made["Parameters"][f"{names(kind)[0]}Concurrency"]["Default"] == 10
    assert "ReservedConcurrentExecutions" not in resource(made, kind, "Function", "AWS::Serverless::Function")


@each_queue
def test_a_kinds_messages_stay_hidden_for_six_times_its_time_limit(made, kind):
    """Lambda's own rule: less, and a message comes back while its worker is still at it."""
    queue = resource(made, kind, "Queue", "AWS::SQS::Queue")
    function = resource(made, kind, "Function", "AWS::Serverless::Function")
    assert value(made, queue["VisibilityTimeout"]) >= SIX * value(made, function["Timeout"])
    assert value(made, function["Timeout"]) <= 900


@each_queue
def test_a_kinds_dead_messages_go_where_they_live_longer(made, kind):
    """A dead letter keeps the age of its message: with the same retention it would be gone on arrival."""
    queue = resource(made, kind, "Queue", "AWS::SQS::Queue")
    dead = resource(made, kind, "DeadLetters", "AWS::SQS::Queue")
    assert queue["RedrivePolicy"] == {
        "deadLetterTargetArn": {"Fn::GetAtt": [f"{names(kind)[0]}DeadLetters", "Arn"]},
        "maxReceiveCount": {"Ref": "MaxReceives"},
    }
    assert "RedrivePolicy" not in dead
    retention = value(made, queue["MessageRetentionPeriod"])
    assert retention < value(made, dead["MessageRetentionPeriod"]) <= SQS_MAX


def allowed(made, name):
    """Roles and actions of one policy, and the resource that it is for."""
    body = made["Resources"][name]
    assert body["Type"] == "AWS::IAM::Policy"
    (statement,) = body["Properties"]["PolicyDocument"]["Statement"]
    assert statement["Effect"] == "Allow"
    roles = {role["Ref"] for role in body["Properties"]["Roles"]}
    return roles, set(statement["Action"]), statement["Resource"]["Fn::GetAtt"][0]


@each_kind
def test_a_kinds_messages_are_sent_by_the_api_and_the_aggregator_alone(made, kind):
    roles, actions, queue = allowed(made, f"{names(kind)[0]}Send")
    assert roles == {"ApiFunctionRole", "AggregatorFunctionRole"}
    assert actions <= {"sqs:SendMessage", "sqs:SendMessage*", "sqs:GetQueueAttributes"}
    assert len(actions) == 2
    assert queue == f"{names(kind)[0]}Queue"


@each_kind
def test_the_api_may_look_at_a_kinds_mapping_and_at_its_dead_letters_and_at_no_other(made, kind):
    """Mutation caught: a kind without its mapping's id, a pattern for an id, sending to dead letters."""
    name = names(kind)[0]
    mappings = made["Resources"]["ApiFunction"]["Properties"]["Environment"]["Variables"]["MAPPINGS"]["Fn::Sub"]
    assert f"{kind}=${{{name}Mapping}}" in mappings.split()
    body = resource(made, kind, "Looks", "AWS::IAM::Policy")
    assert body["Roles"] == [{"Ref": "ApiFunctionRole"}]
    mapping, dead = body["PolicyDocument"]["Statement"]
    assert mapping["Action"] == ["lambda:GetEventSourceMapping", "lambda:ListEventSourceMappings"]
    assert mapping["Resource"]["Fn::Sub"].endswith(f":event-source-mapping:${{{name}Mapping}}")
    assert (dead["Action"], dead["Resource"]) == (
        ["sqs:GetQueueAttributes"],
        {"Fn::GetAtt": [f"{name}DeadLetters", "Arn"]},
    )


@each_queue
def test_a_kinds_messages_are_received_by_its_function_alone(made, kind):
    roles, actions, queue = allowed(made, f"{names(kind)[0]}Receive")
    assert (roles, queue) == ({f"{names(kind)[0]}FunctionRole"}, f"{names(kind)[0]}Queue")
    assert actions == RECEIVE | {"sqs:ChangeMessageVisibility"}


@pytest.mark.parametrize("which", TEMPLATES)
def test_every_queue_and_mapping_belongs_to_a_kind_to_the_intake_or_to_notices(which):
    made = TEMPLATES[which]
    for of_type, suffixes in (
        ("AWS::SQS::Queue", ("Queue", "DeadLetters")),
        ("AWS::Lambda::EventSourceMapping", ("Mapping",)),
    ):
        assert set(stack_file.resources(made, of_type)) == {
            f"{names(kind)[0]}{suffix}" for kind in (*kinds(made), "intake", "notice") for suffix in suffixes
        }


def test_waiting_is_no_way_to_die_when_messages_are_hidden_often():
    """◆ Every hide is a receive: the queue's own maximum is high, so that an innocent message seldom dies of waiting."""
    assert stack_file.load()["Parameters"]["MaxReceives"]["Default"] >= 100


@pytest.mark.parametrize(("name", "least"), [("LeaseSlackSeconds", 60), ("StallWindowSeconds", 60), ("MaxTries", 1)])
def test_a_number_cannot_be_set_too_low_when_the_protocol_leans_on_it(name, least):
    parameter = stack_file.load()["Parameters"][name]
    assert parameter["MinValue"] >= least
    assert parameter["Default"] >= parameter["MinValue"]


def test_the_numbers_are_the_promised_ones_when_nothing_is_said():
    defaults = stack_file.parameters(stack_file.load())
    assert {name: defaults[name] for name in ("MaxTries", "LeaseSlackSeconds", "StallWindowSeconds", "RowDeadlineSeconds")} == {
        "MaxTries": 4, "LeaseSlackSeconds": 60, "StallWindowSeconds": 600, "RowDeadlineSeconds": 7 * 24 * 3600,
    }  # fmt: skip


@pytest.mark.parametrize("name", [name for name in laid.NAMES if laid.block(name).with_suffix(".json").exists()])
def test_a_kind_s_event_names_the_first_row_of_its_first_task_when_there_is_one(name):
    (record,) = json.loads(laid.block(name).with_suffix(".json").read_text())["Records"]
    address = row_messages.decode(record["body"])
    assert address is not None
    assert (address.task, address.row) == (f"demo/{new_kind.first_task(name)}", 0)
    assert record["eventSourceARN"].endswith(f"{names(name)[0]}Queue")
