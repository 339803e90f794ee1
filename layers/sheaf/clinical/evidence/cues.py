"""A choice or a flag needs its cue: the words by which a paper says it, not denied, and said of this study. Pure."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from clinical.answered import Reason
from clinical.evidence.disclaimed import disclaimed, is_denied, masked
from clinical.evidence.letters import FLAT
from clinical.patterns import Pattern, one_may_be_in
from clinical.templates import choice_words
from clinical.templates.choice_words import Cues, Words
from clinical.templates.fields import Field, OwnCues

ANSWER = re.compile(r"[A-Za-z]{1,2}|yes|no|是|否", re.I)  # answers a question and stands for no words: `PY`, `b`
SENTENCE = re.compile(r"(?<=[.!?])(?<!\bal\.)(?<!\bvs\.)(?<!i\.e\.)(?<!e\.g\.)\s+(?=[A-Z0-9(\[])|(?<=[。！？])")
HYPHENATED = re.compile(r"(?<=[a-z])[-‐\u00ad][^\S\n]*\n\s*(?=[a-z])")
DENIED = re.compile(r"\b(?:not(?! only)|never|neither|nor|cannot)\b|n't\b", re.I)
AMOUNTS = {"single": (1,), "double": (2, 3, 4), "triple": (3, 4)}  # what a trial may be called by its masked roles


class Cue(NamedTuple):
    option: str
    start: int
    end: int
    why_not: Reason | None  # why they do not say it, as a word of `disclaimed`; None where they do


def cues_of(name: str, own: OwnCues = ()) -> Cues:
    built_in = choice_words.cues(name)
    added = {option: tuple(map(phrase, words)) for option, words in own}
    return {option: (*built_in.get(option, ()), *added.get(option, ())) for option in {**built_in, **added}}


def find(name: str, text: str, cues: Cues) -> Iterator[Cue]:
    told = ((option, patterns) for option, patterns in cues.items() if one_may_be_in(patterns, text))
    yield from filter(None, (best(name, text, option, patterns) for option, patterns in told))


def best(name: str, text: str, option: str, patterns: Words) -> Cue | None:
    is_ascii = text.isascii()
    tried = (pattern for pattern in patterns if pattern.is_ascii or not is_ascii)
    matches = ((pattern, match) for pattern in tried for match in pattern.finditer(text))
    cues = [Cue(option, *match.span(), _doubt(name, option, pattern, match)) for pattern, match in matches]
    denied = next((cue for cue in cues if cue.why_not == "denied"), None)
    return denied or next((cue for cue in cues if cue.why_not is None), cues[0] if cues else None)


def unsaid(field: Field, value: object, quote: str) -> Reason | None:
    """Why a quote does not bear a choice out, as a word; None where it does. An answer without words of its own is for a reader."""
    return (unsaid_part if field.name in choice_words.MAY_BE_UNSAID else _unsaid_choice)(field, value, quote)


def _unsaid_choice(field: Field, value: object, quote: str) -> Reason | None:
    option = str(value).lower() if isinstance(value, bool) else str(value)
    cues = _with_names(field)
    joined = HYPHENATED.sub("", quote)
    quotes = (quote,) if joined == quote else (joined, HYPHENATED.sub("-", quote))
    if option == "false" and not cues.get(option):
        reasons = [_affirmed(cues.get("true", ()), each) for each in quotes]
    else:
        reasons = [_unsaid(field.name, option, cues.get(option, ()), each) for each in quotes]
    if None in reasons:
        return None
    return "judged" if reasons[0] == "cue_not_in_quote" and _is_judged(field, option) else reasons[0]


def unsaid_part(field: Field, value: object, quote: str) -> Reason | None:
    """The same where a sentence may leave the choice unsaid, as a part of an entry: where it says another, and not this."""
    reason = _unsaid_choice(field, value, quote)
    if reason not in {"cue_not_in_quote", "judged"}:
        return reason
    others = [each for each in field.options if each != value]
    return "cue_not_in_quote" if any(_unsaid_choice(field, each, quote) is None for each in others) else None


def _is_judged(field: Field, option: str) -> bool:
    if field.type == "boolean":
        return not any(cues_of(field.name, field.cues).values())
    return ANSWER.fullmatch(option) is not None


def _affirmed(patterns: Words, quote: str) -> Reason | None:
    reason: Reason = "cue_not_in_quote"
    for text in SENTENCE.split(" ".join(quote.translate(FLAT).split())):
        for place in (match.span() for pattern in patterns for match in pattern.finditer(text)):
            if is_denied(text, *place):
                return None
            reason = "denied"
    return reason


def _unsaid(name: str, option: str, patterns: Words, quote: str) -> Reason | None:
    reason: Reason = "cue_not_in_quote"
    if name == "masked_roles":
        # That somebody is named is no sign that they were masked; a copy's own words are.
        patterns = tuple(each for each in patterns if each not in choice_words.cues(name).get(option, ()))
    for text in SENTENCE.split(" ".join(quote.translate(FLAT).split())):
        if _by_roles(name, option, text):
            return None
        cue = best(name, text, option, patterns)
        if cue and cue.why_not is None:
            return None
        reason = cue.why_not or reason if cue else reason
    return reason


def _by_roles(name: str, option: str, text: str) -> bool:
    asked = choice_words.ASKED_OF.get(name)
    if not asked and name not in {"masked_roles", "masking"}:
        return False
    roles = {role for role, *place in masked(text) if not disclaimed(text, *place)}
    if asked:
        return asked in roles and option in {"N", "PN"}
    return option in roles if name == "masked_roles" else len(roles) in AMOUNTS.get(option, ())


def _with_names(field: Field) -> Cues:
    cues = cues_of(field.name, field.cues)
    if any(cues.get(option) for option in (*field.options, "true", "false")):
        return cues
    if any(ANSWER.fullmatch(option) for option in field.options):
        return {}
    if field.type == "boolean":
        return {"true": tuple(phrase(f"{label}*") for label in (field.label, field.label_zh) if label)}
    return {option: (phrase(option.replace("_", " ")),) for option in field.options}


def phrase(words: str) -> Pattern:
    """A copy's own words as a pattern: any white space or hyphen between them, any ending where they end in a star."""
    parts = [re.escape(part) for part in re.split(r"[\s-]+", words.strip(" *-")) if part]
    ending = r"\w*" if words.rstrip().endswith("*") else r"(?![a-zA-Z0-9])"
    return Pattern(r"(?<![a-zA-Z0-9])" + r"[\s-]".join(parts) + ending)


def _doubt(name: str, option: str, pattern: Pattern, match: re.Match[str]) -> Reason | None:
    if DENIED.search(match.group()) and "not" not in pattern.pattern:
        return "denied"
    return None if f"{name}.{option}" in choice_words.as_said() else disclaimed(match.string, *match.span())
