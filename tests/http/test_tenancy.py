"""Two projects on one stack: neither can see, name or touch anything of the other. RELIABILITY F4, F54; invariant S11."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import openapi
from routes import Operation
from sheaf.api.task_views import TaskListView, TaskView
from tests.http import front as fronts
from tests.http.front import RESULTS, ROOT, TASKS, Front, stored
from tests.support.receivers import URL
from tests.support.workbooks import announcement

A_FILE = {"filename": "a.pdf", "size": 9, "sha256": "0" * 64}
A_FIELD = {"name": "dose", "type": "string", "label": "Dose"}
A_DECISION = {"id": "i1", "address": "title", "verb": "agree", "before": None}
BODIES: dict[str, Any] = {
    "NewSession": announcement(b"a,b\n1,2\n", "a.csv"),
    "SavedTable": {"version": 1, "removedRows": [0]},
    "Budget": {"budgetUsd": 1},
    "Limit": {"mostAtWork": 1},
    "TaskName": {"name": "Mine"},
    "NewFile": A_FILE,
    "NewFiles": {"files": [A_FILE]},
    "KnowledgeBaseName": {"name": "Mine"},
    "ProjectSettings": {"textStaysInside": True},
    "DocumentLabel": {"label": "Mine"},
    "Decisions": {"decisions": [A_DECISION]},
    "NewExport": {"format": "csv"},
    "NewWebhook": {"url": URL},
    "TemplateChange": {"version": 1, "label": "Mine", "fields": [A_FIELD]},
}
"""What an operation with an id in its path takes."""
SHARED = {"GetQueueAttributes", "GetEventSourceMapping"}
"""Numbers of all projects together and no names, as is when somebody last swept. An allowance is its reader's own."""
ITEMS_KEY = {
    "TasksTable": "task",
    "ResultsTable": "shard",
    "GatesTable": "gate",
    "LibraryTable": "entry",
    "ReviewsTable": "paper",
}


@pytest.fixture
def other(bench) -> Front:
    """An editor of the project p2."""
    return Front(bench, "p2")


def of_project(project: str, called: tuple[str, str, dict[str, Any]]) -> bool:
    """Every key that this AWS call touches belongs to the project."""
    service, operation, told = called
    if operation in SHARED:
        return True
    touched = list(_touched(service, operation, told))
    assert touched, f"nothing is known of what {operation} touches"
    own = {"GetItem": {"nobody's: sweeper"}, "UpdateItem": {"nobody's: reader"}}.get(operation, set())
    return all(key == project or key.startswith(f"{project}/") or key in own for key in touched)


def _touched(service: str, operation: str, told: dict[str, Any]) -> Iterator[str]:
    match service:
        case "dynamodb":
            yield from _items(operation, told)
        case "s3":
            folder, _, rest = told["Key"].partition("/")
            yield rest if folder in {"tasks", "documents", "texts", "templates"} else f"nobody's: {told['Key']}"
        case "sqs":
            for entry in told["Entries"]:
                yield entry["MessageGroupId"]
                body = json.loads(entry["MessageBody"])
                yield body["s"] if "s" in body else body[0]
        case "lambda":
            yield json.loads(told["Payload"])["task"]


def _items(operation: str, told: dict[str, Any]) -> Iterator[str]:
    match operation:
        case "BatchGetItem":
            for table, wanted in told["RequestItems"].items():
                yield from (_key(table, key) for key in wanted["Keys"])
        case "TransactWriteItems":
            for item in told["TransactItems"]:
                ((_, write),) = item.items()
                yield _key(write["TableName"], write.get("Item") or write["Key"])
        case "Query":
            for name, value in {**told["ExpressionAttributeValues"], **told.get("ExclusiveStartKey", {})}.items():
                is_place = told["TableName"] == "ReviewsTable" and name == ":1"
                if "S" in value and not is_place and not (value["S"] == "0" and told.get("IndexName") == "by_active"):
                    yield value["S"] if told["TableName"] != "GatesTable" else f"nobody's: {name}"
        case _:
            yield _key(told["TableName"], told.get("Item") or told["Key"])


def _key(table: str, item: dict[str, Any]) -> str:
    key = str(item[ITEMS_KEY[table]]["S"])
    if table == "GatesTable":
        kind, _, key = key.partition("/")
        return key if kind in {"task", "places", "purse"} else f"nobody's: {kind}"
    return key


def ask(front: Front, item: Operation, place: str, documents: list[str]) -> fronts.Answer:
    """One operation with this id in its path, and a body if it takes one."""
    path = re.sub(r"{\w+}", lambda _name: place, item.path.removeprefix(ROOT).replace("{result_id}", f"{place}-0"))
    bodies = {**BODIES, "NewTask": {"templateId": "rct", "documentIds": documents, "kind": "probe"}}
    return front.send(item.method, path, bodies.get(item.takes or ""))


def watched(front: Front, item: Operation, place: str, documents: list[str]) -> fronts.Answer:
    """The same, and no call to AWS has touched anything but the caller's own."""
    with front.bench.calls.watch() as calls:
        answer = ask(front, item, place, documents)
    strangers = [called for called in calls.made if not of_project(front.project, called)]
    assert strangers == [], (item.name, strangers)
    return answer


WITH_ID = [item for item in openapi.OPERATIONS if "{" in item.path]


