"""Who is let in: every operation of the API's own description x every wrong way to ask for it."""

import base64
import json
import re
import time
from typing import Any

import pytest

import api  # noqa: F401 - describes its operations as it is imported
import openapi
from tests.support.deployed import TASKS

pytestmark = pytest.mark.emulator

OPEN = {"GET /health", "GET /openapi.json", "GET /docs"}
# About the caller and no project: a header that names a project changes nothing here.
ABOUT_ME = {"GET /me"}
# Of the whole project: there is no other project's id to ask for.
OF_THE_PROJECT = {f"GET {TASKS}", f"POST {TASKS}"}
PUBLISHED = {f"{item.method} {item.path.removeprefix('/api/v1')}" for item in openapi.OPERATIONS}
SIGNED_IN = sorted(PUBLISHED - OPEN)
OF_ONE_TASK = [name for name in SIGNED_IN if re.search("{(task|result)_id}", name)]
ELSEWHERE = re.compile(r"/pkb/|/dc/|/templates|/exports|/webhook|/(text|file|budget|estimate|probe|notice|decisions)$")
"""What needs papers, a copy of a template, a model or a receiver: allowed to an editor in test_library, test_curl, test_told and tests/http; what is decided on has to be a paper."""


@pytest.fixture(scope="module")
def task(deployed):
    """A closed task of the project demo with one row in error, so that every operation is possible on it."""
    documents = deployed.probes([{}, {"acts": ["permanent"]}])
    return deployed.closed(deployed.open(documents)["taskId"])


@pytest.fixture(scope="module")
def ask_all(deployed, task):
    """Ask for these operations on that task; the statuses, by operation. Nothing may change unless it is said."""

    def ask(operations, *, body=None, task_id=None, **how):
        before = _stored(deployed, task["taskId"])
        given = {
            name: deployed.ask(*_request(name, task_id or task["taskId"]), body=_body(name, body), **how).status
            for name in operations
        }
        assert _stored(deployed, task["taskId"]) == before
        return given

    return ask


def _request(operation, task_id):
    method, path = operation.split()
    values = {"task_id": task_id, "result_id": f"{task_id}-0"}
    return method, re.sub(r"{(\w+)}", lambda name: values.get(name[1], "nobodys"), path)


def _body(operation, body):
    if operation == f"POST {TASKS}":
        return body or {"templateId": "rct", "documentIds": ["d0"], "kind": "probe"}
    decision = {"id": "accessmatrix0001", "address": "title", "verb": "absent", "before": None}
    bodies: dict[str, Any] = {
        "budget": {"budgetUsd": 1},
        "limit": {"mostAtWork": 1},
        "settings": {"textStaysInside": False},
    }
    bodies["sessions"] = {"filename": "a.csv", "size": 1, "sha256": "0" * 64}
    bodies["data"] = {"version": 1, "removedRows": [0]} if operation.startswith("PUT") else None
    bodies["decisions"] = {"decisions": [decision]}
    bodies["{task_id}"] = {"name": None} if operation.startswith("PUT") else None
    return bodies.get(operation.rpartition("/")[2])


def _stored(deployed, task_id):
    rows = [row.serialize() for row in deployed.rows(task_id)]
    listed = deployed.ask("GET", TASKS).body["tasks"]
    return deployed.task(task_id).serialize(), rows, [item["taskId"] for item in listed]


def _forged(token, header=None, claims=None, signature=None):
    """The token with another header, other claims or another signature."""
    parts = token.split(".")
    for place, change in enumerate((header, claims)):
        if change is not None:
            told = json.loads(base64.urlsafe_b64decode(parts[place] + "=="))
            parts[place] = base64.urlsafe_b64encode(json.dumps(told | change).encode()).decode().rstrip("=")
    return ".".join([*parts[:2], parts[2] if signature is None else signature])


@pytest.fixture(scope="module")
def expired(deployed):
    """A token that the pool itself signed for this app client, and whose time is over."""
    cognito = deployed.client("cognito-idp")
    names = {"UserPoolId": deployed.pool, "ClientId": deployed.stack.outputs["UserPoolClientId"]}
    client = cognito.describe_user_pool_client(**names)["UserPoolClient"]
    kept = {name: client[name] for name in ("ExplicitAuthFlows", "PreventUserExistenceErrors")}
    units = {"AccessToken": "seconds"}
    cognito.update_user_pool_client(**names, **kept, AccessTokenValidity=1, TokenValidityUnits=units)
    token = deployed.sign_in("editor", names["ClientId"])
    cognito.update_user_pool_client(**names, **kept, AccessTokenValidity=1, TokenValidityUnits={"AccessToken": "hours"})
    time.sleep(2)
    return token


def test_every_operation_is_forbidden_when_the_token_is_an_id_token(deployed, ask_all):
    """403 from the gateway: it has no scope."""
    login = {"USERNAME": "editor@sheaf.test", "PASSWORD": deployed.login("editor")[1]}
    answer = deployed.client("cognito-idp").initiate_auth(
        ClientId=deployed.stack.outputs["UserPoolClientId"], AuthFlow="USER_PASSWORD_AUTH", AuthParameters=login
    )
    token = answer["AuthenticationResult"]["IdToken"]
    assert ask_all(SIGNED_IN, token=token) == dict.fromkeys(SIGNED_IN, 403)


