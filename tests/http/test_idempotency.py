"""One request, sent any number of times: one task. DESIGN 3.2; F2, F3, F4."""

import json
import threading
from collections import Counter
from collections.abc import Callable

import pytest

from sheaf.protocol import manifest
from tests.http import front as fronts
from tests.http.front import BUSY, TASKS, Answer, Front, stored
from tests.support.calls import aws_error
from tests.support.clients import client

KEY = "2026-11-18/first"


def ask(front: Front, documents, *, where: str = "header", key: str = KEY, **more) -> Answer:
    """The same request, with its key in the header, in the body, or in both."""
    body = {"templateId": "rct", "documentIds": documents, "kind": "probe", **more}
    if where in {"body", "both"}:
        body["idempotencyKey"] = key
    return front.post(TASKS, body, headers={"idempotency-key": key} if where in {"header", "both"} else None)


@pytest.mark.parametrize("again", ["header", "body", "both"])
@pytest.mark.parametrize("first", ["header", "body", "both"])
def test_the_same_task_is_answered_when_a_key_is_repeated(bench, front, first, again):
    """Wherever the key stands; and the repetition opens, writes and sends nothing."""
    documents = [bench.probe(), bench.probe()]
    opened = ask(front, documents, where=first)
    before = bench.raw(), bench.queued(), list(bench.nudges)
    repeated = ask(front, documents, where=again)
    assert (opened.status, repeated.status) == (202, 200)
    assert "Idempotency-Replayed" not in opened.headers
    assert repeated.headers["Idempotency-Replayed"] == "true"
    assert opened.headers["Location"] == f"tasks/{opened.body['taskId']}"
    assert repeated.body["taskId"] == opened.body["taskId"]
    assert (bench.raw(), bench.queued(), bench.nudges) == before


def test_nothing_is_written_when_header_and_body_name_different_keys(bench, front):
    """Either could be the one that was meant."""
    body = {"templateId": "rct", "documentIds": [bench.probe()], "idempotencyKey": "one"}
    before = stored(bench)
    refused = front.post(TASKS, body, headers={"idempotency-key": "other"})
    assert (refused.status, refused.body["field"]) == (400, "idempotencyKey")
    assert stored(bench) == before


@pytest.mark.parametrize("key", ["", " ", "a b", "a" * 129, "é", "密", "a\x7f", "a\n", "a\x00", "\t"])
@pytest.mark.parametrize("where", ["header", "body"])
def test_a_key_is_refused_when_it_is_too_long_or_not_printable_ascii(bench, front, where, key):
    """It is hashed, kept and compared for ever; an empty one would be everybody's."""
    refused = ask(front, [bench.probe()], where=where, key=key)
    named = "Idempotency-Key" if where == "header" else "idempotencyKey"
    assert (refused.status, refused.body["field"]) == (400, named)
    assert bench.tasks() == []


@pytest.mark.parametrize("key", [1, 1.5, True, [], ["a"], {}, {"a": 1}])
def test_a_key_in_the_body_is_refused_when_it_is_no_text(bench, front, key):
    refused = ask(front, [bench.probe()], where="body", key=key)
    assert (refused.status, refused.body["field"]) == (400, "idempotencyKey")
    assert bench.tasks() == []


@pytest.mark.parametrize("key", ["a", "~", "!", "a" * 128, "a/b?c=d&e#f", '"quoted"', "key k"[:3]])
@pytest.mark.parametrize("where", ["header", "body"])
def test_a_key_is_accepted_when_it_is_within_bounds(bench, front, where, key):
    documents = [bench.probe()]
    assert [ask(front, documents, where=where, key=key).status for _ in range(2)] == [202, 200]


def written_otherwise(documents) -> list[str]:
    """The same request as five clients might write it."""
    first = {"templateId": "rct", "documentIds": documents, "kind": "probe"}
    spelt = json.dumps(first).replace("rct", "\\u0072\\u0063t").replace("templateId", "template\\u0049d")
    return [
        json.dumps(dict(reversed(first.items()))),
        json.dumps(first, indent=7),
        "\r\n\t " + json.dumps(first, separators=(",", ":")) + " \n",
        spelt,
        json.dumps(first | {"onNotReady": "refuse", "knowledgeBaseId": None}),
    ]


