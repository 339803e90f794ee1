"""One request to a server that may do anything: an answer within its time and size, or Unavailable, and never a surprise."""

import gzip
import re
import socket
import ssl
import threading
from contextlib import contextmanager

import pytest

from sheaf.errors import Unavailable
from sheaf.outside import http_request

LIMIT = 1_000_000
OK = b"HTTP/1.1 200 OK\r\n"
LONG = b"x" * 2_000_000


class Server:
    """Takes one connection after another, reads the request, and sends these pieces with a pause after each."""

    def __init__(self, pieces, pause):
        self.pieces, self.pause = pieces, pause
        self.asked: list[bytes] = []
        self.sent = 0
        self.over = threading.Event()
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listening.getsockname()[1]}/v1/chat/completions"

    def run(self):
        while True:
            try:
                connection, _ = self.listening.accept()
            except OSError:
                return
            with connection:
                self.asked.append(_request(connection))
                try:
                    for piece in self.pieces:
                        connection.sendall(piece)
                        self.sent += 1
                        if self.over.wait(self.pause):
                            break
                except OSError:
                    continue


def _request(connection):
    """The whole of it: a connection that is closed with something unread is reset, and takes the answer with it."""
    told = b""
    while (piece := connection.recv(65_536)) != b"":
        told += piece
        head, end, body = told.partition(b"\r\n\r\n")
        length = re.search(rb"(?i)content-length: *(\d+)", head)
        if end and len(body) >= int(length[1] if length else 0):
            break
    return told


@contextmanager
def serving(*pieces, pause=0.0):
    server = Server(pieces, pause)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.over.set()
        server.listening.shutdown(socket.SHUT_RDWR)
        server.listening.close()
        thread.join()


def ask(server, seconds=60.0, limit=LIMIT, **headers):
    return http_request.ask("POST", server.url, b"{}", {"Authorization": "Bearer k", **headers}, seconds, limit)


def sized(body, *headers):
    told = "".join(f"{header}\r\n" for header in (f"Content-Length: {len(body)}", *headers))
    return OK + told.encode() + b"\r\n" + body


def chunked(*chunks, end=b"0\r\n\r\n"):
    told = b"".join(b"%x\r\n%s\r\n" % (len(chunk), chunk) for chunk in chunks)
    return OK + b"Transfer-Encoding: chunked\r\n\r\n" + told + end


@pytest.mark.parametrize(
    "pieces",
    [
        (sized(b'{"a": 1}'),),
        (OK + b"Connection: close\r\n\r\n", b'{"a"', b": 1}"),
        (chunked(b'{"a"', b": 1}"),),
        (OK + b"\r\n", b"\n", b" \r\n", b'\n{"a": 1}'),
        (chunked(b"\n", b"\n", b'{"a": 1}'),),
        (sized(gzip.compress(b'\n{"a": 1}'), "Content-Encoding: gzip"),),
        (sized(b'{"a": 1}', "Content-Encoding: identity"),),
        (b"HTTP/1.1 100 Continue\r\n\r\n", sized(b'{"a": 1}')),
    ],
)
def test_the_whole_answer_is_read_when_it_comes_in_whatever_pieces(pieces):
    with serving(*pieces) as server:
        told = ask(server)
    assert (told.status, told.body) == (200, b'{"a": 1}')
    (asked,) = server.asked
    assert asked.startswith(b"POST /v1/chat/completions HTTP/1.1")
    assert b"Accept-Encoding: identity" in asked


@pytest.mark.parametrize(
    "pieces",
    [
        (sized(b'{"a": 1}')[:-3],),
        (chunked(b'{"a": 1}', end=b""),),
        (chunked(b'{"a"', end=b"8\r\n: 1"),),
        (chunked(b'{"a"', end=b"what\r\n"),),
        (sized(gzip.compress(b'{"a": 1}')[:-9], "Content-Encoding: gzip"),),
        (sized(b'{"a": 1}', "Content-Encoding: gzip"),),
        (sized(b'{"a": 1}', "Content-Encoding: br"),),
        (b"220 mail.example.org ESMTP\r\n",),
        (OK + b"X: " + b"x" * 70_000 + b"\r\n\r\n",),
        (b"".join([OK, *(b"X-%d: x\r\n" % number for number in range(200)), b"\r\n"]),),
        (b"",),
    ],
)
def test_no_half_answer_is_taken_for_a_whole_one_when_it_is_cut_or_no_http(pieces):
    with serving(*pieces) as server, pytest.raises(Unavailable):
        ask(server)


@pytest.mark.parametrize(
    ("before", "drip"),
    [
        (b"", b"x"),
        (OK + b"Content-Length: 9999\r\n\r\n{", b"x"),
        (OK + b"\r\n", b"\n"),
        (chunked(b"{", end=b""), b"1\r\nx\r\n"),
    ],
    ids=["nothing yet", "body", "blank lines", "chunks"],
)
def test_the_server_is_given_up_in_time_when_it_drips(before, drip):
    """Every byte comes well within a socket's time-out, and the last one in ten minutes. The headers' first line is one."""
    pieces = [before, *[drip] * 6_000] if before else [b"", *[b""] * 6_000]
    with serving(*pieces, pause=0.1) as server, pytest.raises(Unavailable):
        ask(server, seconds=1.0)
    assert server.sent < 3_000


@pytest.mark.parametrize(
    "answer",
    [
        sized(LONG),
        OK + b"\r\n" + LONG,
        chunked(LONG),
        sized(gzip.compress(b"\x00" * 50_000_000, 1), "Content-Encoding: gzip"),
    ],
    ids=["sized", "till the end", "chunked", "packed fifty times"],
)
def test_one_byte_more_than_the_limit_is_read_when_the_answer_is_longer(answer):
    with serving(answer) as server:
        told = ask(server, limit=LIMIT)
    assert len(told.body) == LIMIT + 1


def test_no_redirect_is_followed_when_the_server_sends_one():
    """The key goes to the address that it was given for, and to no other."""
    with serving(sized(b"")) as other:
        moved = b"HTTP/1.1 307 Moved\r\nLocation: %s\r\nContent-Length: 0\r\n\r\n" % other.url.encode()
        with serving(moved) as server:
            assert ask(server).status == 307
        assert other.asked == []
        assert len(server.asked) == 1


@pytest.mark.parametrize(
    "url",
    ["http://127.0.0.1:1/", "http://127.0.0.1:port/", "https://", f"http://{70 * 'a'}/", "http://127.0.0.1:1/\n"],
)
def test_an_address_that_cannot_be_asked_is_as_good_as_no_answer(url):
    with pytest.raises(Unavailable):
        http_request.ask("POST", url, b"{}", {}, 5.0, LIMIT)


def test_nothing_is_sent_when_a_header_would_be_two():
    with serving(sized(b"{}")) as server, pytest.raises(Unavailable):
        ask(server, Key="a\r\nHost: elsewhere")
    assert not any(server.asked)


def test_a_server_without_a_certificate_gets_nothing_when_it_is_asked_by_https():
    with serving(sized(b"{}")) as server, pytest.raises(Unavailable):
        http_request.ask(
            "POST", server.url.replace("http:", "https:"), b"{}", {"Authorization": "Bearer key"}, 10.0, LIMIT
        )
    assert not any(b"key" in asked for asked in server.asked)
    assert http_request._tls().verify_mode == ssl.CERT_REQUIRED
    assert http_request._tls().check_hostname
