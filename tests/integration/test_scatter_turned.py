"""A scatter whose user cancels or pauses in the middle of it, and documents that are not ready."""

from tests.support.clients import client
from tests.support.scattering import PART, begun, finished


def test_no_row_is_sent_when_the_user_cancels_in_mid_scatter(bench, small):
    """What is still to be written is written as cancelled; what was sent is cancelled by the sweep; all is counted."""
    task = begun(bench, 40)
    sent = len(bench.queued())
    assert bench.http("POST", f"/asl/extraction/tasks/{task}/cancel")[0] == 202
    bench.settle("probe")
    assert bench.statuses(task) == ["cancelled"] * 40
    assert (bench.task(task).status, bench.task(task).cancelled) == ("cancelled", 40)
    assert sent == PART
    assert bench.queued() == []
    assert bench.probe_calls() == []


def test_what_was_completed_is_kept_when_the_user_cancels_in_mid_scatter(bench, small):
    task = begun(bench, 40)
    bench.deliver("probe", limit=4)
    bench.http("POST", f"/asl/extraction/tasks/{task}/cancel")
    bench.settle("probe")
    item = bench.task(task)
    assert (item.status, item.completed, item.cancelled) == ("cancelled", 4, 36)


def test_nothing_is_claimed_when_the_user_pauses_in_mid_scatter(bench, small):
    """The scatter itself goes on; its messages are parked at the gate and sent again after the resume."""
    task = begun(bench, 40)
    bench.http("POST", f"/asl/extraction/tasks/{task}/pause")
    for _ in range(3):
        bench.sweep_once()
        bench.deliver("probe")
        bench.pass_time(minutes=1)
    assert len(bench.rows(task)) == 40
    assert bench.probe_calls() == []
    assert bench.queued() == []
    bench.http("POST", f"/asl/extraction/tasks/{task}/resume")
    finished(bench, task, 40)


def not_ready(bench, document):
    client("dynamodb").update_item(
        TableName="LibraryTable",
        Key={"entry": {"S": f"p1/document/{document}"}},
        UpdateExpression="SET #s = :s REMOVE usable",
        ExpressionAttributeNames={"#s": "state"},
        ExpressionAttributeValues={":s": {"S": "reading"}},
    )


def test_a_document_that_is_not_ready_is_refused_when_nothing_else_was_asked_for(bench):
    """409, naming it; nothing is opened."""
    documents = [bench.probe(), bench.probe()]
    not_ready(bench, documents[1])
    status, body = bench.post(documents)
    assert (status, body["type"]) == (409, "urn:sheaf:problem:documents-not-ready")
    assert body["documents"] == [{"documentId": documents[1], "status": "reading"}]
    assert bench.tasks() == []


def test_a_document_that_is_not_ready_is_an_error_row_at_once_when_asked_for(bench):
    """It gets no message and no work; the task closes with the others' results."""
    documents = [bench.probe(), bench.probe(), bench.probe()]
    not_ready(bench, documents[1])
    status, body = bench.post(documents, onNotReady="error")
    task = body["taskId"]
    assert status == 202
    assert bench.statuses(task) == ["pending", "error", "pending"]
    assert (bench.rows(task)[1].error_class, bench.rows(task)[1].attempt) == ("not_ready", 0)
    assert len(bench.queued()) == 2
    bench.settle("probe")
    assert (bench.task(task).completed, bench.task(task).error) == (2, 1)


def test_a_task_closes_when_none_of_its_documents_is_ready(bench):
    documents = [bench.probe()]
    not_ready(bench, documents[0])
    _, body = bench.post(documents, onNotReady="error")
    assert bench.queued() == []
    bench.settle("probe")
    assert bench.task(body["taskId"]).status == "completed"
