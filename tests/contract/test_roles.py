"""What each function may do. That a worker can neither write a task nor send a message is a fact of IAM, not of discipline."""

import pytest

from tests.support import kinds, stack_file
from tests.support.life import a_whole_life
from tests.support.policies import Grant, actions, grants, is_allowed, may, text

TEMPLATES = {"template.yaml": stack_file.load(), **{f"with {name}": stack_file.with_kind(name) for name in kinds.NAMES}}


def functions(made):
    return stack_file.resources(made, "AWS::Serverless::Function")


def workers(made):
    return [name for name, body in functions(made).items() if body["Properties"]["Handler"].startswith("worker.")]


WORKERS = [
    pytest.param(made, name, id=f"{name}, {which}") for which, made in TEMPLATES.items() for name in workers(made)
]
EVERY = [
    pytest.param(made, name, id=f"{name}, {which}") for which, made in TEMPLATES.items() for name in functions(made)
]


FILES = {"ExportTableFunction", "CleanSheetFunction"}
"""Whose results are files."""


@pytest.mark.parametrize(("made", "name"), WORKERS)
def test_a_worker_cannot_write_a_task_or_send_a_message(made, name):
    """Invariant 6. Mutation caught: any grant on Tasks or Library, any sending, any writing of gates or rows anew."""
    found = grants(made, name)
    assert {grant.action for grant in found if "TasksTable" in grant.resource} == {"dynamodb:GetItem"}
    assert not [grant for grant in found if "LibraryTable" in grant.resource]
    assert not [grant for grant in found if grant.action.lower().startswith("sqs:send") or grant.action == "sqs:*"]
    exports = name == "ExportTableFunction"
    # A worker lays payloads beside rows (test_policies.py); an export's is a file.
    more = {"dynamodb:Query", "dynamodb:BatchGetItem"} if exports else {"dynamodb:PutItem"}
    more = set() if name == "CleanSheetFunction" else more
    assert {grant.action for grant in found if "ResultsTable" in grant.resource} == {"dynamodb:UpdateItem", *more}
    assert {grant.action for grant in found if "GatesTable" in grant.resource} <= {
        "dynamodb:BatchGetItem",
        "dynamodb:UpdateItem",
    }


def test_a_worker_or_the_intake_may_use_what_it_is_configured_with_and_only_then():
    """Conditional policies on the parameters themselves: one secret, and the models that were named."""
    made = TEMPLATES["template.yaml"]
    for policy, condition, resource in (
        ("ExtractPaperOpenaiKey", "WithOpenaiKey", "OpenaiKeySecret"),
        ("ExtractPaperBedrock", "WithBedrock", "BedrockModelArns"),
        ("IntakeMineruKey", "WithMineruKey", "MineruKeySecret"),
    ):
        body = made["Resources"][policy]
        assert body["Condition"] == condition
        *gate, statement = body["Properties"]["PolicyDocument"]["Statement"]
        assert [each["Sid"] for each in gate] == (["Gate"] if condition == "WithBedrock" else [])
        assert statement["Resource"] == {"Ref": resource}


@pytest.mark.parametrize(("made", "name"), WORKERS)
def test_a_worker_reads_its_inputs_and_writes_payloads_and_no_other_objects(made, name):
    """What its inputs are is said in the kind's own block: never the files of papers, and payloads where tables are exported."""
    found = {(grant.action, grant.resource) for grant in grants(made, name) if grant.action.startswith("s3:")}
    # What it reads otherwise than by version it needs no list of versions for.
    found -= set() if name in FILES else {("s3:ListBucketVersions", "${DataBucket.Arn}")}
    block = made["Resources"][name.removesuffix("Function") + "Inputs"]["Properties"]["PolicyDocument"]["Statement"]
    inputs = {(action, text(each["Resource"])) for each in block for action in each["Action"] if action[:3] == "s3:"}
    assert found - inputs == {
        ("s3:ListBucket", "${DataBucket.Arn}"),
        ("s3:PutObject", "${DataBucket.Arn}/tasks/*/rows/*"),
    }
    kept = {"tasks", "templates"} if name in FILES else {"texts", "inputs", "templates", "replies"}
    assert {resource.removeprefix("${DataBucket.Arn}/").partition("/")[0] for _, resource in inputs} <= kept
    assert {resource for action, resource in inputs if action == "s3:PutObject"} <= {"${DataBucket.Arn}/replies/*"}


@pytest.mark.parametrize(("made", "name"), EVERY)
def test_a_version_that_is_gone_is_gone_and_not_forbidden_when_a_function_reads_versions(made, name):
    """S3 answers 403 for what is gone to whoever may not list; a row would then be tried again and again."""
    actions_of = {grant.action for grant in grants(made, name)}
    assert ("s3:GetObjectVersion" in actions_of) <= ({"s3:ListBucket", "s3:ListBucketVersions"} <= actions_of)


@pytest.mark.parametrize(("made", "name"), EVERY)
def test_no_role_has_a_wildcard_for_an_action_or_a_resource(made, name):
    """`SendMessage*` stands for SendMessageBatch, which has no action of its own on AWS; nothing else is a pattern."""
    for grant in grants(made, name):
        assert grant.resource != "*"
        assert "*" not in grant.action.replace("sqs:SendMessage*", ""), grant


