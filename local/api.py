"""The API over HTTP, as any client would call it."""

import json
import urllib.error
import urllib.request
from dataclasses import dataclass
from typing import Any

from local import LocalError


class ApiError(LocalError):
    """The API refused, or did not answer."""


@dataclass(frozen=True)
class Api:
    """One user's view of the API."""

    address: str
    token: str
    project: str | None = None
    """For a user who has several."""

    def get(self, path: str) -> dict[str, Any]:
        """Raises ApiError."""
        return self._send(urllib.request.Request(self.address + path, headers=self._headers()))  # noqa: S310 - ours

    def post(self, path: str, body: object) -> dict[str, Any]:
        """Raises ApiError."""
        headers = self._headers() | {"Content-Type": "application/json"}
        data = json.dumps(body).encode()
        return self._send(urllib.request.Request(self.address + path, data, headers, method="POST"))  # noqa: S310 - ours

    def _headers(self) -> dict[str, str]:
        project = {"Sheaf-Project": self.project} if self.project else {}
        return {"Authorization": f"Bearer {self.token}", "Accept": "application/json", **project}

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
            raise ApiError(message) from refusal
        except (urllib.error.URLError, OSError, ValueError) as trouble:
            message = f"{request.get_method()} {request.full_url}: {trouble}"
            raise ApiError(message) from trouble