def test_a_repetition_is_recognised_when_only_its_spelling_differs(bench, front):
    """Order of names, white space, escapes, and defaults said aloud change nothing that is asked for."""
    documents = [bench.probe(), bench.probe()]
    task_id = ask(front, documents).body["taskId"]
    for body in written_otherwise(documents):
        repeated = front.post(TASKS, body, headers={"idempotency-key": KEY})
        assert (repeated.status, repeated.body["taskId"]) == (200, task_id), body


@pytest.mark.parametrize(
    "change",
    [
        {"documentIds": "fewer"},
        {"documentIds": "in another order"},
        {"kind": "extract_paper"},
        {"onNotReady": "error"},
        {"knowledgeBaseId": "kb"},
    ],
    ids=str,
)
def test_no_table_is_written_when_a_key_comes_back_with_another_request(bench, front, change):
    """Not even where the other request would be good by itself; but for a second place, which is cleared when room is wanted."""
    documents = [bench.probe(), bench.probe(), bench.probe()]
    ask(front, documents)
    other = {"fewer": documents[:2], "in another order": documents[::-1]}
    change = {name: other.get(value, value) for name, value in change.items()}
    before = without_places(bench), bench.queued(), list(bench.nudges)
    refused = ask(front, change.pop("documentIds", documents), **change)
    assert (refused.status, refused.problem) == (409, "idempotency-key-reused")
    assert (without_places(bench), bench.queued(), bench.nudges) == before


def test_two_tasks_are_opened_when_there_is_no_key(bench, front):
    """Without one, every request is a new one."""
    documents = [bench.probe()]
    assert front.start(documents).body["taskId"] != front.start(documents).body["taskId"]
    assert len(bench.tasks()) == len(bench.all_rows()) == 2


def test_another_project_gets_its_own_task_when_it_uses_the_same_key(bench, front):
    """Same key, same ids, same body: neither a replay nor a conflict, and neither can tell that the other is there."""
    other = Front(bench, "p2")
    mine, theirs = bench.probe(), bench.paper('{"acts": ["ok"]}', project="p2")
    opened, next_door = ask(front, [mine]), ask(other, [theirs])
    assert (opened.status, next_door.status) == (202, 202)
    assert opened.body["taskId"] != next_door.body["taskId"]
    assert (ask(front, [mine]).status, ask(other, [theirs]).status) == (200, 200)
    assert sorted(task.task.partition("/")[0] for task in bench.tasks()) == ["p1", "p2"]


# ---------------------------------------------------------------------------------------------------- much later


def test_the_task_as_it_is_now_is_answered_when_it_has_closed_meanwhile(bench, front):
    """A task has no time to live: a year later its key still finds it."""
    documents = [bench.probe(), bench.probe("permanent")]
    task_id = ask(front, documents).body["taskId"]
    bench.settle("probe")
    bench.pass_time(hours=24 * 365)
    repeated = ask(front, documents)
    assert (repeated.status, repeated.body["taskId"]) == (200, task_id)
    assert (repeated.body["status"], repeated.body["percent"]) == ("completed", 100)
    assert (repeated.body["completedCount"], repeated.body["errorCount"]) == (1, 1)


@pytest.mark.parametrize("meanwhile", ["gone", "not ready", "replaced", "in another knowledge base", "over quota"])
def test_the_same_task_is_answered_when_the_request_would_be_refused_by_now(bench, front, meanwhile):
    """What was accepted stays accepted, whatever became of the library or of the quota."""
    documents = [bench.probe(), bench.probe()]
    task_id = ask(front, documents, knowledgeBaseId="kb").body["taskId"]
    match meanwhile:
        case "gone":
            fronts.remove_entry(bench, documents[0])
        case "not ready":
            fronts.change_entry(bench, documents[0], state="parsing")
        case "replaced":
            fronts.replace_document(bench, documents[0], {"acts": ["permanent"]})
        case "in another knowledge base":
            fronts.change_entry(bench, documents[0], knowledge_base="other")
        case "over quota":
            fronts.limit(bench, open_tasks_per_project=1)
    before = bench.raw()
    repeated = ask(front, documents, knowledgeBaseId="kb")
    assert (repeated.status, repeated.body["taskId"]) == (200, task_id)
    assert bench.raw() == before


