"""Whether a count is of all who were randomised, or of some of them: what stands around it says so."""

import pytest

from tests.support.papers import one

TRIAL = "Tea for thirst: a randomised controlled trial"
IN_TRIAL = {"front": TRIAL, "details": {"title": TRIAL}}


def told(**parts):
    answer = one("n_randomised", **IN_TRIAL, **parts)
    return answer["value"], answer["state"]


@pytest.mark.parametrize(
    "sentence",
    [
        "Of the men in the tea group, 45 were randomised early.",
        "In centre B, 30 men were randomised.",
        "In the second phase, 40 men were randomised to tea or water.",
        "Forty-five men in the tea group were randomised in May.",
        "Five men were randomised late.",
        "A subgroup of 40 men was randomised to have their thirst filmed.",
        "Randomised patients (n = 40, tea group) were older.",
        "Every 10 men were randomised as one block.",
        "Another 20 men were randomised in June.",
        "Randomisation was stratified by age, and 10 men were randomised per stratum.",
    ],
)
def test_no_total_is_given_when_the_count_is_of_one_group_or_place_or_stage(sentence):
    """Mutation caught: dropping any of WITHIN, IN_ONE, OF_BRACKET, INEXACT and BY_MISTAKE."""
    assert told(results=sentence)[0] is None


@pytest.mark.parametrize(
    "sentence",
    [
        "Data were available for 85 randomised men at 12 months.",
        "The per-protocol population comprised 88 randomised men.",
        "The safety population included 118 randomised men who drank at least once.",
        "The trial was stopped after an interim analysis of 100 randomised men.",
        "The final analysis included 33 men with 11 in each group. Men were randomised.",
        "The intention-to-treat population included 593 men. Men were randomised.",
    ],
)
def test_no_total_is_given_when_the_count_is_of_an_analysis(sentence):
    assert told(results=sentence)[0] is None


@pytest.mark.parametrize(
    "sentence",
    [
        "Within the study period, 98 men were randomised.",
        "At the end of the run-in phase, 98 men were randomised.",
        "Of this group, 98 men were randomised.",
        "In this phase III trial 98 men were randomised.",
        "Ninety-eight men who could read were randomised.",
        "Consent was obtained from 98 men, who were randomised.",
        "In the age group from 18 to 65 years 98 men were randomised.",
    ],
)
def test_the_total_is_found_when_a_period_or_a_group_is_that_of_all(sentence):
    """Mutation caught: any "group", "phase" or "period" before the count."""
    assert told(results=sentence)[0] == 98


def test_those_analysed_are_the_total_when_they_are_all_the_randomised():
    assert told(results="The intention-to-treat population included all 98 randomised men.")[0] == 98


@pytest.mark.parametrize(
    "sentence",
    [
        "Fifteen men were randomised but did not drink.",
        "Eight men who were randomised withdrew at once.",
        "Three men were randomised in error.",
    ],
)
def test_no_total_is_given_when_something_befell_those_counted(sentence):
    assert told(results=sentence)[0] is None


@pytest.mark.parametrize(
    "sentence",
    [
        "Allowing for losses, 150 men were to be randomised.",
        "In all, 150 men had to be randomised to have power.",
        "Each clinic should have randomised 10 men.",
    ],
)
def test_no_total_is_given_when_the_count_is_what_was_meant_to_be(sentence):
    assert told(methods=sentence)[0] is None


@pytest.mark.parametrize(
    "sentence",
    [
        "The men were drawn from the 3000 men randomised in the TEAPOT trial.",
        "In a non-randomised study, 59 men were included.",
        "We retrospectively included 74 men (22 with and 52 without thirst).",
        "A random subsample of 743 men was asked.",
        "Nine men (aged 48.0 ± 6.8 years) and 11 women (aged 43.0 ± 2.0 years) were randomly assigned to tea; 10 men and 13 women had more.",
        "Of 140 men approached, 42 refused and 98 were asked for consent to be assigned.",
    ],
)
def test_no_total_is_given_when_they_are_of_another_study_or_not_all_that_there_are(sentence):
    assert told(methods=sentence)[0] is None


@pytest.mark.parametrize(
    "sentence",
    [
        "Of 300 men screened, 98 fulfilled the criteria and were randomised, 49 to each group.",
        "Sixty-eight men were assessed at the first visit and 43 men met the entry criteria and were randomised.",
        "Of 140 men approached, 42 refused, leaving 98 who were randomised.",
        "In all, 123 men entered the room and had water, 98 were randomised between the arms.",
        "Of 140 men approached, 98 (70%) agreed to take part and were randomised.",
        "Ninety-eight men were eligible, gave consent and were randomly allocated to treatment.",
        "Ninety-eight men were allocated to one of two groups by a computer-generated list.",
        "Ninety-eight men were assigned to tea or water using random numbers.",
        "Sixty-one (62%) of 98 men randomised completed the trial.",
        "In all, 12 of 98 men randomised to tea or water left.",
    ],
)
def test_the_total_is_the_count_before_the_verb_when_others_stand_in_the_sentence(sentence):
    """Mutation caught: giving up at the first count of a sentence whose second one is meant."""
    assert told(results=sentence)[0] == (43 if "43" in sentence else 98)


@pytest.mark.parametrize(
    "abstract",
    [
        "Participants: 98 men with thirst. Interventions: tea (n = 49) or water (n = 49).",
        "Participants: men who were thirsty (n = 98). They drank tea (n = 49) or water (n = 49).",
    ],
)
def test_a_count_is_the_total_when_the_arms_of_another_sentence_make_it(abstract):
    assert told(abstract=abstract)[0] == 98


def test_a_count_is_no_total_when_the_arms_that_make_it_are_of_those_who_were_left():
    left = "Ninety men are many. At the end 90 were analysed: tea (n = 45) and water (n = 45)."
    assert told(abstract=left)[0] is None


def test_those_who_entered_are_no_total_when_the_paper_never_speaks_of_chance():
    """Mutation caught: the two groups of a study in which nobody was randomised."""
    text = "The study included 98 men. Tea (n = 62) and water (n = 36) were compared."
    assert one("n_randomised", front="Tea for thirst", results=text)["state"] == "not_found"
    assert one("n_randomised", front="Tea for thirst", results=f"{text} Teas came in random order.")["value"] == 98


def test_those_allocated_are_the_total_when_the_arms_behind_them_make_it():
    sentence = "Among 190 men, 187 were allocated to 48 cups (n = 94) or 24 cups (n = 93)."
    assert told(results=sentence)[0] == 187
    assert told(results=sentence.replace("94", "90"))[0] is None


def test_those_who_joined_are_the_total_when_the_body_alone_counts_them():
    """Mutation caught: taking a number of the body where it says two, or of an analysis."""
    joined = "Fifty-six men participated in this study and all completed it."
    assert told(methods=joined)[0] == 56
    assert told(methods=f"{joined} In all, 60 men were enrolled in the study.")[0] is None
    assert told(methods="Fifty-six men were included in the analysis.")[0] is None
