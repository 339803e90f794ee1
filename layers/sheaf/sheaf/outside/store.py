"""The one door to DynamoDB: conditions and actions in, items or a refusal out.

boto3 makes the calls: PynamoDB cannot return the item that a refused update found, and one client is one cold start.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

from botocore.exceptions import ClientError, HTTPClientError
from botocore.exceptions import ConnectionError as NoConnection
from pynamodb.expressions.condition import Condition
from pynamodb.expressions.update import Action, Update

from sheaf.errors import Unavailable
from sheaf.items import Item
from sheaf.outside.needs import BatchTables, Tables

M = TypeVar("M", bound=Item)
Key = dict[str, str | int]
Raw = dict[str, Any]  # an item as it travels
Option = str | int | dict[str, dict[str, str]]
Already = Callable[[M], bool]
Actions = Sequence[Action]

BROKEN = {"InternalServerError", "InternalError", "InternalFailure", "ServiceUnavailable", "RequestTimeout"}
BUSY = {"SlowDown", "ThrottlingException", "Throttling", "RequestLimitExceeded", "TooManyRequestsException"}
BUSY_TABLE = {"ProvisionedThroughputExceededException", "TransactionInProgressException"}
PASSING = BROKEN | BUSY | BUSY_TABLE | {"TransactionConflictException"}
BATCH = 100
TRANSACTION = 100


@dataclass(frozen=True)
class Refused(Generic[M]):
    """A conditional write was refused; `item` is what it found, None where there was nothing."""

    item: M | None


Written: TypeAlias = M | Refused[M]  # what came of a conditional write: the item as written, or what refused it


def as_it_is(written: Written[M]) -> M | None:
    return written.item if isinstance(written, Refused) else written


class Put(NamedTuple):
    model: type[Item]
    item: Raw
    condition: Condition


class Change(NamedTuple):
    model: type[Item]
    key: Key
    actions: Actions
    condition: Condition


def assign(model: type[Item], **values: Any) -> list[Action]:
    named = ((getattr(model, name), value) for name, value in values.items())
    return [attribute.remove() if value is None else attribute.set(value) for attribute, value in named]


def call(world: Tables, service: str, operation: str, **arguments: Any) -> Any:
    """One AWS call. Raises Unavailable where waiting helps, and botocore's own error where it does not."""
    try:
        return getattr(world.client(service), operation)(**arguments)
    except ClientError as error:
        code = error.response["Error"]["Code"]
        status = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
        if code in PASSING or status >= 500:  # noqa: PLR2004 - HTTP's own number
            raise Unavailable(f"{service}.{operation}: {code}") from error
        raise
    except (HTTPClientError, NoConnection) as error:
        raise Unavailable(f"{service}.{operation}: {type(error).__name__}") from error


def _table(world: Tables, model: type[Item]) -> str:
    return str(getattr(world.settings, model.setting))


def _raw(key: Key) -> dict[str, dict[str, str]]:
    return {name: {"S": value} if isinstance(value, str) else {"N": str(value)} for name, value in key.items()}


def _expressions(condition: Condition | None, actions: Sequence[Action] = ()) -> dict[str, Any]:
    names: dict[str, str] = {}
    values: dict[str, Any] = {}
    out: dict[str, Any] = {}
    if condition is not None:
        out["ConditionExpression"] = condition.serialize(names, values)
    if actions:
        out["UpdateExpression"] = Update(*actions).serialize(names, values)
    out["ExpressionAttributeNames"] = {placeholder: name for name, placeholder in names.items()}
    if values:
        out["ExpressionAttributeValues"] = values
    return out


def _said(world: Tables, write: Put | Change) -> dict[str, Any]:
    request = {"TableName": _table(world, write.model), "ReturnValuesOnConditionCheckFailure": "ALL_OLD"}
    if isinstance(write, Put):
        return {**request, "Item": write.item, **_expressions(write.condition)}
    return {**request, "Key": _raw(write.key), **_expressions(write.condition, write.actions)}


