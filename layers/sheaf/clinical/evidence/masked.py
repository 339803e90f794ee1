"""Who did not know the allocation, by a sentence: the one reader of it, for evidence and rules. Pure."""

import re
from collections.abc import Iterator

from clinical.evidence.disclaimed import clauses, is_denied
from clinical.patterns import one_may_be_in, words_of
from clinical.templates.choice_words import cues

WORDS = words_of(__file__)
MASKED, DENIED, ASSESSING = WORDS.MASKED, WORDS.DENIED, WORDS.ASSESSING
CLAUSE, NEAR = 160, 60
Role = tuple[str, int, int]


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
        yield from ((role, *match.span()) for role in _masked(text, match))


def _masked(text: str, match: re.Match[str]) -> list[str]:
    clause = WORDS.EXCEPTED.sub(" ", text[max(0, match.start() - CLAUSE) : match.end()].rsplit(";", 1)[-1])
    near = text[match.end() : match.end() + NEAR]
    roles = _named(f"{clause} {near if ' by ' in text[: match.start()] else ''}")
    assesses = ASSESSING.search(near)
    return list(dict.fromkeys("assessor" if role == "provider" and assesses else role for role in roles))


def _named(text: str) -> list[str]:
    return [role for role, patterns in cues("masked_roles").items() if any(each.search(text) for each in patterns)]
