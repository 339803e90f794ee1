"""A deployed stack in this process, and somebody who calls it over HTTP."""

from collections.abc import Iterator

import pytest

from tests.http.front import Front
from tests.support.bench import Bench, stack


@pytest.fixture
def bench(tmp_path) -> Iterator[Bench]:
    """The real template's stack with the probe laid over it, and nothing in it."""
    with stack(tmp_path / "probe.log") as made:
        yield made


@pytest.fixture
def front(bench) -> Front:
    """An editor of the project p1."""
    return Front(bench)
