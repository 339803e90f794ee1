"""DynamoDB's condition and update expressions: really parsed, really evaluated, on items as they travel.

An expression is compiled once into a closure over (item, names, values); the product writes a few dozen of them.
Whatever the grammar here does not know raises `Unknown`: a model must never answer what it does not understand.
"""

import re
from collections.abc import Callable
from decimal import Decimal
from functools import cache
from typing import Any

Item = dict[str, Any]
Scope = tuple[Item, dict[str, str], dict[str, Any]]
TOKEN = re.compile(r"\s*(<=|>=|<>|[()=<>,+\-]|[:#]?[A-Za-z0-9_]+)")
MISSING = object()


class Unknown(Exception):
    """The model does not know this construct."""


class Invalid(Exception):
    """DynamoDB would answer ValidationException."""


def number(text: str) -> int | Decimal:
    return Decimal(text) if "." in text or "E" in text or "e" in text else int(text)


class Reader:
    """The tokens of one expression, left to right."""

    def __init__(self, text: str) -> None:
        self.tokens, at = [], 0
        text = text.strip()
        while at < len(text):
            match = TOKEN.match(text, at)
            if not match:
                raise Unknown(text)
            self.tokens.append(match.group(1))
            at = match.end()
        self.at = 0
        self.used: set[str] = set()

    def peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def next(self) -> str:
        token = self.peek()
        self.at += 1
        if token[:1] in "#:":
            self.used.add(token)
        return token

    def take(self, wanted: str) -> bool:
        if self.peek().upper() == wanted:
            self.at += 1
            return True
        return False

    def need(self, wanted: str) -> None:
        if not self.take(wanted):
            raise Unknown(f"{wanted} expected at {self.at} of {self.tokens}")


Operand = Callable[[Scope], Any]


def _operand(read: Reader) -> Operand:
    """A path, a value, or size(path). Gives the typed value, or MISSING."""
    token = read.next()
    if token.startswith(":"):
        return lambda scope: scope[2][token]
    if token.lower() == "size":
        read.need("(")
        inner = _operand(read)
        read.need(")")
        return lambda scope: {"N": str(len(next(iter(inner(scope).values()))))}
    return _path(token)


def _path(token: str) -> Operand:
    if token.startswith("#"):
        return lambda scope: scope[0].get(scope[1][token], MISSING)
    return lambda scope: scope[0].get(token, MISSING)


def _compare(left: Any, operator: str, right: Any) -> bool:
    if left is MISSING or right is MISSING:
        return False
    (left_type, a), (right_type, b) = next(iter(left.items())), next(iter(right.items()))
    if left_type != right_type:
        return operator == "<>"
    if left_type == "N":
        a, b = number(a), number(b)
    elif left_type in ("SS", "NS"):
        a, b = set(a), set(b)
    match operator:
        case "=":
            return bool(a == b)
        case "<>":
            return bool(a != b)
        case "<":
            return bool(a < b)
        case "<=":
            return bool(a <= b)
        case ">":
            return bool(a > b)
        case _:
            return bool(a >= b)


Test = Callable[[Scope], bool]


def _or(read: Reader) -> Test:
    parts = [_and(read)]
    while read.take("OR"):
        parts.append(_and(read))
    return parts[0] if len(parts) == 1 else lambda scope: any(part(scope) for part in parts)


def _and(read: Reader) -> Test:
    parts = [_not(read)]
    while read.take("AND"):
        parts.append(_not(read))
    return parts[0] if len(parts) == 1 else lambda scope: all(part(scope) for part in parts)


def _not(read: Reader) -> Test:
    if read.take("NOT"):
        inner = _not(read)
        return lambda scope: not inner(scope)
    if read.take("("):
        inner = _or(read)
        read.need(")")
        return inner
    return _function(read) or _comparison(read)


def _function(read: Reader) -> Test | None:
    name = read.peek().lower()
    if name not in ("attribute_exists", "attribute_not_exists", "begins_with", "contains"):
        return None
    read.next()
    read.need("(")
    first = _operand(read)
    second = _operand(read) if read.take(",") else None
    read.need(")")
    if name == "attribute_exists":
        return lambda scope: first(scope) is not MISSING
    if name == "attribute_not_exists":
        return lambda scope: first(scope) is MISSING
    if second is None:
        raise Unknown(name)
    return lambda scope: _text_test(name, first(scope), second(scope))


