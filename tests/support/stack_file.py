"""The template as data: resources with their parameters filled in, and the AWS resources that moto can make of it."""

import copy
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from tests.support import kinds, quick_moto
from tests.support.clients import client

ROOT = Path(__file__).resolve().parents[2]


class _Loader(yaml.SafeLoader):
    """YAML with CloudFormation's short tags, kept as their long forms."""


def _tag(loader: yaml.Loader, suffix: str, node: yaml.Node) -> Any:
    if isinstance(node, yaml.ScalarNode):
        value: Any = loader.construct_scalar(node)
    elif isinstance(node, yaml.SequenceNode):
        value = loader.construct_sequence(node, deep=True)
    else:
        assert isinstance(node, yaml.MappingNode)
        value = loader.construct_mapping(node, deep=True)
    if suffix == "GetAtt" and isinstance(value, str):
        value = value.split(".", 1)
    return {suffix if suffix in {"Ref", "Condition"} else f"Fn::{suffix}": value}


_Loader.add_multi_constructor("!", _tag)


def load(path: Path = ROOT / "template.yaml") -> dict[str, Any]:
    """A template as plain dictionaries."""
    made: dict[str, Any] = yaml.load(path.read_text(), _Loader)
    return made


def parameters(template: dict[str, Any]) -> dict[str, Any]:
    return {name: body["Default"] for name, body in template["Parameters"].items()}


def resources(template: dict[str, Any], kind: str) -> dict[str, Any]:
    return {name: body for name, body in template["Resources"].items() if body["Type"] == kind}


def configured(template: dict[str, Any], **given: str) -> dict[str, Any]:
    """The template as it is deployed with these parameters: without the resources whose condition is not met."""
    told = {**parameters(template), **given}
    met = {name: _is_met(condition, told) for name, condition in template["Conditions"].items()}
    there = {name: body for name, body in template["Resources"].items() if met.get(body.get("Condition"), True)}
    return {**template, "Resources": there}


def _is_met(condition: dict[str, Any], told: dict[str, Any]) -> bool:
    match condition:
        case {"Fn::Not": [other]}:
            return not _is_met(other, told)
        case {"Fn::Equals": [{"Ref": name}, value]}:
            return bool(str(told[name]) == value)
        case {"Fn::Equals": [{"Fn::Join": ["", {"Ref": name}]}, value]}:
            return bool(told[name].replace(",", "") == value)
    raise ValueError(condition)


class Made:
    """What moto, or whose clients are given, holds for one template: physical names by logical id."""

    def __init__(self, template: dict[str, Any], clients: Callable[[str], Any] = client) -> None:
        self.template = template
        self.clients = clients
        self.values: dict[str, Any] = {**parameters(template), "AWS::Region": "us-east-1", "AWS::StackName": "sheaf"}
        self._tables()
        self._queues()
        for name in resources(template, "AWS::S3::Bucket"):
            self._bucket(name)

    def _tables(self) -> None:
        dynamodb = self.clients("dynamodb")
        for name, body in resources(self.template, "AWS::DynamoDB::Table").items():
            wanted = ("BillingMode", "AttributeDefinitions", "KeySchema", "GlobalSecondaryIndexes")
            given = {key: body["Properties"][key] for key in wanted if key in body["Properties"]}
            dynamodb.create_table(TableName=name, **given)
            self.values[name] = name

    def _queues(self) -> None:
        sqs = self.clients("sqs")
        for name, body in resources(self.template, "AWS::SQS::Queue").items():
            visibility = str(self.resolve(body["Properties"].get("VisibilityTimeout", 30)))
            self.values[name] = sqs.create_queue(QueueName=name, Attributes={"VisibilityTimeout": visibility})[
                "QueueUrl"
            ]

    def _bucket(self, name: str) -> None:
        s3 = self.clients("s3")
        self.values[name] = name.lower()
        s3.create_bucket(Bucket=name.lower())
        s3.put_bucket_versioning(Bucket=name.lower(), VersioningConfiguration={"Status": "Enabled"})

    def resolve(self, value: Any) -> Any:
        """A template value with the names that exist here; a function's name is its logical id."""
        if isinstance(value, dict) and "Ref" in value:
            return self.values.get(value["Ref"], value["Ref"])
        if isinstance(value, dict) and "Fn::Sub" in value:
            text = value["Fn::Sub"]
            for name, known in self.values.items():
                text = text.replace(f"${{{name}}}", str(known))
            return text
        return value

    def environment(self, function: str) -> dict[str, str]:
        """The environment that the template gives a function, and the name that Lambda adds."""
        common = self.template["Globals"]["Function"]["Environment"]["Variables"]
        own = self.template["Resources"][function]["Properties"]["Environment"]["Variables"]
        told = {name: str(self.resolve(value)) for name, value in {**common, **own}.items()}
        return {"AWS_LAMBDA_FUNCTION_NAME": function, **told}


_KEPT: dict[int, tuple[Made, quick_moto.Backends]] = {}


def made_on_moto(template: dict[str, Any]) -> Made:
    """A template's resources, empty: made once a process, and from then on laid into moto as they were."""
    if id(template) not in _KEPT:
        made = Made(template)
        _KEPT[id(template)] = made, quick_moto.keep()
    first, empty = _KEPT[id(template)]
    quick_moto.lay(empty)
    made = copy.copy(first)
    made.values = dict(first.values)
    return made


@cache
def with_kind(name: str) -> dict[str, Any]:
    """The real template with one of tests/kinds laid over it."""
    return kinds.laid(load(), load(kinds.block(name)))


def probed() -> dict[str, Any]:
    """The real template with the `probe` kind laid over it."""
    return with_kind("probe")


def dump(template: dict[str, Any]) -> str:
    """A template as JSON, which is YAML too."""
    return json.dumps(template, indent=1)
