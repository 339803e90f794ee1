"""A reference model of DynamoDB, as far as the product uses it; anything else raises `Unknown`.

Each item keeps its past, so that an eventually consistent read and an index can show it as it was a moment ago, item
by item. Every committed write passes `observe`, where the invariants stand.
"""

import random
from collections.abc import Callable
from typing import Any

from botocore.exceptions import ClientError

from tests.simulation.expressions import Invalid, Item, Unknown, condition, update

Key = tuple[Any, ...]
Observer = Callable[["Table", Key, "Item | None", "Item | None", Any], None]
TRANSACTION_MAX = 100
BATCH_GET_MAX = 100


def refused(code: str, operation: str, status: int = 400, message: str = "", **more: Any) -> ClientError:
    return ClientError(
        {"Error": {"Code": code, "Message": message or code}, "ResponseMetadata": {"HTTPStatusCode": status}, **more},
        operation,
    )


class Table:
    """One table: its items by partition, and each one's past."""

    def __init__(
        self, name: str, hash_key: str, range_key: str | None = None, indexes: dict[str, tuple[str, ...]] | None = None
    ) -> None:
        self.name = name
        self.keys = (hash_key, range_key) if range_key else (hash_key,)
        self.indexes = indexes or {}
        """Name -> hash key, range key, and whatever else it carries."""
        self.partitions: dict[Any, dict[Key, Item]] = {}
        self.past: dict[Key, list[tuple[int, Item | None]]] = {}
        self.known: dict[Any, list[Key]] = {}

    def key(self, item: Item) -> Key:
        return tuple(int(v) if t == "N" else v for t, v in (next(iter(item[name].items())) for name in self.keys))

    def get(self, key: Key) -> Item | None:
        return self.partitions.get(key[0], {}).get(key)

    def items(self) -> list[Item]:
        return [item for part in self.partitions.values() for item in part.values()]

    def set(self, key: Key, item: Item | None, now: int) -> None:
        part = self.partitions.setdefault(key[0], {})
        if key not in self.past:
            self.past[key] = [(0, None)]
            self.known.setdefault(key[0], []).append(key)
        self.past[key].append((now, item))
        if item is None:
            part.pop(key, None)
        else:
            part[key] = item

    def as_of(self, key: Key, instant: int) -> Item | None:
        """The item as it was then."""
        for when, item in reversed(self.past.get(key, ())):
            if when <= instant:
                return item
        return None


def product_tables() -> list[Table]:
    """The product's, as template.yaml has them."""
    by_active = ("active", "task", "total")
    return [
        Table("tasks", "task", indexes={"by_project": ("project", "created_at"), "by_active": by_active}),
        Table("results", "shard", "row"),
        Table("gates", "gate"),
        Table("library", "entry", indexes={"by_list": ("list", "created_at"), "by_due": ("active", "due_at")}),
        Table("reviews", "paper", "place", indexes={"by_list": ("list", "at", "task")}),
    ]


