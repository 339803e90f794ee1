"""A task's table: page by page, by state, one row, and as its retries have left it."""

import json
import zlib

import pytest

from sheaf.items import Payload
from tests.http import front as fronts
from tests.http.front import RESULTS, TASKS
from tests.support.clients import client
from tests.support.items import NOW, a_row, a_task

STATES = ["pending", "extracting", "completed", "error", "cancelled"]


def lay_table(bench, total: int, *, state=lambda number: STATES[number % 5], shard_rows: int = 250, without=()) -> None:
    """The task t1 with so many rows and no payloads."""
    rows = [
        a_row(
            state(number), shard=f"p1/t1/{number // shard_rows:04d}", row=number, document=f"d{number}", data_key=None
        )
        for number in range(total)
        if number not in without
    ]
    fronts.lay_down(bench, a_task(total=total, shard_rows=shard_rows), rows)


def lay_payloads(bench, payloads) -> None:
    """The task t1 with a completed row for each of these."""
    with bench.calls.unwatched():
        for number, payload in enumerate(payloads):
            body = json.dumps(payload, ensure_ascii=False, separators=(",", ":")).encode()
            key = f"tasks/p1/t1/rows/{number}-1.packed"
            client("s3").put_object(Bucket="databucket", Key=key, Body=zlib.compress(body))
    rows = [
        a_row("completed", row=number, document=f"d{number}", data_key=f"tasks/p1/t1/rows/{number}-1.packed")
        for number in range(len(payloads))
    ]
    fronts.lay_down(bench, a_task(total=len(rows)), rows)


def numbers(rows) -> list[int]:
    return [row["row"] for row in rows]


# ---------------------------------------------------------------------------------------------------- pages


