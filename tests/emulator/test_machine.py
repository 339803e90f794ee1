"""What the local stack does to the machine it runs on."""

import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from local import emulator
from tests.support.deployed import eventually

pytestmark = [
    pytest.mark.emulator,
    pytest.mark.skipif(not Path("/proc/self/net/tcp").exists(), reason="sockets are listed by Linux's /proc"),
]

SLEEPER = "import time; time.sleep(60)"
PARENT = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {SLEEPER!r}]).wait()"
LISTENING = "0A"
LOOPBACK = {"0100007F", "00000000000000000000000001000000"}


def _listening(pid):
    """Address and port of every socket at which a process listens."""
    sockets, found = set(), set()
    for link in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(FileNotFoundError):  # closed in the meantime
            sockets.add(str(link.readlink()))
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/{pid}/net/{table}").read_text().splitlines()[1:]:
            _, local, _, state, *_, inode = line.split()[:10]
            if state == LISTENING and f"socket:[{inode}]" in sockets:
                address, _, port = local.partition(":")
                found.add((address, int(port, 16)))
    return found


def _of_functions(deployed):
    """The same of every process of two functions that does not end while it is looked at."""
    found = []
    for pid in (pid for name in ("ApiFunction", "ProbeFunction") for pid in deployed.workers(name)):
        with suppress(FileNotFoundError, ProcessLookupError):
            found.append(_listening(pid))
    return found


def test_one_port_of_the_loopback_is_open_when_the_stack_is_up(deployed):
    """Nobody on the network reaches the emulator, whose root password is known to all."""
    deployed.closed(deployed.open(deployed.probes([{}]))["taskId"])
    sockets = _listening(deployed.emulator.pid)
    assert {port for _, port in sockets} == {deployed.emulator.port}
    assert {address for address, _ in sockets} <= LOOPBACK
    of_functions = _of_functions(deployed)
    assert of_functions
    assert set().union(*of_functions) == set()


def test_a_process_has_no_children_when_it_has_ended_meanwhile():
    """Functions' processes end at any moment, also while somebody lists them to kill one: that is no error."""

    def children():
        return [pid for pid, command in emulator.children(parent.pid).items() if SLEEPER in command]

    with subprocess.Popen([sys.executable, "-c", PARENT]) as parent:
        found = eventually(children, "its child", every=0.01)
        parent.kill()
    for pid in found:
        os.kill(pid, signal.SIGKILL)
    assert emulator.children(parent.pid) == {}
