"""Where a quote is: found whatever layout did to it, and not found when anything was changed that means something."""

import itertools
import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bench import forging, planting
from clinical.evidence import Pages, locate
from clinical.evidence.normal_form import normal
from clinical.papers import Page, Paper


def paper(*pages: str) -> Paper:
    return Paper("pdf", tuple(Page(number, text) for number, text in enumerate(pages, 1)))


def the_text(there: Paper, found) -> str:
    return str(there.pages[found.page - 1].text[found.start : found.end])


TRUE = [
    ("as it stands", "Ninety patients were randomised.", "Ninety patients were randomised."),
    ("spaces", "Ninety patients\nwere  randomised.", "Ninety patients were randomised"),
    ("a hyphen at a line's end", "patients were ran-\ndomised to three", "patients were randomised to three"),
    ("a soft hyphen", "patients were ran\u00addomised to three", "patients were randomised to three"),
    ("pdfium's hyphen", "patients were ran\ufffe\ndomised to three", "patients were randomised to three"),
    ("a hyphen left out", "a double-blind, follow-up study", "a double blind follow up study"),
    ("words run together", "the lowest SpO2 in WEI group", "the lowestSpO2 in WEI group"),
    ("ligatures", "signiﬁcant diﬀerences in eﬃcacy", "significant differences in efficacy"),
    ("ligatures that were lost", "There were signi cant di erences in e cacy", "There were significant differences in efficacy"),
    ("dashes", "aged 18–65 years", "aged 18-65 years"),
    ("a minus", "difference −0.5 (−1.2 to 0.3)", "difference -0.5 (-1.2 to 0.3)"),
    ("quotation marks", "the so-called “gold standard”", 'the so-called "gold standard"'),
    ("a point in the middle", "hazard ratio 0·75", "hazard ratio 0.75"),
    ("no nought", "P = .015 for trend", "P = 0.015 for trend"),
    ("grouped by a comma", "of 1,234 patients", "of 1234 patients"),
    ("grouped by a thin space", "of 1\u2009234 patients", "of 1,234 patients"),
    ("width", "共纳入１２０例患者，随机分为两组。", "共纳入120例患者,随机分为两组"),
    ("Chinese with spaces", "共纳入 120 例 患者", "共纳入120例患者"),
    ("Greek by name", "serum TNF-α and β-hCG", "serum TNF-alpha and beta-hCG"),
    ("micro", "a dose of 5 μg/kg", "a dose of 5 µg/kg"),
    ("micro by letters", "a dose of 5 μg/kg", "a dose of 5 mcg/kg"),
    ("at least", "aged ≥18 years", "aged >= 18 years"),
    ("times", "3 × 10⁹ cells", "3 x 10⁹ cells"),
    ("table cells", "Age, years\t45.2 (12.1)\t46.0 (11.8)", "Age, years 45.2 (12.1) 46.0 (11.8)"),
    ("table cells with bars", "| Female | 30 (50%) | 28 (47%) |", "Female 30 (50%) 28 (47%)"),
    ("cells without a space", "Female30 (50%)28 (47%)", "Female 30 (50%) 28 (47%)"),
    ("accents", "Gökçe and Peñalver reported it", "Gökc\u0327e and Pen\u0303alver reported it"),
    ("a lost sign of equality", "in three groups (n ¼ 30 in each)", "in three groups (n = 30 in each)"),
    ("American spelling", "patients with anaemia were randomised", "patients with anemia were randomized"),
    ("a citation left out", "as was shown before [12, 13] in patients with shock", "as was shown before in patients with shock"),
    ("a citation left out that was raised", "as was shown before.¹²,¹³ In patients with shock", "as was shown before. In patients with shock"),
    ("a citation left out behind a stop", "as was shown before.12,13 In patients with shock", "as was shown before. In patients with shock"),
    ("a raised citation and one in brackets", "as was shown,¹² and seen before [3] in shock", "as was shown, and seen before [3] in shock"),
    ("a raised mark at the end", "in patients² (Table 1)", "in patients"),
    ("the old Symbol font", "5 \uf06dg of TNF-\uf061 (\uf0b1 3, \uf0b3 2)", "5 μg of TNF-α (± 3, ≥ 2)"),
    ("cells of three figures", "Cases 105\t115\n120 | 9", "Cases 105 115 120 9"),
    ("cells of three figures with bars", "Cases 105 115 120 9", "Cases | 105 | 115 | 120 | 9"),
    ("grouped by an apostrophe", "of 1'234 patients", "of 1,234 patients"),
    ("a fixed space in a number", "of 12\u00a0345 patients", "of 12345 patients"),
    ("a power that lost its height", "3 × 109/L platelets", "3 × 10⁹/L platelets"),
    ("a minus that stands apart", "a change of − 5 points", "a change of -5 points"),
    ("a character of no width before a space", "on 11. 33 of 12 34 people", "on 11.\u200b 33 of 12\u200b 34 people"),
    ("a square", "kg/m² and 5 cm²", "kg/m2 and 5 cm2"),
    ("an ordinary capital", "Patients were randomised", "patients were randomised"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "quote"), [case[1:] for case in TRUE], ids=[case[0] for case in TRUE])
