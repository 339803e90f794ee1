"""A kind that knows no papers, the whole way: asked for, worked on, counted, shown, and tried again."""

import pytest

from tests.support import stack_file
from tests.support.bench import TASKS, stack
from tests.support.clients import client


@pytest.fixture
def bench(tmp_path):
    with stack(tmp_path / "none.log", stack_file.with_kind("count_words")) as made:
        yield made


def put(name, content):
    client("s3").put_object(Bucket="databucket", Key=f"inputs/p1/{name}", Body=content)


def asked(bench, *items, **more):
    return bench.http("POST", TASKS, {"kind": "count_words", "items": list(items), **more})


def finish(bench):
    bench.deliver("count_words")
    bench.sweep()


def results(bench, task):
    return bench.http("GET", f"{TASKS}/{task}/results")[1]["results"]


def test_words_are_counted_when_texts_are_named(bench):
    """Nothing of a paper is asked for, or said of the task; a mark is counted under the kind's own name."""
    for name, text in (("a", b"one two  three"), ("b", b" "), ("c", b"\xff")):
        put(name, text)
    status, task = asked(bench, "a", "b", "c")
    assert status == 202, task
    finish(bench)
    shown = bench.http("GET", f"{TASKS}/{task['taskId']}")[1]
    assert [shown[name] for name in ("status", "completedCount", "errorCount", "emptyCount")] == ["completed", 2, 1, 1]
    assert shown.keys().isdisjoint({"templateId", "knowledgeBaseId", "cells", "engine"})
    found = [(row["documentId"], row["extractedData"], row["errorClass"]) for row in results(bench, task["taskId"])]
    assert found == [("a", {"words": 3}, None), ("b", {"words": 0}, None), ("c", None, "unreadable")]


@pytest.mark.parametrize(("refresh", "ends"), [(True, "completed"), (False, "error")])
def test_a_text_is_pinned_anew_when_a_retry_asks_for_it(bench, refresh, ends):
    put("c", b"\xff")
    _, task = asked(bench, "c")
    finish(bench)
    put("c", b"four words are here")
    status, again = bench.http("POST", f"{TASKS}/{task['taskId']}/retry", {"refresh": refresh})
    assert status == 202, again
    finish(bench)
    assert [row["status"] for row in results(bench, again["taskId"])] == [ends]


def test_a_request_is_refused_by_the_kind_s_own_words_when_it_is_wrong(bench):
    """And neither kind takes the other's fields."""
    put("a", b"one")
    assert asked(bench, "a", "x")[1]["items"] == ["x"]
    assert asked(bench, "a", templateId="rct")[1]["field"] == "templateId"
    assert asked(bench)[1]["field"] == "items"
    wrong = bench.http("POST", TASKS, {"templateId": "rct", "documentIds": ["d"], "items": ["a"]})[1]
    assert wrong["field"] == "items"


def test_the_same_task_is_found_when_the_request_is_repeated(bench):
    put("a", b"one")
    first, second = (asked(bench, "a", idempotencyKey="k") for _ in range(2))
    assert (first[0], second[0], first[1]["taskId"]) == (202, 200, second[1]["taskId"])
    assert asked(bench, "a", "a", idempotencyKey="k")[0] == 400


def test_the_kind_is_shown_no_more_of_when_it_is_not_deployed(bench):
    """The task and its table are still there to be read."""
    put("a", b"one two")
    _, task = asked(bench, "a")
    finish(bench)
    del bench.api_world.settings.kinds["count_words"]
    status, shown = bench.http("GET", f"{TASKS}/{task['taskId']}")
    assert (status, shown["kind"], shown["completedCount"]) == (200, "count_words", 1)
    assert "emptyCount" not in shown
