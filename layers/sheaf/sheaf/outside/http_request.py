"""One HTTP request to a server that is not AWS: made once, never sent on, its answer bounded in time and in size.

No connection is kept: one that died while the function was frozen would look like a server that is away.
"""

import http.client
import socket
import ssl
import time
import zlib
from collections.abc import Callable
from contextlib import closing
from functools import cache, partial
from typing import Any, NamedTuple, TypeAlias
from urllib.parse import urlsplit

from sheaf.errors import TimedOut, Unavailable

CONNECT_SECONDS = 10.0
PIECE = 64 * 1024
PLAIN = {"", "identity"}
GZIP_WINDOW = 31  # zlib's number for its largest window within gzip's header


class Answered(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes


Ask: TypeAlias = Callable[[str, str, bytes | None, dict[str, str], float, int], Answered]


def ask(  # noqa: PLR0917 - a request's parts, in the order of the wire
    method: str, url: str, body: bytes | None, headers: dict[str, str], seconds: float, limit: int, address: str = ""
) -> Answered:
    """At most `limit` bytes of the answer, or one more, so that too long a one is seen to be so.

    A server may send blanks before it answers; all of it gets these seconds. Raises Unavailable, TimedOut.
    """
    ends_at, sent = time.monotonic() + seconds, False
    try:
        parts = urlsplit(url)
        path = f"{parts.path or '/'}?{parts.query}" if parts.query else parts.path or "/"
        connection = _connection(parts.scheme, parts.hostname or "", parts.port, min(seconds, CONNECT_SECONDS), address)
        with closing(connection):
            connection.connect()
            line = connection.sock
            line.settimeout(_left(ends_at))
            connection.request(method, path, body, dict(headers))
            sent = True
            with connection.getresponse() as reply:
                content = _content(reply, line, ends_at, limit)
                received = {name.lower(): value for name, value in reply.getheaders()}
                return Answered(reply.status, received, _inflated(content, received.get("content-encoding", ""), limit))
    except (OSError, http.client.HTTPException, ValueError) as error:
        # ValueError: an address or a header that cannot be sent.
        kind = TimedOut if sent and isinstance(error, TimeoutError) else Unavailable
        raise kind(f"{method.lower()}: {type(error).__name__}") from error


def resolve(host: str, port: int) -> list[str]:
    """Every address that this name has now, those of IPv4 first. Raises Unavailable."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise Unavailable(f"resolve: {type(error).__name__}") from error
    return sorted({str(address[0]) for *_, address in found}, key=lambda address: (":" in address, address))


def at(address: str) -> Ask:
    """Requests that go to this very address, whatever their name leads to by then."""
    return partial(ask, address=address)


class _At(http.client.HTTPSConnection):
    """A connection to a given address; the name is asked for there, and its certificate with it."""

    address: str

    def connect(self) -> None:
        line = socket.create_connection((self.address, self.port), self.timeout)
        self.sock = _tls().wrap_socket(line, server_hostname=self.host)


def _connection(scheme: str, host: str, port: int | None, seconds: float, address: str) -> http.client.HTTPConnection:
    if address:
        connection = _At(host, port, timeout=seconds)
        connection.address = address
        return connection
    if scheme == "https":
        return http.client.HTTPSConnection(host, port, timeout=seconds, context=_tls())
    return http.client.HTTPConnection(host, port, timeout=seconds)


@cache
def _tls() -> ssl.SSLContext:
    return ssl.create_default_context()


def _left(ends_at: float) -> float:
    left = ends_at - time.monotonic()
    if left <= 0:
        raise TimedOut("the answer took too long")
    return left


def _content(reply: http.client.HTTPResponse, line: Any, ends_at: float, limit: int) -> bytes:
    """Whatever has come, as it comes: a server that drips is given up when the time is over. Blanks before it are left out."""
    content = bytearray()
    while len(content) <= limit:
        line.settimeout(_left(ends_at))
        piece = reply.read1(PIECE)
        if not piece:
            if reply.length:
                raise http.client.IncompleteRead(b"", reply.length)
            break
        content += piece if content else piece.lstrip()
    return bytes(content[: limit + 1])


def _inflated(content: bytes, encoding: str, limit: int) -> bytes:
    """Nobody asked for a packed answer; one that comes all the same is unpacked as far as the limit. Raises Unavailable."""
    if encoding.lower() in PLAIN or not content:
        return content
    if encoding.lower() not in {"gzip", "x-gzip"}:
        raise Unavailable(f"the answer is packed in a way that was not asked for: {encoding[:20]}")
    unpacking = zlib.decompressobj(GZIP_WINDOW)
    try:
        plain = unpacking.decompress(content, limit + 1)
    except zlib.error as error:
        raise Unavailable("the answer is said to be packed, and is not") from error
    if len(plain) <= limit and not unpacking.eof:
        raise Unavailable("the answer was cut")
    return plain.lstrip()
