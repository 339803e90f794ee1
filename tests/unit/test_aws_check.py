"""`make aws-check`: what is asked of an account, in AWS's own shapes, and what is said where its answer is not the right one.

No account answered here: the answers are written down by hand, and botocore holds them and the questions to AWS's models.
"""

import json

import boto3
import pytest
from botocore.stub import ANY, Stubber

from local.deploy import aws_check, transformed
from tests.support import stack_file
from tests.support.policies import may

MADE = stack_file.load()
ROLES = {f"{name}Role" for name in stack_file.resources(MADE, "AWS::Serverless::Function")} | {"SchedulerRole"}
WHERE = "eu-central-1:123456789012"


class Answers:
    """A session whose clients answer what was written down, and nothing else."""

    def __init__(self):
        self.stubbed = {}

    def client(self, service):
        if service not in self.stubbed:
            made = boto3.client(service, region_name="eu-central-1")
            self.stubbed[service] = made, Stubber(made)
            self.stubbed[service][1].activate()
        return self.stubbed[service][0]

    def says(self, service, operation, answer, **asked):
        self.client(service)
        self.stubbed[service][1].add_response(operation, answer, asked or None)


@pytest.fixture
def answers():
    return Answers()


@pytest.fixture(scope="module")
def here():
    region, number = WHERE.split(":")
    return lambda **settings: transformed.made(number, region, settings)


def test_every_call_is_judged_here_as_it_is_meant_when_iam_is_to_judge_it_there():
    """So that what the simulator says otherwise is its own."""
    for function, meant, action, on, *known in aws_check.CALLS:
        context = {key: [value] for key, value in (each.split("=") for each in known)}
        # An item's key is known of each call, and is not what each of these lines is about.
        context.setdefault("dynamodb:LeadingKeys", ["lab/t/0000"])
        assert may(MADE, f"{function}Function", action, on, context) == (meant == "allowed"), (function, action, known)


def test_policies_are_iam_s_own_when_nothing_is_made_yet(here):
    account = here()
    every = {role: [json.loads(text) for text in account.policies(role)] for role in ROLES}
    assert {name for name, body in account.resources.items() if body["Type"] == "AWS::IAM::Role"} == ROLES
    assert "Fn::" not in json.dumps(every)
    assert "${" not in json.dumps(every)
    on = [statement["Resource"] for policy in every["JanitorFunctionRole"] for statement in policy["Statement"]]
    assert f"arn:aws:dynamodb:{WHERE}:table/taskstable/index/by_project" in on
    assert every["PageFunctionRole"] == []


def test_a_secret_s_policy_is_there_when_the_secret_is_and_not_before(here):
    secret = f"arn:aws:secretsmanager:{WHERE}:secret:key"
    assert not [text for text in here().policies("ExtractPaperFunctionRole") if "secretsmanager" in text]
    (policy,) = [
        text for text in here(OpenaiKeySecret=secret).policies("ExtractPaperFunctionRole") if "secretsm" in text
    ]
    assert json.loads(policy)["Statement"][0]["Resource"] == [secret]


@pytest.mark.parametrize(
    ("limit", "settings", "said"),
    [(10, {}, ["has 10"]), (1000, {}, []), (110, {"ReservedForApi": "20"}, ["less than 100"])],
)
def test_too_few_executions_are_named_when_the_account_has_no_more(answers, here, limit, settings, said):
    answers.says("lambda", "get_account_settings", {"AccountLimit": {"ConcurrentExecutions": limit}})
    lines = list(aws_check.executions(answers.client, here(**settings)))
    assert [line for line, words in zip(lines, said, strict=True) if words not in line] == []


def test_a_role_is_named_when_access_analyzer_finds_something_grave_in_it(answers, here):
    account = here()
    finding = {"issueCode": "X", "learnMoreLink": "x", "locations": []}
    for role in (name for name, each in account.resources.items() if each["Type"] == "AWS::IAM::Role"):
        for policy in account.policies(role):
            kinds = ["SUGGESTION", *(["ERROR"] if role == "IntakeFunctionRole" and "OwnDocument" in policy else [])]
            found = [{**finding, "findingDetails": f"a {kind}", "findingType": kind} for kind in kinds]
            asked = {"policyDocument": policy, "policyType": "IDENTITY_POLICY"}
            answers.says("accessanalyzer", "validate_policy", {"findings": found}, **asked)
    assert list(aws_check.findings(answers.client, account)) == ["IntakeFunctionRole: a ERROR"]


