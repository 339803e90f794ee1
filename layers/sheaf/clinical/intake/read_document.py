"""One message of the intake's queue: claim the document, read its file once, keep the text, say what came of it."""

import hashlib
from dataclasses import asdict, replace
from typing import Any

from clinical.intake import intake_queue, text_recognition
from clinical.library import document_lifecycle, documents, downloads, file_names, library_queries
from clinical.library.document_lifecycle import Why
from clinical.library.library_items import Document, Usable
from clinical.papers import Paper, read_paper
from sheaf.apart.reader_errors import NeedsOcr, Unreadable
from sheaf.errors import Permanent, Transient, Unavailable
from sheaf.logs import say
from sheaf.outside import objects
from sheaf.outside.deliveries import Acknowledge, Answer, HideUntil, Message, broken_off
from sheaf.outside.needs import AsksRecognition, Aws, BatchAws, HasBucket, Objects, TimedAws
from sheaf.outside.store import Refused
from sheaf.outside.wiring import World
from sheaf.protocol.leases import Bid, Due
from sheaf.settings import IntakeSettings

STOP_BEFORE_MS, BACKOFF_SECONDS = 15_000, 20

RECOGNISE = "Run text recognition (OCR) over it and upload the result, or have the operator connect a MinerU server."


def handle(world: World[IntakeSettings], message: Message, remaining_ms: int) -> Answer:
    """Read a message's documents, those that are to be read: what becomes of the message. Raises Defect, Unavailable."""
    words = intake_queue.read(message.body)
    if words is None:
        say("message_unreadable", message_id=message.message_id)
        return Acknowledge()
    stop_at = world.now() + remaining_ms - STOP_BEFORE_MS
    answers = [_take(world, word, stop_at) for word in words]
    waits = [answer for answer in answers if isinstance(answer, HideUntil)]
    return min(waits, key=lambda answer: answer.instant, default=Acknowledge())


def _take(world: World[IntakeSettings], word: intake_queue.Word, stop_at: int) -> Answer:
    if not word.has_turn:
        intake_queue.send(world, [word])
        return Acknowledge()
    seen = library_queries.document(world, word.project, word.document)
    if seen is None:
        return Acknowledge()
    # Notices come late, twice and in any order, and it is the last upload that counts.
    newest = objects.latest(world, seen.key)
    version = seen.key_version if newest is None else newest
    if version is None:
        return Acknowledge()
    lease_until = stop_at + STOP_BEFORE_MS + world.settings.lease_slack_seconds * 1000
    bid = Bid(world.token(), lease_until, world.settings.intake_max_tries, world.now())
    claimed = document_lifecycle.claim(world, seen, version or None, bid)
    if isinstance(claimed, Refused):
        # Read already, being read, or not wanted any more. Should its reader die, the sweep sends a message.
        return Acknowledge()
    return _read(world, claimed, stop_at)


def _read(world: World[IntakeSettings], item: Document, stop_at: int) -> Answer:
    try:
        with world.time_limit((stop_at - world.now()) / 1000):
            paper = _paper(world, item)
        written = _finish(world, item, paper)
    except Unreadable as error:
        written = document_lifecycle.refuse(world, item, Why(error.reason, error.advice), world.now())
    except Permanent as error:
        written = document_lifecycle.set_aside(world, item, Why(error.message, RECOGNISE), world.now())
    except text_recognition.Waiting as waiting:
        # Waiting for a server uses up no try.
        due = Due(world.now() + int(waiting.seconds * 1000), max_tries=None)
        written = document_lifecycle.release(world, item, due, world.now(), waiting.known)
        return Acknowledge() if isinstance(written, Refused) else HideUntil(due.at + 1_000)
    except (Transient, Unavailable) as failure:
        return _give_back(world, item, failure)
    except BaseException as error:
        raise broken_off(lambda defect: _give_back(world, item, defect)) from error
    return _ended(written, item)


def _paper(world: AsksRecognition, item: Document) -> Paper:
    """As it is read here, or as a server reads its pictures: then the file is not opened here a second time."""
    if item.recognition:
        return text_recognition.recognise(world, item, lambda: _content(world, item))
    content = _content(world, item)
    try:
        return read_paper.read_apart(content, item.filename, walled=world.settings.reader_wall)
    except NeedsOcr:
        return text_recognition.recognise(world, item, lambda: content)


def try_reader(world: Aws[IntakeSettings]) -> None:
    """Read a line as files are read. Raises ReaderBroken where they cannot be: no wall can be put up, or there is no reader."""
    read_paper.read_apart(b"A line.", "", walled=world.settings.reader_wall)


def _content(world: Objects, item: Document) -> bytes:
    try:
        content = objects.get(world, item.key, item.key_version)
    except objects.ObjectGone as error:
        raise Unreadable("The file is gone from storage.", "Upload it again.") from error
    if hashlib.sha256(content).hexdigest() != item.sha256:
        raise Unreadable("The bytes that arrived are not the ones that were announced.", "Upload the file again.")
    return content


def _finish(world: TimedAws[HasBucket], item: Document, paper: Paper) -> document_lifecycle.Written:
    """The text first, under a key that holds the attempt; then the write that points at it."""
    source = downloads.arrived(item)
    text = replace(paper, source=source).to_bytes()
    key = file_names.text_key(item.project, item.document, item.sha256, item.attempt)
    version = objects.put(world, key, text)
    about: Any = {"text_sha256": hashlib.sha256(text).hexdigest(), "text_bytes": len(text), "pages": len(paper.pages)}
    about |= documents.shown_details(paper.details)
    usable = Usable(**asdict(source), size=item.size, text_key=key, text_version=version, **about)
    return document_lifecycle.finish(world, item, usable, world.now())


def _give_back(world: BatchAws[IntakeSettings], item: Document, failure: Transient | Unavailable) -> Answer:
    seconds = BACKOFF_SECONDS * 2 ** (item.tries - 1) * (0.5 + world.chance() / 2)
    due = Due(world.now() + int(seconds * 1000), world.settings.intake_max_tries)
    written = document_lifecycle.release(world, item, due, world.now())
    say("document_released", document=item.entry, attempt=item.attempt, tries=item.tries, reason=str(failure))
    if not isinstance(written, Refused):
        return HideUntil(due.at + 1_000)
    if document_lifecycle.LEASES.holds(item, written.item):
        document_lifecycle.refuse(world, item, document_lifecycle.SPENT, world.now())
    return Acknowledge()


def _ended(written: document_lifecycle.Written, item: Document) -> Answer:
    about: dict[str, Any] = {"document": item.entry, "attempt": item.attempt}
    if isinstance(written, Refused):
        say("lease_lost", **about)
    else:
        say("document_read", **about, status=written.state)
    return Acknowledge()
