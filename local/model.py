"""`make model`: a model for the stack on this machine, until another is given; its key lies in the emulator."""

import json
import shlex
from collections.abc import Sequence
from pathlib import Path

from samcli.yamlhelper import yaml_parse

from local import LocalError, files, stack
from local.aws import DIRECT, session
from local.command import say
from local.ministack import emulator
from local.settings import HOME, ROOT, given

NAME = "sheaf/model"
NONE = "none"


def give(folder: Path, endpoint: str, chosen: dict[str, str], key: str) -> None:
    """From the next deployment on the stack of this folder has this model; without parameters it has none."""
    file, usual = folder / stack.CHOSEN, _usual()
    # Said again, because a deployment keeps the last value of a parameter that is not named.
    before = {name: usual[name] for name in files.read(file)}
    secret = {"OpenaiKeySecret": _keep(endpoint, key)} if key and chosen else {}
    file.write_text(json.dumps({**before, **chosen, **secret}, indent=2) + "\n")


def _usual() -> dict[str, str]:
    declared = yaml_parse((ROOT / "template.yaml").read_text())["Parameters"]
    return {name: str(each.get("Default", "")) for name, each in declared.items()}


def _keep(endpoint: str, key: str) -> str:
    vault = session().client("secretsmanager", endpoint_url=endpoint, config=DIRECT)
    try:
        return vault.put_secret_value(SecretId=NAME, SecretString=key)["ARN"]
    except vault.exceptions.ResourceNotFoundException:
        return vault.create_secret(Name=NAME, SecretString=key)["ARN"]


def parameters(url: str, model: str, more: Sequence[str]) -> dict[str, str]:
    """As the template names them; nothing where the model is taken away. Raises LocalError."""
    if url == NONE:
        return {}
    if not url or not model:
        raise LocalError("Both are needed: make model URL=http://127.0.0.1:11434/v1 MODEL=qwen3 (URL=none: no model).")
    if wrong := [each for each in more if "=" not in each or each.partition("=")[0] not in _usual()]:
        raise LocalError(f"SET takes parameters of template.yaml as NAME=VALUE, not {wrong[0]}.")
    return {"OpenaiUrl": url, "OpenaiModel": model, **dict(each.split("=", 1) for each in more)}


def change() -> None:
    """As URL, MODEL, SET and SHEAF_MODEL_KEY say. Raises LocalError."""
    chosen = parameters(given("URL"), given("MODEL"), shlex.split(given("SET")))
    give(HOME, emulator.start(HOME, say=say).endpoint, chosen, given("SHEAF_MODEL_KEY"))
    deployed = stack.deploy(say=say)
    if chosen:
        name = chosen["OpenaiModel"]
        say(f'Tasks may be read by {name} now: choose openai at the page\'s setup, or send "engine": "openai".')
    else:
        say("No model any more: tasks are read by the built-in rules.")
    say(f"The page: {deployed.page}")
