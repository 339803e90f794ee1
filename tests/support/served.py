"""The HTTP front on a socket of this machine, with a user pool and a storage beside it: what a client of its own process meets."""

import json
import re
import threading
import time
from email.parser import BytesParser
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from tests.http.front import ROOT, Front
from tests.support.bench import Bench
from tests.support.clients import client

BUCKET = re.compile(r"https://databucket\.s3[^/\"]*")
KINDS = ("extract_paper", "export_table", "clean_sheet")
USER, PASSWORD, CODE, NEW_PASSWORD = "you@example.org", "Old-2026-words", "123456", "New-2026-words"


class Served:
    """A deployment of one user. Whatever is asked of a task, its workers and its sweep have run just before."""

    def __init__(self, bench: Bench) -> None:
        self.bench, self.front = bench, Front(bench)
        self.challenges: list[str] = []
        """What the user pool asks after the password."""
        self.password = PASSWORD
        self.tokens: set[str] = set()
        self.asked: list[str] = []
        """Method and path of each request."""
        self.lost: list[str] = []
        """Requests that are done, each once, and whose answer is lost: method and the path's beginning."""
        self.cut: str | None = None
        """Requests that do not arrive, as long as it stands here."""
        self.doctor: Any = None
        self.is_at_work = True
        self.behind_seconds = 0
        self.failures: list[Exception] = []
        self.server = HTTPServer(("127.0.0.1", 0), _handler(self))
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01})
        self.thread.start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server.server_port}"

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()
        if self.failures:
            raise self.failures[0]

    def answer(
        self, method: str, target: str, headers: dict[str, str], body: bytes
    ) -> tuple[int, dict[str, str], bytes]:
        """What this request is answered with."""
        place = urlsplit(target)
        if place.path.startswith(ROOT):
            return self._api(method, target, headers, body)
        if place.path.startswith("/s3/"):
            return self._storage(method, unquote(place.path.removeprefix("/s3/")), headers, body)
        if place.path == "/pool":
            return _json(*self._pool(headers["x-amz-target"].rpartition(".")[2], json.loads(body)))
        if place.path == "/config.json":
            return _json(200, {"signIn": {"endpoint": f"{self.address}/pool", "clientId": "the-client"}})
        return 404, {}, b"There is nothing at this address."

    def token(self) -> str:
        """Another access token; those before it are over."""
        self.tokens = {f"access-{len(self.asked)}-{len(self.tokens)}"}
        return next(iter(self.tokens))

    def _api(self, method: str, target: str, headers: dict[str, str], body: bytes) -> tuple[int, dict[str, str], bytes]:
        place = urlsplit(target)
        path = place.path.removeprefix(ROOT)
        if headers.get("authorization", "").removeprefix("Bearer ") not in self.tokens:
            return _json(401, {"message": "Unauthorized"})
        if path == "/asl/extraction/doctor":
            return _json(200, self.doctor)
        if self.is_at_work and method == "GET":
            for kind in KINDS:
                self.bench.deliver(kind)
            self.bench.sweep_once()
        query = dict(parse_qsl(place.query))
        given = self.front.send(method, unquote(path), body.decode() or None, query=query, headers=headers)
        return given.status, given.headers, BUCKET.sub(f"{self.address}/s3", given.text).encode()

    def _storage(
        self, method: str, key: str, headers: dict[str, str], body: bytes
    ) -> tuple[int, dict[str, str], bytes]:
        if method == "GET":
            with self.bench.calls.unwatched():
                return 200, {}, bytes(client("s3").get_object(Bucket="databucket", Key=key)["Body"].read())
        form = BytesParser().parsebytes(f"Content-Type: {headers['content-type']}\r\n\r\n".encode() + body)
        parts: Any = form.get_payload()
        fields = {part.get_param("name", header="content-disposition"): part.get_payload(decode=True) for part in parts}
        self.bench.arrive(fields["key"].decode(), fields["file"])
        self.bench.take_in()
        return 204, {}, b""

    def _pool(self, verb: str, asked: dict[str, Any]) -> tuple[int, Any]:
        said = asked.get("AuthParameters") or asked.get("ChallengeResponses") or {}
        match said:
            case {"REFRESH_TOKEN": "the-refresh-token"}:
                return 200, {"AuthenticationResult": {"AccessToken": self.token()}}
            case {"PASSWORD": self.password, "USERNAME": "you@example.org"}:
                pass
            case {"NEW_PASSWORD": str(new), "USERNAME": "you@example.org"}:
                self.password = new
            case {"SOFTWARE_TOKEN_MFA_CODE": "123456", "USERNAME": "you@example.org"}:
                pass
            case _:
                wrong = {"__type": "NotAuthorizedException", "message": "Incorrect username or password."}
                return 400, wrong
        if self.challenges:
            return 200, {"ChallengeName": self.challenges.pop(0), "Session": verb, "ChallengeParameters": {}}
        return 200, {"AuthenticationResult": {"AccessToken": self.token(), "RefreshToken": "the-refresh-token"}}


def _json(status: int, content: Any) -> tuple[int, dict[str, str], bytes]:
    return status, {"Content-Type": "application/json"}, json.dumps(content).encode()


def _handler(served: Served) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def _do(self) -> None:
            request = f"{self.command} {self.path}"
            served.asked.append(request)
            if served.cut and f"{request} ".startswith(served.cut):
                return
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            headers = {name.lower(): value for name, value in self.headers.items() if name.lower() != "accept-encoding"}
            try:
                status, given, content = served.answer(self.command, self.path, headers, body)
            except Exception as error:
                served.failures.append(error)
                raise
            for lost in [each for each in served.lost if f"{request} ".startswith(each)]:
                served.lost.remove(lost)
                return
            self.send_response(status)
            for name, value in given.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_POST = _do  # noqa: N815 - as the library calls them

        def date_time_string(self, timestamp: float | None = None) -> str:
            return super().date_time_string((timestamp or time.time()) - served.behind_seconds)

        def log_message(self, *_told: Any) -> None:
            """Nobody reads it."""

    return Handler
