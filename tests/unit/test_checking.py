"""What an engine says, held against the paper: a fact, or a value that could not be confirmed."""

from decimal import Decimal
from typing import Any

import pytest

from bench import forging
from clinical.answered import is_found
from clinical.evidence import Pages, check
from clinical.evidence.quantities.quantity import Said, numbers_in
from clinical.evidence.quantities.says_number import says_numbers_of
from clinical.papers import Page, Paper, Section
from clinical.templates import Field

TEXT = (
    "Ninety-four patients (1,234 screened) were randomised 1:1 to drug (n = 47) or placebo (n = 47). "
    "Mean age was 45.2 ± 12.1 years and 36 (38.3%) were women. The change was −0.5 points (P < 0.001). "
    "The dose was 5 mg daily for 12 weeks. Registered as NCT01234567 on 24 March 2015. It was double-blind."
)
PAPER = Paper("pdf", (Page(1, "A title page."), Page(2, TEXT)))


def field(kind: str, *options: str, parts: tuple[Field, ...] = ()) -> Field:
    return Field("f", kind, "F", "F", "", options=options, fields=parts)


def checked(kind, value, quote, *options, **more):
    answer: Any = {"value": value, "state": "found", "quote": quote, "page": 2, **more}
    return check(field(kind, *options), answer, Pages(PAPER))


GOOD = [
    ("integer", 94, "Ninety-four patients", 94),
    ("integer", "94", "Ninety-four patients", 94),
    ("integer", 1234, "1,234 screened", 1234),
    ("integer", 47.0, "drug (n = 47)", 47),
    ("number", 45.2, "Mean age was 45.2", 45.2),
    ("number", "38.3%", "36 (38.3%) were women", 38.3),
    ("number", -0.5, "The change was −0.5 points", -0.5),
    ("string", "45.2 (SD 12.1) years", "Mean age was 45.2 ± 12.1 years", "45.2 (SD 12.1) years"),
    ("string", "<0.001", "P < 0.001", "<0.001"),
    ("string", "1:1", "randomised 1:1 to drug", "1:1"),
    ("string", "2015-03-24", "on 24 March 2015", "2015-03-24"),
    ("string", "5 mg", "The dose was 5 mg daily", "5 mg"),
    ("string", "placebo", "drug (n = 47) or placebo", "placebo"),
]


@pytest.mark.parametrize(("kind", "value", "quote", "stored"), GOOD)
def test_a_value_is_a_fact_when_its_quote_says_it(kind, value, quote, stored):
    found = checked(kind, value, quote)
    assert (found["value"], found["state"], found["page"]) == (stored, "found", 2)
    assert type(found["value"]) is type(stored)
    assert TEXT[found["start"] : found["end"]] == found["quote"]


BAD = [
    ("integer", 95, "Ninety-four patients", "number_not_in_quote"),
    ("integer", 234, "1,234 screened", "number_not_in_quote"),
    ("number", 1.234, "1,234 screened", "number_not_in_quote"),
    ("number", 4.52, "Mean age was 45.2", "number_not_in_quote"),
    ("number", 45, "Mean age was 45.2", "number_not_in_quote"),
    ("number", 0.5, "The change was −0.5 points", "number_not_in_quote"),
    ("integer", 47, "Ninety-four patients", "number_not_in_quote"),
    ("integer", 1234567, "Registered as NCT01234567", "number_not_in_quote"),
    ("string", "45.2 (SD 11.1) years", "Mean age was 45.2 ± 12.1 years", "number_not_in_quote"),
    ("string", ">0.001", "P < 0.001", "number_not_in_quote"),
    ("string", "2:1", "randomised 1:1 to drug", "number_not_in_quote"),
    ("string", "2015-04-24", "on 24 March 2015", "number_not_in_quote"),
    ("string", "5 g", "The dose was 5 mg daily", "number_not_in_quote"),
    ("string", "NCT01234568", "Registered as NCT01234567", "number_not_in_quote"),
    ("string", "NCT0123456", "Registered as NCT01234567", "number_not_in_quote"),
    ("integer", 94, "Ninety-five patients", "quote_not_found"),
    ("integer", 94, "", "no_quote"),
    ("integer", 94, None, "no_quote"),
    ("integer", 94, 7, "no_quote"),
]


