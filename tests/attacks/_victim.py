"""A process like the intake's, with a secret in its environment, that reads a file of the attacker's: python -m tests.attacks._victim KIND WALLED."""

import json
import os
import socket
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from signal import SIGKILL
from threading import Thread

from clinical.papers.read_paper import read_apart
from tests.attacks import _payload

EVENT = "the next tenant's event"
ANSWER = f"HTTP/1.1 200 OK\r\nContent-Length: {len(EVENT)}\r\n\r\n{EVENT}".encode()


def main(kind, walled):
    with socket.create_server(("127.0.0.1", 0)) as server:
        Thread(target=_serve, args=(server,), daemon=True).start()
        mark = f"sheaf-grandchild-{os.getpid()}"
        left = Path(tempfile.gettempdir(), f"sheaf-left-over-{os.getpid()}")
        told = {
            "secret": os.environ["AWS_SECRET_ACCESS_KEY"],
            "port": server.getsockname()[1],
            "event": EVENT,
            "grandchild": mark,
            "file": str(left),
        }
        read = read_apart(_payload.content(kind, told), "paper", walled=walled, reader=_payload.__name__)
        taken = set(json.loads(read.pages[0].text))
        if left.exists():
            left.unlink()
            taken.add("a file left over")
        if _outlives(mark):
            taken.add("a grandchild")
    print(json.dumps(sorted(taken)))


def _serve(server):
    """As Lambda's Runtime API answers any process of the machine."""
    with suppress(OSError):
        while True:
            asked, _ = server.accept()
            with asked, suppress(OSError):
                asked.settimeout(1)
                if asked.recv(4096):
                    asked.sendall(ANSWER)


def _outlives(mark):
    """Whether a process with this mark runs, now that the reading is over; it is ended."""
    until = time.monotonic() + 0.5
    while time.monotonic() < until:
        for place in Path("/proc").glob("[0-9]*/cmdline"):
            with suppress(OSError):
                if f"{mark}\0" in place.read_text():
                    os.kill(int(place.parent.name), SIGKILL)
                    return True
        time.sleep(0.05)
    return False


if __name__ == "__main__":
    main(*sys.argv[1:])
