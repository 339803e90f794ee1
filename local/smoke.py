"""Is every function whole? Asked of a build before it is deployed, and of a stack after: `make deploy` does both.

Before: each built function is started in a fresh interpreter that has the built layer, the function's folder and boto3,
as Lambda has. It imports its handler, reads the settings that the template gives it, and is sent a smoke event, which
comes as far as the first call to AWS. What fails there is not deployed.

After: the same events, sent to the deployed functions. They change nothing: they speak of a task that there is not.
A stack that fails then is put back to what it was before (`rollback.py`).
"""

import argparse
import importlib.util
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import boto3
import yaml
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError, ReadTimeoutError

from local import LocalError, lambda_image, rollback, target
from local.emulator import Say
from local.settings import HOME, ROOT

RUNTIME_HAS = ("boto3", "botocore", "dateutil", "jmespath", "s3transfer", "six", "urllib3")
INSIDE = Path(__file__).with_name("one_function.py")
BEFORE = ROOT / ".aws-sam" / "before-deploy.json"
HERE = {"READER_WALL": "where_possible"}
"""The wall round the intake's reader is the deployed function's matter; this machine may be one that has none."""
ALONE_SECONDS = 120
ANSWER_SECONDS = 60


class SmokeError(LocalError):
    """Some function is broken; the message names each, and what it raised."""


@dataclass(frozen=True)
class Built:
    """One function of a built template."""

    name: str
    folder: Path
    layer: Path
    handler: str
    environment: dict[str, str]


def events(handler: str) -> list[dict[str, Any]]:
    """What a function with this handler is sent. Raises SmokeError for one that has no smoke event yet."""
    message = _file("worker-message")
    message["Records"][0]["body"] = '{"v":1,"s":"smoke/none/0000","r":0}'
    again = _file("intake-again")
    again["Records"][0]["body"] = '{"v":1,"p":"smoke","d":"dnone"}'
    asking = _file("api-get-task")
    asking["rawPath"] = asking["requestContext"]["http"]["path"] = "/api/v1/asl/extraction/tasks/none"
    asking["requestContext"]["authorizer"]["jwt"]["claims"]["cognito:groups"] = "[smoke]"
    known: dict[str, list[dict[str, Any]]] = {
        "api": [_file("api-health"), asking],
        "worker": [message],
        "dead_letter": [message],
        "aggregator": [{"source": "smoke"}],
        "intake": [again, {"source": "smoke"}],
        "page": [_file("page-index")],
        "janitor": [{"source": "smoke", "task": "smoke/none"}],
    }
    try:
        return known[handler.partition(".")[0]]
    except KeyError:
        raise SmokeError(
            f"There is no smoke event for the handler {handler}: add one to {Path(__file__).name}."
        ) from None


def before(build: Path, say: Say) -> None:
    """Every function of a build starts and takes its events. Raises SmokeError with all that is broken."""
    python = lambda_image.interpreter(lambda_image.runtime(ROOT / "template.yaml"))
    with _runtime() as boto, ThreadPoolExecutor() as pool:
        functions = built_functions(build)
        wrong = list(pool.map(lambda each: _alone(each, boto, python.executable), functions))
    broken = [f"  {each.name}: {reason}" for each, reason in zip(functions, wrong, strict=True) if reason]
    if broken:
        raise SmokeError("\n".join(("Not deployed, because what was built does not run:", *broken)))
    say(f"Smoke test of the build: {len(functions)} functions start, on Python {python.short}.")


def built_functions(build: Path) -> list[Built]:
    """What `sam build` left."""
    template = yaml.load((build / "template.yaml").read_text(), _Loader)  # noqa: S506 - a SafeLoader with CloudFormation's tags
    common = template["Globals"]["Function"]
    defaults = {name: str(told.get("Default", name)) for name, told in template["Parameters"].items()}
    found = []
    for name, resource in template["Resources"].items():
        if resource["Type"] != "AWS::Serverless::Function":
            continue
        told = resource["Properties"]
        given = {**common["Environment"]["Variables"], **told.get("Environment", {}).get("Variables", {})}
        environment = {key: _filled(value, defaults) for key, value in given.items()}
        layer = build / common["Layers"][0]["Ref"] / "python"
        found.append(Built(name, build / told["CodeUri"], layer, told["Handler"], environment))
    return found


def after(stack: str, cloud: boto3.Session, say: Say) -> None:
    """Every function of a deployed stack answers its events. Raises SmokeError with all that is broken."""
    # One try: what is sent here is sent once.
    patient = Config(read_timeout=ANSWER_SECONDS, retries={"total_max_attempts": 1})
    lambdas = cloud.client("lambda", config=patient)
    pages = cloud.client("cloudformation").get_paginator("list_stack_resources").paginate(StackName=stack)
    functions = {
        each["LogicalResourceId"]: each["PhysicalResourceId"]
        for page in pages
        for each in page["StackResourceSummaries"]
        if each["ResourceType"] == "AWS::Lambda::Function"
    }
    with ThreadPoolExecutor() as pool:
        wrong = list(pool.map(lambda name: _deployed(lambdas, name), functions.values()))
    broken = [f"  {name}: {reason}" for name, reason in zip(functions, wrong, strict=True) if reason]
    if broken:
        raise SmokeError("\n".join((f"Deployed as {stack}, but these functions fail:", *broken)))
    say(f"Smoke test of {stack}: {len(functions)} functions answer.")


