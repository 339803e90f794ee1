"""One message of the intake's queue: claim the document, read its file once, keep the text, say what came of it.

As with rows: what is decided is decided on the document and never on the message, and every write after the claim
names the claim. `handle` says whether the message stays in the queue.
"""

import hashlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from sheaf import objects
from sheaf.errors import Permanent, SheafError, Transient, Unavailable
from sheaf.library import documents, lifecycle, names, post, queries, recognition
from sheaf.library.lifecycle import Arrival, State, Why
from sheaf.library.models import Document, Usable
from sheaf.library.post import Word
from sheaf.papers import Paper, Source, isolation
from sheaf.papers.errors import NeedsOcr, Unreadable
from sheaf.store import Refused
from sheaf.telemetry import say
from sheaf.wiring import World

STOP_BEFORE_MS = 15_000
BACKOFF_SECONDS = 20
BUSY_SECONDS = 30

OTHER_BYTES = Why("The bytes that arrived are not the ones that were announced.", "Upload the file again.")
GONE = Why("The file is gone from storage.", "Upload it again.")
PICTURES = Why(
    "There is no text in the file that can be read: its pages are pictures, or its fonts do not say their letters.",
    "Run text recognition (OCR) over it and upload the result, or have the operator connect a MinerU server.",
)


class _Outcome(SheafError):
    """The reading came to an end that is no text; `state` and `why` say which."""

    def __init__(self, state: State, why: Why) -> None:
        super().__init__(why.reason)
        self.state = state
        self.why = why


@dataclass(frozen=True)
class Message:
    """One record of the queue's event."""

    body: str
    receipt: str
    message_id: str


def handle(world: World[Any], message: Message, remaining_ms: int) -> bool:
    """True when the message must stay in the queue, hidden until its document is due; False to acknowledge it."""
    words = post.read(message.body)
    if words is None:
        say("message_unreadable", message_id=message.message_id)
        return False
    stop_at = world.now() + remaining_ms - STOP_BEFORE_MS
    try:
        waits = [seconds for word in words if (seconds := _take(world, word, stop_at)) is not None]
    except Unavailable as error:
        say("aws_unavailable", message_id=message.message_id, reason=str(error))
        waits = [BUSY_SECONDS * (1 + world.chance())]
    if not waits:
        return False
    post.hide(world, message.receipt, min(waits))
    return True


def _take(world: World[Any], word: Word, stop_at: int) -> float | None:
    """Read one document, if it is to be read. The seconds after which to look again; None when it is done with."""
    if not word.has_turn:
        post.send_on(world, word)
        return None
    arrival = _arrival(world, word)
    if arrival is None:
        return None
    settings = world.settings
    lease_until = stop_at + STOP_BEFORE_MS + settings.lease_slack_seconds * 1000
    claimed = lifecycle.claim(
        world,
        arrival,
        token=world.token(),
        lease_until=lease_until,
        max_tries=settings.intake_max_tries,
        now=world.now(),
    )
    if isinstance(claimed, Refused):
        # Read already, being read, or not wanted any more. Should its reader die, the sweep sends a message.
        return None
    return _read(world, claimed, stop_at)


def _arrival(world: World[Any], word: Word) -> Arrival | None:
    """The object to read: of our own messages, the one that there is; of S3's notices, its newest version.

    Notices come late, twice and in any order: whichever comes, it is the last upload that counts.
    """
    if word.key is not None:
        key, version = word.key, objects.latest(world, word.key)
    else:
        seen = queries.document(world, word.project, word.document)
        if seen is None:
            return None
        key, version = seen.key, seen.key_version or objects.latest(world, seen.key)
    return None if version is None else Arrival(word.project, word.document, key, version or None)


def _read(world: World[Any], item: Document, stop_at: int) -> float | None:
    """Under a claim. Whatever is not a known failure is given back to the queue and raised."""
    settled = False
    try:
        with world.time_limit((stop_at - world.now()) / 1000):
            paper = _paper(world, item)
        _finish(world, item, paper)
        settled = True
    except _Outcome as outcome:
        settled = True
        verb = lifecycle.set_aside if outcome.state == State.NEEDS_OCR else lifecycle.refuse
        _say(verb(world, item, outcome.why, world.now()), item)
    except recognition.Waiting as waiting:
        settled = True
        return _wait(world, item, waiting)
    except (Transient, Unavailable) as failure:
        settled = True
        return _give_back(world, item, failure)
    finally:
        if not settled:
            with suppress(Unavailable):
                _give_back(world, item, Transient("a defect of ours; the log of this time says which", "defect"))
    return None


