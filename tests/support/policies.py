"""IAM as far as our policies use it: what the template says, and whether a call may be made by it.

For what the emulator does not enforce: conditions on the keys (`dynamodb:LeadingKeys`), the attributes
(`dynamodb:Attributes`) and the prefixes that a call names.
"""

import fnmatch
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tests.support import stack_file

Context = Mapping[str, Sequence[str]]
Statement = dict[str, Any]


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
    return str(resource["Fn::Sub"] if "Fn::Sub" in resource else resource["Ref"])


def statements(made: dict[str, Any], function: str) -> list[Statement]:
    """Everything that a function's role is told: its own policies, and those that name the role."""
    policies = made["Resources"][function]["Properties"].get("Policies", [])
    # Without a version a policy is one of 2008, in which `${aws:…}` is no variable.
    said = [{name: value for name, value in policy.items() if name != "Statement"} for policy in policies]
    assert said == [{"Version": "2012-10-17"}] * len(policies), "no managed policies, each with its version"
    found = [statement for policy in policies for statement in policy["Statement"]]
    for policy in stack_file.resources(made, "AWS::IAM::Policy").values():
        if {"Ref": f"{function}Role"} in policy["Properties"]["Roles"]:
            found += policy["Properties"]["PolicyDocument"]["Statement"]
    return found


def grants(made: dict[str, Any], function: str) -> set[Grant]:
    """What is allowed to it, whatever the conditions and the denials beside it."""
    return {
        Grant(action, text(resource))
        for statement in statements(made, function)
        if statement["Effect"] == "Allow"
        for action in _list(statement["Action"])
        for resource in _list(statement["Resource"])
    }


def may(made: dict[str, Any], function: str, action: str, resource: str, context: Context) -> bool:
    """Whether IAM would let the call through: something allows it, and nothing denies it."""
    effects = {
        statement["Effect"]
        for statement in statements(made, function)
        if any(_like(action, pattern) for pattern in _list(statement["Action"]))
        and any(_like(resource, text(pattern)) for pattern in _list(statement["Resource"]))
        and _holds(statement.get("Condition", {}), context)
    }
    return effects == {"Allow"}


def may_send(made: dict[str, Any], queue: str, source: str) -> bool:
    """Whether a queue takes a message that S3 sends in the name of this bucket, one of the account that the stack is in."""
    told = [each["Properties"] for each in stack_file.resources(made, "AWS::SQS::QueuePolicy").values()]
    effects = {
        statement["Effect"]
        for policy in told
        if {"Ref": queue} in policy["Queues"]
        for statement in policy["PolicyDocument"]["Statement"]
        # The other one, behind an `!If`, is about TLS.
        if "Fn::If" not in statement and statement["Principal"] == {"Service": "s3.amazonaws.com"}
        if _holds(_filled(statement["Condition"]), {"aws:SourceAccount": ["AWS::AccountId"], "aws:SourceArn": [source]})
    }
    return effects == {"Allow"}


def bucket_arn(made: dict[str, Any], name: str) -> str:
    """Of a bucket with a name of its own, as its notices say it."""
    return f"arn:${{AWS::Partition}}:s3:::{_filled(made['Resources'][name]['Properties']['BucketName'])}"


def _filled(value: Any) -> Any:
    """Without its functions: a `Sub` with the text of what it puts in, so that two are equal where they are made alike."""
    match value:
        case {"Ref": name}:
            return name
        case {"Fn::Sub": [text, own]}:
            for name, part in own.items():
                text = text.replace(f"${{{name}}}", json.dumps(part))
            return text
        case dict():
            return {name: _filled(part) for name, part in value.items()}
    return value


def is_allowed(found: set[Grant], action: str, resource: str) -> bool:
    return any(_like(action, grant.action) and _like(resource, grant.resource) for grant in found)


def _holds(conditions: Mapping[str, Mapping[str, Any]], context: Context) -> bool:
    """Every operator, every key: as IAM's documentation has it, for the operators that we use."""
    return all(
        _one(operator, _list(wanted), context.get(key))
        for operator, keys in conditions.items()
        for key, wanted in keys.items()
    )


def _one(operator: str, wanted: Sequence[str], given: Sequence[str] | None) -> bool:
    quantifier, _, name = operator.rpartition(":")
    if name.endswith("IfExists") and given is None:
        return True
    name = name.removesuffix("IfExists")
    if name == "Null":
        return [str(not given).lower()] == list(wanted)
    matches: Callable[[str, str], bool] = {"StringEquals": str.__eq__, "StringLike": _like, "ArnEquals": _like}[name]
    met = [any(matches(value, each) for each in wanted) for value in given or ()]
    match quantifier:
        case "ForAllValues":
            return all(met)
        case "ForAnyValue":
            return any(met)
    # A key with one value; a key that is not there meets no condition.
    return met == [True]


