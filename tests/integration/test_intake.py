"""Uploads on their way: read once, whatever dies in between; and the sweep that forgets none."""

import base64
import hashlib
import json
import sys
import time

import pytest

import intake
from clinical.intake import document_sweep
from clinical.library.document_lifecycle import State
from clinical.papers import Paper
from sheaf.apart.reader_errors import ReaderBroken
from sheaf.outside.objects import CHECKSUM
from tests.simulation import forms
from tests.support.calls import Killed, aws_error
from tests.support.clients import client
from tests.support.uploads import BASES, announced, uploaded


def shown(bench, document):
    return bench.http("GET", f"/pkb/documents/{document}")[1]


def bodies(bench):
    return bench.queued("intake")


# ---------------------------------------------------------------------------------------------------- the way


def test_an_upload_is_read_once_and_its_text_is_pinned(bench, base):
    content = "First page.\fSecond page, 中文.".encode()
    document = uploaded(bench, base, content)
    assert shown(bench, document)["status"] == "uploading"
    bench.take_in()
    seen = shown(bench, document)
    assert (seen["status"], seen["pageCount"], seen["replacement"]) == ("ready", 2, None)
    usable = bench.document(document).pinned
    stored = client("s3").get_object(Bucket="databucket", Key=usable.text_key, VersionId=usable.text_version)
    text = stored["Body"].read()
    assert hashlib.sha256(text).hexdigest() == usable.text_sha256
    paper = Paper.from_json(text)
    assert [page.text for page in paper.pages] == content.decode().split("\f")
    assert paper.source
    assert (paper.source.key, paper.source.version, paper.source.sha256) == (usable.key, usable.version, usable.sha256)
    assert bodies(bench) == []


def test_a_task_over_it_gets_the_very_text_that_the_intake_kept(bench, base):
    document = uploaded(bench, base, b"https://doi.org/10.1000/own")
    bench.take_in()
    task = bench.open([document])
    bench.settle()
    row = bench.rows(task)[0]
    usable = bench.document(document).pinned
    assert (row.status, row.pinned_key, row.pinned_sha256) == ("completed", usable.text_key, usable.text_sha256)


def test_the_same_notice_twice_reads_once(bench, base):
    document = uploaded(bench, base)
    (body,) = bodies(bench)
    bench.take_in()
    bench.message(body, "intake")
    before = bench._scan("LibraryTable")
    bench.take_in()
    assert (bench._scan("LibraryTable"), bodies(bench)) == (before, [])
    assert bench.document(document).attempt == 1


@pytest.mark.parametrize("content", [b"", b"\x00\x01\x02", b"%PDF-1.7 nothing more", b" \n "])
def test_what_cannot_be_read_says_why_and_what_to_do(bench, base, content):
    document = uploaded(bench, base, content)
    bench.take_in()
    seen = shown(bench, document)
    assert seen["status"] == "unreadable"
    assert seen["reason"]
    assert seen["advice"]
    assert bench.document(document).active is None


def test_other_bytes_than_announced_are_unreadable_until_the_right_ones_come(bench, base):
    """By the same form, which is good for an hour: the second notice brings another version, and that is read."""
    answer = announced(bench, base, b"right")
    key, document = answer["upload"]["fields"]["key"], answer["document"]["documentId"]
    bench.arrive(key, b"wrong")
    bench.take_in()
    assert shown(bench, document)["reason"] == "The bytes that arrived are not the ones that were announced."
    bench.arrive(key, b"right")
    bench.take_in()
    assert shown(bench, document)["status"] == "ready"


def test_the_last_upload_is_read_when_its_notice_was_lost(bench, base):
    """Any notice will do: whoever hears that something came looks at what there is."""
    answer = announced(bench, base, b"right")
    key, document = answer["upload"]["fields"]["key"], answer["document"]["documentId"]
    bench.arrive(key, b"wrong")
    bench.arrive(key, b"right", told=False)
    bench.take_in()
    assert (shown(bench, document)["status"], bench.document(document).attempt) == ("ready", 1)


def test_a_late_notice_changes_nothing_when_a_later_upload_was_read(bench, base):
    """Found by the simulation: two versions of an upload took turns, and the last word was the older one's."""
    answer = announced(bench, base, b"\x00\x01\x02")
    key, document = answer["upload"]["fields"]["key"], answer["document"]["documentId"]
    bench.arrive(key, b"wrong")
    (notice,) = bodies(bench)
    bench.take_in()
    bench.arrive(key, b"\x00\x01\x02")
    bench.take_in()
    before = bench.document(document)
    assert "announced" not in before.reason
    bench.message(notice, "intake")
    bench.take_in()
    assert (bench.document(document).reason, bench.document(document).attempt) == (before.reason, 2)