def test_a_quote_is_found_when_only_its_layout_differs(text, quote):
    """And what is given back is the page's own text, at its place."""
    there = paper("Another page.", f"It says that {text} and so on.")
    found = locate(quote, Pages(there))
    assert found.match in {"exact", "fuzzy"}
    assert found.page == 2
    assert the_text(there, found) == found.quote
    assert found.match == ("exact" if quote.split() == found.quote.split() else "fuzzy")


FALSE = [
    ("a digit", "110 patients were randomised", "119 patients were randomised"),
    ("a digit more", "110 patients were randomised", "1100 patients were randomised"),
    ("a digit less", "110 patients were randomised", "10 patients were randomised"),
    ("a decimal", "a mean of 12.5 days", "a mean of 1.25 days"),
    ("no decimal point", "a mean of 12.5 days", "a mean of 125 days"),
    ("only the decimals", "a mean of 12.5 days", "5 days"),
    ("only the whole", "mean 12.5 days", "mean 12"),
    ("another separator", "of 1,234 patients", "of 1.234 patients"),
    ("two numbers made one", "12 34 patients were seen", "1234 patients were seen"),
    ("two numbers made one by what has no width", "12 34 patients were seen", "12\u200b34 patients were seen"),
    ("one number made two", "of 1234 patients", "of 12 34 patients"),
    ("no not", "it was not significantly different", "it was significantly different"),
    ("no not at the start", "it was not significantly different", "significantly different"),
    ("no no", "No serious events were reported", "serious events were reported"),
    ("no non-", "a non-significant difference was found", "significant difference was found"),
    ("no in-", "an insignificant difference was found", "significant difference was found"),
    ("no 不", "两组差异不显著。", "差异显著"),
    ("no 无", "两组无显著差异", "显著差异"),
    ("n't", "it didn't improve survival", "improve survival"),
    ("another unit", "a dose of 5 mg daily", "a dose of 5 g daily"),
    ("another unit in Greek", "a dose of 5 μg daily", "a dose of 5 mg daily"),
    ("a unit cut in two", "a dose of 5 mg/kg daily", "a dose of 5 mg"),
    ("no percent", "seen in 45% of them", "seen in 45"),
    ("no minus", "the change was -0.5 points", "the change was 0.5 points"),
    ("no minus at the start", "the change was -0.5 points", "0.5 points"),
    ("greater", "it was lower (P < 0.05) here", "it was lower (P > 0.05) here"),
    ("not unequal", "because a ≠ b in both", "because a = b in both"),
    ("the other way", "an increased risk of death", "a decreased risk of death"),
    ("words in another order", "aspirin was better than placebo", "placebo was better than aspirin"),
    ("the in another place", "in the group of patients with it", "the in group of patients with it"),
    ("a word more", "patients were randomised", "most patients were randomised"),
    ("a word less", "only older patients were randomised", "only patients were randomised"),
    ("another word", "in-hospital morbidity was low", "in-hospital mortality was low"),
    ("one letter", "given sulfate by mouth daily", "given sulfite by mouth daily"),
    ("half a word", "it was ineffective in all", "effective in all"),
    ("half a word at the end", "the patients randomised", "the patient"),
    ("another citation", "as was shown before [12] in patients with shock", "as was shown before [13] in patients with shock"),
    ("an emptied citation", "as was shown before [1] in patients with shock", "as was shown before [] in patients with shock"),
    ("four for for", "of fourteen patients", "of teen patients"),
    ("an exponent", "10⁵ copies per ml were seen", "105 copies per ml were seen"),
    ("no minus that stands apart", "a change of − 5 points", "a change of 5 points"),
    ("no square", "an area of 5 cm² was seen in them", "an area of 5 cm was seen in them"),
    ("no less than", "it was seen (P < 0.001) in both", "0.001) in both"),
    ("no fewer than", "in fewer than 20 patients of them", "20 patients of them"),
    ("half a range", "aged 18-65 years or so", "65 years or so"),
    ("half a range at the end", "they were aged 18–65 years", "they were aged 18"),
    ("half a number with a fixed space", "of 12\u00a0345 patients", "345 patients"),
    ("no million", "in 12 million people", "in 12"),
    ("no per cent", "seen in 45 per cent of them", "seen in 45"),
    ("no 万", "共有12万人", "共有12"),
    ("no per kg", "a dose of 5 mg per kg daily", "a dose of 5 mg"),
    ("no statistically", "no statistically significant difference", "significant difference"),
    ("not be", "it will not be a problem for them", "a problem for them"),
    ("did not find a", "we did not find any clear difference", "clear difference"),
    ("no not in a title", "Lack of Benefit of a Drug", "Benefit of a Drug"),
    ("no 未见", "两组未见明显差异", "明显差异"),
    ("no pre-", "a pre-operative visit was made", "operative visit was made"),
    ("no -free", "all were smoke-free in June", "all were smoke"),
    ("stitched", "The aim was good. We saw nothing of use. The end was bad.", "The aim was good. The end was bad."),
    ("stitched with dots", "The aim was good. We saw nothing of use. The end was bad.", "The aim was good. ... The end was bad."),
    ("nothing", "Something is there.", ""),
    ("punctuation", "Something (...) is there.", "(...)"),
    ("too little", "Something is there.", "is"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "quote"), [case[1:] for case in FALSE], ids=[case[0] for case in FALSE])
