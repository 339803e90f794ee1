"""DynamoDB's units from sizes, because no emulator counts them right. Pure.

Sizes as the developer guide gives them ("Item sizes and formats"): UTF-8 bytes of names and values; a number is a byte
for each two significant digits and one more; true, false and null are 1; a list or map is 3 and one for each element.
"""

from collections.abc import Callable, Mapping
from math import ceil
from typing import Any

WRITE_BYTES = 1024
READ_BYTES = 4096


def item_size(item: Mapping[str, Mapping[str, Any]]) -> int:
    """Bytes of one item as the low-level API shows it."""
    return sum(len(name.encode()) + _size(value) for name, value in item.items())


def _size(typed: Mapping[str, Any]) -> int:
    ((kind, value),) = typed.items()
    return SIZES[kind](value)


def _number(text: str) -> int:
    digits = text.strip("-").replace(".", "").strip("0") or "0"
    return ceil(len(digits) / 2) + 1 + text.startswith("-")


SIZES: dict[str, Callable[[Any], int]] = {
    "S": lambda text: len(text.encode()),
    "N": _number,
    "NS": lambda numbers: sum(_number(each) for each in numbers),
    "B": len,
    "BOOL": lambda _: 1,
    "NULL": lambda _: 1,
    "SS": lambda texts: sum(len(text.encode()) for text in texts),
    "L": lambda each: 3 + sum(1 + _size(item) for item in each),
    "M": lambda named: 3 + sum(1 + len(name.encode()) + _size(item) for name, item in named.items()),
}


def write_units(size: int, *, transactional: bool = False) -> int:
    """What one write of an item costs; for an update, `size` is the larger of before and after."""
    return max(1, ceil(size / WRITE_BYTES)) * (2 if transactional else 1)


def read_units(size: int, *, consistent: bool) -> float:
    """What one item costs, or all the items of one page of a query together."""
    return max(1, ceil(size / READ_BYTES)) * (1.0 if consistent else 0.5)


def call_units(operation: str, request: Mapping[str, Any], reply: Mapping[str, Any]) -> float:
    """Read units of one call; 0 for what reads nothing."""
    match operation:
        case "Query":
            size = sum(item_size(item) for item in reply.get("Items", ()))
            return read_units(size, consistent=bool(request.get("ConsistentRead")))
        case "GetItem":
            return read_units(item_size(reply.get("Item", {})), consistent=bool(request.get("ConsistentRead")))
        case "BatchGetItem":
            return sum(
                _batch_units(asked, reply["Responses"].get(table, []))
                for table, asked in request["RequestItems"].items()
            )
    return 0.0


def _batch_units(asked: Mapping[str, Any], found: list[Any]) -> float:
    """Each item for itself; a key without an item costs the least there is."""
    consistent = bool(asked.get("ConsistentRead"))
    sizes = [item_size(item) for item in found] + [0] * (len(asked["Keys"]) - len(found))
    return sum(read_units(size, consistent=consistent) for size in sizes)
