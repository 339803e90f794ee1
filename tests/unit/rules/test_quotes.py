"""What every rule promises, whatever stands in the text: exact quotes, no exception, no more time than the text is long."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clinical import rules
from clinical.evidence import Pages, locate
from clinical.papers import Page, Paper, Section
from clinical.rules.answers import QUOTE_MAX
from clinical.rules.text import SENTENCE_MAX, Reading
from tests.support.papers import paper, plain
from tests.support.stack_file import ROOT

NAMES = list(rules.RULES)
SAMPLES = sorted((ROOT / "tests" / "data").glob("*.txt"))
PIECES = [
    "NCT01234567", "10.1000/abc(1)", "Published 2015", "© 2016", "EudraCT 2012-001234-56", "References\n", "Abstract\n",
    "Methods\n", "Results\n", "Discussion\n", "Funding: ", ".", "\n", "\n\n", " ", "A", "日本。", "x" * 450, "ü", "İ", "\u2028",
    "ninety patients were randomised to ", "group A (n = 45)", "double-blind", "open-label", "in Spain", "mean age 43.2 years",
    "95% CI 0.5 to 1.2", "p = 0.03", "hazard ratio 0.8", "was funded by ", "No conflicts of interest", "and", ", ", "(", ")", "12",
]  # fmt: skip


def _check(paper, answers):
    pages = {page.number: page.text for page in paper.pages}
    for answer in answers.values():
        if answer["state"] != "found":
            both = answer.pop("evidence", [])
            assert answer == dict.fromkeys(answer, None) | {"state": answer["state"]}
            _check(paper, dict(enumerate(both)))
            continue
        assert answer["value"] not in (None, "", [])
        items = answer["value"] if isinstance(answer["value"], list) else []
        for each in [answer, *answer.get("evidence", ()), *(item for item in items if isinstance(item, dict))]:
            there = pages[each["page"]][each["start"] : each["end"]] == each["quote"]
            assert there or locate(each["quote"], Pages(paper)).rest, each
            assert 0 < len(each["quote"]) <= max(QUOTE_MAX, SENTENCE_MAX)
            assert each["quote"].strip() == each["quote"]


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_every_quote_stands_in_its_paper_when_the_paper_is_a_real_one(path):
    read = plain(path.read_text())
    answers = rules.answer(read, NAMES)
    assert sum(answer["state"] == "found" for answer in answers.values()) > 10
    _check(read, answers)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=8)), max_size=40).map("".join))
def test_every_quote_is_really_there_when_the_text_is_anything(text):
    read = plain(text)
    _check(read, rules.answer(read, NAMES))


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.lists(st.sampled_from(PIECES), max_size=12).map("".join), min_size=1, max_size=4),
    st.lists(
        st.tuples(
            st.sampled_from(["abstract", "methods", "results", "references", "funding"]),
            st.integers(1, 5),
            st.integers(0, 60),
        )
    ),
)
def test_nothing_raises_when_sections_point_anywhere(texts, marks):
    """Offsets beyond a page, pages that are not there: intake may be wrong, a rule may not fail over it."""
    pages = tuple(Page(number, text) for number, text in enumerate(texts, 1))
    read = Paper("pdf", pages, tuple(Section(kind, kind, page, start) for kind, page, start in marks))
    _check(read, rules.answer(read, NAMES))


def test_the_answer_is_the_same_when_the_paper_is_read_again():
    read = plain(SAMPLES[0].read_text())
    assert rules.answer(read, NAMES) == rules.answer(Paper.from_json(read.to_json()), NAMES)


def test_only_what_was_asked_for_is_given_when_a_template_has_other_fields():
    assert rules.answer(plain("Nothing."), ["doi", "taste"]).keys() == {"doi"}


def test_the_value_of_details_is_left_when_the_page_does_not_say_it():
    """A value without a quote would be no evidence."""
    read = paper(
        front="A title", details={"title": "Another title", "year": 2012, "doi": "10.1000/x", "authors": ["Ann Lee"]}
    )
    answers = rules.answer(read, ["title", "year", "doi", "first_author"])
    assert {answer["state"] for answer in answers.values()} == {"not_found"}


def test_no_text_is_lost_when_it_is_cut_into_sentences():
    """But headings: they are told by the section's name."""
    text = SAMPLES[0].read_text()
    read = plain(text)
    cut = "".join(sentence.text for sentence in Reading(read).sentences)
    lost = len("".join(text.split())) - len("".join(cut.split()))
    titles = sum(len("".join(section.title.split())) for section in read.sections)
    assert lost == titles > 0


@pytest.mark.parametrize(
    "text", ["Dr. Lee et al. saw 3 cats vs. 4 dogs, i.e. animals (Fig. 2).", "It was 0.5 mg. per day"]
)
def test_a_sentence_is_whole_when_a_stop_ends_an_abbreviation(text):
    assert len(Reading(plain(text)).sentences) == 1


