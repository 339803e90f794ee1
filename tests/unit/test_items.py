"""Items are PynamoDB's in their shape, and not in their calls."""

import pytest

from clinical.library import library_items
from sheaf import items
from sheaf.items import Item, Pace

ITEMS = [
    each
    for module in (items, library_items)
    for each in vars(module).values()
    if isinstance(each, type) and issubclass(each, Item) and each not in {Item, items.GateItem, items.Leased}
]


@pytest.mark.parametrize(
    "call",
    [
        lambda: Pace.get("a"),
        lambda: Pace(gate="a").save(),
        lambda: list(Pace.query("a")),
        lambda: list(Pace.scan()),
        lambda: Pace(gate="a").delete(),
        lambda: Pace(gate="a").update([Pace.next_at.set(1)]),
        lambda: Pace(gate="a").refresh(),
        lambda: list(Pace.batch_get(["a"])),
        Pace.create_table,
        Pace.exists,
    ],
)
def test_a_call_of_pynamodb_is_refused_when_somebody_tries_it(call):
    """It knows neither our tables' names nor our clients. Mutation caught: a method that goes past the refusal."""
    with pytest.raises(TypeError, match=r"read and written by `sheaf.outside.store`"):
        call()


@pytest.mark.parametrize("model", ITEMS)
def test_every_item_has_a_version_and_a_setting_for_its_table(model):
    assert model.setting in {"tasks_table", "results_table", "gates_table", "library_table"}
    assert "v" in model.get_attributes()
