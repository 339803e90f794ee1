"""The client's types, made of the API's own description: `python -m tests.support.client_shapes`.

Of the shapes that the client sends or reads, and of all that these are made of. Where a shape is one of several, the last is
taken, which the others only narrow.
"""

import re
import sys
from collections.abc import Iterator
from keyword import iskeyword
from typing import Any

from tests.support.stack_file import ROOT

sys.path[:0] = [str(ROOT / "layers" / "sheaf"), str(ROOT / "functions" / "api")]
import api  # noqa: E402, F401 - makes the routes
import openapi  # noqa: E402

FILE = ROOT / "client" / "sheaf_client" / "shapes.pyi"
READ = [
    "Problem",
    "KnowledgeBaseList",
    "DocumentList",
    "NewFile",
    "UploadList",
    "NewTask",
    "Estimate",
    "Task",
    "ResultList",
    "Export",
    "Doctor",
]
PLAIN = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}
HEAD = '''"""The API's shapes, by the names that its description has for them. Made by `python -m tests.support.client_shapes`.

Types alone: import them under `TYPE_CHECKING`.
"""

from typing import Any, Literal, NotRequired, TypedDict
'''


def text(schemas: dict[str, Any]) -> str:
    """The file: every shape that is read, after those that it is made of."""
    named: dict[str, str] = {}
    for name in READ:
        _name(name, schemas, named)
    return "\n".join([HEAD, *named.values()])


def _name(name: str, schemas: dict[str, Any], named: dict[str, str]) -> None:
    if name in named:
        return
    named[name] = ""
    shape = schemas[name]
    for inner in re.findall(r"#/components/schemas/(\w+)", " ".join(_references(shape))):
        _name(inner, schemas, named)
    fields = {key: _field(part, required=key in shape.get("required", ())) for key, part in shape["properties"].items()}
    del named[name]
    named[name] = _class(name, fields)


def _class(name: str, fields: dict[str, str]) -> str:
    if any(map(iskeyword, fields)):
        inside = "".join(f'        "{key}": {kind},\n' for key, kind in fields.items())
        return f'{name} = TypedDict(\n    "{name}",\n    {{\n{inside}    }},\n)\n'
    return f"class {name}(TypedDict):\n" + "".join(f"    {key}: {kind}\n" for key, kind in fields.items())


def _references(shape: Any) -> Iterator[str]:
    """What `_kind` will name."""
    match shape:
        case {"$ref": str(there)}:
            yield there
        case {"oneOf": [*_, last]} | {"allOf": [last, *_]}:
            yield from _references(last)
        case dict():
            for part in shape.values():
                yield from _references(part)
        case list():
            for part in shape:
                yield from _references(part)


def _field(shape: Any, *, required: bool) -> str:
    return _kind(shape) if required else f"NotRequired[{_kind(shape)}]"


def _kind(shape: Any) -> str:
    match shape:
        case {"$ref": str(there)}:
            return there.rpartition("/")[2]
        case {"oneOf": [*_, one]} | {"allOf": [one, *_]}:
            return _kind(one)
        case {"anyOf": several}:
            return " | ".join(map(_kind, several))
        case {"enum": [*words]}:
            quoted = ", ".join(f'"{word}"' for word in words if word is not None)
            return f"Literal[{quoted}]" + " | None" * (None in words)
        case {"type": [*several]}:
            return " | ".join(_kind({**shape, "type": each}) for each in several)
    return _plain(shape)


def _plain(shape: Any) -> str:
    match shape:
        case {"type": "array"}:
            return f"list[{_kind(shape['items'])}]"
        case {"type": "object"}:
            return f"dict[str, {_kind(shape.get('additionalProperties') or {})}]"
        case {"type": str(plain)}:
            return PLAIN[plain]
    return "Any"


def main() -> None:
    FILE.write_text(text(openapi.document()["components"]["schemas"]))


if __name__ == "__main__":
    main()
