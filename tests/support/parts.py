"""What `make test` shows while it runs: each part as it begins and ends, and every failure at once, instead of a dot a test."""

import time
from collections import Counter

import pytest

NAMES = {"browser": "page", "sam_local": "containers"}
"""Where a folder's name says less."""
QUIET_SECONDS = 30


def part(nodeid: str) -> str:
    """Of `tests/unit/rules/test_x.py::test_y`: unit."""
    folder = nodeid.split("/")[1]
    return NAMES.get(folder, folder)


class Parts:
    """Told by pytest what happens to each test, also where several processes run them."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._totals: Counter[str] = Counter()
        self._done: Counter[str] = Counter()
        self._began: dict[str, float] = {}
        self._said_at = time.monotonic()

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: list[str]) -> None:
        if not self._totals:
            self._plan(ids)

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        if session.items:
            self._plan([item.nodeid for item in session.items])

    def _plan(self, ids: list[str]) -> None:
        self._totals = Counter(map(part, ids))
        told = ", ".join(f"{name} {count:,}" for name, count in self._totals.items())
        self._say(f"{len(ids):,} tests: {told}.")

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        name = part(nodeid)
        if name not in self._began:
            self._began[name] = time.monotonic()
            self._say(f"  {name:<12} begins")

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        name = part(nodeid)
        self._done[name] += 1
        if self._done[name] == self._totals[name]:
            self._say(f"  {name:<12} done: {self._done[name]:,} in {time.monotonic() - self._began[name]:.0f} s")
        elif time.monotonic() - self._said_at > QUIET_SECONDS:
            under_way = [each for each in self._began if self._done[each] < self._totals[each]]
            self._say(
                "  … " + ", ".join(f"{each} {self._done[each]:,} of {self._totals[each]:,}" for each in under_way)
            )

    @pytest.hookimpl(tryfirst=True)
    def pytest_report_teststatus(self, report: pytest.TestReport) -> tuple[str, str, str] | None:
        """Counted for the closing line as ever, and not shown by a letter."""
        if hasattr(report, "wasxfail"):
            return None
        if report.failed:
            self._say(f"  FAILED {report.nodeid}")
            return ("failed" if report.when == "call" else "error"), "", ""
        if report.skipped:
            return "skipped", "", ""
        return ("passed" if report.when == "call" else ""), "", ""

    def _say(self, line: str) -> None:
        self._said_at = time.monotonic()
        reporter = self._config.pluginmanager.get_plugin("terminalreporter")
        if reporter:
            reporter.write_line(line)
            reporter.flush()
