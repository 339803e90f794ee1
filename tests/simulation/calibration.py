"""Calls that are made on the model and on another AWS alike, and the comparison of what comes back.

Two scripts: every call that the product makes in the story of `exhaustive`, as it was made; and written ones for the
corners of expressions, pages, transactions, versions and receipts that the story does not reach.
"""

import itertools
import random
from collections.abc import Callable
from typing import Any, NamedTuple

from botocore.exceptions import ClientError

from tests.simulation.dynamo import Dynamo, product_tables
from tests.simulation.queues import HIDDEN_MAX_S, Queue, Sqs
from tests.simulation.storage import S3

Call = tuple[str, str, dict[str, Any]]
TABLES = {
    "tasks": "TasksTable",
    "results": "ResultsTable",
    "gates": "GatesTable",
    "library": "LibraryTable",
    "reviews": "ReviewsTable",
}
SERVICES = ("dynamodb", "s3", "sqs")


class Gap(NamedTuple):
    """A difference that is known: whose answer is not AWS's, which calls show it, and how."""

    name: str
    shows: Callable[[str, dict[str, Any], Any, Any], bool]


def _page_at_its_limit(operation: str, arguments: dict[str, Any], ours: Any, theirs: Any) -> bool:
    """Equal but for the key to go on from."""
    return operation == "query" and len(ours[1]) == arguments.get("Limit") and ours[:2] == theirs[:2] and ours[2]


def _hidden_for_too_long(operation: str, arguments: dict[str, Any], ours: Any, theirs: Any) -> bool:
    hides = operation == "change_message_visibility" and arguments["VisibilityTimeout"] > HIDDEN_MAX_S
    return hides and ours[0] == "InvalidParameterValue" and theirs[0] == "ok"


KNOWN_GAPS = {
    "moto": [
        Gap("a full page that ends with the last item has no key to go on from; AWS's has one", _page_at_its_limit)
    ],
    "emulator": [Gap("a message can be hidden for more than twelve hours", _hidden_for_too_long)],
}
"""Where the model follows AWS's documentation and the other does not. Each of them has to show, or it is a gap no more.

Not to be compared, because neither has them: staleness, index lag, duplicates, delays, lost replies, throttles, unprocessed
keys, failed entries, conflicts. The numbers that a queue tells of itself are exact on all three; the simulation makes the
model's vague.
"""


class Model:
    """The model alone: consistent, exact, without faults."""

    def __init__(self) -> None:
        self.kernel = self
        self.now = 1_800_000_000_000
        self.rng = random.Random(1)
        self.world = self
        self.queue = Queue("queue", 1_800_000, 10**9)
        self.services = {
            "dynamodb": Dynamo(product_tables(), lambda *_: None),
            "s3": S3(),
            "sqs": Sqs([self.queue], self.rng),
        }
        self.services["sqs"].delay_ms = 0

    def leaves_out(self) -> bool:
        return False

    def sent(self, *_: Any) -> None:
        """Nobody polls here."""

    wake = sent

    def call(self, service: str, operation: str, arguments: dict[str, Any]) -> Any:
        self.now += 1
        if operation == "receive_message":
            message = min(self.queue.messages.values(), key=lambda found: found.id)
            self.queue.receive(message, self.now)
            return {"Messages": [{"ReceiptHandle": message.receipts[-1]}]}
        return getattr(self.services[service], operation)(self, **arguments)


def outcome(call: Any, *arguments: Any) -> tuple[str, Any]:
    """("ok", reply) or (error code, what the error carries)."""
    try:
        return "ok", call(*arguments)
    except ClientError as error:
        return error.response["Error"]["Code"], error.response


def comparable(operation: str, code: str, reply: Any) -> Any:
    """What of an answer the product looks at, in a form that two AWS can agree on."""
    if code != "ok":
        reasons = [(reason["Code"], _item(reason.get("Item"))) for reason in reply.get("CancellationReasons", [])]
        return code, _item(reply.get("Item")), reasons
    match operation:
        case "query":
            return code, [_item(item) for item in reply["Items"]], "LastEvaluatedKey" in reply
        case "batch_get_item":
            return code, sorted((_item(item) for found in reply["Responses"].values() for item in found), key=str)
        case "get_object":
            return code, reply["Body"].read()
        case "head_object":
            return code, reply["ContentLength"]
        case "send_message_batch":
            return (
                code,
                sorted(entry["Id"] for entry in reply.get("Successful", [])),
                sorted(entry["Id"] for entry in reply.get("Failed", [])),
            )
        case "get_queue_attributes":
            return code, reply["Attributes"]
        case "list_objects_v2":
            return code, [found["Prefix"] for found in reply.get("CommonPrefixes", [])]
        case "list_object_versions":
            return (
                code,
                sorted(found["Key"] for found in reply.get("Versions", [])),
                len(reply.get("DeleteMarkers", [])),
            )
        case _:
            return code, _item(reply.get("Attributes") or reply.get("Item"))


def _item(item: Any) -> Any:
    """Sets have no order."""
    return {name: {t: sorted(v) if t == "SS" else v for t, v in value.items()} for name, value in (item or {}).items()}


