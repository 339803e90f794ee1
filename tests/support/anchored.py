"""Small changes of the product for tests, anchored by function and syntax node: moving a file breaks none of them.

An edit names the function (or the class, or the module's own name) it is in, the code as it is and the code as it would
be. Both are compared as syntax, so spaces, line ends and brackets do not matter. The code as it is must stand in the
functions of that name exactly once in the whole product: an edit that does not fit any more fails loudly.

`right` is an expression, one or more statements, an argument ("name=value"), or the head of an `if` or `while` ("if sent:").
An empty `wrong` takes the code out.
"""

import ast
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOMS = ("layers", "functions")


class Edit(NamedTuple):
    """In this function, `right` becomes `wrong`."""

    function: str
    right: str
    wrong: str


class Text(NamedTuple):
    """In this file, which is not Python, a text that stands there once becomes another."""

    file: str
    right: str
    wrong: str


class Gone(Exception):
    """The code that an edit would change does not stand once in the product: the edit has to be written anew."""


class Place(NamedTuple):
    """The text between two offsets of a file."""

    path: Path
    start: int
    end: int
    replaced: ast.AST | None


def apply(edit: Edit | Text, root: Path) -> Path:
    """Change the product below this folder; gives the file that was changed. Raises Gone."""
    place = find(edit, root)
    text = place.path.read_text()
    wrong = _written(edit, place, text) if isinstance(edit, Edit) else edit.wrong
    place.path.write_text(text[: place.start] + wrong + text[place.end :])
    return place.path


def find(edit: Edit | Text, root: Path) -> Place:
    """Where the edit's code stands. Raises Gone."""
    if isinstance(edit, Edit):
        found = [place for path in _product(root) for place in _places(edit, path)]
    else:
        found = list(_occurrences(edit, root / edit.file))
    if len(found) != 1:
        raise Gone(f"{len(found)} times in {edit[0]}: {edit.right!r}")
    return found[0]


def _occurrences(edit: Text, path: Path) -> Iterator[Place]:
    parts = path.read_text().split(edit.right)
    for at in range(1, len(parts)):
        start = len(edit.right.join(parts[:at]))
        yield Place(path, start, start + len(edit.right), None)


def _written(edit: Edit, place: Place, text: str) -> str:
    """The wrong code as it stands in the file: indented as what it replaces, in brackets where lines would end early."""
    if isinstance(place.replaced, ast.expr):
        wrong = _head(edit.wrong) or edit.wrong
        return f"({wrong})" if "\n" in wrong else wrong
    margin = " " * (place.start - text.rfind("\n", 0, place.start) - 1)
    return (edit.wrong or "pass").replace("\n", f"\n{margin}")


def _product(root: Path) -> list[Path]:
    return [path for room in ROOMS for path in sorted((root / room).rglob("*.py"))]


def _places(edit: Edit, path: Path) -> Iterator[Place]:
    text = path.read_text()
    name = edit.function.rpartition(".")[2]
    if name not in text:
        return
    starts = _line_starts(text)
    wanted = _wanted(edit)
    for scope in _scopes(_tree(text), edit.function):
        for nodes in _matches(scope, wanted):
            start = _offset(text, starts, nodes[0].lineno, nodes[0].col_offset)
            end = _offset(text, starts, nodes[-1].end_lineno or 0, nodes[-1].end_col_offset or 0)
            yield Place(path, start, end, nodes[0])


@cache
def _tree(text: str) -> ast.Module:
    return ast.parse(text)


def _line_starts(text: str) -> list[int]:
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    return starts


def _offset(text: str, starts: Sequence[int], line: int, column: int) -> int:
    """Where it is in the text; the syntax tree counts columns in bytes."""
    begin = starts[line - 1]
    return begin + len(text[begin : starts[line]].encode()[:column].decode())


def _scopes(tree: ast.AST, name: str) -> Iterator[ast.AST]:
    """Functions, classes and assignments of this name; "Class.method" is a method of that class."""
    outer, _, inner = name.rpartition(".")
    within = list(_scopes(tree, outer)) if outer else [tree]
    for node in (node for scope in within for node in ast.walk(scope)):
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == inner:
            yield node
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        if any(isinstance(target, ast.Name) and target.id == inner for target in targets):
            yield node


def _head(code: str) -> str:
    """The condition of "if condition:"; nothing for other code."""
    word, _, rest = code.partition(" ")
    return rest[:-1] if word in {"if", "while"} and code.endswith(":") and "\n" not in code else ""


class _Wanted(NamedTuple):
    """What is looked for: one expression (of a head, perhaps), or statements in a row."""

    nodes: list[str]
    is_expression: bool
    is_head: bool


def _wanted(edit: Edit) -> _Wanted:
    head = _head(edit.right)
    body = ast.parse(head or edit.right).body
    if len(body) == 1 and isinstance(body[0], ast.Expr) and (head or _is_expression(edit.wrong)):
        return _Wanted([ast.dump(body[0].value)], is_expression=True, is_head=bool(head))
    return _Wanted([ast.dump(node) for node in body], is_expression=False, is_head=False)


def _is_expression(code: str) -> bool:
    """No for nothing, too: what is taken out is a statement."""
    body = ast.parse(code).body
    return len(body) == 1 and isinstance(body[0], ast.Expr)


def _matches(scope: ast.AST, wanted: _Wanted) -> Iterator[Sequence[ast.stmt | ast.expr | ast.keyword]]:
    for node in ast.walk(scope):
        if wanted.is_head:
            if isinstance(node, ast.If | ast.While) and ast.dump(node.test) == wanted.nodes[0]:
                yield [node.test]
        elif wanted.is_expression:
            if isinstance(node, ast.expr) and ast.dump(node) == wanted.nodes[0]:
                yield [node]
        elif isinstance(node, ast.keyword) and _named(node, wanted.nodes):
            yield [node]
        else:
            yield from _runs(node, wanted.nodes)


def _named(node: ast.keyword, wanted: list[str]) -> bool:
    """Whether this is the argument "name=value" that an assignment's text looks like."""
    return [ast.dump(ast.Assign([ast.Name(str(node.arg), ast.Store())], node.value))] == wanted


def _runs(node: ast.AST, wanted: list[str]) -> Iterator[list[ast.stmt]]:
    for name in ("body", "orelse", "finalbody"):
        body = getattr(node, name, None)
        if not isinstance(body, list):
            continue
        for at in range(len(body) - len(wanted) + 1):
            run = body[at : at + len(wanted)]
            if all(isinstance(each, ast.stmt) for each in run) and [ast.dump(each) for each in run] == wanted:
                yield run
