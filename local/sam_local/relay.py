"""In a container, stands where the emulator stands outside, and passes on to its unix socket. Standard library only."""

import os
import socket
import sys
import threading
from contextlib import suppress
from urllib.parse import urlsplit

CHUNK = 1 << 16


def main(endpoint: str, place: str) -> None:
    """Go into the background once the endpoint's port is open."""
    address = urlsplit(endpoint)
    listener = socket.create_server((address.hostname or "", address.port or 80))
    if os.fork():
        return
    os.setsid()
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in range(3):
        os.dup2(nothing, descriptor)
    while True:
        here, _ = listener.accept()
        threading.Thread(target=_join, args=(here, place), daemon=True).start()


def _join(here: socket.socket, place: str) -> None:
    with here, suppress(OSError), socket.socket(socket.AF_UNIX) as there:
        there.connect(place)
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


if __name__ == "__main__":
    main(*sys.argv[1:])