@pytest.mark.parametrize(("total", "shard_rows"), [(1, 250), (499, 250), (501, 250), (510, 7)])
def test_every_row_is_shown_once_and_in_order_when_there_are_many(bench, front, total, shard_rows):
    """At most 500 on a page, whatever the shards are."""
    lay_table(bench, total, shard_rows=shard_rows)
    pages = front.pages(f"{TASKS}/t1/results", "results")
    assert [len(page) for page in pages] == [500] * (total // 500) + ([total % 500] if total % 500 else [])
    assert numbers([row for page in pages for row in page]) == list(range(total))


@pytest.mark.parametrize("status", STATES)
@pytest.mark.parametrize("shard_rows", [250, 3])
def test_all_rows_of_one_state_are_shown_when_only_they_are_asked_for(bench, front, status, shard_rows):
    """Over every page, none of another state among them."""
    lay_table(bench, 61, shard_rows=shard_rows)
    rows = front.table("t1", status=status)
    assert numbers(rows) == list(range(STATES.index(status), 61, 5))
    assert {row["status"] for row in rows} == {status}


def test_the_table_is_read_in_one_go_when_no_row_is_in_the_state_asked_for(bench, front):
    """One page, empty, without a cursor: nobody polls through nothing."""
    lay_table(bench, 110, state=lambda _: "pending", shard_rows=20)
    assert front.pages(f"{TASKS}/t1/results", "results", status="error") == [[]]


def test_the_last_row_is_shown_when_it_alone_is_in_the_state_asked_for(bench, front):
    lay_table(bench, 110, state=lambda number: "error" if number == 109 else "completed", shard_rows=20)
    assert numbers(front.table("t1", status="error")) == [109]


def test_rows_that_are_not_written_yet_are_left_out_when_the_scatter_is_under_way(bench, front):
    """Holes anywhere: the first, the last, a whole shard, the rest of one. No endless page, no lost row beside them."""
    without = {0, 3, 10, 11, 12, 13, 14, 18, 19, 24}
    lay_table(bench, 25, shard_rows=5, without=without)
    assert numbers(front.table("t1")) == [number for number in range(25) if number not in without]


def test_a_page_goes_on_from_any_row_when_a_cursor_says_so(bench, front):
    """Behind the end it says so: an empty page would pass for a table without rows."""
    lay_table(bench, 12, shard_rows=5)
    for start in (0, 4, 5, 11):
        page = front.get(f"{TASKS}/t1/results", query={"cursor": str(start)}).body
        assert numbers(page["results"]) == list(range(start, 12))
        assert page["nextCursor"] is None
    for start in (12, 999_999_999):
        refused = front.get(f"{TASKS}/t1/results", query={"cursor": str(start)})
        assert (refused.status, refused.body["field"]) == (400, "cursor")
        assert "is behind the end; the table has 12 rows" in refused.body["reason"]


@pytest.mark.parametrize(
    "payload",
    [
        {"text": "x" * 900_000},
        {"text": "密" * 300_000},
        {"text": '"' * 450_000},
        {"text": "\\" * 450_000},
        {"text": "\n" * 450_000},
        {str(number): "é\"'" for number in range(40_000)},
    ],
    ids=["letters", "chinese", "quotes", "backslashes", "line ends", "short fields"],
)
def test_no_answer_is_larger_than_lambda_allows_when_rows_are_large(bench, front, payload):
    """Measured as sent: in bytes, spaced, escaped within an escaped body. Every row once, several a page."""
    lay_payloads(bench, [{"row": number, "payload": payload} for number in range(9)])
    pages = front.pages(f"{TASKS}/t1/results", "results")
    rows = [row for page in pages for row in page]
    assert numbers(rows) == list(range(9))
    assert [row["extractedData"]["row"] for row in rows] == list(range(9))
    assert 1 < len(pages) < 9


def test_a_row_is_shown_by_itself_when_it_is_larger_than_a_page(bench, front):
    """Never left out, never an endless loop."""
    lay_payloads(bench, [{"text": "x"}, {"text": "x" * 5_600_000}, {"text": "x"}])
    pages = front.pages(f"{TASKS}/t1/results", "results")
    assert [numbers(page) for page in pages] == [[0], [1], [2]]


def test_rows_are_shown_as_they_are_now_when_a_table_is_read(bench, front):
    """Every read of rows is strongly consistent."""
    lay_table(bench, 12, shard_rows=5)
    with bench.calls.watch() as calls:
        front.get(f"{TASKS}/t1/results")
    reads = [told for _, _, told in calls.made]
    assert calls.operations == ["BatchGetItem", "Query", "Query", "Query"]
    reads[:1] = reads[0]["RequestItems"].values()
    assert all(told["ConsistentRead"] is True for told in reads)


# ---------------------------------------------------------------------------------------------------- rows


def test_a_row_says_what_came_of_its_document_when_the_task_has_closed(bench, front):
    """The pinned version by key and id, the data or the reason, and how often it was tried."""
    good, bad = bench.probe("transient", "ok"), bench.probe("permanent")
    task_id = front.started([good, bad])
    bench.settle("probe")
    done, failed = front.table(task_id)
    assert (done["documentId"], done["status"], done["attempts"]) == (good, "completed", 2)
    assert (done["extractedData"], done["summary"]) == ({"attempt": 2, "echo": 1}, {"act": "ok"})
    assert (done["errorClass"], done["errorMessage"]) == (None, None)
    assert (failed["documentId"], failed["status"], failed["attempts"]) == (bad, "error", 1)
    assert (failed["extractedData"], failed["errorClass"]) == (None, "permanent")
    assert "for good" in failed["errorMessage"]
    versions = dict(fronts.objects(bench, "texts/"))
    assert versions[done["snapshotStorageKey"]] == done["snapshotVersion"]
    assert done["snapshotFilename"] == "1.json"


@pytest.mark.parametrize(
    ("status", "told", "shown"),
    [
        ("pending", {}, (False, False, False)),
        ("pending", {"first_claimed_at": NOW, "not_before": NOW + 9}, (True, False, True)),
        ("extracting", {"first_claimed_at": NOW}, (True, False, False)),
        ("extracting", {"first_claimed_at": NOW, "step": "asking", "step_at": NOW}, (True, True, False)),
        ("extracting", {"first_claimed_at": NOW, "step": "asking", "step_at": NOW - 1}, (True, False, False)),
        ("completed", {"first_claimed_at": NOW, "step": "asking", "step_at": NOW}, (True, False, False)),
    ],
)
def test_a_row_says_what_it_is_doing_when_something_recorded_it(bench, front, status, told, shown):
    """That an attempt before this one asked a model says nothing of this one."""
    row = a_row(status, row=0, data_key=None, updated_at=NOW, **{"first_claimed_at": None, "not_before": 0, **told})
    fronts.lay_down(bench, a_task(total=1), [row])
    (seen,) = front.get(f"{TASKS}/t1/results").body["results"]
    assert tuple(seen[name] is not None for name in ("startedAt", "askingSince", "dueAt")) == shown


def test_one_row_is_the_same_as_in_the_table_when_it_is_asked_for_by_its_id(bench, front):
    task_id = front.started([bench.probe(), bench.probe("permanent"), bench.probe()])
    bench.deliver("probe", limit=2)
    for row in front.table(task_id):
        assert front.get(f"{RESULTS}/{row['resultId']}").body == row


def test_one_row_is_not_found_when_it_is_not_written_yet(bench, front):
    lay_table(bench, 3, without={1})
    assert [front.get(f"{RESULTS}/t1-{number}").status for number in range(4)] == [200, 404, 200, 404]


# ---------------------------------------------------------------------------------------------------- view=latest


def closed(bench) -> None:
    """A pass to cancel or count, and one to close."""
    bench.sweep_once()
    bench.sweep_once()


def a_chain(bench, front) -> tuple[list[str], list[str]]:
    """Four documents, one done in each of three tasks: each is cancelled after one row and tried again."""
    documents = [bench.probe() for _ in range(4)]
    chain = [front.started(documents)]
    for _ in range(2):
        bench.deliver("probe", limit=1)
        front.verb("cancel", chain[-1])
        closed(bench)
        bench.lose_messages("probe")
        chain.append(front.verb("retry", chain[-1]).body["taskId"])
    bench.deliver("probe", limit=1)
    bench.sweep_once()
    return documents, chain


def done(rows) -> list[str]:
    return [row["documentId"] for row in rows if row["status"] == "completed"]


def test_each_row_is_shown_as_the_newest_of_the_chain_left_it_when_the_latest_view_is_asked_for(bench, front):
    """Two retries down: every document once, in the first task's order, with the id of the row that is meant."""
    documents, chain = a_chain(bench, front)
    assert [len(done(front.table(task_id))) for task_id in chain] == [1, 1, 1]
    latest = front.table(chain[0], view="latest")
    assert [row["documentId"] for row in latest] == documents
    assert [row["taskId"] for row in latest] == [chain[0], chain[1], chain[2], chain[2]]
    assert [row["status"] for row in latest] == ["completed"] * 3 + ["pending"]
    for row in latest:
        assert front.get(f"{RESULTS}/{row['resultId']}").body == row


def test_only_what_came_after_is_shown_when_the_latest_view_of_a_retry_is_asked_for(bench, front):
    """From the middle of the chain, and from its end."""
    documents, chain = a_chain(bench, front)
    middle = front.table(chain[1], view="latest")
    assert [row["documentId"] for row in middle] == documents[1:]
    assert [row["taskId"] for row in middle] == [chain[1], chain[2], chain[2]]
    assert front.table(chain[2], view="latest") == front.table(chain[2])


def test_the_latest_view_is_the_table_when_nothing_was_retried(bench, front):
    task_id = front.started([bench.probe(), bench.probe("permanent")])
    bench.settle("probe")
    assert front.table(task_id, view="latest") == front.table(task_id)


@pytest.mark.parametrize(("status", "expected"), [("completed", 3), ("pending", 1), ("cancelled", 0), ("error", 0)])
def test_the_state_that_counts_is_the_latest_when_both_are_asked_for(bench, front, status, expected):
    _, chain = a_chain(bench, front)
    rows = front.table(chain[0], view="latest", status=status)
    assert len(rows) == expected
    assert {row["status"] for row in rows} <= {status}


def test_a_deleted_retry_falls_out_when_the_latest_view_is_asked_for(bench, front):
    """What it had made is erased; what came before it and after it is shown."""
    documents, chain = a_chain(bench, front)
    front.verb("delete", chain[1])
    latest = front.table(chain[0], view="latest")
    assert [row["documentId"] for row in latest] == documents
    assert [row["taskId"] for row in latest] == [chain[0], chain[0], chain[2], chain[2]]
    assert [row["status"] for row in latest] == ["completed", "cancelled", "completed", "pending"]


def test_the_latest_view_is_paged_like_any_other_when_there_are_many_rows(bench, front):
    """The cursor counts the rows of the task that was asked for."""
    documents = [bench.probe("permanent") for _ in range(3)]
    parent = front.started(documents)
    bench.settle("probe")
    child = front.verb("retry", parent).body["taskId"]
    for start in range(3):
        page = front.get(f"{TASKS}/{parent}/results", query={"view": "latest", "cursor": str(start)}).body
        assert [row["documentId"] for row in page["results"]] == documents[start:]
        assert {row["taskId"] for row in page["results"]} == {child}


def test_the_latest_view_is_shown_when_a_retry_is_not_wholly_written_yet(bench, front):
    """A row that the retry will have is shown as it was until then."""
    parent = front.started([bench.probe("permanent"), bench.probe("permanent")])
    bench.settle("probe")
    child = front.verb("retry", parent).body["taskId"]
    with bench.calls.unwatched():
        key = {"shard": {"S": f"p1/{child}/0000"}, "row": {"N": "1"}}
        client("dynamodb").delete_item(TableName="ResultsTable", Key=key)
    assert [row["taskId"] for row in front.table(parent, view="latest")] == [child, parent]


def test_a_table_is_not_found_when_its_task_is_erased_while_it_is_read(bench, front):
    """Deleted between the look at the task and the look at its data: gone, not broken."""
    task_id = front.started([bench.probe(), bench.probe()])
    bench.settle("probe")

    def erase(_number, operation, arguments):
        if operation == "Query" and "/data" in str(arguments) and bench.task(task_id).deleted_at is None:
            front.verb("delete", task_id)
            fronts.erase(bench)

    with bench.calls.watch() as calls:
        calls.on_call = erase
        answer = front.get(f"{TASKS}/{task_id}/results")
    assert (answer.status, answer.problem) == (404, "not-found")


def test_the_payloads_of_a_shard_are_one_read_when_a_table_is_shown(bench, front):
    """Mutation caught: a read a row; what a lost attempt left beside a row, shown as that row's."""
    task_id = front.started([bench.probe() for _ in range(101)])
    bench.settle("probe")
    bench.put(Payload(shard=f"p1/{task_id}/0000/data", row=2, claim="lost", packed=zlib.compress(b"{}")))
    with bench.calls.watch() as calls:
        rows = front.table(task_id)
    assert [row["extractedData"]["attempt"] for row in rows] == [1] * 101
    assert calls.operations == ["BatchGetItem", "UpdateItem", "Query", "Query"]


def test_values_come_with_their_states_and_pages_and_without_quotes_when_only_they_are_asked_for(bench, front):
    """What tells a table's reader where each is; the words of the paper stay where they are."""
    task_id = front.started([bench.paper("Smith 2020. We randomised 120 patients.")], kind="extract_paper")
    bench.settle()
    (whole,), (brief,) = front.table(task_id), front.table(task_id, view="values")
    assert '"quote": "' in json.dumps(whole)
    assert "quote" not in json.dumps(brief)
    fields = [row["extractedData"]["fields"] for row in (whole, brief)]
    seen = [{name: (each["state"], each["value"], each["page"]) for name, each in told.items()} for told in fields]
    assert seen[0] == seen[1]
    assert {**whole, "extractedData": 0} == {**brief, "extractedData": 0}
    assert front.table(task_id, view="latest,values") == [brief]


def test_fifty_rows_without_what_a_table_does_not_draw_when_it_is_asked_for_at_a_glance(bench, front):
    """Mutation caught: the text of a field that somebody decided on cut, whose entries are found by their text."""
    text = f"Smith 2020. We randomised 120 patients. Funding: This trial was funded by {'a very generous council ' * 3}of Norway."
    task_id = front.started([bench.paper(f"{text} Paper {number}.") for number in range(51)], kind="extract_paper")
    bench.settle()
    path = f"{TASKS}/{task_id}/results"
    first = front.get(path, query={"view": "glance"}).body
    assert (len(first["results"]), first["nextCursor"]) == (50, "50")
    assert len(front.get(path, query={"view": "latest,glance", "cursor": "50"}).body["results"]) == 1
    cut = [row["extractedData"]["fields"]["funding"]["value"] for row in first["results"]]
    assert {(len(each), each[-1]) for each in cut} == {(33, "…")}
    decided = {"id": "i1", "address": "funding", "verb": "agree", "before": None}
    assert front.post(f"/asl/extraction/results/{task_id}-0/decisions", {"decisions": [decided]}).status == 200
    (whole, *_), (row, other, *_) = front.table(task_id), front.get(path, query={"view": "glance"}).body["results"]
    assert row["extractedData"]["fields"]["funding"]["value"] == whole["extractedData"]["fields"]["funding"]["value"]
    assert other["extractedData"]["fields"]["funding"]["value"][-1] == "…"


# ---------------------------------------------------------------------------------------------------- unchanged, and too fast


def a_table(bench, front, count=12):
    task_id = front.started([bench.probe() for _ in range(count - 1)] + [bench.probe("permanent")])
    bench.settle("probe")
    return task_id


@pytest.mark.parametrize("query", [{}, {"view": "latest"}, {"status": "completed"}, {"cursor": "3"}], ids=str)
def test_304_is_answered_without_a_look_at_payloads_when_the_caller_has_the_page(bench, front, query):
    """Nor at the allowance: mutation caught, a tag that is made from the answer."""
    path = f"{TASKS}/{a_table(bench, front)}/results"
    first = front.get(path, query=query)
    with bench.calls.watch() as calls:
        again = front.get(path, query=query, headers={"if-none-match": first.headers["ETag"]})
    assert (again.status, again.text, again.headers["ETag"]) == (304, "", first.headers["ETag"])
    assert not {"GetObject", "Query", "UpdateItem"} & set(calls.operations)
    assert front.get(path, query=query).text == first.text


def test_every_page_has_a_tag_of_its_own_when_a_task_has_a_table(bench, front):
    """Mutation caught: a part of what was asked for that is left out of the tag."""
    one, other = a_table(bench, front), a_table(bench, front)
    queries = [
        *[{}, {"view": "latest"}, {"view": "values"}, {"view": "latest,values"}, {"view": "glance"}],
        *[{"status": "completed"}, {"status": "error"}, {"cursor": "3"}],
    ]
    tags = [
        front.get(f"{TASKS}/{task}/results", query=query).headers["ETag"] for task in (one, other) for query in queries
    ]
    assert len(set(tags)) == len(tags)


def test_there_is_no_tag_while_a_row_may_change(bench, front):
    """Of the task, or of a retry whose rows stand in their place."""
    task_id = front.started([bench.probe("permanent")])
    assert "ETag" not in front.get(f"{TASKS}/{task_id}/results").headers
    bench.settle("probe")
    latest = {"view": "latest"}
    before = front.get(f"{TASKS}/{task_id}/results", query=latest).headers["ETag"]
    plain = front.get(f"{TASKS}/{task_id}/results").headers["ETag"]
    assert front.verb("retry", task_id).status == 202
    assert "ETag" not in front.get(f"{TASKS}/{task_id}/results", query=latest).headers
    assert front.get(f"{TASKS}/{task_id}/results").headers["ETag"] == plain
    bench.settle("probe")
    assert front.get(f"{TASKS}/{task_id}/results", query=latest).headers["ETag"] not in {before, plain}


def test_429_says_when_to_go_on_when_one_user_reads_too_many_rows(bench, front):
    """Single rows and other pages are answered still; and so is the same page, later."""
    task_id = "t1"
    lay_table(bench, 60, state=lambda _: "completed")
    fronts.lay_down(bench, a_task(total=60, completed=60), [])
    fronts.limit(bench, reads_at_once=75, reads_per_minute=60)
    path = f"{TASKS}/{task_id}/results"
    assert [front.get(path).status for _ in range(3)] == [200, 200, 429]
    answer = front.get(path)
    assert (answer.problem, int(answer.headers["Retry-After"])) == ("too-fast", 45)
    assert "45 seconds" in answer.body["detail"]
    assert front.get(f"{RESULTS}/{task_id}-0").status == 200
    assert front.get(path, query={"status": "error"}).status == 200
    bench.pass_time(seconds=45)
    assert front.get(path).status == 200
    told = front.get("/me").body["limits"]
    assert (told["rowsAtOnce"], told["rowsPerMinute"]) == (75, 60)
