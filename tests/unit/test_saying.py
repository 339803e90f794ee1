"""What a quote says of a value, class by class: sentences of our own that do not bear it out, each with its reason, and those that do."""

from typing import Any, get_args

import pytest

from clinical.answered import Reason
from clinical.evidence import Pages, check
from clinical.papers import Page, Paper
from clinical.templates import Field, find

FIELDS = {field.name: field for field in find("rct").fields}
JUDGED = Field("q", "enum", "Q", "Q", "", options=("Y", "PY", "N"))
FLAG = Field("adjusted", "boolean", "Adjusted", "调整", "")


def stored(field: Field | str, value: Any, quote: str, page: str = "") -> Any:
    """The value, or its one entry, that is stored where an engine gives it with this quote."""
    asked = FIELDS[field] if isinstance(field, str) else field
    told: Any = {"state": "found", "value": value, "quote": quote, "page": 1}
    found = check(asked, told, Pages(Paper("pdf", (Page(1, page or quote),))))
    listed = found["value"]
    return listed[0] if isinstance(listed, list) and listed and isinstance(listed[0], dict) else found


def reason(field: Field | str, value: Any, quote: str) -> str | None:
    told = stored(field, value, quote)
    assert (told["state"] == "found") is ("reason" not in told)
    why: str | None = told.get("reason")
    return why


def arm(name: str, number: int) -> list[dict[str, Any]]:
    return [{"name": name, "n_randomised": number}]


def events(name: str, number: int) -> list[dict[str, Any]]:
    return [{"arm": name, "events": number}]


# ---------------------------------------------------------------------------------------------------- texts


@pytest.mark.parametrize(
    ("field", "value", "quote"),
    [
        ("condition", "type 2 diabetes", "Adults with type 2 diabetes were recruited."),
        ("condition", "painful knees", "The knee was painful: painful knee."),
        ("follow_up", "follow-up of 12 months", "The followup was 12 months."),
        ("first_author", "Wu JH", "Jia-Hao Wu, Li Chen"),
        ("setting", "randomised centres", "A randomized center"),
        ("condition", "哮喘", "纳入哮喘患者"),
        ("statistical_method", "a mixed-effects model", "We used a mixed effects model."),
        ("conclusion", "Tea improved sleep", "Unlike previous trials, tea improved sleep."),
    ],
)
def test_a_text_is_found_when_its_words_stand_in_the_quote_in_their_order(field, value, quote):
    assert reason(field, value, quote) is None


@pytest.mark.parametrize(
    ("field", "value", "quote", "why"),
    [
        ("condition", "kidney stones", "Adults with asthma were recruited.", "words_not_in_quote"),
        ("condition", "stones of the kidney", "Kidney stones were seen.", "words_not_in_quote"),
        ("condition", "men", "Women were recruited.", "words_not_in_quote"),
        ("condition", "not pregnant", "Pregnant women were recruited.", "words_not_in_quote"),
        ("condition", "肾结石", "纳入哮喘患者", "words_not_in_quote"),
        ("condition", "asthma", "Patients without asthma were recruited.", "denied"),
        ("funding", "Acme", "The trial was not funded by Acme.", "denied"),
        ("setting", "primary care", "Further trials in primary care are needed.", "future"),
        ("recruitment_start", "May 2009", "A previous trial recruited from May 2009.", "other_study"),
        ("registration_ids", ["NCT01234567"], "The previous trial was registered as NCT01234567.", "other_study"),
        ("allocation_ratio", "2:1", "In the study of Lee et al. the ratio was 2:1.", "other_study"),
    ],
)
def test_a_text_is_not_found_when_its_words_are_not_there_or_not_of_this_study(field, value, quote, why):
    assert reason(field, value, quote) == why


# ---------------------------------------------------------------------------------------------------- countries


@pytest.mark.parametrize(
    ("country", "quote"),
    [
        ("Kenya", "The trial was conducted in Kenya."),
        ("United Kingdom", "Patients were recruited in 12 UK hospitals."),
        ("UK", "This study took place in the United Kingdom."),
        ("Denmark", "Patients attended two Danish hospitals."),
        ("Switzerland", "The protocol was approved by the Swiss Institutional Review Board."),
        ("Germany", "German Clinical Trials Register DRKS00006273"),
        ("Poland", "Patients were referred to the University College of Medicine in Krakow, Poland, for surgery."),
        ("India", "The study was approved by the ethics committee of the hospital in Chennai, India."),
        ("Germany", "Participants were recruited at the University Hospital (Ulm, Germany)."),
    ],
)
def test_a_country_is_found_when_the_study_was_there(country, quote):
    assert reason("countries", [country], quote) is None


