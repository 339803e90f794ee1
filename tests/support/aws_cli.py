"""The AWS CLI as far as README uses it, by botocore's own models: `python -m tests.support.aws_cli SERVICE OPERATION --option value`.

The real one pins another botocore than sam and the emulator, so it is not among the tools here. An option that the operation
does not have, or lacks, is refused as there.
"""

import json
import sys
from itertools import pairwise
from typing import Any

import boto3
import jmespath
from botocore import xform_name


def run(service: str, operation: str, words: list[str]) -> Any:
    """What AWS answers, or of it what `--query` asks for."""
    client: Any = boto3.client(service.removesuffix("api"))  # type: ignore[call-overload]
    if operation == "wait":
        return _wait(client, words)
    method = operation.replace("-", "_")
    shape = client.meta.service_model.operation_model(client.meta.method_to_api_mapping[method]).input_shape
    members = {xform_name(name, "-"): (name, member) for name, member in shape.members.items()}
    options = dict(_options(words))
    output, query = options.pop("output", ["json"])[0], options.pop("query", ["@"])[0]
    most = options.pop("max-items", [None])[0]
    given = {members[option][0]: _value(members[option][1], values) for option, values in options.items()}
    if client.can_paginate(method):
        pages = client.get_paginator(method).paginate(**given, PaginationConfig={"MaxItems": most})
        answer = pages.build_full_result()
    else:
        answer = getattr(client, method)(**given)
    return _printed(jmespath.search(query, answer), output)


def _wait(client: Any, words: list[str]) -> str:
    what, *rest = words
    client.get_waiter(what.replace("-", "_")).wait(
        **{"".join(map(str.title, name.split("-"))): values[0] for name, values in _options(rest)}
    )
    return ""


def _printed(answer: Any, output: str) -> str:
    if output == "json":
        return json.dumps(answer, indent=4, default=str)
    return "\t".join(answer or []) if isinstance(answer, list) else str(answer)


def _options(words: list[str]) -> list[tuple[str, list[str]]]:
    starts = [place for place, word in enumerate(words) if word.startswith("--")]
    return [(words[start][2:], words[start + 1 : end]) for start, end in pairwise([*starts, len(words)])]


def _value(shape: Any, values: list[str]) -> Any:
    match shape.type_name:
        case "boolean":
            return values in ([], ["true"])
        case "list":
            return [_value(shape.member, [each]) for each in values]
        case "integer":
            return int(values[0])
        case "map" | "structure":
            return _members(shape, values[0])
    (value,) = values
    return value


def _members(shape: Any, text: str) -> Any:
    """Of JSON, or of the short form: name=value,name=value."""
    if text.startswith("{"):
        return json.loads(text)
    parts = (part.split("=", 1) for part in text.split(","))
    return {
        name: _value(shape.members[name], [part]) if shape.type_name == "structure" else part for name, part in parts
    }


if __name__ == "__main__":
    sys.stdout.write(f"{run(sys.argv[1], sys.argv[2], sys.argv[3:])}\n")
