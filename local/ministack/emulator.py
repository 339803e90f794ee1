"""MiniStack as a process of its own: start it, find it again, stop it.

Everything it keeps lies in one folder, so that tests can run another one beside a developer's. It writes its state
when it is asked to stop and at no other time: after a `kill -9` or a power cut, what came after the last start is
gone, and the next start says so (local/ministack/state.py).
"""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from http import HTTPStatus
from pathlib import Path
from typing import NamedTuple

import urllib3

from local import LocalError, files
from local.command import Say, tail
from local.ministack import state
from local.settings import emulator_environment, given

PORT = 4577
START_SECONDS = 120
STOP_SECONDS = 60
"""Long, for a busy machine: waiting ends as soon as it is there, or gone."""
HOST = "127.0.0.1"
PROGRAM = Path(__file__).with_name("host.py")


class Emulator(NamedTuple):
    """A MiniStack that runs now."""

    folder: Path
    port: int
    pid: int
    born: str
    """When its process started: a later one may have the same number."""

    @property
    def endpoint(self) -> str:
        return f"http://{HOST}:{self.port}"

    @property
    def log(self) -> Path:
        return self.folder / "emulator.log"


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
    if lost := state.lost(folder):
        say(lost)
    state.show_messages(folder)
    pid = _spawn(folder, _environment(folder, number) | dict(extra or {}))
    emulator = Emulator(folder, number, pid, _born(pid))
    record = {"port": number, "pid": pid, "born": emulator.born}
    (folder / "emulator.json").write_text(json.dumps(record) + "\n")
    _wait_until_ready(emulator)
    return emulator


def running(folder: Path) -> Emulator | None:
    """The emulator of this folder, if its process runs."""
    record = files.read(folder / "emulator.json")
    if not record or not _runs(record["pid"], record["born"]):
        return None
    return Emulator(folder, record["port"], record["pid"], record["born"])


def stop(folder: Path, *, seconds: float = STOP_SECONDS, patiently: bool = False) -> bool:
    """Ask the emulator of this folder to save its state and end. False when none ran. Raises LocalError.

    Patiently: functions at work have a few seconds to end first.
    """
    found = running(folder)
    if not found:
        return False
    os.kill(found.pid, signal.SIGUSR1 if patiently else signal.SIGTERM)
    deadline = time.monotonic() + seconds
    at_work: dict[int, str] = {}
    while _runs(found.pid, found.born):
        # Looked at again and again, because a function may be started until the end.
        at_work |= {child: _born(child) for child in children(found.pid)}
        if time.monotonic() > deadline:
            raise LocalError(
                f"The emulator (process {found.pid}) has not ended after {seconds:.0f} s. See {found.log}."
            )
        time.sleep(0.05)
    _end(at_work)
    shutil.rmtree(folder / "tmp", ignore_errors=True)
    return True


def _end(processes: Mapping[int, str]) -> None:
    """The functions' processes that are still at work: they end by themselves, but only when their work does."""
    for pid, born in processes.items():
        if _runs(pid, born):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def children(parent: int) -> dict[int, str]:
    """The command line of each child process."""
    if any(Path("/proc/self/task").glob("*/children")):
        # Of each of its threads; none where it has ended meanwhile.
        pids = "".join(map(_read, Path("/proc").glob(f"{parent}/task/*/children"))).split()
        commands = {int(pid): _read(Path(f"/proc/{pid}/cmdline")).replace("\0", " ") for pid in pids}
        return {pid: command for pid, command in commands.items() if command}
    asked = subprocess.run(["ps", "-A", "-o", "ppid=,pid=,command="], check=True, capture_output=True, text=True)
    rows = [line.split(None, 2) for line in asked.stdout.splitlines()]
    return {int(row[1]): row[2] for row in rows if int(row[0]) == parent}


def _read(place: Path) -> str:
    """A file of /proc, or nothing where its thread or process has ended meanwhile."""
    with suppress(OSError):
        return place.read_text()
    return ""


def _environment(folder: Path, port: int) -> dict[str, str]:
    here = folder.resolve()
    return emulator_environment() | {
        "AUTH": "true",
        "BIND_HOST": HOST,
        # Where a Docker engine runs, MiniStack tidies away containers that it takes for its own: show it none.
        "DOCKER_HOST": f"unix://{here}/no-docker",
        "GATEWAY_PORT": str(port),
        "IOT_MTLS_ENABLED": "0",
        "PERSIST_STATE": "1",
        "PYTHONUNBUFFERED": "1",
        "S3_DATA_DIR": str(here / "s3"),
        "S3_PERSIST": "1",
        "SFTP_ENABLED": "0",
        "STATE_DIR": str(here / "state"),
        "TMPDIR": str(here / "tmp"),
    }


def _choose_port(folder: Path, asked: int | None, say: Say) -> int:
    """A free port. A folder with state keeps its port: addresses of queues, inside that state, contain it."""
    record = files.read(folder / "emulator.json")
    if record and (folder / "state").exists():
        kept = int(record["port"])
        if not _is_free(kept):
            raise LocalError(
                f"Port {kept} is taken by another program, and the saved stack's addresses contain that port. "
                "Stop that program, or `make clean` to start afresh on another port."
            )
        return kept
    first = asked or int(given("GATEWAY_PORT") or PORT)
    chosen = next((number for number in range(first, first + 100) if _is_free(number)), None)
    if chosen is None:
        raise LocalError(f"No free port between {first} and {first + 99}. Choose another start with GATEWAY_PORT.")
    if chosen != first:
        say(f"Port {first} is taken; using {chosen}.")
    return chosen


def _is_free(port: int) -> bool:
    with suppress(OSError), socket.create_server((HOST, port)):
        return True
    return False


def _spawn(folder: Path, environment: dict[str, str]) -> int:
    # Its own folder stays out of the path: its neighbours have names that others have too.
    program = [sys.executable, "-P", str(PROGRAM)]
    with (folder / "emulator.log").open("ab") as log:
        started = subprocess.Popen(
            program, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
        )
    # It outlives whoever starts it, and Popen would complain of being forgotten.
    started.returncode = 0
    return started.pid


def _wait_until_ready(emulator: Emulator) -> None:
    deadline = time.monotonic() + START_SECONDS
    while not _answers(emulator):
        if not _born(emulator.pid) or time.monotonic() > deadline:
            raise LocalError(f"The emulator did not start. The end of {emulator.log}:\n{tail(emulator.log, 8)}")
        time.sleep(0.05)


def _answers(emulator: Emulator) -> bool:
    try:
        answer = urllib3.request("GET", f"{emulator.endpoint}/_ministack/ready", retries=False, timeout=5)
    except urllib3.exceptions.HTTPError:
        return False
    return answer.status == HTTPStatus.OK


def _runs(pid: int, born: str) -> bool:
    """Whether that process id still is the process that started then, and not a later one with the same number."""
    return bool(born) and _born(pid) == born


def _born(pid: int) -> str:
    """When a process started, or nothing if it has ended."""
    with suppress(ChildProcessError):
        os.waitpid(pid, os.WNOHANG)
    stat = Path(f"/proc/{pid}/stat")
    with suppress(OSError):
        state, *rest = stat.read_text().rpartition(")")[2].split()
        return "" if state == "Z" else rest[18]
    if Path("/proc/self").exists():
        return ""
    asked = subprocess.run(["ps", "-o", "lstart=", "-p", str(pid)], check=False, capture_output=True, text=True)
    return asked.stdout.strip()
