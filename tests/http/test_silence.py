"""No word of a document, no file name, no token and no key in what is logged, sent or refused. F56, invariant S14."""

import json
import zlib

from tests.http import front as fronts
from tests.http.front import BUSY, TASKS
from tests.support.calls import aws_error
from tests.support.clients import client

CANARY = "canary7f3a"


def everything(bench, front) -> str:
    """A life of tasks whose every input has a canary in it; gives what the refusals said."""
    token = {"authorization": f"Bearer {CANARY}", "cookie": CANARY, "x-api-key": CANARY, "user-agent": CANARY}
    scripts = [json.dumps({"acts": [act], "text": CANARY}) for act in ("ok", "permanent", "defect", "transient")]
    documents = [bench.paper(script, f"{CANARY}.txt", read=script.encode()) for script in scripts]
    body = {"templateId": "rct", "documentIds": documents, "kind": "probe"}
    opened = front.post(TASKS, body, headers={**token, "idempotency-key": CANARY})
    task_id = opened.body["taskId"]
    bench.tolerated = (ZeroDivisionError,)
    with bench.calls.watch() as calls:
        calls.fail("Invoke", aws_error(BUSY), times=100)
        front.post(TASKS, body | {"documentIds": documents[:1]}, headers=token)
    refused = [
        front.post(TASKS, body | {"templateId": CANARY}, headers=token),
        front.post(TASKS, body | {"kind": CANARY}, headers=token),
        front.post(TASKS, body | {"onNotReady": CANARY}, headers=token),
        front.post(TASKS, body | {"documentIds": documents[:2]}, headers={**token, "idempotency-key": CANARY}),
        front.post(TASKS, f'{{"templateId": "{CANARY}', headers=token),
        front.post(TASKS, f'["{CANARY}"]', headers=token),
        front.get(TASKS, query={"cursor": CANARY}, headers=token),
        front.get(f"{TASKS}/{task_id}/results", query={"status": CANARY}, headers=token),
        front.get(f"{TASKS}/{CANARY}", headers=token),
        front.get(f"/{CANARY}", headers=token),
        front.get(TASKS, headers={**token, "sheaf-project": CANARY}),
    ]
    assert {answer.status for answer in refused} == {400, 403, 404, 409}
    bench.settle("probe")
    front.get(f"{TASKS}/{task_id}/results", headers=token)
    front.verb("retry", task_id, headers={**token, "idempotency-key": CANARY})
    bench.settle("probe")
    front.verb("delete", task_id, headers=token)
    fronts.erase(bench)
    bench.tidy()
    return "".join(answer.text + json.dumps(answer.headers) for answer in refused)


def test_no_canary_is_heard_when_every_input_has_one(bench, front, heard, capfd):
    """Logs with their tracebacks, standard output and error, messages, nudges, notices, and the words of refusals."""
    refused = everything(bench, front)
    assert len(heard) > 20
    out, err = capfd.readouterr()
    said = "\n".join([*heard, out, err])
    assert CANARY not in said
    assert CANARY not in json.dumps([bench.nudges, bench.notices, [held.record for held in bench.held.values()]])
    assert CANARY not in refused


def words(value) -> str:
    """An attribute as it is stored; a payload, unpacked."""
    return zlib.decompress(value["B"]).decode() if "B" in value else json.dumps(value)


def test_no_canary_is_kept_in_a_table_but_the_name_of_the_file(bench, front):
    """A row shows its file's name; the key that a client chose and the document's words are stored nowhere."""
    everything(bench, front)
    kept = [
        name
        for items in bench.raw().values()
        for item in items
        for name, value in item.items()
        if CANARY in words(value)
    ]
    assert set(kept) <= {"filename"}


def test_nothing_is_logged_when_a_request_is_refused(bench, front, heard):
    """A refusal is the caller's news, not the operator's: and no traceback of it is anybody's."""
    front.post(TASKS, "{")
    front.get(TASKS, groups="[]")
    front.get(f"{TASKS}/nothing")
    front.get("/nothing")
    assert heard == []


def test_no_word_of_a_document_is_in_the_refusal_when_its_row_fails(bench, front):
    """What a worker could not do is said by its class and in our own words."""
    script = f'{{"acts": ["permanent"], "text": "{CANARY}"}}'
    task_id = front.started([bench.paper(script, "a.json", read=script.encode())])
    bench.settle("probe")
    (row,) = front.table(task_id)
    assert row["status"] == "error"
    assert CANARY not in json.dumps(row)


def test_a_link_to_the_data_is_in_no_answer_when_rows_are_shown(bench, front):
    """Keys of pinned documents are shown, because a reader must know which bytes; nothing signed, no bucket's name."""
    task_id = front.started([bench.probe()])
    bench.settle("probe")
    shown = json.dumps([front.table(task_id), front.task(task_id)])
    assert "databucket" not in shown
    assert "X-Amz" not in shown
    assert client("s3").meta.endpoint_url not in shown
