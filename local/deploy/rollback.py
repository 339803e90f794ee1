"""The way back from a deploy that does not answer: `make deploy` remembers what ran before it, and puts that there again.

CloudFormation undoes an update that fails. An update that succeeds, and whose functions then fail, it keeps; so what was
deployed before is noted before, and deployed again when the smoke test after the deploy fails. Rows and messages wait
meanwhile: nothing is lost by either deploy.
"""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import boto3
from botocore.exceptions import ClientError, WaiterError

from local import LocalError, files
from local.command import Say
from local.deploy import target

SAM_BUCKET_STACK = "aws-sam-cli-managed-default"
CAPABILITIES = ["CAPABILITY_IAM", "CAPABILITY_AUTO_EXPAND"]
HIDDEN = "****"
"""What CloudFormation shows of a parameter that is secret."""
WAIT = {"Delay": 5, "MaxAttempts": 240}


def remember(stack: str, cloud: boto3.Session, place: Path) -> None:
    """Write down what is deployed now: template, parameters and tags; or that there is nothing."""
    place.parent.mkdir(parents=True, exist_ok=True)
    found = target.described(cloud, stack)
    if found is None:
        place.unlink(missing_ok=True)
        return
    body: Any = cloud.client("cloudformation").get_template(StackName=stack, TemplateStage="Original")["TemplateBody"]
    noted = {
        "template": body if isinstance(body, str) else json.dumps(body),
        "parameters": [_kept(each) for each in found.get("Parameters", [])],
        "tags": found.get("Tags", []),
    }
    place.write_text(json.dumps(noted))


def back(stack: str, cloud: boto3.Session, place: Path, say: Say) -> None:
    """Deploy what was noted. Raises LocalError where nothing was, or where that failed too."""
    noted = files.read(place)
    if not noted:
        raise LocalError(
            f"{stack} was not there before, so there is no version to go back to. Correct it and deploy again."
        )
    stacks: Any = cloud.client("cloudformation")
    say(f"Going back to what {stack} was before this deploy.")
    try:
        stacks.update_stack(
            StackName=stack,
            TemplateURL=_put(cloud, stack, noted["template"]),
            Parameters=noted["parameters"],
            Tags=noted["tags"],
            Capabilities=CAPABILITIES,
        )
        stacks.get_waiter("stack_update_complete").wait(StackName=stack, WaiterConfig=WAIT)
    except (ClientError, WaiterError) as error:
        if "No updates are to be performed" in str(error):
            raise LocalError(f"{stack} is what it was before: what fails was not changed by this deploy.") from error
        raise LocalError(
            f"{stack} could not be put back ({error}). Check out the version that ran, and `make deploy` again."
        ) from error


def _put(cloud: boto3.Session, stack: str, template: str) -> str:
    """The template where `sam deploy --resolve-s3` keeps its own: a request may not hold one of this size."""
    managed = cloud.client("cloudformation").describe_stacks(StackName=SAM_BUCKET_STACK)["Stacks"][0]
    (bucket,) = [each["OutputValue"] for each in managed["Outputs"] if each["OutputKey"] == "SourceBucket"]
    key = f"{stack}/{hashlib.sha256(template.encode()).hexdigest()[:32]}.template"
    s3 = cloud.client("s3")
    s3.put_object(Bucket=bucket, Key=key, Body=template.encode())
    return f"https://s3.{s3.meta.region_name}.amazonaws.com/{bucket}/{key}"


def _kept(parameter: Mapping[str, Any]) -> dict[str, Any]:
    """A parameter as an update takes it; a secret one stays as it is."""
    if parameter.get("ParameterValue") == HIDDEN:
        return {"ParameterKey": parameter["ParameterKey"], "UsePreviousValue": True}
    return {name: parameter[name] for name in ("ParameterKey", "ParameterValue")}
