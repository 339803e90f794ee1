"""The proof that each sentence marked ◆ has a test that fails without it: see tests/support/mutants.py."""

import re

import pytest

from tests.support import mutants
from tests.support.mutants import MUTANTS, Mutant
from tests.support.template import ROOT

IDS = [f"{mutant.path.name}: {mutant.what}" for mutant in MUTANTS]
each = pytest.mark.parametrize("mutant", MUTANTS, ids=IDS)


@each
def test_a_mutation_can_be_made_when_the_product_has_changed(mutant: Mutant):
    """Its text stands in the product once: after a rewrite the mutation is rewritten, not forgotten."""
    assert mutant.path.read_text().count(mutant.old) == 1
    assert mutant.old != mutant.new


@each
def test_a_mutations_test_exists(mutant: Mutant):
    assert re.search(rf"^def {mutant.test_name}\(", mutant.test_file.read_text(), re.M)


def test_the_readme_shows_every_mutation():
    shown = (ROOT / "tests" / "integration" / "README.md").read_text()
    assert "\n".join(mutants.table(MUTANTS)) in shown


@pytest.mark.slow
@each
def test_a_sentence_has_a_test_that_fails_without_it(mutant: Mutant):
    """◆ Leave it out, and its test fails."""
    assert mutants.killed(mutant)