@pytest.mark.parametrize(("made", "name"), EVERY)
def test_nobody_writes_in_batches_or_scans_a_table(made, name):
    """◆ BatchWriteItem takes no condition. The index of open tasks may be read whole: it holds nothing else."""
    banned = {"dynamodb:BatchWriteItem", "dynamodb:PartiQLUpdate", "dynamodb:PartiQLInsert"}
    assert not {grant.action for grant in grants(made, name)} & banned
    scanned = {grant.resource for grant in grants(made, name) if grant.action == "dynamodb:Scan"}
    assert all(resource.endswith("/index/by_active") for resource in scanned)


@pytest.mark.parametrize("which", TEMPLATES)
def test_no_task_is_ever_deleted_because_nobody_may(which):
    """◆ A task is the record of its idempotency key: no right to delete it, and no time to live on any table."""
    made = TEMPLATES[which]
    for name in functions(made):
        assert Grant("dynamodb:DeleteItem", "${TasksTable.Arn}") not in grants(made, name)
    for table in stack_file.resources(made, "AWS::DynamoDB::Table").values():
        assert "TimeToLiveSpecification" not in table["Properties"]


@pytest.mark.parametrize("which", TEMPLATES)
def test_only_the_api_and_the_aggregator_send_and_the_intake_to_itself(which):
    """S3's notices name no project: the intake sends them on under theirs."""
    made = TEMPLATES[which]
    sent = {
        name: {grant.resource for grant in grants(made, name) if "sqs:Send" in grant.action} for name in functions(made)
    }
    assert {name for name, queues in sent.items() if queues} == {"ApiFunction", "AggregatorFunction", "IntakeFunction"}
    assert sent["IntakeFunction"] == {"${IntakeQueue.Arn}"}


@pytest.mark.parametrize("which", TEMPLATES)
def test_the_api_changes_no_row_when_it_has_written_it(which):
    """It creates rows; everything after belongs to workers and the sweep."""
    found = {grant.action for grant in grants(TEMPLATES[which], "ApiFunction") if "ResultsTable" in grant.resource}
    assert "dynamodb:UpdateItem" not in found
    assert "dynamodb:DeleteItem" not in found


def test_every_call_of_every_function_is_allowed_to_it(bench):
    """Least rights are only right if they are enough: mutation caught: any call without its grant."""
    denied, made = set(), a_whole_life(bench)
    for function, calls in made.items():
        for _, operation, arguments in calls:
            for action, resource, context in actions(operation, arguments):
                if not may(TEMPLATES["with probe"], function, action, resource, context):
                    denied.add((function, action, resource))
    assert denied == set()
    assert set(made) == set(functions(TEMPLATES["with probe"])) - {"ExtractPaperFunction", "PageFunction"}


def test_every_write_of_every_function_carries_a_condition(bench):
    """◆ As it is sent, whoever wrote it: the tables are never written blindly."""
    writes = []
    for calls in a_whole_life(bench).values():
        for _, operation, arguments in calls:
            if operation in {"PutItem", "UpdateItem", "DeleteItem"}:
                writes.append((operation, arguments))
            if operation == "TransactWriteItems":
                writes += [(operation, next(iter(item.values()))) for item in arguments["TransactItems"]]
    assert {operation for operation, _ in writes} == {"PutItem", "UpdateItem", "DeleteItem", "TransactWriteItems"}
    assert [operation for operation, arguments in writes if not arguments.get("ConditionExpression")] == []


SPARE = {
    "sqs:ReceiveMessage": "the mapping's own",
    "sqs:DeleteMessage": "the mapping's own",
    "sqs:GetQueueAttributes": "the mapping's own",
    "s3:ListBucket": "makes S3 say that an object is gone instead of forbidden",
    "s3:ListBucketVersions": "likewise, of a version",
    "s3:GetObject": "what has no version, as rows of before versioning have none",
    "s3:DeleteObject": "likewise",
    "lambda:ListEventSourceMappings": "the local emulator takes it for GetEventSourceMapping",
}
"""Rights that no call of ours shows, and why they are there."""


FOR_WHOM_IT_SIGNS = {
    ("ApiFunction", action, "${DataBucket.Arn}/documents/*")
    for action in ("s3:PutObject", "s3:GetObject", "s3:GetObjectVersion")
} | {("ApiFunction", action, "${DataBucket.Arn}/tasks/*/uploaded") for action in ("s3:PutObject", "s3:GetObject")}
"""What the API's forms and links do, in the hands of those that it gave them to."""


WITH_A_MODEL = {("JanitorFunction", "s3:DeleteObjectVersion", "${DataBucket.Arn}/replies/*")}
"""No model answers in this life: that a document's replies go with it is tests/integration/test_erasing's."""


def test_nobody_is_allowed_what_nobody_does(bench):
    """A right that is never used is a right to be taken away."""
    used = {
        (function, action, resource)
        for function, calls in a_whole_life(bench).items()
        for _, operation, arguments in calls
        for action, resource, _ in actions(operation, arguments)
    }
    unused = {
        (function, grant.action, grant.resource)
        for function in {function for function, _, _ in used}
        for grant in grants(TEMPLATES["template.yaml" if function != "ProbeFunction" else "with probe"], function)
        if not any(f == function and is_allowed({grant}, action, resource) for f, action, resource in used)
    }
    unused = {item for item in unused if item[1] not in SPARE and "ExtractPaper" not in item[2]}
    unused = {item for item in unused if item[2] != "MineruKeySecret"}
    assert unused - FOR_WHOM_IT_SIGNS - WITH_A_MODEL == set()


@pytest.mark.parametrize("which", TEMPLATES)
def test_the_page_has_no_right_to_anything(which):
    """Whoever finds a fault in it has found a folder of public files."""
    assert grants(TEMPLATES[which], "PageFunction") == set()
