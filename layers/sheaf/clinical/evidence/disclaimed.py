"""Whether a sentence denies a thing (within the clause), or says it of the future or another study; and who was masked. Pure."""

import re
from collections.abc import Iterator

from clinical.answered import Reason
from clinical.patterns import Pattern, one_may_be_in, words_of
from clinical.templates.choice_words import cues
from clinical.word_index import part

WORDS = words_of(__file__)
OTHERS, RETRACTION = WORDS.OTHERS, WORDS.RETRACTION
MASKED, DENIED, ASSESSING = WORDS.MASKED, WORDS.DENIED, WORDS.ASSESSING
Span = tuple[int, int]
MASKING, NEAR = 160, 60  # characters before the word for masking, and behind it, in which those are named who were
Role = tuple[str, int, int]
CLAUSE = 90  # characters before the words, and behind them, in which they are denied


def disclaimed(text: str, start: int, end: int) -> Reason | None:
    """Why text[start:end] is not said of this study: `denied`, `future` or `other_study`; None where it is."""
    return "denied" if is_denied(text, start, end) else not_ours(text, start, end)


def not_ours(text: str, start: int, end: int) -> Reason | None:
    """The same but for denials: `future` or `other_study`; by its sentence, where the text has several."""
    opened, stop = between(WORDS.STOP, text, start, end)
    text, start, end = part(text, opened, stop + 1), start - opened, end - opened
    first, last = next(each for each in clauses(text) if each[1] >= end or each[0] > start)
    clause = part(text, first, last)
    if WORDS.FUTURE.search(clause):
        return "future"
    is_another = WORDS.ANOTHER.search(text) and not WORDS.OURS.search(text)
    return "other_study" if is_another or _is_of_others(clause, start - first) else None


def between(stops: Pattern, text: str, start: int, end: int) -> Span:
    """From the last stop before a place to the first behind it."""
    before, behind = [found.end() for found in stops.finditer(text, 0, start)], stops.search(text, end)
    return before[-1] if before else 0, behind.start() if behind else len(text)


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


def masked(text: str) -> Iterator[Role]:
    """The roles that a sentence says were masked, and where; a clause that also denies it says nothing that can be told apart."""
    for first, last in clauses(text) if one_may_be_in((MASKED, WORDS.NEITHER), text) else ():
        yield from ((role, first + start, first + end) for role, start, end in _in_clause(text[first:last]))


def _in_clause(text: str) -> Iterator[Role]:
    neither = WORDS.NEITHER.search(text)
    if neither:
        roles = _named(neither["who"])
        yield from ((role, *neither.span()) for role in roles if len(roles) > 1)
        return
    match = None if DENIED.search(text) else MASKED.search(text)
    if match and not is_denied(text, *match.span()):
        yield from ((role, *match.span()) for role in _roles(text, match))


def _roles(text: str, match: re.Match[str]) -> list[str]:
    clause = WORDS.EXCEPTED.sub(" ", text[max(0, match.start() - MASKING) : match.end()].rsplit(";", 1)[-1])
    near = text[match.end() : match.end() + NEAR]
    roles = _named(f"{clause} {near if ' by ' in text[: match.start()] else ''}")
    assesses = ASSESSING.search(near)
    return list(dict.fromkeys("assessor" if role == "provider" and assesses else role for role in roles))


def _named(text: str) -> list[str]:
    return [role for role, patterns in cues("masked_roles").items() if any(each.search(text) for each in patterns)]
