"""A MinerU server on the loopback that plays a script: each request takes the next answer for its method and path."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Script:
    """What it is to answer, and what it was asked. The last answer of a path is given again and again."""

    def __init__(self) -> None:
        self.url = ""
        self.answers: dict[str, list[tuple[int, Any]]] = {}
        self.asked: list[tuple[str, str, dict[str, str], bytes]] = []

    def on(self, call: str, *answers: tuple[int, Any]) -> None:
        """For `GET /path`: these answers, one after the other."""
        self.answers[call] = list(answers)

    def calls(self) -> list[str]:
        return [f"{method} {path.partition('?')[0]}" for method, path, _, _ in self.asked]

    def take(self, call: str) -> tuple[int, Any]:
        left = self.answers.get(call.partition("?")[0], [(404, {"error": "no such path"})])
        return left.pop(0) if len(left) > 1 else left[0]


@contextmanager
def server() -> Iterator[Script]:
    """Up for the time of a test."""
    script = Script()

    class Handler(BaseHTTPRequestHandler):
        def _any(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            script.asked.append((self.command, self.path, dict(self.headers), body))
            status, told = script.take(f"{self.command} {self.path}")
            content = told if isinstance(told, bytes) else json.dumps(told).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_POST = do_PUT = _any  # noqa: N815 - the names that http.server asks for

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name that http.server gives it
            """Nothing."""

    listening = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    script.url = f"http://127.0.0.1:{listening.server_address[1]}"
    thread = threading.Thread(target=listening.serve_forever, daemon=True)
    thread.start()
    try:
        yield script
    finally:
        listening.shutdown()
        listening.server_close()
        thread.join()
