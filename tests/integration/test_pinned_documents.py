"""A task works on the bytes it was started with, whatever becomes of the document meanwhile."""

import json

import pytest

from tests.support.bench import PROJECT
from tests.support.clients import client

BUCKET = "databucket"
OTHER = json.dumps({"acts": ["permanent"], "echo": "not what was submitted"}).encode()


def opened(bench):
    """A task of one document; gives its row."""
    bench.probes("ok")
    return bench.row()


def replaced(bench, row):
    """Other bytes under the same key: a newer version."""
    client("s3").put_object(Bucket=BUCKET, Key=row.pinned_key, Body=OTHER)


def deleted(bench, row):
    """Deleted as a user does it: a delete marker on top."""
    client("s3").delete_object(Bucket=BUCKET, Key=row.pinned_key)


def taken_from_the_library(bench, row):
    client("dynamodb").delete_item(TableName="LibraryTable", Key={"entry": {"S": f"{PROJECT}/document/{row.document}"}})


def never_mind(bench, row):
    """Nothing happens."""


@pytest.mark.parametrize("meanwhile", [replaced, deleted, taken_from_the_library, never_mind])
def test_the_submitted_bytes_are_worked_on_when_the_document_is(bench, meanwhile):
    """Key and version are pinned at creation: mutation caught: reading the current version."""
    row = opened(bench)
    meanwhile(bench, row)
    bench.deliver("probe")
    assert bench.row().status == "completed"
    assert len(bench.probe_calls()) == 1


def test_the_row_ends_in_error_at_once_when_its_frozen_version_is_gone(bench):
    """No try is spent on waiting for it; the reason is on the row; the others are untouched."""
    task = bench.open([bench.probe("ok"), bench.probe("ok")], kind="probe")
    gone = bench.rows(task)[0]
    client("s3").delete_object(Bucket=BUCKET, Key=gone.pinned_key, VersionId=gone.pinned_version)
    bench.settle("probe")
    first, second = bench.rows(task)
    assert (first.status, first.error_class, first.attempt) == ("error", "document_gone", 1)
    assert second.status == "completed"
    assert bench.runs() == {(task, 1): 1}


def test_the_row_ends_in_error_when_its_bytes_are_not_the_submitted_ones(bench):
    """The hash is checked: storage that gives other bytes under a pinned version is not believed."""
    row = opened(bench)
    row.pinned_version = None
    bench.put(row)
    replaced(bench, row)
    bench.deliver("probe")
    assert (bench.row().status, bench.row().error_class) == ("error", "document_changed")
    assert bench.probe_calls() == []


def test_a_row_without_a_version_is_read_when_its_bytes_are_right(bench):
    """A bucket that has no versions yet is no reason to fail."""
    row = opened(bench)
    row.pinned_version = None
    bench.put(row)
    bench.deliver("probe")
    assert bench.row().status == "completed"


def test_every_row_pins_what_was_current_when_the_task_was_opened(bench):
    """Key, version and hash as the library had them, and the name for the reader."""
    row = opened(bench)
    usable = bench.document(row.document).pinned
    assert (row.pinned_key, row.pinned_version, row.pinned_sha256, row.filename) == (
        usable.text_key,
        usable.text_version,
        usable.text_sha256,
        usable.filename,
    )
