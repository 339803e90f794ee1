"""The real template's stack on moto, for contracts between events, handlers and rights."""

from collections.abc import Iterator

import pytest

from tests.support.bench import Bench, stack


@pytest.fixture
def bench(tmp_path) -> Iterator[Bench]:
    with stack(tmp_path / "probe.log") as made:
        yield made