@pytest.mark.parametrize(
    ("quote", "why"),
    [
        ("The trial was conducted in Peru.", "words_not_in_quote"),
        ("The trial was not done in Kenya.", "denied"),
        ("Further trials in Kenya are needed.", "future"),
        ("Lee et al. recruited patients in Kenya.", "other_study"),
        ("The assay (Acme AG, Nairobi, Kenya) was used.", "wrong_place"),
        ("The tablets were manufactured in Kenya.", "wrong_place"),
        ("In Kenya, the prevalence of asthma is 5%.", "wrong_place"),
        ("Guidelines in Kenya recommend tea.", "wrong_place"),
        ("The questionnaire was validated in Kenya.", "wrong_place"),
        ("Slides were mounted in Kenya balsam.", "wrong_place"),
        ("Patients were seen by Kenya Miller.", "wrong_place"),
    ],
)
def test_a_country_is_not_found_when_the_quote_names_it_for_something_else(quote, why):
    assert reason("countries", ["Kenya"], quote) == why


# ---------------------------------------------------------------------------------------------------- numbers


@pytest.mark.parametrize(
    ("field", "number", "quote"),
    [
        ("n_randomised", 120, "Between 2008 and 2010, 120 patients were randomised."),
        ("n_randomised", 120, "We screened 500 patients and randomised 120."),
        ("n_screened", 500, "We screened 500 patients and randomised 120."),
        ("n_randomised", 120, "Of 500 screened patients, 120 were eligible and were randomised."),
        ("n_randomised", 120, "120 patients were randomised. Further trials are needed. Lee et al. agree."),
        ("n_randomised", 58, "Fifty-eight patients who underwent surgery between 2012 and 2014 were randomised."),
        ("n_randomised", 120, "共筛查500例患者，其中120例入组。"),
        ("n_screened", 500, "共筛查500例患者，其中120例入组。"),
        ("n_analysed", 110, "10 were lost to follow-up, leaving 110 for analysis."),
        ("n_planned", 150, "150 participants were required to achieve 80% power."),
        ("n_planned", 120, "样本量计算需要120例患者。"),
        ("n_sites", 12, "The trial was done at 12 hospitals."),
        ("n_clusters", 30, "30 villages were randomised."),
        ("female_percent", 45, "Mean age was 40 years and 45% were female."),
        ("female_percent", 45, "66 men (55%) and 54 (45%) women took part."),
    ],
)
def test_a_number_is_found_when_it_counts_what_the_field_does(field, number, quote):
    assert reason(field, number, quote) is None


@pytest.mark.parametrize(
    ("field", "number", "quote", "why"),
    [
        ("n_randomised", 9, "120 patients were randomised.", "number_not_in_quote"),
        ("n_randomised", 2010, "Patients were randomised in 2010.", "not_a_count"),
        ("n_randomised", 120, "Patients were randomised within 120 minutes.", "not_a_count"),
        ("n_randomised", 120, "Randomised patients took 120 mg.", "not_a_count"),
        ("n_randomised", 40, "Randomised patients were aged 40 years.", "not_a_count"),
        ("n_randomised", 3, "As shown in Table 3, patients were randomised.", "number_not_in_quote"),
        ("n_randomised", 3, "Patients were randomised in step 3.", "not_a_count"),
        ("n_randomised", 80, "Less than 80 patients were randomised.", "not_a_count"),
        ("n_randomised", 80, "Almost 80 patients were randomised.", "not_a_count"),
        ("n_randomised", 80, "随机分组的患者不到80例。", "not_a_count"),
        ("n_randomised", 50, "30-50 patients were randomised.", "not_a_count"),
        ("n_randomised", 50, "Between 30 and 50 patients were randomised yearly.", "not_a_count"),
        ("n_randomised", 12, "Patients were randomised at 12 centres.", "not_a_count"),
        ("n_sites", 12, "12 patients were recruited per centre.", "not_a_count"),
        ("n_randomised", 500, "500 patients were screened.", "other_group"),
        ("n_randomised", 500, "共筛查患者500例。", "other_group"),
        ("n_randomised", 20, "20 patients were excluded and not randomised.", "other_group"),
        ("n_analysed", 20, "20 patients were lost to follow-up.", "other_group"),
        ("n_analysed", 20, "A stroke was seen in 20 patients.", "other_group"),
        ("n_planned", 120, "120 patients were randomised.", "other_group"),
        ("n_planned", 120, "With 120 patients the trial had 60% power.", "other_group"),
        ("n_randomised", 60, "In the control group (n = 60) tea helped.", "other_group"),
        ("n_randomised", 60, "治疗组随机60例。", "other_group"),
        ("n_randomised", 60, "Among patients over 65, 60 were randomised.", "other_group"),
        ("n_randomised", 12, "A nested study of 12 randomised patients looked at sleep.", "other_group"),
        ("female_percent", 45, "45% of the participants were men.", "other_group"),
        ("female_percent", 45, "45% of the women smoked.", "other_group"),
        ("female_percent", 45, "In the tea group 45% were women.", "other_group"),
        ("n_randomised", 120, "120 patients will be randomised.", "future"),
        ("n_randomised", 120, "计划纳入120例患者。", "future"),
        ("n_randomised", 120, "Trials that randomised 120 patients are awaited.", "future"),
        ("n_randomised", 120, "Lee et al. randomised 120 patients.", "other_study"),
        ("n_randomised", 120, "Lee等随机分组120例患者。", "other_study"),
        ("n_clusters", 30, "An earlier cluster trial had 30 schools.", "other_study"),
    ],
)
def test_a_number_is_not_found_when_it_counts_something_else(field, number, quote, why):
    assert reason(field, number, quote) == why


