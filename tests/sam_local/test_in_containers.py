"""`sam local invoke`: every function with the very files of events/, and a worker that runs into its limits.

The files are sent in the order in which they tell a task's life. Their ids are true ones: the documents are two of
samples/ as `make run` puts them into the library, and the task is the one that the first event opens, because its id
follows from the project and the idempotency key. Nothing is changed in them but the row's number, for a second message.

The emulator cannot enforce limits, and a container does. A worker that runs out of memory or of time dies in the midst
of its work and leaves its row claimed. Nothing is lost: the message comes back and waits, and once the lease is over the
sweep has the row done again. (All in one file, because a file is what pytest-xdist gives to one of its workers.)
"""

import base64
import hashlib
import json
import time
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError

from clinical.library import file_names
from clinical.library.document_lifecycle import State
from clinical.papers import reader
from local.aws import DIRECT
from local.demo import KEY
from local.sam_local import containers
from local.sam_local.containers import Invocation
from local.settings import REGION, ROOT
from sheaf.items import Row, shard_key, sweeper_gate, task_key
from tests.support import stack_file
from tests.support.deployed import Deployed, eventually
from tests.support.shelf import a_document
from tests.support.workbooks import announcement, registry

pytestmark = [pytest.mark.emulator, pytest.mark.slow]

EVENTS = ROOT / "events"
TASK_ID = "ilcy5dr7jjmzxltrsrrk"
TASK = f"demo/{TASK_ID}"
PAPERS = {"d62147dc34f3ecff3493": "PMC5712123.nxml", "d82f1328b246fdf18efb": "PMC5762805.nxml"}

BEYOND = Path(__file__).with_name("beyond.py")
UPLOADED, FORGOTTEN = "istop-ade-2015.pdf", "PMC5571493.nxml"
# Enough for a container to start and claim, also on a busy machine.
TIMEOUT_SECONDS = 30
SAMPLES_BASE = file_names.base_id("demo", f"key {KEY}")
ROWS = {"memory": 0, "time": 1}
MESSAGE_ID = "059f36b4-87a3-44ab-83d2-661975830a7d"


@pytest.fixture(scope="module")
def health(sam):
    """Asked for while the others are under way: two containers at once do not disturb each other."""
    with ThreadPoolExecutor(1) as pool:
        yield pool.submit(sam.send, "ApiFunction", EVENTS / "api-health.json")


@pytest.fixture(scope="module")
def opened(sam, health):
    """The task that the event asks for."""
    for document, name in PAPERS.items():
        content = (ROOT / "samples" / name).read_bytes()
        assert sam.deployed.papers([content], base=SAMPLES_BASE, name=name) == [document]
    seen = _seen(sam, sam.send("ApiFunction", EVENTS / "api-create-task.json"))
    queue = sam.deployed.client("sqs").get_queue_attributes(
        QueueUrl=sam.deployed.physical("ExtractPaperQueue"), AttributeNames=["ApproximateNumberOfMessages"]
    )
    return SimpleNamespace(messages=int(queue["Attributes"]["ApproximateNumberOfMessages"]), **vars(seen))


@pytest.fixture(scope="module")
def scattered(sam, opened, event):
    """Its only part, sent anew: it was unsent again, and the second row was gone."""
    dynamodb, until = sam.deployed.client("dynamodb"), str(event("aggregator-scatter")["until"])
    dynamodb.update_item(
        TableName=sam.deployed.physical("TasksTable"),
        Key={"task": {"S": TASK}},
        UpdateExpression="SET dispatch_until = :until, unsent = :parts REMOVE scattered_at",
        ExpressionAttributeValues={":until": {"N": until}, ":parts": {"NS": ["0"]}},
    )
    second = {"shard": {"S": shard_key(TASK, 0)}, "row": {"N": "1"}}
    dynamodb.delete_item(TableName=sam.deployed.physical("ResultsTable"), Key=second)
    return _seen(sam, sam.send("AggregatorFunction", EVENTS / "aggregator-scatter.json"))


