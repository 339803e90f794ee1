"""Each kind of work is whole: module, queue, dead letters, function, mappings, and who may send and receive."""

import importlib
import json
import re

import pytest

from sheaf.kinds import Desk
from tests.support import template

TEMPLATES = {
    "template.yaml": template.load(),
    "with the probe": template.probed(),
    "with words": template.counting_words(),
}
RECEIVE = {"sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"}
SIX = 6
SQS_MAX = 1_209_600


def kinds(made):
    text = made["Globals"]["Function"]["Environment"]["Variables"]["KINDS"]["Fn::Sub"]
    return json.loads(re.sub(r"\$\{(\w+)\}", lambda match: match[1] if "Queue" in match[1] else "4", text))


def pascal(kind):
    return "".join(part.title() for part in kind.split("_"))


def value(made, given):
    """A number, through the parameter that it is."""
    return made["Parameters"][given["Ref"]]["Default"] if isinstance(given, dict) else given


EVERY = [pytest.param(made, kind, id=f"{kind}, {which}") for which, made in TEMPLATES.items() for kind in kinds(made)]
each_kind = pytest.mark.parametrize(("made", "kind"), EVERY)
each_queue = pytest.mark.parametrize(
    ("made", "kind"), [*EVERY, pytest.param(TEMPLATES["template.yaml"], "intake", id="the intake, template.yaml")]
)


def resource(made, kind, suffix, of_type):
    body = made["Resources"][f"{pascal(kind)}{suffix}"]
    assert body["Type"] == of_type
    return body["Properties"]


def test_the_template_has_the_real_kind_and_the_overlay_adds_the_probe():
    """Adding a kind touches nothing but its block: what is there without it is there with it."""
    assert set(kinds(TEMPLATES["template.yaml"])) == {"extract_paper"}
    assert set(kinds(TEMPLATES["with the probe"])) == {"extract_paper", "probe"}
    base, whole = (TEMPLATES[which]["Resources"] for which in ("template.yaml", "with the probe"))
    assert {name: whole[name] for name in base} == base


@each_kind
def test_a_kind_has_a_module_that_can_work(made, kind):
    module = kinds(made)[kind].get("module", f"sheaf.kinds.{kind}")
    assert callable(importlib.import_module(module).work)


@each_kind
def test_a_kind_has_a_desk_that_can_do_all_that_is_asked_of_one(made, kind):
    desk = importlib.import_module(kinds(made)[kind].get("desk", f"sheaf.desks.{kind}"))
    assert [name for name in vars(Desk) if not name.startswith("_") and not callable(getattr(desk, name, None))] == []
    assert desk.SCHEMA["properties"].keys().isdisjoint({"kind", "idempotencyKey"})


@each_kind
def test_a_kind_says_what_to_do_at_expiry_in_words_that_exist(made, kind):
    assert kinds(made)[kind]["on_expiry"] in {"retry", "error"}


@each_kind
def test_a_kinds_function_is_told_which_kind_it_is(made, kind):
    function = resource(made, kind, "Function", "AWS::Serverless::Function")
    assert function["Environment"]["Variables"]["KIND"] == kind
    assert function["Handler"] == "worker.lambda_handler"
    assert kinds(made)[kind]["queue"] == f"{pascal(kind)}Queue"


@each_queue
def test_a_kinds_queue_feeds_its_function_one_message_at_a_time(made, kind):
    """Batch size 1 and partial answers: a message that must wait holds up no other, and stays by being reported."""
    mapping = resource(made, kind, "Mapping", "AWS::Lambda::EventSourceMapping")
    assert mapping["EventSourceArn"] == {"Fn::GetAtt": [f"{pascal(kind)}Queue", "Arn"]}
    assert mapping["FunctionName"] == {"Ref": f"{pascal(kind)}Function"}
    assert mapping["BatchSize"] == 1
    assert mapping["FunctionResponseTypes"] == ["ReportBatchItemFailures"]
    assert "ProvisionedPollerConfig" not in mapping
    assert mapping.get("MaximumBatchingWindowInSeconds", 0) == 0
    waits_for = made["Resources"][f"{pascal(kind)}Mapping"]["DependsOn"]
    assert f"{pascal(kind)}Receive" in ([waits_for] if isinstance(waits_for, str) else waits_for)


