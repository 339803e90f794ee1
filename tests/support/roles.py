"""Every role's rights as text, out of the template: `python -m tests.support.roles > tests/emulator/roles.txt`."""

import sys
from collections.abc import Iterator
from typing import Any

from tests.support import stack_file

Statement = dict[str, Any]


def described(source: dict[str, Any]) -> str:
    """One block a role, one line a right, in the order in which the template gives them."""
    rights = dict(_rights(source))
    return "\n".join("\n".join((name, *(f"  {line}" for line in lines), "")) for name, lines in sorted(rights.items()))


def _rights(source: dict[str, Any]) -> Iterator[tuple[str, list[str]]]:
    attached = stack_file.resources(source, "AWS::IAM::Policy").values()
    for name, body in stack_file.resources(source, "AWS::Serverless::Function").items():
        role = f"{name}Role"
        own = [statement for policy in body["Properties"].get("Policies", []) for statement in policy["Statement"]]
        others = [
            _line(statement) + (f", only {policy['Condition']}" if "Condition" in policy else "")
            for policy in attached
            if {"Ref": role} in policy["Properties"]["Roles"]
            for statement in policy["Properties"]["PolicyDocument"]["Statement"]
        ]
        # Added by SAM: a function's log and, because it is traced, its traces; where it may stand in a VPC, its interfaces.
        network = ["AWSLambdaVPCAccessExecutionRole"] if "VpcConfig" in body["Properties"] else []
        managed = ["AWSLambdaBasicExecutionRole", *network]
        yield role, [*managed, *map(_line, own), *others]
    for name, body in stack_file.resources(source, "AWS::IAM::Role").items():
        trust = body["Properties"]["AssumeRolePolicyDocument"]["Statement"]
        inline = [policy["PolicyDocument"]["Statement"] for policy in body["Properties"].get("Policies", [])]
        yield name, [f"for {_line(each)}" for each in trust] + [_line(each) for policy in inline for each in policy]


def _line(statement: Statement) -> str:
    on = " ".join(map(_text, _list(statement.get("Resource", statement.get("Principal")))))
    conditions = [
        f"{operator} {key} {' '.join(map(_text, _list(values)))}"
        for operator, tests in statement.get("Condition", {}).items()
        for key, values in tests.items()
    ]
    condition = f" if {' and '.join(conditions)}" if conditions else ""
    return f"{statement['Effect'].lower()} {' '.join(_list(statement['Action']))} on {on}{condition}"


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _text(value: Any) -> str:
    """A resource by its logical id."""
    match value:
        case str():
            return value
        case {"Ref": name}:
            return str(name)
        case {"Fn::GetAtt": [name, "Arn"]}:
            return str(name)
        case {"Fn::Sub": str(text)}:
            return text.replace("${", "").replace(".Arn}", "").replace("}", "")
        case {"Service": service}:
            return str(service)
    raise ValueError(value)


if __name__ == "__main__":
    sys.stdout.write(described(stack_file.load()))
