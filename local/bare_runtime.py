"""One event to one function under AWS's runtime emulator alone, without a container, on Linux.

The emulator comes with `sam`. It keeps the function's time limit, but no memory limit, and it hides nothing of this
machine from the function: a first look, not a proof.
"""

import http.client
import json
import platform
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any

from local import LocalError, lambda_image
from local.emulator import HOST, Say
from local.settings import REGION, ROOT

INVOCATIONS = "/2015-03-31/functions/function/invocations"
START_SECONDS = 60


class RuntimeEmulatorError(LocalError):
    """The runtime emulator did not start."""


def invoke(
    folder: Path,
    layers: Sequence[Path],
    configuration: Mapping[str, Any],
    environment: dict[str, str],
    event: Path,
    *,
    cache: Path,
    say: Say,
) -> tuple[Any, str]:
    """What the function answers, and what it said. `configuration` is the deployed function's own."""
    python = lambda_image.interpreter(lambda_image.runtime(ROOT / "template.yaml"))
    packages = lambda_image.packages(python, cache, say)
    variables = {
        "LANG": "en_US.UTF-8",
        "TZ": ":UTC",
        "AWS_REGION": REGION,
        "AWS_DEFAULT_REGION": REGION,
        "LAMBDA_TASK_ROOT": str(folder),
        "PYTHONPATH": ":".join(map(str, (*layers, packages))),
        "PYTHONDONTWRITEBYTECODE": "1",
        "AWS_LAMBDA_FUNCTION_NAME": str(configuration["FunctionName"]),
        "AWS_LAMBDA_FUNCTION_TIMEOUT": str(configuration["Timeout"]),
        "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": str(configuration["MemorySize"]),
    }
    command = [str(python.executable), "-m", "awslambdaric", str(configuration["Handler"])]
    with tempfile.TemporaryFile("w+") as said:
        with _emulator(command, folder, variables | dict(environment), said) as port:
            asking = http.client.HTTPConnection(HOST, port, timeout=float(configuration["Timeout"]) + START_SECONDS)
            asking.request("POST", INVOCATIONS, event.read_bytes(), {"Content-Type": "application/json"})
            answer = asking.getresponse().read()
            asking.close()
        said.seek(0)
        return _payload(answer), said.read()


@contextmanager
def _emulator(command: list[str], folder: Path, environment: dict[str, str], said: IO[str]) -> Iterator[int]:
    """The runtime emulator over this command; gives the port where it takes events."""
    port, api = _free_port(), _free_port()
    # Both are said, because what it takes by itself is a port on every interface.
    addresses = ["--runtime-interface-emulator-address", f"{HOST}:{port}", "--runtime-api-address", f"{HOST}:{api}"]
    with subprocess.Popen(
        [str(_binary()), "--log-level", "error", *addresses, *command],
        cwd=folder,
        env=dict(environment),
        stdin=subprocess.DEVNULL,
        stdout=said,
        stderr=said,
    ) as running:
        try:
            _wait(port, running)
            yield port
        finally:
            running.terminate()


def _binary() -> Path:
    machine = {"aarch64": "arm64", "x86_64": "x86_64"}.get(platform.machine())
    sam = find_spec("samcli")
    if platform.system() != "Linux" or machine is None or sam is None:
        message = f"The runtime emulator runs on Linux only, not on {platform.system()} {platform.machine()}."
        raise RuntimeEmulatorError(message)
    return Path(str(sam.origin)).parent / "local" / "rapid" / f"aws-lambda-rie-{machine}"


def _wait(port: int, running: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_SECONDS
    while running.poll() is None and time.monotonic() < deadline:
        with socket.socket() as probe:
            if probe.connect_ex((HOST, port)) == 0:
                return
        time.sleep(0.02)
    message = "The runtime emulator did not start."
    raise RuntimeEmulatorError(message)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def _payload(answer: bytes) -> Any:
    try:
        return json.loads(answer)
    except ValueError:
        return answer.decode(errors="replace")
