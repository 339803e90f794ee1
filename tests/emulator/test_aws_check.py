"""`make aws-check` on the emulator, as far as that knows what is asked: it has no Access Analyzer, no Bedrock and no conditions of IAM."""

import json

import pytest

from local.aws import DIRECT, session
from local.deploy import aws_check, transformed
from local.settings import REGION

pytestmark = pytest.mark.emulator


@pytest.fixture
def client(deployed):
    return lambda service: session().client(service, endpoint_url=deployed.endpoint, config=DIRECT)


@pytest.fixture
def here():
    return transformed.made("000000000000", REGION, {})


def test_calls_that_hang_on_no_condition_are_judged_as_they_are_meant_when_the_emulator_is_asked(client, here):
    with_conditions = {f"{function}: {action}" for function, _, action, _, *known in aws_check.CALLS if known}
    wrong = [line for line in aws_check.rights(client, here) if line.partition(" on ")[0] not in with_conditions]
    assert wrong == []


def test_executions_suffice_when_the_emulator_is_asked(client, here):
    assert list(aws_check.executions(client, here)) == []


def test_a_change_set_of_a_new_stack_leaves_nothing_when_it_was_looked_at(client):
    stacks, name = client("cloudformation"), "sheaf-checked"
    template = json.dumps({"Resources": {"Topic": {"Type": "AWS::SNS::Topic"}}})
    stacks.create_change_set(
        StackName=name, ChangeSetName="samcli-deploy1", TemplateBody=template, ChangeSetType="CREATE"
    )
    assert list(aws_check.changes(client, name)) == []
    there = {each["StackName"]: each["StackStatus"] for each in stacks.describe_stacks()["Stacks"]}
    assert there.get(name) in {None, "DELETE_COMPLETE"}
