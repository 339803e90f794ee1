"""`make invoke`: the real `sam local invoke` against the emulator, with the function's own environment and rights."""

import json
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from local import LocalError, building, files, stack
from local.aws import DIRECT, session
from local.command import Say, say
from local.deploy import alone
from local.ministack.emulator import Emulator
from local.sam_local import engine, lambda_image, own_row
from local.settings import HOME, ROOT, given, tool_environment
from local.stack import Stack

CACHE = HOME / "containers"
DOOR = ".emulator"  # beside the function's code in its container: the emulator's address, and a socket that leads there
STARTS = 3


class Invocation(NamedTuple):
    """What came of one event. `sam` ends with status 0 also where the function raised: look at the payload."""

    payload: Any
    log: str

    @property
    def failed(self) -> bool:
        return self.payload is None or alone.why(self.payload) is not None


class Containers(NamedTuple):
    environment: dict[str, str]
    image: str

    def invoke(
        self, deployed: Stack, built: Path, function: str, event: Path, parameters: dict[str, str] | None = None
    ) -> Invocation:
        """Send one event to a function of a built template. Raises LocalError where it was never started."""
        chosen = {"Architecture": "arm64" if platform.machine() == "aarch64" else "x86_64", **(parameters or {})}
        with self._staged(built, function, deployed.emulator) as template:
            command = ["sam", "local", "invoke", function, "--template-file", str(template), "--event", str(event)]
            command += ["--invoke-image", self.image, "--skip-pull-image", "--env-vars", str(deployed.environments)]
            command += ["--parameter-overrides", *(f"{name}={value}" for name, value in chosen.items())]
            environment = self.environment | role_credentials(deployed, function)
            piped: Any = {"cwd": template.parent, "env": environment, "capture_output": True, "text": True}
            for _ in range(STARTS):
                ended = subprocess.run(command, check=False, **piped)
                # Else the event has certainly not reached it, as where `sam` was too impatient: it may be sent again.
                if ended.stdout.strip() or any(sign in ended.stderr for sign in ("RequestId", "timed out after")):
                    return Invocation(_payload(ended.stdout), _log(ended.stderr))
        raise LocalError(f"`sam local invoke {function}` did not start it:\n{ended.stderr[-3000:]}")

    @contextmanager
    def _staged(self, built: Path, function: str, host: Emulator) -> Iterator[Path]:
        """A copy of the build, with a way to the emulator in the function's folder: a build is left as it is."""
        with tempfile.TemporaryDirectory(prefix="build-", dir=host.folder) as made:
            staged = Path(made) / "build"
            shutil.copytree(built.parent, staged)
            door = staged / function / DOOR
            door.mkdir()
            (door / "endpoint").write_text(host.endpoint + "\n")
            (door / "socket").hardlink_to(host.socket)
            yield staged / built.name


@contextmanager
def containers(say: Say) -> Iterator[Containers]:
    """An engine with AWS's runtime in it, for as long as this lasts. Raises LocalError."""
    with tempfile.TemporaryDirectory(prefix="sheaf-") as scratch:
        # The endpoint is for `sam` itself, which has no business with any AWS here: nothing listens there.
        environment = tool_environment("http://127.0.0.1:9", building.scratch(Path(scratch)))
        CACHE.mkdir(parents=True, exist_ok=True)
        with engine.engine(CACHE, environment, say) as found:
            yield Containers(found, lambda_image.ensure(found, CACHE, say))


def role_credentials(deployed: Stack, function: str) -> dict[str, str]:
    """The rights that the function has where it is deployed. MiniStack lets its root take any role."""
    cloud, endpoint = session(), deployed.emulator.endpoint
    iam = cloud.client("iam", endpoint_url=endpoint, config=DIRECT)
    sts = cloud.client("sts", endpoint_url=endpoint, config=DIRECT)
    role = iam.get_role(RoleName=deployed.resources[f"{function}Role"])["Role"]["Arn"]
    given = sts.assume_role(RoleArn=role, RoleSessionName="sam-local")["Credentials"]
    own = {"AWS_ACCESS_KEY_ID": given["AccessKeyId"], "AWS_SECRET_ACCESS_KEY": given["SecretAccessKey"]}
    return own | {"AWS_SESSION_TOKEN": given["SessionToken"]}


def _log(printed: str) -> str:
    """Up to the answer: then `sam` ends the container, and the runtime client's "Failed to get next" means nothing."""
    before, report, after = printed.rpartition("\nREPORT RequestId")
    return before + report + after.partition("\n")[0] + "\n" if report else printed


def _payload(printed: str) -> Any:
    lines = [line for line in printed.splitlines() if line.strip()]
    try:
        return json.loads(lines[-1]) if lines else None
    except ValueError:
        return lines[-1]


def ask() -> int:
    """Print what a function of the stack on this machine answers: FUNCTION, EVENT and BARE. 1 where it failed."""
    function, event = given("FUNCTION"), Path(given("EVENT"))
    if not function or not given("EVENT"):
        sys.stdout.write(listing())
        return 0
    deployed = stack.deploy(say=say)
    if f"{function}Role" not in deployed.resources or not event.is_file():
        missing = f"There is no {function} in template.yaml, or no file {event}."
        raise LocalError(f"{missing} `make invoke` lists what there is.")
    built = building.build(ROOT / "template.yaml", HOME, deployed.emulator.endpoint, say)
    with own_row.given(deployed, function, event.resolve(), say) as sent:
        if given("BARE"):
            outcome = invoke_bare(deployed, built, function, sent)
        else:
            with containers(say) as ready:
                outcome = ready.invoke(deployed, built, function, sent)
    say(outcome.log)
    sys.stdout.write(json.dumps(outcome.payload, indent=2, ensure_ascii=False) + "\n")
    return int(outcome.failed)


def listing() -> str:
    page = (ROOT / "docs" / "sam-local.md").read_text()
    lines = [
        f"  make invoke FUNCTION={function} EVENT=events/{name}\n      {words}\n"
        for names, function, words in re.findall(r"^\| (`[\w.-]+\.json`.*) \| `(\w+)` \| (.*) \|$", page, re.M)
        for name in re.findall(r"`([\w.-]+)`", names)
    ]
    return f"Without a container engine add BARE=1. Each event, and what the function does with it:\n{''.join(lines)}"


def invoke_bare(deployed: Stack, built: Path, function: str, event: Path) -> Invocation:
    there = alone.functions(built.parent)[function]
    variables = files.read(deployed.environments)[function] | role_credentials(deployed, function)
    sent = [json.loads(event.read_text())]
    (payload, *_), log = alone.run(there, sent, variables, seconds=there.timeout, online=True)
    return Invocation(payload, log)
