"""Who may do what: from the verified token's claims and from nothing else. RELIABILITY section 4, F54."""

import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st

import openapi
from sheaf.api.access import Role, caller, memberships
from sheaf.errors import Forbidden
from tests.http import front as fronts
from tests.http.front import TASKS, Front, stored
from tests.support import model_engines
from tests.support.bench import EVENTS
from tests.support.provider import Provider

NAMES = st.from_regex(r"[a-z0-9][a-z0-9-]{0,39}", fullmatch=True)
VERBS = ["cancel", "pause", "resume", "retry", "delete"]


def roles(groups) -> dict[str, str]:
    return {project: role.name.lower() for project, role in memberships({"cognito:groups": groups}).items()}


# ---------------------------------------------------------------------------------------------------- the claim


@pytest.mark.parametrize(
    ("groups", "projects"),
    [
        (["a"], {"a": "editor"}),
        (["a", "b"], {"a": "editor", "b": "editor"}),
        ("[a]", {"a": "editor"}),
        ("[a b]", {"a": "editor", "b": "editor"}),
        ("[a  b]", {"a": "editor", "b": "editor"}),
        ("[a,b]", {}),
        ("[a, b]", {}),
        ("[[a]]", {}),
        ("[a b] c]", {}),
        ("[a", {}),
        ("a", {}),
        ("a b", {}),
        ("[]", {}),
        ("", {}),
        ([], {}),
        (None, {}),
        ({}, {}),
        (7, {}),
        ("[a:viewer]", {"a": "viewer"}),
        ("[a:editor]", {"a": "editor"}),
        ("[a:admin]", {"a": "admin"}),
        ("[a:viewer a]", {"a": "editor"}),
        ("[a a:viewer]", {"a": "editor"}),
        ("[a:viewer b:admin c]", {"a": "viewer", "b": "admin", "c": "editor"}),
        ("[a:owner]", {}),
        ("[a:]", {}),
        (["a:"], {}),
        (["x,a", "b"], {}),
        ("[:admin]", {}),
        ("[a:Admin]", {}),
        ("[a:admin:x]", {}),
        ("[A]", {}),
        ("[a/b]", {}),
        ("[../a]", {}),
        ("[-a]", {}),
        ("[ä]", {}),
        ("[" + "a" * 40 + "]", {"a" * 40: "editor"}),
        ("[" + "a" * 41 + "]", {}),
        (["a b"], {}),
        (["[a]"], {}),
        (["a\n"], {}),
        ('["a"]', {}),
        ([None, 1.5, ["a"], {"a": 1}], {}),
    ],
    ids=repr,
)
def test_projects_are_read_from_the_claim_when_it_has_any_of_its_forms(groups, projects):
    """A token holds a list, API Gateway makes text of it; what cannot be read gives nothing, never too much."""
    assert roles(groups) == projects


def test_there_is_no_project_when_the_claim_is_missing():
    assert memberships({}) == {}
    assert memberships({"groups": ["a"], "custom:project": "a", "scope": "a"}) == {}


@given(st.lists(NAMES, unique=True, max_size=6))
def test_the_same_projects_are_read_when_a_list_was_made_into_text(names):
    """As API Gateway and its emulator make text of a list."""
    assert roles(names) == roles(f"[{' '.join(names)}]") == dict.fromkeys(names, "editor")


@pytest.mark.parametrize(
    "name", ["x,p", "p,x", ",p", "[p]", "p]", "[p", "p:", "p,", "[p:admin]", "]p[", "x p", "p:viewer,"]
)
@pytest.mark.parametrize("beside", [[], ["q"], ["q", "r:viewer"]])
def test_a_group_s_name_makes_nobody_a_member_of_another_when_it_has_marks_in_it(name, beside):
    """Mutation caught: a comma or a bracket that is taken away, or taken for a space. The list and its text give the same."""
    names = [*beside, name]
    assert "p" not in roles(names)
    assert "p" not in roles(f"[{' '.join(names)}]") or " " in name
    if " " not in name:
        assert roles(names) == roles(f"[{' '.join(names)}]")


@given(
    st.recursive(
        st.none() | st.booleans() | st.text() | st.integers(), lambda i: st.lists(i) | st.dictionaries(st.text(), i)
    )
)
def test_every_project_has_a_name_that_can_be_a_key_when_the_claim_is_anything(claim):
    """A slash in a project's name would reach into another's keys."""
    for project in memberships({"cognito:groups": claim}):
        assert set(project) <= set("abcdefghijklmnopqrstuvwxyz0123456789-")
        assert 1 <= len(project) <= 40


