"""How many were randomised, in the words that papers use: the total, and nothing that looks like one."""

import pytest

from tests.support.papers import one

TRIAL = "Tea for thirst: a randomised controlled trial"
IN_TRIAL = {"front": TRIAL, "details": {"title": TRIAL}}


def told(abstract, **more):
    return one("n_randomised", abstract=abstract, **more)["value"]


@pytest.mark.parametrize(
    ("sentence", "number"),
    [
        ("Of the 1,027 women randomly assigned, 90% came back.", 1027),
        ("Of 3,021 randomised patients, 2,996 received tea at least once.", 3021),
        ("Of 1 243 282 women invited, 202 638 were recruited and randomly assigned.", 202638),
        ("One-hundred-and-forty men were randomised.", 140),
        ("Fifty- eight men, whom a line's end cut, were randomised.", 58),
        ("In this pilot study 24 men were randomised.", 24),
        ("Twenty-four adults (mean age: 21.3 years; 12 women) were randomly divided into two groups.", 24),
        ("Forty men (thirst of 50 mm on a visual analogue scale (VAS)) were randomised (1:1) to tea or water.", 40),
        ("Girls (n = 114; mean age 16) were randomly assigned to either tea or water.", 114),
        ("In May, 148 women were randomly assigned, three withdrew consent, and 145 drank.", 148),
        ("A total of 106 men with thirst after running were randomly divided into two groups.", 106),
        ("A total of 90 men who required water were randomised.", 90),
        ("The TEAPOT trial randomised 355 men to tea or water.", 355),
        ("We prospectively randomised 98 men to drink either tea or water.", 98),
        ("Ninety women were either randomised to a tea group (44 women) or to a water group (46 women).", 90),
        ("METHODS 60 men were randomised.", 60),
        ("Of 818 families, 227 declined to come, and 300 were randomised into the trial.", 300),
        (
            "In all, 237 women were screened, 178 women were randomised, and 177 women were included in the analysis.",
            178,
        ),
        ("Sixty men were randomly divided into a tea group and drank.", 60),
        ("Sixty American Society of Anesthesiologists class I and II patients were randomly divided into groups.", 60),
        (
            "Adults (n = 150) with three known reasons for thirst on a warm day in a dry room were randomised into groups.",
            150,
        ),
        ("In all, 3,445 men with thirst of more than one day underwent randomisation.", 3445),
        ("We assigned 8442 men in a 1:1 ratio to tea or water.", 8442),
        ("Men (N=1,053) were randomised to tea or water.", 1053),
        ("After a run-in, 312 of 400 men were randomised.", 312),
        ("A sample of 64 men per group was needed; 130 men were randomised.", 130),
        ("Between May and June we saw 436 men and randomised 335, of whom 21 left.", 335),
        ("The 24 rats were block randomised into two groups of 12.", 24),
    ],
)
def test_the_total_is_found_when_it_is_said_in_other_words(sentence, number):
    """Mutations caught: brackets, hyphens, "who required" or "after running" that stop the search for the verb."""
    assert told(sentence) == number


@pytest.mark.parametrize(
    "sentence",
    [
        "This is a phase 3 randomised trial of tea.",
        "These are the results of the TEAPOT 12 randomised trial.",
        "In this 4 x 4 randomised block design tea was served.",
        "We know of 14 randomised controlled studies of tea.",
        "Eight randomised groups drank tea.",
        "Those with a score ≥ 22 randomised to tea or water drank.",
        "Tea was served in 28 randomised clinics.",
        "Fifty-eight and 25 patients were randomised to tea and water.",
        "Fourteen patients randomised in the tea arm slept.",
        "All 184 patients were randomly assigned to a training set (n = 137) and a validation set (n = 47).",
        "Seven randomised patients never drank.",
        "500 men were randomly selected from the register.",
        "Ninety patients from the randomised TEAPOT trial had scans.",
        "There were 940 men: 607 in the tea arm, 243 in the water arm, and 90 assigned to both arms.",
        "Patients (31 women, 7 men) with thirst were randomised to 1 of 3 teas: 20, 60 or 100 ml.",
    ],
)
def test_no_total_is_found_when_the_number_names_or_counts_something_else(sentence):
    """The name of a trial, its phase, its clinics, other trials, one arm, halves of data: none of them is the total."""
    assert told(sentence) is None


