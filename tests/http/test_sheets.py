"""A workbook's session over HTTP: announced, read when it comes, looked at, changed, taken out, deleted."""

import gzip
import io
import json
from contextlib import suppress
from typing import Any

import pytest
from python_calamine import CalamineWorkbook

from sheaf.items import Row
from tests.http import front as fronts
from tests.http.front import Front
from tests.support.calls import Killed, aws_error
from tests.support.clients import client
from tests.support.workbooks import HEADER, PATIENTS, announcement, registry, xlsx

SESSIONS = "/dc/sessions"
MINUTE, DAY = 60, 86_400


def announced(front: Front, content: bytes, **more: Any) -> Any:
    answer = front.post(SESSIONS, announcement(content) | more)
    assert answer.status == 201, answer.text
    return answer.body


def arrived(bench, front: Front, content: bytes, **more: Any) -> str:
    """A session whose file has come; S3 has told of it."""
    body = announced(front, content, **more)
    bench.arrive(body["upload"]["fields"]["key"], content)
    return str(body["session"]["sessionId"])


@pytest.fixture
def ready(bench, front) -> str:
    session = arrived(bench, front, registry())
    bench.settle("clean_sheet")
    return session


def status(front: Front, session: str) -> Any:
    return front.get(f"{SESSIONS}/{session}/status").body


def preview(front: Front, session: str, **query: str) -> Any:
    answer = front.get(f"{SESSIONS}/{session}/preview", query=query)
    assert answer.status == 200, answer.text
    return answer.body


def save(front: Front, session: str, **change: Any) -> Any:
    return front.send("PUT", f"{SESSIONS}/{session}/data", {"version": 1, **change})


def stored(bench, url: str) -> bytes:
    """What a link gives."""
    key = url.split("?", maxsplit=1)[0].partition("databucket")[2].partition("/")[2]
    with bench.calls.unwatched():
        return bytes(client("s3").get_object(Bucket="databucket", Key=key)["Body"].read())


def test_a_workbook_is_read_by_itself_when_it_arrives(bench, front):
    """Nobody asks for it: the notice of its arrival is the message of its row."""
    content = registry()
    body = announced(front, content)
    session = body["session"]["sessionId"]
    assert (body["session"]["status"], status(front, session)["step"]) == ("processing", "uploading")
    bench.deliver("clean_sheet")
    assert status(front, session)["step"] == "uploading", "its own message waits for as long as the upload may take"
    bench.arrive(body["upload"]["fields"]["key"], content)
    bench.deliver("clean_sheet")
    assert (status(front, session)["status"], status(front, session)["version"]) == ("ready", 1)
    bench.pass_time(minutes=20)
    bench.settle("clean_sheet")
    (row,) = bench.all_rows()
    assert row.attempt == 1, "the late message finds it done"


def test_its_columns_say_what_they_hold_when_it_is_ready(front, ready):
    shown = front.get(f"{SESSIONS}/{ready}").body
    (sheet,) = shown["sheets"]
    assert (sheet["name"], sheet["rows"], sheet["headerRow"]) == ("Registry", 4, 1)
    patient, age, sex, seen, crp, smokes = sheet["columns"]
    assert (patient["type"], patient["warnings"]) == ("id", ["leading_zeros"])
    assert (age["name"], age["unit"], age["type"], age["missingTokens"]) == ("Age", "years", "integer", {"NA": 1})
    assert (age["min"], age["max"], age["mean"]) == (58, 70, 63.0)
    assert (sex["type"], sex["distinct"], sex["warnings"]) == ("category", 2, ["spellings"])
    assert (seen["type"], seen["min"], seen["max"]) == ("date", "2024-01-09", "2024-03-07")
    assert (crp["type"], crp["invalid"], crp["invalidExamples"]) == ("float", 1, ["<0.5"])
    assert set(crp["warnings"]) == {"censored", "mixed_types", "thousands"}
    assert (smokes["type"], smokes["missing"]) == ("boolean", 1)
    assert {note["code"]: note["count"] for note in sheet["notes"]} == {"cells_trimmed": 1}


