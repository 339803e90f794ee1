"""A deployed stack in this process, on moto."""

from collections.abc import Iterator

import pytest

from sheaf.protocol import manifest, scatter
from tests.support.bench import Bench, stack
from tests.support.scattering import PART, SHARD, WAVE


@pytest.fixture
def bench(tmp_path) -> Iterator[Bench]:
    """The real template's stack with the probe laid over it, and nothing in it."""
    with stack(tmp_path / "probe.log") as made:
        yield made


@pytest.fixture
def base(bench) -> str:
    """A knowledge base, empty."""
    return str(bench.http("POST", "/pkb/knowledge-bases", {"name": "Papers"})[1]["knowledgeBaseId"])


@pytest.fixture
def small(monkeypatch) -> None:
    """Waves, shards and parts of few rows, so that forty documents are many."""
    monkeypatch.setattr(manifest, "PART", PART)
    monkeypatch.setattr(scatter, "WAVE", WAVE)
    monkeypatch.setattr(scatter, "SHARD_ROWS", SHARD)