# ---------------------------------------------------------------------------------------------------- scripts


def story_calls() -> list[Call]:
    """Every call to a table, the bucket or the queue in a story without faults, in the order in which it was done."""
    from tests.simulation.exhaustive import SEED, Shape, Simulation, Swarm  # noqa: PLC0415

    shape = Shape(quiet_ms=210_000, requests=2, documents=3, uploads=3, aggregator_ms=90_000, story=True, janitor=True)
    simulation = Simulation(
        SEED, swarm=Swarm(acts={"ok": 2.0, "transient": 1.0, "permanent": 0.5}, latency_ms=10), shape=shape, replay=[]
    )
    simulation.users._stock()
    simulation.librarians._stock()
    calls: list[Call] = [
        ("s3", "put_object", {"Bucket": "bucket", "Key": key, "Body": found.content, "ContentType": "text/plain"})
        for key, versions in simulation.s3.objects.items() for found in versions
    ]  # fmt: skip
    do = simulation.execute

    def remember(sandbox: Any, service: str, operation: str, arguments: dict[str, Any], **more: Any) -> Any:
        told = operation == "change_message_visibility"
        if service in SERVICES and not told and arguments.get("QueueUrl") != "intake":
            calls.append((service, operation, arguments))
        return do(sandbox, service, operation, arguments, **more)

    simulation.execute = remember  # type: ignore[method-assign]
    simulation.users._stock = simulation.librarians._stock = lambda: None  # type: ignore[method-assign]
    upload = simulation.uploaded

    def use_form(key: str, content: bytes, content_type: str, **more: Any) -> None:
        calls.append(
            ("s3", "put_object", {"Bucket": "bucket", "Key": key, "Body": content, "ContentType": content_type})
        )
        upload(key, content, content_type, **more)

    simulation.uploaded = use_form  # type: ignore[method-assign]
    library = list(simulation.dynamo.tables["library"].items())
    calls += [("dynamodb", "put_item", {"TableName": "library", "Item": item}) for item in library]
    simulation.run()
    return calls


def written_calls() -> list[Call]:
    """The corners."""
    key = {"gate": {"S": "g"}}

    def update(expression: str, condition: str | None = None, **values: Any) -> Call:
        text = expression + (condition or "")
        more = {"ConditionExpression": condition} if condition else {}
        names = {f"#{name}": name for name in ("a", "b", "n", "s", "l") if f"#{name}" in text}
        given = {f":{name}": value for name, value in values.items()}
        return "dynamodb", "update_item", {
            "TableName": "gates", "Key": key, "UpdateExpression": expression, "ReturnValues": "ALL_NEW",
            "ReturnValuesOnConditionCheckFailure": "ALL_OLD", "ExpressionAttributeNames": names,
            **({"ExpressionAttributeValues": given} if given else {}), **more,
        }  # fmt: skip

    number, text = {"N": "3"}, {"S": "three"}
    calls = [
        update("SET #n = :x", x=number), update("SET #n = #n + :x", x=number), update("SET #n = #n - :x REMOVE #a", x=number),
        update("SET #a = if_not_exists (#a, :x), #b = if_not_exists (#n, :x)", x=text), update("ADD #n :x", x=number),
        update("ADD #s :x", x={"SS": ["p", "q"]}), update("ADD #s :x", x={"SS": ["q", "r"]}), update("DELETE #s :x", x={"SS": ["p"]}),
        update("DELETE #s :x", x={"SS": ["q", "r"]}), update("SET #l = :x", x={"L": [number]}), update("SET #l = list_append (#l, :x)", x={"L": [number, text]}),
        update("SET #b = #a"), update("SET #a = #s + :x", x=number),
    ]  # fmt: skip
    comparisons = [f"#n {sign} :x" for sign in ("=", "<>", "<", "<=", ">", ">=")]
    tests = [
        *comparisons, "attribute_exists (#n)", "attribute_not_exists (#n)", "attribute_not_exists (#s)", "NOT #n = :x", "(#n = :x OR attribute_exists (#a))",
        "(#n = :x AND attribute_exists (#a))", "#n IN (:x, :y)", "#n BETWEEN :x AND :y", "begins_with (#a, :t)", "contains (#a, :t)", "size (#a) > :x",
        "(attribute_not_exists (#s) AND (#n < :y OR #n > :x))", "NOT (attribute_exists (#s) OR #n = :y)",
    ]  # fmt: skip
    for condition, x, y in itertools.product(tests, ("3", "6", "9"), ("9", "12")):
        values = {
            name: value
            for name, value in (("x", {"N": x}), ("y", {"N": y}), ("t", {"S": "th"}))
            if f":{name}" in condition
        }
        calls.append(update("SET #b = :z", condition, z={"S": "seen"}, **values))
    return calls + _rows() + _objects() + _receipts()


