"""Kind of study, allocation and masking: what the paper calls itself, not what it says of others."""

import pytest

from clinical import rules
from clinical.papers import Page, Paper, Section
from tests.support.papers import one

TRIAL = "In this randomised trial patients were randomly assigned to two groups."


def told(name, sentence, part="abstract"):
    answer = one(name, **{part: sentence})
    return answer["value"], answer["state"]


@pytest.mark.parametrize(
    ("sentence", "design"),
    [
        (TRIAL, "parallel"),
        ("A randomised, parallel-group trial.", "parallel"),
        ("A randomised crossover trial.", "crossover"),
        ("We did a cluster-randomised trial of 40 villages.", "cluster"),
        ("In this trial 24 schools were randomly assigned to tea or water.", "cluster"),
        ("In this trial randomisation was at the level of the practice.", "cluster"),
        ("In this trial we randomly assigned 24 villages to tea or water.", "cluster"),
        ("In this randomised trial the unit of randomisation was the school.", "cluster"),
        ("A randomised trial, in which GPs were the unit of randomisation.", "cluster"),
        ("A randomised trial with a 2 x 2 factorial design.", "factorial"),
        ("A randomised parallel trial with a 2 x 2 factorial design.", "factorial"),
        (f"{TRIAL} A factorial design of tea by time was tested by ANOVA.", "parallel"),
        ("Tea was compared with water in a double-blind crossover study.", "crossover"),
        ("A stepped-wedge cluster randomised trial.", "stepped_wedge"),
        ("A prospective cohort study of tea.", "prospective"),
        ("A retrospective cohort study of tea.", "retrospective"),
        ("A nested case-control study within a prospective cohort.", "nested_case_control"),
        ("In this trial, 120 patients from five hospitals were randomly assigned to tea or water.", "parallel"),
        (f"{TRIAL} They could cross over at progression.", "parallel"),
        (f"{TRIAL} Three men crossed over to surgery.", "parallel"),
        (f"{TRIAL} The trial's outcome was seen before cross over.", "parallel"),
    ],
)
def test_the_design_is_found_when_the_paper_names_it(sentence, design):
    assert told("design", sentence) == (design, "found")


@pytest.mark.parametrize(
    ("sentence", "status"),
    [
        ("We describe tea.", "not_found"),
        ("A larger randomised crossover trial is needed.", "not_found"),
        ("A single-arm study; patients were not randomised.", "contradictory"),
        (f"{TRIAL} The GPs at each place were randomised.", "contradictory"),
        ("A prospective cohort study. It was a retrospective cohort study.", "contradictory"),
        ("In this randomised trial the order of teas was random.", "contradictory"),
        ("In a randomised trial men in groups crossed over to the other tea.", "contradictory"),
        ("Further prospective randomised studies of tea are required.", "not_found"),
        ("Randomised controlled trials of tea were small.", "not_found"),
        ("Mendelian randomization was used.", "not_found"),
        ("Men were randomly divided into a training set and a test set.", "not_found"),
    ],
)
def test_no_design_is_given_when_the_signs_are_of_others_or_contradict(sentence, status):
    assert told("design", sentence) == (None, status)


@pytest.mark.parametrize(
    ("sentence", "masking"),
    [
        ("This double-blind trial.", "double"),
        ("A triple-blinded study.", "triple"),
        ("A single-blind trial.", "single"),
        ("An assessor-blinded trial.", "single"),
        ("A randomised, open-label trial.", "open"),
        ("An open-label, assessor-blinded trial.", "open"),
        ("A randomised, open, blinded end-point trial.", "open"),
        ("A doubly blind, randomised trial.", "double"),
        ("A double-blind trial with an open-label extension.", "double"),
        ("In this randomised trial neither the patients nor the surgeons knew which treatment was given.", "double"),
        ("In this randomised trial blinding of the men was not possible.", "open"),
        ("In this randomised trial patients and surgeons were not blinded.", "open"),
        ("Patients and investigators were masked to treatment allocation.", "double"),
        ("Outcome assessors were blinded to group allocation.", "single"),
        ("Patients were aware of the tea, whereas assessors were masked to treatment allocation.", "single"),
        ("Data came from research assistants who were blinded to group assignment.", "single"),
    ],
)
def test_masking_is_found_when_the_trial_says_it(sentence, masking):
    assert told("masking", sentence) == (masking, "found")