def test_another_request_is_a_conflict_when_its_documents_are_gone_as_well(bench, front):
    """The key says more than the library: the caller must learn that the key is used up."""
    documents = [bench.probe(), bench.probe()]
    ask(front, documents)
    fronts.remove_entry(bench, documents[0])
    refused = ask(front, documents[:1])
    assert (refused.status, refused.problem) == (409, "idempotency-key-reused")


def test_the_key_of_a_deleted_task_is_refused_when_it_comes_back(bench, front):
    """The tombstone is the record of the key: neither the old task, which is gone, nor a second one."""
    documents = [bench.probe()]
    task_id = ask(front, documents).body["taskId"]
    bench.settle("probe")
    front.verb("delete", task_id)
    refused = ask(front, documents)
    assert (refused.status, refused.problem) == (409, "task-deleted")
    assert len(bench.tasks()) == 1


# ---------------------------------------------------------------------------------------------------- at once


class Line:
    """Requests side by side in threads of which one runs at a time, each up to the write that opens its task."""

    def __init__(self, bench) -> None:
        self.bench, self.answer = bench, bench.calls.answer
        self.waiting: list[threading.Event] = []
        self.stopped = threading.Event()
        self.answers: list[Answer] = []
        bench.calls.answer = self._answer

    def _answer(self, client, operation, arguments):
        if operation == "PutItem" and arguments["TableName"] == "TasksTable":
            mine = threading.Event()
            self.waiting.append(mine)
            self.stopped.set()
            assert mine.wait(30)
        return self.answer(client, operation, arguments)

    def run(self, requests) -> list[Answer]:
        """All up to their opening, then one after another to the end, the last one first."""
        threads = [threading.Thread(target=self._one, args=(request,)) for request in requests]
        for thread in threads:
            self.stopped.clear()
            thread.start()
            assert self.stopped.wait(30)
        for place, thread in reversed(list(zip(self.waiting, threads, strict=True))):
            place.set()
            thread.join()
        self.bench.calls.answer = self.answer
        return self.answers

    def _one(self, request) -> None:
        try:
            self.answers.append(request())
        finally:
            self.stopped.set()


def test_one_task_with_its_rows_is_there_when_fifty_identical_requests_come_at_once(bench, front):
    """All fifty have read, checked and stored their manifest before the first of them opens the task."""
    documents = [bench.probe() for _ in range(7)]
    answers = Line(bench).run([lambda: ask(front, documents)] * 50)
    assert Counter(answer.status for answer in answers) == {202: 1, 200: 49}
    assert len({answer.body["taskId"] for answer in answers}) == 1
    assert len(bench.tasks()) == 1
    assert [(row.row, row.document) for row in bench.all_rows()] == list(enumerate(documents))
    assert len(bench.queued()) == len(set(bench.queued())) == 7
    bench.settle("probe")
    assert set(bench.runs().values()) == {1}


def test_the_losers_manifests_are_gone_after_a_day_when_they_froze_something_else(bench, front):
    """The library changed between the reads of requests that came at once: one manifest is the task's."""
    documents = [bench.probe(), bench.probe()]

    def request(number: int) -> Callable[[], Answer]:
        def send() -> Answer:
            fronts.replace_document(bench, documents[1], {"acts": ["ok"], "echo": number})
            return ask(front, documents)

        return send

    requests = [request(number) for number in range(5)]
    answers = Line(bench).run(requests)
    assert Counter(answer.status for answer in answers) == {202: 1, 200: 4}
    (task,) = bench.tasks()
    manifests = {key for key, _ in fronts.objects(bench, "tasks/") if "manifest" in key}
    assert len(manifests) == 5
    bench.settle("probe")
    bench.pass_time(hours=25)
    bench.tidy()
    left = {key for key, _ in fronts.objects(bench, "tasks/")}
    assert left == {manifest.key(task.manifest_key, 0)}
    assert {item.claim for item in bench.payloads()} == {row.token for row in bench.all_rows()}
    assert [row["status"] for row in front.table(task.id)] == ["completed", "completed"]


def test_one_task_is_opened_when_the_same_request_overtakes_at_any_call(bench, front):
    """Between any two calls of the one, the whole of the other."""
    documents = [bench.probe(), bench.probe()]
    with bench.calls.watch() as calls:
        ask(front, documents, key="counted")
    for number in range(len(calls.operations)):
        key = f"overtaken-{number}"
        overtaking: list[Answer] = []
        with bench.calls.watch() as calls:
            calls.on_call = lambda at, _op, _args, number=number, key=key, overtaking=overtaking: (
                overtaking.append(ask(front, documents, key=key)) if at == number else None
            )
            slow = ask(front, documents, key=key)
        (fast,) = overtaking
        assert sorted((slow.status, fast.status)) == [200, 202], number
        assert slow.body["taskId"] == fast.body["taskId"]
        assert len(bench.rows(slow.body["taskId"])) == 2