@pytest.mark.parametrize(("kind", "value", "quote", "reason"), BAD)
def test_a_value_is_unsupported_and_says_why_when_its_quote_does_not_bear_it_out(kind, value, quote, reason):
    """It is kept, so that a reader can look; it is never a fact."""
    found = checked(kind, value, quote)
    assert (found["value"], found["state"], found["reason"]) == (value, "unsupported", reason)
    assert found["match"] == {"quote_not_found": "not_found", "no_quote": None}.get(reason, "exact")


@pytest.mark.parametrize(
    ("kind", "value", "options", "reason"),
    [
        ("enum", "quadruple", ("open", "double"), "not_an_option"),
        ("enum", True, ("open", "double"), "wrong_type"),
        ("integer", 9.5, (), "wrong_type"),
        ("integer", "nine of ten", (), "wrong_type"),
        ("integer", True, (), "wrong_type"),
        ("number", float("nan"), (), "wrong_type"),
        ("number", float("inf"), (), "wrong_type"),
        ("number", {"a": 1}, (), "wrong_type"),
        ("boolean", "perhaps", (), "wrong_type"),
        ("boolean", 1, (), "wrong_type"),
        ("string", {"a": 1}, (), "wrong_type"),
        ("string", "x" * 5000, (), "wrong_type"),
        ("[string]", {"a": 1}, (), "wrong_type"),
        ("[string]", ["open", "ajar"], ("open", "shut"), "not_an_option"),
    ],
)
def test_there_is_no_value_when_it_is_not_of_its_fields_kind(kind, value, options, reason):
    found = checked(kind, value, "It was double-blind", *options)
    assert (found["value"], found["state"], found["match"], found["reason"]) == (None, "not_found", None, reason)


def test_an_option_is_taken_in_its_own_spelling_when_it_is_written_otherwise():
    assert checked("enum", "Double Blind", "It was double-blind", "open", "double_blind")["value"] == "double_blind"


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        (None, "not_attempted"),
        ({}, "not_found"),
        ({"state": "not_found", "value": None}, "not_found"),
        ({"state": "not_reported", "value": None}, "not_found"),
        ({"state": "not_reported", "value": 7, "quote": "It was double-blind"}, "not_found"),
        ({"state": "contradictory", "value": None}, "not_found"),
        ({"state": "perhaps", "value": 7}, "not_found"),
        ({"state": "found", "value": None}, "not_found"),
        ({"state": "found", "value": []}, "not_found"),
        ({"state": "found", "value": ""}, "not_found"),
    ],
)
def test_there_is_no_value_when_there_is_no_answer(answer, status):
    """That a paper does not report a thing is a claim, and needs the place where somebody looked."""
    found = check(field("integer"), answer, Pages(PAPER))
    assert found == {
        "value": None,
        "state": status,
        "quote": None,
        "page": None,
        "start": None,
        "end": None,
        "match": None,
    }


def test_a_choice_that_says_that_nothing_is_said_needs_no_quote():
    found = check(field("enum", "Y", "N", "NI"), {"value": "NI", "state": "found"}, Pages(PAPER))
    assert (found["value"], found["state"], found["match"]) == ("NI", "not_found", None)


def test_each_entry_of_a_list_has_its_own_evidence_when_it_is_given():
    """And a bad one spoils no other."""
    quotes: Any = [{"quote": "Registered as NCT01234567", "page": 1}, {"quote": "Registered as NCT76543210"}]
    found = check(
        field("[string]"),
        {"value": ["NCT01234567", "NCT76543210"], "state": "found", "evidence": quotes},
        Pages(PAPER),
    )
    assert [each["state"] for each in found["value"]] == ["found", "unsupported"]
    assert (found["quote"], found["page"], found["match"]) == ("Registered as NCT01234567", 2, "exact")