@pytest.mark.parametrize(
    "sentence",
    [
        "After a single-blind placebo run-in they drank tea.",
        "An open-label extension followed.",
        "Lee et al. did a double-blind trial.",
        "Patients could not be blinded to tea.",
        "The face mask was worn.",
        "They were colour blind.",
        "Seven open-label trials of tea were small.",
        "In the open hernia repair trial patients were randomised.",
        "We intend to do a double-blind trial.",
        "In this prospective cohort study, readers of scans were blinded to the group.",
        "Men were unaware of the risks of tea.",
        "In this randomised trial patients and nurses were aware of the risks of tea.",
        "Slides were double-blind scored by two pathologists.",
        "The trial was not double-blind.",
        "In this randomised trial blinding of the men was not possible, although raters had no list.",
    ],
)
def test_no_masking_is_given_when_it_is_a_phase_another_study_or_denied(sentence):
    assert told("masking", sentence)[0] is None


def test_masking_is_the_titles_when_the_abstract_speaks_of_another_part():
    title = "Tea for thirst: a double-blind, randomised trial"
    part = "In part 2 tea was given open-label."
    assert one("masking", front=title, abstract=part, details={"title": title})["value"] == "double"


def test_no_design_and_no_masking_are_given_when_the_paper_is_a_review():
    """Mutation caught: a review's "we included double-blind, randomised trials" taken for the paper's own design."""
    title = "Tea for thirst: a meta-analysis"
    for name in ("design", "masking", "study_type_detected"):
        assert (
            one(name, front=title, abstract=f"A double-blind trial. {TRIAL}", details={"title": title})["value"] is None
        )


def test_no_cohort_is_found_when_cases_are_compared_with_controls():
    title = "Tea for thirst: a retrospective case-control study"
    found = one("design", front=title, abstract="A retrospective study.", details={"title": title})
    assert found["state"] == "contradictory"


def test_masking_is_unclear_when_the_abstract_says_two_things():
    assert told("masking", "A double-blind trial. This single-blind trial went well.") == (None, "contradictory")


def test_no_masking_is_given_when_only_the_discussion_has_the_word():
    """Mutation caught: the double-blind trial that the discussion compares with."""
    assert told("masking", "The double-blind trial of tea was larger.", "discussion") == (None, "not_found")


def test_masking_is_found_in_a_discussion_when_it_is_said_of_this_trial():
    assert told("masking", "This was a single-blind trial.", "discussion") == ("single", "found")


def test_masked_roles_are_listed_when_each_is_named():
    found = one(
        "masked_roles", methods="Patients, surgeons and outcome assessors were blinded to treatment allocation."
    )
    assert found["value"] == ["participant", "provider", "assessor"]


@pytest.mark.parametrize(
    ("sentence", "kind"),
    [
        ("The sequence was randomly generated by computer.", "computer"),
        ("A table of random numbers decided on allocation to random groups.", "table"),
        ("Allocation was by minimisation with random elements in software.", "minimisation"),
        ("Randomisation was by coin toss.", "coin"),
        ("Patients with odd numbers were randomised to tea.", "nonrandom"),
    ],
)
def test_the_sequence_is_found_when_its_making_is_told(sentence, kind):
    assert told("sequence_generation", sentence, "methods") == (kind, "found")


def test_the_sequence_is_unclear_when_chance_and_no_chance_are_told():
    text = "Randomisation was by computer. Patients were randomised by odd and even numbers."
    assert told("sequence_generation", text, "methods") == (None, "contradictory")


@pytest.mark.parametrize(
    ("sentence", "kind"),
    [
        ("Allocation was kept in sealed opaque envelopes.", "sealed_envelope"),
        ("Random allocation was by a central telephone service.", "central"),
        ("The pharmacy kept the allocation code.", "pharmacy"),
    ],
)
def test_concealment_is_found_when_the_allocation_is_hidden(sentence, kind):
    assert told("allocation_concealment", sentence, "methods") == (kind, "found")


@pytest.mark.parametrize(
    ("sentence", "kind"),
    [
        ("Randomisation was in blocks of four.", "block"),
        ("Block randomisation was stratified by age.", "stratified"),
        ("Simple randomisation was used.", "simple"),
    ],
)
def test_the_restriction_is_found_when_it_is_told(sentence, kind):
    assert told("restriction", sentence, "methods") == (kind, "found")


