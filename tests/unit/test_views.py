"""What a reader is shown: counts that add up, how old they are, and no name that the seeds do not have."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clinical.extract_paper import desk
from sheaf import schemas
from sheaf.api import forecast, task_views
from tests.support.items import NOW, SECOND, TASK, a_row, a_task

COUNTS = ("pendingCount", "extractingCount", "completedCount", "errorCount", "cancelledCount")
PROMISED = {
    "taskId", "projectId", "templateId", "templateVersion", "knowledgeBaseId", "status", "totalCount", *COUNTS,
    "percent", "asOf", "stale", "createdAt", "completedAt",
}  # fmt: skip
PROMISED_OF_A_ROW = {
    "resultId", "taskId", "documentId", "snapshotStorageKey", "snapshotVersion", "snapshotFilename", "status",
    "attempts", "extractedData", "errorMessage", "errorClass", "updatedAt",
}  # fmt: skip


def test_a_task_has_every_name_that_was_promised_when_it_is_shown():
    """DESIGN section 5; nothing of the key, the lease or the manifest shows."""
    task = a_task()
    shown = {**task_views.task(task, NOW), **desk.shown(task, {})}
    assert shown.keys() >= PROMISED
    assert (shown["taskId"], shown["projectId"]) == ("t1", "p1")
    assert (shown["templateId"], shown["templateVersion"]) == ("rct", 1)
    assert TASK not in json.dumps(shown)
    assert "manifest" not in json.dumps(shown)


def test_a_row_has_every_name_that_was_promised_when_it_is_shown():
    shown = task_views.result(a_row("completed", attempt=3), {"fields": {}})
    assert shown.keys() >= PROMISED_OF_A_ROW
    assert (shown["resultId"], shown["taskId"], shown["attempts"]) == ("t1-0", "t1", 3)
    assert shown["extractedData"] == {"fields": {}}
    assert shown.keys().isdisjoint({"token", "leaseUntil", "shard"})


def test_a_row_has_no_data_when_nothing_was_extracted():
    shown = task_views.result(a_row("error", error_message="why"), None)
    assert (shown["extractedData"], shown["errorClass"], shown["errorMessage"]) == (None, "permanent", "why")


@given(st.integers(1, 10_000), st.data())
def test_shown_counts_add_up_when_they_are_whatever_the_sweep_found(total, data):
    """Pending is what is left, so a reader can never catch a sum that is wrong."""
    left, counts = total, {}
    for name in ("extracting", "completed", "error", "cancelled"):
        counts[name] = data.draw(st.integers(0, left))
        left -= counts[name]
    found = (
        task_views.task(a_task(total=total, **counts), NOW),
        task_views.task(a_task(total=total), NOW, counted=counts),
    )
    for shown in map(dict[str, Any], found):
        assert sum(shown[name] for name in COUNTS) == shown["totalCount"] == total
        assert shown["percent"] < 100


def test_counts_are_fresh_when_they_were_counted_just_now():
    """Counted live: as of now, and not stale, whatever the sweep last wrote."""
    shown = task_views.task(
        a_task(counted_at=0), NOW, counted={"extracting": 1, "completed": 0, "error": 0, "cancelled": 0}
    )
    assert (shown["asOf"], shown["stale"], shown["extractingCount"]) == (schemas.instant(NOW), False, 1)


@pytest.mark.parametrize(
    ("counted_at", "count_every", "now", "fresh"),
    [
        (None, None, NOW, False),
        (NOW, None, NOW, True),
        (NOW, 5 * SECOND, NOW + 16 * SECOND, True),
        (NOW, 5 * SECOND, NOW + 16 * SECOND + 1, False),
    ],
)
def test_counts_are_stale_when_the_sweep_missed_three_of_its_own_intervals(counted_at, count_every, now, fresh):
    """A sweeper that comes seldom says so itself; one that stopped is noticed."""
    task = a_task(counted_at=counted_at, count_every=count_every)
    assert forecast.is_fresh(task, now) is fresh
    assert task_views.task(task, now)["stale"] is not fresh


def test_a_closed_task_is_never_stale_and_at_100_when_it_is_old():
    """Its counts are final."""
    task = a_task(status="completed", completed=1, counted_at=NOW, completed_at=NOW)
    shown = task_views.task(task, NOW + 10**10)
    assert (shown["stale"], shown["percent"], shown["completedAt"]) == (False, 100, schemas.instant(NOW))


def test_a_task_that_was_never_counted_is_as_of_its_opening_when_it_is_shown():
    shown = task_views.task(a_task(total=3), NOW + SECOND)
    assert (shown["asOf"], shown["stale"], shown["pendingCount"]) == (schemas.instant(NOW), True, 3)


@pytest.mark.parametrize(
    ("told", "paused", "cancelling"),
    [
        ({}, False, False),
        ({"gate": "paused"}, True, False),
        ({"gate": "cancelled"}, False, True),
    ],
)
def test_a_pause_and_a_wish_to_cancel_show_when_there_is_one(told, paused, cancelling):
    shown = task_views.task(a_task(**told), NOW)
    assert (shown["paused"], shown["cancelRequested"]) == (paused, cancelling)


def test_an_instant_is_utc_with_milliseconds_when_it_is_shown():
    assert schemas.instant(1_800_000_000_001) == "2027-01-15T08:00:00.001Z"
    assert schemas.instant(1_800_000_000_000) == "2027-01-15T08:00:00.000Z"
