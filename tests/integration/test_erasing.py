"""What is erased of the library, and when: nothing that a document or a task needs, everything else."""

import pytest

from clinical.library import document_lifecycle, library_queries
from sheaf.outside.store import Refused
from sheaf.protocol import manifest
from tests.support.bench import TASKS
from tests.support.calls import Killed
from tests.support.clients import client
from tests.support.uploads import BASES, told, uploaded


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


def next_week(bench):
    """When no deletion can be undone any more."""
    bench.pass_time(hours=8 * 24)
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
    bench.pass_time(hours=7 * 24 + 0.5)
    assert bench.tidy() == 0, "not while its deletion can be undone, nor the hour after"
    bench.pass_time(hours=1)
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
    bench.settle()
    assert next_week(bench) == 0
    assert keys(bench) >= before
    assert bench.statuses(task) == ["completed"]
    assert bench.http("GET", f"/asl/extraction/results/{task}-0/text")[0] == 200
    bench.http("DELETE", f"{TASKS}/{task}")
    next_week(bench)
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
    next_week(bench)
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
    client("s3").delete_object(Bucket="databucket", Key=manifest.key(bench.task(task).manifest_key, 0))
    bench.http("DELETE", f"/pkb/documents/{document}")
    before = keys(bench)
    next_week(bench)
    assert keys(bench) == before


def test_nothing_is_erased_while_a_task_of_the_project_is_gathered(bench, base):
    """What it pins is not known yet. Mutation caught: taking no manifest for an empty one."""
    document = ready(bench, base)
    replaced(bench, document)
    asked = {"templateId": "rct", "knowledgeBaseId": base}
    task = bench.http("POST", "/asl/extraction/tasks", asked)[1]["taskId"]
    before = keys(bench)
    next_week(bench)
    assert keys(bench) == before
    bench.http("POST", f"/asl/extraction/tasks/{task}/cancel")
    bench.sweep_once()
    next_day(bench)
    assert len(keys(bench)) < len(before)


# ---------------------------------------------------------------------------------------------------- undone


def test_a_document_is_as_it_was_when_its_deletion_is_undone_at_the_last_moment(bench, base):
    """File, text and place; and by whom it was deleted is known until then."""
    document = ready(bench, base)
    before, stored = bench.http("GET", f"/pkb/documents/{document}")[1], keys(bench)
    bench.http("DELETE", f"/pkb/documents/{document}")
    assert bench.document(document).deleted_by
    bench.pass_time(hours=7 * 24 - 0.1)
    bench.tidy()
    status, back = bench.http("POST", f"/pkb/documents/{document}/restore")
    assert (status, {**back, "updatedAt": 0}) == (200, {**before, "updatedAt": 0})
    assert bench.http("POST", f"/pkb/documents/{document}/restore")[0] == 200, "clicking twice is harmless"
    assert keys(bench) == stored
    assert bench.http("GET", f"/pkb/documents/{document}/text")[1]["pages"][0]["text"] == "Some text."
    listed = bench.http("GET", f"{BASES}/{base}/documents")[1]["documents"]
    assert [each["documentId"] for each in listed] == [document]


def test_a_deletion_is_not_undone_when_its_days_are_over(bench, base):
    document = ready(bench, base)
    bench.http("DELETE", f"/pkb/documents/{document}")
    bench.http("DELETE", f"{BASES}/{base}")
    bench.pass_time(hours=7 * 24 + 0.1)
    for path in (f"{BASES}/{base}", f"/pkb/documents/{document}"):
        status, told = bench.http("POST", f"{path}/restore")
        assert (status, told["type"].rpartition(":")[2]) == (409, "base-deleted" if document in path else "undo-over")


def test_a_document_is_not_brought_back_when_the_same_file_was_uploaded_again(bench, base):
    """Two documents of the same bytes in one knowledge base would each be taken for the other."""
    document = ready(bench, base)
    bench.http("DELETE", f"/pkb/documents/{document}")
    again = ready(bench, base)
    assert again != document
    status, told = bench.http("POST", f"/pkb/documents/{document}/restore")
    assert (status, told["type"].rpartition(":")[2], told["documentId"]) == (409, "document-there", again)


