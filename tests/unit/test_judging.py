"""Judgements of quality: computed from answers by rule, over every answer that there can be."""

import itertools
from typing import Any

import pytest

from clinical import risk_of_bias, templates
from clinical.answered import Judgements, Values
from clinical.risk_of_bias import nos, rob2
from clinical.templates import inputs

ANSWERS = ("Y", "PY", "PN", "N", "NI", None)
YES, NO = ("Y", "PY"), ("N", "PN")


def domain(name, *answers):
    numbers = {"D1": 3, "D2": 7, "D3": 4, "D4": 5, "D5": 3}
    assert len(answers) == numbers[name]
    told = {f"rob_{name[1]}_{at}": answer for at, answer in enumerate(answers, 1)}
    return rob2.judge(told)["domains"][name]


# Each domain's table once more, as rows that are tried in order: Y is yes, N no, ? no information, * anything.
# A row's last word is the judgement. Written from the published algorithms, apart from the code.
TABLES = {
    "D1": [
        "*N* high",
        "*?Y high",
        "*?N some",
        "*?? some",
        "NY* some",
        "*YY some",
        "YYN low",
        "YY? low",
        "?YN low",
        "?Y? low",
    ],
    "D3": ["Y*** low", "*Y** low", "**N* low", "***N some", "**** high"],
    "D4": [
        "Y**** high",
        "*Y*** high",
        "*NN** low",
        "*N*N* low",
        "*?N** some",
        "*?*N* some",
        "****N some",
        "***** high",
    ],
    "D5": ["*Y* high", "**Y high", "*?* some", "**? some", "YNN low", "*NN some"],
}
SHORT = {"some": "some_concerns", "low": "low", "high": "high"}


def expected(name, answers):
    kinds = ["Y" if answer in YES else "N" if answer in NO else "?" for answer in answers]
    for row in TABLES[name]:
        pattern, judgement = row.split()
        if all(want in {"*", kind} for want, kind in zip(pattern, kinds, strict=True)):
            return SHORT[judgement]
    raise AssertionError(answers)


@pytest.mark.parametrize("name", TABLES)
def test_a_domain_is_judged_as_its_table_says_whatever_is_answered(name):
    """The full product of answers."""
    questions = {"D1": 3, "D3": 4, "D4": 5, "D5": 3}[name]
    for answers in itertools.product(ANSWERS[:5], repeat=questions):
        assert domain(name, *answers) == expected(name, answers), answers


def test_deviations_are_judged_by_the_worse_of_two_parts_whatever_is_answered():
    """The full product of yes, no and no information: 2,187."""
    order = ["low", "some_concerns", "high"]
    for one, two, three, four, five, six, seven in itertools.product(("PY", "PN", "NI"), repeat=7):
        if (one == "PN" and two == "PN") or three == "PN":
            run = "low"
        elif three == "NI" or four == "PN" or five == "PY":
            run = "some_concerns"
        else:
            run = "high"
        analysed = "low" if six == "PY" else "some_concerns" if seven == "PN" else "high"
        assert domain("D2", one, two, three, four, five, six, seven) == max(run, analysed, key=order.index)


@pytest.mark.parametrize(
    ("name", "answers", "judgement"),
    [
        ("D1", (None, None, None), None),
        ("D1", (None, "N", None), "high"),
        ("D1", (None, "Y", "N"), None),
        ("D3", ("Y", None, None, None), "low"),
        ("D3", (None, "Y", "Y", "Y"), "low"),
        ("D3", (None, None, "Y", "Y"), None),
        ("D4", (None, "Y", None, None, None), "high"),
        ("D2", ("N", "N", None, None, None, "Y", None), "low"),
        ("D2", (None, None, None, None, None, "N", "Y"), "high"),
        ("D2", ("Y", None, "Y", None, "Y", "Y", None), "some_concerns"),
        ("D2", ("Y", None, "Y", None, "N", "Y", None), None),
        ("D5", (None, None, "Y"), "high"),
        ("D5", ("Y", None, "N"), None),
        ("D5", (None, "Y", None), "high"),
        ("D5", (None, "NI", "N"), "some_concerns"),
    ],
)
def test_nothing_is_judged_from_silence_when_an_answer_is_missing_that_decides(name, answers, judgement):
    assert domain(name, *answers) == judgement


@pytest.mark.parametrize("name", TABLES)
def test_a_missing_answer_takes_the_judgement_away_only_when_it_makes_a_difference(name):
    """Each question in turn, among every answer to the others."""
    questions = {"D1": 3, "D3": 4, "D4": 5, "D5": 3}[name]
    for answers in itertools.product(("Y", "N", "NI"), repeat=questions - 1):
        for at in range(questions):
            ends = {expected(name, (*answers[:at], filled, *answers[at:])) for filled in ("Y", "N", "NI")}
            told = domain(name, *answers[:at], None, *answers[at:])
            assert told == (ends.pop() if len(ends) == 1 else None), (answers, at)


