"""Is every function whole? Asked of a build before it is deployed, and of a stack after: `make deploy` does both.

CloudFormation keeps an update whose functions then fail: what was deployed before is noted, and deployed again then.
"""

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
from local.deploy import alone, target
from local.deploy.target import Target
from local.sam_local import lambda_image
from local.settings import ROOT

BUILD = ROOT / ".aws-sam" / "build"
BEFORE = ROOT / ".aws-sam" / "before-deploy.json"
SENT = Path(__file__).with_suffix(".json")  # events like those of `events/`, of a project and a task that there are not
HERE = {"AWS_ACCESS_KEY_ID": "smoke", "AWS_SECRET_ACCESS_KEY": "smoke", "READER_WALL": "where_possible"}
ALONE_SECONDS = 120
ANSWER_SECONDS = 60


class SmokeError(LocalError):
    """Some function is broken; the message names each, and what it raised."""


def events(handler: str) -> list[dict[str, Any]]:
    """What a function with this handler is sent. Raises SmokeError for one that has no smoke event yet."""
    known = files.read(SENT)
    module = handler.partition(".")[0]
    if module not in known:
        raise SmokeError(f"There is no smoke event for the handler {handler}: add one to {SENT.name}.")
    found: list[dict[str, Any]] = known[module]
    return found


def before(build: Path, say: Say) -> None:
    """Every function of a build starts and takes its events. Raises SmokeError with all that is broken."""
    functions = alone.functions(build)
    with ThreadPoolExecutor() as pool:
        wrong = pool.map(_built, functions.values())
        _refuse("Not deployed, because what was built does not run:", functions, wrong)
    say(f"Smoke test of the build: {len(functions)} functions start, on Python {lambda_image.interpreter().short}.")


def _refuse(because: str, names: Iterable[str], wrong: Iterable[str | None]) -> None:
    if broken := [f"  {name}: {reason}" for name, reason in zip(names, wrong, strict=True) if reason]:
        raise SmokeError("\n".join((because, *broken)))


def after(stack: str, cloud: boto3.Session, say: Say) -> None:
    """Every function of a deployed stack answers its events. Raises SmokeError with all that is broken."""
    # One try: what is sent here is sent once.
    patient = Config(read_timeout=ANSWER_SECONDS, retries={"total_max_attempts": 1})
    lambdas = cloud.client("lambda", config=patient)
    made = cloud.resource("cloudformation").Stack(stack).resource_summaries.all()
    functions = {it.logical_id: it.physical_resource_id for it in made if it.resource_type == "AWS::Lambda::Function"}
    with ThreadPoolExecutor() as pool:
        wrong = pool.map(lambda name: _deployed(lambdas, name), functions.values())
        _refuse(f"Deployed as {stack}, but these functions fail:", functions, wrong)
    say(f"Smoke test of {stack}: {len(functions)} functions answer.")


def _deployed(lambdas: Any, name: str) -> str | None:
    handler = lambdas.get_function_configuration(FunctionName=name)["Handler"]
    for event in events(handler):
        try:
            answer = lambdas.invoke(FunctionName=name, Payload=json.dumps(event).encode())
        except ReadTimeoutError:
            if handler.startswith("aggregator."):
                # It found tasks to sweep and nobody else sweeping them.
                continue
            return f"no answer within {ANSWER_SECONDS} s"
        except lambdas.exceptions.TooManyRequestsException as busy:
            why = f"Deployed, but not asked whether it works: no concurrent execution was free for {name}."
            raise LocalError(f"{why} Nothing was put back. `make deploy` asks again.") from busy
        if reason := _wrong(json.loads(answer["Payload"].read() or b"null"), {200, 404}):
            return reason
    return None


def _built(function: Function) -> str | None:
    given = {name: str(value) for name, value in function.environment["Variables"].items()}
    payloads, log = alone.run(function, events(function.handler), given | HERE, seconds=ALONE_SECONDS)
    reason = next(filter(None, (_wrong(payload, {200, 404, 503}) for payload in payloads)), None)
    # What a function wrote of a defect that it answered with 500: there are no details in the answer.
    defects = " ".join(line for line in log.splitlines() if '"request_failed"' in line)[-500:]
    return reason and f"{reason} {defects}".rstrip()


def _wrong(payload: Any, fine: set[int]) -> str | None:
    if isinstance(payload, dict) and payload.get("statusCode", 200) not in fine:
        return f"it answers {payload['statusCode']}: {str(payload.get('body'))[:300]}"
    return alone.why(payload)


def check_build() -> None:
    """Whether it may be deployed, and what is there to go back to. Raises SmokeError."""
    aimed = target.asked()
    before(BUILD, say)
    _remember(aimed.stack, aimed.cloud(), BEFORE)


def after_or_back() -> None:
    """Raises SmokeError, when what was there before is there again and answers."""
    aimed = target.asked()
    try:
        after(aimed.stack, aimed.cloud(), say)
    except SmokeError as broken:
        say(str(broken))
        _back(aimed, BEFORE, say)
        after(aimed.stack, aimed.cloud(), say)
        raise SmokeError(f"The deploy of {aimed.stack} was undone; what ran before it runs again.") from broken


def _remember(stack: str, cloud: boto3.Session, place: Path) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    parameters = target.deployed(cloud, stack)
    if parameters is None:
        place.unlink(missing_ok=True)
        return
    # As it was sent: its code lies where that deploy has put it.
    body: Any = cloud.client("cloudformation").get_template(StackName=stack, TemplateStage="Original")["TemplateBody"]
    noted = {"template": body if isinstance(body, str) else json.dumps(body), "parameters": parameters}
    place.write_text(json.dumps(noted))


def _back(aimed: Target, place: Path, say: Say) -> None:
    noted = files.read(place)
    if not noted:
        why = "was not there before, so there is no version to go back to. Correct it and deploy again."
        raise LocalError(f"{aimed.stack} {why}")
    say(f"Going back to what {aimed.stack} was before this deploy.")
    template = place.with_suffix(".template")
    template.write_text(noted["template"])
    # SAM looks for its settings beside the template.
    where = ("--config-file", str(aimed.folder / "samconfig.toml"), "--config-env", aimed.config_env)
    what = ("--template-file", str(template), "--parameter-overrides", target.quoted(noted["parameters"]))
    command.run(["sam", "deploy", "--no-confirm-changeset", *where, *what], place.with_suffix(".log"))