def test_a_quote_is_not_found_when_something_else_stands_there(text, quote):
    found = locate(quote, Pages(paper("Another page.", f"It says: {text}, and so on.")), page=2)
    assert (found.match, found.page, found.start, found.end, found.quote) == ("not_found", None, None, None, quote)


def test_a_page_that_is_wrong_is_put_right_when_the_quote_is_on_another():
    there = paper("First.", "Ninety patients were randomised.", "Third.")
    assert locate("Ninety patients were randomised", Pages(there), page=3).page == 2


def test_the_page_that_was_named_is_taken_when_the_quote_is_on_several():
    there = paper("n = 90 in all", "text", "n = 90 in all", "n = 90 in all")
    assert [locate("n = 90 in all", Pages(there), page).page for page in (None, 1, 2, 3, 4, 9)] == [1, 1, 1, 3, 4, 4]


def test_the_place_that_was_named_is_taken_when_the_quote_is_twice_on_its_page():
    there = paper("n = 90 here and n = 90 there")
    assert [locate("n = 90", Pages(there), 1, start).start for start in (None, 0, 15, 16)] == [0, 0, 16, 16]


HEAD, FOOT = "Smith et al. Journal of Things 2020", "Page {} of 9"


def printed(*bodies: str) -> Paper:
    return paper(*(f"{HEAD}\n{body}\n{FOOT.format(number)}" for number, body in enumerate(bodies, 1)))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Ninety patients", "were randomised to three groups."),
        ("Ninety patients were ran-", "domised to three groups."),
    ],
)
def test_a_quote_is_found_on_both_pages_when_a_page_ends_within_it(left, right):
    """Its first part is where it begins, the rest on the next page, and between the two stood a head and a foot."""
    there = printed(f"Methods. {left}", f"{right} They were well.", "More.")
    found = locate("Ninety patients were randomised to three groups.", Pages(there), page=2)
    assert (found.page, found.match, found.quote) == (1, "fuzzy", left)
    assert found.rest
    assert the_text(there, found) == left
    assert the_text(there, found.rest[0]) == right.rstrip(".")


