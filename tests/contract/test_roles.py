"""What each function may do. That a worker can neither write a task nor send a message is a fact of IAM, not of discipline."""

import fnmatch
import json
from dataclasses import dataclass
from typing import Any

import pytest

from tests.support import template
from tests.support.bench import TASKS
from tests.support.calls import aws_error
from tests.support.clients import client
from tests.support.items import DAY
from tests.support.uploads import told

TEMPLATES = {"template.yaml": template.load(), "with the probe": template.probed()}
NAMES = {"databucket": "DataBucket"}


@dataclass(frozen=True)
class Grant:
    """One action that is allowed on one resource, each as the template says it."""

    action: str
    resource: str


def text(resource: Any) -> str:
    """A resource in one form: `TasksTable.Arn`, `${DataBucket.Arn}/tasks/*`."""
    if isinstance(resource, str):
        return resource
    if "Fn::GetAtt" in resource:
        return "${" + ".".join(resource["Fn::GetAtt"]) + "}"
    return str(resource["Fn::Sub"])


def grants(made: dict[str, Any], function: str) -> set[Grant]:
    """Everything that a function's role allows: its own policies, and those that name the role."""
    policies = made["Resources"][function]["Properties"].get("Policies", [])
    assert all(isinstance(policy, dict) and set(policy) == {"Statement"} for policy in policies), "no managed policies"
    statements = [statement for policy in policies for statement in policy["Statement"]]
    for policy in template.resources(made, "AWS::IAM::Policy").values():
        if {"Ref": f"{function}Role"} in policy["Properties"]["Roles"]:
            statements += policy["Properties"]["PolicyDocument"]["Statement"]
    found = set()
    for statement in statements:
        assert statement["Effect"] == "Allow"
        resources = statement["Resource"] if isinstance(statement["Resource"], list) else [statement["Resource"]]
        actions = statement["Action"] if isinstance(statement["Action"], list) else [statement["Action"]]
        found |= {Grant(action, text(resource)) for action in actions for resource in resources}
    return found


def functions(made):
    return template.resources(made, "AWS::Serverless::Function")


def workers(made):
    return [name for name, body in functions(made).items() if body["Properties"]["Handler"].startswith("worker.")]


WORKERS = [
    pytest.param(made, name, id=f"{name}, {which}") for which, made in TEMPLATES.items() for name in workers(made)
]
EVERY = [
    pytest.param(made, name, id=f"{name}, {which}") for which, made in TEMPLATES.items() for name in functions(made)
]


@pytest.mark.parametrize(("made", "name"), WORKERS)
def test_a_worker_cannot_write_a_task_or_send_a_message(made, name):
    """Invariant 6. Mutation caught: any grant on Tasks or Library, any sending, any writing of gates or rows anew."""
    found = grants(made, name)
    assert not [grant for grant in found if "TasksTable" in grant.resource or "LibraryTable" in grant.resource]
    assert not [grant for grant in found if grant.action.lower().startswith("sqs:send") or grant.action == "sqs:*"]
    assert {grant.action for grant in found if "ResultsTable" in grant.resource} == {"dynamodb:UpdateItem"}
    assert {grant.action for grant in found if "GatesTable" in grant.resource} == {"dynamodb:BatchGetItem"}


@pytest.mark.parametrize(("made", "name"), WORKERS)
def test_a_worker_reads_texts_and_writes_payloads_and_no_other_objects(made, name):
    found = {(grant.action, grant.resource) for grant in grants(made, name) if grant.action.startswith("s3:")}
    assert found == {
        ("s3:GetObject", "${DataBucket.Arn}/texts/*"),
        ("s3:GetObjectVersion", "${DataBucket.Arn}/texts/*"),
        ("s3:ListBucket", "${DataBucket.Arn}"),
        ("s3:PutObject", "${DataBucket.Arn}/tasks/*/rows/*"),
    }


@pytest.mark.parametrize(("made", "name"), EVERY)
def test_no_role_has_a_wildcard_for_an_action_or_a_resource(made, name):
    """`SendMessage*` stands for SendMessageBatch, which has no action of its own on AWS; nothing else is a pattern."""
    for grant in grants(made, name):
        assert grant.resource != "*"
        assert "*" not in grant.action.replace("sqs:SendMessage*", ""), grant


@pytest.mark.parametrize(("made", "name"), EVERY)
def test_nobody_writes_in_batches_or_scans(made, name):
    """◆ BatchWriteItem takes no condition."""
    banned = {"dynamodb:BatchWriteItem", "dynamodb:Scan", "dynamodb:PartiQLUpdate", "dynamodb:PartiQLInsert"}
    assert not {grant.action for grant in grants(made, name)} & banned


@pytest.mark.parametrize("which", TEMPLATES)
def test_no_task_is_ever_deleted_because_nobody_may(which):
    """◆ A task is the record of its idempotency key: no right to delete it, and no time to live on any table."""
    made = TEMPLATES[which]
    for name in functions(made):
        assert Grant("dynamodb:DeleteItem", "${TasksTable.Arn}") not in grants(made, name)
    for table in template.resources(made, "AWS::DynamoDB::Table").values():
        assert "TimeToLiveSpecification" not in table["Properties"]


