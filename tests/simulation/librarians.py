"""People who bring papers: they announce, upload (late, twice, never, other bytes), replace, delete, have read again."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from clinical.library import file_names
from clinical.library.library_items import KnowledgeBase, base_key, bases_list
from tests.simulation import forms
from tests.simulation.items import val
from tests.simulation.kernel import T0
from tests.simulation.parsing import COSTLY, PICTURES

PROJECT, BASE = "p1", "u"
BASES = "/api/v1/pkb/knowledge-bases"
DOCUMENTS = "/api/v1/pkb/documents"
REFUSED = b"GIF8 is a picture, and no paper "
AGAIN_AT_MOST = 5


@dataclass
class Copy:
    """One version of one paper, as somebody has it on a disk."""

    filename: str
    content: bytes
    content_is: str

    @property
    def told(self) -> dict[str, Any]:
        sha256 = hashlib.sha256(self.content).hexdigest()
        return {"filename": self.filename, "size": len(self.content), "sha256": sha256}


class Librarians:
    """Everybody who keeps this world's library."""

    def __init__(self, simulation: Any) -> None:
        self.sim = simulation
        self.rng = simulation.rng
        self.copies: dict[str, Copy] = {}
        """By the hash of their bytes."""
        self.made = 0
        self.unheard_of = b""

    def begin(self) -> None:
        """Files in the first half of the time, some of them two at once; and what people do with them afterwards."""
        shape, kernel = self.sim.shape, self.sim.kernel
        self._stock()
        if shape.story:
            self._tell()
            return
        left = shape.uploads
        while left > 0:
            together = min(left, self.rng.choice([1, 1, 2, 3]))
            left -= together
            copies = [self._copy() for _ in range(together)]
            kernel.at(T0 + self.rng.randint(0, shape.quiet_ms // 2), self._announce, copies)
        self._meddle()

    def _stock(self) -> None:
        """An empty knowledge base."""
        base = KnowledgeBase(
            entry=base_key(PROJECT, BASE)["entry"], listed_in=bases_list(PROJECT), created_at=T0, knowledge_base=BASE,
            name="Uploads", first_name="Uploads", opening="opening",
        ).serialize()  # fmt: skip
        table = self.sim.dynamo.tables["library"]
        table.set(table.key(base), base, T0)

    def _tell(self) -> None:
        """Three papers, of one of which no notice comes; one is replaced, one read again, one deleted; a task over them."""
        kinds = iter(("text", "text", "pictures"))
        first = [self._copy(next(kinds)) for _ in range(3)]
        ids = [file_names.document_id(PROJECT, BASE, str(copy.told["sha256"])) for copy in first]
        self.unheard_of = first[1].content
        for at, act in (
            (0, lambda: self._announce(first)),
            (9_000, lambda: self._replace(ids[0])),
            (25_000, lambda: self._reread(ids[2])),
            (30_000, lambda: self._replace(ids[0])),
            (36_000, self._open_task),
            (40_000, self._list),
            (200_000, lambda: self._delete(ids[1])),
        ):
            self.sim.kernel.at(T0 + at, act)

    def _meddle(self) -> None:
        rng, quiet = self.rng, self.sim.shape.quiet_ms
        for act, rate in (
            (lambda: self._replace(self._some()), 0.6),
            (lambda: self._reread(self._some()), 0.5),
            (lambda: self._delete(self._some()), 0.35),
            (self._repeat, 0.5),
            (self._open_task, 0.7),
            (self._delete_base, 0.08),
            (self._list, 0.5),
        ):
            for _ in range(rng.choice([1, 1, 2, 3]) if rng.random() < rate else 0):
                self.sim.kernel.at(T0 + rng.randint(0, quiet), act)

    # ------------------------------------------------------------------ files

    def _copy(self, content_is: str | None = None) -> Copy:
        self.made += 1
        chosen = content_is or self.rng.choices(["text", "pictures", "refused", "costly"], [8, 1, 1, 0.5])[0]
        head = {"text": b"", "pictures": PICTURES, "refused": REFUSED, "costly": COSTLY}[chosen]
        content = head + f"canary paper {self.made} of seed {self.sim.seed}.\n\fIts second page.".encode()
        copy = Copy(f"canary-{self.made}.txt", content, chosen)
        self.copies[str(copy.told["sha256"])] = copy
        return copy

    def _announce(self, copies: list[Copy], times: int = 1) -> None:
        body = {"files": [copy.told for copy in copies]}

        def answered(status: int | None, answer: Any) -> None:
            if status == 201:
                for told in answer["uploads"]:
                    self._upload(told)
            elif (status is None or status >= 500) and times < AGAIN_AT_MOST:
                self._later(self.rng.randint(500, 20_000), self._announce, copies, times + 1)

        self.sim.users.http("POST", f"{PROJECT}/{BASE}/documents", answered, body, at=BASES)

    def _upload(self, told: dict[str, Any]) -> None:
        """Use the form: at once or at its last moment, mostly once, mostly with the bytes that were announced."""
        form = told["upload"]
        if form is None:
            return
        rng, form_ms = self.rng, self.sim.shape.form_s * 1000
        if not self.sim.shape.story and rng.random() < 0.08:
            return  # the lid was closed
        newest = told["document"]["replacement"] or told["document"]
        content = self.copies[newest["sha256"]].content
        if not self.sim.shape.story and rng.random() < 0.08:
            self._later(rng.randint(100, 5_000), self._put, form, bytes(reversed(content)))
        delay = rng.randint(form_ms * 8 // 10, form_ms * 95 // 100) if rng.random() < 0.1 else rng.randint(200, 8_000)
        for _ in range(2 if rng.random() < 0.25 else 1):
            self._later(delay + rng.randint(0, 3_000), self._put, form, content)

    def _put(self, form: dict[str, Any], content: bytes) -> None:
        # S3 would refuse other bytes; here they come through, so that the intake's own look at them is tried too.
        if not forms.takes(form, content, self.sim.kernel.now, hashes=False):
            return
        told = content != self.unheard_of
        self.sim.uploaded(form["fields"]["key"], content, form["fields"]["Content-Type"], told=told)

    # ------------------------------------------------------------------ documents

    def _replace(self, document: str | None, times: int = 1, copy: Copy | None = None) -> None:
        if document is None or self.sim.quiet:
            return
        newer = copy or self._copy()

        def answered(status: int | None, answer: Any) -> None:
            if status == 201:
                self._upload(answer)
            elif (status is None or status >= 500) and times < AGAIN_AT_MOST:
                self._later(self.rng.randint(500, 20_000), self._replace, document, times + 1, newer)

        self.sim.users.http("POST", f"{PROJECT}/{document}/versions", answered, newer.told, at=DOCUMENTS)

    def _reread(self, document: str | None) -> None:
        if document is not None and not self.sim.quiet:
            self.sim.users.http("POST", f"{PROJECT}/{document}/reread", lambda *_: None, at=DOCUMENTS)

    def _delete(self, document: str | None) -> None:
        if document is not None and not self.sim.quiet:
            self.sim.users.http("DELETE", f"{PROJECT}/{document}", lambda *_: None, at=DOCUMENTS)
            self._regret(self._restore, document)

    def _delete_base(self) -> None:
        if not self.sim.quiet:
            self.sim.users.http("DELETE", f"{PROJECT}/{BASE}", lambda *_: None, at=BASES)
            self._regret(self._restore_base)

    def _regret(self, act: Callable[..., None], *arguments: Any) -> None:
        """Undo it: at once, while the deletion is still being answered, or after minutes; sometimes twice."""
        if self.sim.shape.story or self.rng.random() < 0.4:
            return
        for _ in range(self.rng.choice([1, 1, 2])):
            self._later(self.rng.choice([200, 2_000, 20_000, 180_000]), act, *arguments)

    def _restore(self, document: str) -> None:
        if not self.sim.quiet:
            self.sim.users.http("POST", f"{PROJECT}/{document}/restore", lambda *_: None, at=DOCUMENTS)

    def _restore_base(self) -> None:
        if not self.sim.quiet:
            self.sim.users.http("POST", f"{PROJECT}/{BASE}/restore", lambda *_: None, at=BASES)

    def _repeat(self) -> None:
        """The same bytes announced once more."""
        if self.copies and not self.sim.quiet:
            self._announce([self.rng.choice(list(self.copies.values()))])

    def _list(self) -> None:
        self.sim.users.http("GET", f"{PROJECT}/{BASE}/documents", lambda *_: None, at=BASES)

    def _open_task(self) -> None:
        """A task over what is there; what is not ready is an error at once."""
        there = [val(item, "document") for item in self.sim.documents() if val(item, "state") != "deleted"]
        if there:
            self.sim.users._ask(
                {"templateId": "rct", "documentIds": sorted(there), "kind": "probe", "key": None, "project": PROJECT,
                 "onNotReady": "error"}
            )  # fmt: skip

    def _some(self) -> str | None:
        there = [val(item, "document") for item in self.sim.documents()]
        return self.rng.choice(there) if there else None

    def _later(self, milliseconds: int, act: Callable[..., None], *arguments: Any) -> None:
        self.sim.users.later(milliseconds, act, *arguments)


def notice(key: str, version: str) -> str:
    """What S3 tells the intake's queue of an object, as far as it is read."""
    record = {"eventName": "ObjectCreated:Post", "s3": {"object": {"key": key, "versionId": version}}}
    return json.dumps({"Records": [record]})