def test_a_request_recognises_itself_when_the_reply_to_any_of_its_calls_is_lost(bench, front):
    """The SDK makes the call once more; the second finds the first one's item, and that is no replay."""
    documents = [bench.probe(), bench.probe()]
    with bench.calls.watch() as calls:
        ask(front, documents, key="counted")
    for number in range(len(calls.operations)):
        with bench.calls.watch() as calls:
            calls.lose_reply_of = number
            opened = ask(front, documents, key=f"lost-{number}")
        assert opened.status == 202, number
        assert len(bench.rows(opened.body["taskId"])) == 2


@pytest.mark.parametrize("operation", ["BatchGetItem", "UpdateItem", "PutObject", "PutItem"])
def test_the_caller_is_told_to_come_back_when_aws_is_busy_before_the_task_is_open(bench, front, operation):
    """503 with a wait, and nothing is lost: the same request is good a moment later."""
    documents = [bench.probe()]
    with bench.calls.watch() as calls:
        calls.fail(operation, aws_error(BUSY))
        refused = ask(front, documents)
    assert (refused.status, refused.problem) == (503, "try-again")
    assert ask(front, documents).status == 202
    assert len(bench.tasks()) == len(bench.all_rows()) == 1


@pytest.mark.parametrize("operation", ["TransactWriteItems", "SendMessageBatch", "UpdateItem", "Invoke"])
def test_the_task_is_accepted_when_aws_is_busy_after_it_was_opened(bench, front, operation):
    """From there on the aggregator finishes it, so an error would be a lie."""
    documents = [bench.probe(), bench.probe()]

    def busy(client, called, arguments):
        """But for the place that is taken before the task is opened."""
        if "places/" in str(arguments.get("Key")):
            return bench.calls.answer(client, called, arguments)
        raise aws_error(BUSY)

    with bench.calls.watch() as calls:
        calls.instead[operation] = busy
        opened = ask(front, documents)
    assert opened.status == 202
    assert ask(front, documents).body["taskId"] == opened.body["taskId"]
    bench.pass_time(minutes=2)
    bench.settle("probe")
    assert front.task(opened.body["taskId"])["completedCount"] == 2


# ---------------------------------------------------------------------------------------------------- what is left behind


def without_places(bench):
    """Every item of every table, but for what says how much of a quota is taken."""
    return {
        name: [item for item in items if not item.get("gate", {"S": ""})["S"].startswith("places/")]
        for name, items in bench.raw().items()
    }


def expire_overwritten(bench) -> None:
    """The bucket's own rule for tasks/, thirty days on: of each key only the newest version is left."""
    with bench.calls.unwatched():
        for version in client("s3").list_object_versions(Bucket="databucket", Prefix="tasks/")["Versions"]:
            if not version["IsLatest"]:
                client("s3").delete_object(Bucket="databucket", Key=version["Key"], VersionId=version["VersionId"])


def test_a_tasks_manifest_can_be_read_when_a_repetition_had_stored_it_again_a_month_ago(bench, front):
    """The same bytes under the same key, which holds their hash: whichever version is left is the manifest."""
    parent = ask(front, [bench.probe("permanent")]).body["taskId"]
    bench.settle("probe")
    child = front.verb("retry", parent).body["taskId"]
    assert front.verb("retry", parent).status == 200
    bench.settle("probe")
    expire_overwritten(bench)
    assert [row["taskId"] for row in front.table(parent, view="latest")] == [child]


def test_nothing_is_left_when_a_key_comes_back_with_another_request_long_after_the_close(bench, front):
    documents = [bench.probe(), bench.probe()]
    ask(front, documents)
    bench.settle("probe")
    bench.pass_time(hours=24 * 30)
    before = stored(bench)["objects"]
    assert ask(front, documents[:1]).status == 409
    for _ in range(31):
        bench.pass_time(hours=24)
        bench.tidy()
    assert stored(bench)["objects"] == before
