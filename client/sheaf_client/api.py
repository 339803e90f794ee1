"""The API, typed. Every call may be sent twice: it changes nothing, finds what an earlier one made, or has a key."""

from __future__ import annotations

import hashlib
import io
import json
import secrets
import time
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote, urlencode

import urllib3

from sheaf_client import transport
from sheaf_client.transport import Refused, SheafError, SignedOut, Unreachable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from urllib3 import BaseHTTPResponse

    from sheaf_client import shapes

BASES: Final = "/pkb/knowledge-bases"
TASKS: Final = "/asl/extraction/tasks"
FORMATS: Final = ("xlsx", "csv", "csv-long", "jsonl")
LOOK_SECONDS = 1


@dataclass
class Sheaf:
    """A deployment, as one user of one project sees it. Each call raises Refused, Unreachable or SignedOut."""

    address: str  # of the API, up to and with `/api/v1`
    token: str = ""
    project: str | None = None  # for a user who has several
    renew: Callable[[], str] | None = None  # another access token, where there is somebody to ask
    ahead_seconds: float = 0  # by how much this machine's clock is ahead of the deployment's, as its last answer says

    def knowledge_bases(self) -> list[shapes.KnowledgeBase]:
        return self.ask("GET", BASES)["knowledgeBases"]

    def new_knowledge_base(self, name: str, key: str | None = None) -> shapes.KnowledgeBase:
        """A new one, or the one that was made with this key."""
        return self.ask("POST", BASES, {"name": name}, key or new_key())

    def upload(self, base_id: str, file: Path) -> shapes.Document:
        """Announce a file, and send it unless it is there already."""
        content = file.read_bytes()
        new = [announced(file.name, content)]
        (found,) = self.ask("POST", _path(BASES, base_id, "documents"), {"files": new})["uploads"]
        if found["upload"]:
            send(found["upload"], content)
        return found["document"]

    def read(self, document_id: str) -> shapes.Document:
        """A document when it has been read, or could not be."""
        return self._ended(_path("/pkb/documents", document_id), {"uploading", "reading"})

    def estimate(self, new: shapes.NewTask) -> shapes.Estimate:
        return self.ask("POST", f"{TASKS}/estimate", new)

    def submit(self, new: shapes.NewTask, key: str | None = None) -> shapes.Task:
        """A new task, or the one that was opened with this key."""
        return self.ask("POST", TASKS, new, key or new_key())

    def watch(self, task_id: str) -> Iterator[shapes.Task]:
        """A task, each second, until it has closed."""
        return self._looks(_path(TASKS, task_id), {"gathering", "processing"})

    def results(self, task_id: str, **asked: str) -> Iterator[shapes.Result]:
        return self._listed("results", _path(TASKS, task_id, "results"), **asked)

    def cancel(self, task_id: str) -> shapes.Task:
        return self.ask("POST", _path(TASKS, task_id, "cancel"))

    def retry(self, task_id: str, key: str | None = None) -> shapes.Task:
        return self.ask("POST", _path(TASKS, task_id, "retry"), {}, key or new_key())

    def export(self, task_id: str, form: str) -> shapes.Export:
        """The table as a file, when it is written. Raises SheafError where it could not be."""
        exports = _path(TASKS, task_id, "exports")
        name = self.ask("POST", exports, {"format": form})["exportId"]
        export: shapes.Export = self._ended(_path(exports, name), {"waiting", "writing"})
        if export["status"] == "failed":
            raise SheafError(f"The file could not be written: {export['errorMessage']}")
        return export

    def doctor(self) -> shapes.Doctor:
        return self.ask("GET", "/asl/extraction/doctor")

    def _listed(self, of: str, path: str, **asked: str) -> Iterator[Any]:
        cursor: str | None = ""
        while cursor is not None:
            page = self.ask("GET", f"{path}?{urlencode(asked | ({'cursor': cursor} if cursor else {}))}")
            yield from page[of]
            cursor = page["nextCursor"]

    def _ended(self, path: str, under_way: set[str]) -> Any:
        *_, ended = self._looks(path, under_way)
        return ended

    def _looks(self, path: str, under_way: set[str]) -> Iterator[Any]:
        while (seen := self.ask("GET", path))["status"] in under_way:
            yield seen
            time.sleep(LOOK_SECONDS)
        yield seen

    def ask(self, method: str, path: str, body: object = None, key: str = "") -> Any:
        if self.renew and not self.token:
            self.token = self.renew()
        answer = self._sent(method, path, body, key)
        if answer.status == HTTPStatus.UNAUTHORIZED and self.renew:
            self.token = self.renew()
            answer = self._sent(method, path, body, key)
        if "Date" in answer.headers:
            self.ahead_seconds = time.time() - parsedate_to_datetime(answer.headers["Date"]).timestamp()
        return _content(answer)

    def _sent(self, method: str, path: str, body: object, key: str) -> BaseHTTPResponse:
        named = {"Sheaf-Project": self.project, "Idempotency-Key": key, "Authorization": f"Bearer {self.token}"}
        headers = {"Accept-Encoding": "gzip", **{name: value for name, value in named.items() if value}}
        return transport.sent(method, self.address + path, headers=headers, **({} if body is None else {"json": body}))


def announced(filename: str, content: bytes) -> shapes.NewFile:
    return {"filename": filename, "size": len(content), "sha256": hashlib.sha256(content).hexdigest()}


def send(form: shapes.UploadForm, content: bytes) -> None:
    """A file by its form: the fields as they were given, the file last. Raises Refused, Unreachable."""
    body, kind = urllib3.encode_multipart_formdata([*form["fields"].items(), ("file", ("paper", content))])
    headers = {"Content-Type": kind, "Content-Length": str(len(body))}
    # In pieces, each with the time-out of its own: as one, a slow line had ten seconds for all of it.
    answer = transport.sent("POST", form["url"], headers=headers, body=io.BytesIO(body))
    if answer.status >= HTTPStatus.MULTIPLE_CHOICES:
        raise Refused(f"The storage refused it: {_words(answer)}")


def save(export: shapes.Export, file: Path) -> None:
    """What was exported, as this file, which is there only when it is whole. Raises Unreachable."""
    answer = transport.sent("GET", export["url"] or "")
    size = len(answer.data)
    if answer.status != HTTPStatus.OK or size != export["bytes"]:
        raise Unreachable(f"{file} did not come whole ({size} of {export['bytes']} bytes): {_words(answer)}")
    part = file.with_name(f"{file.name}.part")
    part.write_bytes(answer.data)
    part.replace(file)


def new_key() -> str:
    return f"client-{secrets.token_hex(12)}"


def _content(answer: BaseHTTPResponse) -> Any:
    if answer.status == HTTPStatus.UNAUTHORIZED:
        raise SignedOut("Nobody is signed in, or the access token is over.")
    try:
        content = json.loads(answer.data)
        words = content.get("detail") or content.get("message")
    except (ValueError, AttributeError) as trouble:
        raise Unreachable(f"This is no API of Sheaf: it answers {answer.status} with {_words(answer)}") from trouble
    if answer.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        raise Unreachable(f"{words} ({answer.status})")
    if answer.status >= HTTPStatus.MULTIPLE_CHOICES:
        raise Refused(words)
    return content


def _words(answer: BaseHTTPResponse) -> str:
    return answer.data.decode(errors="replace")[:300]


def _path(*parts: str) -> str:
    return "/".join((parts[0], *(quote(part, safe="") for part in parts[1:])))
