"""A MinerU server, which reads pictures of pages: its three shapes behind `submit` and `fetch`.

Self-hosted 4.0 (`/v1/tasks`) or 3.x (`/tasks`), or the cloud (`/api/v4`). Nothing it says is trusted.
"""

import json
import re
from collections.abc import Callable
from typing import Any, NamedTuple, cast
from urllib.parse import urlsplit

from urllib3 import encode_multipart_formdata  # boto3 brings it, in the runtime too

from clinical.papers import Paper
from clinical.papers.recognition import recognised
from sheaf.errors import Permanent, Transient
from sheaf.plain_json import Json

ANSWER_MAX = 64_000_000
OK, ACCEPTED, GONE, CONFLICT, ERRORS, SERVER_ERRORS = 200, 202, 404, 409, 400, 500
BUSY, KEYLESS = {408, 425, 429}, {401, 403}
UNREAD = "The text recognition server could not read this file."
NONE: dict[str, str] = {}
FORMS: dict[str, tuple[str, dict[str, str]]] = {
    "v4": ("/v1/tasks?ocr_mode=ocr&output_formats=markdown&output_formats=structured_content", {}),
    "v3": ("/tasks", {"parse_method": "ocr", "return_md": "true", "return_content_list": "true", "lang_list": "ch"}),
}
"""Where a self-hosted server takes a file, and the fields beside it. The tier is 4.0's own choice: it would refuse another."""
NUMBER = re.compile(r"\d*|0x[0-9a-f]*")  # the last part of a host that is a machine's address, in any way of writing it


class Reply(NamedTuple):
    status: int
    content: bytes

    def json(self) -> Json:
        try:
            return cast("Json", json.loads(self.content))
        except (ValueError, RecursionError) as error:
            raise Transient("The text recognition server's answer is not JSON.", "ocr_unavailable") from error


Send = Callable[[str, str, dict[str, str], bytes | None], Reply]  # raises Transient where the server does not answer


class Lost(Transient, error_class="ocr_lost"):
    """The server does not know the work any more: it was restarted, or it is long ago. It has to be sent again."""