def some_of_everything(bench, *projects: Front) -> list[dict[str, str]]:
    """A task of each state in each of these projects, by state."""
    made: list[dict[str, str]] = [{} for _ in projects]
    for front, mine in zip(projects, made, strict=True):
        for state in ("deleted", "cancelled", "completed"):
            mine[state] = front.started([paper(bench, front, f"{state}{number}") for number in (1, 2)])
        front.verb("cancel", mine["cancelled"])
    bench.settle("probe")
    for front, mine in zip(projects, made, strict=True):
        front.verb("delete", mine["deleted"])
        mine["retry"] = front.verb("retry", mine["completed"]).body["taskId"]
        mine["paused"] = front.started([paper(bench, front, "paused")])
        front.verb("pause", mine["paused"])
    return made


def paper(bench, front: Front, name: str) -> str:
    script = json.dumps({"acts": ["permanent"], "of": name})
    return str(bench.paper(script, project=front.project, read=script.encode()))


@pytest.mark.parametrize("item", WITH_ID, ids=lambda item: item.name)
def test_another_projects_task_is_not_found_when_any_route_names_it(bench, front, other, item):
    """In the very words for what does not exist, in any state, and nothing of it is touched, let alone changed."""
    (theirs,) = some_of_everything(bench, other)
    before = stored(bench)
    for state, task_id in theirs.items():
        answer = watched(front, item, task_id, [])
        assert (answer.status, answer.problem) == (404, "not-found"), state
        assert answer == watched(front, item, "a" * 20, []), state
    assert stored(bench) == before


@pytest.mark.parametrize("item", WITH_ID, ids=lambda item: item.name)
def test_a_project_cannot_be_named_in_an_id_when_a_route_takes_one(bench, front, other, item):
    """The key is project/id: an id that brings its own slash, encoded or not, is none."""
    theirs = some_of_everything(bench, other)[0]["completed"]
    for place in (f"p2/{theirs}", f"p2%2f{theirs}", f"../p2/{theirs}", f"%2e%2e%2fp2%2f{theirs}", f"p2\\{theirs}"):
        answer = watched(front, item, place, [])
        assert answer.status == 404, place


def test_a_list_has_only_the_callers_tasks_when_both_projects_have_some(bench, front, other):
    mine, theirs = some_of_everything(bench, front, other)
    assert {task["taskId"] for task in front.get(TASKS).body["tasks"]} == set(mine.values()) - {mine["deleted"]}
    assert {task["taskId"] for task in other.get(TASKS).body["tasks"]} == set(theirs.values()) - {theirs["deleted"]}


def test_a_cursor_reaches_nobody_elses_tasks_when_it_is_forged(bench, front, other):
    """It says where to go on; the project is the caller's whatever it says."""
    mine, theirs = some_of_everything(bench, front, other)
    for task_id in {*theirs.values(), *mine.values()}:
        for created_at in (0, bench.clock.now, bench.clock.now + 1, 10**13):
            cursor = f"{created_at}-{task_id}"
            with bench.calls.watch() as calls:
                page = front.get(TASKS, query={"cursor": cursor})
            assert page.status == 200
            assert {task["taskId"] for task in page.body["tasks"]} <= set(mine.values())
            assert all(of_project("p1", called) for called in calls.made)


def test_a_result_of_another_project_is_not_found_when_it_is_named_by_its_id(bench, front, other):
    theirs = some_of_everything(bench, other)[0]["completed"]
    assert other.get(f"{RESULTS}/{theirs}-0").status == 200
    assert front.get(f"{RESULTS}/{theirs}-0") == front.get(f"{RESULTS}/{'a' * 20}-0")


def test_nothing_of_the_other_is_touched_when_a_project_does_all_that_can_be_done(bench, front, other):
    """S11 for the good requests: every route with the caller's own ids, beside a neighbour with the same."""
    mine, _ = some_of_everything(bench, front, other)
    document = bench.probe()
    statuses = set()
    for item in openapi.OPERATIONS:
        for task_id in mine.values():
            statuses.add(watched(front, item, task_id, [document]).status)
    assert {200, 202, 204, 404, 409} <= statuses


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["p1", "p2"]), st.integers(0, len(openapi.OPERATIONS) - 1), st.integers(0, 40), st.booleans()
    ),
    min_size=5,
    max_size=25,
)


@settings(max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(STEPS)
def test_neither_reaches_the_other_when_two_projects_do_anything_in_any_order(bench, steps):
    """Each step: somebody does something with some id there is, its own or the neighbour's; now and then work is done."""
    fronts_of = {name: Front(bench, name) for name in ("p1", "p2")}
    documents = {name: [bench.paper(f'{{"of": "{name}{n}"}}', project=name) for n in (1, 2)] for name in fronts_of}
    owner: dict[str, str] = {task.id: task.task.partition("/")[0] for task in bench.tasks()}
    for name, number, which, work in steps:
        item, place = openapi.OPERATIONS[number], sorted(owner)[which % len(owner)] if owner else "nothing"
        answer = watched(fronts_of[name], item, place, documents["p1" if which % 5 == 0 else name])
        if "{" in item.path and owner.get(place) != name:
            assert answer.status == 404
        if answer.status in {200, 202} and item.gives is TaskView:
            assert owner.setdefault(answer.body["taskId"], name) == name
        if answer.status == 200 and item.gives is TaskListView:
            assert {owner[task["taskId"]] for task in answer.body["tasks"]} <= {name}
        if work:
            bench.deliver("probe")
            bench.sweep_once()
