"""IAM carries the red lines: what each function's role may do, and that it may do nothing else.

Every operation below is tried as every role, with credentials of that role, on the deployed stack: the emulator
enforces the roles' policies (AUTH=true). What it cannot enforce is not tried here: it does not know
`dynamodb:LeadingKeys` and `dynamodb:Attributes`, so five rules hold on AWS alone: that the API and the aggregator write
gates of their own only, that a worker with an engine writes that provider's gate only, that it reads of a task nothing but
whether it goes on, and that none but a worker gives a row its result, and that the function of notices writes what came of a
delivery and nothing else of a project's library. They are held to their words by roles.txt beside this file and judged, call by call, in
tests/contract/test_policies.py. It also lets anybody write traces.

No engine is configured here, so the worker writes no gate at all; test_deploys.py configures one.
"""

from typing import Any

import pytest
from botocore.exceptions import ClientError

pytestmark = pytest.mark.emulator

DENIED = {"AccessDenied", "AccessDeniedException"}
TABLES = {"Tasks": ("task",), "Results": ("shard", "row"), "Gates": ("gate",), "Library": ("entry",)}
INDEXES = (("Tasks", "by_project"), ("Tasks", "by_active"), ("Library", "by_list"), ("Library", "by_due"))
QUEUES = (
    "ExtractPaperQueue",
    "ExtractPaperDeadLetters",
    "IntakeQueue",
    "IntakeDeadLetters",
    "NoticeQueue",
    "NoticeDeadLetters",
)
FUNCTIONS = (
    "ApiFunction",
    "AggregatorFunction",
    "ExtractPaperFunction",
    "IntakeFunction",
    "JanitorFunction",
    "NoticeFunction",
    "PageFunction",
)
MAPPINGS = ("ExtractPaperMapping", "IntakeMapping")
OBJECTS = {
    "document": "documents/demo/dnone/none.txt",
    "manifest": "tasks/demo/none/manifest-none.json",
    "payload": "tasks/demo/none/rows/0-1.packed",
    "mark of an erased task": "tasks/demo/none/erased",
    "text": "texts/demo/dnone/none.json",
    "template": "templates/demo/none/1.json",
    "list that a request named": "manifests/demo/none.txt",
    "reply": "replies/demo/none.json",
    "other object of a task": "tasks/demo/none/other.json",
    "object elsewhere": "none.txt",
}
PREFIXES = {"the bucket": "", "documents": "documents/", "tasks": "tasks/"}

