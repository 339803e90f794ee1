"""MiniStack as a process of its own: start it, find it again, stop it.

Everything it keeps lies in one folder, so that tests can run another one beside a developer's. It writes its state
when it is asked to stop and at no other time: after a `kill -9` or a power cut, what came after the last start is
gone, and the next start says so (local/state.py).
"""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from local import LocalError, state
from local.settings import emulator_environment, preferred_port

PORT = 4577
START_SECONDS = 120
STOP_SECONDS = 60
"""Long, for a busy machine: waiting ends as soon as it is there, or gone."""
HOST = "127.0.0.1"
PROGRAM = Path(__file__).with_name("host.py")

Say = Callable[[str], None]


class EmulatorError(LocalError):
    """The emulator did not start or did not stop; the message says what to do."""


@dataclass(frozen=True)
class Emulator:
    """A MiniStack that runs now."""

    folder: Path
    port: int
    pid: int

    @property
    def endpoint(self) -> str:
        return f"http://{HOST}:{self.port}"

    @property
    def log(self) -> Path:
        return self.folder / "emulator.log"


def start(folder: Path, *, port: int | None = None, extra: dict[str, str] | None = None, say: Say = print) -> Emulator:
    """Start the emulator of this folder, or find it running. Raises EmulatorError."""
    found = running(folder)
    if found:
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
    emulator = Emulator(folder, number, pid)
    record = asdict(emulator) | {"folder": str(folder), "born": _born(pid)}
    (folder / "emulator.json").write_text(json.dumps(record, indent=2) + "\n")
    _wait_until_ready(emulator)
    return emulator


def running(folder: Path) -> Emulator | None:
    """The emulator of this folder, if its process runs."""
    record = _record(folder)
    if not record or not _is_ours(record):
        return None
    return Emulator(folder, int(record["port"]), int(record["pid"]))


def stop(folder: Path, *, seconds: float = STOP_SECONDS, patiently: bool = False) -> bool:
    """Ask the emulator of this folder to save its state and end. False when none ran. Raises EmulatorError.

    Patiently: functions at work have a few seconds to end first.
    """
    record = _record(folder)
    if not record or not _is_ours(record):
        return False
    pid = int(record["pid"])
    os.kill(pid, signal.SIGUSR1 if patiently else signal.SIGTERM)
    deadline = time.monotonic() + seconds
    at_work: dict[int, str] = {}
    while _is_ours(record):
        # Looked at again and again, because a function may be started until the end.
        at_work |= {child: _born(child) for child in children(pid)}
        if time.monotonic() > deadline:
            message = (
                f"The emulator (process {pid}) has not ended after {seconds:.0f} s. See {folder / 'emulator.log'}."
            )
            raise EmulatorError(message)
        time.sleep(0.05)
    _end(at_work)
    shutil.rmtree(folder / "tmp", ignore_errors=True)
    return True


def _end(processes: Mapping[int, str]) -> None:
    """The functions' processes that are still at work: they end by themselves, but only when their work does."""
    for pid, born in processes.items():
        if born and _born(pid) == born:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def worker_pids(emulator: Emulator, function_name: str) -> list[int]:
    """The processes that run this Lambda, busy or kept warm. A test may kill one."""
    mark = f"ministack-lambda-{function_name}-"
    return sorted(pid for pid, command in children(emulator.pid).items() if mark in command)


def children(parent: int) -> dict[int, str]:
    """The command line of each child process."""
    if any(Path("/proc/self/task").glob("*/children")):
        pids = "".join(_read(thread) for thread in _threads(parent)).split()
        return {
            int(pid): command for pid in pids if (command := _read(Path(f"/proc/{pid}/cmdline")).replace("\0", " "))
        }
    asked = subprocess.run(["ps", "-A", "-o", "ppid=,pid=,command="], check=True, capture_output=True, text=True)
    rows = [line.split(None, 2) for line in asked.stdout.splitlines()]
    return {int(row[1]): row[2] for row in rows if int(row[0]) == parent}


def _threads(pid: int) -> list[Path]:
    """Where Linux lists the children of each of a process's threads; nothing where it has ended meanwhile."""
    with suppress(OSError):
        return list(Path(f"/proc/{pid}/task").glob("*/children"))
    return []


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
    record = _record(folder)
    if record and (folder / "state").exists():
        kept = int(record["port"])
        if not _is_free(kept):
            message = (
                f"Port {kept} is taken by another program, and the saved stack's addresses contain that port. "
                "Stop that program, or `make clean` to start afresh on another port."
            )
            raise EmulatorError(message)
        return kept
    first = asked or preferred_port(PORT)
    chosen = next((number for number in range(first, first + 100) if _is_free(number)), None)
    if chosen is None:
        message = f"No free port between {first} and {first + 99}. Choose another start with GATEWAY_PORT."
        raise EmulatorError(message)
    if chosen != first:
        say(f"Port {first} is taken; using {chosen}.")
    return chosen


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
    return True


def _spawn(folder: Path, environment: dict[str, str]) -> int:
    # Not subprocess.Popen: the emulator outlives whoever starts it, and Popen complains when it is forgotten.
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
    log = str(folder / "emulator.log")
    return os.posix_spawn(
        sys.executable,
        # Its own folder stays out of the path: its neighbours have names that others have too.
        [sys.executable, "-P", str(PROGRAM)],
        environment,
        file_actions=[
            (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
            (os.POSIX_SPAWN_OPEN, 1, log, flags, 0o644),
            (os.POSIX_SPAWN_DUP2, 1, 2),
        ],
        setsid=True,
    )


def _wait_until_ready(emulator: Emulator) -> None:
    deadline = time.monotonic() + START_SECONDS
    while not _answers(emulator):
        if not _born(emulator.pid) or time.monotonic() > deadline:
            tail = "\n".join(emulator.log.read_text(errors="replace").splitlines()[-8:])
            message = f"The emulator did not start. The end of {emulator.log}:\n{tail}"
            raise EmulatorError(message)
        time.sleep(0.05)


def _answers(emulator: Emulator) -> bool:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(f"{emulator.endpoint}/_ministack/ready", timeout=5) as answer:
            return bool(answer.status == 200)  # noqa: PLR2004 - HTTP's own number
    except (urllib.error.URLError, OSError):
        return False


def _record(folder: Path) -> dict[str, str]:
    try:
        record: dict[str, str] = json.loads((folder / "emulator.json").read_text())
    except (FileNotFoundError, json.JSONDecodeError):
        return {}
    return record


def _is_ours(record: dict[str, str]) -> bool:
    """Whether that process id still is the process that we started, and not a later one with the same number."""
    return bool(record["born"]) and _born(int(record["pid"])) == record["born"]


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