class Dynamo:
    """All the tables. `lag` gives how many milliseconds old an item looks in a read that is not consistent."""

    def __init__(self, tables: list[Table], observe: Observer) -> None:
        self.tables = {table.name: table for table in tables}
        self.observe = observe
        self.page: int | None = None
        self.stale: Callable[[random.Random], int] = lambda _rng: 0
        self.index_lag: Callable[[random.Random], int] = lambda _rng: 0

    # ------------------------------------------------------------------ writes

    def put_item(self, ctx: Any, *, TableName: str, Item: Item, **expressions: Any) -> dict[str, Any]:
        table = self.tables[TableName]
        key = table.key(Item)
        self._check(table, key, expressions, "PutItem")
        self._write(table, key, dict(Item), ctx)
        return {}

    def update_item(
        self,
        ctx: Any,
        *,
        TableName: str,
        Key: Item,
        UpdateExpression: str,
        ReturnValues: str = "NONE",
        **expressions: Any,
    ) -> dict[str, Any]:
        table = self.tables[TableName]
        key = table.key(Key)
        changes, used = update(UpdateExpression)
        before = self._check(table, key, expressions, "UpdateItem", used)
        after = self._changed(before, Key, changes, expressions)
        self._write(table, key, after, ctx)
        if ReturnValues == "ALL_NEW":
            return {"Attributes": after}
        if ReturnValues == "UPDATED_NEW":
            named = {name for token, name in expressions["ExpressionAttributeNames"].items() if token in used}
            return {"Attributes": {name: value for name, value in after.items() if name in named}}
        if ReturnValues == "ALL_OLD":
            return {"Attributes": before} if before else {}
        return {}

    def delete_item(self, ctx: Any, *, TableName: str, Key: Item, **expressions: Any) -> dict[str, Any]:
        table = self.tables[TableName]
        key = table.key(Key)
        self._check(table, key, expressions, "DeleteItem")
        self._write(table, key, None, ctx)
        return {}

    def transact_write_items(self, ctx: Any, *, TransactItems: list[Any]) -> dict[str, Any]:
        if len(TransactItems) > TRANSACTION_MAX:
            raise refused("ValidationException", "TransactWriteItems")
        planned, reasons = [], []
        for element in TransactItems:
            ((verb, given),) = element.items()
            given = dict(given)
            table = self.tables[given.pop("TableName")]
            key = table.key(given["Item"] if verb == "Put" else given["Key"])
            wants = given.pop("ReturnValuesOnConditionCheckFailure", None)
            try:
                planned.append((table, key, self._planned(verb, table, key, given), verb))
                reasons.append({"Code": "None"})
            except ClientError as error:
                found = {"Item": table.get(key)} if wants == "ALL_OLD" and table.get(key) else {}
                reasons.append({"Code": "ConditionalCheckFailed", "Message": str(error), **found})
        if any(reason["Code"] != "None" for reason in reasons):
            raise refused("TransactionCanceledException", "TransactWriteItems", CancellationReasons=reasons)
        for table, key, after, verb in planned:
            if verb != "ConditionCheck":
                self._write(table, key, after, ctx)
        return {}

    def _planned(self, verb: str, table: Table, key: Key, given: dict[str, Any]) -> Item | None:
        if verb == "Put":
            item = given.pop("Item")
            self._check(table, key, given, "TransactWriteItems")
            return dict(item)
        named = given.pop("Key")
        if verb == "Update":
            changes, used = update(given.pop("UpdateExpression"))
            before = self._check(table, key, given, "TransactWriteItems", used)
            return self._changed(before, named, changes, given)
        if verb not in ("Delete", "ConditionCheck"):
            raise Unknown(verb)
        self._check(table, key, given, "TransactWriteItems")
        return None

    def _check(
        self, table: Table, key: Key, expressions: dict[str, Any], operation: str, used: frozenset[str] = frozenset()
    ) -> Item | None:
        """The item as it stands, if the condition holds on it."""
        before = table.get(key)
        names, values = (
            expressions.get("ExpressionAttributeNames", {}),
            expressions.get("ExpressionAttributeValues", {}),
        )
        text = expressions.get("ConditionExpression")
        holds = True
        if text is not None:
            test, more = condition(text)
            used |= more
            holds = test((before or {}, names, values))
        if used != names.keys() | values.keys():
            raise refused(
                "ValidationException",
                operation,
                message=f"unused or undefined: {used ^ (names.keys() | values.keys())}",
            )
        known = {
            "ExpressionAttributeNames",
            "ExpressionAttributeValues",
            "ConditionExpression",
            "ReturnValuesOnConditionCheckFailure",
        }
        if expressions.keys() - known:
            raise Unknown(f"{operation}: {expressions.keys() - known}")
        if holds:
            return before
        wants = expressions.get("ReturnValuesOnConditionCheckFailure") == "ALL_OLD" and before
        raise refused("ConditionalCheckFailedException", operation, **({"Item": before} if wants else {}))

    def _changed(self, before: Item | None, named: Item, changes: Any, expressions: dict[str, Any]) -> Item:
        scope = (
            before or {},
            expressions.get("ExpressionAttributeNames", {}),
            expressions.get("ExpressionAttributeValues", {}),
        )
        after = dict(before) if before else dict(named)
        try:
            for change in changes:
                change(scope, after)
        except Invalid as error:
            raise refused("ValidationException", "UpdateItem", message=str(error)) from error
        return after

    def _write(self, table: Table, key: Key, after: Item | None, ctx: Any) -> None:
        before = table.get(key)
        table.set(key, after, ctx.kernel.now)
        self.observe(table, key, before, after, ctx)

    # ------------------------------------------------------------------ reads

    def _seen(self, ctx: Any, table: Table, key: Key, consistent: bool) -> Item | None:
        lag = 0 if consistent else self.stale(ctx.rng)
        return table.as_of(key, ctx.kernel.now - lag) if lag else table.get(key)

    def get_item(
        self, ctx: Any, *, TableName: str, Key: Item, ConsistentRead: bool = False, ProjectionExpression: str = ""
    ) -> dict[str, Any]:
        table, wanted = self.tables[TableName], ProjectionExpression.split(", ")
        found = self._seen(ctx, table, table.key(Key), ConsistentRead)
        if found and ProjectionExpression:
            found = _part_of(found, wanted)
        return {"Item": found} if found else {}

    def batch_get_item(self, ctx: Any, *, RequestItems: dict[str, Any]) -> dict[str, Any]:
        if not 0 < sum(len(request["Keys"]) for request in RequestItems.values()) <= BATCH_GET_MAX:
            raise refused("ValidationException", "BatchGetItem", message="none or too many")
        responses, unprocessed = {}, {}
        for name, request in RequestItems.items():
            responses[name], left = self._some_of(ctx, self.tables[name], request)
            if left:
                unprocessed[name] = {**request, "Keys": left}
        return {"Responses": responses, "UnprocessedKeys": unprocessed}

    def _some_of(self, ctx: Any, table: Table, request: dict[str, Any]) -> tuple[list[Item], list[Item]]:
        """Of one table's part of a batch: the items that are there, and the keys that are left."""
        keys = request["Keys"]
        if not keys or len({table.key(key) for key in keys}) != len(keys):
            raise refused("ValidationException", "BatchGetItem", message="none, or the same key twice")
        left = [key for key in keys if ctx.leaves_out()]
        consistent = request.get("ConsistentRead", False)
        found = [self._seen(ctx, table, table.key(key), consistent) for key in keys if key not in left]
        wanted = request.get("ProjectionExpression")
        names = {request["ExpressionAttributeNames"][place] for place in wanted.split(", ")} if wanted else None
        return [_part_of(item, names) for item in found if item], left

    def query(
        self, ctx: Any, *, TableName: str, KeyConditionExpression: str, ExpressionAttributeNames: dict[str, str],
        ExpressionAttributeValues: dict[str, Any], IndexName: str | None = None, ConsistentRead: bool = False,
        ExclusiveStartKey: Item | None = None, Limit: int | None = None, ScanIndexForward: bool = True, ProjectionExpression: str = "",
    ) -> dict[str, Any]:  # fmt: skip
        table = self.tables[TableName]
        if IndexName and ConsistentRead:
            raise refused("ValidationException", "Query", message="Consistent reads are not supported on indexes")
        # Of items with the same keys in an index those of the table say where a page goes on.
        names = tuple(dict.fromkeys((*table.indexes[IndexName][:2], *table.keys))) if IndexName else table.keys
        test = condition(KeyConditionExpression)[0]
        found = []
        for item in self._candidates(ctx, table, IndexName, ConsistentRead, ExpressionAttributeValues):
            if all(name in item for name in names) and test(
                (item, ExpressionAttributeNames, ExpressionAttributeValues)
            ):
                found.append((tuple(int(v) if t == "N" else v for name in names for t, v in item[name].items()), item))
        found.sort(key=lambda pair: pair[0], reverse=not ScanIndexForward)
        if ExclusiveStartKey:
            start = tuple(int(v) if t == "N" else v for name in names for t, v in ExclusiveStartKey[name].items())
            found = [pair for pair in found if (pair[0] > start if ScanIndexForward else pair[0] < start)]
        reply = self._page(ctx, table, names, found, Limit, IndexName)
        if ProjectionExpression:
            asked = {ExpressionAttributeNames[name] for name in ProjectionExpression.split(", ")}
            reply["Items"] = [{name: value for name, value in item.items() if name in asked} for item in reply["Items"]]
        return reply

    def scan(
        self, ctx: Any, *, TableName: str, IndexName: str, ExclusiveStartKey: Item | None = None
    ) -> dict[str, Any]:
        """All that an index shows, in the order of its partitions."""
        table = self.tables[TableName]
        names = table.indexes[IndexName][:2]
        items = [
            item
            for item in self._candidates(ctx, table, IndexName, consistent=False, values={})
            if all(name in item for name in names)
        ]
        found = sorted(((tuple(item[name]["S"] for name in names), item) for item in items), key=lambda pair: pair[0])
        if ExclusiveStartKey:
            start = tuple(ExclusiveStartKey[name]["S"] for name in names)
            found = [pair for pair in found if pair[0] > start]
        return self._page(ctx, table, names, found, None, IndexName)

    def _candidates(
        self, ctx: Any, table: Table, index: str | None, consistent: bool, values: dict[str, Any]
    ) -> list[Item]:
        if index is None:
            partition = next(value["S"] for value in values.values() if "S" in value)
            keys = table.known.get(partition, ())
            return [item for key in keys if (item := self._seen(ctx, table, key, consistent))]
        seen = (table.as_of(key, ctx.kernel.now - self.index_lag(ctx.rng)) for key in table.past)
        kept = {*table.keys, *table.indexes[index]}
        return [{name: value for name, value in item.items() if name in kept} for item in seen if item]

    def _page(
        self, ctx: Any, table: Table, names: Any, found: list[Any], limit: int | None, index: str | None
    ) -> dict[str, Any]:
        size = len(found) if limit is None else min(limit, len(found))
        if self.page is not None and size > self.page:
            size = ctx.rng.randint(0 if ctx.rng.random() < 0.1 else 1, self.page)
        page = [item for _, item in found[:size]]
        if size >= len(found) and size != limit:
            return {"Items": page}  # a page that is full has a key to go on from, even if nothing comes after it
        if not page:
            # DynamoDB may cut a page before its first item only under a filter; there is none here.
            if not found:
                return {"Items": page}
            page = [found[0][1]]
            if len(found) == 1 and limit != 1:
                return {"Items": page}
        last = page[-1]
        return {"Items": page, "LastEvaluatedKey": {name: last[name] for name in {*names, *table.keys}}}


def _part_of(item: Item, names: Any) -> Item:
    """These of its attributes, or all of them."""
    return item if names is None else {name: value for name, value in item.items() if name in names}