def test_every_entry_is_held_against_the_one_quote_when_a_list_has_one():
    one = checked("[string]", ["NCT01234567", "NCT76543210"], "Registered as NCT01234567")
    assert [each["state"] for each in one["value"]] == ["found", "unsupported"]


ARM = (
    Field("name", "string", "Name", "", ""),
    Field("n_randomised", "integer", "N", "", ""),
    Field("role", "enum", "Role", "", "", options=("experimental", "placebo")),
)


def arms(*told):
    return check(field("[object]", parts=ARM), {"value": list(told), "state": "found"}, Pages(PAPER))


def test_an_entry_of_a_table_is_a_fact_when_its_quotes_say_its_numbers():
    """In one quote or in several; what is no part of the field is left out."""
    found = arms(
        {
            "name": "drug",
            "n_randomised": "47",
            "role": "experimental",
            "quote": "to drug (n = 47)",
            "page": 2,
            "more": 1,
        },
        {
            "name": "placebo",
            "n_randomised": 47,
            "evidence": [{"quote": "It was double-blind"}, {"quote": "placebo (n = 47)"}],
        },
    )
    assert [item["value"] for item in found["value"]] == [
        {"name": "drug", "n_randomised": 47, "role": "experimental"},
        {"name": "placebo", "n_randomised": 47},
    ]
    assert [len(item["evidence"]) for item in found["value"]] == [1, 2]
    assert (found["match"], found["quote"]) == ("exact", "to drug (n = 47)")
    assert is_found(found)


@pytest.mark.parametrize(
    ("told", "reason"),
    [
        ({"name": "drug", "n_randomised": 48, "quote": "to drug (n = 47)"}, "number_not_in_quote"),
        ({"name": "drug", "n_randomised": 48, "quote": "to drug (n = 48)"}, "quote_not_found"),
        ({"name": "drug", "n_randomised": 47}, "no_quote"),
    ],
)
def test_an_entry_is_unsupported_by_itself_when_its_quote_does_not_bear_it_out(told, reason):
    good = {"name": "placebo", "n_randomised": 47, "quote": "placebo (n = 47)"}
    found = arms(good, told)
    assert (found["state"], found["quote"]) == ("found", "placebo (n = 47)")
    assert [item["state"] for item in found["value"]] == ["found", "unsupported"]
    assert found["value"][1]["reason"] == reason
    assert arms(told)["reason"] == reason, "where none is found, the list says why"


def test_an_entry_has_no_value_and_spoils_no_other_when_it_is_not_of_its_columns_kinds():
    found = arms({"name": "drug", "n_randomised": "many"}, {"name": "placebo", "quote": "placebo (n = 47)"})
    assert [(item["state"], item.get("reason")) for item in found["value"]] == [
        ("not_found", "wrong_type"),
        ("found", None),
    ]
    assert is_found(found)


@pytest.mark.parametrize("told", ["drug", [], 7, {"role": "king"}, {"n_randomised": "many"}, {}, {"more": 1}])
def test_a_table_has_no_value_when_an_entry_is_none(told):
    assert arms(told)["value"] is None


def test_both_are_shown_with_their_quotes_when_a_paper_says_two_things():
    """Of one thing said twice, or of two that code cannot both confirm, nothing is contradictory."""
    drug, whole = {"value": 47, "quote": "drug (n = 47)"}, {"value": 94, "quote": "Ninety-four patients"}

    def told(*both: Any) -> Any:
        return check(field("integer"), {"state": "contradictory", "evidence": list(both)}, Pages(PAPER))

    found = told(drug, whole)
    assert (found["state"], found["value"], found["quote"]) == ("contradictory", None, "drug (n = 47)")
    assert [(each["value"], each["page"]) for each in found["evidence"]] == [(47, 2), (94, 2)]
    assert told(drug, drug)["state"] == told(drug, {**whole, "value": 95})["state"] == "not_found"


