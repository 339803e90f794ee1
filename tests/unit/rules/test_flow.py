"""How many people: each number for what its sentence says it is, and for nothing else."""

import pytest

from clinical.evidence.quantities.people_counts import count
from tests.support.papers import one

ABSENT = (None, "not_found")


def told(name, sentence, part="results"):
    answer = one(name, **{part: sentence})
    return answer["value"], answer["state"]


@pytest.mark.parametrize(
    ("words", "number"),
    [
        ("ninety", 90),
        ("Forty-two", 42),
        ("one hundred and twenty", 120),
        ("two thousand three hundred", 2300),
        ("1,234", 1234),
        ("1 234", 1234),
        ("12", 12),
        ("one-hundred-and-twelve", 112),
    ],
)
def test_a_count_is_read_when_it_is_written_in_either_way(words, number):
    assert count(words) == number


@pytest.mark.parametrize(
    ("sentence", "number"),
    [
        ("Ninety patients were randomised.", 90),
        ("A total of 1,204 women were randomly assigned to tea or water.", 1204),
        ("We screened 300 patients, of whom 120 were randomised.", 120),
        ("Between May and June, 300 were seen and 120 were assigned to tea (n = 60) or water (n = 60).", 120),
        ("In all, 120 patients who came in May were randomly allocated to one of two arms.", 120),
        ("We randomised 120 patients.", 120),
        ("Patients with thirst (N = 120) were randomized 1:1 to tea or water.", 120),
        ("A total of 120 patients were randomised: 61 to tea and 59 to water.", 120),
        ("A total of 90 patients were randomized (45 in each group).", 90),
        ("Of the 120 randomised patients, 12 left.", 120),
        ("Randomized (n = 120)", 120),
        ("Sixty adults were recruited. They were randomly divided into three groups.", 60),
        (
            "Randomisation was simple. Overall 100 patients were included. Tea (n = 51) and water (n = 49) were alike.",
            100,
        ),
    ],
)
def test_the_total_is_found_when_a_sentence_says_who_was_randomised(sentence, number):
    assert told("n_randomised", sentence) == (number, "found")


@pytest.mark.parametrize(
    "sentence",
    [
        "We will randomise 200 patients.",
        "A sample size of 120 patients to be randomised was planned.",
        "Sixty patients were randomised to receive tea.",
        "Sixty patients were randomised to tea and 58 to water.",
        "Twelve of the randomised patients left.",
        "We screened 300 patients for eligibility.",
        "Data of 110 patients were analysed.",
        "A previous trial randomised 400 patients to tea or water.",
        "Lee et al. randomised 400 patients to tea or water.",
        "Sixty patients were excluded before 120 women could be randomised to tea or water.",
        "Thirty villages were randomised.",
        "Overall 100 patients were included.",
        "Of 2015 and 2016 patients nothing is known.",
    ],
)
def test_no_total_is_given_when_the_number_is_something_else(sentence):
    """One arm, a part, a plan, another trial, those screened or analysed: none of them is the total."""
    assert told("n_randomised", sentence)[0] is None


def test_the_total_is_unclear_when_two_are_said():
    text = "Ninety patients were randomised to tea or water. In all 91 patients were randomised to tea or water."
    assert told("n_randomised", text) == (None, "contradictory")
    assert told("n_randomised", f"{text} We randomised 90 patients.") == (None, "contradictory")


def test_no_total_is_given_when_the_discussion_or_a_protocol_says_it():
    assert told("n_randomised", "Ninety patients were randomised.", "discussion") == ABSENT
    details = {"title": "Tea for thirst: study protocol for a trial"}
    found = one("n_randomised", front=details["title"], methods="Ninety patients were randomised.", details=details)
    assert found["state"] == "not_found"