def test_rows_are_clean_and_what_does_not_fit_stays_as_it_was(front, ready):
    rows = preview(front, ready)["rows"]
    assert rows[0] == ["001", 61, "F", "2024-01-09", "<0.5", True]
    assert rows[2] == ["003", None, "f", "2024-02-03", 1204.5, True]
    part = preview(front, ready, offset="2", rows="1")
    assert (part["rows"], part["offset"], part["total"]) == ([rows[2]], 2, 4)
    assert preview(front, ready, offset="9")["rows"] == []
    assert front.get(f"{SESSIONS}/{ready}/preview", query={"sheet": "1"}).problem == "invalid-request"


def test_a_preview_reads_a_part_of_the_file_and_parses_nothing(bench, front, ready, monkeypatch):
    monkeypatch.setattr("sheets.workbook_files.read", None)
    with bench.calls.watch() as calls:
        preview(front, ready)
    assert calls.operations.count("GetObject") == 2


def test_its_clean_table_and_its_workbook_can_be_taken_when_it_is_ready(bench, front, ready):
    links = front.get(f"{SESSIONS}/{ready}/data").body
    lines = [json.loads(line) for line in gzip.decompress(stored(bench, links["clean"]["url"])).splitlines()]
    assert lines[0]["sheets"][0]["name"] == "Registry"
    assert lines[1:] == preview(front, ready)["rows"]
    assert stored(bench, links["original"]["url"]) == registry()


def test_a_change_is_the_next_version_and_the_first_is_kept(bench, front, ready):
    answer = save(front, ready, cells=[{"row": 1, "column": 1, "value": 59}], removedRows=[3])
    assert (answer.status, answer.body["version"], answer.body["save"]["version"]) == (202, 1, 2)
    assert preview(front, ready)["rows"][1][1] == 58, "until it is written, the version before it is shown"
    bench.settle("clean_sheet")
    assert (status(front, ready)["version"], status(front, ready)["save"]) == (2, None)
    after = preview(front, ready)
    assert (after["version"], after["total"], after["rows"][1][1]) == (2, 3, 59)
    assert front.get(f"{SESSIONS}/{ready}").body["sheets"][0]["columns"][1]["min"] == 59
    original = front.get(f"{SESSIONS}/{ready}/data").body["original"]
    assert original["filename"] == "registry-v2.xlsx"
    book = CalamineWorkbook.from_filelike(io.BytesIO(stored(bench, original["url"]))).get_sheet_by_index(0).to_python()
    assert (book[0], book[2][1], len(book)) == (HEADER, 59.0, 4)
    with bench.calls.unwatched():
        kept = client("s3").get_object(Bucket="databucket", Key=f"tasks/p1/{ready}/uploaded")
    assert kept["Body"].read() == registry()


def test_the_first_sheet_with_a_table_is_shown_when_none_is_named(bench, front):
    session = arrived(bench, front, xlsx(("Notes", [[1, 2], [3, 4]]), ("Data", [["a", "b"], ["x", 1]])))
    bench.settle("clean_sheet")
    first, second = front.get(f"{SESSIONS}/{session}").body["sheets"]
    assert "names" in first["problem"]
    assert second["problem"] is None
    assert (preview(front, session)["sheet"], preview(front, session)["rows"]) == (1, [["x", 1]])


def test_a_whole_table_can_be_saved_and_its_texts_stay_texts(bench, front, ready):
    save(front, ready, columns=["formula", "n"], rows=[["=1+1", 1], ["@cmd", None]])
    bench.settle("clean_sheet")
    assert preview(front, ready)["rows"] == [["=1+1", 1], ["@cmd", None]]
    original = front.get(f"{SESSIONS}/{ready}/data").body["original"]
    book = CalamineWorkbook.from_filelike(io.BytesIO(stored(bench, original["url"]))).get_sheet_by_index(0).to_python()
    assert book[1:] == [["=1+1", 1.0], ["@cmd", ""]]


