"""Put papers into a project's library, over HTTP and the upload forms, as any client does it.

On a deployed stack: `make papers API=https://…/api/v1 PROJECT=demo FILES="a.pdf b.xml"` with SHEAF_TOKEN set to an access
token of an editor of the project (it is good for 15 minutes; what was uploaded by then stays, and a second run goes on). Here: `make papers FILES="…"` takes the demo user's.
"""

import argparse
import hashlib
import json
import secrets
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from local import LocalError, people
from local.api import Api
from local.settings import HOME, given_token

BASES = "/pkb/knowledge-bases"
SAMPLES = "samples"
"""The idempotency key of the samples' knowledge base: the same one at every run, unless somebody deleted it."""
TOGETHER = 10
"""Announced at once: their forms are good for minutes, and the files go up one after another."""
WAIT_SECONDS = 180
UNDER_WAY = {"uploading", "reading"}
Document = dict[str, Any]


class PapersError(LocalError):
    """A paper did not get into the library; the message says why."""


def knowledge_base(api: Api, name: str, key: str) -> str:
    """The knowledge base of this key, made now or before. Raises ApiError."""
    made: str = api.post(BASES, {"name": name, "idempotencyKey": key})["knowledgeBaseId"]
    return made


def upload(api: Api, base: str, files: Sequence[Path]) -> list[Document]:
    """Announce the files and send those that are wanted; their documents, in the same order. Raises PapersError."""
    found: list[Document] = []
    for start in range(0, len(files), TOGETHER):
        part = files[start : start + TOGETHER]
        told = [_announced(file) for file in part]
        answers = api.post(f"{BASES}/{base}/documents", {"files": told})["uploads"]
        for file, answer in zip(part, answers, strict=True):
            if answer["upload"]:
                _send(file, answer["upload"])
            found.append(answer["document"])
    return found


def follow(api: Api, documents: Sequence[Document], show: Callable[[Sequence[Document]], None]) -> list[Document]:
    """The documents once none is under way any more, shown at each look. Raises PapersError when that takes too long."""
    deadline = time.monotonic() + WAIT_SECONDS
    seen = list(documents)
    while True:
        show(seen)
        if not any(item["status"] in UNDER_WAY for item in seen):
            return seen
        if time.monotonic() > deadline:
            message = f"Still being read after {WAIT_SECONDS // 60} minutes: {', '.join(_waiting(seen))}"
            raise PapersError(message)
        time.sleep(0.5)
        seen = [
            api.get(f"/pkb/documents/{item['documentId']}") if item["status"] in UNDER_WAY else item for item in seen
        ]


def _waiting(documents: Sequence[Document]) -> Iterator[str]:
    return (str(item["filename"]) for item in documents if item["status"] in UNDER_WAY)


def _announced(file: Path) -> dict[str, object]:
    content = file.read_bytes()
    return {"filename": file.name, "size": len(content), "sha256": hashlib.sha256(content).hexdigest()}


def _send(file: Path, form: Mapping[str, Any]) -> None:
    """One file by its form: the fields as they were given, the file last."""
    edge = secrets.token_hex(16)
    parts = [
        f'--{edge}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
        for name, value in form["fields"].items()
    ]
    parts.append(f'--{edge}\r\nContent-Disposition: form-data; name="file"; filename="paper"\r\n\r\n'.encode())
    body = b"".join([*parts, file.read_bytes(), f"\r\n--{edge}--\r\n".encode()])
    headers = {"Content-Type": f"multipart/form-data; boundary={edge}"}
    request = urllib.request.Request(form["url"], body, headers, method="POST")  # noqa: S310 - the API's own answer
    opener = urllib.request.build_opener(*_no_proxy(form["url"]))
    try:
        with opener.open(request, timeout=120):
            pass
    except urllib.error.HTTPError as refusal:
        with refusal:
            said = refusal.read().decode(errors="replace")
        message = f"{file.name}: the storage refused it: {refusal.code} {said[:300]}"
        raise PapersError(message) from refusal
    except OSError as trouble:
        message = f"{file.name}: {trouble}"
        raise PapersError(message) from trouble


def _no_proxy(url: str) -> list[urllib.request.BaseHandler]:
    """Straight to the loopback, also where a proxy is configured."""
    is_here = url.startswith(("http://127.0.0.1", "http://localhost"))
    return [urllib.request.ProxyHandler({})] if is_here else []


def say_states(documents: Sequence[Document]) -> None:
    """One line a paper: how it ended, and what to do if it was not well."""
    for item in documents:
        advice = f"  {item['reason']} {item['advice']}" if item["reason"] else ""
        sys.stdout.write(f"{item['documentId']}  {item['status']:<10}  {item['filename']}{advice}\n")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m local.papers", description=__doc__)
    parser.add_argument("--api", help="address of the API, as in the stack's outputs; without it the stack here")
    parser.add_argument("--project", help="project id, if the user has several")
    parser.add_argument("--knowledge-base", default="papers", help="name of where they go (default: %(default)s)")
    parser.add_argument("files", nargs="+", type=Path, help="papers: .pdf, .xml, .nxml, .txt")
    asked = parser.parse_args()
    try:
        api = _api(asked.api, asked.project)
        base = knowledge_base(api, asked.knowledge_base, f"papers-{asked.knowledge_base}".replace(" ", "-"))
        ended = follow(api, upload(api, base, asked.files), lambda _: None)
    except LocalError as trouble:
        sys.stderr.write(f"{trouble}\n")
        return 1
    say_states(ended)
    return 0 if all(item["status"] == "ready" for item in ended) else 1


def _api(address: str | None, project: str | None) -> Api:
    if address:
        return Api(address.rstrip("/"), given_token(), project)
    places = HOME / "local.json"
    if not places.exists():
        message = "The stack is not up. Start it with `make up`, or name a deployed one with API=."
        raise LocalError(message)
    told: dict[str, str] = json.loads(places.read_text())
    return Api(told["api"], people.token(told), project, lambda: people.token(told))


if __name__ == "__main__":
    sys.exit(main())
