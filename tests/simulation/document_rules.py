"""Rules of documents: every write of one, every reading of a file, every text that is stored."""

import hashlib
import json
from dataclasses import dataclass
from typing import Any

from tests.simulation.items import val
from tests.simulation.librarians import PROJECT

UNDER_WAY = {"uploading", "reading"}
EDGES = {
    "api": {
        (None, "uploading"), ("uploading", "uploading"), ("unreadable", "uploading"), ("ready", "uploading"),
        ("needs_ocr", "uploading"), ("needs_ocr", "reading"), ("unreadable", "reading"),
    },
    "intake": {
        ("uploading", "reading"), ("reading", "reading"), ("unreadable", "reading"), ("reading", "ready"),
        ("reading", "needs_ocr"), ("reading", "unreadable"),
    },
    "aggregator": {("uploading", "uploading"), ("reading", "reading"), ("uploading", "unreadable"), ("reading", "unreadable")},
}  # fmt: skip
BURIES = {"api", "aggregator"}
CALLS = {
    ("dynamodb", "get_item"), ("dynamodb", "update_item"), ("s3", "get_object"), ("s3", "head_object"), ("s3", "put_object"),
    ("sqs", "change_message_visibility"), ("sqs", "send_message_batch"),
}  # fmt: skip
AGAIN_MAX_MS = 3_600_000
UPLOAD_SLACK_MS = 600_000
LOOK_AFTER_MS = 120_000
LEASE_SLACK_MS = 60_000
MOST_TRIES = 3
HEAD_MS = 150_000
"""From a sweep's look at S3 to its write, the slowest call and the clocks' difference included."""
NEVER_CAME, OTHER_BYTES, GONE, SPENT = (
    "The file never",
    "The bytes that arrived",
    "The file is gone",
    "Reading it failed again",
)
MADE_OF = {"text": "ready", "pictures": "needs_ocr", "refused": "unreadable", "costly": "unreadable"}


@dataclass
class Reading:
    """One file read once."""

    document: str
    version: str | None
    opening: str
    process: Any
    outcome: str | None = None


