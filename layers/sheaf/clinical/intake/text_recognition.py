"""Text recognition by a MinerU server: sent once, the work's name noted first; between looks nobody holds it."""

from collections.abc import Callable
from typing import Any, NoReturn

from clinical.library import document_lifecycle
from clinical.library.library_items import Document
from clinical.papers import Paper
from clinical.papers.recognition import mineru
from sheaf.errors import Permanent, SheafError, Transient, Unavailable
from sheaf.outside import provider_keys
from sheaf.outside.needs import AsksRecognition, TimedTables
from sheaf.outside.store import Refused

CALL_SECONDS, LOOK_SECONDS, LOOK_MAX_SECONDS = 30, 10, 300
PATIENCE_MS, SENT_AT_MOST, LEASE_LOST = 6 * 3600 * 1000, 3, "lease_lost"
PICTURES = (
    "There is no text in the file that can be read: its pages are pictures, or its fonts do not say their letters."
)


class Waiting(SheafError):
    """The server is at it: look again in so many seconds. `known` is what to remember until then."""

    def __init__(self, seconds: float, known: dict[str, Any]) -> None:
        super().__init__("waiting for text recognition")
        self.seconds = seconds
        self.known = known


def recognise(world: AsksRecognition, item: Document, content: Callable[[], bytes]) -> Paper:
    """Raises Waiting, Transient, Permanent. A server that does not answer uses up none of the document's tries."""
    if not world.settings.mineru_url:
        raise Permanent(PICTURES, "needs_ocr")
    known = {"since": world.now()} | dict(item.recognition or {})
    try:
        return _look(world, item, content, known)
    except Transient as failure:
        if failure.error_class == LEASE_LOST:
            raise
        _keep_patience(world, known)
        raise Waiting(LOOK_MAX_SECONDS, known) from failure


def _look(world: AsksRecognition, item: Document, content: Callable[[], bytes], known: dict[str, Any]) -> Paper:
    if not known.get("task"):
        _send(world, item, content, known)
    try:
        paper = _server(world, known["api"]).fetch(known["task"])
    except mineru.Lost:
        _send(world, item, content, known)
    if paper is not None:
        return paper
    _keep_patience(world, known)
    looks = known["looks"] + 1
    raise Waiting(min(LOOK_SECONDS * looks, LOOK_MAX_SECONDS), known | {"looks": looks})


def _keep_patience(world: TimedTables, known: dict[str, Any]) -> None:
    if world.now() - known["since"] > PATIENCE_MS:
        raise Permanent("The text recognition server did not finish it within hours.", "ocr_late")


def _send(world: AsksRecognition, item: Document, content: Callable[[], bytes], known: dict[str, Any]) -> NoReturn:
    sent = int(known.get("sent", 0)) + 1
    if sent > SENT_AT_MOST:
        raise Permanent("The text recognition server lost this file again and again.", "ocr_lost")
    server = _server(world, world.settings.mineru_api)
    if server.api == "auto":
        server = server._replace(api=mineru.which(server.url, server.send))
    task = server.submit(content(), item.filename)
    known = {"api": server.api, "task": task, "since": known["since"], "looks": 1, "sent": sent}
    if isinstance(document_lifecycle.note(world, item, known, world.now()), Refused):
        raise Transient("The document went to another reader meanwhile.", LEASE_LOST)
    raise Waiting(LOOK_SECONDS, known)


def _server(world: AsksRecognition, api: str) -> mineru.Server:
    settings = world.settings
    key = provider_keys.read(world, settings.mineru_key_secret) if settings.mineru_key_secret else ""

    def send(method: str, url: str, headers: dict[str, str], body: bytes | None) -> mineru.Reply:
        try:
            reply = world.ask(method, url, body, headers, CALL_SECONDS, mineru.ANSWER_MAX)
        except Unavailable as error:
            raise Transient("The text recognition server does not answer.", "ocr_unavailable") from error
        return mineru.Reply(reply.status, reply.body)

    return mineru.Server(settings.mineru_url.rstrip("/"), api, key, send)
