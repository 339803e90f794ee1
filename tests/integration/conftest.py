"""A deployed stack in this process, on moto."""

from collections.abc import Iterator

import pytest

from tests.support.bench import Bench, stack


@pytest.fixture
def bench(tmp_path) -> Iterator[Bench]:
    """The real template's stack with the probe laid over it, and nothing in it."""
    with stack(tmp_path / "probe.log") as made:
        yield made


@pytest.fixture
def base(bench) -> str:
    """A knowledge base, empty."""
    return str(bench.http("POST", "/pkb/knowledge-bases", {"name": "Papers"})[1]["knowledgeBaseId"])
