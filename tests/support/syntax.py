"""The product's syntax trees, for rules that no linter knows."""

import ast
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

from tests.support.stack_file import ROOT

LAYER = ROOT / "layers" / "sheaf"
PACKAGE, CLINICAL = LAYER / "sheaf", LAYER / "clinical"
FUNCTIONS = ROOT / "functions"
PRODUCT = sorted(
    [*PACKAGE.rglob("*.py"), *CLINICAL.rglob("*.py"), *(LAYER / "sheets").rglob("*.py"), *FUNCTIONS.rglob("*.py")]
)


def everywhere(rule: Callable[[Path], None]) -> Callable[[], None]:
    """A rule over the product as one test, which names every file that breaks it."""

    def checked() -> None:
        broken = {}
        for path in PRODUCT:
            try:
                rule(path)
            except AssertionError as error:
                broken[name(path)] = str(error)
        assert broken == {}, broken

    checked.__name__, checked.__doc__, checked.__module__ = rule.__name__, rule.__doc__, rule.__module__
    return checked


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(), str(path))


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def dotted(node: ast.AST) -> str:
    """`a.b.c` of an expression that is one; empty for any other."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        inner = dotted(node.value)
        return f"{inner}.{node.attr}" if inner else ""
    return ""


def imports(path: Path) -> set[str]:
    """What a module imports anywhere in it, by full name."""
    found = set()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def calls(path: Path) -> Iterator[tuple[str, ast.Call]]:
    """Every call in a module whose function has a dotted name."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Call) and dotted(node.func):
            yield dotted(node.func), node


def at_import(path: Path) -> Iterator[ast.AST]:
    """What runs when a module is imported: everything but the bodies of its functions."""
    todo: list[ast.AST] = list(tree(path).body)
    while todo:
        node = todo.pop()
        yield node
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            todo += [*node.decorator_list, *node.args.defaults, *filter(None, node.args.kw_defaults)]
        elif not isinstance(node, ast.Lambda):
            todo += list(ast.iter_child_nodes(node))


def function(path: Path, wanted: str) -> ast.FunctionDef:
    return next(node for node in ast.walk(tree(path)) if isinstance(node, ast.FunctionDef) and node.name == wanted)
