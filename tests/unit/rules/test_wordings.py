"""Every wording of a pattern that others are made of is read: one site, an abbreviation within a sentence."""

import pytest

from clinical.evidence.quantities.number_words import SINGLE
from clinical.rules import text
from clinical.rules.text import Reading
from tests.support.made import words
from tests.support.papers import one, plain


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