def test_a_preview_is_cut_where_it_would_be_too_much_for_one_answer(bench, front):
    """Mutation caught: as many rows as were asked for, of which Lambda sends none."""
    rows = "".join(f"{number},{'x' * 90_000}\n" for number in range(70)).encode()
    session = arrived(bench, front, b"id,text\n" + rows, filename="long.csv")
    bench.settle("clean_sheet")
    first = preview(front, session, rows="70")
    rest = preview(front, session, rows="70", offset=str(len(first["rows"])))
    assert 50 < len(first["rows"]) < 70
    assert [row[0] for row in first["rows"] + rest["rows"]] == list(range(70))


def test_the_second_of_two_savers_is_refused_and_the_same_save_again_is_one(bench, front, ready):
    mine = {"cells": [{"row": 0, "column": 1, "value": 1}]}
    assert save(front, ready, **mine).status == 202
    assert save(front, ready, **mine).status == 202, "its reply was lost, and it comes again"
    other = save(front, ready, cells=[{"row": 0, "column": 1, "value": 2}])
    assert (other.status, other.problem, other.body["version"]) == (409, "stale-version", 1)
    bench.settle("clean_sheet")
    assert save(front, ready, **mine).body["version"] == 2
    assert save(front, ready, cells=[{"row": 0, "column": 1, "value": 2}]).problem == "stale-version"
    assert preview(front, ready)["rows"][0][1] == 1


def test_one_of_two_savers_wins_when_the_other_saves_in_between(bench, front, ready):
    """After the first has looked at the version, and before it says that another follows. Mutation caught: a chain that forks."""
    answers: list[Any] = []

    def another(_number, operation, _arguments):
        if operation == "PutObject" and not answers:
            answers.append(save(front, ready, cells=[{"row": 0, "column": 1, "value": 2}]))

    with bench.calls.watch() as calls:
        calls.on_call = another
        first = save(front, ready, cells=[{"row": 0, "column": 1, "value": 1}])
    assert (first.status, first.problem, answers[0].status) == (409, "stale-version", 202)
    bench.settle("clean_sheet")
    assert preview(front, ready)["rows"][0][1] == 2


def test_a_save_is_one_save_when_it_is_cut_at_any_call_and_comes_again(bench, front):
    """Nothing is half done for good: whatever died, the same request finishes it, and the worker finds one change."""
    for cut in range(40):
        session = arrived(bench, front, registry([[f"{cut}", 1, "F", None, 1, "yes"], ["x", 2, "M", None, 2, "no"]]))
        bench.settle("clean_sheet")
        change = {"cells": [{"row": 0, "column": 1, "value": 7}]}
        with bench.calls.watch() as calls:
            calls.cut_after = cut
            with suppress(Killed):
                save(front, session, **change)
            was_cut = calls.dead
        assert save(front, session, **change).status == 202
        bench.settle("clean_sheet")
        assert (status(front, session)["version"], preview(front, session)["rows"][0][1]) == (2, 7), cut
        if not was_cut:
            break
    assert cut > 5


def test_the_version_before_is_shown_and_another_save_may_follow_when_one_fails(bench, front, ready):
    save(front, ready, cells=[{"row": 99, "column": 0, "value": "x"}])
    bench.settle("clean_sheet")
    seen = status(front, ready)
    assert (seen["status"], seen["version"], seen["save"]["status"]) == ("ready", 1, "error")
    assert "outside the table" in seen["save"]["errorMessage"]
    assert save(front, ready, cells=[{"row": 0, "column": 1, "value": 5}]).status == 202
    bench.settle("clean_sheet")
    assert (status(front, ready)["version"], preview(front, ready)["rows"][0][1]) == (3, 5)