# ---------------------------------------------------------------------------------------------------- arms

TWO_ARMS = (
    "60 patients were assigned to tea and 58 to water.",
    "Tea (n = 60) was compared with water (n = 58).",
    "The tea group had 60 patients, the water group 58.",
    "In the tea group, 60 patients were treated, in the water group, 58.",
    "Tea and water were given to 60 and 58 patients, respectively.",
    "60 and 58 patients were given tea and water, respectively.",
    "60 received tea, 58 water",
    "tea: 60, water: 58",
    "Water was given to 58 and tea to 60 patients.",
    "Tea 60\nWater 58",
    "Tea | 60\nWater | 58",
)


@pytest.mark.parametrize("quote", TWO_ARMS)
def test_an_arm_s_number_is_its_own_when_two_arms_are_told_at_once(quote):
    right = [("tea", 60), ("water", 58)]
    assert [reason("arms", arm(*each), quote) for each in right] == [None, None]
    assert [
        reason("arms", arm(name, other), quote) for (name, _), (_, other) in zip(right, right[::-1], strict=True)
    ] == [
        "other_group",
        "other_group",
    ]


@pytest.mark.parametrize(
    "quote", ["治疗组60例，对照组58例。", "试分为治疗组（60例）和对照组（58例）。", "治疗组和对照组分别为60例和58例。"]
)
def test_an_arm_s_number_is_its_own_when_the_paper_is_chinese(quote):
    assert reason("arms", arm("对照组", 58), quote) is None
    assert reason("arms", arm("对照组", 60), quote) == "other_group"


@pytest.mark.parametrize(
    ("name", "number", "quote", "why"),
    [
        ("water", 20, "12 of 60 patients in the tea group and 20 of 58 in the water group relapsed.", None),
        ("water", 12, "12 of 60 patients in the tea group and 20 of 58 in the water group relapsed.", "other_group"),
        ("tea", 12, "Relapse was seen in 12 patients with tea versus 20 with water.", None),
        ("water", 20, "Lee et al. saw relapses in 20 patients with water.", "other_study"),
        (
            "water",
            20,
            "Relapse occurred in 20 (7%) of the water group versus 12 (9%) of the tea group (P = 0.2).",
            None,
        ),
        ("milk", 20, "Relapse was seen in 20 with water.", "words_not_in_quote"),
    ],
)
def test_an_event_is_its_arm_s_when_several_are_told(name, number, quote, why):
    assert reason("results", events(name, number), quote) == why


@pytest.mark.parametrize(
    "quote",
    [
        "120 patients were randomised in Springfield and 60 in Newtown.",
        "Patients were recruited at two sites (Springfield, n = 120; Newtown, n = 60).",
        "In a nested trial, 120 patients were assigned to Springfield tea.",
    ],
)
def test_an_arm_is_not_found_when_it_is_a_place_or_of_another_trial(quote):
    assert reason("arms", arm("Springfield", 120), quote) == "other_group"


@pytest.mark.parametrize(("number", "why"), [(60, None), (58, "other_group")])
def test_a_row_is_its_column_s_when_the_head_is_another_quote(number, why):
    entry = {"name": "Tea", "n_randomised": number, "evidence": [{"quote": "Tea Water"}, {"quote": "Randomised 60 58"}]}
    assert stored("arms", [entry], "Tea Water", "Tea Water\nRandomised 60 58").get("reason") == why


# ---------------------------------------------------------------------------------------------------- choices of parts, answers, flags


