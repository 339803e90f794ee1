"""What a paper says in words: who could take part, what else was counted, how it was analysed; and what only looks like it."""

import pytest

from clinical import rules
from clinical.evidence import Pages, check
from clinical.evidence.disclaimed import RETRACTION
from clinical.templates import find
from sheaf.work_budget import Budget
from tests.support.papers import one, paper


def values(name, **parts):
    answer = one(name, **parts)["value"]
    return [each["name"] if isinstance(each, dict) else each for each in answer or ()]


@pytest.mark.parametrize(
    ("title", "condition"),
    [
        ("Tea in adults with high-functioning autism: a randomised trial", "high-functioning autism"),
        ("A trial of tea in chronic hepatitis B patients", "chronic hepatitis B"),
        ("Green tea for the prevention of falls in asthma", "asthma"),
        ("Tea for patients undergoing aortic valve replacement", "aortic valve replacement"),
        ("Effects of tea in healthy volunteers", "healthy volunteers"),
        ("Rheumatic heart disease in a town: what tea does", "Rheumatic heart disease"),
        ("Tea drinking and the price of milk", None),
        ("Tea in women with a mean age of forty", None),
    ],
)
def test_the_condition_is_what_the_title_names_when_it_names_one(title, condition):
    """Mutation caught: whatever stands behind "with" or "in"."""
    read = paper(front=title, details={"title": title})
    assert rules.answer(read, ["condition"])["condition"]["value"] == condition


def test_the_condition_is_the_abstracts_when_the_title_names_none():
    said = "Patients with asthma experience colds. People without gout were controls."
    assert one("condition", abstract=said)["value"] == "asthma"


@pytest.mark.parametrize(
    ("name", "said", "found"),
    [
        ("inclusion", "Inclusion criteria were age over 18 and a love of tea.", ["Inclusion criteria were age over 18 and a love of tea"]),
        ("inclusion", "Inclusion criteria were: (1) age over 18; (2) a love of tea.", ["age over 18", "a love of tea"]),
        ("inclusion", "Inclusion criteria\n\n• age over 18\n\n• a love of tea\n\nWe poured it.", ["age over 18", "a love of tea"]),
        ("inclusion", "Women were eligible if they drank tea.", ["Women were eligible if they drank tea"]),
        ("inclusion", "Children with colds admitted to the ward were recruited.", ["Children with colds admitted to the ward were recruited"]),
        ("inclusion", "People who met the inclusion criteria were given tea.", []),
        ("inclusion", "Eligible women were given written information.", []),
        ("inclusion", "Patients with missing data were included in the analysis.", []),
        ("exclusion", "Exclusion criteria were pregnancy; gout; and use of milk.", ["pregnancy", "gout", "use of milk"]),
        ("exclusion", "Patients with gout or colds were excluded from the study.", ["Patients with gout or colds were excluded from the study"]),
        ("exclusion", "Exclusion criteria included taking part in another trial.", ["Exclusion criteria included taking part in another trial"]),
        ("exclusion", "Three patients were excluded because they left.", []),
        ("exclusion", "Patients with gout were not excluded.", []),
        ("exclusion", "Lee et al. excluded patients who had gout.", []),
    ],
)  # fmt: skip
def test_criteria_are_listed_when_the_paper_lists_them(name, said, found):
    """Mutation caught: who was left out afterwards, and sentences that only use the word."""
    assert values(name, methods=said) == found


def test_a_sentence_is_a_quotation_when_the_value_only_repeats_it():
    """Mutation caught: taking more than the full stop away."""
    said = "Women were eligible for this trial if they drank black tea every day."
    read = paper(methods=said)
    field = next(each for each in find("rct").fields if each.name == "inclusion")
    stored = check(field, rules.answer(read, ["inclusion"])["inclusion"], Pages(read, Budget()))
    assert [(each["state"], each.get("quotation")) for each in stored["value"]] == [("found", True)]


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("Secondary outcomes were sleep and mood.", ["sleep and mood"]),
        ("The primary outcome was joy, and secondary outcomes were sleep and mood.", ["sleep and mood"]),
        ("Secondary outcome measures were:\n\n• hours of sleep\n\n• mood at night\n\nWe poured.", ["hours of sleep", "mood at night"]),
        ("All secondary outcomes were assessed by post.", []),
        ("Secondary outcomes were similar in both groups.", []),
    ],
)  # fmt: skip
def test_secondary_outcomes_are_named_when_a_sentence_or_a_list_names_them(said, found):
    assert values("secondary_outcomes", methods=said) == found


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("Sex was compared by Fisher's exact test. The primary outcome was analysed by linear regression.", "The primary outcome was analysed by linear regression."),
        ("Groups were compared with the Mann-Whitney test.", "Groups were compared with the Mann-Whitney test."),
        ("Baseline characteristics were compared using t tests.", None),
        ("The sample size was based on a t test with 80% power.", None),
    ],
)  # fmt: skip
def test_the_method_is_the_main_analysis_when_several_are_named(said, found):
    assert one("statistical_method", methods=said)["value"] == found


