"""The API over HTTP, as any client would call it."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Any

import urllib3

from local import LocalError, files
from local.client import people
from local.settings import HOME

TASKS = "/asl/extraction/tasks"


@dataclass
class Api:
    """One user's view of the API."""

    address: str
    token: str
    project: str | None = None
    """For a user who has several."""
    renew: Callable[[], str] | None = None
    """Another token when the time of this one is over, where there is somebody to ask."""

    def get(self, path: str) -> dict[str, Any]:
        """Raises LocalError."""
        return self._ask("GET", path, None)

    def post(self, path: str, body: object) -> dict[str, Any]:
        """Raises LocalError."""
        return self._ask("POST", path, json.dumps(body))

    def _ask(self, method: str, path: str, data: str | None) -> dict[str, Any]:
        answer = self._send(method, path, data)
        if answer.status == HTTPStatus.UNAUTHORIZED and self.renew is not None:
            self.token = self.renew()
            answer = self._send(method, path, data)
        if answer.status < HTTPStatus.MULTIPLE_CHOICES and "json" in answer.headers.get("Content-Type", ""):
            content: dict[str, Any] = answer.json()
            return content
        said = answer.data.decode(errors="replace")[:500]
        raise LocalError(f"{method} {self.address}{path}: {answer.status} {said}")

    def _send(self, method: str, path: str, data: str | None) -> urllib3.BaseHTTPResponse:
        project = {"Sheaf-Project": self.project} if self.project else {}
        kind = {"Content-Type": "application/json"} if data is not None else {}
        headers = {"Authorization": f"Bearer {self.token}", "Accept": "application/json", **project, **kind}
        return send(method, self.address + path, body=data, headers=headers, timeout=35)


def send(method: str, url: str, **more: Any) -> urllib3.BaseHTTPResponse:
    """One request, once, straight to where it goes, also where a proxy is configured. Raises LocalError."""
    try:
        return urllib3.request(method, url, retries=False, **more)
    except urllib3.exceptions.HTTPError as trouble:
        raise LocalError(f"{method} {url}: {trouble}") from trouble


def here(folder: Path = HOME) -> Api:
    """The demo user's view of the stack on this machine. Raises LocalError."""
    places = files.read(folder / "local.json")
    if not places:
        raise LocalError("The stack is not up. Start it with `make up`, or name a deployed one with API=.")
    return Api(places["api"], people.token(places), renew=lambda: people.token(places))