@pytest.mark.parametrize(
    "body",
    [
        "",
        "{}",
        "[]",
        "null",
        "[1]",
        '{"Records": 1}',
        '{"Records": [{"s3": {}}]}',
        '{"v": 2, "p": "p1", "d": "d1"}',
        '{"v": 1, "p": "../p", "d": "d1"}',
        '{"Event": "s3:TestEvent"}',
        '{"v": 1, "p": "p1", "d": "dnone"}',
        json.dumps({"Records": [{"s3": {"object": {"key": "texts/p1/d1/0.json"}}}]}),
        json.dumps({"Records": [{"s3": {"object": {"key": "documents/p1/../../x.txt", "versionId": "v"}}}]}),
    ],
)
def test_a_message_that_says_nothing_is_acknowledged(bench, body):
    bench.message(body, "intake")
    bench.take_in()
    assert bodies(bench) == []


# ---------------------------------------------------------------------------------------------------- whose turn


def notice(bench):
    (held,) = [held for held in bench.held.values() if held.kind == "intake"]
    return held


def test_a_notice_is_sent_on_under_its_project_and_nothing_is_read_yet(bench, base):
    """The queue takes turns by that: a thousand files of one project do not keep another's waiting."""
    document = uploaded(bench, base)
    with bench.calls.watch() as calls:
        bench.invoke_intake(notice(bench))
    ((_, operation, sent),) = calls.made
    assert (operation, [entry["MessageGroupId"] for entry in sent["Entries"]]) == ("SendMessageBatch", ["p1"])
    assert shown(bench, document)["status"] == "uploading"
    told = json.loads(notice(bench).record["body"])
    assert set(told) == {"v", "p", "d"}
    bench.invoke_intake(notice(bench))
    assert shown(bench, document)["status"] == "ready"


def test_a_notice_comes_back_when_the_queue_did_not_take_what_was_sent_on(bench, base):
    document = uploaded(bench, base)
    with bench.calls.watch() as calls:
        calls.fail("SendMessageBatch", aws_error("ServiceUnavailable", 503))
        bench.take_in()
    assert 0 < notice(bench).visible_at - bench.clock.now <= 60_000
    bench.pass_time(minutes=1)
    bench.take_in()
    assert shown(bench, document)["status"] == "ready"


# ---------------------------------------------------------------------------------------------------- dying


def test_a_reader_that_dies_at_any_call_costs_a_try_and_no_document(bench, base):
    """Between any two calls of the reading, and after each: the sweep sends again, and the text is there in the end."""
    at = 0
    while True:
        document = uploaded(bench, base, f"text {at}".encode())
        with bench.calls.watch() as calls:
            calls.cut_after = at
            bench.take_in()
            died = calls.dead
            made = len(calls.made)
        bench.lose_messages("intake")
        for _ in range(4):
            bench.pass_time(minutes=4)
            bench.sweep_once()
            bench.take_in()
        assert shown(bench, document)["status"] == "ready", at
        assert bench.document(document).attempt <= 2
        if not died and made <= at:
            return
        at += 1


def test_a_file_that_kills_every_reader_is_unreadable_in_the_end(bench, base):
    document = uploaded(bench, base)
    for _ in range(3):
        with bench.calls.watch() as calls:
            calls.die_when = lambda operation, _: operation == "GetObject"
            assert bench.take_in() == 1
        bench.lose_messages("intake")
        bench.pass_time(minutes=4)
        bench.sweep_once()
    assert bodies(bench) == []
    assert shown(bench, document)["status"] == "unreadable"
    assert bench.document(document).tries == 3


def test_a_defect_is_raised_and_costs_a_try(bench, base, monkeypatch):
    """Nothing is swallowed: the alarm on the function's errors hears of it."""
    document = uploaded(bench, base)
    bench.tolerated = (ZeroDivisionError,)
    monkeypatch.setattr("clinical.papers.read_paper.read_apart", lambda *_, **__: 1 / 0)
    bench.take_in()
    assert [type(error) for error in bench.raised] == [ZeroDivisionError]
    assert (bench.document(document).state, bench.document(document).tries) == ("reading", 1)


def test_a_deploy_hears_of_it_when_files_cannot_be_read_there(bench, monkeypatch):
    """Mutation caught: a smoke event that is answered without a reading."""
    context = bench.context(60)
    assert intake.lambda_handler({"source": "smoke"}, context) == {"batchItemFailures": []}
    monkeypatch.setattr(sys, "path", ["/nowhere"])
    with pytest.raises(ReaderBroken):
        intake.lambda_handler({"source": "smoke"}, context)


def test_storage_that_does_not_answer_is_waited_for(bench, base):
    document = uploaded(bench, base)
    with bench.calls.watch() as calls:
        calls.fail("GetObject", aws_error("SlowDown", 503))
        bench.take_in()
    assert shown(bench, document)["status"] == "reading"
    (held,) = [held for held in bench.held.values() if held.kind == "intake"]
    assert 0 < held.visible_at - bench.clock.now < 60_000
    bench.pass_time(minutes=1)
    bench.take_in()
    assert shown(bench, document)["status"] == "ready"


