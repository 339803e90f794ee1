"""A choice needs its cue: words of the paper that say it, not denied, and said of this study."""

import pytest

from clinical import rules
from clinical.evidence import Pages, check
from clinical.evidence.cues import unsaid
from clinical.evidence.disclaimed import disclaimed
from clinical.papers import Page, Paper
from clinical.templates import Field, find
from clinical.templates.choice_words import cues
from tests.support.papers import paper, plain
from tests.support.stack_file import ROOT

FIELDS = {field.name: field for name in ("qc", "rct") for field in find(name).fields}
COHORT = {field.name: field for field in find("cohort").fields}

SAID = [
    ("restriction", "stratified", "Randomisation was stratified by centre."),
    ("restriction", "stratified", "Randomisation, not known to the nurses, was stratified by centre."),
    ("restriction", "stratified", "Patients were not paid and randomisation was stratified by age and previous treatment."),
    ("restriction", "stratified", "Randomi-\nsation was strati-\nfied by centre."),
    ("restriction", "block", "按区组随机分配受试者。"),
    ("restriction", "stratified", "各中心按不同年龄分层随机。"),
    ("sequence_generation", "computer", "A computer-\ngenerated random list was used."),
    ("sequence_generation", "table", "采用随机数字表法将患者分为两组"),
    ("allocation_concealment", "sealed_envelope", "Another nurse, not involved in the trial, opened sealed envelopes."),
    ("allocation_concealment", "open", "The allocation was not concealed."),
    ("masking", "double", "This was a double–blind trial."),
    ("masking", "double", "Patients and surgeons were blinded to treatment."),
    ("masking", "open", "This was an open-label trial; larger double-blind trials are needed."),
    ("masking", "open", "Masking of surgeons was not possible."),
    ("masked_roles", "assessor", "Patients could not be blinded, but outcome assessors were blinded to treatment."),
    ("masking", "double", "In contrast to previous trials, ours was double-blind."),
    ("design", "crossover", "We did a randomised crossover trial."),
    ("design", "parallel", "Patients were randomised to two groups."),
    ("analysis_population", "itt", "Analyses were by intention to treat."),
    ("reports_harms", True, "No adverse events occurred."),
    ("reports_conflicts", True, "The authors declare no competing interests."),
]  # fmt: skip
UNSAID = [
    ("restriction", "stratified", "Randomisation was not stratified.", "denied"),
    ("restriction", "stratified", "Patients were randomised without any stratification.", "denied"),
    ("restriction", "stratified", "Neither stratified nor blocked randomisation was used.", "denied"),
    ("restriction", "block", "Neither stratified nor blocked randomisation was used.", "denied"),
    ("restriction", "stratified", "Stratification was not performed.", "denied"),
    ("restriction", "stratified", "未采用分层随机。", "denied"),
    ("restriction", "block", "Simple randomisation rather than permuted blocks was used.", "denied"),
    ("masking", "double", "It was impossible to keep the trial double-blind.", "denied"),
    ("masking", "double", "Double-blinding of surgeons was not feasible.", "denied"),
    ("masking", "double", "无法实施双盲。", "denied"),
    ("masking", "double", "Larger double-blind trials are warranted.", "future"),
    ("masking", "double", "今后需要大样本双盲研究。", "future"),
    ("masking", "double", "Smith et al. did a double-blind trial of tea.", "other_study"),
    ("masking", "double", "Several previous double-blind trials have shown the same.", "other_study"),
    ("masking", "double", "In contrast to our trial, the earlier study was double-blind.", "other_study"),
    ("design", "parallel", "Our findings call for a parallel-group randomised trial.", "future"),
    ("design", "crossover", "Patients were randomised to two groups.", "cue_not_in_quote"),
    ("sequence_generation", "computer", "Patients were randomised.", "cue_not_in_quote"),
    ("masking", "double", "Patients were blinded to treatment.", "cue_not_in_quote"),
    ("masked_roles", "assessor", "Patients were blinded to treatment.", "cue_not_in_quote"),
    ("masked_roles", "participant", "Patients could not be blinded, but outcome assessors were blinded to treatment.", "cue_not_in_quote"),
    ("masked_roles", "participant", "None of the patients, nurses or assessors were blinded to treatment.", "cue_not_in_quote"),
    ("reports_ethics", True, "The room was warm.", "cue_not_in_quote"),
    ("reports_ethics", False, "The room was warm.", "cue_not_in_quote"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "value", "quote"), SAID)
