"""Every pattern takes as long as its text, whatever the text says: one line of "maskmask..." holds no worker."""

import re

import pytest

from tests.support.pumping import grows, patterns, texts

TAILS = ("", "\x00")
"""A text that ends well, and one that does not: where a match fails at the end, every way there is tried."""


@pytest.mark.long
@pytest.mark.parametrize("name", patterns())
def test_a_pattern_takes_twice_as_long_at_most_when_its_text_is_doubled(name):
    pattern = patterns()[name]
    slow = [
        (head, piece, tail, growth)
        for head, piece in texts(pattern)
        for tail in TAILS
        if (growth := grows(pattern, head, piece, tail))
    ]
    assert slow == []


def test_patterns_of_modules_and_of_functions_are_found_when_they_are_looked_for():
    """A rule over no patterns holds always."""
    found = patterns()
    assert len(found) > 400
    assert {
        "clinical.papers.jats.blocks.CITED",
        "clinical.templates.choice_words.cues(masking)[triple][0]",
        "clinical.rules.trial.arms.WORDS[LEADING]",
        "sheaf.engine_settings.PRICE",
    } <= found.keys()
    assert any(":" in name for name in found)


@pytest.mark.long
@pytest.mark.parametrize(
    "slow",
    [
        r"(?:blind|mask)\w*[^.;]{0,50}\b(?:not (?:possible|feasible)|impossible)",
        r"\W*(?:page\W*)?\d{1,5}",
        r"[^\s;]*\d[^\s;]*",
        r"(?<!\d)\d{1,3}(?:[,']\d{3})*[,']$",
        r"(?:a|aa)+$",
        r"(?:\w+,? ){0,5}(?:trials)\b",
    ],
)
def test_a_pattern_that_goes_back_and_forth_is_noticed_when_it_is_pumped(slow):
    """Of those that were here once, and of one that never ends."""
    pattern = re.compile(slow)
    assert any(grows(pattern, head, piece, tail) for head, piece in texts(pattern) for tail in TAILS)
