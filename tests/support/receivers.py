"""Receivers of notices in this process: where their names lead, what they answer, what they were sent."""

import json
from typing import Any, NamedTuple

from sheaf.errors import Unavailable
from sheaf.outside.http_request import Answered, Ask

PUBLIC = "93.184.216.34"
URL = "https://hooks.example.org/sheaf"


class Sent(NamedTuple):
    """One request as it came."""

    url: str
    address: str
    headers: dict[str, str]
    body: bytes

    @property
    def said(self) -> Any:
        return json.loads(self.body)


class Receivers:
    """All of the network. `answers` are given one a request, the last one from then on."""

    def __init__(self) -> None:
        self.names: dict[str, list[str]] = {"hooks.example.org": [PUBLIC]}
        self.answers: list[int | Exception] = [204]
        self.sent: list[Sent] = []

    def resolve(self, host: str, _port: int) -> list[str]:
        if host not in self.names:
            raise Unavailable("resolve: gaierror")
        return self.names[host]

    def at(self, address: str) -> Ask:
        def ask(_method: str, url: str, body: bytes | None, headers: dict[str, str], *_bounds: float) -> Answered:
            self.sent.append(Sent(url, address, headers, body or b""))
            answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
            if isinstance(answer, Exception):
                raise answer
            return Answered(answer, {}, b"what a receiver says is read by nobody")

        return ask
