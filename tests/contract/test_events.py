"""events/ is what each function is really sent: every one is accepted by its handler, and together they tell one story."""

import base64
import json
from typing import Any

import pytest

import aggregator
import api
import intake
import janitor
import notice
import page
import worker
from clinical import templates
from clinical.library import file_names
from local.demo import KEY
from local.stack import PROJECT
from sheaf import settings
from sheaf.notices import webhook_items
from sheaf.outside import wiring
from tests.support.bench import EVENTS
from tests.support.clients import client
from tests.support.receivers import URL
from tests.support.stack_file import ROOT

HANDLERS = {
    "api": api,
    "worker": worker,
    "export": worker,
    "sheet": worker,
    "aggregator": aggregator,
    "janitor": janitor,
    "page": page,
    "intake": intake,
    "notice": notice,
}
TASK = EVENTS["aggregator-nudge"]["task"]


def handler(name: str) -> Any:
    return next(module.lambda_handler for prefix, module in HANDLERS.items() if name.startswith(prefix))


@pytest.fixture
def send(bench):
    """Send one of the events to its handler, the sample papers being in the library."""
    for path in sorted((ROOT / "samples").glob("*.nxml")):
        base = file_names.base_id(PROJECT, f"key {KEY}")
        bench.paper(path.read_bytes(), path.name, PROJECT, knowledge_base=base)
    wiring.worlds[settings.WorkerSettings] = bench.worker_world("extract_paper")

    def to(name: str) -> Any:
        return handler(name)(json.loads(json.dumps(EVENTS[name])), bench.context(300))

    return to


@pytest.fixture
def story(bench, send):
    """The task of the other events is open."""
    assert send("api-create-task")["statusCode"] == 202
    return send


def body(reply: Any) -> Any:
    return json.loads(reply["body"])


def test_every_event_belongs_to_a_handler_and_every_handler_has_one():
    told = {name: [prefix for prefix in HANDLERS if name.startswith(prefix)] for name in EVENTS}
    assert all(len(prefixes) == 1 for prefixes in told.values()), told
    assert {prefixes[0] for prefixes in told.values()} == set(HANDLERS)


def test_the_service_says_that_it_is_there(send):
    assert (send("api-health")["statusCode"], body(send("api-health"))) == (200, {"ok": True})


def test_the_page_is_answered(monkeypatch, tmp_path):
    (tmp_path / "index.html").write_text("<!doctype html>")
    (tmp_path / "files.json").write_text('{"index.html": "1"}')
    monkeypatch.setattr(page, "SITE", tmp_path)
    monkeypatch.setenv("SIGN_IN", "endpoint=https://cognito.example/ clientId=c")
    monkeypatch.setenv("BUCKET_ORIGINS", "https://bucket.example")
    monkeypatch.setenv("SAMPLES", "true")
    page.site.cache_clear()
    nobody: Any = None
    reply = page.lambda_handler(EVENTS["page-index"], nobody)
    page.site.cache_clear()
    assert (reply["statusCode"], base64.b64decode(reply["body"])) == (200, b"<!doctype html>")


def test_a_task_is_opened_and_is_the_one_that_the_other_events_name(bench, send):
    reply = send("api-create-task")
    opened = body(reply)
    assert (reply["statusCode"], opened["status"]) == (202, "processing")
    assert f"{opened['projectId']}/{opened['taskId']}" == TASK
    assert opened["totalCount"] == len(json.loads(EVENTS["api-create-task"]["body"])["documentIds"])
    assert body(send("api-create-task"))["taskId"] == opened["taskId"]
    assert len(bench.tasks()) == 1


def test_a_message_is_worked_on_and_acknowledged(bench, story):
    assert story("worker-message") == {"batchItemFailures": []}
    row = bench.all_rows()[0]
    assert (row.status, row.task) == ("completed", TASK)


def test_an_export_is_ordered_and_is_the_one_whose_message_is_worked_on(bench, story):
    bench.settle()
    ordered = story("api-create-export")
    assert ordered["statusCode"] == 202, ordered
    assert f"demo/{body(ordered)['exportId']}/0000" in EVENTS["export-message"]["Records"][0]["body"]
    wiring.worlds[settings.WorkerSettings] = bench.worker_world("export_table")
    assert story("export-message") == {"batchItemFailures": []}
    assert [row.status for row in bench.all_rows() if row.options.get("format")] == ["completed"]