WORKER = {
    "look at the key of Tasks",
    "update Results",
    "put Results",
    "transact-put Results",
    "batch-get Gates",
    "get text",
    "get version of text",
    "get template",
    "get reply",
    "put reply",
    "put payload",
    "list the bucket",
    "list documents",
    "list tasks",
    "list versions of the bucket",
    "list versions of documents",
    "list versions of tasks",
    "receive ExtractPaperQueue",
    "delete from ExtractPaperQueue",
    "hide in ExtractPaperQueue",
    "look at ExtractPaperQueue",
    "write its log",
}
ALLOWED = {
    "ApiFunctionRole": {
        "get Tasks",
        "look at the key of Tasks",
        "batch-get Tasks",
        "put Tasks",
        "transact-put Tasks",
        "update Tasks",
        "query Tasks by by_project",
        "get Results",
        "look at the key of Results",
        "batch-get Results",
        "put Results",
        "transact-put Results",
        "query Results",
        "get Gates",
        "look at the key of Gates",
        "update Gates",
        "get Library",
        "look at the key of Library",
        "batch-get Library",
        "put Library",
        "transact-put Library",
        "update Library",
        "query Library by by_list",
        "get document",
        "get version of document",
        "put document",
        "get text",
        "get version of text",
        "get template",
        "put template",
        "send to IntakeQueue",
        "send a batch to IntakeQueue",
        "put manifest",
        "get manifest",
        "get list that a request named",
        "get version of list that a request named",
        "get payload",
        "list the bucket",
        "list documents",
        "list tasks",
        "list versions of the bucket",
        "list versions of documents",
        "list versions of tasks",
        "send to ExtractPaperQueue",
        "send a batch to ExtractPaperQueue",
        "look at ExtractPaperQueue",
        "look at ExtractPaperDeadLetters",
        "look at ExtractPaperMapping",
        "send to NoticeQueue",
        "send a batch to NoticeQueue",
        "invoke AggregatorFunction",
        "invoke JanitorFunction",
        "write its log",
    },
    "AggregatorFunctionRole": {
        "get Tasks",
        "look at the key of Tasks",
        "batch-get Tasks",
        "update Tasks",
        "query Tasks by by_active",
        "scan Tasks by by_active",
        "put Results",
        "transact-put Results",
        "update Results",
        "query Results",
        "get Gates",
        "look at the key of Gates",
        "update Gates",
        "batch-get Library",
        "get Library",
        "look at the key of Library",
        "update Library",
        "query Library by by_list",
        "query Library by by_due",
        "get document",
        "list the bucket",
        "list documents",
        "list tasks",
        "list versions of the bucket",
        "list versions of documents",
        "list versions of tasks",
        "send to IntakeQueue",
        "send a batch to IntakeQueue",
        "put manifest",
        "get manifest",
        "get list that a request named",
        "get version of list that a request named",
        "send to ExtractPaperQueue",
        "send a batch to ExtractPaperQueue",
        "look at ExtractPaperQueue",
        "send to NoticeQueue",
        "send a batch to NoticeQueue",
        "invoke AggregatorFunction",
        "put an event",
        "write its log",
    },
    "ExtractPaperFunctionRole": WORKER,
    "IntakeFunctionRole": {
        "get Library",
        "look at the key of Library",
        "update Library",
        "get document",
        "get version of document",
        "put text",
        "list the bucket",
        "list documents",
        "list tasks",
        "list versions of the bucket",
        "list versions of documents",
        "list versions of tasks",
        "send to IntakeQueue",
        "send a batch to IntakeQueue",
        "receive IntakeQueue",
        "delete from IntakeQueue",
        "hide in IntakeQueue",
        "look at IntakeQueue",
        "write its log",
    },
    "NoticeFunctionRole": {
        "get Library",
        "look at the key of Library",
        "update Library",
        "receive NoticeQueue",
        "delete from NoticeQueue",
        "hide in NoticeQueue",
        "look at NoticeQueue",
        "write its log",
    },
    "PageFunctionRole": {"write its log"},
    "JanitorFunctionRole": {
        "get Tasks",
        "look at the key of Tasks",
        "batch-get Tasks",
        "query Tasks by by_project",
        "query Results",
        "delete Results",
        "transact-delete Results",
        "batch-get Library",
        "delete Library",
        "transact-delete Library",
        "get manifest",
        "list tasks",
        "list versions of tasks",
        "list documents",
        "list versions of documents",
        "delete document",
        "delete version of document",
        "delete text",
        "delete version of text",
        "delete reply",
        "delete version of reply",
        "delete manifest",
        "delete version of manifest",
        "delete payload",
        "delete version of payload",
        "put mark of an erased task",
        "delete mark of an erased task",
        "delete version of mark of an erased task",
        "delete other object of a task",
        "delete version of other object of a task",
        "write its log",
    },
    "SchedulerRole": {"invoke AggregatorFunction", "invoke JanitorFunction"},
}


def _operations(deployed):
    """Every operation there is to try, by name: a function of the clients to try it with. None changes anything."""
    found: dict[str, Any] = {}
    for name, keys in TABLES.items():
        found |= _on_table(name, deployed.physical(f"{name}Table"), keys)
    for name, index in INDEXES:
        found |= _on_index(name, deployed.physical(f"{name}Table"), index)
    for what, key in OBJECTS.items():
        found |= _on_object(what, deployed.physical("DataBucket"), key)
    for where, prefix in PREFIXES.items():
        found |= _on_prefix(where, deployed.physical("DataBucket"), prefix)
    for name in QUEUES:
        found |= _on_queue(name, deployed.physical(name))
    for name in FUNCTIONS:
        found |= _on_function(name, deployed.physical(name))
    for name in MAPPINGS:
        found |= _on_mapping(name, deployed.physical(name))
    return found | _elsewhere(deployed)