@pytest.mark.parametrize("which", TEMPLATES)
def test_only_the_api_and_the_aggregator_send(which):
    made = TEMPLATES[which]
    sending = {name for name in functions(made) if any("sqs:Send" in grant.action for grant in grants(made, name))}
    assert sending == {"ApiFunction", "AggregatorFunction"}


@pytest.mark.parametrize("which", TEMPLATES)
def test_the_api_changes_no_row_when_it_has_written_it(which):
    """It creates rows; everything after belongs to workers and the sweep."""
    found = {grant.action for grant in grants(TEMPLATES[which], "ApiFunction") if "ResultsTable" in grant.resource}
    assert "dynamodb:UpdateItem" not in found
    assert "dynamodb:DeleteItem" not in found


def actions(operation: str, arguments: dict[str, Any]) -> list[tuple[str, str]]:  # noqa: PLR0911, PLR0912 - a table
    """What IAM asks for when a call is made: actions, and the resource of each as the template would name it."""
    versioned = "Version" if arguments.get("VersionId") else ""
    bucket, key = "${DataBucket.Arn}", arguments.get("Key")
    match operation:
        case "TransactWriteItems":
            return [("dynamodb:PutItem", _table(put["Put"]["TableName"])) for put in arguments["TransactItems"]]
        case "BatchGetItem":
            return [("dynamodb:BatchGetItem", _table(table)) for table in arguments["RequestItems"]]
        case "Query" if "IndexName" in arguments:
            return [("dynamodb:Query", f"{_table(arguments['TableName'])}/index/{arguments['IndexName']}")]
        case "PutItem" | "GetItem" | "UpdateItem" | "DeleteItem" | "Query":
            return [(f"dynamodb:{operation}", _table(arguments["TableName"]))]
        case "HeadObject":
            return [("s3:GetObject", f"{bucket}/{key}")]
        case "GetObject" | "DeleteObject":
            return [(f"s3:{operation}{versioned}", f"{bucket}/{key}")]
        case "PutObject":
            return [("s3:PutObject", f"{bucket}/{key}")]
        case "ListObjectsV2":
            return [("s3:ListBucket", bucket)]
        case "ListObjectVersions":
            return [("s3:ListBucketVersions", bucket)]
        case "SendMessageBatch":
            return [("sqs:SendMessage", _queue(arguments["QueueUrl"]))]
        case "GetQueueAttributes" | "ChangeMessageVisibility":
            return [(f"sqs:{operation}", _queue(arguments["QueueUrl"]))]
        case "Invoke":
            return [("lambda:InvokeFunction", "${" + arguments["FunctionName"] + ".Arn}")]
        case "PutEvents":
            return [
                ("events:PutEvents", "arn:${AWS::Partition}:events:${AWS::Region}:${AWS::AccountId}:event-bus/default")
            ]
    raise AssertionError(f"{operation}: say here which action it needs")


def _table(name: str) -> str:
    return "${" + name + ".Arn}"


def _queue(url: str) -> str:
    return "${" + url.rpartition("/")[2] + ".Arn}"


def is_allowed(found: set[Grant], action: str, resource: str) -> bool:
    return any(
        fnmatch.fnmatchcase(action, grant.action) and fnmatch.fnmatchcase(resource, grant.resource.replace("[", "[[]"))
        for grant in found
    )


def a_whole_life(bench):
    """Every function at its work: gives the calls of each."""
    made: dict[str, list[Any]] = {}

    def during(function, act):
        with bench.calls.watch() as calls:
            answer = act()
            made.setdefault(function, []).extend(calls.made)
        return answer

    _a_documents_life(bench, during)
    documents = [bench.probe(act) for act in ("ok", "permanent", "transient", "throttle:60")]
    task = during("ApiFunction", lambda: bench.open(documents, kind="probe", key="k"))
    item = bench.task(task)
    item.dispatch_until, item.scattered_at, item.scatter_cursor = 0, None, 0
    bench.put(item)
    for action in ("pause", "resume"):
        during("ApiFunction", lambda action=action: bench.http("POST", f"{TASKS}/{task}/{action}"))
        during("AggregatorFunction", bench.sweep_once)
    bodies = bench.queued()
    during("ProbeFunction", lambda: bench.deliver("probe"))
    during("DeadLetterFunction", lambda: bench.dead(bodies[-1]))
    bench.pass_time(minutes=3)
    bench.lose_messages()
    for _ in range(3):
        during("AggregatorFunction", bench.sweep_once)
        bench.pass_time(minutes=1)
    during("ApiFunction", lambda: bench.http("POST", f"{TASKS}/{task}/cancel"))
    during("AggregatorFunction", bench.sweep)
    during("ApiFunction", lambda: bench.http("POST", f"{TASKS}/{task}/retry"))
    for path in (TASKS, f"{TASKS}/{task}", f"{TASKS}/{task}/results?view=latest", f"/asl/extraction/results/{task}-0"):
        status, _ = during("ApiFunction", lambda path=path: bench.http("GET", path))
        assert status == 200, path
    client("s3").put_object(Bucket="databucket", Key=f"tasks/p1/{task}/rows/7-7.json", Body=b"")
    bench.clock.now = bench.clock.now + 400 * DAY
    item = bench.task(task)
    item.completed_at = bench.clock.now - 2 * DAY
    bench.put(item)
    during("JanitorFunction", bench.tidy)
    during("ApiFunction", lambda: bench.http("DELETE", f"{TASKS}/{task}"))
    during("JanitorFunction", bench.tidy)
    return made