@pytest.fixture(scope="module")
def of_another_client(deployed):
    """A good token of the same user, given to another app of the same pool."""
    made = deployed.client("cognito-idp").create_user_pool_client(
        UserPoolId=deployed.pool, ClientName="another", ExplicitAuthFlows=["ALLOW_USER_PASSWORD_AUTH"]
    )
    return deployed.sign_in("editor", made["UserPoolClient"]["ClientId"])


def test_the_served_description_is_the_matrix_when_it_is_asked_for(deployed):
    """So that an operation that is served cannot be missing from the matrix below."""
    served = deployed.ask("GET", "/openapi.json", who=None).body
    assert {
        f"{method.upper()} {path.removeprefix('/api/v1')}"
        for path, methods in served["paths"].items()
        for method in methods
    } == PUBLISHED
    without = {
        f"{method.upper()} {path.removeprefix('/api/v1')}"
        for path, methods in served["paths"].items()
        for method, told in methods.items()
        if told.get("security") == []
    }
    assert without == OPEN


def test_open_operations_answer_when_there_is_no_token(ask_all):
    """Health, the description, and the description to be read: nothing else."""
    assert ask_all(sorted(OPEN), who=None) == dict.fromkeys(sorted(OPEN), 200)


def test_every_operation_is_refused_when_there_is_no_token(ask_all):
    """401 from the gateway: the function is not even called."""
    assert ask_all(SIGNED_IN, who=None) == dict.fromkeys(SIGNED_IN, 401)


@pytest.mark.parametrize("token", ["x", "a.b.c", "null", "eyJhbGciOiJub25lIn0.e30.", "Bearer"])
def test_every_operation_is_refused_when_the_token_is_garbage(ask_all, token):
    """401, whatever it is that stands in its place."""
    assert ask_all(SIGNED_IN, token=token) == dict.fromkeys(SIGNED_IN, 401)


@pytest.mark.parametrize("algorithm", ["none", "None", "HS256"])
def test_every_operation_is_refused_when_the_token_names_another_algorithm(deployed, ask_all, algorithm):
    """An unsigned token, or one signed with the public key as if it were a secret, is no token."""
    unsigned = _forged(deployed.token("editor"), header={"alg": algorithm}, signature="")
    assert ask_all(SIGNED_IN, token=unsigned) == dict.fromkeys(SIGNED_IN, 401)


def test_every_operation_is_refused_when_the_claims_were_altered(deployed, ask_all):
    """A viewer cannot write itself into another group: the signature no longer fits."""
    altered = _forged(deployed.token("viewer"), claims={"cognito:groups": ["demo"]})
    assert ask_all(SIGNED_IN, token=altered) == dict.fromkeys(SIGNED_IN, 401)


def test_every_operation_is_refused_when_the_token_has_expired(ask_all, expired):
    """Signed by the pool and given to this client, but its time is over."""
    assert ask_all(SIGNED_IN, token=expired) == dict.fromkeys(SIGNED_IN, 401)


def test_every_operation_is_refused_when_the_token_is_of_another_app_client(ask_all, of_another_client):
    """The audience is this stack's own client and no other of the pool."""
    assert ask_all(SIGNED_IN, token=of_another_client) == dict.fromkeys(SIGNED_IN, 401)


def test_every_operation_is_forbidden_when_the_header_names_a_project_of_others(ask_all):
    """403 before anything is read; only the question who one is needs no project."""
    given = ask_all(SIGNED_IN, headers={"Sheaf-Project": "other"})
    assert given == {name: 200 if name in ABOUT_ME else 403 for name in SIGNED_IN}


def test_every_operation_is_forbidden_when_the_caller_is_in_no_project(ask_all):
    """Signed in is not enough."""
    given = ask_all(SIGNED_IN, who="nobody")
    assert given == {name: 200 if name in ABOUT_ME else 403 for name in SIGNED_IN}


def test_every_operation_asks_for_the_project_when_the_caller_has_two(ask_all):
    """It is never guessed."""
    given = ask_all(SIGNED_IN, who="both")
    assert given == {name: 200 if name in ABOUT_ME else 403 for name in SIGNED_IN}


def test_nothing_is_found_when_the_task_is_of_another_project(ask_all):
    """404 for every operation on one task, for whoever is only in another project, whatever the operation."""
    assert ask_all(OF_ONE_TASK, who="outsider") == dict.fromkeys(OF_ONE_TASK, 404)


def test_nothing_is_found_when_the_project_named_is_not_the_task_s(ask_all):
    """Also for whoever is in both: the id is looked for in the project that was named."""
    given = ask_all(OF_ONE_TASK, who="both", headers={"Sheaf-Project": "other"})
    assert given == dict.fromkeys(OF_ONE_TASK, 404)


