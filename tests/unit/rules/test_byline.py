"""The first author of a paper whose file names none: only where a line is surely a byline."""

import pytest

from clinical import rules
from clinical.papers import Page, Paper
from tests.support.papers import PADDING

TITLE = "Tea for two in the afternoon:\na randomised trial of leaves"


def told(*pages, title=None):
    read = Paper("pdf", tuple(Page(number, text) for number, text in enumerate(pages, 1)), (), {"title": title})
    return rules.answer(read, ["first_author"])["first_author"]


def below_title(line, after="Abstract"):
    return told(f"RESEARCH\n{TITLE}\n{line}\n{after}\n{PADDING}", title=" ".join(TITLE.split()))


@pytest.mark.parametrize(
    ("line", "family"),
    [
        ("Ann B. Lee1,2†, Bo Ox1* and Cy Dee3", "Lee"),
        ("Ann Lee,1 Bo Ox,2", "Lee"),
        ("Ann Lee¹, Bo Ox²", "Lee"),
        ("Ann Lee, Bo Ox, Cy Dee", "Lee"),
        ("Ann de la Lee1 and Bo van Ox2", "de la Lee"),
        ("Ann M MacDonald, Bo McInnes", "MacDonald"),
        ("Jean-Luc Ng-Lévi, José Núñez", "Ng-Lévi"),
        ("Ann D’Alessio1, Bo O’Hara2", "D’Alessio"),
        ("Ann LeeID1,2, Bo OxID3", "Lee"),
        ("Ann Lee, MD, PhD; Bo Ox, MSc; Cy Dee", "Lee"),
        ("Ann Lee MD PhD, Bo Ox MBChB", "Lee"),
        ("A. B. Lee, C. Ox", "Lee"),
        ("Ann Lee1, Bo Ox2, on behalf of the tea group", "Lee"),
        ("Ann Lee1, Bo Ox2, Cy\nDee3", "Lee"),
        ("Ann Lee*", "Lee"),
        ("Ann Lee (ann.lee@example.org)\nBo Ox (bo@example.org)", "Lee"),
    ],
)
def test_the_first_author_is_found_when_names_stand_below_the_title(line, family):
    """Without marks and degrees; a family name's own capitals and particles belong to it."""
    answer = below_title(line)
    assert (answer["value"], answer["state"], answer["quote"]) == (family, "found", line.split("\n")[0])


@pytest.mark.parametrize(
    "line",
    [
        "Heart Failure and Blood Pressure",
        "Lee University, Ox City Hospital",
        "New Zealand and Sri Lanka",
        "Ann Lee showed it, Bo Ox did not",
        "ANN LEE, BO OX",
        "Wei XU, Bo LI",
        "Lee AB, Ox C",
        "Ann Smitha, Bo Leeb",
        "Ann Lee",
        "Tea, Milk, and Sugar",
        "1, 2, and 3",
        "Edited by: Ann Lee, Bo Ox",
        "Drs Ann Lee and Bo Ox",
        "",
    ],
)
def test_no_author_is_given_when_the_line_may_be_something_else(line):
    """Affiliations, headings, a sentence, names whose family part is open, letters that may be marks, one bare name."""
    answer = below_title(line)
    assert (answer["value"], answer["state"]) == (None, "not_found")


@pytest.mark.parametrize(
    ("after", "family"),
    [
        ("Received: 1 May 2012. Accepted: 4 May 2012.", "Lee"),
        ("1 Department of Tea, Lee College", "Lee"),
        ("a Ox University, Oxton", "Lee"),
        ("© 2012 Lee et al.", "Lee"),
        ("See end of article for affiliations.", "Lee"),
        ("in a hospital of the north", None),
        ("Tea was drunk by all of them.", None),
    ],
)
def test_bare_names_are_a_byline_when_what_follows_says_so(after, family):
    """Where the file names no title, a line of it can look like names: "Green Tea and Black Coffee"."""
    assert told(f"Tea for two\nAnn Lee, Bo Ox\n{after}\n\n{PADDING}")["value"] == family


@pytest.mark.parametrize(
    "first",
    ["Ann LEE1, Bo OX2,", "Ann LEE1 and", "Ann LEE, Bo OX", "Ann LEE (ann.lee@example.org)", "Ann Lee ap Li ab Rhys1"],
)
def test_no_author_is_given_when_the_byline_begins_with_names_that_are_not_understood(first):
    """Mutation caught: taking the first line that is understood, which begins with the third or fourth author."""
    assert told(f"Tea for two\n{first}\nCy Dee3, Di Fee4\nReceived: 1 May 2012\n\n{PADDING}")["value"] is None


def test_the_author_is_unclear_when_the_copyright_line_names_another():
    """Mutation caught: trusting the first line of names, which may be the editors."""
    answer = told(f"Tea for two\nAnn Lee1, Bo Ox2\n© 2012 Dee et al.\n\n{PADDING}")
    assert (answer["value"], answer["state"]) == (None, "contradictory")


@pytest.mark.parametrize(
    ("pages", "family"),
    [
        (["A title", "Lee et al. Tea (2012) 1:2\nMore", "4 Lee et al\nMore"], "Lee"),
        (["A title\n© 2015 van den Ox et al.; licensee Tea Ltd"], "van den Ox"),
        (["A title\n© Ox et al. 2015"], "Ox"),
        (["A title", "Lee et al. found tea good", "More"], None),
        (["A title", "Lee et al. Tea\nMore", "Ox et al. Tea\nMore", "Lee et al. Tea", "Ox et al. Tea"], None),
    ],
)
def test_the_running_head_names_the_author_when_there_is_no_byline(pages, family):
    """What one page begins with may be a sentence on somebody else; two heads that differ are none."""
    assert told(*pages)["value"] == family


def test_nothing_below_the_abstract_is_a_byline_when_it_looks_like_one():
    assert told(f"A title\nAbstract\n{PADDING}\nAnn Lee1, Bo Ox2\nReceived: 2012")["value"] is None