def test_a_choice_is_borne_out_when_its_words_stand_in_the_quote(name, value, quote):
    assert unsaid(FIELDS[name], value, quote) is None


@pytest.mark.parametrize(("name", "value", "quote", "reason"), UNSAID)
def test_a_choice_is_not_borne_out_and_says_why_when_the_quote_does_not_say_it(name, value, quote, reason):
    assert unsaid(FIELDS[name], value, quote) == reason


@pytest.mark.parametrize("option", COHORT["design"].options)
def test_a_field_of_one_name_has_the_choices_of_both_templates_when_they_share_it(option):
    assert option in cues("design")


def test_every_choice_has_its_words_when_its_field_has_any():
    """But those that say that nothing is said, or that it is something else; and a question's, which a reader may settle."""
    wordless = {"other", "not_reported"}
    for field in (*FIELDS.values(), *COHORT.values()):
        if cues(field.name) and field.options and not field.name.startswith(("rob_", "nos_")):
            assert set(field.options) - wordless <= cues(field.name).keys(), field.name


@pytest.mark.parametrize(
    ("name", "value", "quote", "reason"),
    [
        ("rob_1_1", "Y", "The random sequence was generated by computer.", None),
        ("rob_1_1", "PY", "Minimisation was used.", None),
        ("rob_1_1", "PN", "Patients were allocated by date of birth.", None),
        ("rob_1_1", "Y", "Patients were allocated by date of birth.", "judged"),
        ("rob_1_1", "N", "The random sequence was generated by computer.", "judged"),
        ("rob_1_1", "Y", "A random number table was not used.", "denied"),
        ("rob_1_1", "Y", "Smith et al. used a random number table.", "other_study"),
        ("rob_1_2", "Y", "Allocation was by a central telephone service.", None),
        ("rob_1_2", "Y", "Sealed opaque envelopes held the allocation.", None),
        ("rob_1_2", "PY", "分配方案装入不透光信封。", None),
        ("rob_1_2", "Y", "Sealed envelopes held the allocation.", "judged"),
        ("rob_1_2", "Y", "Opaque envelopes were not used.", "denied"),
        ("rob_1_2", "N", "The allocation was not concealed.", None),
        ("rob_2_1", "N", "Patients were blinded to treatment allocation.", None),
        ("rob_2_1", "N", "Patients were not blinded to treatment allocation.", "judged"),
        ("rob_2_1", "N", "In the trial by Smith et al. patients were blinded to treatment.", "judged"),
        ("rob_2_1", "Y", "This was an open-label trial.", None),
        ("rob_2_1", "Y", "Patients were blinded to treatment allocation.", "judged"),
        ("rob_2_1", "N", "This was a double-blind trial.", "judged"),
        ("rob_2_2", "PN", "Patients and surgeons were blinded to treatment.", None),
        ("rob_2_2", "PN", "Patients were blinded to treatment.", "judged"),
        ("rob_4_3", "N", "Outcome assessors were blinded to treatment.", None),
        ("rob_4_3", "Y", "This was an open-label trial.", "judged"),
        ("rob_2_6", "Y", "Analyses were by intention to treat.", None),
        ("rob_2_6", "Y", "Analyses were not by intention to treat.", "denied"),
        ("rob_2_6", "N", "The per-protocol population was analysed.", None),
        ("rob_1_3", "Y", "The random sequence was generated by computer.", "judged"),
        ("nos_o1", "b", "Deaths were identified by record linkage.", None),
        ("nos_o1", "a", "Deaths were identified by record linkage.", "judged"),
        ("nos_o1", "c", "Outcomes were self-reported.", None),
        ("nos_o3", "a", "No patients were lost to follow-up.", None),
        ("nos_o3", "b", "No patients were lost to follow-up.", "judged"),
    ],
)
def test_an_answer_to_a_question_is_borne_out_when_one_sentence_settles_it(name, value, quote, reason):
    field = FIELDS.get(name) or COHORT[name]
    assert unsaid(field, value, quote) == reason