def test_the_same_change_can_be_saved_again_when_it_failed(bench, front, ready):
    """Storage was gone at the wrong moment; the change itself was sound."""
    change = {"cells": [{"row": 0, "column": 1, "value": 7}]}
    save(front, ready, **change)
    with bench.calls.watch() as calls:
        calls.fail("GetObject", aws_error("NoSuchKey", 404), times=99)
        bench.deliver("clean_sheet")
    bench.settle("clean_sheet")
    assert status(front, ready)["save"]["status"] == "error"
    assert save(front, ready, **change).body["save"]["status"] == "processing"
    bench.settle("clean_sheet")
    assert preview(front, ready)["rows"][0][1] == 7


def test_every_workbook_that_lives_is_listed_when_many_were_deleted(bench, front, monkeypatch):
    monkeypatch.setattr("sheets.sessions.LISTED", 1)
    kept = announced(front, registry())["session"]["sessionId"]
    for number in range(3):
        gone = announced(front, registry([[f"{number}", 1, "F", None, 1, "yes"]] * 2))["session"]["sessionId"]
        front.send("DELETE", f"{SESSIONS}/{gone}")
    assert [each["sessionId"] for each in front.get(SESSIONS).body["sessions"]] == [kept]


def test_no_form_is_given_when_its_file_would_not_be_read_any_more(bench, front):
    asked = {"headers": {"idempotency-key": "late"}}
    assert front.send("POST", SESSIONS, announcement(registry()), **asked).body["upload"]
    bench.pass_time(minutes=16)
    assert front.send("POST", SESSIONS, announcement(registry()), **asked).body["upload"] is None


@pytest.mark.parametrize(
    "change",
    [
        {"cells": [{"row": 0, "column": 0, "value": 10**15}]},
        {"columns": ["a"] * 2_001, "rows": [[None] * 2_001]},
        {},
        {"cells": []},
        {"columns": ["a"]},
        {"columns": ["a"], "rows": [[1, 2]]},
        {"columns": ["a"], "rows": [[1]], "cells": [{"row": 0, "column": 0, "value": 1}]},
        {"cells": [{"row": 0, "column": 0, "value": {"a": 1}}]},
        {"cells": [{"row": -1, "column": 0, "value": 1}]},
    ],
)
def test_a_save_that_says_nothing_sound_is_refused_before_anything_is_written(front, ready, change):
    assert save(front, ready, **change).status == 400


def test_nothing_can_be_seen_or_saved_before_it_is_ready(bench, front):
    session = arrived(bench, front, registry())
    for path in ("preview", "data"):
        assert front.get(f"{SESSIONS}/{session}/{path}").problem == "not-ready"
    assert save(front, session, cells=[{"row": 0, "column": 0, "value": 1}]).problem == "not-ready"
    assert front.get(f"{SESSIONS}/{session}").body["sheets"] is None


def test_a_file_that_never_comes_ends_in_words_and_one_that_comes_late_is_read(bench, front):
    never = announced(front, registry())["session"]["sessionId"]
    content = xlsx(("Late", [HEADER, *PATIENTS]))
    late = announced(front, content)
    bench.pass_time(minutes=16)
    bench.deliver("clean_sheet")
    assert {status(front, each)["status"] for each in (never, late["session"]["sessionId"])} == {"processing"}
    bench.arrive(late["upload"]["fields"]["key"], content)
    bench.deliver("clean_sheet")
    assert status(front, late["session"]["sessionId"])["status"] == "ready"
    bench.settle("clean_sheet")
    assert "never arrived" in status(front, never)["errorMessage"]


def test_it_is_read_all_the_same_when_nobody_was_told_of_its_arrival(bench, front):
    content = registry()
    body = announced(front, content)
    bench.arrive(body["upload"]["fields"]["key"], content, told=False)
    bench.settle("clean_sheet")
    assert status(front, body["session"]["sessionId"])["status"] == "ready"


