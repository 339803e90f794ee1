"""The list of a project's tasks: newest first, page by page, each once."""

import pytest

from tests.http.front import TASKS
from tests.support.items import NOW, SECOND, a_task


def lay_tasks(bench, count: int, *, every_ms: int = SECOND, **told) -> list[str]:
    """So many tasks; gives their ids, the newest first. Three at a time are of the same instant."""
    for number in range(count):
        bench.put(a_task(task=f"p1/t{number}", created_at=NOW + number // 3 * every_ms, **told))
    return [f"t{number}" for number in reversed(range(count))]


def ids(page) -> list[str]:
    return [task["taskId"] for task in page]


def test_the_list_is_empty_when_nothing_was_started(front):
    assert front.get(TASKS).body == {"tasks": [], "nextCursor": None}


def test_the_list_says_that_it_is_at_its_end_when_a_page_starts_behind_it(bench, front):
    """As after a full last page, of which nobody knew that it was the last: no task, and no cursor to go on with."""
    lay_tasks(bench, 3)
    assert front.get(TASKS, query={"cursor": f"{NOW - 1}-t0"}).body == {"tasks": [], "nextCursor": None}


def test_tasks_are_listed_newest_first_when_some_were_started(bench, front):
    """With what a reader of the list needs of each: the same that the task itself shows."""
    first = front.started([bench.probe()])
    bench.pass_time(seconds=1)
    second = front.started([bench.probe(), bench.probe()])
    bench.settle("probe")
    listed = front.get(TASKS).body["tasks"]
    assert ids(listed) == [second, first]
    assert listed == [{**front.task(task), "checked": None} for task in (second, first)]


@pytest.mark.parametrize("count", [50, 51, 107])
def test_every_task_is_listed_once_when_there_are_several_pages(bench, front, count):
    """Also those of one instant: the cursor names the task too."""
    expected = lay_tasks(bench, count)
    pages = front.pages(TASKS, "tasks")
    assert [len(page) for page in pages[:-1]] == [50] * (len(pages) - 1)
    listed = [task for page in pages for task in page]
    assert sorted(ids(listed)) == sorted(expected)
    instants = [task["createdAt"] for task in listed]
    assert instants == sorted(instants, reverse=True)


def test_no_task_is_listed_twice_when_all_were_opened_in_one_millisecond(bench, front):
    expected = lay_tasks(bench, 70, every_ms=0)
    assert sorted(ids([task for page in front.pages(TASKS, "tasks") for task in page])) == sorted(expected)


def test_the_rest_is_as_it_was_when_tasks_are_opened_between_two_pages(bench, front):
    """New ones stand at the beginning: none is doubled, none is lost."""
    expected = lay_tasks(bench, 80, every_ms=30 * SECOND)
    first = front.get(TASKS).body
    front.started([bench.probe()])
    bench.put(a_task(task="p1/newer", created_at=NOW + 10_000 * SECOND))
    second = front.get(TASKS, query={"cursor": first["nextCursor"]}).body
    listed = ids(first["tasks"] + second["tasks"])
    assert len(listed) == len(set(listed))
    assert set(expected) <= set(listed)
    assert "newer" not in listed


def test_the_rest_is_listed_when_the_task_that_a_page_ended_with_was_deleted(bench, front):
    """A cursor is a place, not a task."""
    expected = lay_tasks(bench, 60, status="completed", completed=1, completed_at=NOW)
    first = front.get(TASKS).body
    front.verb("delete", first["tasks"][-1]["taskId"])
    second = front.get(TASKS, query={"cursor": first["nextCursor"]}).body
    assert sorted(ids(first["tasks"] + second["tasks"])) == sorted(expected)


def test_a_task_is_not_listed_when_it_was_deleted(bench, front):
    task_id = front.started([bench.probe()])
    bench.settle("probe")
    front.verb("delete", task_id)
    assert front.get(TASKS).body["tasks"] == []


def test_a_task_is_not_listed_when_it_is_deleted_while_the_list_is_read(bench, front):
    """The index still names it; its tombstone has no project and is nobody's to see."""
    task_id = front.started([bench.probe()])
    bench.settle("probe")
    with bench.calls.watch() as calls:
        calls.on_call = lambda _n, operation, _args: (
            front.verb("delete", task_id) if operation == "BatchGetItem" else None
        )
        listed = front.get(TASKS).body["tasks"]
    assert listed == []


def test_three_calls_are_made_when_a_page_is_listed(bench, front):
    """The index holds keys only, and the tasks are read together and as they are now."""
    lay_tasks(bench, 60)
    with bench.calls.watch() as calls:
        front.get(TASKS)
    assert calls.operations == ["Query", "BatchGetItem", "BatchGetItem"], "and how much of each is checked"
    (_, _, query), (_, _, batch), _ = calls.made
    assert (query["IndexName"], query["Limit"]) == ("by_project", 50)
    assert batch["RequestItems"]["TasksTable"]["ConsistentRead"] is True


def test_a_task_is_called_otherwise_when_it_is_renamed(bench, front):
    """Closed or not; a name that nobody sees is none. Mutation caught: a name as it was typed."""
    task = front.started([bench.probe()], name="First")
    for typed, name in (("  Deli\u200brium ", "Delirium"), ("\u200b", None), ("Again", "Again"), (None, None)):
        answer = front.send("PUT", f"{TASKS}/{task}", {"name": typed})
        assert (answer.status, answer.body["name"]) == (200, name)
        assert [each["name"] for each in front.get(TASKS).body["tasks"]] == [name]
    assert front.send("PUT", f"{TASKS}/{task}", {"name": "x" * 81}).body["field"] == "name"