def test_a_workbook_is_announced_and_is_the_one_whose_arrival_is_worked_on(bench, send):
    opened = body(send("api-create-session"))
    key = opened["upload"]["fields"]["key"]
    assert key in EVENTS["sheet-uploaded"]["Records"][0]["body"]
    with bench.calls.unwatched():
        client("s3").put_object(Bucket="databucket", Key=key, Body=b"patient,age\n001,61\n002,58\n")
    wiring.worlds[settings.WorkerSettings] = bench.worker_world("clean_sheet")
    assert send("sheet-uploaded") == {"batchItemFailures": []}
    assert [row.status for row in bench.all_rows()] == ["completed"]


def test_a_close_is_told_of_and_is_the_one_of_the_story(bench, story):
    webhook_items.set_up(bench.api_world, PROJECT, None, URL, None, new_secret=False)
    bench.settle()
    sent = json.loads(bench.queued("notice")[0])
    said = json.loads(EVENTS["notice-message"]["Records"][0]["body"])
    assert (sent[0], sent[2], sent[4].keys()) == (said[0], said[2], said[4].keys())
    assert story("notice-message") == {"batchItemFailures": []}
    assert [each.headers["webhook-id"] for each in bench.receivers.sent] == [f"{TASK}/closed"]


def test_a_task_is_shown(story):
    reply = story("api-get-task")
    assert (reply["statusCode"], body(reply)["taskId"]) == (200, TASK.partition("/")[2])


def test_results_are_shown(story):
    story("worker-message")
    reply = story("api-get-results")
    (row,) = body(reply)["results"]
    assert (reply["statusCode"], row["status"]) == (200, "completed")
    assert row["extractedData"]["fields"].keys() == {field.name for field in templates.find("rct").fields}


@pytest.mark.parametrize("name", ["aggregator-nudge", "aggregator-schedule"])
def test_a_sweep_is_made_and_closes_what_is_done(bench, story, name):
    for number in range(2):
        story("worker-message")
        record = EVENTS["worker-message"]["Records"][0]
        other: Any = {**record, "body": record["body"].replace('"r":0', f'"r":{number}')}
        worker.lambda_handler({"Records": [other]}, bench.context(300))
    assert story(name)["ended"] == "nothing left to do"
    assert bench.tasks()[0].status == "completed"


def test_a_part_is_written_and_sent_when_it_is_unsent(bench, story):
    """Once: the second time there is nothing unsent."""
    rows, item = {row.document for row in bench.all_rows()}, bench.tasks()[0]
    item.dispatch_until, item.unsent, item.scattered_at = EVENTS["aggregator-scatter"]["until"], {0}, None
    bench.put(item)
    for row in bench.all_rows():
        key = {"shard": {"S": row.shard}, "row": {"N": str(row.row)}}
        client("dynamodb").delete_item(TableName="ResultsTable", Key=key)
    bench.lose_messages("extract_paper")
    for _ in range(2):
        assert story("aggregator-scatter") == {"ended": "part sent"}
        assert {row.document for row in bench.all_rows()} == rows
        assert len(bench.queued("extract_paper")) == len(rows)
        assert (bench.tasks()[0].unsent, bench.tasks()[0].dispatch_until) == (None, None)


def test_a_gathering_is_left_alone_when_the_task_has_its_rows(bench, story):
    before = bench.raw()
    assert story("aggregator-gather") == {"ended": "gathered"}
    assert bench.raw() == before


def test_nothing_is_deleted_that_is_needed(bench, story):
    story("worker-message")
    assert story("janitor-schedule") == {"deleted": 0}


@pytest.mark.parametrize("name", ["intake-upload", "intake-again"])
def test_a_message_of_a_document_that_is_gone_or_was_read_already_is_acknowledged(bench, story, name):
    assert story(name) == {"batchItemFailures": []}


@pytest.mark.parametrize("name", [name for name in EVENTS if name.startswith(("worker", "dead", "intake", "notice"))])
def test_a_message_event_is_what_sqs_sends(name):
    """The names that the handlers read, and no more than one record: the batch size is one."""
    (record,) = EVENTS[name]["Records"]
    assert record.keys() >= {"messageId", "receiptHandle", "body", "attributes", "eventSource", "eventSourceARN"}
    assert record["attributes"]["ApproximateReceiveCount"].isdigit()
