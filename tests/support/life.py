"""A task's whole life on the bench, function by function: what each of them asks AWS for."""

from collections.abc import Callable
from functools import partial
from typing import Any

from tests.support.bench import PROJECT, TASKS, Bench
from tests.support.calls import aws_error
from tests.support.clients import client
from tests.support.items import DAY, a_task
from tests.support.receivers import URL
from tests.support.uploads import told
from tests.support.workbooks import announcement, registry

DOCTOR = "/asl/extraction/doctor"
During = Callable[[str, Callable[[], Any]], Any]


def a_whole_life(bench: Bench) -> dict[str, list[Any]]:
    """Every function at its work: gives the calls of each."""
    made: dict[str, list[Any]] = {}

    def during(function: str, act: Callable[[], Any]) -> Any:
        with bench.calls.watch() as calls:
            answer = act()
            made.setdefault(function, []).extend(calls.made)
        return answer

    _a_documents_life(bench, during)
    documents = [bench.probe(act) for act in ("ok", "permanent", "transient", "throttle:60")]
    documents.append(bench.probe(large=120_000))
    task = during("ApiFunction", lambda: bench.open(documents, kind="probe", key="k"))
    item = bench.task(task)
    item.dispatch_until, item.scattered_at, item.unsent = 0, None, {0}
    bench.put(item)
    # Another sweeper's, which the tick wakes.
    bench.put(a_task(task=f"{PROJECT}/another", listed_in=None, active="9"))
    for action in ("pause", "resume"):
        during("ApiFunction", partial(bench.http, "POST", f"{TASKS}/{task}/{action}"))
        during("AggregatorFunction", bench.sweep_once)
    assert during("ApiFunction", partial(bench.http, "GET", DOCTOR))[0] == 200
    during("ProbeFunction", lambda: bench.deliver("probe"))
    bench.pass_time(minutes=3)
    bench.lose_messages()
    for _ in range(3):
        during("AggregatorFunction", bench.sweep_once)
        bench.pass_time(minutes=1)
    during("ApiFunction", lambda: bench.http("POST", f"{TASKS}/{task}/cancel"))
    during("AggregatorFunction", bench.sweep)
    during("ApiFunction", lambda: bench.http("POST", f"{TASKS}/{task}/retry"))
    for path in (TASKS, f"{TASKS}/{task}", f"{TASKS}/{task}/results?view=latest", f"/asl/extraction/results/{task}-0"):
        status, _ = during("ApiFunction", partial(bench.http, "GET", path))
        assert status == 200, path
    _a_webhooks_life(bench, during)
    _an_exports_life(bench, during)
    _a_sheets_life(bench, during)
    _a_reviews_life(bench, during)
    _a_gatherings_life(bench, during)
    during("ApiFunction", lambda: bench.http("POST", "/asl/extraction/templates/rct/clone"))
    client("s3").put_object(Bucket="databucket", Key=f"tasks/p1/{task}/rows/7-7.json", Body=b"")
    bench.clock.now = bench.clock.now + 400 * DAY
    item = bench.task(task)
    item.completed_at = bench.clock.now - 2 * DAY
    bench.put(item)
    during("JanitorFunction", bench.tidy)
    during("ApiFunction", lambda: bench.http("DELETE", f"{TASKS}/{task}"))
    during("JanitorFunction", bench.tidy)
    return made


def _a_webhooks_life(bench: Bench, during: During) -> None:
    """Set up, told of a close at its second answer, told again, changed, removed."""
    assert during("ApiFunction", lambda: bench.http("PUT", "/asl/webhook", {"url": URL}))[0] == 200
    task = bench.probes("ok")
    bench.deliver("probe")
    during("AggregatorFunction", bench.sweep)
    bench.receivers.answers = [500, 200]
    during("NoticeFunction", bench.tell)
    bench.pass_time(minutes=1)
    during("NoticeFunction", bench.tell)
    assert len(bench.receivers.sent) == 2
    assert during("ApiFunction", lambda: bench.http("POST", f"{TASKS}/{task}/notice"))[0] == 202
    for method in ("GET", "DELETE"):
        assert during("ApiFunction", partial(bench.http, method, "/asl/webhook"))[0] < 300