@pytest.mark.parametrize(
    ("first", "second", "known"), [(47, 95, ("found", 47)), (46, 94, ("found", 94)), (46, 95, ("unsupported", 46))]
)
def test_the_one_that_code_confirms_is_the_value_when_its_engine_names_a_first(first, second, known):
    """As parts of a long paper do, each of which was sure."""
    both: list[Any] = [{"value": first, "quote": "drug (n = 47)"}, {"value": second, "quote": "Ninety-four patients"}]
    told: Any = {**both[0], "state": "contradictory", "evidence": both}
    found = check(field("integer"), told, Pages(PAPER))
    assert (found["state"], found["value"]) == known


CLAIMED = Field("masking", "enum", "Masking", "盲法", "", options=("open", "double"))


def test_that_a_paper_does_not_report_it_is_a_claim_when_a_section_is_named_by_its_heading():
    there = Paper("pdf", (Page(1, "Methods\nTea was served."),), sections=(Section("Methods", "methods", 1, 0),))
    for quote, state in (("Methods", "not_reported"), ("Tea was served.", "not_found"), ("Results", "not_found")):
        found = check(CLAIMED, {"state": "not_reported", "quote": quote}, Pages(there))
        assert found["state"] == state
    claimed = check(CLAIMED, {"state": "not_reported", "quote": "Methods"}, Pages(there))
    assert (claimed["page"], claimed["reason"]) == (1, "claimed")


@pytest.mark.parametrize(
    ("words", "state"),
    [
        ("Tea was served.", "not_reported"),
        ("Assessors were masked.", "not_found"),
        ("It was double-blind.", "not_found"),
        ("研究采用盲法。", "not_found"),
        ("Tea was served.\nResults\nAssessors were masked.", "not_reported"),
    ],
)
def test_a_claim_is_believed_only_when_no_word_of_the_field_stands_in_the_section(words, state):
    """Neither of its choices nor of its label, in either language; what stands in other sections is not that section's."""
    text = f"Methods\n{words}"
    sections = [Section("Methods", "methods", 1, 0)]
    if "Results" in text:
        sections.append(Section("Results", "results", 1, text.find("Results")))
    there = Paper("pdf", (Page(1, text),), sections=tuple(sections))
    assert check(CLAIMED, {"state": "not_reported", "quote": "Methods"}, Pages(there))["state"] == state


def test_a_text_is_called_a_quotation_when_it_says_no_more_than_its_quote():
    said = "The change was −0.5 points (P < 0.001)"
    assert checked("string", said, said)["quotation"] is True
    assert "quotation" not in checked("string", "−0.5 points", said)


def test_the_half_that_says_the_number_is_shown_when_a_page_ends_within_a_quote():
    there = Paper("pdf", (Page(1, "There were in all three"), Page(2, "hundred and 47 patients. More.")))
    found = check(
        field("integer"),
        {"value": 47, "state": "found", "quote": "in all three hundred and 47 patients"},
        Pages(there),
    )
    assert (found["page"], found["quote"], found["match"]) == (2, "hundred and 47 patients", "fuzzy")
    assert (found["continued"][0]["page"], found["continued"][0]["quote"]) == (1, "in all three")


