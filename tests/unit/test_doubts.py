"""What does not add up: lists against what the paper states, sums, and what was cut off."""

from typing import Any

import pytest

from clinical.extract_paper.doubts import doubts
from clinical.papers import Page, Paper

THREE = "Ninety patients were randomly assigned to three groups. There were two co-primary outcomes."


def given(text=THREE, details=None, **values):
    told: Any = {name: {"value": entries(value), "state": "found", "match": "exact"} for name, value in values.items()}
    return doubts(told, Paper("pdf", (Page(1, text),), details=details or {}))


def entries(value):
    return [{"value": each, "state": "found"} for each in value] if isinstance(value, list) else value


def arms(*sizes, name="n_randomised"):
    return [{"name": str(at), name: size} for at, size in enumerate(sizes)]


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ({"arms": arms(30, 30)}, ["arms:fewer_than_stated"]),
        ({"arms": arms(30, 30, 30)}, []),
        ({"arms": arms(30, 30, 30, 30)}, []),
        ({}, []),
        ({"text": "Patients were allocated to 3 parallel arms.", "arms": arms(1, 2)}, ["arms:fewer_than_stated"]),
        ({"text": "This three-arm trial randomised 90.", "arms": arms(1, 2)}, ["arms:fewer_than_stated"]),
        ({"text": "患者随机分为三组。", "arms": arms(1, 2)}, ["arms:fewer_than_stated"]),
        ({"text": "Three groups work in our hospital.", "arms": arms(1, 2)}, []),
        ({"text": "Randomised to two groups. Others randomised into four groups.", "arms": arms(1)}, []),
        ({"primary_outcomes": [{"name": "death"}]}, ["primary_outcomes:fewer_than_stated"]),
        ({"primary_outcomes": [{"name": "death"}, {"name": "pain"}]}, []),
        ({"text": "Randomised 1:1:1.", "arms": arms(1, 2), "allocation_ratio": "1:1:1"}, ["arms:fewer_than_stated"]),
        ({"text": "Randomised 2:1.", "arms": arms(1, 2), "allocation_ratio": "2:1"}, []),
        ({"text": "Assigned to seven groups.", "arms": arms(1, 2)}, ["arms:fewer_than_stated"]),
        (
            {"text": "Two key secondary end points.", "secondary_outcomes": [{}]},
            ["secondary_outcomes:fewer_than_stated"],
        ),
        ({"text": "两个主要结局。", "primary_outcomes": [{}]}, ["primary_outcomes:fewer_than_stated"]),
        ({"text": "", "n_eligible": 90, "n_included": 91}, ["n_included:more_than_n_eligible"]),
        ({"text": "", "n_included": 90, "n_exposed": 91, "n_unexposed": 9}, ["n_exposed:more_than_n_included"]),
        ({"text": "", "arms": arms(30, 31), "n_randomised": 60}, ["arms:n_randomised_do_not_add_up"]),
        ({"text": "", "arms": arms(30, 30), "n_randomised": 60}, []),
        ({"text": "", "arms": arms(60, 60), "n_randomised": 60, "design": "crossover"}, []),
        ({"text": "", "arms": [*arms(30), {"name": "b"}], "n_randomised": 60}, []),
        ({"text": "", "arms": arms(28, 30, name="n_analysed"), "n_analysed": 60}, ["arms:n_analysed_do_not_add_up"]),
        ({"n_screened": 80, "n_randomised": 90}, ["n_randomised:more_than_n_screened"]),
        ({"n_randomised": 90, "n_analysed": 91}, ["n_analysed:more_than_n_randomised"]),
        ({"n_screened": 90, "n_randomised": 90, "n_analysed": 90}, []),
        ({"details": {"truncated": True}}, ["paper:truncated"]),
        ({"details": {"title": "Retraction: Tea for two"}}, ["paper:retraction"]),
        ({"funding": "Paid by the Ministry of..."}, ["funding:cut_short"]),
        ({"inclusion": ["adults", "informed…"]}, ["inclusion:cut_short"]),
        ({"arms": [*arms(1, 2), {"name": "plac…"}]}, ["arms:cut_short"]),
    ],
)
def test_a_row_says_what_is_missing_when_something_is(told, expected):
    assert given(**told) == expected


def test_there_is_no_doubt_when_nothing_was_found():
    told: Any = {"arms": {"value": None, "state": "not_found", "match": None}}
    assert doubts(told, Paper("pdf", (Page(1, THREE),))) == []