class DocumentRules:
    """Mixed into Invariants."""

    sim: Any
    skew: int
    violate: Any

    def prepare_documents(self) -> None:
        self.readings: dict[str, list[Reading]] = {}
        self.readers: dict[str, Any] = {}
        self.written_at: dict[str, int] = {}
        self.buried: dict[str, str] = {}
        """The state that each deleted document was in."""
        self.texts: dict[str, tuple[Any, bytes]] = {}

    # ------------------------------------------------------------------ who may do what

    def intake_may(self, ctx: Any, service: str, operation: str, arguments: dict[str, Any]) -> None:
        """What its role allows it: its own document, its file, its text, its message."""
        place = arguments.get("TableName") or arguments.get("Key") or arguments.get("QueueUrl")
        fits = {"get_object": "documents/", "head_object": "documents/", "put_object": "texts/"}.get(operation, "")
        known = {"dynamodb": place == "library", "s3": str(place).startswith(fits), "sqs": place == "intake"}
        if (service, operation) not in CALLS or not known[service]:
            self.violate("I6", f"{ctx.name} calls {service}.{operation} on {place}")
        if operation == "put_object":
            self._text_stored(ctx, arguments["Key"], bytes(arguments["Body"]))

    def _text_stored(self, ctx: Any, key: str, content: bytes) -> None:
        writer, text = self.texts.setdefault(key, (ctx, content))
        if writer is not ctx or text != content:
            self.violate("D4", f"{ctx.name} stores a text at {key}, where {writer.name} has stored one")

    # ------------------------------------------------------------------ documents

    def document_written(self, entry: str, before: Any, after: Any, ctx: Any) -> None:
        name = f"document {entry} by {ctx.name}"
        old, new = val(before, "state"), val(after, "state")
        self.written_at[entry] = self.sim.kernel.now
        if after is None:
            if ctx.function != "janitor" or old != "deleted":
                self.violate("D1", f"{name}: erased while it is {old}")
            return
        buried = new == "deleted" and old not in (None, "deleted") and ctx.function in BURIES
        restored = old == "deleted" and new != "deleted" and ctx.function in BURIES
        if buried:
            self.buried[entry] = old
        if restored and new != self.buried.pop(entry, None):
            self.violate("D1", f"{name}: brought back as {new}, which it was not")
        if not buried and not restored and (old, new) not in EDGES.get(ctx.function, ()):
            self.violate("D1", f"{name}: {old} -> {new}")
        self._in_the_index(name, after, new)
        if before is None or buried:
            return
        self._tried(name, before, after, ctx, old, new)
        if ctx.function == "intake":
            self._intake_wrote(name, entry, before, after, ctx, old, new)
        elif ctx.function == "aggregator" and not restored:
            self._swept(name, before, after, old, new)
        if old == "reading" and (new != "reading" or "token" not in after):
            self.readers.pop(entry, None)

    def _in_the_index(self, name: str, after: Any, new: str) -> None:
        """Under way and to be looked at, within an hour; or at rest, and in nobody's way."""
        due = val(after, "due_at")
        if (new in UNDER_WAY) != ("active" in after and due is not None):
            self.violate("D5", f"{name}: {new}, and {'in' if due else 'not in'} the index of what is due")
        elif due is not None:
            latest = max(val(after, "lease_until") or 0, self.sim.kernel.now) + AGAIN_MAX_MS + LOOK_AFTER_MS + self.skew
            if due > latest:
                self.violate("D5", f"{name}: to be looked at {due - latest} ms too late")

    def _tried(self, name: str, before: Any, after: Any, ctx: Any, old: str, new: str) -> None:
        claim = (
            ctx.function == "intake"
            and new == "reading"
            and val(after, "token") != val(before, "token")
            and "token" in after
        )
        rise = val(after, "attempt") - val(before, "attempt")
        if rise != int(claim):
            self.violate("D1", f"{name}: {old} -> {new} moved attempt by {rise}")
        if claim and val(before, "tries") >= MOST_TRIES:
            self.violate("D6", f"{name}: claimed for the {val(after, 'tries')}. time")
        if claim and self.sim.s3.find(val(after, "key"), val(after, "key_version")) is None:
            self.violate("D6", f"{name}: claimed for an object that is not its own")
        if claim and old == "unreadable" and val(before, "key_version") == val(after, "key_version"):
            self.violate("D6", f"{name}: read again though nothing else came")
        if before.get("usable") != after.get("usable") and new != "ready":
            self.violate("D3", f"{name}: what is usable changed as it became {new}")

    # ------------------------------------------------------------------ the intake

    def _intake_wrote(self, name: str, entry: str, before: Any, after: Any, ctx: Any, old: str, new: str) -> None:
        if new == "reading" and "token" in after and before.get("token") != after.get("token"):
            self._claimed_document(name, entry, before, after, ctx, old)
            return
        if val(before, "token") not in ctx.tokens or self.readers.get(entry) is not ctx:
            self.violate("D2", f"{name}: {old} -> {new} over the claim {val(before, 'token')}")
        if new == "ready":
            self.check_usable(name, after)
        elif new == "needs_ocr" and self._outcome(ctx) != "pictures":
            self.violate("D6", f"{name}: set aside after {self._outcome(ctx)}")
        elif new == "unreadable":
            self._refused_document(name, before, after, ctx)
        elif new == "reading":
            ctx.gave_back = True

    def _claimed_document(self, name: str, entry: str, before: Any, after: Any, ctx: Any, old: str) -> None:
        now, lease = self.sim.kernel.now, val(before, "lease_until")
        if val(after, "token") not in ctx.tokens:
            self.violate("D2", f"{name}: claimed under a token that is not its own")
        if old == "reading" and lease is not None and lease >= now + self.skew:
            self.violate("D2", f"{name}: taken from a lease that has {lease - now} ms to go")
        holder = self.readers.get(entry)
        alive = holder and not (holder.dead or holder.done or holder.zombie)
        if alive and holder is not ctx and not self.sim.swarm.wild_clocks:
            self.violate("D2", f"{name}: taken from {holder.name}, which is alive")
        if val(after, "lease_until") < ctx.deadline + LEASE_SLACK_MS - self.skew:
            self.violate("D2", f"{name}: its lease ends before the function's time and slack")
        self.readers[entry] = ctx
        ctx.reads, ctx.reads_attempt = entry, val(after, "attempt")

    def _refused_document(self, name: str, before: Any, after: Any, ctx: Any) -> None:
        """Unreadable, and truly for the reason that a person is told."""
        why = val(after, "reason")
        file = self.sim.s3.find(val(before, "key"), val(before, "key_version"))
        arrived = file is not None and file.content is not None
        if why.startswith(SPENT):
            true = val(before, "tries") >= MOST_TRIES
        elif why.startswith(GONE):
            true = not arrived
        elif why.startswith(OTHER_BYTES):
            true = arrived and hashlib.sha256(file.content).hexdigest() != val(before, "sha256")
        else:
            true = self._outcome(ctx) == "unreadable"
        if not true:
            self.violate("D6", f"{name}: unreadable because {why!r}, after {self._outcome(ctx)}")

    def _outcome(self, ctx: Any) -> str | None:
        mine = [found for found in self.readings.get(ctx.reads or "", []) if found.process is ctx]
        return mine[-1].outcome if mine else None

    def check_usable(self, name: str, item: Any) -> None:
        """The text that tasks take is stored, is the one whose hash is written down, and was made of the bytes announced."""
        told = json.loads(val(item, "usable"))
        text, file = (
            self.sim.s3.find(told["text_key"], told["text_version"]),
            self.sim.s3.find(told["key"], told["version"]),
        )
        if text is None or text.content is None or hashlib.sha256(text.content).hexdigest() != told["text_sha256"]:
            self.violate("D3", f"{name}: its text is not stored, or is not the one whose hash it names")
            return
        source = json.loads(text.content)["source"]
        if file is None or file.content is None or hashlib.sha256(file.content).hexdigest() != told["sha256"]:
            self.violate("D3", f"{name}: made of other bytes than were announced")
            return
        if (source["key"], source["version"], source["sha256"]) != (told["key"], told["version"], told["sha256"]):
            self.violate("D3", f"{name}: its text is of {source}")
        elif file.content.decode().partition("\n")[0] not in json.loads(text.content)["pages"][0]["text"]:
            self.violate("D3", f"{name}: its text does not say what the file says")

    # ------------------------------------------------------------------ the sweep

    def _swept(self, name: str, before: Any, after: Any, old: str, new: str) -> None:
        now = self.sim.kernel.now
        if new != "unreadable":
            return
        if old == "reading":
            if (val(before, "lease_until") or 0) >= now + self.skew or val(before, "tries") < MOST_TRIES:
                self.violate("D6", f"{name}: given up at try {val(before, 'tries')}")
            return
        file = self.sim.s3.find(val(before, "key"))
        if file is not None and file.content is not None and file.at < now - HEAD_MS - self.skew:
            self.violate("D6", f"{name}: {val(after, 'reason')!r} It came {now - file.at} ms ago")
        if now < val(before, "upload_until") + UPLOAD_SLACK_MS - self.skew - 1_000:
            self.violate("D6", f"{name}: given up while its form is good")

    # ------------------------------------------------------------------ readings and messages

    def reading_started(self, ctx: Any, content: bytes) -> Reading:
        """A file is opened."""
        now = self.sim.kernel.now
        item = self.sim.dynamo.tables["library"].get((ctx.reads,))
        name = f"{ctx.name} reads {ctx.reads}"
        wild = self.sim.swarm.wild_clocks
        held = val(item, "state") == "reading" and val(item, "token") in ctx.tokens
        if not (ctx.zombie or wild or self._buried(item)) and not (
            held and val(item, "lease_until") >= now - self.skew
        ):
            self.violate("D2", f"{name}: outside a live lease ({val(item, 'state')})")
        before = self.readings.setdefault(ctx.reads, [])
        reading = Reading(ctx.reads, val(item, "key_version"), val(item, "opening"), ctx)
        for other in before:
            alive = not (other.process.dead or other.process.zombie or other.process.done)
            if other.outcome is None and alive and not (ctx.zombie or wild):
                self.violate("D2", f"{name}: while {other.process.name} reads it")
        last = before[-1] if before else None
        if last and (last.version, last.opening) == (reading.version, reading.opening) and not (wild or ctx.zombie):
            settled = last.outcome in ("text", "pictures", "unreadable")
            if settled and not (last.process.faulted or last.process.zombie):
                self.violate("C1", f"{name}: {last.process.name} had read it ({last.outcome}) and nothing failed since")
        before.append(reading)
        return reading

    def _buried(self, item: Any) -> bool:
        return item is None or val(item, "state") == "deleted"

    def upload_answered(self, ctx: Any, record: Any, kept: bool) -> None:
        """A message of the intake: kept only while there is something to come back for."""
        item = self.sim.dynamo.tables["library"].get((ctx.reads,)) if ctx.reads else None
        if val(item, "state") == "reading" and val(item, "token") in ctx.tokens and not ctx.errors and not kept:
            self.violate("S13", f"{ctx.name} leaves {ctx.reads} reading under its own claim")
        if kept and not (ctx.gave_back or ctx.faulted or ctx.zombie):
            self.violate("S13", f"{ctx.name} keeps {record['body']} though nothing is to come")

    # ------------------------------------------------------------------ in time, and at the end

    def documents_wait(self, since: int) -> None:
        """What is due is looked at."""
        for item in self.sim.documents():
            due = val(item, "due_at")
            written_at = self.written_at.get(item["entry"]["S"], 0)
            if due is not None and max(due, written_at, self.sim.quiet_since) < since:
                self.violate(
                    "L2",
                    f"document {item['entry']['S']}: {val(item, 'state')}, was to be looked at {self.sim.kernel.now - due} ms ago",
                )

    def documents_at_the_end(self) -> None:
        """Every document that was announced has come to its end, and to the right one."""
        for item in self.sim.documents():
            name, state = f"document {item['entry']['S']} at the end", val(item, "state")
            if state in UNDER_WAY:
                self.violate("D7", f"{name}: {state}")
            if "usable" in item and state != "deleted":
                self.check_usable(name, item)
            if state not in UNDER_WAY | {"deleted"}:
                self._ended_rightly(name, item, state)
            self._follows_its_base(name, item, state)

    def _follows_its_base(self, name: str, item: Any, state: str) -> None:
        """What went with a knowledge base is back where that was brought back."""
        base = self.sim.dynamo.tables["library"].get((f"{PROJECT}/kb/{val(item, 'knowledge_base')}",))
        if base is not None and "deleted_at" not in base and (val(item, "list") or "").endswith("/gone"):
            self.violate("D7", f"{name}: {state}, and its knowledge base was brought back")

    def _ended_rightly(self, name: str, item: Any, state: str) -> None:
        """What its bytes make of it, where they came and were read; otherwise a reason that is true."""
        why, copy = val(item, "reason") or "", self.sim.librarians.copies[val(item, "sha256")]
        came = self.sim.s3.find(val(item, "key"))
        if why.startswith(NEVER_CAME):
            if came is not None and came.content is not None:
                self.violate("D7", f"{name}: {why!r}, and it is there")
        elif not why.startswith((SPENT, OTHER_BYTES, GONE)) and state != MADE_OF[copy.content_is]:
            self.violate("D7", f"{name}: {state}, of a file that is {copy.content_is}")
        if why.startswith(SPENT) and self.sim.swarm.calm and set(self.sim.swarm.readings) <= {"ok", "slow"}:
            self.violate("D7", f"{name}: {why!r}, and nothing failed")

    def library_after_the_janitor(self) -> None:
        """What is usable, or pinned by a task that is there, is stored still; of what is deleted nothing is left."""
        for item in self.sim.documents():
            if "usable" in item and val(item, "state") != "deleted":
                self.check_usable(f"document {item['entry']['S']} after the janitor", item)
        for row in self.sim.dynamo.tables["results"].items():
            pinned = (val(row, "pinned_key"), val(row, "pinned_version"))
            if pinned[0] and pinned[0].startswith(f"texts/{PROJECT}/") and self.sim.s3.find(*pinned) is None:
                self.violate("T6", f"row {row['shard']['S']}#{val(row, 'row')}: its document's text is gone")
