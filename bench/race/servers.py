"""Redis and PostgreSQL on 127.0.0.1, each on a free port and with a data folder of its own, ended by process id."""

import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bench.race.installing import program

START_SECONDS = 60
STOP_SECONDS = 30
NOBODY, NO_GROUP = "nobody", "nogroup"
"""PostgreSQL refuses to run as root."""


@contextmanager
def redis(folder: Path) -> Iterator[str]:
    """With its append-only file, written out every second, as its documentation advises for data that matter."""
    port = free_port()
    command = [str(program("redis-server")), "--port", str(port), "--bind", "127.0.0.1", "--dir", str(folder)]
    with _server([*command, "--appendonly", "yes", "--appendfsync", "everysec"], port, signal.SIGTERM):
        yield f"redis://127.0.0.1:{port}/0"


@contextmanager
def postgres(folder: Path) -> Iterator[str]:
    """As it comes: every commit is on the disk before it is answered."""
    port, data = free_port(), folder / "data"
    installed = _copied(program("postgres").parents[1], folder)
    who: dict[str, Any] = {}
    if os.geteuid() == 0:
        who = {"user": NOBODY, "group": NO_GROUP, "extra_groups": ()}
        folder.chmod(0o755)
        data.mkdir()
        shutil.chown(data, NOBODY, NO_GROUP)
    made = [str(installed / "bin" / "initdb"), "-D", str(data), "--auth=trust", "--username=race"]
    subprocess.run(made, check=True, stdout=subprocess.DEVNULL, **who)
    command = [str(installed / "bin" / "postgres"), "-D", str(data), "-p", str(port)]
    places = ["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="]
    with _server([*command, *places], port, signal.SIGINT, **who):
        yield f"postgresql://race@127.0.0.1:{port}/postgres"


def _copied(installed: Path, folder: Path) -> Path:
    """Where everybody may read it, its libraries beside it as in the wheel."""
    package = installed.parent
    libraries = package.with_suffix(".libs")
    shutil.copytree(libraries, folder / libraries.name)
    return shutil.copytree(installed, folder / package.name / installed.name, symlinks=True)


def free_port() -> int:
    with socket.socket() as any_port:
        any_port.bind(("127.0.0.1", 0))
        return int(any_port.getsockname()[1])


@contextmanager
def _server(command: Sequence[str], port: int, end: signal.Signals, **who: Any) -> Iterator[None]:
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **who) as server:
        try:
            _wait_for(server, port)
            yield
        finally:
            server.send_signal(end)
            try:
                server.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                server.kill()


def _wait_for(server: subprocess.Popen[bytes], port: int) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and server.poll() is None:
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=1):
                return
        except OSError:
            time.sleep(0.05)
    raise RuntimeError(f"the server for port {port} did not start")