@pytest.fixture(scope="module")
def worked(sam, scattered):
    """Its first row, worked on."""
    seen = _seen(sam, sam.send("ExtractPaperFunction", EVENTS / "worker-message.json"))
    (stored,) = _payloads(sam)
    return SimpleNamespace(data=json.loads(zlib.decompress(stored["packed"]["B"])), **vars(seen))


@pytest.fixture(scope="module")
def closed(sam, worked, event):
    """A sweeper that found one row open; a nudge while it swept; the last row's message; what each of them answered."""
    second = event("worker-message")
    second["Records"][0]["body"] = second["Records"][0]["body"].replace('"r":0', '"r":1')
    _alone(sam)
    _just_ended(sam)
    with ThreadPoolExecutor(1) as pool:
        limits = {"AggregatorTimeoutSeconds": "120"}
        sweeping = pool.submit(sam.send, "AggregatorFunction", EVENTS / "aggregator-schedule.json", parameters=limits)
        sweeper = sweeper_gate(sam.deployed.task(TASK_ID).active)
        # It may end before it is seen: then it is told what it said, or why it failed.
        eventually(lambda: sweeping.done() or ((gate := sam.deployed.gate(sweeper)) and gate.holder), "a sweeper")
        assert not sweeping.done(), sweeping.result()
        nudged = sam.send("AggregatorFunction", EVENTS / "aggregator-nudge.json")
        last = sam.send("ExtractPaperFunction", second)
        swept = sweeping.result()
    return SimpleNamespace(nudged=nudged, last=last, **vars(_seen(sam, swept)))


def _alone(sam):
    """The tick becomes one sweeper, and asks the emulator, where nobody is awake, for those of other tests' open tasks: they are put away."""
    tasks, table = sam.deployed.client("dynamodb"), sam.deployed.physical("TasksTable")
    for item in tasks.scan(TableName=table)["Items"]:
        if "active" in item and item["task"]["S"] != TASK:
            tasks.update_item(TableName=table, Key={"task": item["task"]}, UpdateExpression="REMOVE active")


