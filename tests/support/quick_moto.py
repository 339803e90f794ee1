"""What moto does again and again, done once: nine tenths of what some tests cost.

It looks for each of an attribute's ten possible members under each of the names that another service might give it,
though an item of DynamoDB has its wire form already. It copies a table anew for each write of a transaction. And it
counts a queue's messages anew for each one that is sent.
"""

import copy
from functools import cache
from threading import Condition
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest
from moto.core import responses, serialize, utils
from moto.core.models import DEFAULT_ACCOUNT_ID
from moto.dynamodb import models
from moto.dynamodb.models import dynamodb_backends
from moto.dynamodb.models.table import Table
from moto.dynamodb.parsing.ast_nodes import DepthFirstTraverser, Node  # type: ignore[attr-defined]
from moto.s3.models import s3_backends
from moto.sqs.models import sqs_backends

AS_THEY_ARE = {"S", "N", "BOOL", "NULL", "SS", "NS"}


class Replies(serialize.JSONSerializer):
    """moto's own, but for the attributes of items."""

    def _serialize(self, serialized: Any, value: Any, shape: Any, key: str) -> None:
        told = written(value) if shape.name == "AttributeValue" else None
        if told is None:
            super()._serialize(serialized, value, shape, key)
        else:
            serialized[key] = told


def written(value: Any) -> dict[str, Any] | None:
    """An attribute's wire form; None if that is left to moto."""
    ((kind, told),) = value.items()
    if kind in AS_THEY_ARE:
        return {kind: told}
    if kind not in {"L", "M"}:
        return None
    parts = [written(part) for part in (told.values() if kind == "M" else told)]
    if None in parts:
        return None
    return {kind: dict(zip(told, parts, strict=True)) if kind == "M" else parts}


class Backends(NamedTuple):
    """What moto holds of the stack's three services."""

    tables: dict[str, Any]
    queues: dict[str, Any]
    buckets: dict[str, Any]


def keep() -> Backends:
    """As they are now."""
    return _copied(_there())


def lay(kept: Backends) -> None:
    """Into moto as it is after its reset; what was kept stays as it was."""
    for mine, its in zip(_copied(kept), _there(), strict=True):
        its.update(mine)
    s3_backends.bucket_accounts.update(dict.fromkeys(kept.buckets, ("aws", DEFAULT_ACCOUNT_ID)))


def _copied(told: Backends) -> Backends:
    """A lock cannot be copied: each queue gets one of its own."""
    queues = {
        name: copy.deepcopy(queue, {id(queue._messages_lock): Condition()}) for name, queue in told.queues.items()
    }
    return Backends(copy.deepcopy(told.tables), queues, copy.deepcopy(told.buckets))


def _there() -> Backends:
    return Backends(
        dynamodb_backends[DEFAULT_ACCOUNT_ID]["us-east-1"].tables,
        sqs_backends[DEFAULT_ACCOUNT_ID]["us-east-1"].queues,
        s3_backends[DEFAULT_ACCOUNT_ID]["aws"].buckets,
    )


class Backend(models.DynamoDBBackend):
    """moto's own, but for its transactions."""

    def transact_write_items(self, transact_items: Any) -> None:
        """A transaction that writes a hundred items of one table has to put back one table."""
        before: dict[int, Any] = {}

        def deepcopy(thing: Any) -> Any:
            if not isinstance(thing, Table):
                return copy.deepcopy(thing)
            if id(thing) not in before:
                before[id(thing)] = copy.deepcopy(thing)
            return before[id(thing)]

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(models, "copy", SimpleNamespace(deepcopy=deepcopy))
            transact(self, transact_items)


@cache
def is_one(kind: Any, of: tuple[type, ...]) -> bool:
    """Asked of a class once: that of moto's nodes is abstract, and slow to say it of each node."""
    return issubclass(kind, of)


def traverse(walk: Any, node: Any) -> Any:
    """moto's walk through an expression: it asks for the kinds of node that it changes once, not at each node."""
    return _traverse(walk, node, -1, walk.nodes_to_be_processed())


def _traverse(walk: Any, node: Any, at: int, changed: tuple[type, ...]) -> Any:
    if not is_one(type(node), (Node,)):  # type: ignore[arg-type]
        return node
    parent = node.parent
    for number, child in enumerate(node.children or ()):
        walk.pre_processing_of_child(node, number)
        _traverse(walk, child, number, changed)
    if is_one(type(node), changed):  # type: ignore[arg-type]
        node = walk.process(node)
        node.parent = parent
        if parent:
            parent.children[at] = node
    return node


transact = models.DynamoDBBackend.transact_write_items


def forget_messages() -> None:
    """For a test that holds its messages itself, and never receives one from moto."""
    for queue in _there().queues.values():
        queue._messages.clear()


def use() -> None:
    """From now on, in this process."""
    serialize.SERVICE_SPECIFIC_SERIALIZERS["dynamodb"] = {"json": Replies}
    for place, name, ours in (
        (models.DynamoDBBackend, "transact_write_items", Backend.transact_write_items),
        (DepthFirstTraverser, "traverse", traverse),
        (responses, "method_names_from_class", cache(utils.method_names_from_class)),
    ):
        setattr(place, name, ours)