def _like(value: str, pattern: str) -> bool:
    return fnmatch.fnmatchcase(value, pattern.replace("[", "[[]"))


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


Asked = tuple[str, str, Context]
HASH_KEYS = {
    "TasksTable": "task",
    "ResultsTable": "shard",
    "GatesTable": "gate",
    "LibraryTable": "entry",
    "ReviewsTable": "paper",
}


def actions(operation: str, arguments: dict[str, Any]) -> list[Asked]:  # noqa: PLR0911, PLR0912 - a table
    """What IAM is asked when a call is made: actions, the resource of each as the template would name it, and what it knows."""
    versioned = "Version" if arguments.get("VersionId") else ""
    bucket, key = "${DataBucket.Arn}", arguments.get("Key")
    match operation:
        case "TransactWriteItems":
            parts = [(verb, told) for part in arguments["TransactItems"] for verb, told in part.items()]
            return [_on_items(f"{verb}Item", told, [told.get("Item") or told["Key"]]) for verb, told in parts]
        case "BatchGetItem":
            asked = arguments["RequestItems"].items()
            return [_on_items(operation, {"TableName": table, **told}, told["Keys"]) for table, told in asked]
        case "Query" | "Scan":
            index = f"/index/{arguments['IndexName']}" if "IndexName" in arguments else ""
            return [(f"dynamodb:{operation}", _table(arguments["TableName"]) + index, {})]
        case "PutItem" | "GetItem" | "UpdateItem" | "DeleteItem":
            return [_on_items(operation, arguments, [arguments.get("Item") or arguments["Key"]])]
        case "HeadObject":
            return [("s3:GetObject", f"{bucket}/{key}", {})]
        case "GetObject" | "DeleteObject":
            return [(f"s3:{operation}{versioned}", f"{bucket}/{key}", {})]
        case "PutObject":
            return [("s3:PutObject", f"{bucket}/{key}", {})]
        case "ListObjectsV2":
            return [("s3:ListBucket", bucket, {"s3:prefix": [arguments["Prefix"]]})]
        case "ListObjectVersions":
            return [("s3:ListBucketVersions", bucket, {"s3:prefix": [arguments["Prefix"]]})]
        case "SendMessageBatch":
            return [("sqs:SendMessage", _queue(arguments["QueueUrl"]), {})]
        case "GetQueueAttributes" | "ChangeMessageVisibility":
            return [(f"sqs:{operation}", _queue(arguments["QueueUrl"]), {})]
        case "GetEventSourceMapping":
            mapping = "arn:${AWS::Partition}:lambda:${AWS::Region}:${AWS::AccountId}:event-source-mapping:"
            return [(f"lambda:{operation}", mapping + arguments["UUID"], {})]
        case "Invoke":
            return [("lambda:InvokeFunction", "${" + arguments["FunctionName"] + ".Arn}", {})]
        case "Converse":
            return [("bedrock:InvokeModel", "BedrockModelArns", {})]
        case "PutEvents":
            bus = "arn:${AWS::Partition}:events:${AWS::Region}:${AWS::AccountId}:event-bus/default"
            return [("events:PutEvents", bus, {})]
    raise AssertionError(f"{operation}: say here which action it needs")


def _on_items(operation: str, arguments: Mapping[str, Any], items: Sequence[Mapping[str, Any]]) -> Asked:
    """With the partition keys and every attribute that the call names: in its item, its key and its expressions."""
    table = arguments["TableName"]
    projected = [name for name in arguments.get("ProjectionExpression", "").split(", ") if name]
    named = {name for item in items for name in item} | set(arguments.get("ExpressionAttributeNames", {}).values())
    keys = [next(iter(item[HASH_KEYS[table]].values())) for item in items]
    context = {"dynamodb:LeadingKeys": keys, "dynamodb:Attributes": sorted({*named, *projected})}
    if operation in {"GetItem", "BatchGetItem"}:
        context["dynamodb:Select"] = ["SPECIFIC_ATTRIBUTES" if projected else "ALL_ATTRIBUTES"]
    return f"dynamodb:{operation}", _table(table), context


def _table(name: str) -> str:
    return "${" + name + ".Arn}"


def _queue(url: str) -> str:
    return "${" + url.rpartition("/")[2] + ".Arn}"