def _on_table(name, table, keys):
    key = {each: {"N": "0"} if each == "row" else {"S": "none/none/0000"} for each in keys}
    names, never = {"#k": keys[0]}, {":never": {"S": "never"}}
    # A condition that no item meets: what is tried is whether the attempt is allowed.
    guard = {
        "ConditionExpression": "#k = :never",
        "ExpressionAttributeNames": names,
        "ExpressionAttributeValues": never,
    }
    by_key = {
        "KeyConditionExpression": "#k = :never",
        "ExpressionAttributeNames": names,
        "ExpressionAttributeValues": never,
    }
    select = f'SELECT * FROM "{table}" WHERE "{keys[0]}" = \'never\''
    return {
        f"get {name}": lambda c: c("dynamodb").get_item(TableName=table, Key=key),
        f"look at the key of {name}": lambda c: c("dynamodb").get_item(
            TableName=table, Key=key, ProjectionExpression="#k", ExpressionAttributeNames=names
        ),
        f"batch-get {name}": lambda c: c("dynamodb").batch_get_item(RequestItems={table: {"Keys": [key]}}),
        f"query {name}": lambda c: c("dynamodb").query(TableName=table, **by_key),
        f"scan {name}": lambda c: c("dynamodb").scan(TableName=table, Limit=1),
        f"select {name}": lambda c: c("dynamodb").execute_statement(Statement=select),
        f"put {name}": lambda c: c("dynamodb").put_item(TableName=table, Item=key, **guard),
        f"update {name}": lambda c: c("dynamodb").update_item(
            TableName=table, Key=key, UpdateExpression="SET x = :never", **guard
        ),
        f"delete {name}": lambda c: c("dynamodb").delete_item(TableName=table, Key=key, **guard),
        f"transact-put {name}": lambda c: c("dynamodb").transact_write_items(
            TransactItems=[{"Put": {"TableName": table, "Item": key, **guard}}]
        ),
        f"transact-delete {name}": lambda c: c("dynamodb").transact_write_items(
            TransactItems=[{"Delete": {"TableName": table, "Key": key, **guard}}]
        ),
        f"batch-write {name}": lambda c: c("dynamodb").batch_write_item(
            RequestItems={table: [{"DeleteRequest": {"Key": key}}]}
        ),
        f"describe {name}": lambda c: c("dynamodb").describe_table(TableName=table),
    }


def _on_index(name, table, index):
    first = {"by_project": "project", "by_active": "active", "by_list": "list", "by_due": "active"}[index]
    return {
        f"query {name} by {index}": lambda c: c("dynamodb").query(
            TableName=table,
            IndexName=index,
            KeyConditionExpression="#k = :never",
            ExpressionAttributeNames={"#k": first},
            ExpressionAttributeValues={":never": {"S": "never"}},
        ),
        f"scan {name} by {index}": lambda c: c("dynamodb").scan(TableName=table, IndexName=index, Limit=1),
    }


def _on_object(what, bucket, key):
    named = {"Bucket": bucket, "Key": key}
    return {
        f"get {what}": lambda c: c("s3").get_object(**named),
        f"get version of {what}": lambda c: c("s3").get_object(**named, VersionId="none"),
        f"put {what}": lambda c: c("s3").put_object(**named, Body=b"{}"),
        f"delete {what}": lambda c: c("s3").delete_object(**named),
        f"delete version of {what}": lambda c: c("s3").delete_object(**named, VersionId="none"),
        f"tag {what}": lambda c: c("s3").put_object_tagging(**named, Tagging={"TagSet": []}),
    }


def _on_prefix(where, bucket, prefix):
    return {
        f"list {where}": lambda c: c("s3").list_objects_v2(Bucket=bucket, Prefix=prefix, MaxKeys=1),
        f"list versions of {where}": lambda c: c("s3").list_object_versions(Bucket=bucket, Prefix=prefix, MaxKeys=1),
    }


