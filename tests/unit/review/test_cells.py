"""Cells, what holds for them, what a file shows of them, and how right an engine was."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clinical.review.accuracy import Tally, tally, together, total, wilson
from clinical.review.cell_addresses import cells, digest, in_force
from clinical.review.decided_values import decided

TEA: Any = {"name": "Tea", "n": 45}
MILK: Any = {"name": "Milk", "n": 5}


def found(value: Any, state="found", **more):
    return {"state": state, "value": value, "quote": "q", "page": 1, "start": 0, "end": 1, "match": "exact", **more}


FIELDS: Any = {
    "n": found(90),
    "doi": found(None, "not_found"),
    "arms": found([found(TEA), found(MILK)]),
    "countries": found([found("Norway"), found("Peru")]),
    "masking": found(None, "contradictory", evidence=[found("open"), found("double")]),
}
ARM, NORWAY = f"arms/{digest(TEA)}", f"countries/{digest('Norway')}"
FOUND = cells(FIELDS)


def held(address, verb, value: Any = None, how="one") -> Any:
    made = {"id": "i", "verb": verb, "how": how, "by": "sub", "at": 1, "task": "t", "of": digest(at(address))}
    return made if value is None else {**made, "value": value}


def at(address):
    return FOUND[address].value if address in FOUND else None


def test_the_page_and_the_api_call_an_entry_the_same():
    """As web/ computes it: SHA-256 of the JSON with sorted names and no spaces, as UTF-8."""
    assert digest({"b": "é", "a": [1, None, True]}) == "052bf4934feb"
    assert digest({"a": [1, None, True], "b": "é"}) == digest({"b": "é", "a": [1, None, True]})


def test_lists_are_decided_by_their_entries_and_entries_by_their_members():
    leaves = {address for address, cell in FOUND.items() if cell.is_leaf}
    assert len(leaves) == 3 + 4 + 2
    assert {"n", "doi", "masking", f"{ARM}/n", NORWAY} <= leaves
    assert not {"arms", ARM, "countries"} & leaves


@pytest.mark.parametrize(
    ("decisions", "verb"),
    [
        ({}, None),
        ({f"{ARM}/n": "agree"}, "agree"),
        ({"arms": "agree"}, "agree"),
        ({"arms": "agree", f"{ARM}/n": "correct"}, "correct"),
        ({"arms": "absent", f"{ARM}/n": "agree"}, "absent"),
        ({ARM: "absent", f"{ARM}/n": "agree", "arms": "agree"}, "absent"),
        ({f"{ARM}/n": "comment"}, None),
    ],
)
def test_what_is_decided_on_the_whole_holds_for_its_parts_when_it_takes_their_place(decisions, verb):
    holds = in_force(FOUND, {address: held(address, said) for address, said in decisions.items()}, f"{ARM}/n")
    assert (holds and holds["verb"]) == verb


def test_a_decision_on_another_value_checks_nothing():
    stale: Any = {"n": {**held("n", "agree"), "of": digest(91)}}
    assert in_force(FOUND, stale, "n") is None
    assert decided(FIELDS, stale)["n"] == FIELDS["n"]
    assert tally(FIELDS, stale)["n"] == Tally(cells=1)


def test_a_file_shows_what_was_decided_and_the_rest_as_it_was():
    shown: Any = decided(
        FIELDS,
        {
            "n": held("n", "absent"),
            "doi": held("doi", "correct", "10.1/x"),
            f"{ARM}/n": held(f"{ARM}/n", "correct", 50),
            f"arms/{digest(MILK)}": held(f"arms/{digest(MILK)}", "absent"),
            "arms/+0123456789ab/name": held("arms/+0123456789ab/name", "correct", "Water"),
            NORWAY: held(NORWAY, "agree"),
        },
    )
    assert (shown["n"]["value"], shown["n"]["state"]) == (None, "not_reported")
    assert (shown["doi"]["value"], shown["doi"]["checked"]) == ("10.1/x", "correct by sub")
    assert [entry["value"] for entry in shown["arms"]["value"]] == [{"name": "Tea", "n": 50}, {"name": "Water"}]
    assert [entry.get("checked") for entry in shown["countries"]["value"]] == ["agree by sub", None]
    assert shown["masking"] == FIELDS["masking"]
    assert decided(FIELDS, {}) == FIELDS
    whole: Any = decided(FIELDS, {"countries": held("countries", "correct", ["Chile"])})["countries"]
    assert [entry["value"] for entry in whole["value"]] == ["Chile"]


@pytest.mark.parametrize(
    ("decision", "counted"),
    [
        (held("n", "agree"), {"agreed": 1}),
        (held("n", "correct", 90), {"agreed": 1}),
        (held("n", "correct", 91), {"corrected": 1}),
        (held("n", "absent"), {"wrong": 1}),
        (held("n", "agree", None, "block"), {"by_block": 1}),
    ],
)
def test_a_found_cell_is_right_or_wrong_by_what_a_person_read(decision, counted):
    assert tally(FIELDS, {"n": decision})["n"] == Tally(cells=1, checked=1, **counted)


def test_what_was_not_found_is_missed_when_a_person_gives_it():
    assert tally(FIELDS, {"doi": held("doi", "correct", "10.1/x")})["doi"].missed == 1
    assert tally(FIELDS, {"doi": held("doi", "absent")})["doi"] == Tally(cells=1, checked=1)
    assert tally(FIELDS, {"masking": held("masking", "correct", "open")})["masking"] == Tally(cells=1, checked=1)


@given(st.lists(st.sampled_from(sorted(FOUND)), unique=True), st.sampled_from(["agree", "absent"]))
def test_what_a_decision_adds_is_the_difference_of_counting_anew(addresses, verb):
    """So that counts carried on are those counted again."""
    counted, decisions = tally(FIELDS, {}), {"n": held("n", "comment")}
    for address in addresses:
        after = {**decisions, address: held(address, verb)}
        counted = together([tally(FIELDS, after)], 1, together([tally(FIELDS, decisions)], -1, counted))
        decisions = after
    assert counted == tally(FIELDS, decisions)
    assert 0 <= total(counted).checked <= total(counted).cells == 9


@pytest.mark.parametrize(
    ("right", "of", "low", "high"), [(8, 10, 0.4902, 0.9433), (0, 5, 0, 0.4345), (5, 5, 0.5655, 1)]
)
def test_the_interval_is_wilsons(right, of, low, high):
    """As R's prop.test without its correction says."""
    share, *between = wilson(right, of) or (0.0, 0.0, 0.0)
    assert share == right / of
    assert all(math.isclose(*pair, abs_tol=1e-4) for pair in zip(between, (low, high), strict=True))
    assert wilson(0, 0) is None
