"""Which place a stretch of a paper is, and which fields a quote from there bears out."""

import pytest

from clinical.evidence import Pages, check
from clinical.papers import Page, Paper, sections
from clinical.papers.stretches import Places, is_names
from clinical.templates import Field

FIRST = """A trial of walking for people with stiff knees
Jordan Chad, Israel Francis-Lee1*, Mary van der Berg2 and B. C. Holland1,2
1 Department of Medicine, University of Accra, Accra, Ghana
2 Institute of Health, High Street 5,
Toronto, Canada
*Correspondence to: someone@example.org

Abstract
Background: Knees are stiff. Ninety patients of a hospital in Kenya were randomised to walking or rest.
Setting: University Hospital of Lima, Peru.
Funding The Heart Foundation of Chile
*They thank Alex King at the University of Quito, Ecuador, for editing
3 Department of Surgery, Hospital of Hanoi, Vietnam
"""
SECOND = """Things of Medicine 2020; 12: 345
Discussion
Our patients walked. A trial in Norway randomised 400 patients to rest.
They were scanned with a device (Acme, Lund, Bolivia) in Chile.
Table 4 Previous trials of walking for stiff knees
Trial Country Patients
Hill 2003 Sweden 120
Table 5 Patients of this trial at entry
Denmark 45
Things of Medicine 2020; 12: 346
"""
THIRD = """Things of Medicine 2020; 12: 345
They all went home to Uganda.
References
1. Hill A, Dale B. Walking in Finland: a randomised trial of 300 patients. Things
of Medicine. 2003;60:657-65.
2. Berg C. Rest in 200 patients, a double-blind trial. Things of Rest. 2004;1:2-3.
Table 6 What patients of Zambia did
Walked 50
Things of Medicine 2020; 12: 347
"""
PAGES = tuple(Page(number, text) for number, text in enumerate((FIRST, SECOND, THIRD), 1))
PAPER = Paper("pdf", PAGES, sections.find(PAGES))

PLACES = [
    ("Jordan Chad", "authors"),
    ("Israel Francis-Lee", "authors"),
    ("University of Accra, Accra, Ghana", "affiliations"),
    ("Toronto, Canada", "affiliations"),
    ("A trial of walking for people with stiff knees", ""),
    ("a hospital in Kenya", ""),
    ("University Hospital of Lima, Peru", ""),
    ("The Heart Foundation of Chile", ""),
    ("University of Quito, Ecuador", ""),
    ("Hospital of Hanoi, Vietnam", "affiliations"),
    ("Things of Medicine 2020; 12: 345", "head"),
    ("A trial in Norway", ""),
    ("Hill 2003 Sweden 120", "other_trials"),
    ("Previous trials of walking", "other_trials"),
    ("Denmark 45", ""),
    ("home to Uganda", ""),
    ("Walking in Finland", "references"),
    ("2003;60:657-65", "references"),
    ("a double-blind trial", "references"),
    ("Table 6 What patients of Zambia did", ""),
    ("Walked 50", ""),
]


@pytest.mark.parametrize(("words", "place"), PLACES, ids=[words for words, _ in PLACES])
def test_a_stretch_has_its_place_when_layout_says_what_it_is(words, place):
    page = max((page for page in PAGES if words in page.text), key=lambda page: page.number)
    start = page.text.index(words)
    assert Places(PAPER).of(page.number, start, start + len(words)) == place


NAMES = [
    ("Anna B Smith1, Jordan Chad2, and Li Wei1,2*", True),
    ("A. B. Smith, C. Jones", True),
    ("Mary de la Cruz, MD, PhD; Tom van den Berg, MSc", True),
    ("张三1，李四2，王小五1", True),
    ("Anna Smith", False),
    ("Department of Medicine, University of Accra, Ghana", False),
    ("Walking, resting and sleeping were compared", False),
    ("We thank Jordan Chad and Israel Lee, who were patient", False),
    ("A trial of walking, resting and sleep", False),
    ("本研究纳入患者九十例，随机分为两组", False),
]


@pytest.mark.parametrize(("line", "names"), NAMES, ids=[line for line, _ in NAMES])
def test_a_line_is_names_when_it_is_of_people_and_nothing_else(line, names):
    assert is_names(line) is names


COUNTRIES = Field("countries", "[string]", "Countries", "国家", "")
RANDOMISED = Field("n_randomised", "integer", "Randomised", "随机例数", "")
MASKING = Field("masking", "enum", "Masking", "盲法", "", options=("open", "double"))
AUTHOR = Field("first_author", "string", "First author", "第一作者", "")
JOURNAL = Field("journal", "string", "Journal", "期刊", "")
OWN = Field("affiliation", "string", "Affiliation", "单位", "")
CITED = Field("references", "[string]", "References", "参考文献", "")

BORNE_OUT = [
    (COUNTRIES, ["Kenya"], "patients of a hospital in Kenya", True),
    (COUNTRIES, ["Peru"], "Setting: University Hospital of Lima, Peru.", True),
    (COUNTRIES, ["Chile"], "They were scanned with a device (Acme, Lund, Bolivia) in Chile", True),
    (COUNTRIES, ["Bolivia"], "They were scanned with a device (Acme, Lund, Bolivia) in Chile", False),
    (COUNTRIES, ["Jordan"], "Jordan Chad, Israel Francis-Lee1", False),
    (COUNTRIES, ["Sweden"], "Hill 2003 Sweden 120", False),
    (COUNTRIES, ["Finland"], "Walking in Finland", False),
    (COUNTRIES, ["Ghana"], "University of Accra, Accra, Ghana", False),
    (RANDOMISED, 90, "Ninety patients of a hospital in Kenya were randomised", True),
    (RANDOMISED, 300, "a randomised trial of 300 patients", False),
    (RANDOMISED, 345, "Things of Medicine 2020; 12: 345", False),
    (MASKING, "double", "a double-blind trial", False),
    (AUTHOR, "Chad", "Jordan Chad, Israel Francis-Lee1", True),
    (AUTHOR, "Hill", "Hill A, Dale B. Walking in Finland", False),
    (JOURNAL, "Things of Medicine", "Things of Medicine 2020; 12: 345", True),
    (OWN, "University of Accra", "University of Accra, Accra, Ghana", True),
    (CITED, ["Walking in Finland"], "Walking in Finland: a randomised trial", True),
]


@pytest.mark.parametrize(
    ("field", "value", "quote", "holds"), BORNE_OUT, ids=[case[2] + case[0].name for case in BORNE_OUT]
)
def test_a_quote_bears_a_field_out_when_the_field_lives_where_it_stands(field, value, quote, holds):
    told = check(field, {"state": "found", "value": value, "quote": quote}, Pages(PAPER))
    assert told.get("reason") == (None if holds else "wrong_place")


def test_who_paid_is_no_address_when_a_section_of_the_first_page_names_them():
    page = Page(1, "A trial\n\nAnna Smith1, Tom Hill2\n\nFunding\nFoundation of Science, Institute of Tea; 17-75")
    there = Paper("jats", (page,), sections.find((page,)))
    start = page.text.index("Foundation")
    assert Places(there).of(1, start, len(page.text)) == ""
