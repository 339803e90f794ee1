"""Put papers into a project's library, over HTTP and the upload forms, as any client does it.

On a deployed stack: `make papers API=https://…/api/v1 PROJECT=demo FILES="a.pdf b.xml"` with SHEAF_TOKEN set to an access
token of an editor of the project (it is good for 15 minutes; what was uploaded by then stays, and a second run goes on). Here: `make papers FILES="…"` takes the demo user's.
"""

import argparse
import hashlib
import secrets
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus
from pathlib import Path
from typing import Any

from local import LocalError, command
from local.client.api import TASKS, Api, here, send
from local.settings import given

BASES = "/pkb/knowledge-bases"
SAMPLES = "samples"
"""The idempotency key of the samples' knowledge base: the same one at every run, unless somebody deleted it."""
TOGETHER = 10
"""Announced at once: their forms are good for minutes, and the files go up one after another."""
WAIT_SECONDS = 180
UNDER_WAY = {"uploading", "reading"}
Document = dict[str, Any]


def knowledge_base(api: Api, name: str, key: str) -> str:
    """The knowledge base of this key, made now or before. Raises LocalError."""
    made: str = api.post(BASES, {"name": name, "idempotencyKey": key})["knowledgeBaseId"]
    return made


def upload(api: Api, base: str, files: Sequence[Path]) -> list[Document]:
    """Announce the files and send those that are wanted; their documents, in the same order. Raises LocalError."""
    found: list[Document] = []
    for start in range(0, len(files), TOGETHER):
        part = files[start : start + TOGETHER]
        announced = [_announced(file) for file in part]
        answers = api.post(f"{BASES}/{base}/documents", {"files": announced})["uploads"]
        for file, answer in zip(part, answers, strict=True):
            if answer["upload"]:
                _send(file, answer["upload"])
            found.append(answer["document"])
    return found


def follow(
    api: Api, documents: Sequence[Document], show: Callable[[Sequence[Document]], None] = lambda _: None
) -> list[Document]:
    """The documents once none is under way any more, shown at each look. Raises LocalError when that takes too long."""
    deadline = time.monotonic() + WAIT_SECONDS
    seen = list(documents)
    while True:
        show(seen)
        if not any(item["status"] in UNDER_WAY for item in seen):
            return seen
        if time.monotonic() > deadline:
            late = ", ".join(item["filename"] for item in seen if item["status"] in UNDER_WAY)
            raise LocalError(f"Still being read after {WAIT_SECONDS // 60} minutes: {late}")
        time.sleep(0.5)
        seen = [
            api.get(f"/pkb/documents/{item['documentId']}") if item["status"] in UNDER_WAY else item for item in seen
        ]


def open_task(api: Api, documents: Sequence[Document], purpose: str) -> dict[str, Any]:
    """A new task over these papers. Raises LocalError."""
    names = [each["documentId"] for each in documents]
    asked = {"templateId": "rct", "documentIds": names, "idempotencyKey": f"{purpose}-{secrets.token_hex(8)}"}
    return api.post(TASKS, asked)


def _announced(file: Path) -> dict[str, object]:
    content = file.read_bytes()
    return {"filename": file.name, "size": len(content), "sha256": hashlib.sha256(content).hexdigest()}


def _send(file: Path, form: Mapping[str, Any]) -> None:
    """One file by its form: the fields as they were given, the file last. Raises LocalError."""
    fields = [*form["fields"].items(), ("file", ("paper", file.read_bytes()))]
    answer = send("POST", form["url"], fields=fields, timeout=120)
    if answer.status >= HTTPStatus.MULTIPLE_CHOICES:
        said = answer.data.decode(errors="replace")[:300]
        raise LocalError(f"{file.name}: the storage refused it: {answer.status} {said}")


def say_states(documents: Sequence[Document]) -> None:
    """One line a paper: how it ended, and what to do if it was not well."""
    for item in documents:
        advice = f"  {item['reason']} {item['advice']}" if item["reason"] else ""
        sys.stdout.write(f"{item['documentId']}  {item['status']:<10}  {item['filename']}{advice}\n")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m local.client.papers", description=__doc__)
    parser.add_argument("--api", help="address of the API, as in the stack's outputs; without it the stack here")
    parser.add_argument("--project", help="project id, if the user has several")
    parser.add_argument("files", nargs="+", type=Path, help="papers: .pdf, .xml, .nxml, .txt")
    asked = parser.parse_args()
    api = Api(asked.api.rstrip("/"), given("SHEAF_TOKEN")) if asked.api else here()
    api.project = asked.project
    ended = follow(api, upload(api, knowledge_base(api, "papers", "papers"), asked.files))
    say_states(ended)
    return 0 if all(item["status"] == "ready" for item in ended) else 1


if __name__ == "__main__":
    command.end(main)