@pytest.mark.parametrize(
    ("sentence", "ratio"),
    [
        ("Patients were randomised 2:1 to tea or water.", "2:1"),
        ("The allocation ratio was 1 : 1.", "1:1"),
        ("Controls were matched 1:4.", None),
        ("Sera were diluted 1:200 in random order.", None),
    ],
)
def test_the_ratio_is_the_allocations_when_one_is_printed(sentence, ratio):
    assert told("allocation_ratio", sentence, "methods")[0] == ratio


@pytest.mark.parametrize(
    ("title", "abstract", "kind"),
    [
        ("Tea: study protocol for a randomised trial", "We will serve tea.", "protocol"),
        ("Tea: a pilot randomised trial", "Tea was served.", "pilot"),
        ("Tea: a secondary analysis of a trial", "Tea was served.", "secondary_analysis"),
        ("Tea: a randomised trial", "Tea was better (p < 0.01).", "results"),
    ],
)
def test_the_report_is_of_a_kind_when_title_or_abstract_say_so(title, abstract, kind):
    assert one("report_type", front=title, abstract=abstract, details={"title": title})["value"] == kind


def test_the_report_is_a_protocol_when_its_methods_are_called_design_and_there_are_no_results():
    text = "Tea for thirst\n\nMethods/Design\nSubjects will be randomised.\n"
    told = Paper("text", (Page(1, text),), (Section("Methods/Design", "methods", 1, text.index("Methods")),))
    assert rules.answer(told, ["report_type"])["report_type"]["value"] == "protocol"


def test_a_pilot_is_not_the_report_when_the_paper_only_had_one_before():
    found = one("report_type", abstract="Tea was better (p < 0.01).", methods="After this pilot trial we went on.")
    assert found["value"] == "results"


@pytest.mark.parametrize(
    ("abstract", "kind", "status"),
    [
        (TRIAL, "rct", "found"),
        ("A prospective cohort study.", "cohort", "found"),
        ("A non-randomised trial.", None, "contradictory"),
        ("We like tea.", None, "not_found"),
    ],
)
def test_the_study_type_is_detected_when_the_paper_says_it(abstract, kind, status):
    assert told("study_type_detected", abstract) == (kind, status)


@pytest.mark.parametrize(
    ("methods", "roles"),
    [
        ("In this double-blind trial both the researcher and the subject were blinded to the condition.", ["participant", "provider"]),
        ("Nobody said why, and patients were blind to group allocation.", ["participant"]),
        ("In this double-blind trial patients were blinded to treatment.", None),
        ("The trained administrator was blind to participant group allocation.", None),
        ("Patients were blinded to the allocation. A technician who was blinded to the groups took the readings.", None),
        ("The physician performing the readings was blinded to the treatment.", None),
        ("Patients and carers who assessed the outcomes were blinded to the treatment.", None),
        ("Neither the patients nor the nurses were aware of the treatment.", ["participant", "provider"]),
    ],
)  # fmt: skip
def test_masked_roles_are_all_that_were_masked_when_any_are_given(methods, roles):
    assert one("masked_roles", abstract=TRIAL, methods=methods)["value"] == roles


@pytest.mark.parametrize(
    ("abstract", "kind"),
    [
        ("In this cohort study men drank tea. The results justify a randomised trial.", "cohort"),
        ("This retrospective study is on tea. A randomised controlled trial should test it.", "cohort"),
        ("This cohort study used the data of a randomised controlled trial.", None),
        ("In this retrospective cohort study men were randomly assigned to tea or water.", "rct"),
        ("This randomised trial could be stopped early. Men drank tea.", "rct"),
    ],
)
def test_a_cohort_study_is_no_trial_when_it_calls_for_one(abstract, kind):
    assert one("study_type_detected", abstract=abstract)["value"] == kind


def test_nothing_is_said_of_a_trial_when_the_paper_asks_those_who_were_in_one():
    title = "A survey of what women understood of a randomised controlled trial of tea"
    told = {
        "front": title,
        "abstract": "Women answered.",
        "methods": "The trial was double-blind, and a computer made the random sequence.",
    }
    fields = ("design", "masking", "sequence_generation", "n_randomised")
    assert [one(field, **told, details={"title": title})["value"] for field in fields] == [None] * 4


def test_a_pilot_is_a_trials_when_only_the_abstract_speaks_of_it():
    results = "Thirst was less in 12 men."
    assert one("report_type", abstract="We conducted a pilot study of records.", results=results)["value"] == "results"
    assert one("report_type", abstract=f"{TRIAL} We conducted a pilot study.", results=results)["value"] == "pilot"