def _text_test(name: str, where: Any, what: Any) -> bool:
    if where is MISSING:
        return False
    (kind, value), wanted = next(iter(where.items())), next(iter(what.values()))
    if name == "begins_with":
        return bool(kind == "S" and value.startswith(wanted))
    return bool(wanted in value)


def _comparison(read: Reader) -> Test:
    left = _operand(read)
    if read.take("BETWEEN"):
        low = _operand(read)
        read.need("AND")
        high = _operand(read)
        return lambda scope: _compare(left(scope), ">=", low(scope)) and _compare(left(scope), "<=", high(scope))
    if read.take("IN"):
        read.need("(")
        options = [_operand(read)]
        while read.take(","):
            options.append(_operand(read))
        read.need(")")
        return lambda scope: any(_compare(left(scope), "=", option(scope)) for option in options)
    operator = read.next()
    if operator not in ("=", "<>", "<", "<=", ">", ">="):
        raise Unknown(operator)
    right = _operand(read)
    return lambda scope: _compare(left(scope), operator, right(scope))


@cache
def condition(text: str) -> tuple[Test, frozenset[str]]:
    """A condition, and the placeholders that it uses."""
    read = Reader(text)
    test = _or(read)
    if read.peek():
        raise Unknown(text)
    return test, frozenset(read.used)


# ---------------------------------------------------------------------------------------------------- updates

Change = Callable[[Scope, Item], None]


@cache
def update(text: str) -> tuple[tuple[Change, ...], frozenset[str]]:
    """The changes of an update expression, each (scope before, item being made) -> None."""
    read, changes = Reader(text), []
    while read.peek():
        clause = read.next().upper()
        make = {"SET": _set, "REMOVE": _remove, "ADD": _add, "DELETE": _delete}.get(clause)
        if make is None:
            raise Unknown(text)
        changes.append(make(read))
        while read.take(","):
            changes.append(make(read))
    return tuple(changes), frozenset(read.used)


def _name(token: str, scope: Scope) -> str:
    return scope[1][token] if token.startswith("#") else token


def _set(read: Reader) -> Change:
    target = read.next()
    read.need("=")
    value = _sum(read)

    def change(scope: Scope, item: Item) -> None:
        item[_name(target, scope)] = value(scope)

    return change


def _sum(read: Reader) -> Operand:
    left = _value(read)
    sign = read.peek()
    if sign not in ("+", "-"):
        return left
    read.next()
    right = _value(read)
    factor = 1 if sign == "+" else -1
    return lambda scope: {"N": str(number(left(scope)["N"]) + factor * number(right(scope)["N"]))}


def _value(read: Reader) -> Operand:
    name = read.peek().lower()
    if name not in ("if_not_exists", "list_append"):
        found = _operand(read)

        def existing(scope: Scope) -> Any:
            value = found(scope)
            if value is MISSING:
                raise Invalid("The provided expression refers to an attribute that does not exist in the item")
            return value

        return existing
    read.next()
    read.need("(")
    first = _operand(read) if name == "if_not_exists" else _value(read)
    read.need(",")
    second = _value(read)
    read.need(")")
    if name == "list_append":
        return lambda scope: {"L": first(scope)["L"] + second(scope)["L"]}
    return lambda scope: second(scope) if first(scope) is MISSING else first(scope)


def _remove(read: Reader) -> Change:
    target = read.next()
    return lambda scope, item: item.pop(_name(target, scope), None) and None


def _add(read: Reader) -> Change:
    target, value = read.next(), _operand(read)

    def change(scope: Scope, item: Item) -> None:
        kind, more = next(iter(value(scope).items()))
        before = item.get(_name(target, scope))
        if kind == "N":
            item[_name(target, scope)] = {"N": str(number(before["N"] if before else "0") + number(more))}
        else:
            item[_name(target, scope)] = {kind: sorted({*(before[kind] if before else ()), *more})}

    return change


def _delete(read: Reader) -> Change:
    target, value = read.next(), _operand(read)

    def change(scope: Scope, item: Item) -> None:
        name = _name(target, scope)
        if name in item:
            kind, less = next(iter(value(scope).items()))
            left = sorted(set(item[name][kind]) - set(less))
            item.pop(name)
            if left:
                item[name] = {kind: left}

    return change
