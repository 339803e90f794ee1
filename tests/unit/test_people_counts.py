"""What a count is: a whole number of people or things, and none of the other numbers that stand in a sentence."""

import pytest

from clinical.evidence.quantities.quantity import Said
from clinical.evidence.quantities.says_number import Measure, said_as, says_numbers_of


@pytest.mark.parametrize(
    ("number", "quote"),
    [
        (94, "Ninety-four patients were randomised"),
        (40, "40 (38%) of 94"),
        (94, "40 (38%) of 94"),
        (12, "in 12 sites"),
        (24, "24 units took part"),
        (1204, "1,204 women"),
        (12, "Tea (n=12)"),
        (2015, "2015 women were seen"),
        (14, "Events 12 14"),
        (80, "at least 80 patients were needed"),
        (94, "共纳入94例患者"),
        (3, "分为三组"),
    ],
)
def test_a_number_is_a_count_when_it_counts_something(number, quote):
    assert said_as(number, Said(quote), Measure.COUNT)[0]


@pytest.mark.parametrize(
    ("number", "quote"),
    [
        (80, "less than 80 patients were randomised"),
        (80, "fewer than eighty patients"),
        (80, "more than 80 patients"),
        (80, "不足80例"),
        (30, "30-50 patients"),
        (50, "30–50 patients"),
        (30, "30 to 50 people"),
        (2010, "recruited in 2010 at two sites"),
        (2010, "Between May 2010 and June 2012"),
        (2012, "Between May 2010 and June 2012"),
        (2015, "Lee (2015) saw them"),
        (2019, "2019年1月"),
        (90, "90 days after surgery"),
        (90, "治疗90天"),
        (40, "40 mg daily"),
        (2, "2 tablets a day"),
        (3, "3 times a day"),
        (40, "aged 40 and more"),
        (40, "mean age was 40 (SD 3)"),
        (40, "40-year-old men"),
        (60, "patients aged 40 to 60 years"),
        (65, "in 65% of them"),
        (3, "Table 3 shows them"),
        (3, "as in section 3"),
        (3, "a phase 3 trial"),
    ],
)
def test_a_number_is_no_count_when_it_is_a_date_time_dose_age_share_range_or_name(number, quote):
    assert not said_as(number, Said(quote), Measure.COUNT)[0]


@pytest.mark.parametrize(
    ("number", "quote", "whole"),
    [
        (60, "60 were assigned to tea and 58 to water", False),
        (60, "120 patients were randomised, 60 to tea and 60 to water", False),
        (40, "In the tea group, 40 patients completed", False),
        (20, "Twenty patients in the tea group", False),
        (120, "120 patients were randomised to tea or water", True),
        (120, "120 women were randomly assigned in a 1:1 ratio to the tea group (n=60) or the water group", True),
        (200, "5523 were screened and 200 were assigned to tea (N = 99) or water (N = 101)", True),
        (58, "the target was set at 58 women to account for losses", True),
        (80, "the sample size was increased to 80 to be safe", True),
        (335, "we screened 436 patients and randomised 335, of which 21 left", True),
    ],
)
def test_a_count_is_a_total_when_it_is_not_of_one_arm(number, quote, whole):
    assert said_as(number, Said(quote), Measure.COUNT)[0]
    assert bool(said_as(number, Said(quote), Measure.TOTAL)[0]) is whole


@pytest.mark.parametrize(
    ("value", "quote", "said"),
    [
        (">65 years", "over 65 years", True),
        ("over 24 weeks", "for 24 weeks", True),
        ("under 5 years", "<5 years", True),
        ("at least 18 years", "aged 18 years or older", True),
        ("≥18", "18 or older", True),
        ("fewer than 80", "80 women", False),
        ("80", "more than 80", False),
        ("no more than 80", "more than 80", False),
    ],
)
def test_a_comparison_is_the_same_when_a_sign_or_words_say_it(value, quote, said):
    assert says_numbers_of(value, Said(quote)) is said


@pytest.mark.parametrize(("number", "quote"), [(24, "followed over 24 months"), (45, "mean age 45"), (2015, "in 2015")])
def test_a_number_that_is_no_count_is_said_when_no_count_is_asked_for(number, quote):
    assert said_as(number, Said(quote), Measure.WHOLE)[0]
