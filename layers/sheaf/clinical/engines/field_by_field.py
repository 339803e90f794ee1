"""How a small model reads: one field at a time, over the passages that speak of it, until the checker takes an answer or keeps refusing."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from math import log
from typing import NamedTuple

from clinical import evidence
from clinical.answered import Answer, Value, is_found
from clinical.engines import prompts, reply_schema, splitting
from clinical.papers import Page, Paper
from clinical.templates import Field
from sheaf.model_calls.model_api import Request
from sheaf.plain_json import JsonObject

ROUNDS = 3  # of passages, the likeliest first
REFUSALS = 2
PIECE_CHARS = 600
SATURATION, LENGTH = 1.2, 0.75  # BM25's k1 and b
STEM = 6  # letters of a word that are compared: randomised, randomly
WORD, CHINESE = re.compile(r"[^\W_]{2,}"), re.compile(r"(?=([\u4e00-\u9fff]{2}))")
NOTHING: Answer = {"state": "not_found"}
UNSURE = {"judged", "words_not_in_quote", "cue_not_in_quote"}  # refusals that leave a reader something to look at
REFUSED = "The quote is not a sentence of the paper that says this value."
Ask = Callable[[Request], JsonObject | None]


class Reading(NamedTuple):
    """`ask` gives what a reply says, None where it is of no use."""

    ask: Ask
    paper: Paper
    pages: evidence.Pages
    output_tokens: int
    room: int

    def answers(self, fields: Sequence[Field]) -> dict[str, Answer]:
        """A field without a reply of any use is left out."""
        shelf = Shelf(self.paper, min(self.room, prompts.ROUND_CHARS))
        answered = ((field.name, self._answer(field, shelf)) for field in fields)
        return {name: answer for name, answer in answered if answer is not None}

    def _answer(self, field: Field, shelf: "Shelf") -> Answer | None:
        undecided: Answer | None = None
        states: list[str] = []
        for answer, value in self._said(field, shelf):
            if is_found(value):
                return answer
            states.append(value["state"])
            if value["state"] == "unsupported":
                undecided = (undecided or answer) if value.get("reason") in UNSURE else None
            if states.count("unsupported") == REFUSALS:
                break
        return undecided or (NOTHING if states else None)

    def _said(self, field: Field, shelf: "Shelf") -> Iterator[tuple[Answer, Value]]:
        """What the model says, and the checker of that: of the next passages, or of the same once more where it was refused."""
        for passages in shelf.rounds(field):
            asked: Request | None = prompts.question(field, passages, self.output_tokens)
            while asked and (content := self.ask(asked)) is not None:
                answer = reply_schema.answered(field, content)
                value = evidence.check(field, answer, self.pages)
                yield answer, value
                again = prompts.repair(asked, json.dumps(content, ensure_ascii=False), REFUSED)
                asked = again if value["state"] == "unsupported" else None


class Shelf:
    """A paper in passages, and those of them that speak of a field: ranked by BM25, the abstract before the first."""

    def __init__(self, paper: Paper, room: int) -> None:
        pages = splitting.body(paper)
        self.room = room
        self.whole = pages if sum(len(page.text) for page in pages) <= room else None
        self.head = [] if self.whole else splitting.abstract(paper, room // 2)
        said = "".join(page.text for page in self.head)
        self.pieces = [piece for piece in splitting.short(pages, PIECE_CHARS) if piece.text.strip() not in said]
        self.counts = [Counter(_terms(piece.text)) for piece in self.pieces]
        self.holding = Counter(term for counted in self.counts for term in counted)
        self.mean = sum(map(Counter.total, self.counts)) / max(1, len(self.counts))

    def rounds(self, field: Field) -> Iterator[list[Page]]:
        if self.whole:
            yield self.whole
            return
        wanted = {*_terms(" ".join((field.name, field.label, field.label_zh, field.description, *field.options)))}
        left = sorted(range(len(self.pieces)), key=lambda at: -self._score(at, wanted))
        for number in range(ROUNDS):
            head = self.head if number == 0 else []
            most = (self.room - sum(len(page.text) for page in head)) // PIECE_CHARS
            chosen, left = sorted(left[:most]), left[most:]
            if chosen or head:
                yield [*head, *_together([self.pieces[at] for at in chosen])]

    def _score(self, at: int, wanted: set[str]) -> float:
        counted, count = self.counts[at], len(self.counts)
        long = SATURATION * (1 - LENGTH + LENGTH * counted.total() / self.mean)
        rare = {term: log(1 + (count - self.holding[term] + 0.5) / (self.holding[term] + 0.5)) for term in wanted}
        return sum(rare[term] * counted[term] * (SATURATION + 1) / (counted[term] + long) for term in sorted(wanted))


def _terms(text: str) -> Iterator[str]:
    folded = text.casefold()
    yield from (word[:STEM] for word in WORD.findall(folded))
    yield from CHINESE.findall(folded)


def _together(pieces: Sequence[Page]) -> Iterator[Page]:
    for _, those in groupby(pieces, key=lambda page: page.number):
        first, *rest = those
        yield replace(first, text="\n[...]\n".join(each.text.strip() for each in (first, *rest)))