def test_the_refusal_is_the_same_when_a_task_is_of_others_and_when_there_is_none(deployed, task):
    """Nobody can learn from the answer whether an id exists."""
    for name in OF_ONE_TASK:
        body = _body(name, None)
        of_others = deployed.ask(*_request(name, task["taskId"]), body, who="outsider")
        of_none = deployed.ask(*_request(name, "a" * len(task["taskId"])), body, who="outsider")
        assert (of_others.status, of_others.text) == (of_none.status, of_none.text), name


def test_documents_are_unknown_when_they_are_of_another_project(deployed):
    """400 with the same words as for documents that there are not, and nothing is opened."""
    (of_demo,) = deployed.probes([{}])
    before = deployed.ask("GET", TASKS, who="outsider").body["tasks"]
    request = {"templateId": "rct", "documentIds": [of_demo], "kind": "probe"}
    answer = deployed.ask("POST", TASKS, request, who="outsider")
    assert (answer.status, answer.body["field"], answer.body["documentIds"]) == (400, "documentIds", [of_demo])
    after = deployed.ask("GET", TASKS, who="outsider").body["tasks"]
    assert [task["taskId"] for task in after] == [task["taskId"] for task in before]


def test_the_same_key_opens_another_task_when_another_project_uses_it(deployed):
    """An idempotency key belongs to its project: nobody is answered with a task of others."""
    headers = {"Idempotency-Key": "shared"}
    answers = {}
    for who, project in (("editor", "demo"), ("outsider", "other")):
        documents = deployed.probes([{}], project=project)
        request = {"templateId": "rct", "documentIds": documents, "kind": "probe"}
        answers[project] = deployed.ask("POST", TASKS, request, who=who, headers=headers)
    assert {project: answer.status for project, answer in answers.items()} == {"demo": 202, "other": 202}
    assert len({answer.body["taskId"] for answer in answers.values()}) == 2
    assert {project: answer.body["projectId"] for project, answer in answers.items()} == {
        "demo": "demo",
        "other": "other",
    }


def test_a_viewer_reads_and_changes_nothing_when_it_asks_for_everything(ask_all):
    """200 for every reading operation (404 where the id is nobody's, or no paper's), 403 for every other, and for the webhook."""
    given = ask_all(SIGNED_IN, who="viewer")
    for reads in ("estimate", "{task_id}/exports"):  # although they take a body
        del given[f"POST {TASKS}/{reads}"]
    for shown in ("text", "file"):  # the probe's documents are no papers
        del given[f"GET /asl/extraction/results/{{result_id}}/{shown}"]
    writing = {
        name: status for name, status in given.items() if not name.startswith("GET ") or name.endswith("/webhook")
    }
    assert writing == dict.fromkeys(writing, 403)
    reading = {name: status for name, status in given.items() if name not in writing}
    assert {name for name, status in reading.items() if status != 200} <= {
        name for name in reading if ELSEWHERE.search(name) and "{" in name
    }
    assert {name: status for name, status in reading.items() if status not in {200, 404}} == {}


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/health"),
        ("DELETE", "/docs"),
        ("GET", "/health/../asl/extraction/tasks"),
        ("GET", "/health/x"),
        ("GET", "/nothing"),
        ("GET", "/asl/extraction/tasks/"),
        ("GET", "//asl/extraction/tasks"),
        ("PATCH", "/asl/extraction/tasks"),
        ("HEAD", "/asl/extraction/tasks"),
    ],
)
def test_no_way_round_is_open_when_there_is_no_token(deployed, method, path):
    """Whatever is not one of the open operations to the letter is refused or is not there, or not by this method."""
    wrong_method = {405} if f"GET {path}" in OPEN else set()
    assert deployed.ask(method, path, who=None).status in {401, 403, 404} | wrong_method


@pytest.mark.parametrize("name", [name for name in SIGNED_IN if not ELSEWHERE.search(name)])
def test_an_editor_is_let_in_when_the_operation_is_possible(deployed, name):
    """The other side of the matrix: none of these refusals is there because the operation always refuses."""
    # A running task is one that still runs when it is asked for, however slow the machine.
    running = 4000 if name.endswith(("/pause", "/resume", "/cancel", "/limit")) else 0
    documents = deployed.probes([{"sleep_ms": running}, {"acts": ["permanent"]}])
    task_id = deployed.open(documents)["taskId"]
    if name.endswith("/resume"):
        deployed.ask("POST", f"{TASKS}/{task_id}/pause")
    if name.endswith(("/retry", "{task_id}/results", "{result_id}")) or name.startswith("DELETE"):
        deployed.closed(task_id)
    answer = deployed.ask(*_request(name, task_id), body=_body(name, {"templateId": "rct", "documentIds": documents}))
    if name.endswith("/pause"):
        # Where the pause was quicker than the work, nothing else would ever end the task.
        deployed.ask("POST", f"{TASKS}/{task_id}/resume")
    if name == "POST /dc/sessions":
        # Nothing comes: it would keep the sweeper awake, which other tests of this stack want asleep.
        deployed.ask("DELETE", f"/dc/sessions/{answer.body['session']['sessionId']}")
    assert answer.status in {200, 201, 202, 204}, answer
    assert "application/problem+json" not in answer.headers.get("content-type", "")
