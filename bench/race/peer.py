"""A peer: its server, a process of its own that takes the race's orders, and two nodes of five workers each."""

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from bench.race import diary, installing
from bench.race.installing import MODULES, NODE, PYTHON
from bench.race.measures import CONCURRENCY, JOB_SECONDS, NODES, POLL_SECONDS, WITHIN, Progress

EACH = str(CONCURRENCY // NODES)
SCRIPTS = Path(__file__).parent / "peers"
STOP_SECONDS = 20


class Peer(NamedTuple):
    """How a system is had and started; `settings` are those that make it reliable, as its documentation has them."""

    install: Sequence[Callable[[], None]]
    server: Callable[[Path], AbstractContextManager[str]]
    script: str
    node: Sequence[str]
    settings: str
    packages: Sequence[str]

    @contextmanager
    def up(self, folder: Path) -> Iterator["Up"]:
        """Raises NotInstalled."""
        for step in self.install:
            step()
        with ExitStack() as stack:
            url = stack.enter_context(self.server(folder))
            found = Up(self, folder, url)
            stack.callback(found.stop)
            yield found


class Up:
    def __init__(self, peer: Peer, folder: Path, url: str) -> None:
        self.peer = peer
        self.settings, self.versions = peer.settings, installing.versions(peer.packages)
        self.written = folder / "diary.jsonl"
        self.written.touch()
        self.log = (folder / "nodes.log").open("ab")
        given = {"RACE_URL": url, "RACE_DIARY": str(self.written), "RACE_MODULES": str(MODULES)}
        limits = {"RACE_JOB_SECONDS": str(JOB_SECONDS), "RACE_POLL_SECONDS": str(POLL_SECONDS)}
        self.environment = os.environ | given | limits | {"PYTHONPATH": str(SCRIPTS)}
        self.nodes: list[subprocess.Popen[bytes]] = []
        runner = NODE if peer.script.endswith(".mjs") else PYTHON
        self.asked = self._start([str(runner), peer.script], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def _start(self, command: Sequence[str], **more: Any) -> "subprocess.Popen[bytes]":
        """In a session of its own, so that its children can be ended with it."""
        given: dict[str, Any] = {"cwd": SCRIPTS, "env": self.environment, "stderr": self.log, "start_new_session": True}
        return subprocess.Popen(command, **given, **more)

    def _order(self, verb: str, **arguments: Any) -> Any:
        assert self.asked.stdin
        assert self.asked.stdout
        self.asked.stdin.write(json.dumps({"verb": verb} | arguments).encode() + b"\n")
        self.asked.stdin.flush()
        answer = self.asked.stdout.readline()
        assert answer, f"{self.peer.script} ended: {Path(self.log.name).read_text()[-600:]}"
        return json.loads(answer)

    def accept(self, batch: str, count: int, sleep_ms: int) -> None:
        self._order("accept", batch=batch, count=count, sleep_ms=sleep_ms)

    def progress(self, batch: str) -> Progress:
        return Progress(**self._order("progress", batch=batch))

    def wait(self, batch: str) -> bool:
        return bool(self._order("wait", batch=batch, within=WITHIN))

    def clear(self) -> None:
        self._order("clear")

    def work(self) -> None:
        for number in range(NODES):
            command = [word.format(number=number) for word in self.peer.node]
            self.nodes.append(self._start(command, stdout=self.log))

    def rest(self) -> None:
        for node in self.nodes:
            node.terminate()
        for node in self.nodes:
            try:
                node.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                _kill(node)
        self.nodes = []

    def kill_half(self, _batch: str) -> float:
        _kill(self.nodes.pop())
        return time.time()

    def diary(self, batch: str) -> list[diary.Entry]:
        with self.written.open() as lines:
            return diary.read(lines, batch)

    def stop(self) -> None:
        self.rest()
        assert self.asked.stdin
        self.asked.stdin.close()
        try:
            self.asked.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            _kill(self.asked)
        self.log.close()


def _kill(process: "subprocess.Popen[bytes]") -> None:
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
