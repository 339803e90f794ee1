"""The many words by which a sentence says that so many were randomised, before anything is known of whom it speaks. Pure."""

import re
from collections.abc import Iterator

from clinical.evidence.quantities.people_counts import ADJECTIVES, COUNT, GROUP, PEOPLE
from clinical.rules.text import any_case
from clinical.rules.trial.randomised_words import BARE, GAP, NO_NOUN, RANDOM

JOINED = r"(?:(?:were|was) (?:\w+ )?(?:eligible|enrol+ed|included|recruited|suitable)|fulfilled|met|satisfied|agreed|consented|gave|provided|signed|accepted|entered)\b"
"""What people did before they were randomised."""
BY_CHANCE = r"(?:random (?:numbers?|sequence|list|allocation|tables?)|table of random|randomi[sz]ation|computer[- ]generated|envelopes?|coin|lots|lottery|minimi[sz]ation)\b"
"""What a sentence says that assigns by chance without the word."""
TOTAL = (
    any_case(rf"{GROUP}{GAP}\b(?P<verb>{RANDOM})"),
    any_case(
        rf"\b(?P<joint>of (?:these|whom|which|them|those)|whom|remaining|and|,|finally|thus|total of|leaving) ?,? ?(?P<n>{COUNT}) "
        rf"(?:{ADJECTIVES}{PEOPLE} )?(?:\([^)]{{1,20}}\) )?(?:(?:who |that )?(?:were|was|underwent|are) )?"
        r"(?:(?:subsequently|then|finally|eventually|ultimately|successfully|(?:eligible|enrolled|recruited|included|consented) and) )?"
        rf"(?P<verb>{RANDOM}|assigned to|randomi[sz]ation)"
    ),
    any_case(
        r"\b(?:we|and|were|to|trial|study|investigators) (?:then |\w+ly )?(?P<verb>randomi[sz]ed|randomly (?:assigned|allocated)) "
        rf"(?:a total of )?(?P<n>{COUNT})(?: {ADJECTIVES}{PEOPLE}|[,.;)]|$| (?=to\b|into\b|and\b|in\b|between\b|from\b|over\b|at\b|\())"
    ),
    any_case(
        r"\b(?P<verb>randomi[sz]ed|randomly (?:assigned|allocated)|randomi[sz]ation)\b:?,? ?"
        rf"(?:patients |participants |subjects |women )?[(\[]? ?n ?= ?(?P<n>{BARE}) ?[)\]]?"
    ),
    any_case(
        rf"(?P<n>{COUNT}) (?:{ADJECTIVES}{PEOPLE} )?(?:were |was |underwent )?(?P<verb>randomi[sz]ed{NO_NOUN}|randomi[sz]ation)\b"
    ),
    any_case(rf"\ball (?:of )?(?:the )?(?P<n>{COUNT}) (?P<verb>randomi[sz]ed|randomly assigned) {ADJECTIVES}{PEOPLE}"),
    any_case(
        rf"\b{PEOPLE}(?:[^.;()]|\([^()]{{0,60}}\)){{0,80}}?\( ?n ?= ?(?P<n>\d{{1,3}}(?:, ?\d{{3}}){{1,2}}|\d{{1,7}}) ?(?:[,;][^()]{{0,120}})?\)[^.;()]{{0,120}}? (?:were|was|and|we) (?P<verb>{RANDOM})"
    ),
    any_case(
        rf"(?P<verb>randomi[sz]ed|randomly (?:assigned|allocated)) {ADJECTIVES}{PEOPLE}[^.;()]{{0,40}}\( ?n ?= ?(?P<n>\d{{1,7}}) ?\)"
    ),
    any_case(
        rf"(?P<n>{COUNT}) (?:\(\d[\d.]* ?%\) )?of (?:the |all |these )?(?:{COUNT}) {ADJECTIVES}{PEOPLE}[^.;:()]{{0,80}}? (?:were|was) (?:\w+ )?(?P<verb>{RANDOM})"
    ),
    any_case(
        rf"(?P<n>{COUNT}) (?:\([^()]{{1,40}}\) )?(?:(?:{ADJECTIVES}{PEOPLE} )?{JOINED})[^.;:()]{{0,80}}?,? and (?:(?:were|was) )?(?:\w+ )?(?P<verb>{RANDOM})"
    ),
    any_case(
        rf"{GROUP}{GAP}\b(?:were|was) (?:\w+ )?(?P<verb>allocated|assigned|divided|distributed)\b(?=[^.;]{{0,200}}?\b{BY_CHANCE})"
    ),
    any_case(
        rf"(?P<n>{COUNT}) (?:{ADJECTIVES}{PEOPLE} )?(?:\([^()]{{1,40}}\) )?(?:were|was) (?P<summed>allocated|assigned)(?P<verb>)(?=[^.;]{{0,160}}?\( ?n ?= ?\d)"
    ),
    any_case(rf"\bwe (?P<verb>assigned|allocated) (?P<n>{COUNT}) {ADJECTIVES}{PEOPLE}[^.;]{{0,60}}? in an? \d ?: ?\d"),
)


def counted(text: str) -> Iterator[re.Match[str]]:
    """Every match, also those that begin within another: of two counts before a verb it may be the second's."""
    for pattern in TOTAL:
        match = pattern.search(text)
        while match:
            yield match
            match = pattern.search(text, match.end("n"))
