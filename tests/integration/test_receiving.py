"""A real https server on this machine as the receiver: the certificate is the name's, the connection is the address's."""

import datetime as dt
import ipaddress
import ssl
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from time import monotonic

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from sheaf.errors import TimedOut, Unavailable
from sheaf.outside import http_request

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


def test_names_are_resolved_as_the_machine_does_it_and_nothing_is_made_of_those_that_are_none():
    assert http_request.resolve("127.0.0.1", 443) == ["127.0.0.1"]
    assert all(ipaddress.ip_address(each).is_loopback for each in http_request.resolve("localhost", 443))
    for name in ("x" * 70, "a..b", "", "no.such.name.invalid"):
        try:
            found = http_request.resolve(name, 443)
        except Unavailable:
            continue
        assert all(ipaddress.ip_address(each).is_loopback for each in found), name