def _paper(world: World[Any], item: Document) -> Paper:
    if item.recognition:
        return _recognised(world, item, lambda: _content(world, item))
    content = _content(world, item)
    try:
        return isolation.read_apart(content, item.filename, walled=world.settings.reader_wall)
    except Unreadable as error:
        raise _Outcome(State.UNREADABLE, Why(error.reason, error.advice)) from error
    except NeedsOcr:
        return _recognised(world, item, lambda: content)


def _recognised(world: World[Any], item: Document, content: Callable[[], bytes]) -> Paper:
    """What a server makes of pictures of pages; the file is not opened here a second time."""
    try:
        paper = recognition.recognise(world, item, content)
    except Permanent as failure:
        raise _Outcome(State.NEEDS_OCR, Why(failure.message, PICTURES.advice)) from failure
    if paper is None:
        raise _Outcome(State.NEEDS_OCR, PICTURES)
    return paper


def try_reader(world: World[Any]) -> None:
    """Read a line as files are read. Raises ReaderBroken where they cannot be: no wall can be put up, or there is no reader."""
    isolation.read_apart(b"A line.", "", walled=world.settings.reader_wall)


def _content(world: World[Any], item: Document) -> bytes:
    """The bytes that arrived, if they are the ones that were announced."""
    try:
        content = objects.get(world, item.key, item.key_version)
    except objects.ObjectGone as error:
        raise _Outcome(State.UNREADABLE, GONE) from error
    if hashlib.sha256(content).hexdigest() != item.sha256:
        raise _Outcome(State.UNREADABLE, OTHER_BYTES)
    return content


def _finish(world: World[Any], item: Document, paper: Paper) -> None:
    """The text first, under a key that holds the attempt; then the write that points at it."""
    source = Source(item.key, item.key_version, item.sha256, item.filename, item.content_type)
    text = replace(paper, source=source).to_bytes()
    key = names.text_key(item.project, item.document, item.sha256, item.attempt)
    version = objects.put(world, key, text)
    usable = Usable(
        key=item.key,
        version=item.key_version,
        sha256=item.sha256,
        size=item.size,
        filename=item.filename,
        content_type=item.content_type,
        text_key=key,
        text_version=version,
        text_sha256=hashlib.sha256(text).hexdigest(),
        pages=len(paper.pages),
        text_bytes=len(text),
        **documents.shown_details(paper.details),
    )
    _say(lifecycle.finish(world, item, usable, world.now()), item)


def _wait(world: World[Any], item: Document, waiting: recognition.Waiting) -> float | None:
    due = world.now() + int(waiting.seconds * 1000)
    written = lifecycle.release(
        world,
        item,
        not_before=due,
        max_tries=world.settings.intake_max_tries,
        recognition=waiting.known,
        now=world.now(),
    )
    return None if isinstance(written, Refused) else waiting.seconds + 1


def _give_back(world: World[Any], item: Document, failure: Transient | Unavailable) -> float | None:
    """Free after a while, if a try is left."""
    seconds = BACKOFF_SECONDS * 2 ** (item.tries - 1) * (0.5 + world.chance() / 2)
    due = world.now() + int(seconds * 1000)
    written = lifecycle.release(
        world, item, not_before=due, max_tries=world.settings.intake_max_tries, recognition=None, now=world.now()
    )
    say("document_released", document=item.entry, attempt=item.attempt, tries=item.tries, reason=str(failure))
    if isinstance(written, Refused):
        if lifecycle.holds(item, written.item):
            lifecycle.refuse(world, item, lifecycle.SPENT, world.now())
        return None
    return float(seconds + 1)


def _say(written: Document | Refused[Document], item: Document) -> None:
    lost = isinstance(written, Refused)
    say(
        "lease_lost" if lost else "document_read",
        document=item.entry,
        attempt=item.attempt,
        status=None if isinstance(written, Refused) else written.state,
    )
