"""Is every function whole? Asked of a build before it is deployed, and of a stack after: `make deploy` does both.

Before: each built function is started in a fresh interpreter that has the built layer, the function's folder and boto3,
as Lambda has. It imports its handler, reads the settings that the template gives it, and is sent a smoke event, which
comes as far as the first call to AWS. What fails there is not deployed.

After: the same events, sent to the deployed functions. They change nothing: they speak of a task that there is not.
A stack that fails then is put back to what it was before (`rollback.py`).
"""

import argparse
import json
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import boto3
from botocore.config import Config
from botocore.exceptions import ReadTimeoutError
from samcli.lib.providers.provider import Function

from local import LocalError, command, files
from local.command import Say, say
from local.deploy import alone, rollback, target
from local.settings import ROOT

BUILD = ROOT / ".aws-sam" / "build"
BEFORE = ROOT / ".aws-sam" / "before-deploy.json"
HERE = {"AWS_ACCESS_KEY_ID": "smoke", "AWS_SECRET_ACCESS_KEY": "smoke", "READER_WALL": "where_possible"}
"""The wall round the intake's reader is the deployed function's matter; this machine may be one that has none."""
ALONE_SECONDS = 120
ANSWER_SECONDS = 60


class SmokeError(LocalError):
    """Some function is broken; the message names each, and what it raised."""


def events(handler: str) -> list[dict[str, Any]]:
    """What a function with this handler is sent. Raises SmokeError for one that has no smoke event yet."""
    message = _file("worker-message")
    message["Records"][0]["body"] = '{"v":1,"s":"smoke/none/0000","r":0}'
    again = _file("intake-again")
    again["Records"][0]["body"] = '{"v":1,"p":"smoke","d":"dnone"}'
    notice = _file("notice-message")
    notice["Records"][0]["body"] = '["smoke/none/closed",0,"task.closed","",{}]'
    asking = _file("api-get-task")
    asking["rawPath"] = asking["requestContext"]["http"]["path"] = "/api/v1/asl/extraction/tasks/none"
    asking["requestContext"]["authorizer"]["jwt"]["claims"]["cognito:groups"] = "[smoke]"
    known: dict[str, list[dict[str, Any]]] = {
        "api": [_file("api-health"), asking],
        "worker": [message],
        "aggregator": [{"source": "smoke"}],
        "intake": [again, {"source": "smoke"}],
        "notice": [notice],
        "page": [_file("page-index")],
        "janitor": [{"source": "smoke", "task": "smoke/none"}],
    }
    module = handler.partition(".")[0]
    if module not in known:
        raise SmokeError(f"There is no smoke event for the handler {handler}: add one to {Path(__file__).name}.")
    return known[module]


def before(build: Path, say: Say) -> None:
    """Every function of a build starts and takes its events. Raises SmokeError with all that is broken."""
    functions = alone.functions(build)
    with alone.interpreter() as here, ThreadPoolExecutor() as pool:
        wrong = pool.map(lambda each: _built(here, each), functions.values())
        _refuse("Not deployed, because what was built does not run:", functions, wrong)
    say(f"Smoke test of the build: {len(functions)} functions start, on Python {here.python.short}.")


def _refuse(because: str, names: Iterable[str], wrong: Iterable[str | None]) -> None:
    """Raises SmokeError with each function against which there is something."""
    if broken := [f"  {name}: {reason}" for name, reason in zip(names, wrong, strict=True) if reason]:
        raise SmokeError("\n".join((because, *broken)))


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
        wrong = pool.map(lambda name: _deployed(lambdas, name), functions.values())
        _refuse(f"Deployed as {stack}, but these functions fail:", functions, wrong)
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
        if reason := _wrong(json.loads(answer["Payload"].read() or b"null"), {200, 404}):
            return reason
    return None


def _built(here: alone.Interpreter, function: Function) -> str | None:
    """What is wrong with a built function, or None."""
    given = {name: str(value) for name, value in function.environment["Variables"].items()}
    payloads, log = here.run(function, events(function.handler), given | HERE, seconds=ALONE_SECONDS)
    reason = next(filter(None, (_wrong(payload, {200, 404, 503}) for payload in payloads)), None)
    # What a function wrote of a defect that it answered with 500: there are no details in the answer.
    defects = " ".join(line for line in log.splitlines() if '"request_failed"' in line)[-500:]
    return reason and f"{reason} {defects}".rstrip()


def _wrong(payload: Any, fine: set[int]) -> str | None:
    """What an answer says against its function; that there is no such task is the right one."""
    if isinstance(payload, dict) and payload.get("statusCode", 200) not in fine:
        return f"it answers {payload['statusCode']}: {str(payload.get('body'))[:300]}"
    return alone.why(payload)


def _file(name: str) -> dict[str, Any]:
    return files.read(ROOT / "events" / f"{name}.json")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m local.deploy.smoke", description=__doc__)
    parser.add_argument("when", choices=["before", "after"])
    parser.add_argument("--config-env", default="default", help="of samconfig.toml: says which stack")
    asked = parser.parse_args()
    aimed = target.find(asked.config_env)
    if asked.when == "before":
        before(BUILD, say)
        rollback.remember(aimed.stack, aimed.cloud(), BEFORE)
    else:
        _after_or_back(aimed.stack, aimed.cloud())


def _after_or_back(stack: str, cloud: boto3.Session) -> None:
    """Raises SmokeError, when what was there before is there again and answers."""
    try:
        after(stack, cloud, say)
    except SmokeError as broken:
        say(str(broken))
        rollback.back(stack, cloud, BEFORE, say)
        after(stack, cloud, say)
        raise SmokeError(f"The deploy of {stack} was undone; what ran before it runs again.") from broken


if __name__ == "__main__":
    command.end(main)
