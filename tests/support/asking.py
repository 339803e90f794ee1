"""Requests for tasks, read as the API reads them."""

from types import SimpleNamespace
from typing import Any

from sheaf.api import tasks
from sheaf.engine_settings import Engines
from sheaf.settings import Kind, Kinds
from tests.support.items import PROBE

DESK = "clinical.extract_paper.desk"
KINDS = Kinds(
    {"extract_paper": Kind("extract_paper", "q", 4, "retry", "clinical.extract_paper.work", DESK), "probe": PROBE}
)


def new_task(body: str | None) -> tasks.NewTask:
    """A request for a task, read where there are these two kinds and no model."""
    settings: Any = SimpleNamespace(kinds=KINDS, engines=Engines("rules", {}))
    return tasks.new_task(settings, body)