@each_kind
def test_a_kinds_concurrency_is_a_parameter_and_ten_unless_said(made, kind):
    scaling = resource(made, kind, "Mapping", "AWS::Lambda::EventSourceMapping")["ScalingConfig"]
    assert scaling == {"MaximumConcurrency": {"Ref": f"{pascal(kind)}Concurrency"}}
    assert made["Parameters"][f"{pascal(kind)}Concurrency"]["Default"] == 10
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
        "deadLetterTargetArn": {"Fn::GetAtt": [f"{pascal(kind)}DeadLetters", "Arn"]},
        "maxReceiveCount": {"Ref": "MaxReceives"},
    }
    assert "RedrivePolicy" not in dead
    retention = value(made, queue["MessageRetentionPeriod"])
    assert retention < value(made, dead["MessageRetentionPeriod"]) <= SQS_MAX


@each_queue
def test_a_kinds_dead_letters_are_read(made, kind):
    mapping = resource(made, kind, "DeadLettersMapping", "AWS::Lambda::EventSourceMapping")
    assert mapping["EventSourceArn"] == {"Fn::GetAtt": [f"{pascal(kind)}DeadLetters", "Arn"]}
    assert mapping["FunctionName"] == {"Ref": "DeadLetterFunction"}
    assert mapping["FunctionResponseTypes"] == ["ReportBatchItemFailures"]
    limit = value(made, made["Resources"]["DeadLetterFunction"]["Properties"]["Timeout"])
    dead = resource(made, kind, "DeadLetters", "AWS::SQS::Queue")
    assert value(made, dead["VisibilityTimeout"]) >= SIX * limit


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
    roles, actions, queue = allowed(made, f"{pascal(kind)}Send")
    assert roles == {"ApiFunctionRole", "AggregatorFunctionRole"}
    assert actions <= {"sqs:SendMessage", "sqs:SendMessage*", "sqs:GetQueueAttributes"}
    assert len(actions) == 2
    assert queue == f"{pascal(kind)}Queue"


@each_queue
def test_a_kinds_messages_are_received_by_its_function_alone(made, kind):
    roles, actions, queue = allowed(made, f"{pascal(kind)}Receive")
    assert (roles, queue) == ({f"{pascal(kind)}FunctionRole"}, f"{pascal(kind)}Queue")
    assert actions == RECEIVE | {"sqs:ChangeMessageVisibility"}
    roles, actions, queue = allowed(made, f"{pascal(kind)}ReceiveDeadLetters")
    assert (roles, queue) == ({"DeadLetterFunctionRole"}, f"{pascal(kind)}DeadLetters")
    assert actions == RECEIVE


@pytest.mark.parametrize("which", TEMPLATES)
def test_every_queue_and_mapping_belongs_to_a_kind_or_to_the_intake(which):
    made = TEMPLATES[which]
    for of_type, suffixes in (
        ("AWS::SQS::Queue", ("Queue", "DeadLetters")),
        ("AWS::Lambda::EventSourceMapping", ("Mapping", "DeadLettersMapping")),
    ):
        assert set(template.resources(made, of_type)) == {
            f"{pascal(kind)}{suffix}" for kind in (*kinds(made), "intake") for suffix in suffixes
        }


def test_waiting_is_no_way_to_die_when_messages_are_hidden_often():
    """◆ Every hide is a receive: the queue's own maximum is high, so that an innocent message seldom dies of waiting."""
    assert template.load()["Parameters"]["MaxReceives"]["Default"] >= 100


@pytest.mark.parametrize(("name", "least"), [("LeaseSlackSeconds", 60), ("StallWindowSeconds", 60), ("MaxTries", 1)])
def test_a_number_cannot_be_set_too_low_when_the_protocol_leans_on_it(name, least):
    parameter = template.load()["Parameters"][name]
    assert parameter["MinValue"] >= least
    assert parameter["Default"] >= parameter["MinValue"]


def test_the_numbers_are_the_promised_ones_when_nothing_is_said():
    defaults = template.parameters(template.load())
    assert {name: defaults[name] for name in ("MaxTries", "LeaseSlackSeconds", "StallWindowSeconds", "RowDeadlineSeconds")} == {
        "MaxTries": 4, "LeaseSlackSeconds": 60, "StallWindowSeconds": 600, "RowDeadlineSeconds": 7 * 24 * 3600,
    }  # fmt: skip