def test_a_quote_is_not_found_when_more_than_a_head_and_a_foot_is_between_its_parts():
    """The last line of one page and the first sentence but one of the next are two places."""
    there = printed("Methods. Ninety patients", "They came. They were randomised to three groups.", "More.")
    assert locate("Ninety patients were randomised to three groups", Pages(there)).match == "not_found"
    assert locate("Ninety patients They were randomised", Pages(there)).match == "not_found"


# ------------------------------------------------------------------------------------------------ of real papers


def test_every_true_quote_is_found_in_its_place_when_its_layout_was_spoilt():
    """The quote's, or the page's, in every manner that there is."""
    missed = []
    for case in planting.genuine(10 * len(planting.KINDS), seed=7):
        found = locate(case.quote, Pages(case.paper), page=case.page)
        text = the_text(case.paper, found) if found.page else ""
        if found.page != case.page or text != found.quote:
            missed.append((case.kind, case.quote))
    assert missed == []


@pytest.mark.long
def test_no_false_quote_is_found_when_many_are_planted():
    false = [case for case in forging.planted(330, seed=7) if case.kind in forging.QUOTES]
    assert {case.kind for case in false} == set(forging.QUOTES)
    assert [
        (case.kind, case.quote) for case in false if locate(case.quote, Pages(case.paper)).match != "not_found"
    ] == []


# ------------------------------------------------------------------------------------------------ properties

LETTERS = st.sampled_from("abcdefgKLMßéﬁﬀαβμ0123456789²½ .,;:-–−()[]%/<>=±≥\n\t\u00ad\u2009患者不，。%'\"¼x")
TEXTS = st.text(LETTERS, max_size=80)


@given(TEXTS)
def test_each_character_knows_its_place_when_a_text_is_made_comparable(text):
    """Places are in order, within the text, and nobody's end is before its start."""
    for loose in (False, True):
        form = normal(text, loose=loose)
        assert len(form.text) == len(form.starts) == len(form.ends)
        assert list(form.starts) == sorted(form.starts)
        assert all(0 <= start <= end <= len(text) for start, end in zip(form.starts, form.ends, strict=True))


@given(TEXTS, TEXTS, TEXTS)
def test_what_is_found_is_what_was_asked_for_when_anything_is_found(before, quote, after):
    """◆ The page's text at the place given compares equal to the quote: mutation caught: any offset that is one off."""
    there = paper(before + quote + after)
    found = locate(quote, Pages(there))
    assume(found.page is not None)
    assert the_text(there, found) == found.quote
    forms = itertools.product(("", "raised", "all"), (False, True))
    assert any(
        normal(quote, loose=True, apart=apart).text == normal(found.quote, loose=True, cites=cites, apart=apart).text
        for cites, apart in forms
    )


@given(st.text(LETTERS, min_size=1, max_size=60), st.data())
def test_a_changed_digit_is_never_excused_whatever_stands_around_it(text, data):
    digits = [found.start() for found in re.finditer("[0-9]", text)]
    assume(digits)
    at = data.draw(st.sampled_from(digits))
    digit = data.draw(st.sampled_from([each for each in "0123456789" if each != text[at]]))
    quote = text[:at] + digit + text[at + 1 :]
    assume(normal(quote).text not in normal(text).text)
    assert locate(quote, Pages(paper(text))).match == "not_found"
