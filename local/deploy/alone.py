"""A built function in a fresh interpreter that has what Lambda has, of the template's Python where there is one."""

import importlib.util
import json
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from samcli.lib.providers.provider import Function
from samcli.lib.providers.sam_function_provider import SamFunctionProvider
from samcli.lib.providers.sam_stack_provider import SamLocalStackProvider

from local.sam_local import lambda_image
from local.settings import HOME, REGION

RUNTIME_HAS = ("boto3", "botocore", "dateutil", "jmespath", "s3transfer", "six", "urllib3")
OF_LAMBDA = {"AWS_REGION": REGION, "AWS_DEFAULT_REGION": REGION, "TZ": "UTC"}
INIT_SECONDS = 10  # for the imports, before the time limit begins
INSIDE = Path(__file__).with_name("one_function.py")


def functions(build: Path) -> dict[str, Function]:
    stacks, _ = SamLocalStackProvider.get_stacks(str(build / "template.yaml"))
    return {each.name: each for each in SamFunctionProvider(stacks).get_all()}


def run(
    function: Function, events: Sequence[Any], environment: dict[str, str], *, seconds: float, online: bool = False
) -> tuple[list[Any], str]:
    """What the function answers to each event, an error as Lambda tells it, and what it logs. Offline no AWS is reached."""
    layers = [Path(layer.codeuri, "python") for layer in function.layers]
    program = [str(lambda_image.interpreter().executable), "-I", "-S", "-X", f"pycache_prefix={HOME / 'pycache'}"]
    with tempfile.TemporaryDirectory(prefix="sheaf-") as boto:
        _link_runtime(Path(boto))
        asked = {
            "paths": [str(place.resolve()) for place in (Path(function.codeuri), *layers, Path(boto))],
            "handler": function.handler,
            "events": events,
            "environment": OF_LAMBDA | {"AWS_LAMBDA_FUNCTION_NAME": function.name} | environment,
            "seconds": seconds,
            "online": online,
        }
        piped: Any = {"input": json.dumps(asked), "capture_output": True, "text": True, "env": {}}
        try:
            ended = subprocess.run([*program, str(INSIDE)], check=False, timeout=INIT_SECONDS + seconds, **piped)
        except subprocess.TimeoutExpired as late:
            log = (late.stderr or b"").decode(errors="replace")
            return [{"errorType": "Sandbox.Timedout", "errorMessage": f"no answer within {seconds:.0f} s"}], log
    try:
        return json.loads(ended.stdout), ended.stderr
    except ValueError:
        said = f"ended with status {ended.returncode}: {ended.stderr[-500:]}"
        return [{"errorType": "Runtime.ExitError", "errorMessage": said}], ended.stderr


def _link_runtime(folder: Path) -> None:
    for name in RUNTIME_HAS:
        spec = importlib.util.find_spec(name)
        assert spec, name
        place = Path(str(spec.origin))
        place = place.parent if place.name == "__init__.py" else place
        (folder / place.name).symlink_to(place)


def why(payload: Any) -> str | None:
    if not isinstance(payload, dict) or "errorMessage" not in payload:
        return None
    return f"{payload.get('errorType')}: {payload['errorMessage']}"
