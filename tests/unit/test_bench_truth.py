"""What the bench calls true and forged: its generator shares nothing with what it tries, and gold is read as it is meant."""

import ast
from pathlib import Path

import pytest

from bench import fits, states
from bench.semantic.forged import forged
from bench.semantic.written import MANNERS

ROOT = Path(__file__).parent.parent.parent


def _imported(path: Path) -> set[str]:
    tree = ast.parse(path.read_text())
    named = {each.module or "" for each in ast.walk(tree) if isinstance(each, ast.ImportFrom)}
    return named | {name.name for each in ast.walk(tree) if isinstance(each, ast.Import) for name in each.names}


def test_the_forger_imports_nothing_of_the_product_when_its_modules_are_read():
    """Mutation caught: a word list of the checker is imported by what is to try it."""
    ours = set().union(*(_imported(path) for path in (ROOT / "bench" / "semantic").glob("*.py")))
    assert not {name for name in ours if name.split(".")[0] in {"clinical", "sheaf"}}
    assert {name for name in ours if name.startswith("bench")} <= {
        name for name in ours if name.startswith("bench.semantic")
    }


def test_every_forged_quote_is_in_its_document_when_pairs_are_made(monkeypatch):
    monkeypatch.delenv("DATA", raising=False)
    made = list(forged(200, seed=3))
    assert len(made) == 200
    assert len({pair.manner for pair in made}) >= len(MANNERS)
    assert not [pair.manner for pair in made if pair.quote not in pair.document]


def test_the_same_pairs_are_made_when_the_seed_is_the_same(monkeypatch):
    monkeypatch.delenv("DATA", raising=False)
    assert list(forged(90, seed=5)) == list(forged(90, seed=5))


@pytest.mark.parametrize(
    ("field", "told", "gold", "fit"),
    [
        ("masking", "double", "double", True),
        ("masking", "single", "double", False),
        ("restriction", "block", ["block", "stratified"], True),
        ("countries", ["Japan"], ["Japan", "Peru"], False),
        ("female_percent", 66.7, [66.7, 67], True),
        ("female_percent", 55.0, 63, False),
        ("allocation_ratio", "2 : 1", "2:1", True),
        ("allocation_ratio", "1:1", "2:1", False),
        ("recruitment_start", "July 1st, 2012", "2012-07", True),
        ("recruitment_start", "June 2012", "2012-07", False),
        ("recruitment_end", "July 2013", "2012-07", False),
        ("age_mean_or_median", "53.4 ± 12.3 years", 53.4, True),
        ("age_mean_or_median", "aged 18 to 65", 53.4, False),
        ("follow_up", "six months", ["6 month"], True),
        ("follow_up", "12-week", ["36 week"], False),
        ("arms", [{"name": "a", "n_randomised": 62}, {"name": "b", "n_randomised": 61}], [61, 62], True),
        ("arms", [{"name": "a", "n_randomised": 62}], [61, 62], False),
        ("funding", "Funded by the NIH.", ["NIH"], True),
    ],
)
def test_a_value_is_right_when_it_says_what_gold_says(field, told, gold, fit):
    assert (fits.TYPED | fits.TEXTS)[field](told, gold) is fit


@pytest.mark.parametrize(
    ("value", "state"),
    [
        ({"state": "reported", "match": "exact"}, "found"),
        ({"state": "reported", "match": "not_found"}, "unsupported"),
        ({"state": "unclear", "match": None}, "not_found"),
        ({"state": "contradictory", "match": None}, "contradictory"),
        ({"state": "found", "match": "fuzzy"}, "found"),
    ],
)
def test_a_stored_value_has_one_of_the_states_when_it_is_of_today_or_of_tomorrow(value, state):
    assert states.state(value) == state
    assert state in states.STATES


def test_a_list_is_found_when_one_of_its_entries_is():
    entry = {"value": {"name": "placebo"}, "match": None}
    told = [{**entry, "state": "unsupported"}, {**entry, "state": "found"}]
    assert states.is_found({"state": "unsupported", "match": None, "value": told})
    assert not states.is_found({"state": "found", "match": None, "value": told[:1]})
