"""The template after SAM's transform, as CloudFormation gets it: cfn-lint sees nothing of what SAM makes until then."""

import json
import re
import sys
from pathlib import Path
from typing import Any, NamedTuple

from cfnlint.decode import decode
from cfnlint.template.transforms._sam import Transform

from local import LocalError
from local.settings import REGION, ROOT
from sheaf.plain_json import JsonObject

ARNS = {
    "AWS::DynamoDB::Table": "dynamodb:{where}:table/{name}",
    "AWS::SQS::Queue": "sqs:{where}:{name}",
    "AWS::Lambda::Function": "lambda:{where}:function:{name}",
    "AWS::S3::Bucket": "s3:::{name}",
}


def text(path: Path) -> str:
    """As JSON, by cfn-lint's own transformer, which knows SAM's managed policies. Raises LocalError."""
    source, wrong = decode(str(path))
    made = Transform(str(path), source, REGION)
    wrong = wrong or made.transform_template()
    if wrong:
        raise LocalError("\n".join(str(match) for match in wrong))
    return json.dumps(made.template(), indent=1)


class Made(NamedTuple):
    resources: dict[str, JsonObject]
    settings: dict[str, str]
    names: dict[str, str]

    def plain(self, written: str) -> str:
        written = re.sub(r'\{"Ref": "(\w+)"\}', lambda it: json.dumps(self.settings[it[1]].split(",")), written)
        written = re.sub(r'\{"Fn::GetAtt": \["(\w+)", "Arn"\]\}', r'"${\1.Arn}"', written)
        written = re.sub(r'\{"Fn::Sub": ("[^"]*")\}', r"\1", written)
        # What has no ARN of its own goes into another's by its id.
        return re.sub(r"\$\{([\w:]+)(?:\.Arn)?\}", lambda it: self.names.get(it[1], it[1].lower()), written)

    def policies(self, role: str) -> list[str]:
        """All that a role may do, without what comes with a setting that is not made."""
        every: list[Any] = [each["Properties"] for each in self.resources.values() if "Properties" in each]
        own: Any = self.resources[role]["Properties"]
        found = [*own.get("Policies", ()), *(each for each in every if {"Ref": role} in each.get("Roles", ()))]
        texts = [self.plain(json.dumps(each["PolicyDocument"])) for each in found]
        return [text for text in texts if '"Resource": [""]' not in text]


def made(account: str, region: str, given: dict[str, str]) -> Made:
    whole = json.loads(text(ROOT / "template.yaml"))
    settings = {name: str(each.get("Default", "")) for name, each in whole["Parameters"].items()}
    names = {"AWS::Region": region, "AWS::AccountId": account, "AWS::Partition": "aws"}
    for name, each in whole["Resources"].items():
        arn = "arn:aws:" + ARNS[each["Type"]] if each["Type"] in ARNS else "{name}"
        names[name] = arn.format(where=f"{region}:{account}", name=name.lower())
    return Made(whole["Resources"], settings | given, names)


if __name__ == "__main__":
    sys.stdout.write(text(ROOT / "template.yaml"))