def _a_documents_life(bench, during):
    """Announced, come, read, found by the sweep, replaced, shown, deleted, erased; and a knowledge base with it."""

    def ask(method, path, body=None, status=200):
        answer = during("ApiFunction", lambda: bench.http(method, path, body))
        assert answer[0] == status, (path, answer)
        return answer[1]

    key = {"name": "Papers", "idempotencyKey": "k"}
    base = ask("POST", "/pkb/knowledge-bases", key, 201)["knowledgeBaseId"]
    names = []
    for content in (b"First.", b"caf\xe9", b"Third."):
        (answer,) = ask("POST", f"/pkb/knowledge-bases/{base}/documents", {"files": [told(content)]}, 201)["uploads"]
        names.append(answer["document"]["documentId"])
        bench.arrive(answer["upload"]["fields"]["key"], content, told=content != b"Third.")
        during("IntakeFunction", bench.take_in)
    bench.pass_time(minutes=3)
    during("AggregatorFunction", bench.sweep_once)
    bench.calls.fail("GetObject", aws_error("SlowDown", 503))
    during("IntakeFunction", bench.take_in)
    bench.pass_time(minutes=1)
    during("IntakeFunction", bench.take_in)
    during("DeadLetterFunction", lambda: bench.dead(json.dumps({"v": 1, "p": "p1", "d": names[0]})))
    ask("POST", f"/pkb/documents/{names[1]}/reread", None, 202)
    bench.lose_messages("intake")
    form = ask("POST", f"/pkb/documents/{names[0]}/versions", told(b"Newer."), 201)["upload"]
    bench.arrive(form["fields"]["key"], b"Newer.")
    during("IntakeFunction", bench.take_in)
    for path in ("", "/text", "/file"):
        ask("GET", f"/pkb/documents/{names[0]}{path}")
    ask("GET", f"/pkb/knowledge-bases/{base}/documents")
    ask("DELETE", f"/pkb/documents/{names[0]}", None, 204)
    bench.pass_time(hours=2)
    during("JanitorFunction", bench.tidy)
    ask("DELETE", f"/pkb/knowledge-bases/{base}", None, 204)
    bench.pass_time(minutes=3)
    during("AggregatorFunction", bench.sweep_once)


def test_every_call_of_every_function_is_allowed_to_it(bench):
    """Least rights are only right if they are enough: mutation caught: any call without its grant."""
    found = {name: grants(TEMPLATES["with the probe"], name) for name in functions(TEMPLATES["with the probe"])}
    denied, made = set(), a_whole_life(bench)
    for function, calls in made.items():
        for _, operation, arguments in calls:
            for action, resource in actions(operation, arguments):
                if not is_allowed(found[function], action, resource):
                    denied.add((function, action, resource))
    assert denied == set()
    assert set(made) == set(functions(TEMPLATES["with the probe"])) - {"ExtractPaperFunction"}


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
    "s3:GetObject": "what has no version, as rows of before versioning have none",
    "s3:DeleteObject": "likewise",
}
"""Rights that no call of ours shows, and why they are there."""


FOR_WHOM_IT_SIGNS = {("ApiFunction", "s3:PutObject", "${DataBucket.Arn}/documents/*")} | {
    ("ApiFunction", action, "${DataBucket.Arn}/documents/*") for action in ("s3:GetObject", "s3:GetObjectVersion")
}
"""What the API's forms and links do, in the hands of those that it gave them to."""


def test_nobody_is_allowed_what_nobody_does(bench):
    """A right that is never used is a right to be taken away."""
    used = {
        (function, action, resource)
        for function, calls in a_whole_life(bench).items()
        for _, operation, arguments in calls
        for action, resource in actions(operation, arguments)
    }
    unused = {
        (function, grant.action, grant.resource)
        for function in {function for function, _, _ in used}
        for grant in grants(TEMPLATES["template.yaml" if function != "ProbeFunction" else "with the probe"], function)
        if not any(f == function and is_allowed({grant}, action, resource) for f, action, resource in used)
    }
    unused = {item for item in unused if item[1] not in SPARE and "ExtractPaper" not in item[2]}
    assert unused - FOR_WHOM_IT_SIGNS == set()
