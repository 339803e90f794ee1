"""Passes every connection on to another address, both ways, until it is stopped. Standard library only.

The same file runs on both sides of a container's wall. Inside, it stands where the emulator stands outside, and passes
on to a unix socket in the function's folder; outside, it passes on from that socket to the emulator. So a function
reaches an emulator that listens on the loopback only, and nothing else of this machine.
"""

import os
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

CHUNK = 1 << 16
Connect = Callable[[], socket.socket]


@contextmanager
def from_socket(place: Path, port: int) -> Iterator[None]:
    """As long as this lasts, the unix socket at this place leads to this port of the loopback."""
    # Named by its folder's descriptor: a socket's own name may not be longer than 107 bytes, and paths of tests are.
    folder = os.open(place.parent, os.O_RDONLY)
    with socket.socket(socket.AF_UNIX) as listener:
        try:
            listener.bind(f"/proc/self/fd/{folder}/{place.name}")
        finally:
            os.close(folder)
        place.chmod(0o666)  # the function's user is another one than ours
        listener.listen()
        answering = threading.Thread(
            target=_serve, args=(listener, lambda: socket.create_connection(("127.0.0.1", port))), daemon=True
        )
        answering.start()
        try:
            yield
        finally:
            listener.shutdown(socket.SHUT_RDWR)
            answering.join()
            place.unlink(missing_ok=True)


def _serve(listener: socket.socket, connect: Connect) -> None:
    while True:
        try:
            here, _ = listener.accept()
        except OSError:
            return
        threading.Thread(target=_join, args=(here, connect), daemon=True).start()


def _join(here: socket.socket, connect: Connect) -> None:
    with here, suppress(OSError), connect() as there:
        back = threading.Thread(target=_pour, args=(there, here), daemon=True)
        back.start()
        _pour(here, there)
        back.join()


def _pour(source: socket.socket, sink: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(CHUNK):
            sink.sendall(data)
    with suppress(OSError):
        sink.shutdown(socket.SHUT_WR)


def _to_socket(place: str) -> socket.socket:
    there = socket.socket(socket.AF_UNIX)
    there.connect(place)
    return there


def main(endpoint: str, place: str) -> None:
    """Inside the container: go into the background once the endpoint's port is open."""
    address = urlsplit(endpoint)
    listener = socket.create_server((address.hostname or "", address.port or 80))
    if os.fork():
        return
    os.setsid()
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in range(3):
        os.dup2(nothing, descriptor)
    _serve(listener, lambda: _to_socket(place))


if __name__ == "__main__":
    main(*sys.argv[1:])