def _on_queue(name, url):
    # A message that cannot be read is acknowledged by whoever gets it. A receipt that was never given changes nothing.
    return {
        f"send to {name}": lambda c: c("sqs").send_message(QueueUrl=url, MessageBody="-"),
        f"send a batch to {name}": lambda c: c("sqs").send_message_batch(
            QueueUrl=url, Entries=[{"Id": "0", "MessageBody": "-"}]
        ),
        f"receive {name}": lambda c: c("sqs").receive_message(QueueUrl=url, VisibilityTimeout=1),
        f"delete from {name}": lambda c: c("sqs").delete_message(QueueUrl=url, ReceiptHandle="none"),
        f"hide in {name}": lambda c: c("sqs").change_message_visibility(
            QueueUrl=url, ReceiptHandle="none", VisibilityTimeout=0
        ),
        f"look at {name}": lambda c: c("sqs").get_queue_attributes(QueueUrl=url, AttributeNames=["QueueArn"]),
        f"purge {name}": lambda c: c("sqs").purge_queue(QueueUrl=url),
        f"change {name}": lambda c: c("sqs").set_queue_attributes(QueueUrl=url, Attributes={"DelaySeconds": "0"}),
    }


def _on_function(name, function):
    return {
        f"invoke {name}": lambda c: c("lambda").invoke(FunctionName=function, InvocationType="DryRun"),
        f"configure {name}": lambda c: c("lambda").update_function_configuration(FunctionName=function),
        f"read {name}": lambda c: c("lambda").get_function(FunctionName=function),
    }


def _on_mapping(name, mapping):
    return {f"look at {name}": lambda c: c("lambda").get_event_source_mapping(UUID=mapping)}


def _elsewhere(deployed):
    role = deployed.client("iam").get_role(RoleName=deployed.physical("ApiFunctionRole"))["Role"]["Arn"]
    event = {"Source": "sheaf.test", "DetailType": "none", "Detail": "{}"}
    group = f"/aws/lambda/{deployed.physical('ApiFunction')}"
    return {
        "put an event": lambda c: c("events").put_events(Entries=[event]),
        "make a rule": lambda c: c("events").put_rule(Name="none", ScheduleExpression="rate(1 day)", State="DISABLED"),
        "list users": lambda c: c("cognito-idp").list_users(UserPoolId=deployed.pool, Limit=1),
        "join a group": lambda c: c("cognito-idp").admin_add_user_to_group(
            UserPoolId=deployed.pool, Username="none", GroupName="demo"
        ),
        "become another role": lambda c: c("sts").assume_role(RoleArn=role, RoleSessionName="none"),
        "list roles": lambda c: c("iam").list_roles(MaxItems=1),
        "write a policy": lambda c: c("iam").put_role_policy(
            RoleName="none", PolicyName="none", PolicyDocument='{"Version": "2012-10-17", "Statement": []}'
        ),
        "list secrets": lambda c: c("secretsmanager").list_secrets(MaxResults=1),
        "read a parameter": lambda c: c("ssm").get_parameter(Name="none"),
        "delete a stack": lambda c: c("cloudformation").delete_stack(StackName="none"),
        "write its log": lambda c: c("logs").create_log_stream(logGroupName=group, logStreamName="none"),
        "read a log": lambda c: c("logs").filter_log_events(logGroupName=group, limit=1),
    }


def _is_denied(operation, clients):
    try:
        operation(clients)
    except ClientError as error:
        return error.response["Error"]["Code"] in DENIED
    return False


@pytest.fixture(scope="module")
def operations(deployed):
    """Every operation to try."""
    return _operations(deployed)


def test_every_operation_is_possible_when_the_account_s_owner_tries_it(deployed, operations):
    """So that no denial below comes from an operation that is wrong in itself, or that the emulator always denies."""
    assert [name for name, operation in operations.items() if _is_denied(operation, deployed.client)] == []


@pytest.mark.parametrize("role", ALLOWED)
def test_a_role_does_what_it_must_and_nothing_else_when_it_tries_everything(deployed, operations, role):
    """The whole table: each operation as each role, allowed or denied as the table says."""
    assert operations.keys() >= ALLOWED[role]
    clients = deployed.as_twin_of(role) if role == "SchedulerRole" else deployed.as_role(role)
    assert {name for name, operation in operations.items() if not _is_denied(operation, clients)} == ALLOWED[role]