def update(
    world: Tables,
    model: type[M],
    key: Key,
    actions: Actions,
    condition: Condition,
    *,
    already: Already[M] | None = None,
    returned: str = "ALL_NEW",
) -> Written[M]:
    """One conditional update: the item as written, or what refused it. `already` knows what this same write made before."""
    change = _said(world, Change(model, key, actions, condition))
    try:
        reply = call(world, "dynamodb", "update_item", **change, ReturnValues=returned)
    except ClientError as error:
        return _refusal(model, error, already)
    return model.from_raw_data(reply.get("Attributes", {}))


def put(world: Tables, item: M, condition: Condition, *, already: Already[M] | None = None) -> Written[M]:
    try:
        call(world, "dynamodb", "put_item", **_said(world, Put(type(item), item.serialize(), condition)))
    except ClientError as error:
        return _refusal(type(item), error, already)
    return item


class InTheWay(Unavailable):
    """Another writer was at one of a transaction's items: nothing was written, and nothing was refused."""


def transact(world: Tables, *writes: Put | Change) -> list[Refused[Any] | None]:
    """All of these writes, or none: of each what refused it; nothing but None when they are written. Raises InTheWay."""
    try:
        parts = [{"Put" if isinstance(write, Put) else "Update": _said(world, write)} for write in writes]
        call(world, "dynamodb", "transact_write_items", TransactItems=parts)
    except ClientError as error:
        if error.response["Error"]["Code"] != "TransactionCanceledException":
            raise
        reasons: list[Any] = error.response.get("CancellationReasons", [])
        if not any(reason["Code"] == "ConditionalCheckFailed" for reason in reasons):
            raise InTheWay("dynamodb.transact_write_items: another transaction was in the way") from error
        return [_reason(write, reason) for write, reason in zip(writes, reasons, strict=True)]
    return [None] * len(writes)


def _reason(write: Put | Change, reason: dict[str, Any]) -> Refused[Any] | None:
    if reason["Code"] != "ConditionalCheckFailed":
        return None
    found = reason.get("Item")
    return Refused(write.model.from_raw_data(found) if found else None)


def delete(world: Tables, model: type[M], key: Key, condition: Condition) -> None:
    """One conditional delete; a refusal leaves the item."""
    try:
        call(world, "dynamodb", "delete_item", TableName=_table(world, model), Key=_raw(key), **_expressions(condition))
    except ClientError as error:
        _refusal(model, error)


def _refusal(model: type[M], error: ClientError, already: Already[M] | None = None) -> Written[M]:
    if error.response["Error"]["Code"] != "ConditionalCheckFailedException":
        raise error
    found: Any = error.response.get("Item")
    item = model.from_raw_data(found) if found else None
    return item if item is not None and already is not None and already(item) else Refused(item)


def get(world: Tables, model: type[M], key: Key) -> M | None:
    """One item, strongly consistent."""
    reply = call(world, "dynamodb", "get_item", TableName=_table(world, model), Key=_raw(key), ConsistentRead=True)
    return model.from_raw_data(reply["Item"]) if "Item" in reply else None


def get_part(world: Tables, model: type[Item], key: Key, names: Sequence[str]) -> Any:
    """These attributes of an item as DynamoDB sends them, strongly consistent; None where there is no such item."""
    request = {"TableName": _table(world, model), "Key": _raw(key), "ConsistentRead": True}
    return call(world, "dynamodb", "get_item", **request, ProjectionExpression=", ".join(names)).get("Item")


def get_many(world: BatchTables, model: type[M], keys: Iterable[Key]) -> list[M]:
    """Those of the items that exist, strongly consistent, in no order. Raises Unavailable where some stay unread."""
    return [model.from_raw_data(item) for item in get_many_parts(world, model, list(keys))]


