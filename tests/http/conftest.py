"""A deployed stack in this process, and somebody who calls it over HTTP."""

import logging
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


@pytest.fixture
def heard() -> Iterator[list[str]]:
    """Every line that any logger writes, as it is written: with its fields and its traceback."""
    lines: list[str] = []

    class Listener(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            ours = logging.getLogger("sheaf").handlers[0]
            lines.append(ours.format(record) if record.name.startswith("sheaf") else self.format(record))

    listener = Listener()
    loggers = [logging.getLogger("sheaf"), logging.getLogger("aws_lambda_powertools"), logging.getLogger("api")]
    for logger in loggers:
        logger.addHandler(listener)
    yield lines
    for logger in loggers:
        logger.removeHandler(listener)