def test_it_is_read_once_more_when_its_clean_copy_is_gone(bench, front, ready):
    (row,) = [each for each in bench.all_rows() if isinstance(each, Row)]
    with bench.calls.unwatched():
        client("s3").delete_object(Bucket="databucket", Key=row.data_key)
    assert front.get(f"{SESSIONS}/{ready}/preview").problem == "read-again"
    assert front.get(f"{SESSIONS}/{ready}/preview").problem == "read-again", "asked twice, it is done once"
    bench.settle("clean_sheet")
    assert preview(front, ready)["total"] == 4
    assert len(bench.all_rows()) == 2


def test_the_same_request_finds_its_session_when_its_reply_was_lost(front):
    first, second = (
        front.send("POST", SESSIONS, announcement(registry()), headers={"idempotency-key": "once"}) for _ in range(2)
    )
    assert (first.status, second.status) == (201, 200)
    assert first.body["session"]["sessionId"] == second.body["session"]["sessionId"]
    assert second.body["upload"]["fields"]["key"] == first.body["upload"]["fields"]["key"]
    another = front.send("POST", SESSIONS, announcement(b"other"), headers={"idempotency-key": "once"})
    assert another.problem == "idempotency-key-reused"


def test_nothing_is_left_of_it_when_it_is_deleted_or_has_expired(bench, front, ready):
    save(front, ready, removedRows=[0])
    bench.settle("clean_sheet")
    other = arrived(bench, front, xlsx(("Other", [HEADER, *PATIENTS])))
    bench.settle("clean_sheet")
    assert [each["sessionId"] for each in front.get(SESSIONS).body["sessions"]] == [other, ready]
    assert front.send("DELETE", f"{SESSIONS}/{ready}").status == 204
    assert front.get(f"{SESSIONS}/{ready}").status == 404
    assert [each["sessionId"] for each in front.get(SESSIONS).body["sessions"]] == [other]
    bench.pass_time(hours=24 * 10)
    assert front.get(f"{SESSIONS}/{other}").status == 404
    for _ in range(3):
        bench.tidy()
        bench.pass_time(hours=25)
    with bench.calls.unwatched():
        found = client("s3").list_object_versions(Bucket="databucket", Prefix="tasks/")
    assert [each["Key"] for each in found.get("Versions", [])] == []


def test_a_session_that_waits_can_be_deleted_at_once_and_is_never_read(bench, front):
    content = registry()
    body = announced(front, content)
    session = body["session"]["sessionId"]
    assert front.send("DELETE", f"{SESSIONS}/{session}").status == 204
    bench.arrive(body["upload"]["fields"]["key"], content)
    bench.settle("clean_sheet")
    assert front.get(f"{SESSIONS}/{session}/status").status == 404
    (row,) = bench.all_rows()
    assert (row.status, row.attempt) == ("cancelled", 0)


def test_a_workbook_that_is_too_large_is_refused_before_anything_is_written(bench, front):
    answer = front.post(SESSIONS, announcement(b"x") | {"size": 10**9})
    assert (answer.status, answer.problem) == (400, "invalid-request")
    assert bench.tasks() == []


def test_a_project_has_no_more_workbooks_than_it_may(bench, front):
    fronts.limit(bench, sheets_per_project=1)
    announced(front, registry())
    refused = front.post(SESSIONS, announcement(b"another"))
    assert (refused.status, refused.problem) == (429, "too-much")


def test_a_session_is_no_task_and_is_nobody_elses(bench, front, ready):
    assert front.get("/asl/extraction/tasks").body["tasks"] == []
    assert front.get(f"/asl/extraction/tasks/{ready}").status == 404
    stranger = Front(bench, "p2")
    assert stranger.get(f"{SESSIONS}/{ready}").status == 404
    assert front.get(f"{SESSIONS}/nothing").status == 404
