"""The proof that each sentence marked ◆ has a test that fails without it: see tests/support/mutants.py."""

import re

import pytest

from tests.support import anchored, mutants
from tests.support.mutants import MUTANTS, Mutant
from tests.support.stack_file import ROOT

IDS = [f"{mutant.place}: {mutant.what}" for mutant in MUTANTS]
each = pytest.mark.parametrize("mutant", MUTANTS, ids=IDS)


def test_every_mutation_can_be_made_when_the_product_has_changed():
    """Its code stands in the product once: after a rewrite the mutation is rewritten, not forgotten."""
    for mutant in MUTANTS:
        anchored.find(mutant.edit, ROOT)


def test_every_mutations_test_exists():
    tests = {mutant.test for mutant in MUTANTS if not re.search(_test(mutant), mutant.test_file.read_text(), re.M)}
    assert tests == set()


def _test(mutant: Mutant) -> str:
    return rf"^def {mutant.test_name}\("


def test_the_readme_shows_every_mutation():
    shown = (ROOT / "tests" / "integration" / "README.md").read_text()
    assert "\n".join(mutants.table(MUTANTS)) in shown


@pytest.mark.slow
@each
def test_a_sentence_has_a_test_that_fails_without_it(mutant: Mutant):
    """◆ Leave it out, and its test fails."""
    assert mutants.killed(mutant)
