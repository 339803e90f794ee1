"""What a rule answers: a value with its quote cut from the page as it stands, or nothing, or that signs contradict. Pure."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, groupby, takewhile
from typing import Any, NamedTuple, TypeAlias

from clinical import answered
from clinical.evidence.cues import find
from clinical.patterns import one_may_be_in, words_of
from clinical.rules.text import Reading, Sentence, once
from clinical.templates.choice_words import Cues

Answer: TypeAlias = answered.Answer
WORDS = words_of(__file__)
BULLET = re.compile(r"\W{0,2}[•●▪‣–-] ?|\(?(?:\d{1,2}|[ivx]{1,4}|[a-j])[.)] ")
CELL = re.compile(r"(?:^|\|)\s*+(?P<said>(?:[^|]*[^|\s])?+)\s*+(?=\||$)")
HEADING_MAX = 70
QUOTE_MAX = 500  # characters; a longer sentence is cut around what was found in it


class Spot(NamedTuple):
    sentence: Sentence
    start: int
    end: int

    @classmethod
    def of(cls, sentence: Sentence, match: re.Match[str], group: str | int = 0) -> "Spot":
        return cls(sentence, match.start(group), match.end(group))

    @property
    def text(self) -> str:
        return self.sentence.text[self.start : self.end]


Row = tuple[Spot, ...]  # the cells of a table's line; one with nothing in it has no letters


class Found(NamedTuple):
    value: Any
    spot: Spot


def said(sentences: Iterable[Sentence], name: str, cues: Cues) -> Iterator[Found]:
    patterns = frozenset(chain.from_iterable(cues.values()))
    for sentence in sentences:
        for cue in find(name, sentence.text, cues) if one_may_be_in(patterns, sentence.text) else ():
            if cue.why_not is None:
                yield Found(cue.option, Spot(sentence, cue.start, cue.end))


def whole(sentence: Sentence) -> Spot:
    return Spot(sentence, 0, len(sentence.text))


def not_found() -> Answer:
    return _absent("not_found")


def unclear() -> Answer:
    """Signs that contradict each other and are no two values: the rule abstains, and nothing is found."""
    return _absent("contradictory")


def contradictory(reading: Reading, found: Sequence[Found]) -> Answer:
    each = [reported(reading, one.value, one.spot) for one in distinct(found, repr)]
    return {**_absent("contradictory"), "evidence": each}


def reported(reading: Reading, value: Any, spot: Spot) -> Answer:
    return {"value": value, "state": "found", **quoted(reading, spot)}


def listed(reading: Reading, found: Sequence[Found]) -> Answer:
    if not found:
        return not_found()
    evidence = [quoted(reading, each.spot) for each in found]
    return {"value": [each.value for each in found], "state": "found", **evidence[0], "evidence": evidence}


def tabled(reading: Reading, found: Sequence[Found]) -> Answer:
    if not found:
        return not_found()
    items = [{**each.value, **quoted(reading, each.spot)} for each in found]
    return {"value": items, "state": "found", **quoted(reading, found[0].spot)}


def agreed(reading: Reading, found: Sequence[Found]) -> Answer:
    """The one value that all signs agree on; contradictory where they do not."""
    if not found:
        return not_found()
    if any(each.value != found[0].value for each in found):
        return contradictory(reading, found)
    return reported(reading, found[0].value, found[0].spot)


def prevailing(reading: Reading, found: Sequence[Found]) -> Answer:
    """The one number said; of several, one that is said more often than all the others together."""
    if not found:
        return not_found()
    votes = Counter(number for number, _ in {(each.value, id(each.spot.sentence)) for each in found})
    most, count = votes.most_common(1)[0]
    if count <= sum(votes.values()) - count:
        return contradictory(reading, found)
    return reported(reading, most, next(each.spot for each in found if each.value == most))


def first(reading: Reading, found: Sequence[Found]) -> Answer:
    return reported(reading, found[0].value, found[0].spot) if found else not_found()


def first_place(places: Iterable[Iterable[Found]]) -> list[Found]:
    return next(filter(None, map(list, places)), [])


def early(found: Sequence[Found]) -> Sequence[Found]:
    """Those before the paper's body; all of them where none is there."""
    return [each for each in found if each.spot.sentence.is_early] or found


def distinct(found: Iterable[Found], named: Callable[[Any], str] = str) -> list[Found]:
    seen: dict[str, Found] = {}
    for each in found:
        seen.setdefault(named(each.value), each)
    return list(seen.values())


def is_heading(sentence: Sentence) -> bool:
    return len(sentence.text) <= HEADING_MAX and not sentence.text.endswith((".", "!", "?", "。", ")", '"'))


def items_below(following: Sequence[Sentence]) -> Iterator[Spot]:
    items = list(takewhile(lambda each: BULLET.match(each.text), following))
    for item in items or [each for each in following[:1] if not is_heading(each)]:
        mark = BULLET.match(item.text)
        yield Spot(item, mark.end() if mark else 0, len(item.text))


@once
def tables(reading: Reading) -> tuple[tuple[Row, ...], ...]:
    """The tables of methods and results, each as its lines; a line of text between two ends the first."""
    lines = groupby(reading.within("methods", "results", "other"), key=lambda each: "|" in each.text)
    return tuple(tuple(map(_cells, rows)) for barred, rows in lines if barred)


def _cells(line: Sentence) -> Row:
    return tuple(Spot.of(line, cell, "said") for cell in CELL.finditer(line.text))


def best(reading: Reading, sentences: Iterable[Sentence], worth: Callable[[Sentence], tuple[float, ...]]) -> Answer:
    most = max(sentences, key=worth, default=None)
    return in_words(reading, whole(most)) if most else not_found()


def in_full(reading: Reading, sentence: Sentence) -> Answer:
    spot = whole(sentence)
    return reported(reading, printed(reading, spot), spot)


def in_words(reading: Reading, spot: Spot) -> Answer:
    answer = reported(reading, None, spot)
    said = WORDS.LABEL.sub("", printed(reading, spot))
    return {**answer, "value": said if len(said) <= QUOTE_MAX else " ".join(str(answer["quote"]).split())}


def quoted(reading: Reading, spot: Spot) -> Answer:
    sentence = spot.sentence
    start, end = 0, len(sentence.text)
    if end > QUOTE_MAX:
        room = max(0, QUOTE_MAX - (spot.end - spot.start)) // 2
        start, end = _in_whole_words(sentence.text, spot, room)
    number, first, said = reading.printed(sentence, start, end)
    first, quote = first + len(said) - len(said.lstrip()), said.strip()
    return {"quote": quote, "page": reading.paper.pages[number].number, "start": first, "end": first + len(quote)}


def _in_whole_words(text: str, spot: Spot, room: int) -> tuple[int, int]:
    first, last = max(0, spot.start - room), min(len(text), spot.end + room)
    before, behind = text[first : spot.start], text[spot.end : last]
    if first > 0 and text[first - 1] != " ":
        before = before.partition(" ")[2]
    if last < len(text) and text[last] != " ":
        behind = behind.rpartition(" ")[0]
    return spot.start - len(before), spot.end + len(behind)


def printed(reading: Reading, spot: Spot) -> str:
    return " ".join(reading.printed(spot.sentence, spot.start, spot.end)[2].split())


def _absent(state: str) -> Answer:
    return {"value": None, "state": state, "quote": None, "page": None, "start": None, "end": None}
