"""What a cell is called: the page and the API make the same of the same value."""

import pytest

from clinical.review.cell_addresses import digest


@pytest.mark.parametrize(
    ("stored", "shown"),
    [
        (12.0, 12),
        ({"mean": [3.0, None]}, {"mean": [3, None]}),
        (-0.5, -0.5),
        (1e22, 1e22),
        ({"b": 1, "a": 2}, {"a": 2, "b": 1}),
    ],
)
def test_a_value_has_one_digest_when_a_browser_reads_its_numbers(stored, shown):
    """JSON.parse knows no 12.0. Mutation caught: numbers hashed as they are stored."""
    assert digest(stored) == digest(shown)


def test_values_are_told_apart_when_they_differ_in_a_fraction():
    assert len({digest(each) for each in (12, 12.5, "12", None)}) == 4
