"""The table of docs/operating.md that says what an idle month costs: multiplied, added up, and counted from the template."""

import re

import pytest

from tests.support import stack_file

MADE = stack_file.load()
PAGE = (stack_file.ROOT / "docs" / "operating.md").read_text()
README = (stack_file.ROOT / "README.md").read_text()
TABLE = PAGE[PAGE.index("| idle, a month |") :].partition("\n\n")[0].splitlines()[2:]
ROWS = [[cell.strip(" *") for cell in line.strip("|").split("|")] for line in TABLE]
PRICED = [row for row in ROWS if row[1]]
TOTALS = [row for row in ROWS if not row[1]]
MONTH = 30 * 86_400
TICKS = MONTH // 60
POLLERS, WAIT_SECONDS = 5, 20
"""Of a mapping that has a highest concurrency; how long one looks at an empty queue."""


def number(text):
    return float(text.replace(",", ""))


def of(words):
    """How many of it, where this is said."""
    (row,) = [row for row in PRICED if re.search(words, row[0])]
    return number(row[1].split(" at ")[0])


@pytest.mark.parametrize("row", PRICED, ids=lambda row: row[0][:20])
def test_a_line_is_its_number_times_its_price_when_it_is_multiplied(row):
    ((many, price, unit),) = re.findall(r"^([\d,.]+) at ([\d.]+) (a million|each)$", row[1])
    each = number(price) / (1e6 if unit == "a million" else 1)
    assert number(row[2]) == pytest.approx(number(many) * each, abs=0.006)
    assert number(row[4]) == pytest.approx(max(number(many) - number(row[3]), 0) * each, abs=0.006)


def test_the_totals_are_the_sums_when_they_are_added_up():
    without = [row for row in PRICED if "dashboard" not in row[0]]
    for total, rows in zip(TOTALS, (without, PRICED), strict=True):
        for column in (2, 4):
            assert number(total[column]) == pytest.approx(sum(number(row[column]) for row in rows), abs=0.001)


def test_what_is_counted_is_what_the_template_makes_when_an_hour_is_idle():
    mappings = stack_file.resources(MADE, "AWS::Lambda::EventSourceMapping").values()
    assert all("MaximumConcurrency" in each["Properties"]["ScalingConfig"] for each in mappings)
    assert of("polls") == len(mappings) * POLLERS * MONTH / WAIT_SECONDS
    assert of("alarms") == len(stack_file.resources(MADE, "AWS::CloudWatch::Alarm"))
    assert of("the dashboard") == len(stack_file.resources(MADE, "AWS::CloudWatch::Dashboard"))
    assert MADE["Resources"]["SweepEveryMinute"]["Properties"]["ScheduleExpression"] == "rate(1 minute)"
    assert {of("requests"), of("schedule"), of("reads"), of("writes")} == {TICKS}
    assert "Tracing" not in MADE["Globals"]["Function"]


def test_readme_says_the_same_when_it_says_what_an_idle_month_costs():
    (said,) = re.findall(r"idle,\s+about\s+([\d.]+)\s+USD\s+a\s+month", README)
    assert number(said) == pytest.approx(number(TOTALS[1][2]), abs=0.05)
