"""A quick look for a word before a pattern is tried, and a window before it, change no answer."""

import re
from dataclasses import astuple

import pytest

from clinical import rules
from clinical.answered import Answer
from clinical.evidence.masked import MASKED
from clinical.evidence.quantities.number_words import SINGLE
from clinical.papers import Paper
from clinical.rules import text
from clinical.rules.report import declarations, eligibility
from clinical.rules.study import cohort_study, participants, places
from clinical.rules.text import Reading, Sentence
from clinical.templates.choice_words import cues
from tests.support.made import words
from tests.support.papers import one, plain
from tests.support.stack_file import ROOT

SAMPLES = sorted((ROOT / "tests" / "data").glob("*.txt"))
UNMASKED = cues("SHARED")["unmasked"]
CALLED = [pattern for several in cues("masking").values() for pattern in several if pattern not in UNMASKED]
POPULATIONS = [pattern for several in cues("analysis_population").values() for pattern in several]
FILTERS: dict[tuple[str, str], list[re.Pattern[str]]] = {
    ("single", "one"): [SINGLE],
    ("hospitals", "homes"): [places.WORDS.SITES],
    ("age", "age"): [participants.WORDS.AGE],
    ("women", "girls"): [participants.WORDS.FEMALE],
    ("19", "20"): [participants.WORDS.PERIOD],
    ("follow", "follow"): [participants.WORDS.FOLLOW_UP, participants.WORDS.MEDIAN_FOLLOW_UP],
    ("eligible", "eligible"): [cohort_study.WORDS.ELIGIBLE],
    ("blind", "开放"): CALLED,
    ("blind", "不了解"): [MASKED, UNMASKED[0]],
    ("limit", "limit"): [declarations.WORDS.LIMITATION],
    ("treat", "方案"): POPULATIONS,
    ("stopp", "premature"): [declarations.WORDS.STOPPED],
    ("criteri", "not considered"): [eligibility.WORDS.INCLUSION, eligibility.WORDS.EXCLUSION],
}
"""By the first and the last word that is looked for: the patterns that are tried where one of them stands."""


class Unfiltered(Sentence):
    """A sentence that has every word that is looked for before a pattern."""

    def has(self, *words: str) -> bool:
        return (words[0], words[-1]) in FILTERS or super().has(*words)


def asked(read: Paper) -> set[tuple[str, ...]]:
    """All the words that rules look for in this paper's sentences, as they look for them."""
    every: set[tuple[str, ...]] = set()

    class Asked(Sentence):
        def has(self, *words: str) -> bool:
            every.add(words)
            return super().has(*words)

    answers(read, Asked)
    return every


def answers(read: Paper, kind: type[Sentence]) -> dict[str, Answer]:
    reading = Reading(read)
    reading.sentences = tuple(kind(*astuple(each)) for each in reading.sentences)
    return {name: rule(reading) for name, rule in rules.RULES.items()}


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_every_answer_is_the_same_when_no_sentence_is_passed_over(path):
    read = plain(path.read_text())
    assert rules.answer(read, list(rules.RULES)) == answers(read, Unfiltered)


def test_every_wording_passes_when_its_pattern_would_take_it():
    """Words made from the pattern, each alternative at least once: none is left out by the look that comes before."""
    looked_for = {(each[0], each[-1]): each for each in asked(plain(SAMPLES[-1].read_text()))}
    missed = {
        made
        for name, patterns in FILTERS.items()
        for made in (each for pattern in patterns for each in words(pattern))
        if not any(word in made.lower() for word in looked_for[name])
    }
    assert missed == set()


@pytest.mark.parametrize("wording", sorted({each.replace("  ", " ") for each in words(SINGLE)}))
def test_a_study_has_one_site_when_it_says_so_in_any_wording(wording):
    assert one("n_sites", abstract=f"This was a {wording} trial of tea.")["value"] == 1


ABBREVIATIONS = sorted({each.lstrip(" (") for each in words(text.WORDS.ABBREVIATION)} - {"A."})


@pytest.mark.parametrize("word", [*ABBREVIATIONS, "B.", "Z."])
@pytest.mark.parametrize("before", ["", "They saw ", "They saw ("])
def test_a_sentence_goes_on_when_an_abbreviation_stands_in_it(word, before):
    """Also the longest of them, and at the text's beginning: the window in which it is looked for holds each."""
    for told in (word, word.capitalize()):
        text = f"{before}{told} Nine men drank tea."
        assert [each.text for each in Reading(plain(text)).sentences] == [text]