def _an_exports_life(bench: Bench, during: During) -> None:
    """Ordered of a task that had to be tried again, written, shown."""
    task = bench.open([bench.paper("No trial.", "none.txt", read=b"{}")])
    bench.deliver()
    bench.sweep()
    retry = bench.http("POST", f"{TASKS}/{task}/retry")[1]["taskId"]
    bench.deliver()
    bench.sweep(f"p1/{retry}")
    exports = f"{TASKS}/{task}/exports"
    status, export = during("ApiFunction", lambda: bench.http("POST", exports, {"format": "xlsx"}))
    assert status == 202, export
    assert during("ApiFunction", partial(bench.http, "GET", DOCTOR))[0] == 200
    bench.lose_messages("export_table")
    bench.pass_time(minutes=3)
    for _ in range(2):
        during("AggregatorFunction", bench.sweep_once)
        bench.pass_time(minutes=1)
    bench.calls.fail("GetObject", aws_error("SlowDown", 503))
    during("ExportTableFunction", lambda: bench.deliver("export_table"))
    bench.pass_time(minutes=1)
    during("ExportTableFunction", lambda: bench.deliver("export_table"))
    for path in (exports, f"{exports}/{export['exportId']}"):
        assert during("ApiFunction", partial(bench.http, "GET", path))[0] == 200, path


def _a_sheets_life(bench: Bench, during: During) -> None:
    """Announced, read, looked at, changed, deleted."""
    content = registry()
    answer = during("ApiFunction", lambda: bench.http("POST", "/dc/sessions", announcement(content)))[1]
    session = f"/dc/sessions/{answer['session']['sessionId']}"
    bench.lose_messages("clean_sheet")
    bench.pass_time(minutes=12)
    for _ in range(2):
        during("AggregatorFunction", bench.sweep_once)
        bench.pass_time(minutes=1)
    assert during("ApiFunction", partial(bench.http, "GET", DOCTOR))[0] == 200
    during("CleanSheetFunction", lambda: bench.deliver("clean_sheet"))
    bench.arrive(answer["upload"]["fields"]["key"], content)
    during("CleanSheetFunction", lambda: bench.deliver("clean_sheet"))
    change = {"version": 1, "removedRows": [0]}
    for method, path, body in (
        ("GET", "/dc/sessions", None), ("GET", session, None), ("GET", f"{session}/preview", None),
        ("GET", f"{session}/data", None), ("PUT", f"{session}/data", change),
    ):  # fmt: skip
        assert during("ApiFunction", partial(bench.http, method, path, body))[0] in {200, 202}, path
    during("CleanSheetFunction", lambda: bench.deliver("clean_sheet"))
    during("AggregatorFunction", bench.sweep_once)
    assert during("ApiFunction", lambda: bench.http("DELETE", session))[0] == 204


def _a_reviews_life(bench: Bench, during: During) -> None:
    """Decided, taken back, counted, erased."""
    document = bench.paper("Tea. A randomised trial.", "tea.txt")
    task = bench.open([document])
    bench.deliver()
    said = {"id": "i1", "address": "title", "verb": "agree", "before": None}
    for body in (said, {**said, "id": "i2", "verb": "undo", "before": "i1"}):
        place = f"/asl/extraction/results/{task}-0/decisions"
        status, answer = during("ApiFunction", partial(bench.http, "POST", place, {"decisions": [body]}))
        assert status == 200, answer
    for path in (place, f"{TASKS}/{task}/review"):
        assert during("ApiFunction", partial(bench.http, "GET", path))[0] == 200, path
    exports = f"{TASKS}/{task}/exports"
    bench.sweep_once()
    assert during("ApiFunction", lambda: bench.http("POST", exports, {"format": "csv"}))[0] == 202
    during("ExportTableFunction", lambda: bench.deliver("export_table"))
    erased = partial(bench.http, "DELETE", f"/pkb/documents/{document}/decisions", project=f"{PROJECT}:admin")
    assert during("ApiFunction", erased)[0] == 204


