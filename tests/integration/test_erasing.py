"""What is erased of the library, and when: nothing that a document or a task needs, everything else."""

import pytest

from tests.support.bench import TASKS
from tests.support.clients import client
from tests.support.uploads import told, uploaded


def keys(bench):
    """Key and version of everything in the library's part of the bucket."""
    with bench.calls.unwatched():
        found = client("s3").list_object_versions(Bucket="databucket")
    every = [(item["Key"], item["VersionId"]) for item in found.get("Versions", [])]
    return {place for place in every if place[0].startswith(("documents/", "texts/"))}


def ready(bench, base, content=b"Some text."):
    document = uploaded(bench, base, content)
    bench.take_in()
    return document


def replaced(bench, document, content=b"Newer text."):
    answer = bench.http("POST", f"/pkb/documents/{document}/versions", told(content))[1]
    bench.arrive(answer["upload"]["fields"]["key"], content)
    bench.take_in()


def next_day(bench):
    bench.pass_time(hours=25)
    return bench.tidy()


def test_nothing_is_erased_that_a_document_needs(bench, base):
    ready(bench, base)
    uploaded(bench, base, b"on its way", notice=False)
    uploaded(bench, base, b"\x00\x01\x02")
    bench.take_in()
    before = keys(bench)
    assert next_day(bench) == 0
    assert keys(bench) == before


def test_a_deleted_document_is_erased_with_its_text_when_no_task_pins_it(bench, base):
    document = ready(bench, base)
    kept = ready(bench, base, b"Another.")
    bench.http("DELETE", f"/pkb/documents/{document}")
    assert bench.tidy() == 0, "not within the hour in which a task may be about to pin it"
    bench.pass_time(hours=2)
    assert bench.tidy() == 2
    assert {key.split("/")[2] for key, _ in keys(bench)} == {kept}
    assert [item for item in bench._scan("LibraryTable") if item["entry"]["S"].endswith(document)] == []


@pytest.mark.parametrize("open_", [True, False])
def test_what_a_task_pins_of_a_deleted_document_stays_until_the_task_goes(bench, base, open_):
    """Also of a closed task: its rows show where their values come from."""
    document = ready(bench, base)
    task = bench.open([document])
    if not open_:
        bench.settle()
    bench.http("DELETE", f"/pkb/documents/{document}")
    before = keys(bench)
    assert next_day(bench) == 0
    assert keys(bench) == before
    bench.settle()
    assert bench.statuses(task) == ["completed"]
    assert bench.http("GET", f"/asl/extraction/results/{task}-0/text")[0] == 200
    bench.http("DELETE", f"{TASKS}/{task}")
    next_day(bench)
    assert keys(bench) == set()
    assert [item for item in bench._scan("LibraryTable") if "document" in item] == []


def test_a_replaced_version_is_erased_when_no_task_pins_it_and_the_newer_one_stays(bench, base):
    document = ready(bench, base)
    older = keys(bench)
    replaced(bench, document)
    newer = keys(bench) - older
    assert next_day(bench) == 2
    assert keys(bench) == newer
    assert bench.http("GET", f"/pkb/documents/{document}/text")[1]["pages"][0]["text"] == "Newer text."


def test_what_leads_to_a_document_by_its_newer_bytes_goes_with_it(bench, base):
    document = ready(bench, base)
    replaced(bench, document)
    hints = [item for item in bench._scan("LibraryTable") if "/bytes/" in item["entry"]["S"]]
    assert [hint["document"]["S"] for hint in hints] == [document]
    bench.http("DELETE", f"/pkb/documents/{document}")
    next_day(bench)
    assert [item for item in bench._scan("LibraryTable") if "document" in item] == []


def test_a_replaced_version_that_a_task_pins_stays(bench, base):
    document = ready(bench, base)
    bench.open([document])
    replaced(bench, document)
    before = keys(bench)
    assert next_day(bench) == 0
    assert keys(bench) == before


def test_leftovers_of_no_document_are_erased_after_a_day(bench, base):
    """A text whose reader lost its claim, a file whose document was never announced, a second upload by one form."""
    document = ready(bench, base)
    needed = keys(bench)
    bench.arrive(bench.document(document).key, b"once more", told=False)
    bench.arrive("documents/p1/dnone/00000000000000000000.txt", b"x", told=False)
    bench.arrive(f"texts/p1/{document}/00000000000000000000-9.json", b"x", told=False)
    assert next_day(bench) == 3
    assert keys(bench) == needed


def test_nothing_is_erased_when_a_manifest_cannot_be_read(bench, base):
    """Without all of them nothing is known to be free."""
    document = ready(bench, base)
    task = bench.open([ready(bench, base, b"Another.")])
    client("s3").delete_object(Bucket="databucket", Key=bench.task(task).manifest_key)
    bench.http("DELETE", f"/pkb/documents/{document}")
    before = keys(bench)
    next_day(bench)
    assert keys(bench) == before
