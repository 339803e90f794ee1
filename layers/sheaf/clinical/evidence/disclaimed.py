"""Whether a sentence denies a thing (within the clause), or says it of the future or another study. Pure."""

from collections.abc import Iterator

from clinical.answered import Reason
from clinical.patterns import words_of
from clinical.word_index import part

WORDS = words_of(__file__)
OTHERS, RETRACTION = WORDS.OTHERS, WORDS.RETRACTION
Span = tuple[int, int]
CLAUSE = 90  # characters before the words, and behind them, in which they are denied


def disclaimed(text: str, start: int, end: int) -> Reason | None:
    """Why text[start:end] is not said of this study: `denied`, `future` or `other_study`; None where it is."""
    return "denied" if is_denied(text, start, end) else not_ours(text, start, end)


def not_ours(text: str, start: int, end: int) -> Reason | None:
    """The same but for denials: `future` or `other_study`; by its sentence, where the text has several."""
    opened = max((found.end() for found in WORDS.STOP.finditer(text, 0, start)), default=0)
    stop = WORDS.STOP.search(text, end)
    text, start, end = part(text, opened, stop.start() + 1 if stop else None), start - opened, end - opened
    first, last = next(each for each in clauses(text) if each[1] >= end or each[0] > start)
    clause = part(text, first, last)
    if WORDS.FUTURE.search(clause):
        return "future"
    is_another = WORDS.ANOTHER.search(text) and not WORDS.OURS.search(text)
    return "other_study" if is_another or _is_of_others(clause, start - first) else None


def is_denied(text: str, start: int, end: int) -> bool:
    before, after = part(text, max(0, start - CLAUSE), start), text[end : end + CLAUSE]
    return bool(WORDS.BEFORE.search(before) or WORDS.AFTER.match(after))


def _is_of_others(clause: str, at: int) -> bool:
    others = [found.start() for found in WORDS.OTHERS.finditer(clause)]
    ours = [found.span() for found in WORDS.OURS.finditer(clause)] if others else []
    theirs = [place for place in others if not any(first <= place < last for first, last in ours)]
    far = at + len(clause)
    return min([far, *(abs(at - place) for place in theirs)]) < min([far, *(abs(at - first) for first, _ in ours)])


def clauses(text: str) -> Iterator[Span]:
    ends = [found.span() for found in WORDS.BREAK.finditer(text)]
    yield from zip([0, *(last for _, last in ends)], [*(first for first, _ in ends), len(text)], strict=True)