@pytest.mark.parametrize(
    ("domains", "overall", "many"),
    [
        (["low"] * 5, "low", False),
        (["low"] * 4 + ["some_concerns"], "some_concerns", False),
        (["low"] * 3 + ["some_concerns"] * 2, "some_concerns", True),
        (["high"] + ["low"] * 4, "high", False),
        (["high", None, "low", "low", "low"], "high", False),
        (["low", None, "low", "low", "low"], None, False),
        ([None] * 5, None, False),
    ],
)
def test_the_whole_is_as_bad_as_its_worst_domain(domains, overall, many, monkeypatch):
    rules: Any = {
        f"D{at}": [[(told, {})] if told else [("low", {f"rob_{at}_1": "yes"}), ("high", {})]]
        for at, told in enumerate(domains, 1)
    }
    monkeypatch.setattr(rob2, "DOMAINS", rules)
    judged = rob2.judge({})
    assert (judged["overall"], judged["manySomeConcerns"]) == (overall, many)


def test_stars_and_level_follow_from_every_sum_of_stars():
    """The full product: 4 x 2 x 3 stars."""
    for selection, comparability, outcome in itertools.product(range(5), range(3), range(4)):
        good = selection >= 3 and comparability >= 1 and outcome >= 2
        fair = selection == 2 and comparability >= 1 and outcome >= 2
        assert nos.level(selection, comparability, outcome) == ("good" if good else "fair" if fair else "poor")


@pytest.mark.parametrize(
    ("item", "stars"),
    [
        ("nos_s1", {"a": 1, "b": 1, "c": 0, "d": 0}),
        ("nos_s2", {"a": 1, "b": 0, "c": 0}),
        ("nos_s3", {"a": 1, "b": 1, "c": 0, "d": 0}),
        ("nos_s4", {"a": 1, "b": 0}),
        ("nos_c1", {"a": 1, "b": 0}),
        ("nos_c2", {"a": 1, "b": 0}),
        ("nos_o1", {"a": 1, "b": 1, "c": 0, "d": 0}),
        ("nos_o2", {"a": 1, "b": 0}),
        ("nos_o3", {"a": 1, "b": 1, "c": 0, "d": 0}),
    ],
)
def test_a_choice_earns_a_star_as_the_scale_says(item, stars):
    (field,) = [field for field in templates.find("qc").fields if field.name == item]
    assert set(field.options) == set(stars)
    for choice, star in stars.items():
        judged = nos.judge({item: choice})
        assert (judged["stars"][item], judged["total"]) == (star, star)
        assert len(judged["unanswered"]) == 8


def test_there_is_no_total_when_nothing_was_answered():
    judged = nos.judge({})
    assert (judged["total"], judged["level"]) == (None, None)


def test_all_stars_make_nine_and_good():
    judged = nos.judge(dict.fromkeys(nos.STARS, "a"))
    assert (judged["total"], judged["level"], judged["unanswered"]) == (9, "good", [])


def value(told, match="exact"):
    return {"value": told, "state": "unsupported" if match == "not_found" else "found", "match": match}


def test_the_tool_follows_from_the_study_and_a_human_has_the_last_word():
    qc = templates.find("qc")
    for kind, tool, parts in (
        ("rct", "RoB 2", {"rob2"}),
        ("cohort", "Newcastle-Ottawa", {"nos"}),
        ("other", None, {"rob2", "nos"}),
    ):
        judged = risk_of_bias.judge(qc, {"study_type_detected": value(kind)})
        assert judged is not None
        assert (judged["toolUsed"], judged["needsHumanReview"]) == (tool, True)
        assert judged.keys() - {"toolUsed", "needsHumanReview", "inputs"} == parts


def test_a_judgement_says_which_inputs_it_hangs_on_and_which_nobody_gave():
    qc = inputs.filled(templates.find("qc"), {"mainConfounder": "age"})
    judged = risk_of_bias.judge(qc, {})
    assert judged is not None
    assert judged["inputs"] == {"assessedOutcome": None, "mainConfounder": "age", "adequateFollowUp": None}


def test_an_answer_whose_quote_was_not_found_counts_as_no_information():
    """Mutation caught: a Y that nothing bears out."""
    values = {"rob_5_1": value("Y", "not_found"), "rob_5_2": value("N"), "rob_5_3": value("N")}
    assert judged_of(values)["rob2"]["domains"]["D5"] == "some_concerns"
    values["rob_5_1"] = value("Y")
    assert judged_of(values)["rob2"]["domains"]["D5"] == "low"
    assert judged_of({"nos_s1": value("a", "not_found")})["nos"]["total"] is None


def judged_of(values: Values) -> Judgements:
    judged = risk_of_bias.judge(templates.find("qc"), values)
    assert judged is not None
    return judged


@pytest.mark.parametrize("name", ["rct", "cohort"])
def test_nothing_is_judged_when_no_question_is_asked(name):
    assert risk_of_bias.judge(templates.find(name), {}) is None
