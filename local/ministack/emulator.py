"""MiniStack as a process of its own: start it, find it again, stop it. Everything it keeps lies in one folder.

It writes its state only when it is asked to stop: after a `kill -9` the next start says what is gone.
"""

import fcntl
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import tomllib
from contextlib import suppress
from http import HTTPStatus
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

import urllib3

from local import LocalError, files
from local.command import Say, tail
from local.settings import emulator_environment

PORT = 4577
START_SECONDS = 120
STOP_SECONDS = 60  # long, for a busy machine: waiting ends as soon as it is there, or gone
PROGRAM = Path(__file__).with_name("host.py")
SETTINGS: dict[str, str] = tomllib.loads(PROGRAM.with_name("settings.toml").read_text())
HOST = SETTINGS["BIND_HOST"]


class Emulator(NamedTuple):
    folder: Path
    port: int
    pid: int

    @property
    def endpoint(self) -> str:
        return f"http://{HOST}:{self.port}"

    @property
    def log(self) -> Path:
        return self.folder / "emulator.log"

    @property
    def socket(self) -> Path:
        return self.folder / "socket"


def start(folder: Path, *, port: int | None = None, extra: dict[str, str] | None = None, say: Say = print) -> Emulator:
    """Start the emulator of this folder, or find it running. Raises LocalError."""
    if found := running(folder):
        _wait_until_ready(found)
        return found
    folder.mkdir(parents=True, exist_ok=True)
    # Left behind by an emulator that was killed: its functions' unpacked code.
    shutil.rmtree(folder / "tmp", ignore_errors=True)
    (folder / "tmp").mkdir()
    number = _choose_port(folder, port, say)
    if lost := _lost(folder):
        say(lost)
    _show_messages(folder)
    emulator = _spawn(folder, number, dict(extra or {}))
    _wait_until_ready(emulator)
    return emulator


def running(folder: Path) -> Emulator | None:
    """The emulator of this folder, if its process runs: it holds its record for as long as it does."""
    record = folder / "emulator.json"
    with suppress(FileNotFoundError), record.open() as looked_at:
        try:
            fcntl.flock(looked_at, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            written = files.read(record)
            return Emulator(folder, written["port"], written["pid"]) if written else None
    return None


def stop(folder: Path, *, seconds: float = STOP_SECONDS, patiently: bool = False) -> bool:
    """Have it save its state and end; False when none ran. Patiently: what is at work may end first. Raises LocalError."""
    found = running(folder)
    if not found:
        return False
    os.kill(found.pid, signal.SIGUSR1 if patiently else signal.SIGTERM)
    deadline = time.monotonic() + seconds
    while running(folder):
        if time.monotonic() > deadline:
            late = f"has not ended after {seconds:.0f} s. See {found.log}."
            raise LocalError(f"The emulator (process {found.pid}) {late}")
        time.sleep(0.05)
    # The functions' processes that are still at work: they end by themselves, but only when their work does.
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(found.pid, signal.SIGKILL)
    shutil.rmtree(folder / "tmp", ignore_errors=True)
    return True


def _environment(folder: Path, port: int) -> dict[str, str]:
    here = folder.resolve()
    return emulator_environment() | {
        **SETTINGS,
        # Where a Docker engine runs, MiniStack tidies away containers that it takes for its own: show it none.
        "DOCKER_HOST": f"unix://{here}/no-docker",
        "GATEWAY_PORT": str(port),
        "S3_DATA_DIR": str(here / "s3"),
        "STATE_DIR": str(here / "state"),
        "TMPDIR": str(here / "tmp"),
    }


def _choose_port(folder: Path, asked: int | None, say: Say) -> int:
    """A free port. A folder with state keeps its port: addresses of queues, inside that state, contain it."""
    record = files.read(folder / "emulator.json")
    if record and (folder / "state").exists():
        kept = int(record["port"])
        if not _is_free(kept):
            reason = f"Port {kept} is taken by another program, and the saved stack's addresses contain that port."
            raise LocalError(f"{reason} Stop that program, or `make clean` to start afresh on another port.")
        return kept
    first = asked or PORT
    chosen = next(number for number in count(first) if _is_free(number))
    if chosen != first:
        say(f"Port {first} is taken; using {chosen}.")
    return chosen


def _is_free(port: int) -> bool:
    with suppress(OSError), socket.create_server((HOST, port)):
        return True
    return False


def _spawn(folder: Path, port: int, extra: dict[str, str]) -> Emulator:
    # Its own folder stays out of the path: its neighbours have names that others have too.
    program = [sys.executable, "-P", str(PROGRAM)]
    with (folder / "emulator.log").open("ab") as log, (folder / "emulator.json").open("w") as record:
        fcntl.flock(record, fcntl.LOCK_EX)
        piped: Any = {"stdin": subprocess.DEVNULL, "stdout": log, "stderr": log, "pass_fds": [record.fileno()]}
        environment = _environment(folder, port) | extra
        started = subprocess.Popen(program, cwd=folder, env=environment, **piped, start_new_session=True)
        json.dump({"port": port, "pid": started.pid}, record)
    # It outlives whoever starts it, and Popen would complain of being forgotten.
    started.returncode = 0
    return Emulator(folder, port, started.pid)


def _wait_until_ready(emulator: Emulator) -> None:
    deadline = time.monotonic() + START_SECONDS
    while not _answers(emulator):
        if not running(emulator.folder) or time.monotonic() > deadline:
            raise LocalError(f"The emulator did not start. The end of {emulator.log}:\n{tail(emulator.log, 8)}")
        time.sleep(0.05)


def _answers(emulator: Emulator) -> bool:
    with suppress(urllib3.exceptions.HTTPError):
        answer = urllib3.request("GET", f"{emulator.endpoint}/_ministack/ready", retries=False, timeout=5)
        return answer.status == HTTPStatus.OK
    return False


def _lost(folder: Path) -> str | None:
    started = folder / "emulator.json"
    if not started.exists():
        return None
    saved = max((file.stat().st_mtime for file in (folder / "state").glob("*.json")), default=None)
    if saved is not None and saved >= started.stat().st_mtime:
        return None
    kept = "all that was in it" if saved is None else f"what came after {_clock(saved)}"
    return f"The stack was stopped uncleanly (killed, or the power went); {kept} is lost. `make down` saves it."


def _show_messages(folder: Path) -> None:
    """Messages that were in flight may be received at once: who had received them ended with the emulator."""
    file = folder / "state" / "sqs.json"
    if not file.exists():
        return
    saved: dict[str, Any] = json.loads(file.read_text())
    now = time.time()
    for queue in saved["payload"]["queues"]["data"].values():
        for message in queue["messages"]:
            if message["receipt_handle"]:
                message["visible_at"] = min(message["visible_at"], now)
    was_saved = file.stat().st_mtime
    file.write_text(json.dumps(saved))
    os.utime(file, (was_saved, was_saved))


def _clock(instant: float) -> str:
    then = time.localtime(instant)
    is_today = then[:3] == time.localtime()[:3]
    return time.strftime("%H:%M" if is_today else "%H:%M on %d %B %Y", then)
