"""Where `sam deploy --config-env` goes and which settings it sends: read with SAM's own code, and shown before.

SAM sends what stands as `parameter_overrides` in that section of samconfig.toml, where `--guided` writes every parameter, and
leaves all others as they are deployed. So a setting that was made elsewhere since would be undone: such a deploy is refused.
`make deploy SET="Name=value"` changes a setting in both places.
"""

import argparse
import logging
import sys
from dataclasses import dataclass
from pathlib import Path

import boto3
from botocore.exceptions import BotoCoreError, ClientError
from samcli.cli.types import CfnParameterOverridesType
from samcli.commands.deploy.guided_config import GuidedConfig
from samcli.lib.config.samconfig import SamConfig
from samcli.yamlhelper import yaml_parse

from local import LocalError
from local.emulator import Say
from local.settings import ROOT, wanted_settings
from sheaf.plain_json import Json

# Importing SAM has everybody's small talk printed.
logging.getLogger("botocore").setLevel(logging.WARNING)
COMMAND, SECTION, SETTINGS = ["deploy"], "parameters", "parameter_overrides"


class TargetError(LocalError):
    """Nothing was deployed; the message says what is not clear."""


@dataclass(frozen=True)
class Target:
    """One stack: what SAM would deploy to, and the settings that it would send; in which folder and section that stands."""

    folder: Path
    config_env: str
    stack: str
    region: str
    profile: str | None
    settings: dict[str, str]

    def cloud(self) -> boto3.Session:
        return boto3.Session(region_name=self.region, profile_name=self.profile)


def find(config_env: str, folder: Path = ROOT) -> Target:
    """The section of this name and no other, as SAM has it. Raises TargetError."""
    told = SamConfig(folder).get_all(COMMAND, SECTION, config_env)
    if "stack_name" not in told:
        raise TargetError(f"samconfig.toml names no stack in [{config_env}.deploy.parameters].")
    profile = told.get("profile")
    region = told.get("region") or boto3.Session(profile_name=profile).region_name
    if not region:
        raise TargetError(
            f"No region: put one into [{config_env}.deploy.parameters], your profile or AWS_DEFAULT_REGION."
        )
    return Target(folder, config_env, told["stack_name"], region, profile, _settings(told.get(SETTINGS, "")))


def settle(target: Target, wanted: dict[str, str], deployed: dict[str, str], say: Say) -> None:
    """Say what this changes of what is deployed; write down what is wanted. Raises TargetError for what would be undone."""
    there = yaml_parse((target.folder / "template.yaml").read_text())["Parameters"]
    if unknown := sorted(set(wanted) - set(there)):
        # SAM drops them without a word.
        raise TargetError(f"The template has no parameter {', '.join(unknown)}.")
    sent = {**target.settings, **wanted}
    changes = {name: value for name, value in sent.items() if deployed.get(name, value) != value}
    for name, value in changes.items():
        say(f"  {name}: {deployed[name] or 'nothing'} is deployed, {value or 'nothing'} would be sent")
    if undone := sorted(set(changes) - set(wanted)):
        again = " ".join(f"{name}={GuidedConfig.quote_parameter_values(deployed[name])}" for name in undone)
        message = f"""Not deployed: samconfig.toml would undo settings that were made elsewhere. Keep them, or give other values, with
  make deploy ENV={target.config_env} SET='{again}'"""
        raise TargetError(message)
    if wanted:
        _write(target, sent)


def _settings(told: Json) -> dict[str, str]:
    given: dict[str, str] = CfnParameterOverridesType().convert(told, None, None) if told else {}
    return given


def _account(cloud: boto3.Session) -> str:
    return cloud.client("sts").get_caller_identity()["Account"]


def _deployed(cloud: boto3.Session, stack: str) -> dict[str, str]:
    """The parameters of the stack as it is; none where there is no stack."""
    try:
        found = cloud.client("cloudformation").describe_stacks(StackName=stack)["Stacks"][0]
    except ClientError as error:
        if "does not exist" not in str(error):
            raise
        return {}
    return {each["ParameterKey"]: each["ParameterValue"] for each in found.get("Parameters", [])}


def _write(target: Target, settings: dict[str, str]) -> None:
    """As `--guided` does, so that one who runs it again is offered these."""
    file = SamConfig(target.folder)
    text = " ".join(f"{name}={GuidedConfig.quote_parameter_values(value)}" for name, value in settings.items())
    file.put(COMMAND, SECTION, SETTINGS, text, target.config_env)
    file.flush()


def _say(line: str) -> None:
    sys.stderr.write(line + "\n")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m local.target", description=__doc__)
    parser.add_argument("--config-env", default="default", help="of samconfig.toml: says which stack")
    try:
        target = find(parser.parse_args().config_env)
        cloud = target.cloud()
        _say(f"Account {_account(cloud)}, {target.region}, stack {target.stack}.")
        settle(target, _settings(wanted_settings()), _deployed(cloud, target.stack), _say)
    except (LocalError, BotoCoreError, ClientError) as trouble:
        _say(str(trouble))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