def _just_ended(sam):
    """The first row, for the sweeper: it goes home from a task in which nothing has ended for minutes, as here on a slow machine."""
    sam.deployed.client("dynamodb").update_item(
        TableName=sam.deployed.physical("ResultsTable"),
        Key={"shard": {"S": shard_key(TASK, 0)}, "row": {"N": "0"}},
        UpdateExpression="SET updated_at = :now",
        ExpressionAttributeValues={":now": {"N": str(time.time_ns() // 1_000_000)}},
    )


@pytest.fixture(scope="module")
def gathered(sam, closed):
    """The same task, asked to be gathered, whose rows are there."""
    return sam.send("AggregatorFunction", EVENTS / "aggregator-gather.json")


@pytest.fixture(scope="module")
def shown(sam, closed):
    """The task and its table, as the API shows them."""
    files = [EVENTS / f"{name}.json" for name in ("api-get-task", "api-get-results")]
    with ThreadPoolExecutor(len(files)) as pool:
        return list(pool.map(lambda file: sam.send("ApiFunction", file), files))


@pytest.fixture(scope="module")
def exported(sam, shown):
    """Its table, ordered as a workbook, written, and closed by a sweep: one that is still written is not erased."""
    ordered = sam.send("ApiFunction", EVENTS / "api-create-export.json")
    written = sam.send("ExportTableFunction", EVENTS / "export-message.json")
    limits = {"AggregatorTimeoutSeconds": "120"}
    swept = sam.send("AggregatorFunction", EVENTS / "aggregator-schedule.json", parameters=limits)
    rows = sam.deployed.rows(json.loads(ordered.payload["body"])["exportId"])
    return SimpleNamespace(ordered=ordered.payload, written=written.payload, swept=swept.payload, rows=rows)


@pytest.fixture(scope="module")
def tidied(sam, exported):
    """What the janitor left of it, after the API had marked it as deleted and could not wake the janitor."""
    before = [*_objects(sam), *_payloads(sam)]
    sam.deployed.client("dynamodb").update_item(
        TableName=sam.deployed.physical("TasksTable"),
        Key={"task": {"S": TASK}},
        UpdateExpression="SET deleted_at = :now REMOVE #project",
        ExpressionAttributeNames={"#project": "project"},
        ExpressionAttributeValues={":now": {"N": "1800000000000"}},
    )
    told = sam.send("JanitorFunction", EVENTS / "janitor-schedule.json")
    return SimpleNamespace(before=before, objects=_objects(sam), payloads=_payloads(sam), **vars(_seen(sam, told)))


def _payloads(sam: Any) -> list[Any]:
    """What lies beside the task's rows."""
    asked = {"ExpressionAttributeNames": {"#s": "shard"}, "KeyConditionExpression": "#s = :s"}
    values = {":s": {"S": f"{shard_key(TASK, 0)}/data"}}
    table = sam.deployed.physical("ResultsTable")
    found: list[Any] = sam.deployed.client("dynamodb").query(
        TableName=table, ExpressionAttributeValues=values, **asked
    )["Items"]
    return found


def _arrived(sam: Any, name: str) -> str:
    """A sample as somebody uploads it, of which the intake has not heard yet; its id."""
    content = (ROOT / "samples" / name).read_bytes()
    sha256, kind = hashlib.sha256(content).hexdigest(), file_names.TYPES[Path(name).suffix]
    document = file_names.document_id("demo", SAMPLES_BASE, sha256)
    key = file_names.file_key("demo", document, sha256, Path(name).suffix)
    bucket = sam.deployed.physical("DataBucket")
    sam.deployed.client("s3").put_object(Bucket=bucket, Key=key, Body=content, ContentType=kind)
    told = {"key": key, "key_version": None, "sha256": sha256, "size": len(content), "filename": name}
    told |= {"state": State.UPLOADING, "active": "1", "due_at": 1 << 42, "attempt": 0, "tries": 0}
    item = a_document("demo", SAMPLES_BASE, document, **told, content_type=kind)
    sam.deployed.client("dynamodb").put_item(TableName=sam.deployed.physical("LibraryTable"), Item=item.serialize())
    return document


def _taken_in(sam: Any, document: str, told: Invocation) -> Any:
    """What was answered, the document as it stands, and its text."""
    found = sam.deployed.document(document)
    place = {"Key": found.usable["text_key"], "VersionId": found.usable["text_version"]} if found.usable else None
    stored = place and sam.deployed.client("s3").get_object(Bucket=sam.deployed.physical("DataBucket"), **place)
    pages = json.loads(stored["Body"].read())["pages"] if stored else []
    return SimpleNamespace(payload=told.payload, document=found, pages=[page["text"] for page in pages])


@pytest.fixture(scope="module")
def uploaded(sam, event):
    """A PDF that came: S3's notice, and then what the intake made of that, a message under the project."""
    document = _arrived(sam, UPLOADED)
    noticed = sam.send("IntakeFunction", EVENTS / "intake-upload.json")
    turn = event("intake-again")
    turn["Records"][0]["body"] = _sent_on(sam, document)
    read = _taken_in(sam, document, sam.send("IntakeFunction", turn))
    return SimpleNamespace(noticed=noticed.payload, **vars(read))


def _sent_on(sam: Any, document: str) -> str:
    """The notice of this document as it stands in the queue again."""
    sqs, queue = sam.deployed.client("sqs"), sam.deployed.physical("IntakeQueue")

    def look() -> str | None:
        bodies = [each["Body"] for each in sqs.receive_message(QueueUrl=queue).get("Messages", [])]
        return next((body for body in bodies if json.loads(body).get("d") == document), None)

    body: str = eventually(look, "the notice, sent on")
    return body


@pytest.fixture(scope="module")
def found(sam):
    """An article that came, whose notice was lost: a message of the sweep tells."""
    document = _arrived(sam, FORGOTTEN)
    return _taken_in(sam, document, sam.send("IntakeFunction", EVENTS / "intake-again.json"))


@pytest.fixture(scope="module")
def page(sam):
    """The page, as a browser asks for it."""
    return sam.send("PageFunction", EVENTS / "page-index.json")


@pytest.fixture(scope="module")
def notice(sam):
    """The message of a close, sent to the function of notices."""
    return sam.send("NoticeFunction", EVENTS / "notice-message.json")


def _seen(sam: Any, told: Invocation) -> Any:
    """What was answered and how everything stands."""
    return SimpleNamespace(
        payload=told.payload, log=told.log, task=sam.deployed.task(TASK_ID), rows=sam.deployed.rows(TASK_ID)
    )


def _objects(sam: Any) -> list[str]:
    found = sam.deployed.client("s3").list_object_versions(
        Bucket=sam.deployed.physical("DataBucket"), Prefix=f"tasks/{TASK}/"
    )
    return [item["Key"] for item in found.get("Versions", [])]


def test_the_api_answers_that_it_is_there_when_asked_for_its_health(health):
    told = health.result()
    assert told.payload["statusCode"] == 200
    assert json.loads(told.payload["body"]) == {"ok": True}


def test_the_api_opens_a_task_when_it_is_sent_the_request_for_one(opened):
    """With a row for each document, waiting, and the manifest in the bucket."""
    answer = json.loads(opened.payload["body"])
    assert (opened.payload["statusCode"], answer["taskId"], answer["totalCount"]) == (202, TASK_ID, 2)
    assert [(row.document, row.filename, row.status) for row in opened.rows] == [
        (document, name, "pending") for document, name in PAPERS.items()
    ]
    assert opened.task.scattered_at is not None


def test_a_message_for_each_row_is_in_the_queue_when_the_task_was_opened(opened):
    """Sent out of the container: what the function is told of its queue is true there as well."""
    assert opened.messages == len(PAPERS)


def test_a_part_is_written_and_sent_when_the_aggregator_is_sent_its_event(scattered):
    """The row that was gone is there again, and the task says that all is sent."""
    assert scattered.payload == {"ended": "part sent"}
    assert [(row.document, row.status) for row in scattered.rows] == [(document, "pending") for document in PAPERS]
    assert (scattered.task.unsent, scattered.task.dispatch_until) == (None, None)
    assert scattered.task.scattered_at is not None


def test_the_worker_completes_its_row_when_it_is_sent_the_message(worked):
    """And stores what it read: the DOI with the sentence it stands in."""
    assert worked.payload == {"batchItemFailures": []}
    row = worked.rows[0]
    assert (row.status, row.attempt, row.tries, row.lease_until) == ("completed", 1, 1, None)
    doi = worked.data["fields"]["doi"]
    assert doi["value"] in doi["quote"]


def test_other_rows_are_left_alone_when_the_worker_does_its_own(scattered, worked):
    assert worked.rows[1].attribute_values == scattered.rows[1].attribute_values


def test_nothing_is_changed_when_a_task_is_to_be_gathered_whose_rows_are_there(sam, closed, gathered):
    assert gathered.payload == {"ended": "gathered"}
    assert sam.deployed.task(TASK_ID).status == closed.task.status


def test_the_sweeper_closes_the_task_when_its_last_row_is_done(closed):
    """It was woken by the schedule's event, and swept until there was nothing left."""
    assert closed.payload == {"ended": "nothing left to do"}
    task = closed.task
    assert (task.status, task.completed, task.error, task.active) == ("completed", 2, 0, None)


def test_a_nudge_leaves_word_when_another_container_is_sweeping(closed):
    """It does not sweep beside it."""
    assert closed.nudged.payload == {"ended": "another is sweeping"}


def test_the_last_row_is_done_when_a_sweeper_is_at_work(closed):
    assert closed.last.payload == {"batchItemFailures": []}
    assert [row.status for row in closed.rows] == ["completed", "completed"]


def test_the_api_shows_the_closed_task_when_it_is_asked_for(shown):
    body = json.loads(shown[0].payload["body"])
    assert (shown[0].payload["statusCode"], body["status"], body["percent"]) == (200, "completed", 100)
    assert (body["totalCount"], body["completedCount"], body["errorCount"]) == (2, 2, 0)


def test_the_api_shows_the_finished_table_when_it_is_asked_for_the_results(shown):
    body = json.loads(shown[1].payload["body"])
    assert shown[1].payload["statusCode"] == 200
    assert [(row["documentId"], row["snapshotFilename"], row["status"]) for row in body["results"]] == [
        (document, name, "completed") for document, name in PAPERS.items()
    ]
    assert all(row["extractedData"]["fields"]["doi"]["state"] == "found" for row in body["results"])


def test_the_table_is_written_as_a_file_when_it_is_ordered(exported):
    assert (exported.ordered["statusCode"], exported.written) == (202, {"batchItemFailures": []})
    assert [(row.status, row.summary["rows"]) for row in exported.rows] == [("completed", 2)]
    assert exported.swept == {"ended": "nothing left to do"}


def test_the_janitor_erases_what_a_deleted_task_left_when_its_day_has_come(tidied):
    """Its manifest, both payloads, both rows, its file and the manifest of that; the tombstone stays, and the mark for the second look of tomorrow."""
    assert len(tidied.before) == 3
    assert (tidied.payload, tidied.payloads) == ({"deleted": 5}, [])
    assert (tidied.objects, tidied.rows) == ([name for name in tidied.objects if name.endswith("/erased")], [])
    assert tidied.task.deleted_at is not None


def test_the_intake_reads_a_pdf_when_it_is_sent_the_notice_of_its_upload(uploaded):
    """Once it is its project's turn; with PDFium out of its own layer, in a process of its own within the container."""
    assert (uploaded.noticed, uploaded.payload) == ({"batchItemFailures": []}, {"batchItemFailures": []})
    document = uploaded.document
    assert (document.state, document.attempt, document.tries) == (State.READY, 1, 1)
    assert document.usable["pages"] == len(uploaded.pages) == 7
    assert "ISTOP-ADE" in "".join(uploaded.pages)


def test_the_intake_reads_an_article_when_the_sweep_s_message_says_that_it_came(found):
    assert found.payload == {"batchItemFailures": []}
    assert (found.document.state, found.document.attempt) == (State.READY, 1)
    told = reader.read((ROOT / "samples" / FORGOTTEN).read_bytes(), FORGOTTEN)
    assert found.pages == [page.text for page in told.pages]


def test_the_page_is_sent_as_it_was_built_when_a_browser_asks_for_it(sam, page):
    """Packed, and with a policy that lets nothing run but its own scripts."""
    assert (page.payload["statusCode"], page.payload["isBase64Encoded"]) == (200, True)
    headers = page.payload["headers"]
    assert (headers["Content-Type"], headers["Content-Encoding"]) == ("text/html; charset=utf-8", "br")
    assert "script-src 'self';" in headers["Content-Security-Policy"]
    site = sam.home / "build" / "PageFunction" / "site"
    assert base64.b64decode(page.payload["body"]) == (site / "index.html.br").read_bytes()


def test_a_notice_is_done_with_when_its_project_has_no_webhook(notice):
    assert notice.payload == {"batchItemFailures": []}


def _read(sam, opened, content, event):
    """A workbook that has come, read by its function's container; the emulator's own worker is not asked."""
    key = opened["upload"]["fields"]["key"]
    sam.deployed.client("s3").put_object(Bucket=sam.deployed.stack.outputs["DataBucket"], Key=key, Body=content)
    read = sam.send("CleanSheetFunction", event)
    (row,) = sam.deployed.rows(opened["session"]["sessionId"])
    return read.payload, row.status, row.summary and row.summary["rows"]


@pytest.fixture(scope="module")
def workbook(sam):
    """The one that the events announce and read."""
    opened = json.loads(sam.send("ApiFunction", EVENTS / "api-create-session.json").payload["body"])
    return _read(sam, opened, b"patient,age\n001,61\n002,58\n", EVENTS / "sheet-uploaded.json")


def test_a_workbook_is_read_in_its_container_when_it_has_come(workbook):
    assert workbook == ({"batchItemFailures": []}, "completed", 2)


def test_an_xlsx_is_read_by_what_was_compiled_for_lambdas_python(sam):
    """Behind the wall, with the layer as it is built."""
    event = json.loads((EVENTS / "sheet-uploaded.json").read_text())
    opened = sam.deployed.ask("POST", "/dc/sessions", announcement(registry())).body
    notice = json.loads(event["Records"][0]["body"])
    notice["Records"][0]["s3"]["object"]["key"] = opened["upload"]["fields"]["key"]
    event["Records"][0]["body"] = json.dumps(notice)
    assert _read(sam, opened, registry(), event) == ({"batchItemFailures": []}, "completed", 4)


@pytest.mark.usefixtures("health", "tidied", "uploaded", "found", "page", "notice", "gathered", "workbook")
def test_every_function_was_sent_its_files_and_every_file_was_sent_when_all_is_told(sam):
    """The product's, by the template: a new function needs a file here, and a new file needs to be sent."""
    functions = stack_file.resources(stack_file.load(), "AWS::Serverless::Function")
    assert {function for function, _ in sam.sent} >= set(functions)
    assert {name for _, name in sam.sent} == {file.stem for file in EVENTS.glob("*.json")}


def test_the_rights_are_those_of_the_function_s_role_when_it_is_sent_an_event(sam):
    """Not those of the account's root, which `sam local` would otherwise hand on."""
    given = containers.role_credentials(sam.deployed.stack, "JanitorFunction")
    as_function = boto3.Session(
        given["AWS_ACCESS_KEY_ID"], given["AWS_SECRET_ACCESS_KEY"], given["AWS_SESSION_TOKEN"], REGION
    )
    janitor = as_function.client("s3", endpoint_url=sam.deployed.endpoint, config=DIRECT)
    bucket = sam.deployed.physical("DataBucket")
    assert janitor.list_object_versions(Bucket=bucket, Prefix="tasks/")["Name"] == bucket
    with pytest.raises(ClientError, match="AccessDenied"):
        janitor.put_object(Bucket=bucket, Key="tasks/demo/x", Body=b"")


@pytest.mark.filterwarnings("ignore:.*is deprecated:DeprecationWarning")
def test_a_function_answers_the_same_when_it_runs_in_an_interpreter_alone(sam):
    """Where there is no container engine: with its own role's rights, and the emulator's tables."""
    told = containers.invoke_bare(
        sam.deployed.stack,
        sam.home / "build" / "template.yaml",
        "ApiFunction",
        EVENTS / "api-get-task.json",
    )
    # The task, or that it is deleted by now: either way its table was read.
    assert told.payload["statusCode"] in {200, 404}


@pytest.fixture(scope="module")
def task_id(sam, closed):
    """Another task, opened when the first has closed, because a sweeper looks after every task that is open."""
    return sam.deployed.open(sam.deployed.probes([{"beyond": limit} for limit in ROWS]))["taskId"]


@pytest.fixture(scope="module")
def message(task_id, event):
    """The worker's event with another row in it."""

    def of(row):
        made = event("worker-message")
        body = {"v": 1, "s": shard_key(task_key("demo", task_id), 0), "r": row}
        made["Records"][0]["body"] = json.dumps(body, separators=(",", ":"))
        return made

    return of


@pytest.fixture(scope="module")
def limited(sam, task_id, message):
    """What came of each row's first attempt, both made at once, and of the first message when it came a second time."""

    def send(row: int) -> Any:
        limits = {"ProbeTimeoutSeconds": str(TIMEOUT_SECONDS)}
        return sam.send("ProbeFunction", message(row), instead={"probe.py": BEYOND}, parameters=limits)

    with ThreadPoolExecutor(1) as pool:
        time = pool.submit(send, ROWS["time"])
        memory = send(ROWS["memory"])
        before = sam.deployed.rows(task_id)
        again = sam.send("ProbeFunction", message(ROWS["memory"]))
        return SimpleNamespace(
            memory=memory, time=time.result(), again=again, before=before, rows=sam.deployed.rows(task_id)
        )


@pytest.fixture(scope="module")
def repaired(sam, task_id, limited):
    """The rows once their leases were over and the sweeper had run: the stack's own, as are the workers after it."""
    for row in sam.deployed.rows(task_id):
        _end_lease(sam.deployed, row)
    sam.mappings("ProbeFunction", enabled=True)
    sam.aggregator(enabled=True)
    try:
        sam.deployed.client("lambda").invoke(
            FunctionName=sam.deployed.physical("AggregatorFunction"), Payload=b'{"source": "schedule"}'
        )
        sam.deployed.closed(task_id)
        return sam.deployed.rows(task_id)
    finally:
        sam.hush()


def _end_lease(deployed: Deployed, row: Row) -> None:
    """As if the time had passed: the row is left as it is but for the instant at which its lease ends."""
    deployed.client("dynamodb").update_item(
        TableName=deployed.physical("ResultsTable"),
        Key={"shard": {"S": row.shard}, "row": {"N": str(row.row)}},
        UpdateExpression="SET lease_until = :past",
        ConditionExpression="#status = :extracting",
        ExpressionAttributeNames={"#status": "status"},
        ExpressionAttributeValues={":past": {"N": str(row.first_claimed_at)}, ":extracting": {"S": "extracting"}},
    )


def test_the_container_is_ended_when_the_work_takes_more_memory_than_its_function_has(limited):
    """The kernel ends the process; the runtime says that it exited."""
    told = limited.memory
    assert told.payload["errorType"] == "Runtime.ExitError"
    assert "signal: killed" in told.payload["errorMessage"]


def test_the_container_is_ended_when_the_work_takes_longer_than_its_function_may(limited):
    """Whatever the function was doing, and without an answer."""
    told = limited.time
    assert told.failed
    # `sam` and the runtime emulator each have a clock, and either may be first.
    assert f"timed out after {TIMEOUT_SECONDS}" in f"{told.payload} {told.log}"


@pytest.mark.parametrize("limit", ROWS)
def test_the_row_stays_claimed_when_its_worker_ran_into_a_limit(limited, limit):
    """Nobody is left to give it back: its lease, a minute longer than the function's time, has to end first."""
    row = limited.rows[ROWS[limit]]
    assert (row.status, row.attempt, row.tries) == ("extracting", 1, 1)
    assert 60_000 < row.lease_until - row.first_claimed_at <= (TIMEOUT_SECONDS + 60) * 1000


def test_the_message_stays_in_the_queue_when_it_comes_back_before_the_lease_is_over(limited):
    """It cannot be hidden, for its receipt handle is no real one; that is said, and nothing else comes of it."""
    told, row = limited.again, ROWS["memory"]
    assert told.payload == {"batchItemFailures": [{"itemIdentifier": MESSAGE_ID}]}
    assert "hide_failed" in told.log
    assert limited.rows[row].attribute_values == limited.before[row].attribute_values


@pytest.mark.parametrize("limit", ROWS)
def test_the_row_is_done_by_another_worker_when_the_lease_of_the_dead_one_is_over(repaired, limit):
    """The sweep gives it back and sends it again; it has cost one try."""
    row = repaired[ROWS[limit]]
    assert (row.status, row.attempt, row.tries, row.lease_until) == ("completed", 2, 2, None)