@pytest.mark.parametrize(
    ("name", "sentence", "number"),
    [
        ("n_screened", "We screened 300 patients, of whom 120 were randomised.", 300),
        ("n_screened", "In total, 200 potential participants were assessed for eligibility.", 200),
        ("n_screened", "Assessed for eligibility (n = 300)", 300),
        ("n_analysed", "In all, 110 patients were included in the final analysis.", 110),
        ("n_analysed", "Data from 78 participants were thus analyzed.", 78),
        ("n_planned", "A sample size of 450 patients was planned.", 450),
        ("n_planned", "We will recruit 2,200 adults.", 2200),
        ("n_planned", "The sample size was estimated to be 294 patients.", 294),
        ("n_planned", "A power calculation showed that 1400 participants would be sufficient to detect it.", 1400),
        ("n_planned", "A sample size of 800 patients was needed to detect fewer complications.", 800),
        ("n_planned", "The sample size was increased to 80 to be safe.", 80),
        (
            "n_planned",
            "A total sample size of 36 was needed. Considering drop-out, 40 subjects were planned to be included.",
            40,
        ),
        ("n_planned", "The sample size was chosen for 40 men a group and a total number of 80.", 80),
        ("n_planned", "The committee advised to reduce the sample size to 120 men.", 120),
        ("n_planned", "The sample size required was 128 patients (64 per group).", 128),
        ("n_planned", "A sample size of 30 per group (60 in total) was calculated.", 60),
        ("n_planned", "A total of 200 patients had to be recruited to achieve 80% power.", 200),
        ("n_analysed", "All men (n = 95) were included in the safety sample.", 95),
        ("n_analysed", "Finally, we included 430 adults in the main analyses.", 430),
    ],
)
def test_each_number_is_its_own_when_the_sentence_says_which(name, sentence, number):
    assert told(name, sentence, "methods") == (number, "found")


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("n_screened", "Ninety patients were randomised."),
        ("n_analysed", "Ninety patients were randomised to tea or water."),
        ("n_analysed", "In the tea group, 40 patients in the tea group were included in the analysis."),
        ("n_analysed", "An analysis of seven patients with tea and eight patients with water showed a trend."),
        ("n_planned", "The reliability of the scale was calculated in 15 people and estimated to be good."),
        ("n_planned", "A sample size of 45 patients per group was needed."),
        ("n_planned", "A sample of 60 patients was needed in each group."),
        ("n_planned", "Ninety patients were randomised."),
        ("n_planned", "A post hoc analysis showed that a sample size of 95 patients had a power of 82%."),
        ("n_planned", "The sample size of 95 patients gave 82% power to detect a difference."),
        ("n_planned", "For the subgroup analysis of the trial 40 women were required."),
        ("n_planned", "Adverse events in the trial required treatment in 12 patients."),
        ("n_planned", "After randomisation a transfusion was required in 12 patients."),
        ("n_analysed", "Blood samples from 20 patients were analysed."),
        ("n_analysed", "A subgroup of 30 patients was included in the analysis."),
        ("n_analysed", "The per-protocol analysis included 80 patients."),
        ("n_planned", "Of an estimated 1,900 eligible women able to be approached, 700 came."),
        ("n_planned", "An interim analysis was planned after 40 patients were included."),
        ("n_planned", "Green et al. calculated that a sample size of 90 patients was needed."),
    ],
)
def test_no_number_is_taken_for_another_when_the_sentence_says_something_else(name, sentence):
    assert told(name, sentence, "methods") == ABSENT


@pytest.mark.parametrize(
    ("sentence", "arms"),
    [
        ("Patients were randomly assigned to tea (n = 61) or placebo (n = 59).", [("tea", 61), ("placebo", 59)]),
        ("120 patients were randomised: 61 to green tea and 59 to water.", [("green tea", 61), ("water", 59)]),
        (
            "After five left, 75 patients were randomly assigned to either the tea (n = 38) or no tea (n = 37) group.",
            [("tea", 38), ("no tea", 37)],
        ),
        (
            "Women were randomised to either green tea (tea group, n = 10) or water (control, n = 12).",
            [("green tea", 10), ("water", 12)],
        ),
    ],
)
def test_arms_are_listed_when_one_sentence_names_them_with_their_sizes(sentence, arms):
    found = one("arms", results=sentence)["value"]
    assert [(arm["name"], arm["n_randomised"]) for arm in found] == arms
    assert [arm.get("role") for arm in found if arm["name"] == "placebo"] in ([], ["placebo"])


@pytest.mark.parametrize(
    "sentence",
    [
        "Patients were randomly assigned to tea (n = 61).",
        "Tea (n = 61) and water (n = 59) tasted alike.",
        "Villages were randomly assigned to tea (n = 61) or water (n = 59) as clusters.",
        "Patients were randomly assigned to a training set (n = 61) and a test set (n = 59).",
        "Of those randomly assigned some were excluded (n = 4) and some died (n = 5).",
    ],
)
def test_no_arms_are_listed_when_the_sizes_are_of_something_else(sentence):
    assert one("arms", results=sentence)["value"] is None