# ---------------------------------------------------------------------------------------------------- the sweep


def test_an_upload_whose_notice_was_lost_is_found_within_minutes(bench, base):
    document = uploaded(bench, base, notice=False)
    bench.sweep_once()
    assert bodies(bench) == [], "not before there is a sign of it"
    bench.pass_time(minutes=2.1)
    bench.sweep_once()
    assert bodies(bench) == [json.dumps({"v": 1, "p": "p1", "d": document}, separators=(",", ":"))]
    bench.take_in()
    assert shown(bench, document)["status"] == "ready"


def test_an_upload_that_never_comes_ends_when_its_form_is_long_over(bench, base):
    document = announced(bench, base)["document"]["documentId"]
    looks = 0
    for _ in range(75):
        bench.pass_time(minutes=1)
        with bench.calls.watch() as calls:
            bench.sweep_once()
            looks += calls.operations.count("HeadObject")
    assert shown(bench, document)["reason"] == "The file never arrived."
    assert looks <= 8, "it is looked for ever more seldom"


def test_a_message_of_the_intake_that_vanishes_is_sent_again_ever_more_seldom(bench, base):
    document = uploaded(bench, base)
    with bench.calls.watch() as calls:
        calls.die_when = lambda operation, _: operation == "GetObject"
        bench.take_in()
    sent = 0
    for _ in range(60):
        sent += bench.lose_messages("intake")
        bench.pass_time(minutes=1)
        bench.sweep_once()
    assert 3 <= sent <= 8
    bench.take_in()
    assert shown(bench, document)["status"] in {"reading", "ready"}


def test_with_nothing_under_way_a_tick_costs_one_query(bench, base):
    bench.paper("resting")
    with bench.calls.watch() as calls:
        document_sweep.mend(bench.sweep_world, bench.clock.now + 1000)
    assert calls.operations == ["Query"]


def test_a_nudge_leaves_the_documents_to_the_clock(bench, base):
    uploaded(bench, base, notice=False)
    bench.pass_time(minutes=3)
    bench.sweep("p1/none")
    assert bodies(bench) == []


def test_a_sweep_that_fails_over_tasks_still_looks_at_documents(bench, base, monkeypatch):
    uploaded(bench, base, notice=False)
    bench.probes("ok")
    bench.pass_time(minutes=3)
    monkeypatch.setattr("sheaf.aggregator.sweep_loop.run", lambda *_, **__: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        bench.sweep()
    assert len(bodies(bench)) == 1


def test_the_documents_of_a_deleted_base_go_also_when_the_api_dies_at_it(bench, base):
    documents = [uploaded(bench, base, f"{n}".encode()) for n in range(3)]
    with bench.calls.watch() as calls:
        calls.die_when = lambda operation, arguments: (
            operation == "UpdateItem" and arguments["Key"]["entry"]["S"].endswith(documents[1])
        )
        with pytest.raises(Killed):
            bench.http("DELETE", f"{BASES}/{base}")
    bench.pass_time(minutes=3)
    bench.sweep_once()
    bench.sweep_once()
    assert {bench.document(name).state for name in documents} == {State.DELETED}
    bench.pass_time(minutes=3)
    bench.sweep_once()
    assert [item for item in bench._scan("LibraryTable") if "active" in item] == []


def test_ten_posts_by_one_form_are_three_readings_when_the_file_is_unreadable(bench, base):
    """Mutation caught: an unreadable document that is claimed for each new version, without a look at its tries."""
    told = announced(bench, base, b"\x00\x01\x02")
    name = told["document"]["documentId"]
    for _ in range(10):
        bench.arrive(told["upload"]["fields"]["key"], b"\x00\x01\x02")
        bench.take_in()
    assert (bench.document(name).state, bench.document(name).attempt) == ("unreadable", 3)
    announced(bench, base, b"\x00\x01\x02")
    bench.arrive(told["upload"]["fields"]["key"], b"\x00\x01\x02")
    bench.take_in()
    assert bench.document(name).attempt == 4, "who announces it anew is heard"


def test_a_form_takes_the_bytes_that_were_announced_and_no_others_when_it_is_used(bench, base):
    """Its hash is among what is signed, and it is over after minutes."""
    began = time.time()
    form = announced(bench, base, b"Some text.")["upload"]
    now = int(time.time() * 1000)
    assert forms.takes(form, b"Some text.", now)
    assert not forms.takes(form, b"Some tex7.", now)
    assert not forms.takes(form, b"Some text.", int((began + 901) * 1000))
    signed = json.loads(base64.b64decode(form["fields"]["policy"]))["conditions"]
    assert {CHECKSUM: form["fields"][CHECKSUM]} in signed
    changed = {**form, "fields": {**form["fields"], CHECKSUM: "another"}}
    assert not forms.takes(changed, b"Some text.", now, hashes=False)
