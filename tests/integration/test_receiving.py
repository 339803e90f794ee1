"""A real https server on this machine as the receiver: the certificate is the name's, the connection is the address's."""

import datetime as dt
import ipaddress
import ssl
import threading
import time
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from time import monotonic

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from standardwebhooks import Webhook

from sheaf.errors import TimedOut, Unavailable
from sheaf.notices import webhook_items
from sheaf.outside import http_request, wiring
from sheaf.settings import NoticeSettings

NAME = "hooks.example.org"


def certificate(folder, name):
    """Self-signed; the file with it and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    own = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = dt.datetime.now(dt.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(own)
        .issuer_name(own)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - dt.timedelta(hours=1))
        .not_valid_after(now + dt.timedelta(hours=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    plain = serialization.NoEncryption()
    private = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain)
    file = folder / f"{name}.pem"
    file.write_bytes(made.public_bytes(serialization.Encoding.PEM) + private)
    return file


@contextmanager
def serving(file, act):
    """A receiver that does this; gives its port, and the requests: path, Host and body."""
    asked = []
    over = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["content-length"]))
            asked.append((self.path, self.headers["host"], body))
            act(self, over)

        def log_message(self, *_):
            """Not on the terminal."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    try:
        yield server.server_address[1], asked
    finally:
        over.set()
        server.shutdown()
        server.server_close()


def answering(status, **headers):
    def act(handler, _over):
        handler.send_response(status)
        for name, value in {"Content-Length": "2", **headers}.items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(b"ok")

    return act


def hanging(_handler, over):
    over.wait(20)


@pytest.fixture
def trusted(tmp_path, monkeypatch):
    """The name's certificate, which this process trusts for a while, as OpenSSL is told by its own variable."""
    file = certificate(tmp_path, NAME)
    monkeypatch.setenv("SSL_CERT_FILE", str(file))
    http_request._tls.cache_clear()
    yield file
    http_request._tls.cache_clear()


def ask(port, *, name=NAME, seconds=10.0):
    return http_request.at("127.0.0.1")("POST", f"https://{name}:{port}/in?x=1", b"{}", {}, seconds, 1024)


@pytest.mark.parametrize("status", [200, 204, 410, 500])
def test_the_answer_is_given_when_the_certificate_is_the_names_and_the_address_another(trusted, status):
    with serving(trusted, answering(status)) as (port, asked):
        assert ask(port).status == status
        assert asked == [("/in?x=1", f"{NAME}:{port}", b"{}")]


def test_a_redirect_is_an_answer_and_is_not_followed_when_the_receiver_sends_one(trusted):
    with serving(trusted, answering(302, Location=f"https://{NAME}/elsewhere")) as (port, asked):
        assert ask(port).status == 302
        assert len(asked) == 1


def test_nothing_is_sent_when_the_certificate_is_another_names(trusted):
    """Mutation caught: a certificate that is checked against the address, or not at all."""
    with serving(trusted, answering(200)) as (port, asked):
        with pytest.raises(Unavailable, match="SSLCertVerificationError"):
            ask(port, name="other.example.org")
        assert asked == []


def test_nothing_is_sent_when_nobody_vouches_for_the_certificate(trusted, tmp_path):
    (tmp_path / "other").mkdir()
    with serving(certificate(tmp_path / "other", NAME), answering(200)) as (port, asked):
        with pytest.raises(Unavailable, match="SSLCertVerificationError"):
            ask(port)
        assert asked == []


def test_the_receiver_is_given_up_in_time_when_it_hangs(trusted):
    with serving(trusted, hanging) as (port, asked):
        begun = monotonic()
        with pytest.raises(TimedOut):
            ask(port, seconds=0.5)
        assert monotonic() - begun < 10
        assert len(asked) == 1


def test_a_receiver_believes_the_notice_when_it_comes_over_the_wire_at_the_second_try(bench, trusted):
    """All of it but AWS is real: the lookup is told, the certificate, the request, and the library that verifies it."""
    heard = []

    def act(handler, over):
        heard.append({name.lower(): value for name, value in handler.headers.items()})
        answering(500 if len(heard) == 1 else 200)(handler, over)

    with serving(trusted, act) as (port, asked):
        world = bench.worlds["NoticeFunction"]
        wiring.worlds[NoticeSettings] = replace(
            world,
            settings=replace(world.settings, webhook_wall="none"),
            now=lambda: time.time_ns() // 1_000_000,
            resolve=lambda _host, _port: ["127.0.0.1"],
            ask_at=http_request.at,
        )
        url = f"https://{NAME}:{port}/in"
        _, secret = webhook_items.set_up(bench.api_world, "p1", None, url, "u1", new_secret=False)
        task = bench.probes("ok")
        bench.settle("probe")
        assert len(bench.tell()) == 1
        bench.clock.now = max(each.visible_at for each in bench.held.values())
        assert bench.tell() == []
        bodies = [body for *_, body in asked]
    said = [Webhook(str(secret)).verify(body, headers) for body, headers in zip(bodies, heard, strict=True)]
    assert [each["data"]["taskId"] for each in said] == [task, task]
    assert {headers["webhook-id"] for headers in heard} == {f"p1/{task}/closed"}


def test_names_are_resolved_as_the_machine_does_it_and_nothing_is_made_of_those_that_are_none():
    assert http_request.resolve("127.0.0.1", 443) == ["127.0.0.1"]
    assert all(ipaddress.ip_address(each).is_loopback for each in http_request.resolve("localhost", 443))
    for name in ("x" * 70, "a..b", "", "no.such.name.invalid"):
        try:
            found = http_request.resolve(name, 443)
        except Unavailable:
            continue
        assert all(ipaddress.ip_address(each).is_loopback for each in found), name
