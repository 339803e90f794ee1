"""Each program in tests/attacks takes nothing, and takes something where its wall is away."""

from importlib import import_module

import pytest

from tests.attacks.__main__ import NAMES


@pytest.mark.parametrize("name", NAMES)
def test_an_attack_takes_nothing_when_its_wall_stands(name):
    assert import_module(f"tests.attacks.{name}").attack(walls=True) == []


@pytest.mark.parametrize("name", NAMES)
def test_an_attack_takes_something_when_its_wall_is_away(name):
    assert import_module(f"tests.attacks.{name}").attack(walls=False)