@pytest.mark.parametrize(
    ("part", "quote", "why"),
    [
        ({"name": "aspirin", "role": "experimental"}, "60 patients were assigned to aspirin and 58 to placebo.", None),
        ({"name": "placebo", "role": "experimental"}, "60 patients were assigned to aspirin and 58 to placebo.", "cue_not_in_quote"),
        ({"name": "placebo", "role": "placebo"}, "60 patients were assigned to aspirin and 58 to placebo.", None),
        ({"name": "安慰剂组", "role": "no_treatment"}, "安慰剂组58例。", "cue_not_in_quote"),
    ],
)  # fmt: skip
def test_a_part_is_not_borne_out_when_its_quote_says_another_choice(part, quote, why):
    assert reason("arms", [part], quote) == why


@pytest.mark.parametrize(
    ("direction", "quote", "why"),
    [
        ("up", "Sleep was longer with tea.", None),
        ("no_difference", "Sleep was longer with tea.", "cue_not_in_quote"),
        ("up", "Sleep did not differ between the groups.", "cue_not_in_quote"),
        ("no_difference", "两组睡眠差异无统计学意义。", None),
        ("up", "Sleep lasted 8 hours with tea and 7 with water.", None),
    ],
)
def test_a_direction_is_not_borne_out_when_the_quote_says_the_opposite(direction, quote, why):
    assert reason("results", [{"direction": direction}], quote) == why


@pytest.mark.parametrize(
    ("value", "quote", "why"),
    [
        (True, "The model was adjusted for age.", None),
        (True, "The model was not adjusted.", "denied"),
        (False, "The model was not adjusted.", None),
        (False, "The model was adjusted for age.", "denied"),
        (False, "模型未调整。", None),
        (False, "We used a model.", "judged"),
    ],
)
def test_a_flag_needs_its_thing_said_or_denied_when_no_words_are_built_in(value, quote, why):
    assert reason(FLAG, value, quote) == why


@pytest.mark.parametrize(
    ("field", "value", "quote", "why"),
    [
        ("masking", "double", "This double-blind study did not find a difference.", None),
        ("masking", "double", "In this double-blind trial patients were not told of their group.", None),
        ("allocation_concealment", "sealed_envelope", "Sealed envelopes were not opened until consent was given.", None),
        ("sequence_generation", "computer", "The sequence was not generated by computer.", "denied"),
        ("allocation_concealment", "central", "Central randomisation was too costly.", "denied"),
        ("design", "factorial", "A factorial design was considered and given up.", "denied"),
        ("masking", "double", "A double-blind design had been planned but was dropped.", "denied"),
        ("masking", "double", "既往的双盲试验显示相同结果。", "other_study"),
        ("masking", "double", "A double-blind trial in Norway had other results [12].", "other_study"),
        ("masking", "double", "Only a double-blind trial can tell.", "future"),
    ],
)  # fmt: skip
def test_a_choice_is_told_apart_when_its_sentence_denies_it_or_speaks_of_others(field, value, quote, why):
    assert reason(field, value, quote) == why


# ---------------------------------------------------------------------------------------------------- reasons

WHY: dict[str, tuple[Field | str, Any, str]] = {
    "no_quote": ("condition", "asthma", ""),
    "quote_not_found": ("condition", "asthma", "That is nowhere."),
    "quote_too_short": ("condition", "asthma", "of the"),
    "number_not_in_quote": ("follow_up", "12 months", "Follow-up lasted months."),
    "cue_not_in_quote": ("masking", "double", "Tea was given."),
    "judged": (JUDGED, "Y", "Tea was given."),
    "words_not_in_quote": ("condition", "asthma", "Tea was given."),
    "not_a_count": ("n_randomised", 40, "Tea was given at 40 mg."),
    "wrong_place": ("countries", ["Kenya"], "Tea was made in Kenya."),
    "denied": ("masking", "double", "It was not double-blind."),
    "future": ("masking", "double", "Double-blind trials are needed."),
    "other_study": ("masking", "double", "Lee et al. did a double-blind trial."),
    "other_group": ("n_randomised", 20, "20 patients were screened."),
    "wrong_type": ("n_randomised", "many", "Tea was given."),
    "not_an_option": ("masking", "blue", "Tea was given."),
}


@pytest.mark.parametrize("why", WHY)
def test_each_reason_is_given_when_its_case_is_there(why):
    field, value, quote = WHY[why]
    page = "of the tea of the tea" if why in {"quote_not_found", "quote_too_short"} else quote
    assert stored(field, value, quote, page or "Tea.")["reason"] == why


def test_a_claim_is_marked_when_an_engine_names_the_place_where_it_looked():
    assert {*WHY, "claimed"} == {*get_args(Reason)}
