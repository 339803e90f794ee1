"""What the commands here have in common: what they say, how they end, and how they run other programs."""

import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NoReturn

from botocore.exceptions import BotoCoreError, ClientError

from local import LocalError, tools

Say = Callable[[str], None]


def say(line: str) -> None:
    sys.stderr.write(line + "\n")


def end(main: Callable[[], int | None]) -> NoReturn:
    """Run a command and end with its status; with 2 and words, without a traceback, where it could not be done."""
    try:
        sys.exit(main())
    except (LocalError, BotoCoreError, ClientError) as trouble:
        say(str(trouble))
        sys.exit(2)
    except KeyboardInterrupt:
        say("Interrupted. A stack that is up stays up; `make down` stops it.")
        sys.exit(130)


def run(
    command: Sequence[str],
    log: Path,
    *,
    cwd: Path | None = None,
    env: dict[str, str] | None = None,
    fetches: bool = False,
) -> None:
    """Run a program, its output in the log. Raises LocalError with what it printed last, or that there is no network."""
    log.parent.mkdir(exist_ok=True)
    with log.open("w") as output:
        piped: Any = {"stdin": subprocess.DEVNULL, "stdout": output, "stderr": subprocess.STDOUT}
        ended = subprocess.run(command, check=False, cwd=cwd, env=env, **piped)
    if ended.returncode:
        why = tools.why(log.read_text(errors="replace")) if fetches else None
        raise LocalError(why or f"`{Path(command[0]).name}` failed ({log} has all of it):\n{tail(log, 25)}")


def output(asked: Sequence[str], environment: dict[str, str] | None = None) -> str | None:
    try:
        ended = subprocess.run(asked, check=False, capture_output=True, text=True, env=environment)
    except OSError:
        return None
    return None if ended.returncode else ended.stdout


def tail(log: Path, lines: int) -> str:
    return "\n".join(log.read_text(errors="replace").splitlines()[-lines:])
