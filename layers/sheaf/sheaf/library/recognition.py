"""Text recognition of pages that are pictures, where a server for it is configured."""

from typing import Any

from sheaf.errors import SheafError
from sheaf.library.models import Document
from sheaf.papers import Paper
from sheaf.wiring import World


class Waiting(SheafError):
    """The server is at it: look again in so many seconds. `known` is what to remember until then."""

    def __init__(self, seconds: float, known: dict[str, Any]) -> None:
        super().__init__("waiting for text recognition")
        self.seconds = seconds
        self.known = known


def recognise(_world: World[Any], _item: Document, _content: bytes) -> Paper | None:
    """The paper as the server reads it; None where there is no server. Raises Waiting, Transient."""
    return None