@pytest.mark.parametrize(
    ("sentence", "arms"),
    [
        ("Of 40 men, 20 were randomised to tea and 20 to water.", [("tea", 20), ("water", 20)]),
        ("Forty men were randomised to the tea group (21 men) and the water group (19 men).", [("tea group", 21), ("water group", 19)]),
        ("Forty men were randomised; 21 received tea and 19 received water.", [("tea", 21), ("water", 19)]),
        ("Forty men were randomised to arm A (n = 21) or arm B (n = 19).", [("arm A", 21), ("arm B", 19)]),
        ("Forty men were randomised (21 tea and 19 water).", [("tea", 21), ("water", 19)]),
        ("Forty men were randomly divided into two groups of 20: group A had tea, group B had water.", [("group A", 20), ("group B", 20)]),
        ("Forty men were randomised to group 1 (tea) or group 2 (water). There were 20 men in each group.", [("group 1", 20), ("group 2", 20)]),
        ("Forty men were randomised to tea or water.\n\n | Tea (n = 21) | Water (n = 19) | P\n\nAge | 30 | 31 | 0.5", [("Tea", 21), ("Water", 19)]),
        ("Forty men were randomised to tea or water.\n\n | All (n = 40) | Tea (n = 21) | Water, n = 19\n\nAge | 30 | 31 | 29", [("Tea", 21), ("Water", 19)]),
    ],
)  # fmt: skip
def test_arms_are_listed_when_they_make_up_the_randomised(sentence, arms):
    found = one("arms", results=sentence)["value"]
    assert [(arm["name"], arm["n_randomised"]) for arm in found] == arms


@pytest.mark.parametrize(
    "sentence",
    [
        "Forty men were randomised at a hospital in Lund (n = 21) or a clinic in Bergen (n = 19).",
        "Forty men were randomised. Of these, men (n = 21) and women (n = 19) drank tea in one group.",
        "Forty men were randomised. In the groups of the first week (n = 21) and the second week (n = 19) they drank tea.",
        "In all, 90 men were randomised. Those randomised to tea (n = 20) and water (n = 21) slept well.",
        "Forty men were randomised to tea or water.\n\nReason | n\n\nToo far | 21\n\nNo time | 19",
        "Forty men were randomised to tea or water.\n\n | Swedes (n = 21) | Danes (n = 19)\n\nAge | 30 | 31",
        "Forty men were randomised.\n\n | Male (n = 21) | Female (n = 19)\n\nAge | 30 | 31",
        "Forty men were randomised.\n\n | Tea (n = 20) | Water (n = 18)\n\nAge | 30 | 31",
        "In the earlier trials 40 men were randomised in TEAPOT 1: 21 to tea and 19 to water.",
        "Forty men were randomised to three groups: tea (n = 21), water (n = 9).",
    ],
)
def test_no_arms_are_listed_when_they_are_places_times_sexes_or_not_all(sentence):
    assert one("arms", results=sentence)["value"] is None


def test_an_arm_has_the_line_of_its_size_and_the_line_of_its_head_when_a_table_says_it():
    table = "Forty men were randomised to tea or water.\n\n | Tea | Water\n\nRandomised | 21 | 19\n\nAge | 30 | 31"
    tea, water = one("arms", results=table)["value"]
    assert (tea["name"], tea["n_randomised"], water["name"], water["n_randomised"]) == ("Tea", 21, "Water", 19)
    assert [each["quote"] for each in tea["evidence"]] == ["Randomised | 21 | 19", "| Tea | Water"]


def test_an_arm_has_the_line_of_its_size_and_the_line_of_its_head_when_each_has_a_line():
    table = "Forty men were randomised to tea or water.\n\nDrink | Patients\n\nTea | 21\n\nWater | 19"
    tea, _ = one("arms", results=table)["value"]
    assert (tea["name"], tea["n_randomised"]) == ("Tea", 21)
    assert [each["quote"] for each in tea["evidence"]] == ["Drink | Patients", "Tea | 21"]


def test_no_arms_are_listed_when_clusters_or_orders_were_randomised():
    sizes = "Forty were randomised to tea (n = 21) or water (n = 19)."
    assert one("arms", abstract="A crossover trial of tea.", results=sizes)["value"] is None
    assert one("arms", abstract="A cluster-randomised trial of tea.", results=sizes)["value"] is None
    assert one("arms", abstract="A randomised parallel-group trial of tea.", results=sizes)["value"] is not None


def test_the_planned_size_is_contradictory_when_it_was_changed():
    both = "We estimated that a sample size of 984 women was needed. The review advised to reduce the sample size to 784 women."
    answer = one("n_planned", methods=both)
    assert (answer["state"], [each["value"] for each in answer["evidence"]]) == ("contradictory", [984, 784])