ODD = {
    "blank lines": "\n",
    "blank lines with spaces": " \n",
    "one line": "a",
    "ends of sentences": ". ",
    "wide gaps": "a.           ",
    "half a number, often": "ChiCTR-",
    "half a date, often": "published ",
    "ids": "NCT01234567 ",
    "names": "10.1000/a ",
    "digits": "1",
    "numbers": "12 ",
    "thousands": "1 000 ",
    "words for numbers": "one hundred and ",
    "patients": "ninety patients were randomised to ",
    "counts of people": "30 of the 90 patients and 12 women ",
    "randomised": "randomly assigned ",
    "brackets": "((((",
    "arms": "group A (n = 30), ",
    "intervals": "95% CI 0.1 to ",
    "p values": "p = 0.0",
    "dates": "between March 2012 and ",
    "ages": "mean age of the ",
    "headings": "Methods\n",
    "abstracts": "Abstract\nMethods\nResults\n",
    "countries": "conducted in the United ",
    "sites": "12 large public ",
    "blinding": "the patients and were blinded to ",
    "followed": "follow-up of the ",
    "funding": "was funded by grants from ",
    "capitals": "A B C ",
    "pages": "Methods\n\f",
    "references": "References\nMethods\n",
}


@pytest.mark.long
@pytest.mark.parametrize("piece", ODD.values(), ids=ODD)
def test_time_grows_no_faster_than_the_text_when_the_text_is_odd(piece):
    """A regular expression cannot be interrupted by the alarm, so none may grow with the square of the text."""
    small, big = (min(_seconds(piece * (size // len(piece))) for _ in range(2)) for size in (10_000, 40_000))
    assert big < 10 * small + 0.2


WORST = ("ends of sentences", "words for numbers", "randomised", "intervals", "dates", "names", "one line", "pages")


@pytest.mark.slow
@pytest.mark.parametrize("piece", [ODD[name] for name in WORST], ids=WORST)
def test_a_megabyte_is_read_in_seconds_when_the_text_is_odd(piece):
    assert _seconds(piece * (1_000_000 // len(piece))) < 30


def _seconds(text):
    begun = time.process_time()
    rules.answer(plain(text), NAMES)
    return time.process_time() - begun


@pytest.mark.parametrize("gap", ["  ", "   ", "\n", " \n ", "\t\t"])
@pytest.mark.parametrize("word", ["tea", "teas", "a"])
def test_a_long_sentences_quote_is_cut_at_words_when_they_stand_far_apart(gap, word):
    """Cut in the middle of a gap, it begins and ends at the next word all the same."""
    around = (word + gap) * (450 // len(word + gap))
    read = plain(f"X {around}doi 10.1000/abc1 {around}x")
    answers = rules.answer(read, ["doi"])
    assert answers["doi"]["value"] == "10.1000/abc1"
    _check(read, answers)
    assert len(str(answers["doi"]["quote"])) > QUOTE_MAX / 2


COLUMN = """The patients of two hospitals of one town were asked whether they
wished to take part in it, and most of those who came agreed to do so.
They were seen by the same nurse who did not know which group it was.
In each of the hospitals somebody else kept the list in a locked room.
Nobody of those who treated them could open it before the trial ended.
They came back after three months and again at the end of one year at
home, and those who did not come were called by one of the other nurses.
In all, of those who had been asked, ninety patients were randomised in
"""


def _paged(before: str) -> Paper:
    head = "Things of Medicine 2020; 12: 345"
    first = f"{head}\n{before}\n12"
    return Paper(
        "pdf", (Page(1, first), Page(2, f"{head}\nthe two hospitals to tea or to coffee. They were well.\n13"))
    )


def test_a_sentence_is_whole_when_a_page_ends_within_it():
    there = _paged(COLUMN)
    [whole] = [sentence for sentence in Reading(there).sentences if sentence.rest]
    assert whole.text.split()[:2] == ["In", "all,"]
    assert whole.text.split()[-6:] == ["hospitals", "to", "tea", "or", "to", "coffee."]
    answer = rules.answer(there, ["n_randomised"])["n_randomised"]
    assert answer["value"] == 90
    [rest] = locate(answer["quote"] or "", Pages(there), answer["page"], answer["start"]).rest
    assert rest.quote == "the two hospitals to tea or to coffee"


@pytest.mark.parametrize("end", ["\nTable 2 Patients at entry", "\n* Correspondence: someone@example.org", " by lot."])
def test_no_sentence_goes_on_when_a_page_ends_with_something_else(end):
    assert not any(sentence.rest for sentence in Reading(_paged(COLUMN.rstrip() + end)).sentences)