def _deployed(lambdas: Any, name: str) -> str | None:
    """What is wrong with a deployed function, or None."""
    handler = lambdas.get_function_configuration(FunctionName=name)["Handler"]
    for event in events(handler):
        try:
            answer = lambdas.invoke(FunctionName=name, Payload=json.dumps(event).encode())
        except ReadTimeoutError:
            if handler.startswith("aggregator."):
                # It found tasks to sweep and nobody else sweeping them.
                continue
            return f"no answer within {ANSWER_SECONDS} s"
        payload = json.loads(answer["Payload"].read() or b"null")
        if answer.get("FunctionError"):
            return f"{payload.get('errorType')}: {payload.get('errorMessage')}"
        if _is_refused(payload):
            return f"it answers {payload['statusCode']}: {str(payload.get('body'))[:300]}"
    return None


def _is_refused(payload: Any) -> bool:
    """Whether HTTP's front failed; that there is no such task is the right answer."""
    return isinstance(payload, dict) and payload.get("statusCode", 200) not in {200, 404}


def _alone(function: Built, boto: Path, python: Path) -> str | None:
    """What is wrong with a built function, or None."""
    variables = {"AWS_REGION": "us-east-1", "AWS_ACCESS_KEY_ID": "smoke", "AWS_SECRET_ACCESS_KEY": "smoke"}
    asked = {
        "paths": [str(place.resolve()) for place in (function.folder, function.layer, boto)],
        "handler": function.handler,
        "events": events(function.handler),
        "environment": {"AWS_DEFAULT_REGION": "us-east-1", "TZ": "UTC", **variables, **function.environment, **HERE},
    }
    command = [str(python), "-I", "-S", "-X", f"pycache_prefix={HOME / 'pycache'}", str(INSIDE)]
    try:
        ended = subprocess.run(
            command, check=False, input=json.dumps(asked), capture_output=True, text=True, timeout=ALONE_SECONDS, env={}
        )
    except subprocess.TimeoutExpired:
        return f"no answer within {ALONE_SECONDS} s"
    try:
        reason: str | None = json.loads(ended.stdout).get("error")
    except ValueError:
        return f"ended with status {ended.returncode}: {ended.stderr[-500:]}"
    return reason and f"{reason} {_defects(ended.stderr)}".rstrip()


def _defects(log: str) -> str:
    """What a function wrote of a defect that it answered with 500: there are no details in the answer."""
    return " ".join(line for line in log.splitlines() if '"request_failed"' in line)[-500:]


@contextmanager
def _runtime() -> Iterator[Path]:
    """A folder with boto3 and what it needs, and nothing else of this installation."""
    with tempfile.TemporaryDirectory(prefix="sheaf-") as folder:
        for name in RUNTIME_HAS:
            spec = importlib.util.find_spec(name)
            assert spec, name
            place = Path(str(spec.origin))
            place = place.parent if place.name == "__init__.py" else place
            Path(folder, place.name).symlink_to(place)
        yield Path(folder)


class _Loader(yaml.SafeLoader):
    """YAML that may hold CloudFormation's short tags."""


def _tag(loader: Any, suffix: str, node: yaml.Node) -> Any:
    value = loader.construct_scalar(node) if isinstance(node, yaml.ScalarNode) else None
    return {suffix if suffix == "Ref" else f"Fn::{suffix}": value}


_Loader.add_multi_constructor("!", _tag)


def _filled(value: Any, defaults: dict[str, str]) -> str:
    """A template value with the parameters' defaults in it, and names in the place of what is made at the deploy."""
    if not isinstance(value, dict):
        return str(value)
    if "Fn::Sub" in value:
        return re.sub(r"\$\{(\w+)[^}]*\}", lambda found: defaults.get(found[1], found[1]), str(value["Fn::Sub"]))
    return defaults.get(str(value.get("Ref")), "smoke")


def _file(name: str) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((ROOT / "events" / f"{name}.json").read_text())
    return content


def _say(line: str) -> None:
    sys.stderr.write(line + "\n")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m local.smoke", description=__doc__)
    parser.add_argument("when", choices=["before", "after"])
    parser.add_argument("--build", type=Path, default=ROOT / ".aws-sam" / "build", help="what `sam build` left")
    parser.add_argument("--config-env", default="default", help="of samconfig.toml: says which stack")
    asked = parser.parse_args()
    try:
        aimed = target.find(asked.config_env)
        if asked.when == "before":
            before(asked.build, _say)
            rollback.remember(aimed.stack, aimed.cloud(), BEFORE)
        else:
            _after_or_back(aimed.stack, aimed.cloud())
    except (LocalError, BotoCoreError, ClientError) as trouble:
        _say(str(trouble))
        return 1
    return 0


def _after_or_back(stack: str, cloud: boto3.Session) -> None:
    """Raises SmokeError, when what was there before is there again and answers."""
    try:
        after(stack, cloud, _say)
    except SmokeError as broken:
        _say(str(broken))
        rollback.back(stack, cloud, BEFORE, _say)
        after(stack, cloud, _say)
        raise SmokeError(f"The deploy of {stack} was undone; what ran before it runs again.") from broken


if __name__ == "__main__":
    sys.exit(main())