def test_a_knowledge_base_comes_back_with_what_went_with_it_and_nothing_else(bench, base):
    documents = [ready(bench, base, f"Text {number}.".encode()) for number in range(5)]
    bench.http("DELETE", f"/pkb/documents/{documents[0]}")
    bench.http("DELETE", f"{BASES}/{base}")
    assert bench.http("GET", f"{BASES}/{base}/documents")[0] == 404
    assert bench.http("POST", f"/pkb/documents/{documents[1]}/restore")[0] == 409
    assert bench.http("POST", f"{BASES}/{base}/restore")[0] == 200
    shown = bench.http("GET", f"{BASES}/{base}/documents")[1]["documents"]
    assert {each["documentId"] for each in shown} == set(documents[1:])
    assert bench.http("POST", f"{BASES}/{base}/restore")[0] == 200
    bench.pass_time(minutes=3)
    bench.sweep_once()
    assert bench.http("POST", f"/pkb/documents/{documents[0]}/restore")[0] == 200
    assert [item for item in bench._scan("LibraryTable") if "active" in item] == [], "nobody has to look again"


def test_a_knowledge_base_comes_back_whole_when_the_api_died_behind_the_first_write(bench, base):
    """The sweep brings the rest; and it looks until it finds none. Mutation caught: a restored base that is not due."""
    documents = [ready(bench, base, f"Text {number}.".encode()) for number in range(3)]
    bench.http("DELETE", f"{BASES}/{base}")
    with bench.calls.watch() as calls:
        calls.die_when = lambda operation, arguments: (
            operation == "UpdateItem" and "/document/" in arguments["Key"].get("entry", {"S": ""})["S"]
        )
        with pytest.raises(Killed):
            bench.http("POST", f"{BASES}/{base}/restore")
    bench.calls.dead = False
    assert bench.http("GET", f"{BASES}/{base}/documents")[1]["documents"] == []
    for _ in range(2):
        bench.pass_time(minutes=3)
        bench.sweep_once()
    shown = bench.http("GET", f"{BASES}/{base}/documents")[1]["documents"]
    assert {each["documentId"] for each in shown} == set(documents)
    assert [item for item in bench._scan("LibraryTable") if "active" in item] == []


@pytest.mark.parametrize("path", [f"{BASES}/knone", "/pkb/documents/dnone"])
def test_nothing_is_brought_back_when_there_was_nothing(bench, path):
    assert bench.http("POST", f"{path}/restore")[0] == 404


def test_another_project_s_deletion_is_not_undone(bench, base):
    """In the same words as for none."""
    document = ready(bench, base)
    bench.http("DELETE", f"{BASES}/{base}")
    for path in (f"{BASES}/{base}", f"/pkb/documents/{document}"):
        assert bench.http("POST", f"{path}/restore", project="p2")[0] == 404


@pytest.mark.parametrize("of", ["base", "document"])
def test_a_viewer_undoes_nothing(bench, base, of):
    document = ready(bench, base)
    bench.http("DELETE", f"{BASES}/{base}")
    before = bench._scan("LibraryTable")
    place = f"{BASES}/{base}" if of == "base" else f"/pkb/documents/{document}"
    assert bench.http("POST", f"{place}/restore", project="p1:viewer")[0] == 403
    assert bench._scan("LibraryTable") == before


def deleted_base(bench, base):
    bench.http("DELETE", f"{BASES}/{base}")
    found = library_queries.base(bench.api_world, "p1", base)
    assert found
    assert found.deleted_by
    return found


def test_a_knowledge_base_comes_back_once_when_its_reply_was_lost(bench, base):
    seen = deleted_base(bench, base)
    with bench.calls.watch() as calls:
        calls.lose_reply_of = 0
        back = document_lifecycle.restore_base(bench.api_world, seen, "mine", since=0, now=bench.clock.now)
    assert not isinstance(back, Refused)
    assert back.deleted_at is None
    again = document_lifecycle.restore_base(bench.api_world, seen, "mine", since=0, now=bench.clock.now)
    assert not isinstance(again, Refused), "twice is once"


def test_a_knowledge_base_does_not_come_back_when_it_was_deleted_again_or_too_long_ago(bench, base):
    """Mutation caught: a guard that names no deletion."""
    seen = deleted_base(bench, base)
    assert isinstance(
        document_lifecycle.restore_base(bench.api_world, seen, "m", since=seen.deleted_at + 1, now=0), Refused
    )
    bench.http("POST", f"{BASES}/{base}/restore")
    bench.pass_time(seconds=1)
    deleted_base(bench, base)
    assert isinstance(
        document_lifecycle.restore_base(bench.api_world, seen, "m", since=0, now=bench.clock.now), Refused
    )


def test_the_sweep_comes_again_when_the_direction_turned_while_it_looked(bench, base):
    """Mutation caught: `settled` without what was seen, by which papers of a base that was deleted again stay for ever."""
    seen = deleted_base(bench, base)
    bench.pass_time(seconds=1)
    bench.http("POST", f"{BASES}/{base}/restore")
    document_lifecycle.settled(bench.api_world, seen)
    after = library_queries.base(bench.api_world, "p1", base)
    assert after
    assert after.active == "1"
