"""One message of the intake's queue: claim the document, read its file once, keep the text, say what came of it.

As with rows: what is decided is decided on the document and never on the message, and every write after the claim
names the claim. `handle` says what becomes of the message.
"""

import hashlib
from contextlib import suppress
from dataclasses import replace
from typing import Any

from sheaf import objects
from sheaf.deliveries import Acknowledge, Answer, HideUntil, Message
from sheaf.errors import Permanent, Transient, Unavailable
from sheaf.library import documents, lifecycle, names, post, queries, recognition
from sheaf.library.lifecycle import Arrival, Why
from sheaf.library.models import Document, Usable
from sheaf.library.post import Word
from sheaf.needs import AsksRecognition, Aws, BatchAws, HasBucket, Objects, TimedAws
from sheaf.papers import Paper, Source, isolation
from sheaf.papers.errors import NeedsOcr, Unreadable
from sheaf.settings import IntakeSettings
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


Ended = Unreadable | NeedsOcr | Permanent | recognition.Waiting | Transient | Unavailable
"""What a reading may come to instead of a text; `_outcome` gives it, `_read` says what it means."""


def handle(world: World[IntakeSettings], message: Message, remaining_ms: int) -> Answer:
    """Read a message's documents, those that are to be read: what becomes of the message."""
    words = post.read(message.body)
    if words is None:
        say("message_unreadable", message_id=message.message_id)
        return Acknowledge()
    stop_at = world.now() + remaining_ms - STOP_BEFORE_MS
    try:
        answers = [_take(world, word, stop_at) for word in words]
    except Unavailable as error:
        say("aws_unavailable", message_id=message.message_id, reason=str(error))
        return HideUntil(world.now() + int(BUSY_SECONDS * 1000 * (1 + world.chance())))
    waits = [answer for answer in answers if isinstance(answer, HideUntil)]
    return min(waits, key=lambda answer: answer.instant, default=Acknowledge())


def _take(world: World[IntakeSettings], word: Word, stop_at: int) -> Answer:
    """Read one document, if it is to be read."""
    if not word.has_turn:
        post.send_on(world, word)
        return Acknowledge()
    arrival = _arrival(world, word)
    if arrival is None:
        return Acknowledge()
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
        return Acknowledge()
    return _read(world, claimed, stop_at)


def _arrival(world: Objects, word: Word) -> Arrival | None:
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


def _read(world: World[IntakeSettings], item: Document, stop_at: int) -> Answer:
    """Under a claim: read it, and write what came of it."""
    match _outcome(world, item, stop_at):
        case Unreadable() as error:
            return _ended(lifecycle.refuse(world, item, Why(error.reason, error.advice), world.now()), item)
        case NeedsOcr() | Permanent() as error:
            why = Why(error.message, PICTURES.advice) if isinstance(error, Permanent) else PICTURES
            return _ended(lifecycle.set_aside(world, item, why, world.now()), item)
        case recognition.Waiting() as waiting:
            return _wait(world, item, waiting)
        case Transient() | Unavailable() as failure:
            return _give_back(world, item, failure)
        case written:
            return _ended(written, item)


def _outcome(world: World[IntakeSettings], item: Document, stop_at: int) -> Document | Refused[Document] | Ended:
    """The document with its text; or why not, if that is known. Anything else is given back to the queue and raised."""
    try:
        with world.time_limit((stop_at - world.now()) / 1000):
            paper = _paper(world, item)
        return _finish(world, item, paper)
    except (Unreadable, NeedsOcr, Permanent, recognition.Waiting, Transient, Unavailable) as ended:
        return ended
    except BaseException:
        with suppress(Unavailable):
            _give_back(world, item, Transient("a defect of ours; the log of this time says which", "defect"))
        raise


def _paper(world: AsksRecognition, item: Document) -> Paper:
    """As it is read here, or as a server reads its pictures: then the file is not opened here a second time."""
    if item.recognition:
        return recognition.recognise(world, item, lambda: _content(world, item))
    content = _content(world, item)
    try:
        return isolation.read_apart(content, item.filename, walled=world.settings.reader_wall)
    except NeedsOcr:
        return recognition.recognise(world, item, lambda: content)


def try_reader(world: Aws[IntakeSettings]) -> None:
    """Read a line as files are read. Raises ReaderBroken where they cannot be: no wall can be put up, or there is no reader."""
    isolation.read_apart(b"A line.", "", walled=world.settings.reader_wall)


def _content(world: Objects, item: Document) -> bytes:
    """The bytes that arrived, if they are the ones that were announced."""
    try:
        content = objects.get(world, item.key, item.key_version)
    except objects.ObjectGone as error:
        raise Unreadable(GONE.reason, GONE.advice) from error
    if hashlib.sha256(content).hexdigest() != item.sha256:
        raise Unreadable(OTHER_BYTES.reason, OTHER_BYTES.advice)
    return content


def _finish(world: TimedAws[HasBucket], item: Document, paper: Paper) -> Document | Refused[Document]:
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
    return lifecycle.finish(world, item, usable, world.now())


def _wait(world: TimedAws[IntakeSettings], item: Document, waiting: recognition.Waiting) -> Answer:
    due = world.now() + int(waiting.seconds * 1000)
    written = lifecycle.release(
        world,
        item,
        not_before=due,
        max_tries=world.settings.intake_max_tries,
        recognition=waiting.known,
        now=world.now(),
    )
    return Acknowledge() if isinstance(written, Refused) else HideUntil(due + 1_000)


def _give_back(world: BatchAws[IntakeSettings], item: Document, failure: Transient | Unavailable) -> Answer:
    """Free after a while; the last try ends it."""
    seconds = BACKOFF_SECONDS * 2 ** (item.tries - 1) * (0.5 + world.chance() / 2)
    due = world.now() + int(seconds * 1000)
    written = lifecycle.release(
        world, item, not_before=due, max_tries=world.settings.intake_max_tries, recognition=None, now=world.now()
    )
    say("document_released", document=item.entry, attempt=item.attempt, tries=item.tries, reason=str(failure))
    if not isinstance(written, Refused):
        return HideUntil(due + 1_000)
    if lifecycle.holds(item, written.item):
        lifecycle.refuse(world, item, lifecycle.SPENT, world.now())
    return Acknowledge()


def _ended(written: Document | Refused[Document], item: Document) -> Answer:
    about: dict[str, Any] = {"document": item.entry, "attempt": item.attempt}
    if isinstance(written, Refused):
        say("lease_lost", **about)
    else:
        say("document_read", **about, status=written.state)
    return Acknowledge()
