"""A built function in a fresh interpreter that has what Lambda has: the layers, the function's folder, boto3."""

import importlib.util
import json
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from samcli.lib.providers.provider import Function
from samcli.lib.providers.sam_function_provider import SamFunctionProvider
from samcli.lib.providers.sam_stack_provider import SamLocalStackProvider

from local.sam_local import lambda_image
from local.settings import HOME, REGION

RUNTIME_HAS = ("boto3", "botocore", "dateutil", "jmespath", "s3transfer", "six", "urllib3")
INIT_SECONDS = 10
"""For the imports, before the time limit begins."""
INSIDE = Path(__file__).with_name("one_function.py")


def functions(build: Path) -> dict[str, Function]:
    """What `sam build` left, as `sam local` reads it: parameters by their defaults, what a deploy makes by its logical id."""
    stacks, _ = SamLocalStackProvider.get_stacks(str(build / "template.yaml"))
    return {each.name: each for each in SamFunctionProvider(stacks).get_all()}


class Interpreter(NamedTuple):
    """The template's Python where this machine has it, and a folder with boto3."""

    python: lambda_image.Interpreter
    boto: Path

    def run(
        self,
        function: Function,
        events: Sequence[Any],
        environment: dict[str, str],
        *,
        seconds: float,
        online: bool = False,
    ) -> tuple[list[Any], str]:
        """What the function answers to each event, an error as Lambda tells it, and what it logs. Offline no AWS is reached."""
        layers = [Path(layer.codeuri, "python") for layer in function.layers]
        asked = {
            "paths": [str(place.resolve()) for place in (Path(function.codeuri), *layers, self.boto)],
            "handler": function.handler,
            "events": events,
            "environment": {"AWS_REGION": REGION, "AWS_DEFAULT_REGION": REGION, "TZ": "UTC", **environment},
            "seconds": seconds,
            "online": online,
        }
        program = [str(self.python.executable), "-I", "-S", "-X", f"pycache_prefix={HOME / 'pycache'}", str(INSIDE)]
        try:
            ended = subprocess.run(
                program,
                check=False,
                input=json.dumps(asked),
                capture_output=True,
                text=True,
                timeout=INIT_SECONDS + seconds,
                env={},
            )
        except subprocess.TimeoutExpired as late:
            log = (late.stderr or b"").decode(errors="replace")
            return [{"errorType": "Sandbox.Timedout", "errorMessage": f"no answer within {seconds:.0f} s"}], log
        try:
            return json.loads(ended.stdout), ended.stderr
        except ValueError:
            said = f"ended with status {ended.returncode}: {ended.stderr[-500:]}"
            return [{"errorType": "Runtime.ExitError", "errorMessage": said}], ended.stderr


@contextmanager
def interpreter() -> Iterator[Interpreter]:
    """Nothing else of this installation is in it."""
    with tempfile.TemporaryDirectory(prefix="sheaf-") as folder:
        for name in RUNTIME_HAS:
            spec = importlib.util.find_spec(name)
            assert spec, name
            place = Path(str(spec.origin))
            place = place.parent if place.name == "__init__.py" else place
            Path(folder, place.name).symlink_to(place)
        yield Interpreter(lambda_image.interpreter(), Path(folder))


def why(payload: Any) -> str | None:
    """What went wrong, where this is an error as Lambda tells it."""
    if not isinstance(payload, dict) or "errorMessage" not in payload:
        return None
    return f"{payload.get('errorType')}: {payload['errorMessage']}"