@pytest.mark.parametrize(
    ("groups", "wanted", "project"),
    [("[a]", None, "a"), ("[a]", "a", "a"), ("[a b]", "b", "b"), (["a", "b"], "a", "a")],
)
def test_the_caller_is_in_the_project_that_was_named_or_the_only_one(groups, wanted, project):
    asking = caller({"cognito:groups": groups, "sub": "u"}, wanted)
    assert (asking.project, asking.user, asking.role) == (project, "u", Role.EDITOR)


@pytest.mark.parametrize("wanted", ["b", "", "A", "a ", " a", "a,b", "*", "a:viewer", "a/", "../a", "a\x00"])
def test_the_caller_is_refused_when_the_named_project_is_not_in_the_claim(wanted):
    """To the letter."""
    with pytest.raises(Forbidden):
        caller({"cognito:groups": "[a c]"}, wanted)


# ---------------------------------------------------------------------------------------------------- the front


def test_403_is_answered_when_the_project_named_is_not_the_callers(bench, front):
    """Though it exists; and nothing is read or written for it."""
    with bench.calls.watch() as calls:
        answer = front.get(TASKS, headers={"sheaf-project": "p2"})
    assert (answer.status, answer.problem) == (403, "forbidden")
    assert calls.operations == []


@pytest.mark.parametrize("groups", ["[p1 p2]", ["p1", "p2"]])
def test_403_is_answered_when_the_caller_has_two_projects_and_names_none(bench, front, groups):
    """Guessing would put a task into the wrong one."""
    assert front.get(TASKS, groups=groups).status == 403
    assert front.get(TASKS, groups=groups, headers={"sheaf-project": "p2"}).status == 200
    assert front.start([bench.probe()]).status == 202
    assert len(front.get(TASKS, groups=groups, headers={"sheaf-project": "p1"}).body["tasks"]) == 1
    assert front.get(TASKS, groups=groups, headers={"sheaf-project": "p2"}).body["tasks"] == []


@pytest.mark.parametrize("groups", ["[]", "", [], "[P1]", "[p1/x]"])
def test_403_is_answered_when_the_caller_has_no_project(bench, front, groups):
    assert front.get(TASKS, groups=groups).status == 403
    assert front.post(TASKS, {"templateId": "rct", "documentIds": ["d1"]}, groups=groups).status == 403
    assert bench.tasks() == []


def test_403_is_answered_when_there_is_no_claim_at_all(bench, front):
    """A route without an authorizer, by somebody's mistake, is open to nobody."""
    event = {**EVENTS["api-create-task"], "requestContext": {**EVENTS["api-create-task"]["requestContext"]}}
    del event["requestContext"]["authorizer"]
    assert front.handle(event).status == 403


def test_the_project_is_never_taken_from_the_request_when_it_names_one(bench, front):
    """Not from the body, the query, a header of another name, or the user's name."""
    theirs = bench.paper("theirs", project="p2")
    body = {"templateId": "rct", "documentIds": [theirs], "projectId": "p2"}
    assert front.post(TASKS, body).status == 400
    assert front.get(TASKS, query={"projectId": "p2"}).status == 400
    for name in ("project", "x-sheaf-project", "x-project", "cognito:groups"):
        assert front.get(TASKS, headers={name: "p2"}).body["tasks"] == []


def a_closed_task(bench, front: Front) -> str:
    task_id = front.started([bench.probe(), bench.probe("permanent")])
    bench.settle("probe")
    return task_id


@pytest.mark.parametrize("use", ["id", "refresh", None])
@pytest.mark.parametrize("path", ["/me", TASKS])
def test_403_is_answered_when_the_token_is_no_access_token(bench, front, use, path):
    """The gateway asks for a scope that only access tokens have; should a route forget that, this is the second wall."""
    event = copy.deepcopy(EVENTS["api-create-task"])
    claims = event["requestContext"]["authorizer"]["jwt"]["claims"]
    claims |= {"cognito:groups": "[p1]", "token_use": use}
    event["requestContext"]["http"] |= {"method": "GET", "path": f"{fronts.ROOT}{path}"}
    event["rawPath"] = f"{fronts.ROOT}{path}"
    with bench.calls.watch() as calls:
        answer = front.handle(event)
    assert (answer.status, answer.problem, calls.operations) == (403, "forbidden", [])


@pytest.mark.parametrize("verb", [*VERBS, "start"])
@pytest.mark.parametrize("state", ["open", "closed"])
def test_a_viewer_is_refused_when_something_would_be_changed(bench, front, verb, state):
    """Nothing is changed by the request, and it is the role that is named as the reason."""
    documents = [bench.probe("permanent")]
    task_id = front.started(documents)
    if state == "closed":
        bench.settle("probe")
    before = stored(bench)
    if verb == "start":
        answer = front.post(TASKS, {"templateId": "rct", "documentIds": documents}, groups="[p1:viewer]")
    else:
        answer = front.verb(verb, task_id, groups="[p1:viewer]")
    assert (answer.status, answer.problem) == (403, "forbidden")
    assert "viewer" in answer.body["detail"]
    assert stored(bench) == before