def _a_gatherings_life(bench: Bench, during: During) -> None:
    """Estimated and opened by what a base has and by a manifest, gathered, scattered."""
    base = bench.http("POST", "/pkb/knowledge-bases", {"name": "Shelf"})[1]["knowledgeBaseId"]
    named = bench.paper("A paper.", knowledge_base=base)
    client("s3").put_object(Bucket="databucket", Key="manifests/p1/list.txt", Body=named.encode())
    for reference in ({"knowledgeBaseId": base}, {"manifest": "manifests/p1/list.txt"}):
        body = {"templateId": "rct", "kind": "probe", **reference}
        assert during("ApiFunction", partial(bench.http, "POST", f"{TASKS}/estimate", body))[0] == 200
        status, task = during("ApiFunction", partial(bench.http, "POST", TASKS, body))
        assert status == 202, task
        during("AggregatorFunction", bench.sweep_once)
        assert [row.document for row in bench.rows(task["taskId"])] == [named]


def _a_documents_life(bench: Bench, during: During) -> None:
    """Announced, come, read, found by the sweep, replaced, shown, deleted, erased; and a knowledge base with it."""

    def ask(method: str, path: str, body: Any = None, status: int = 200) -> Any:
        answer = during("ApiFunction", partial(bench.http, method, path, body))
        assert answer[0] == status, (path, answer)
        return answer[1]

    key = {"name": "Papers", "idempotencyKey": "k"}
    base = ask("POST", "/pkb/knowledge-bases", key, 201)["knowledgeBaseId"]
    names = []
    for content in (b"First.", b"\x00\x01\x02", b"Third."):
        (answer,) = ask("POST", f"/pkb/knowledge-bases/{base}/documents", {"files": [told(content)]}, 201)["uploads"]
        names.append(answer["document"]["documentId"])
        bench.arrive(answer["upload"]["fields"]["key"], content, told=content != b"Third.")
        during("IntakeFunction", bench.take_in)
    bench.pass_time(minutes=3)
    during("AggregatorFunction", bench.sweep_once)
    bench.calls.fail("GetObject", aws_error("SlowDown", 503))
    during("IntakeFunction", bench.take_in)
    bench.pass_time(minutes=1)
    during("IntakeFunction", bench.take_in)
    ask("POST", f"/pkb/documents/{names[1]}/reread", None, 202)
    bench.lose_messages("intake")
    form = ask("POST", f"/pkb/documents/{names[0]}/versions", told(b"Newer."), 201)["upload"]
    bench.arrive(form["fields"]["key"], b"Newer.")
    during("IntakeFunction", bench.take_in)
    for path in ("", "/text", "/file"):
        ask("GET", f"/pkb/documents/{names[0]}{path}")
    ask("GET", f"/pkb/knowledge-bases/{base}/documents")
    ask("DELETE", f"/pkb/documents/{names[0]}", None, 204)
    ask("POST", f"/pkb/documents/{names[0]}/restore")
    ask("DELETE", f"/pkb/documents/{names[0]}", None, 204)
    bench.pass_time(hours=8 * 24)
    during("JanitorFunction", bench.tidy)
    for method, path, status in (("DELETE", "", 204), ("POST", "/restore", 200), ("DELETE", "", 204)):
        ask(method, f"/pkb/knowledge-bases/{base}{path}", None, status)
    bench.pass_time(minutes=3)
    during("AggregatorFunction", bench.sweep_once)