def _rows() -> list[Call]:
    absent = {"ConditionExpression": "attribute_not_exists (#0)", "ExpressionAttributeNames": {"#0": "shard"}}

    def row(number: int) -> dict[str, Any]:
        return {"shard": {"S": "p/t/0000"}, "row": {"N": str(number)}, "status": {"S": "pending"}}

    def together(*numbers: int) -> Call:
        puts = [
            {
                "Put": {
                    "TableName": "results",
                    "Item": row(number),
                    "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
                    **absent,
                }
            }
            for number in numbers
        ]
        return "dynamodb", "transact_write_items", {"TransactItems": puts}

    calls: list[Call] = [
        together(0, 1),
        together(1, 2),
        together(2, 3),
        ("dynamodb", "put_item", {"TableName": "results", "Item": row(3), **absent}),
    ]
    calls += [
        ("dynamodb", "put_item", {"TableName": "results", "Item": row(number), **absent}) for number in (4, 11, 5, 10)
    ]
    condition = {
        "KeyConditionExpression": "#0 = :0",
        "ExpressionAttributeNames": {"#0": "shard"},
        "ExpressionAttributeValues": {":0": {"S": "p/t/0000"}},
    }
    for limit, forward, start in itertools.product((1, 2, 3, 100), (True, False), (None, 1, 4, 10)):
        more = (
            {"ExclusiveStartKey": {"shard": {"S": "p/t/0000"}, "row": {"N": str(start)}}} if start is not None else {}
        )
        calls.append(
            (
                "dynamodb",
                "query",
                {
                    "TableName": "results",
                    "ConsistentRead": True,
                    "Limit": limit,
                    "ScanIndexForward": forward,
                    **condition,
                    **more,
                },
            )
        )
    gone = {
        "ConditionExpression": "#0 IN (:0, :1)",
        "ExpressionAttributeNames": {"#0": "status"},
        "ExpressionAttributeValues": {":0": {"S": "completed"}, ":1": {"S": "error"}},
    }
    calls.append(
        (
            "dynamodb",
            "delete_item",
            {"TableName": "results", "Key": {"shard": {"S": "p/t/0000"}, "row": {"N": "0"}}, **gone},
        )
    )
    keys = [{"shard": {"S": "p/t/0000"}, "row": {"N": str(number)}} for number in (0, 3, 7)]
    part = {"TableName": "results", "ConsistentRead": True, "ProjectionExpression": "task, attempt"}
    calls += [("dynamodb", "get_item", {**part, "Key": key}) for key in (keys[1], keys[2])]
    calls.append(("dynamodb", "batch_get_item", {"RequestItems": {"results": {"Keys": keys, "ConsistentRead": True}}}))
    calls.append(
        (
            "dynamodb",
            "batch_get_item",
            {"RequestItems": {"results": {"Keys": [*keys, keys[0]], "ConsistentRead": True}}},
        )
    )
    return calls


def _objects() -> list[Call]:
    def put(key: str, content: bytes) -> Call:
        return "s3", "put_object", {"Bucket": "bucket", "Key": key, "Body": content, "ContentType": "text/plain"}

    calls = [
        put("tasks/p/a/one", b"1"),
        put("tasks/p/a/one", b"2"),
        put("tasks/p/b/two", b"3"),
        put("tasks/q/c/three", b"4"),
    ]
    heads: list[Call] = [
        ("s3", "head_object", {"Bucket": "bucket", "Key": key}) for key in ("tasks/p/a/one", "tasks/none")
    ]
    calls += heads
    calls += [("s3", "get_object", {"Bucket": "bucket", "Key": key}) for key in ("tasks/p/a/one", "tasks/none")]
    calls += [
        ("s3", "list_objects_v2", {"Bucket": "bucket", "Prefix": prefix, "Delimiter": "/"})
        for prefix in ("tasks/", "tasks/p/", "other/")
    ]
    calls += [
        ("s3", "list_object_versions", {"Bucket": "bucket", "Prefix": prefix})
        for prefix in ("tasks/p/a/", "tasks/q/", "other/")
    ]
    calls += [
        ("s3", "delete_object", {"Bucket": "bucket", "Key": "tasks/p/a/one"}),
        ("s3", "get_object", {"Bucket": "bucket", "Key": "tasks/p/a/one"}),
        *heads,
    ]
    return [*calls, ("s3", "list_object_versions", {"Bucket": "bucket", "Prefix": "tasks/p/a/"})]


def _receipts() -> list[Call]:
    def send(*ids: str) -> Call:
        return (
            "sqs",
            "send_message_batch",
            {"QueueUrl": "queue", "Entries": [{"Id": i, "MessageBody": "{}"} for i in ids]},
        )

    def hide(receipt: str, seconds: int) -> Call:
        return (
            "sqs",
            "change_message_visibility",
            {"QueueUrl": "queue", "ReceiptHandle": receipt, "VisibilityTimeout": seconds},
        )

    counts: Call = (
        "sqs",
        "get_queue_attributes",
        {
            "QueueUrl": "queue",
            "AttributeNames": ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"],
        },
    )
    receive: Call = ("sqs", "receive_message", {"QueueUrl": "queue"})
    return [
        send("0"),
        counts,
        receive,
        counts,
        hide("<last>", 60),
        counts,
        hide("<last>", 0),
        counts,
        receive,
        hide("<last>", 43_201),
        hide("<last>", 43_300),
    ]
