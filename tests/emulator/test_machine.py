"""What the local stack does to the machine it runs on."""

from contextlib import suppress
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.emulator,
    pytest.mark.skipif(not Path("/proc/self/net/tcp").exists(), reason="sockets are listed by Linux's /proc"),
]

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
