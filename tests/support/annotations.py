"""How many of the product's annotations say nothing: `python -m tests.support.annotations`.

Counted is every annotation of an argument (`*arguments` too) and of a return, in functions, methods and closures, of the
product's own files. One says nothing if it names, anywhere in it, `Any` or `object`, or a `Mapping` from `str`, whatever to:
so `dict[str, Any]` and `Callable[[Any], int]` do, and `dict[str, int]` does not. A module's name for such a type counts as
what it stands for, also where it is imported. Fields of classes, variables, lambdas and what has no annotation are not counted.
"""

import ast
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tests.support.stack_file import ROOT
from tests.support.syntax import PRODUCT, dotted

FILES = sorted([*PRODUCT, *(ROOT / "local").rglob("*.py"), *(ROOT / "client").rglob("*.py")])
SAYS_NOTHING = {"Any", "object"}
WORST = 12


@dataclass(frozen=True)
class Annotation:
    place: str
    function: str
    text: str
    empty: bool
    """It says nothing."""


def share(found: Iterable[Annotation]) -> float:
    """How many of a hundred say nothing."""
    told = [each.empty for each in found]
    return 100 * sum(told) / len(told)


def everywhere() -> list[Annotation]:
    """Those of the product."""
    return of({str(path.relative_to(ROOT)): path.read_text() for path in FILES})


def of(sources: dict[str, str]) -> list[Annotation]:
    """Those of these files, their text by their place."""
    trees = {place: ast.parse(text) for place, text in sources.items()}
    seen = {place: _seen(_module(place), tree) for place, tree in trees.items()}
    named = [(place, name, value) for place, tree in trees.items() for name, value in _named(tree)]
    aliases: set[str] = set()
    while more := {f"{_module(at)}.{name}" for at, name, value in named if _empty(value, seen[at], aliases)} - aliases:
        aliases |= more
    return [
        Annotation(place, node.name, ast.unparse(each), _empty(each, seen[place], aliases))
        for place, tree in trees.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        for each in _annotations(node)
    ]


def _module(place: str) -> str:
    parts = place.removesuffix(".py").removesuffix("/__init__").split("/")
    return ".".join(parts[2:] if parts[0] in {"layers", "functions"} else parts)


def _named(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    """The names that a module gives to types."""
    for node in tree.body:
        if isinstance(node, ast.AnnAssign) and ast.unparse(node.annotation) == "TypeAlias" and node.value:
            yield ast.unparse(node.target), node.value
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Subscript | ast.BinOp):
            yield ast.unparse(node.targets[0]), node.value


def _seen(module: str, tree: ast.Module) -> dict[str, str]:
    """The full name of what a module names itself or imports."""
    found = {name: f"{module}.{name}" for name, _ in _named(tree)}
    for node in tree.body:
        if isinstance(node, ast.ImportFrom):
            found |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Import):
            found |= {alias.name: alias.name for alias in node.names}
    return found


def _annotations(node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[ast.expr]:
    told = node.args
    for each in [*told.posonlyargs, *told.args, told.vararg, *told.kwonlyargs, told.kwarg]:
        if each is not None and each.annotation is not None:
            yield each.annotation
    if node.returns is not None:
        yield node.returns


def _empty(annotation: ast.expr, seen: dict[str, str], aliases: set[str]) -> bool:
    return any(_says_nothing(node, seen, aliases) for node in ast.walk(annotation))


def _says_nothing(node: ast.AST, seen: dict[str, str], aliases: set[str]) -> bool:
    match node:
        case ast.Constant(value=str() as text):
            return _quoted(text, seen, aliases)
        case ast.Name(id=name):
            return name in SAYS_NOTHING or seen.get(name) in aliases
        case ast.Attribute(value=ast.Name(id=module), attr=name):
            return name in SAYS_NOTHING or f"{seen.get(module)}.{name}" in aliases
        case ast.Subscript(slice=ast.Tuple(elts=[ast.Name(id="str"), _])):
            return dotted(node.value).endswith("Mapping")
    return False


def _quoted(text: str, seen: dict[str, str], aliases: set[str]) -> bool:
    try:
        return _empty(ast.parse(text, mode="eval").body, seen, aliases)
    except SyntaxError:
        return False  # a word of a Literal


def main() -> None:
    found = everywhere()
    empty = [each for each in found if each.empty]
    print(f"{len(empty)} of {len(found)} annotations say nothing: {share(found):.1f} %")  # noqa: T201
    for place, number in Counter(each.place for each in empty).most_common(WORST):
        print(f"{number:5} {place}")  # noqa: T201
    for each in empty if "--all" in sys.argv else ():
        print(f"{each.place}:{each.function}: {each.text}")  # noqa: T201


if __name__ == "__main__":
    main()
