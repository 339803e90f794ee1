"""The API over HTTP, as any client would call it."""

import json
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from local import LocalError


class ApiError(LocalError):
    """The API refused, or did not answer; `status` where it answered."""

    def __init__(self, message: str, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


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
        """Raises ApiError."""
        return self._ask("GET", path, None)

    def post(self, path: str, body: object) -> dict[str, Any]:
        """Raises ApiError."""
        return self._ask("POST", path, json.dumps(body).encode())

    def _ask(self, method: str, path: str, data: bytes | None) -> dict[str, Any]:
        try:
            return self._send(self._request(method, path, data))
        except ApiError as error:
            if error.status != HTTPStatus.UNAUTHORIZED or self.renew is None:
                raise
        self.token = self.renew()
        return self._send(self._request(method, path, data))

    def _request(self, method: str, path: str, data: bytes | None) -> urllib.request.Request:
        project = {"Sheaf-Project": self.project} if self.project else {}
        kind = {"Content-Type": "application/json"} if data is not None else {}
        headers = {"Authorization": f"Bearer {self.token}", "Accept": "application/json", **project, **kind}
        return urllib.request.Request(self.address + path, data, headers, method=method)  # noqa: S310 - ours

    def _send(self, request: urllib.request.Request) -> dict[str, Any]:
        # Straight to the loopback, also where a proxy is configured.
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(request, timeout=35) as answer:
                content: dict[str, Any] = json.load(answer)
                return content
        except urllib.error.HTTPError as refusal:
            with refusal:
                said = refusal.read().decode(errors="replace")
            message = f"{request.get_method()} {request.full_url}: {refusal.code} {said[:500]}"
            raise ApiError(message, refusal.code) from refusal
        except (urllib.error.URLError, OSError, ValueError) as trouble:
            message = f"{request.get_method()} {request.full_url}: {trouble}"
            raise ApiError(message) from trouble