SAYS = [
    ("12.0", "for 12 weeks"),
    ("12", "for 12.0 weeks"),
    ("1,234", "in 1 234 patients"),
    ("1234", "in 1\u202f234 patients"),
    ("1 234", "in 1,234 patients"),
    ("1.5", "a ratio of 1·5 here"),
    ("0.5", "a ratio of .5 here"),
    ("12 patients", "twelve patients"),
    ("twelve patients", "12 patients"),
    ("18 to 65 years", "aged 18–65 years"),
    ("18-65", "between 18 and 65 years"),
    ("5, 10 or 20 mg", "doses of 5, 10 and 20 mg"),
    ("5 mg", "5-10 mg daily"),
    ("5 mg", "5 mg/day"),
    ("5 mg/kg", "5 mg per kg of weight"),
    ("5 mg/kg", "5 mg·kg⁻¹"),
    ("5 micrograms", "5 μg daily"),
    ("36%", "36 per cent of women"),
    ("36 (45%)", "36 women (45%)"),
    ("20 to 45%", "from 20% to 45%"),
    ("45%", "Women, n (%) 36 (45)"),
    ("P < 0.001", "(p<0.001)"),
    ("<0.001", "a P value of less than 0.001"),
    ("P = .03", "p = 0.03"),
    (">=18 years", "aged 18 years or older"),
    ("18 years or older", "aged ≥18 years"),
    ("2:1", "in a two-to-one ratio"),
    ("2:1", "randomised 2 : 1"),
    ("3 x 10^9", "3 × 10⁹ cells"),
    ("12 weeks", "连续12周，每日一次"),
    ("IL-6 at 24 h", "IL‐6 was measured at 24 h"),
    ("10.1186/1745-6215-12-34", "doi: 10.1186/1745-6215-12-34."),
    ("2015-03-24", "24 March 2015"),
    ("one tablet a day", "a tablet each day"),
    ("no one knew", "nobody knew"),
]
DOES_NOT = [
    ("12.1", "for 12 weeks"),
    ("234", "in 1\u202f234 patients"),
    ("1.234", "in 1,234 patients"),
    ("15", "a ratio of 1·5 here"),
    ("thirteen patients", "twelve patients"),
    ("thirteen patients", "12 patients"),
    ("12 to 65 years", "aged 18–65 years"),
    ("5, 10 or 25 mg", "doses of 5, 10 and 20 mg"),
    ("5 g", "5 mg of one and 3 g of another"),
    ("5 mg", "5 µg daily"),
    ("5 mg", "5 mg/kg daily"),
    ("5 mg/kg", "5 mg daily"),
    ("40 mEq", "40 mmol daily"),
    ("36%", "36 patients of 80"),
    ("36%", "36 patients (45%)"),
    ("36 patients", "36% of the patients"),
    ("P > 0.001", "P < 0.001"),
    ("P = 0.001", "P < 0.001"),
    ("0.001", "P < 0.001"),
    ("P < 0.03", "P = 0.03"),
    ("< 18 years", "aged 18 years or older"),
    ("1:2", "randomised 2:1"),
    ("1:2", "in a two-to-one ratio"),
    ("10.1186/1745-6215-34-12", "doi: 10.1186/1745-6215-12-34."),
    ("2015-05-03", "5 March 2015"),
    ("12 weeks", "连续12天，每日一次"),
    ("3", "as Table 3 shows"),
    ("12", "as was shown before [12]"),
    ("两组三十例", "两组四十例"),
]


@pytest.mark.parametrize(("value", "quote"), SAYS)
def test_a_text_is_a_fact_when_its_quote_says_every_number_of_it_in_another_way(value, quote):
    assert says_numbers_of(value, Said(quote))


@pytest.mark.parametrize(("value", "quote"), DOES_NOT)
def test_a_text_is_no_fact_when_a_number_unit_or_sign_of_it_is_another(value, quote):
    assert not says_numbers_of(value, Said(quote))


SHARE = Field("female_percent", "number", "Female, %", "女性比例", "")
COUNT = Field("n", "integer", "N", "例数", "")


@pytest.mark.parametrize(
    ("asked", "value", "quote", "fact"),
    [
        (SHARE, 45, "36 (45%) were women", True),
        (SHARE, 36, "36 (45%) were women", False),
        (SHARE, 36, "36 were women", False),
        (SHARE, 45.2, "Women (%) 45.2 46.0", True),
        (COUNT, 36, "36 (45%) were women", True),
        (COUNT, 45, "36 (45%) were women", False),
        (COUNT, 45, "45 per cent were women", False),
        (COUNT, 100, "n < 100 in each", False),
        (COUNT, 18, "n ≥ 18 in each", True),
        (Field("r", "number", "Risk", "", ""), 45, "in 45% of them", True),
    ],
)
def test_a_percentage_is_no_count_and_a_count_is_no_percentage(asked, value, quote, fact):
    """What is asked for is known from the field's name and label."""
    there = Paper("pdf", (Page(1, f"It is said that {quote}."),))
    assert is_found(check(asked, {"value": value, "state": "found", "quote": quote}, Pages(there))) is fact


