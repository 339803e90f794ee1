"""A pattern is passed over only where it has no match: the index of a paper's words changes no answer."""

import re
from dataclasses import replace
from itertools import islice
from random import Random

import pytest

from clinical import rules
from clinical.patterns import Pattern, one_may_be_in
from clinical.rules.text import Reading
from clinical.word_index import Index, Indexed, part
from tests.support.made import words
from tests.support.papers import plain
from tests.support.pumping import patterns
from tests.support.stack_file import ROOT

SAMPLES = sorted((ROOT / "tests" / "data").glob("*.txt"))
OTHER_LETTERS = str.maketrans({"i": "İ", "s": "ſ", "k": "\u212a"})
MADE_MAX, TRIED = 400, 25
"""Texts that are made of a pattern, and those of them, and of the papers' sentences, that it is tried on."""


def spans(pattern: Pattern | re.Pattern[str], text: str) -> list[tuple[int, int]]:
    """All that it finds, and what it finds first."""
    found = pattern.search(text)
    return [*([found.span()] if found else []), *(each.span() for each in pattern.finditer(text))]


def sentences() -> list[str]:
    return [str(each.text) for path in SAMPLES for each in Reading(plain(path.read_text())).sentences]


@pytest.mark.parametrize(
    ("pattern", "told"),
    [
        ("randomi[sz]ed", [{"randomi"}, {"ed"}]),
        (r"(?:blind|mask)\w*", [{"blind", "mask"}]),
        (r"\bn ?= ?\d", [{r"\d"}, {"="}]),
        ("(?-i:Tea)|coffee", [{"tea", "coffee"}]),
        (r"(?:of )?\w+", []),
        (r"(?!tea)\w+", []),
        (r"(?=tea)\w+", [{"tea"}]),
        (r"(?:tea){0,2}", []),
        (r"(?:tea)++", [{"tea"}]),
        ("tea|\\w", []),
        ("café", [{"caf"}]),
        ("随机", [{"随机"}]),
        ("[尚仍]需", [{"需"}]),
    ],
)
def test_words_are_needed_when_no_match_is_without_them(pattern, told):
    assert [{*each} for each in Pattern(pattern).needed] == told


@pytest.mark.long
def test_a_sentence_is_tried_when_a_pattern_matches_it():
    """Texts made of each alternative, in capitals and in letters that are taken for others, and sentences of papers.

    Mutations caught: words of one way of several, a part that may be left out, a letter beside another that was passed over,
    small letters where a pattern asks for capitals.
    """
    printed, chance = sentences(), Random(54)
    written = {name: Pattern(each.pattern) for name, each in patterns().items() if "WORDS[" in name or "cues(" in name}
    missed = set()
    for name, pattern in written.items():
        made = [*islice(words(pattern), MADE_MAX)]
        texts = chance.sample(made, min(len(made), TRIED)) + chance.sample(printed, TRIED)
        forms = [form for text in texts for form in (text, text.upper(), text.translate(OTHER_LETTERS))]
        index = Index()
        known = [index.of(form) for form in forms]
        plain_one = re.compile(pattern.pattern, re.I)
        missed |= {(name, each) for each in known if spans(pattern, each) != spans(plain_one, str(each))}
    assert len(written) > 400
    assert missed == set()


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_every_answer_is_the_same_when_no_sentence_is_known_by_its_words(path):
    read = plain(path.read_text())
    reading = Reading(read)
    assert all(isinstance(each.text, Indexed) for each in reading.sentences)
    reading.sentences = tuple(replace(each, text=str(each.text)) for each in reading.sentences)
    assert rules.answer(read, list(rules.RULES)) == {name: rule(reading) for name, rule in rules.RULES.items()}


def test_a_word_is_found_when_it_stands_within_another_or_at_an_edge():
    index = Index()
    first, second = index.of("Non-randomised; n=12"), index.of("at random")
    for word, where in (("randomi", first), (" random", second), ("=", first), (r"\d", first), ("m", second)):
        assert index.having_any((word,)) & where.bit
    assert index.having_any(("randomi", "=", r"\d")) == first.bit
    assert not index.having((frozenset({"randomi"}), frozenset({"at "})))


@pytest.mark.parametrize(
    ("pattern", "text"), [("μg", "5 \u00b5g"), ("NTR", "ntr 5"), (r"\Wé\D", " É "), ("(?-i:Tea)", "Tea")]
)
def test_a_pattern_finds_its_words_when_text_and_pattern_write_them_otherwise(pattern, text):
    assert spans(Pattern(pattern), Index().of(text)) == spans(re.compile(pattern, re.I), text) != []


def test_patterns_are_tried_on_a_piece_when_its_sentence_has_a_word_of_one():
    index = Index()
    tea, milk = index.of("Two had tea; one had none."), index.of("One had milk.")
    patterns = frozenset({Pattern("coffee"), Pattern("tea")})
    assert [one_may_be_in(patterns, part(each, 4, None)) for each in (tea, milk)] == [True, False]
    assert part(tea, 8, 11) == "tea"
    assert one_may_be_in(patterns, part("One had milk.", 8, None))