def test_a_call_is_named_when_iam_judges_it_otherwise_than_it_is_meant(answers, here):
    """The one that is allowed and should not be, and the one that is refused and should not be."""
    wrong = {0: "implicitDeny", 1: "allowed"}
    for at, (_, meant, action, *_) in enumerate(aws_check.CALLS):
        decision = wrong.get(at, "allowed" if meant == "allowed" else "explicitDeny")
        judged = {"EvaluationResults": [{"EvalActionName": action, "EvalDecision": decision}]}
        asked = {"PolicyInputList": ANY, "ActionNames": [action], "ResourceArns": ANY, "ContextEntries": ANY}
        answers.says("iam", "simulate_custom_policy", judged, **asked)
    assert [line.rpartition(" should be ")[2] for line in aws_check.rights(answers.client, here())] == [
        "allowed and is implicitDeny.",
        "refused and is allowed.",
    ]


@pytest.mark.parametrize("authorized", ["AUTHORIZED", "NOT_AUTHORIZED"])
def test_a_model_is_asked_about_by_its_own_name_when_a_profile_is_configured(answers, here, authorized):
    known = {"agreementAvailability": {"status": "AVAILABLE"}, "authorizationStatus": authorized, "modelId": "x.y-1"}
    answer = {**known, "entitlementAvailability": "AVAILABLE", "regionAvailability": "AVAILABLE"}
    answers.says("bedrock", "get_foundation_model_availability", answer, modelId="x.y-1")
    said = list(
        aws_check.models(answers.client, here(BedrockModel=f"arn:aws:bedrock:{WHERE}:inference-profile/eu.x.y-1"))
    )
    assert len(said) == (authorized != "AUTHORIZED")
    assert list(aws_check.models(answers.client, here())) == []


def test_a_change_set_and_a_stack_of_nothing_else_go_when_they_were_looked_at(answers):
    """Mutation caught: changes of the first page alone."""
    change = {"LogicalResourceId": "DataBucket", "Replacement": "True", "Action": "Modify"}
    named = {"ChangeSetName": "arn:aws:cloudformation:x"}
    listed = {"Summaries": [{"ChangeSetId": named["ChangeSetName"], "ChangeSetName": "samcli-deploy1"}]}
    answers.says("cloudformation", "list_change_sets", listed, StackName="sheaf")
    other = {**change, "LogicalResourceId": "Api", "Replacement": "False"}
    first = {"Changes": [{"ResourceChange": other}], "NextToken": "page two"}
    answers.says("cloudformation", "describe_change_set", first, **named)
    second = {"Changes": [{"ResourceChange": change}]}
    answers.says("cloudformation", "describe_change_set", second, **named, NextToken="page two")
    answers.says("cloudformation", "delete_change_set", {}, **named)
    stack = {"StackName": "sheaf", "StackStatus": "REVIEW_IN_PROGRESS", "CreationTime": "2026-11-19T00:00:00Z"}
    answers.says("cloudformation", "describe_stacks", {"Stacks": [stack]}, StackName="sheaf")
    answers.says("cloudformation", "delete_stack", {}, StackName="sheaf")
    assert list(aws_check.changes(answers.client, "sheaf")) == ["DataBucket would be replaced, or may be."]
    answers.stubbed["cloudformation"][1].assert_no_pending_responses()


def test_what_somebody_else_has_made_stays_when_changes_are_looked_at(answers):
    listed = {"Summaries": [{"ChangeSetId": "arn:aws:cloudformation:y", "ChangeSetName": "for-monday"}]}
    answers.says("cloudformation", "list_change_sets", listed, StackName="sheaf")
    stack = {"StackName": "sheaf", "StackStatus": "REVIEW_IN_PROGRESS", "CreationTime": "2026-11-19T00:00:00Z"}
    answers.says("cloudformation", "describe_stacks", {"Stacks": [stack]}, StackName="sheaf")
    assert list(aws_check.changes(answers.client, "sheaf")) == []
    answers.stubbed["cloudformation"][1].assert_no_pending_responses()