def test_a_value_is_unverified_when_its_quote_is_there_and_denies_it():
    text = "Randomisation was not stratified by centre."
    pages = Pages(Paper("text", (Page(1, text),)))
    value = check(FIELDS["restriction"], {"value": "stratified", "state": "found", "quote": text}, pages)
    assert (value["state"], value["value"], value["reason"]) == ("unsupported", "stratified", "denied")


OWN = Field(
    "dose_form", "enum", "Form", "剂型", "", options=("tablet", "slow_release", "x"), cues=(("tablet", ("pill*",)),)
)


@pytest.mark.parametrize(
    ("field", "value", "quote", "reason"),
    [
        (OWN, "tablet", "They took pills daily.", None),
        (OWN, "tablet", "They took no pills.", "denied"),
        (OWN, "tablet", "They took a spill.", "cue_not_in_quote"),
        (Field("f", "enum", "F", "F", "", options=("slow_release", "other")), "slow_release", "A slow-release form.", None),
        (Field("f", "enum", "F", "F", "", options=("slow_release", "other")), "slow_release", "A form.", "cue_not_in_quote"),
        (Field("f", "enum", "F", "F", "", options=("Y", "PN")), "Y", "A form.", "judged"),
        (Field("f", "boolean", "F", "F", "", cues=(("true", ("warm",)),)), True, "The room was warm.", None),
        (Field("f", "boolean", "F", "F", "", cues=(("true", ("warm",)),)), True, "The room was not warm.", "denied"),
        (Field("f", "boolean", "F", "F", ""), True, "The room.", "judged"),
    ],
)  # fmt: skip
def test_a_copys_own_words_bear_out_its_choices_when_they_are_there(field, value, quote, reason):
    assert unsaid(field, value, quote) == reason


def test_a_rule_finds_a_choice_by_a_copys_own_words_when_it_has_some():
    read = paper(methods="Random allocation was layered by centre.")
    own = {"restriction": (("stratified", ("layered by",)),)}
    assert rules.answer(read, ["restriction"])["restriction"]["value"] is None
    assert rules.answer(read, ["restriction"], own=own)["restriction"]["value"] == "stratified"


@pytest.mark.parametrize(
    ("text", "words", "reason"),
    [
        ("No patient was lost and randomisation was stratified.", "stratified", None),
        ("It was not only stratified but blocked.", "stratified", None),
        ("It didn't use blocks.", "blocks", "denied"),
        ("Non-stratified randomisation.", "stratified", "denied"),
        ("All sites apart from the stratified ones.", "stratified", "denied"),
        ("Participants and other study personnel got blocks.", "blocks", None),
        ("Before inclusion in the larger trial, blocks were made.", "blocks", None),
        ("Blocks should be tested in a trial.", "Blocks", "future"),
        ("A pharmacist, who had no other trial role, used blocks.", "blocks", None),
        ("These data are part of a larger cohort.", "cohort", "other_study"),
        ("有研究采用分层随机。", "分层", "other_study"),
        ("张三等[3]报道采用分层随机。", "分层", "other_study"),
        ("除分层外均相同。", "分层", "denied"),
    ],
)
def test_what_is_denied_or_of_others_is_told_apart_when_the_words_are_the_same(text, words, reason):
    at = text.index(words)
    assert disclaimed(text, at, at + len(words)) == reason


@pytest.mark.parametrize("path", sorted((ROOT / "tests" / "data").glob("*.txt")), ids=lambda path: path.stem)
def test_what_a_rule_chose_is_borne_out_when_its_quote_is_held_to_the_same_words(path):
    """The rules and the evidence read choices by one set of words, so that neither says what the other does not."""
    read = plain(path.read_text())
    told = rules.answer(read, [*FIELDS])
    chosen = [field for field in FIELDS.values() if field.name in told and (field.options or field.type == "boolean")]
    pages = Pages(read)
    assert len(chosen) > 15
    assert [field.name for field in chosen if check(field, told[field.name], pages).get("reason")] == []