def get_many_parts(world: BatchTables, model: type[Item], keys: Sequence[Key], names: Sequence[str] = ()) -> list[Raw]:
    """Those of the items that exist, or these attributes of them, as DynamoDB sends them: of many, a third of `get_many`'s time."""
    chunks = [keys[start : start + BATCH] for start in range(0, len(keys), BATCH)]
    found = world.parallel(lambda chunk: get_raw(world, model, chunk, names), chunks)
    return [item for items in found for item in items]


def get_raw(world: BatchTables, model: type[Item], keys: Sequence[Key], names: Sequence[str] = ()) -> list[Raw]:
    """At most a hundred items in one read, as DynamoDB sends them, or these attributes of them. Raises Unavailable."""
    table = _table(world, model)
    called = {f"#{number}": name for number, name in enumerate(names)}
    part = {"ProjectionExpression": ", ".join(called), "ExpressionAttributeNames": called} if names else {}
    return _batch(world, {table: {"Keys": [_raw(key) for key in keys], "ConsistentRead": True, **part}})[table]


def get_two(world: BatchTables, model: type[M], key: Key, other: type[Item], its: Key) -> tuple[M | None, bool]:
    """An item, and whether there is another in another table: in one read, strongly consistent. Raises Unavailable."""
    asked = {_table(world, of): {"Keys": [_raw(at)], "ConsistentRead": True} for of, at in ((model, key), (other, its))}
    found = _batch(world, asked)
    items = found[_table(world, model)]
    return model.from_raw_data(items[0]) if items else None, bool(found[_table(world, other)])


def _batch(world: BatchTables, requests: Any) -> dict[str, list[Raw]]:
    found: dict[str, list[Raw]] = {table: [] for table in requests}
    for pause in (0.05, 0.2, 0.8, 2.0):
        reply = call(world, "dynamodb", "batch_get_item", RequestItems=requests)
        for table, items in reply["Responses"].items():
            found[table] += items
        requests = reply.get("UnprocessedKeys")
        if not requests:
            return found
        world.sleep(pause * (0.5 + world.chance()))
    raise Unavailable("dynamodb.batch_get_item: some keys stay unprocessed")


class Page(NamedTuple, Generic[M]):
    items: list[M]
    after: dict[str, dict[str, str]] | None


def query(world: Tables, model: type[M], condition: Condition, **options: Option) -> Page[M]:
    """One page of a query, as DynamoDB cuts it. `options` are DynamoDB's own: IndexName, Limit and so on."""
    reply = _query(world, model, condition, options)
    return Page([model.from_raw_data(item) for item in reply["Items"]], reply.get("LastEvaluatedKey"))


def query_raw(
    world: Tables, model: type[Item], condition: Condition | None, names: Sequence[str] = (), **options: Option
) -> Iterator[dict[str, Any]]:
    """Every item of a query, or of a scan without a condition, as DynamoDB sends it, page by page; only these attributes, if named."""
    while True:
        reply = _query(world, model, condition, options, names)
        yield from reply["Items"]
        if "LastEvaluatedKey" not in reply:
            return
        options["ExclusiveStartKey"] = reply["LastEvaluatedKey"]


def query_all(world: Tables, model: type[M], condition: Condition, **options: Option) -> list[M]:
    return [model.from_raw_data(item) for item in query_raw(world, model, condition, (), **options)]


def _query(
    world: Tables, model: type[Item], condition: Condition | None, options: dict[str, Option], names: Sequence[str] = ()
) -> Any:
    request: dict[str, Any] = {"TableName": _table(world, model), **options}
    if condition is None:
        return call(world, "dynamodb", "scan", **request)
    request |= _expressions(condition)
    request["KeyConditionExpression"] = request.pop("ConditionExpression")
    if names:
        # By placeholders, for some of them are words of DynamoDB's own.
        request["ExpressionAttributeNames"] |= {f"#p{number}": name for number, name in enumerate(names)}
        request["ProjectionExpression"] = ", ".join(f"#p{number}" for number in range(len(names)))
    return call(world, "dynamodb", "query", **request)