@pytest.mark.parametrize("role", ["viewer", "editor", "admin"])
def test_everything_can_be_read_when_the_caller_is_any_member(bench, front, role):
    task_id = a_closed_task(bench, front)
    groups = f"[p1:{role}]"
    assert len(front.get(TASKS, groups=groups).body["tasks"]) == 1
    assert front.verb("get", task_id, groups=groups).body["status"] == "completed"
    assert len(front.verb("results", task_id, groups=groups).body["results"]) == 2
    assert front.get(f"{fronts.RESULTS}/{task_id}-1", groups=groups).body["status"] == "error"


@pytest.mark.parametrize("role", ["editor", "admin"])
def test_everything_can_be_changed_when_the_caller_is_an_editor_or_more(bench, front, role):
    groups = f"[p1:{role}]"
    documents = [bench.probe("permanent")]
    body = {"templateId": "rct", "documentIds": documents, "kind": "probe"}
    task_id = front.post(TASKS, body, groups=groups).body["taskId"]
    told = [front.verb(verb, task_id, groups=groups).status for verb in ("pause", "resume", "cancel")]
    bench.settle("probe")
    assert [*told, *(front.verb(verb, task_id, groups=groups).status for verb in ("retry", "delete"))] == [
        202, 202, 202, 202, 204,
    ]  # fmt: skip


def test_a_viewer_of_one_project_is_no_more_when_it_edits_another(bench, front):
    """The role belongs to the project, not to the person."""
    body = {"templateId": "rct", "documentIds": [bench.probe()], "kind": "probe"}
    groups = "[p1:viewer p2]"
    assert front.post(TASKS, body, groups=groups, headers={"sheaf-project": "p1"}).status == 403
    assert front.get(TASKS, groups=groups, headers={"sheaf-project": "p1"}).status == 200


def test_a_caller_sees_its_projects_and_roles_when_it_asks_who_it_is(front):
    """Also somebody who is in none yet, who must be able to find that out."""
    answer = front.get("/me", groups="[p2:viewer p1 x:nonsense]")
    assert answer.body["projects"] == [
        {"projectId": "p1", "role": "editor", "textStaysInside": False},
        {"projectId": "p2", "role": "viewer", "textStaysInside": False},
    ]
    assert answer.body["userId"] == EVENTS["api-create-task"]["requestContext"]["authorizer"]["jwt"]["claims"]["sub"]
    assert answer.body["limits"]["documentsPerTask"] == 10_000
    assert front.get("/me", groups="[]").body["projects"] == []


def test_a_caller_is_told_who_reads_where_a_request_does_not_say_when_it_asks(bench, front):
    """And that is who does: the default is one of the engines, and the task without one is its."""
    told = front.get("/me").body
    assert (told["engines"], told["defaultEngine"]) == (["rules"], "rules")
    model_engines.configure(bench, Provider(), default="bedrock")
    told = front.get("/me").body
    assert (told["engines"], told["defaultEngine"]) == (["rules", "openai", "bedrock"], "bedrock")
    _, task = bench.post([bench.paper("A paper.")], kind="extract_paper")
    assert front.get(f"{TASKS}/{task['taskId']}").body["engine"] == "bedrock"


@pytest.mark.parametrize("path", [item.path for item in openapi.OPERATIONS if item.open_to_all])
def test_what_is_open_to_all_tells_nothing_of_anybody_when_it_is_asked(bench, front, path):
    """No call to AWS, the same answer with and without a token."""
    with bench.calls.watch() as calls:
        answer = front.get(path.removeprefix(fronts.ROOT), groups="[]")
    assert answer.status == 200
    assert calls.operations == []
    assert answer == front.get(path.removeprefix(fronts.ROOT), groups="[p1]")


@pytest.mark.parametrize(
    "item",
    [item for item in openapi.OPERATIONS if not item.open_to_all and item.name != "me"],
    ids=lambda item: item.name,
)
def test_403_is_answered_by_every_other_route_when_the_caller_is_in_no_project(bench, front, item):
    """A route added tomorrow is in this list by itself."""
    path = item.path.removeprefix(fronts.ROOT).replace("{task_id}", "t1").replace("{result_id}", "t1-0")
    with bench.calls.watch() as calls:
        answer = front.send(item.method, path, groups="[]")
    assert (answer.status, calls.operations) == (403, [])
