"""The way back from a deploy that does not answer: `make deploy` remembers what ran before it, and puts that there again.

CloudFormation undoes an update that fails. An update that succeeds, and whose functions then fail, it keeps; so what was
deployed before is noted before, and deployed again when the smoke test after the deploy fails. Rows and messages wait
meanwhile: nothing is lost by either deploy.
"""

import json
from pathlib import Path
from typing import Any

import boto3

from local import LocalError, command, files
from local.command import Say
from local.deploy import target
from local.deploy.target import Target


def remember(stack: str, cloud: boto3.Session, place: Path) -> None:
    """Write down what is deployed now, template and parameters; or that there is nothing."""
    place.parent.mkdir(parents=True, exist_ok=True)
    found = target.described(cloud, stack)
    if found is None:
        place.unlink(missing_ok=True)
        return
    # As it was sent: its code lies where that deploy has put it.
    body: Any = cloud.client("cloudformation").get_template(StackName=stack, TemplateStage="Original")["TemplateBody"]
    parameters = {each["ParameterKey"]: each["ParameterValue"] for each in found.get("Parameters", [])}
    noted = {"template": body if isinstance(body, str) else json.dumps(body), "parameters": parameters}
    place.write_text(json.dumps(noted))


def back(aimed: Target, place: Path, say: Say) -> None:
    """Deploy what was noted. Raises LocalError where nothing was, or where that failed too."""
    noted = files.read(place)
    if not noted:
        raise LocalError(
            f"{aimed.stack} was not there before, so there is no version to go back to. Correct it and deploy again."
        )
    say(f"Going back to what {aimed.stack} was before this deploy.")
    template = place.with_suffix(".template")
    template.write_text(noted["template"])
    # SAM looks for its settings beside the template.
    where = ("--config-file", str(aimed.folder / "samconfig.toml"), "--config-env", aimed.config_env)
    what = ("--template-file", str(template), "--parameter-overrides", target.quoted(noted["parameters"]))
    command.run(["sam", "deploy", "--no-confirm-changeset", *where, *what], place.with_suffix(".log"))