class Server(NamedTuple):
    url: str
    api: str
    key: str
    send: Send

    def submit(self, content: bytes, filename: str) -> str:
        """Send the file; the name of the work. Raises Transient, Permanent."""
        if self.api not in FORMS:
            return self._submit_to_cloud(content, filename)
        path, fields = FORMS[self.api]
        name = re.sub(r"[^\w.() -]", "_", filename)[-100:]
        body, kind = encode_multipart_formdata({**fields, "files": (name, content, "application/pdf")})
        reply = self._ask("POST", self.url + path, {"Content-Type": kind}, body)
        return _safe(_dict(reply.json()).get("task_id"))

    def fetch(self, task: str) -> Paper | None:
        """The text; None while the server is at it. Raises Lost, Transient, Permanent."""
        fetching = {"v4": self._fetch_v4, "v3": self._fetch_v3}
        return fetching.get(self.api, self._fetch_from_cloud)(task)

    def _fetch_v4(self, task: str) -> Paper | None:
        reply = self._ask("GET", f"{self.url}/v1/tasks/{task}").json()
        if str(_dict(reply).get("status")) not in {"completed", "partial", "failed", "canceled"}:
            return None
        if (result := self._result(f"{self.url}/v1/tasks/{task}/result")) is None:
            return None
        files = result.get("files")
        file = _dict(files[0]) if isinstance(files, list) and files else {}
        if file.get("status") in {"failed", "canceled"} or not file.get("content"):
            raise Permanent(UNREAD, "ocr_failed")
        content = _dict(file["content"])
        return recognised.paper(content.get("structured_content"), content.get("markdown"))

    def _fetch_v3(self, task: str) -> Paper | None:
        if (result := self._result(f"{self.url}/tasks/{task}/result")) is None:
            return None
        file = _dict(next(iter(_dict(result.get("results")).values()), {}))
        return recognised.paper(file.get("content_list"), file.get("md_content"))

    def _result(self, address: str) -> dict[str, Any] | None:
        reply = self._ask("GET", address, also=CONFLICT)
        if reply.status == CONFLICT:
            raise Permanent(UNREAD, "ocr_failed")
        return None if reply.status == ACCEPTED else _dict(reply.json())

    def _submit_to_cloud(self, content: bytes, filename: str) -> str:
        """An address to put the file at, and the name of its batch; the work begins by itself once the file is there."""
        body = json.dumps({"files": [{"name": filename, "is_ocr": True}], "language": "ch"}).encode()
        headers = {"Content-Type": "application/json"}
        reply = _dict(self._ask("POST", f"{self.url}/api/v4/file-urls/batch", headers, body).json())
        data = _dict(reply.get("data"))
        places = data.get("file_urls")
        if not (isinstance(places, list) and places and isinstance(data.get("batch_id"), str)):
            raise Transient("The text recognition service gave no place to upload to.", "ocr_unavailable")
        put = self.send("PUT", self._elsewhere(places[0]), {}, content)
        if put.status >= ERRORS:
            raise Transient(f"The text recognition service refused the file: {put.status}.", "ocr_unavailable")
        return _safe(data["batch_id"])

    def _fetch_from_cloud(self, task: str) -> Paper | None:
        reply = _dict(self._ask("GET", f"{self.url}/api/v4/extract-results/batch/{task}").json())
        found = _dict(reply.get("data")).get("extract_result")
        result = _dict(found[0]) if isinstance(found, list) and found else {}
        if result.get("state") == "failed":
            raise Permanent("The text recognition service could not read this file.", "ocr_failed")
        if result.get("state") != "done":
            return None
        archive = self.send("GET", self._elsewhere(result.get("full_zip_url")), {}, None)
        if archive.status != OK:
            raise Transient("The text recognition service's result could not be fetched.", "ocr_unavailable")
        return recognised.from_zip(archive.content)

    def _elsewhere(self, address: Json) -> str:
        """An address that the service names: as safe a scheme as its own, and a name, not a number. Raises Permanent."""
        asked, ours = urlsplit(address if isinstance(address, str) else ""), urlsplit(self.url)
        host = asked.hostname or ":"
        is_number = ":" in host or NUMBER.fullmatch(host.rstrip(".").rpartition(".")[2])
        if asked.scheme != ours.scheme or (is_number and asked.hostname != ours.hostname):
            raise Permanent("The text recognition service named an address that is not gone to.", "ocr_refused")
        return asked.geturl()

    def _ask(
        self, method: str, address: str, headers: dict[str, str] = NONE, body: bytes | None = None, *, also: int = OK
    ) -> Reply:
        signed = {"Authorization": f"Bearer {self.key}"} if self.key else {}
        reply = self.send(method, address, {**signed, **headers}, body)
        if reply.status == also or reply.status < ERRORS:
            return reply
        if reply.status == GONE:
            raise Lost("The text recognition server does not know this work any more.")
        if reply.status in BUSY or reply.status >= SERVER_ERRORS:
            raise Transient(f"The text recognition server is busy: {reply.status}.", "ocr_unavailable")
        if reply.status in KEYLESS:
            raise Permanent("The text recognition server refused the operator's key.", "ocr_refused")
        raise Permanent(f"The text recognition server refused this file: {reply.status}.", "ocr_refused")


def which(url: str, send: Send) -> str:
    """The shape of a self-hosted server, asked of itself. Raises Transient where it answers to neither."""
    for api, path in (("v4", "/v1/health"), ("v3", "/health")):
        if send("GET", url + path, {}, None).status == OK:
            return api
    raise Transient("No text recognition server of a known kind answers there.", "ocr_unavailable")


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _safe(name: Json) -> str:
    if isinstance(name, str) and re.fullmatch(r"[\w.-]{1,200}", name):
        return name
    raise Transient("The text recognition server gave its work no name.", "ocr_unavailable")
