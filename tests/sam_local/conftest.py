"""`sam local invoke` as its user runs it, against a deployed stack where nothing happens by itself.

The stack is this folder's own: its queues are read by no worker, its schedules are gone and its aggregator is not let
run, so that what a container is sent is done in the container or not at all.
"""

import itertools
import json
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from local.sam_local import containers, engine
from local.sam_local.containers import Containers, Invocation
from local.settings import ROOT, tool_environment
from tests.support import kinds
from tests.support.deployed import Deployed


class Sam:
    """The stack, and containers to send it events in."""

    def __init__(self, deployed: Deployed, ready: Containers, folder: Path) -> None:
        self.deployed = deployed
        self.folder = folder
        self.home = deployed.folder / "home"
        self.sent: set[tuple[str, str]] = set()
        """Which function was sent which of events/."""
        self._ready = ready
        self._numbers = itertools.count()

    def send(
        self,
        function: str,
        event: Path | Mapping[str, Any],
        *,
        instead: Mapping[str, Path] | None = None,
        parameters: dict[str, str] | None = None,
    ) -> Invocation:
        """One event: of events/, or one made from it; `instead` are files that replace the function's own."""
        mine = self.folder / f"{next(self._numbers)}"
        if isinstance(event, Path):
            self.sent.add((function, event.stem))
        else:
            written = mine.with_suffix(".json")
            written.write_text(json.dumps(event))
            event = written
        built = self.home / "build"
        if instead:
            built = shutil.copytree(built, mine)
            for name, file in instead.items():
                shutil.copy2(file, built / function / name)
        return self._ready.invoke(
            self.deployed.stack,
            built / "template.yaml",
            function,
            event,
            parameters=parameters,
        )

    def mappings(self, function: str, *, enabled: bool) -> None:
        functions = self.deployed.client("lambda")
        name = self.deployed.physical(function)
        for mapping in functions.list_event_source_mappings(FunctionName=name)["EventSourceMappings"]:
            functions.update_event_source_mapping(UUID=mapping["UUID"], Enabled=enabled)

    def aggregator(self, *, enabled: bool) -> None:
        functions = self.deployed.client("lambda")
        name = self.deployed.physical("AggregatorFunction")
        if enabled:
            functions.delete_function_concurrency(FunctionName=name)
        else:
            functions.put_function_concurrency(FunctionName=name, ReservedConcurrentExecutions=0)

    def hush(self) -> None:
        of_product = ("extract_paper", "export_table", "clean_sheet")
        workers = [f"{kinds.names(kind)[0]}Function" for kind in (*of_product, *kinds.NAMES)]
        for function in (*workers, "IntakeFunction"):
            self.mappings(function, enabled=False)
        self.aggregator(enabled=False)


@pytest.fixture(scope="session")
def ready(tmp_path_factory) -> Iterator[Containers]:
    """An engine with the image; a machine that can have none skips, but CI fails."""
    scratch = tmp_path_factory.mktemp("scratch")
    reason = engine.obstacle(tool_environment("http://127.0.0.1:9", scratch))
    if reason and os.environ.get("CI"):
        pytest.fail(reason, pytrace=False)
    if reason:
        pytest.skip(reason)
    with containers.containers(print) as found:
        yield found


@pytest.fixture(scope="session")
def sam(ready, tmp_path_factory) -> Iterator[Sam]:
    """The stack with nothing awake in it, and containers."""
    deployed = Deployed(tmp_path_factory.mktemp("stack"), "sheaf-sam")
    try:
        made = Sam(deployed, ready, tmp_path_factory.mktemp("events"))
        schedules = deployed.client("scheduler")
        for schedule in ("SweepEveryMinute", "TidyEveryDay"):
            schedules.delete_schedule(Name=deployed.physical(schedule))
        made.hush()
        yield made
    finally:
        deployed.remove()


@pytest.fixture(scope="session")
def event() -> Callable[[str], dict[str, Any]]:
    """A copy of one of events/, to be changed."""
    return lambda name: json.loads((ROOT / "events" / f"{name}.json").read_text())