@pytest.mark.parametrize(
    ("sentence", "number"),
    [
        ("The trial was carried out in 110 men with thirst.", 110),
        ("This was a randomised, double-blind trial comprising 70 men.", 70),
        ("In this randomised trial, enrolling a total of 430 men, tea was served.", 430),
        ("Of 119 men, 57 received tea and 62 received water.", 119),
        ("In all, 222 women were enrolled (113 in the tea arm and 109 in the water arm).", 222),
        ("Participants were 154 mothers. They were randomly assigned.", 154),
        ("After screening 418 men, a total of 364 were enrolled and received tea.", 364),
        ("Forty-four thirsty men were divided into four equal groups.", 44),
        ("The crossover design was simple. Ten adults (age 47 years) drank tea and water.", 10),
        ("Thirsty were asked. We included 98 patients.", 98),
        ("In a randomised, crossover design, sixteen athletes (age 27 years) drank tea.", 16),
        ("After randomisation, 30 men received tea (n = 15; age 56; 10 smokers) or water (n = 15; age 45).", 30),
        ("Tea or water was given to 76 healthy men in a double-blind, randomised design.", 76),
    ],
)
def test_those_who_entered_are_the_total_when_the_trial_says_no_other(sentence, number):
    assert told(sentence, **IN_TRIAL) == number


@pytest.mark.parametrize(
    "sentence",
    [
        "The tea group included 25 women.",
        "We included 49 patients in the tea group and 50 patients in the water group.",
        "Sixteen people were allocated to 1 mA, 15 people to 2 mA.",
        "At 5 years, 40 men were analysed (22 in the tea and 18 in the water group).",
        "Eighteen men fell ill and died (tea: 5; water: 13 of the group).",
        "Tea was measured in samples from 60 patients enrolled in TEAPOT.",
        "In total, 177 men were included in the per-protocol analysis.",
        "In this randomised study, 70 eyes of 35 men and 60 eyes of 30 women were seen.",
        "We included 98 patients. We recruited 60 women.",
        "Between five and ten men took part in each session.",
    ],
)
def test_those_who_entered_are_no_total_when_they_are_a_part_or_others(sentence):
    """One arm, those analysed or who gave samples, and two numbers of which neither prevails."""
    assert told(sentence, **IN_TRIAL) is None


def test_the_total_is_unclear_when_the_body_says_that_more_were_randomised():
    """Mutation caught: the abstract's number of those analysed, taken for all who were randomised."""
    body = "In total, 224 men were enrolled and randomly assigned to four groups. One man was falsely randomised."
    answer = one("n_randomised", abstract="A trial with 157 men who were randomly assigned to groups.", results=body)
    assert (answer["value"], answer["state"]) == (None, "contradictory")


def test_those_who_entered_are_no_total_when_nothing_is_randomised():
    """Mutation caught: taking any study's number of people for those randomised."""
    assert told("We included 98 patients.", front="Tea for thirst") is None


def test_no_total_is_given_when_the_paper_is_a_secondary_analysis_or_a_review():
    analysis = "Tea for thirst: a secondary analysis of a randomised trial"
    assert told("We included 98 patients.", front=analysis, details={"title": analysis}) is None
    review = "Tea for thirst: a systematic review of trials"
    assert told("Ninety patients were randomised.", front=review, details={"title": review}) is None
    searched = "We asked PubMed, Embase and the Cochrane Library. Ninety patients were randomised."
    assert told(searched) is None
