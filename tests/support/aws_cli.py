"""The AWS CLI as far as README uses it, by botocore's own models: `python -m tests.support.aws_cli SERVICE OPERATION --option value`.

The real one pins another botocore than sam and the emulator, so it is not among the tools here. An option that the operation
does not have, or lacks, is refused as there.
"""

import sys
from itertools import pairwise
from typing import Any

import boto3
import jmespath
from botocore import xform_name


def run(service: str, operation: str, words: list[str]) -> Any:
    """What AWS answers, or of it what `--query` asks for."""
    client: Any = boto3.client(service)  # type: ignore[call-overload]
    method = operation.replace("-", "_")
    shape = client.meta.service_model.operation_model(client.meta.method_to_api_mapping[method]).input_shape
    members = {xform_name(name, "-"): (name, member) for name, member in shape.members.items()}
    options = dict(_options(words))
    assert options.pop("output", ["json"]) in (["json"], ["text"])
    query = options.pop("query", ["@"])[0]
    given = {members[option][0]: _value(members[option][1], values) for option, values in options.items()}
    return jmespath.search(query, getattr(client, method)(**given))


def _options(words: list[str]) -> list[tuple[str, list[str]]]:
    starts = [place for place, word in enumerate(words) if word.startswith("--")]
    return [(words[start][2:], words[start + 1 : end]) for start, end in pairwise([*starts, len(words)])]


def _value(shape: Any, values: list[str]) -> Any:
    match shape.type_name:
        case "boolean":
            return True
        case "list":
            return [_value(shape.member, [each]) for each in values]
        case "map" | "structure":
            return dict(part.split("=", 1) for part in values[0].split(","))
    (value,) = values
    return value


if __name__ == "__main__":
    answer = run(sys.argv[1], sys.argv[2], sys.argv[3:])
    sys.stdout.write("\t".join(answer) if isinstance(answer, list) else str(answer))
    sys.stdout.write("\n")