TRIAL = "This was a randomised controlled trial of tea."


@pytest.mark.parametrize(
    ("name", "said", "answer"),
    [
        ("rob_1_1", "A computer-generated random sequence was used.", "Y"),
        ("rob_1_1", "Patients were randomised by odd or even date of birth.", "N"),
        ("rob_1_2", "Allocation was concealed in opaque, sealed envelopes.", "Y"),
        ("rob_1_2", "Allocation was concealed in sealed envelopes.", None),
        ("rob_2_1", "Patients were blinded to treatment allocation.", "N"),
        ("rob_2_2", "This was an open-label trial.", "Y"),
        ("rob_4_3", "This was an open-label trial.", None),
        ("rob_4_3", "Outcome assessors were blinded to the group.", "N"),
        ("rob_2_6", "The analysis was by intention to treat.", "Y"),
        ("rob_2_6", "The per-protocol analysis was used.", "N"),
    ],
)
def test_a_question_is_answered_when_one_sentence_of_a_trial_settles_it(name, said, answer):
    """Mutation caught: asking a trial what is asked of cohorts, or taking any envelope for concealment."""
    told = one(name, abstract=TRIAL, methods=said)
    assert told["value"] == answer
    assert (told["quote"] == said) is (answer is not None)


@pytest.mark.parametrize(
    ("name", "said", "answer"),
    [
        ("nos_o1", "Deaths were identified through linkage to the national death registry.", "b"),
        ("nos_o1", "Deaths in the study by Lee et al. were identified through death certificates.", None),
        ("rob_1_1", "The random sequence was computer-generated.", None),
    ],
)
def test_a_question_is_answered_when_one_sentence_of_a_cohort_settles_it(name, said, answer):
    assert one(name, abstract="This was a prospective cohort study of tea.", methods=said)["value"] == answer


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("AB received fees from Acme. The other authors declare no conflict of interest.", "AB received fees from Acme. The other authors declare no conflict of interest."),
        ("Tea was good. All other authors declare no conflict of interest.", None),
        ("The authors declare no conflict of interest.", "The authors declare no conflict of interest."),
    ],
)  # fmt: skip
def test_what_the_others_declare_is_the_end_of_a_declaration_when_there_is_a_beginning(said, value):
    assert one("conflicts", discussion=said)["value"] == value


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("Our study has strengths and limitations. It was large. The main limitation is that it was short.", "The main limitation is that it was short."),
        ("Strengths and limitations of this study\n\nIt was large.", None),
        ("Limitations of this study\n\nThe cups were small.", "The cups were small."),
        ("We counted no cups. This is a limitation of our study.", "We counted no cups. This is a limitation of our study."),
    ],
)  # fmt: skip
def test_limitations_are_what_limits_when_a_heading_or_strengths_stand_before_them(said, value):
    assert one("limitations", discussion=said)["value"] == value


def test_a_heading_is_no_calculation_when_it_has_its_words():
    assert one("sample_size_calculation", methods="Power Analysis\n\nTea was poured.")["state"] == "not_found"


@pytest.mark.parametrize(
    ("said", "state"),
    [
        ("This study received no funding.", "found"),
        ("Other trials received no funding from industry.", "not_found"),
        ("The town had no funding for tea.", "not_found"),
    ],
)
def test_nobody_paid_when_that_is_said_of_this_study(said, state):
    assert one("funding", front=said)["state"] == state


@pytest.mark.parametrize(
    "said",
    [
        "The study was conducted in nurses who worked in a university hospital.",
        "Scans were performed and read at a university hospital.",
        "The study was done after adjusting for having attended primary schools.",
    ],
)
def test_a_place_is_no_setting_when_others_were_there(said):
    assert one("setting", methods=said)["state"] == "not_found"


@pytest.mark.parametrize(
    ("printed", "doi"),
    [
        ("10.1000/tea.2012.1https://doi.org/10.1000/tea.2012.1", "10.1000/tea.2012.1"),
        ("10.1000/tea.2012.110.1000/milk.3", "10.1000/tea.2012.1"),
    ],
)
def test_the_first_doi_is_taken_when_two_run_together(printed, doi):
    assert one("doi", front=f"DOI: {printed}")["value"] == doi


def test_the_surname_is_the_publishers_when_it_has_several_words():
    details = {"authors": ["Ann García López", "Bo Ox"], "surname": "García López"}
    assert one("first_author", front="Ann García López, Bo Ox", details=details)["value"] == "García López"


@pytest.mark.parametrize(
    ("title", "is_one"),
    [
        ("Retraction: Tea for two", True),
        ("Retraction notice to “Tea for two”", True),
        ("RETRACTED: Tea for two", True),
        ("Retraction of the eyelid after tea", False),
    ],
)
def test_a_retraction_is_named_when_the_title_says_so(title, is_one):
    assert bool(RETRACTION.match(title)) is is_one
    said = {"abstract": "It was tea (p < 0.05).", "front": title, "details": {"title": title}}
    assert (one("report_type", **said)["state"] == "not_found") is is_one
