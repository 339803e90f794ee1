"""Who did not know the allocation, by a sentence: the one reader of it, for evidence and rules. Pure."""

import re
from collections.abc import Iterator

from clinical.evidence.disclaimed import clauses, is_denied
from clinical.patterns import any_case
from clinical.templates.choice_words import cues

MASKED = any_case(
    r"\b(?:(?:were|was|are|is|be|been|being|remained?|kept|all|both|and) (?:also |all |both |completely |fully |therefore )?(?:blind(?:ed)?|masked|unaware|not aware|uninformed)|blinded to|masked to|blind to|unaware of|(?:did|do) not know|without knowledge of)\b|\b(?:blind|mask)ing (?:of|for) [\w ,]{3,60}? (?:was|were) (?:achieved|maintained|ensured|preserved)\b|设盲(?:对象[为是:：][^。；;]{0,40})?|(?:处于)?盲态|不知(?:晓|道|情)|不了解分组"
)
NEITHER = any_case(
    r"\bneither\b(?P<who>[^.;]{3,80}\bnor\b[^.;]{3,80}?)\b(?:knew|(?:was|were) (?:aware|informed)|had (?:any )?knowledge)\b"
)
ASSESSING = any_case(
    r"\b(?:will |then |independently )?(?:review|assess|evaluat|adjudicat|rated|scor|interpret|read|measur)"
)
DENIED = any_case(
    r"\b(?:not|never|nor|neither|impossible|unblinded|could not|cannot|un-?masked|no blinding|feasible|until|unblind)\b(?:(?!, and )[^.;]){0,60}(?:blind|mask)|(?:blind|mask)\w{0,20}+[^.;]{0,50}\b(?:not (?:possible|feasible|guaranteed|maintained|achieved)|impossible)|\bunblinded\b|\bnot (?:be )?(?:blind|mask)ed"
    r"|(?<!not )(?<!un)\baware of\b|\bknew\b"
)
EXCEPTED = any_case(
    r"\b(?:but|except(?:ing)?(?: for)?|other than|apart from|save) (?:for )?(?:the )?[\w ,]{3,60}?(?= (?:was|were|are|is)\b)"
)
CLAUSE, NEAR = 160, 60
Role = tuple[str, int, int]


def masked(text: str) -> Iterator[Role]:
    """The roles that a sentence says were masked, and where; a clause that also denies it says nothing that can be told apart."""
    for first, last in clauses(text):
        yield from ((role, first + start, first + end) for role, start, end in _in_clause(text[first:last]))


def _in_clause(text: str) -> Iterator[Role]:
    neither = NEITHER.search(text)
    if neither:
        roles = _named(neither["who"])
        yield from ((role, *neither.span()) for role in roles if len(roles) > 1)
        return
    match = None if DENIED.search(text) else MASKED.search(text)
    if match and not is_denied(text, *match.span()):
        yield from ((role, *match.span()) for role in _masked(text, match))


def _masked(text: str, match: re.Match[str]) -> list[str]:
    clause = EXCEPTED.sub(" ", text[max(0, match.start() - CLAUSE) : match.end()].rsplit(";", 1)[-1])
    near = text[match.end() : match.end() + NEAR]
    roles = _named(f"{clause} {near if ' by ' in text[: match.start()] else ''}")
    assesses = ASSESSING.search(near)
    return list(dict.fromkeys("assessor" if role == "provider" and assesses else role for role in roles))


def _named(text: str) -> list[str]:
    return [
        role for role, patterns in cues("masked_roles").items() if any(pattern.search(text) for pattern in patterns)
    ]