COMMON = Paper("pdf", (Page(1, "Of the patients in the study, by intention to treat. All of the patients: double-blind."),
                       Page(2, "It was double-blind, by intention to treat. Of the patients 94 came; of the 94 patients 94.")))  # fmt: skip
CHOICE = Field("q", "enum", "Q", "Q", "", options=("Y", "N", "a"))
MASKING = Field("masking", "enum", "M", "M", "", options=("open", "double"))
POPULATION = Field("analysis_population", "enum", "P", "P", "", options=("itt", "mitt"))


@pytest.mark.parametrize(
    ("asked", "value", "quote", "reason"),
    [
        (CHOICE, "N", "of the patients", "quote_too_short"),
        (MASKING, "double", "double-blind", None),
        (POPULATION, "itt", "intention to treat", None),
        (CHOICE, "N", "in the study", "judged"),
        (CHOICE, "Y", "by intention", "quote_too_short"),
        (CHOICE, "a", "patients", "quote_too_short"),
        (Field("t", "string", "T", "T", ""), "IL-6 by intention", "by intention", "number_not_in_quote"),
        (Field("b", "boolean", "B", "B", ""), True, "of the patients", "quote_too_short"),
        (Field("t", "string", "T", "T", ""), "computer-made list", "of the patients", "quote_too_short"),
        (COUNT, 94, "94", "quote_too_short"),
        (COUNT, 94, "94 patients", None),
    ],
)
def test_a_few_words_that_stand_in_several_places_bear_nothing_out(asked, value, quote, reason):
    """But for those that name the value; and a place that the paper has once is a place."""
    told: Any = {"value": value, "state": "found", "quote": quote, "page": 1}
    assert check(asked, told, Pages(COMMON)).get("reason") == reason


def test_a_few_common_words_are_evidence_when_the_engine_says_at_which_letter_they_stand():
    """The built-in rules do; a model cannot."""
    told: Any = {"value": 94, "state": "found", "quote": "94", "page": 1}
    told |= {"page": 2}
    at = COMMON.pages[1].text.index("94")
    assert is_found(check(COUNT, told | {"start": at}, Pages(COMMON)))
    assert not is_found(check(COUNT, told | {"start": at + 1}, Pages(COMMON)))


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("1,234 and 12.5%", "1234 12.5"),
        ("1 234 567 people", "1 234 567 1234567"),
        ("1\u202f234 people", "1234"),
        ("12,5 kg", "12.5"),
        ("0,05", "0.05"),
        ("P = .05 and 0·01", "0.05 0.01"),
        ("twenty-four of one hundred and twenty", "24 120"),
        ("Ninety patients in three groups of thirty", "90 3 30"),
        ("one thousand two hundred", "1200"),
        ("二十四例，共一百二十例，两组", "24 120 2"),
        ("随机分为60例", "60"),
        ("10–20 mg, −0.5, (-3), 5-7", "10 20 -0.5 -3 5 7"),
        ("1.5 million, 3 × 10⁶", "1.5 1500000 3 3000000 10"),
        ("IL-6, COVID-19, SpO2, 1st, NCT01234567, H2O", ""),
        ("aged 18,19,20", "18 19 20"),
        ("a single-centre, single-blind trial", "1"),
        ("this is one of the best, and no one knew another one", ""),
        ("[1,234] and 5 [3,4]", "1234 5 3 4"),
        ("as in Table 2 and Fig. 3, shown before [12]", ""),
    ],
)
def test_numbers_are_read_in_each_way_that_they_are_written(text, numbers):
    assert numbers_in(text) == {Decimal(number) for number in numbers.split()}


def test_no_false_value_is_a_fact_when_many_are_planted():
    """Another number, unit, comparison, a count for a percentage, words that the paper has everywhere."""
    number = Field("n", "number", "N", "N", "")
    cases = [case for case in forging.planted(330, seed=11) if case.kind in forging.VALUES]
    assert {case.kind for case in cases} == set(forging.VALUES)
    for case in cases:
        told: Any = {"value": case.value, "state": "found", "quote": case.quote, "page": case.page}
        assert not is_found(check(case.field or number, told, Pages(case.paper))), case
