"""Where `sam deploy --config-env` goes and which settings it sends: read with SAM's own code, and shown before.

A deploy that would undo a setting made elsewhere is refused. `make deploy SET="Name=value"` changes it in both places.
"""

import logging
from pathlib import Path
from typing import NamedTuple

import boto3
from botocore.exceptions import ClientError
from samcli.cli.types import CfnParameterOverridesType
from samcli.commands.deploy.guided_config import GuidedConfig
from samcli.lib.config.samconfig import SamConfig
from samcli.yamlhelper import yaml_parse

from local import LocalError
from local.command import Say, say
from local.settings import ROOT, given
from sheaf.plain_json import Json

# Importing SAM has everybody's small talk printed.
for talker in ("botocore", "cfnlint"):
    logging.getLogger(talker).setLevel(logging.WARNING)
COMMAND, SECTION, SETTINGS = ["deploy"], "parameters", "parameter_overrides"


class Target(NamedTuple):
    folder: Path
    config_env: str
    stack: str
    region: str
    profile: str | None
    settings: dict[str, str]

    def cloud(self) -> boto3.Session:
        return boto3.Session(region_name=self.region, profile_name=self.profile)


def find(config_env: str, folder: Path = ROOT) -> Target:
    """The section of this name and no other, as SAM has it. Raises LocalError."""
    settings = SamConfig(folder).get_all(COMMAND, SECTION, config_env)
    if "stack_name" not in settings:
        raise LocalError(f"samconfig.toml names no stack in [{config_env}.deploy.parameters].")
    profile = settings.get("profile")
    region = settings.get("region") or boto3.Session(profile_name=profile).region_name
    if not region:
        where = f"[{config_env}.deploy.parameters], your profile or AWS_DEFAULT_REGION"
        raise LocalError(f"No region: put one into {where}.")
    return Target(folder, config_env, settings["stack_name"], region, profile, _settings(settings.get(SETTINGS, "")))


def asked() -> Target:
    """The one that ENV names. Raises LocalError."""
    return find(given("ENV") or "default")


def settle(target: Target, wanted: dict[str, str], now: dict[str, str], say: Say) -> None:
    """Say what this changes of what is deployed; write down what is wanted. Raises LocalError for what would be undone."""
    there = yaml_parse((target.folder / "template.yaml").read_text())["Parameters"]
    if unknown := sorted(set(wanted) - set(there)):
        # SAM drops them without a word.
        raise LocalError(f"The template has no parameter {', '.join(unknown)}.")
    sent = {**target.settings, **wanted}
    changes = {name: value for name, value in sent.items() if now.get(name, value) != value}
    for name, value in changes.items():
        say(f"  {name}: {now[name] or 'nothing'} is deployed, {value or 'nothing'} would be sent")
    if undone := sorted(set(changes) - set(wanted)):
        again = quoted({name: now[name] for name in undone})
        why = "samconfig.toml would undo settings that were made elsewhere. Keep them, or give other values, with"
        raise LocalError(f"Not deployed: {why}\n  make deploy ENV={target.config_env} SET='{again}'")
    if wanted:
        # As `--guided` does, so that one who runs it again is offered these.
        file = SamConfig(target.folder)
        file.put(COMMAND, SECTION, SETTINGS, quoted(sent), target.config_env)
        file.flush()


def _settings(words: Json) -> dict[str, str]:
    given: dict[str, str] = CfnParameterOverridesType().convert(words, None, None) if words else {}
    return given


def deployed(cloud: boto3.Session, stack: str) -> dict[str, str] | None:
    try:
        found = cloud.client("cloudformation").describe_stacks(StackName=stack)["Stacks"][0]
    except ClientError as error:
        if "does not exist" not in str(error):
            raise
        return None
    return {each["ParameterKey"]: each["ParameterValue"] for each in found.get("Parameters", [])}


def quoted(settings: dict[str, str]) -> str:
    return " ".join(f"{name}={GuidedConfig.quote_parameter_values(value)}" for name, value in settings.items())


def show() -> None:
    """Say where a deploy would go and what it would change. Raises LocalError for what would be undone."""
    target = asked()
    cloud = target.cloud()
    account = cloud.client("sts").get_caller_identity()["Account"]
    say(f"Account {account}, {target.region}, stack {target.stack}.")
    settle(target, _settings(given("SET")), deployed(cloud, target.stack) or {}, say)
