"""Bad input: refused before anything is written, as application/problem+json that names the field and the reason.

RELIABILITY F52, F55. What `requests` does by itself is in tests/unit; here the whole front is asked.
"""

import base64
import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sheaf.api.bodies import BODY_MAX
from tests.http import front as fronts
from tests.http.front import RESULTS, TASKS, Front, stored
from tests.support.bench import EVENTS

WRITES = {"PutItem", "UpdateItem", "DeleteItem", "TransactWriteItems", "PutObject", "SendMessageBatch", "Invoke"}
PLENTY = settings(max_examples=500, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
"""One stack for all examples: whatever an earlier one opened must not matter to a later one."""


def asking(bench, **changes) -> dict[str, Any]:
    """A good request with these changes."""
    return {"templateId": "rct", "documentIds": [bench.probe()], "kind": "probe", **changes}


def refused(bench, front, body, field, *, status: int = 400, path: str = TASKS, **more):
    """This body is refused naming this field, and nothing there is has changed."""
    before = stored(bench)
    answer = front.post(path, body, **more)
    assert answer.status == status, answer
    if status == 400:
        assert (answer.body["field"], answer.problem) == (field, "invalid-request")
        assert answer.body["reason"]
    assert stored(bench) == before
    return answer


def deep(levels: int, opening: str = "[", closing: str = "]") -> str:
    return opening * levels + closing * levels


TOO_MANY = [f"d{number}" for number in range(10_001)]


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"documentIds": []}, "documentIds"),
        ({"documentIds": None}, "documentIds"),
        ({"documentIds": "d1"}, "documentIds"),
        ({"documentIds": {"0": "d1"}}, "documentIds"),
        ({"documentIds": ["d1", "d2", "d1"]}, "documentIds"),
        ({"documentIds": TOO_MANY}, "documentIds"),
        ({"documentIds": ["d1", 7]}, "documentIds[1]"),
        ({"documentIds": ["d1", "../d2"]}, "documentIds[1]"),
        ({"documentIds": ["p2/document/d1"]}, "documentIds[0]"),
        ({"documentIds": ["unknown"]}, "documentIds"),
        ({"templateId": None}, "templateId"),
        ({"templateId": 1}, "templateId"),
        ({"templateId": "no-such"}, "templateId"),
        ({"templateId": "rct@1"}, "templateId"),
        ({"templateId": ["rct"]}, "templateId"),
        ({"kind": "no-such"}, "kind"),
        ({"kind": None}, "kind"),
        ({"kind": "__class__"}, "kind"),
        ({"knowledgeBaseId": "a b"}, "knowledgeBaseId"),
        ({"knowledgeBaseId": 0}, "knowledgeBaseId"),
        ({"onNotReady": "skip"}, "onNotReady"),
        ({"onNotReady": None}, "onNotReady"),
        ({"onNotReady": ["error"]}, "onNotReady"),
        ({"documentids": ["d1"]}, "documentids"),
        ({"projectId": "p2"}, "projectId"),
        ({"__proto__": {}}, "__proto__"),
        ({"idempotencyKey": 10**400}, "idempotencyKey"),
        ({"idempotencyKey": "\ud800"}, "idempotencyKey"),
        ({"templateId": "\ud800"}, "templateId"),
        ({"documentIds": [10**400]}, "documentIds[0]"),
    ],
    ids=lambda value: str(value)[:60],
)
def test_a_request_is_refused_when_one_of_its_fields_is_wrong(bench, front, changes, field):
    refused(bench, front, asking(bench, **changes), field)


@pytest.mark.parametrize("missing", ["templateId", "documentIds"])
def test_a_request_is_refused_when_it_lacks_what_is_needed(bench, front, missing):
    body = asking(bench)
    del body[missing]
    refused(bench, front, body, missing)


@pytest.mark.parametrize(
    "body",
    [
        None,
        "",
        " ",
        "{",
        "nonsense",
        "null",
        "true",
        "7",
        "[]",
        '"text"',
        "\ufeff{}",
        "NaN",
        '{"templateId": NaN}',
        '{"templateId": Infinity}',
        '{"templateId": "rct", "documentIds": [-Infinity]}',
        '{"templateId": "a", "templateId": "b", "documentIds": ["d1"]}',
        '{"documentIds": [{"a": 1, "a": 2}]}',
        '{"templateId": ' + "9" * 5_000 + "}",
        deep(5_000),
        deep(100_000),
        '{"documentIds": ' + deep(5_000) + "}",
        deep(5_000, '{"a":', "1}")[:-1],
        "{'templateId': 'rct'}",
        '{"templateId": "rct",}',
        '{"templateId": "\x00"}',
    ],
    ids=lambda body: repr(body)[:40],
)
def test_a_body_is_refused_when_it_is_no_json_object(bench, front, body):
    """Neither depth nor a number of 5,000 digits nor what JSON does not have is more than a refusal."""
    refused(bench, front, body, "body")


def test_a_body_is_refused_when_it_holds_half_a_character(bench, front):
    """A lone surrogate cannot be written as UTF-8, so it cannot be hashed, stored or answered either."""
    refused(bench, front, '{"templateId": "\ud800"}', "body")


@pytest.mark.parametrize("name", ["\ud800", "x" * 500_000, "\x00\n", "<script>", "密" * 1_000])
@pytest.mark.parametrize("path", [TASKS, f"{TASKS}/{{task}}/retry"])
def test_an_unknown_field_is_named_shortly_when_its_name_is_strange(bench, front, path, name):
    """An answer repeats no megabyte, and can always be written."""
    task_id = front.started([bench.probe("permanent")])
    bench.settle("probe")
    before = stored(bench)
    answer = front.post(path.format(task=task_id), asking(bench, **{name: 1}) if path == TASKS else {name: 1})
    assert (answer.status, answer.problem) == (400, "invalid-request")
    assert len(answer.text) < 1_000
    assert {**stored(bench), "LibraryTable": None, "objects": None} == {**before, "LibraryTable": None, "objects": None}


@pytest.mark.parametrize("depth", [10, 500, 900])
def test_a_body_is_refused_when_it_nests_as_deep_as_python_just_reads(bench, front, depth):
    """Whether it can still be read or not: never a 500."""
    before = stored(bench)
    answer = front.post(TASKS, '{"templateId": "rct", "documentIds": ' + deep(depth) + "}")
    assert answer.status == 400
    assert answer.body["field"] in {"documentIds[0]", "body"}
    assert stored(bench) == before


@pytest.mark.parametrize("letter", ["a", "é", "密", "😀"])
def test_a_body_is_refused_when_it_has_more_than_a_megabyte(bench, front, letter):
    """Bytes, not letters."""
    filler = letter * (BODY_MAX // len(letter.encode()))
    refused(bench, front, json.dumps(asking(bench, templateId=filler), ensure_ascii=False), "body")


def test_a_body_of_a_retry_is_refused_when_it_has_more_than_64_kilobytes(bench, front):
    """There is one truth value in it and one key."""
    task_id = front.started([bench.probe("permanent")])
    bench.settle("probe")
    path = f"{TASKS}/{task_id}/retry"
    refused(bench, front, '{"refresh": ' + " " * 64_000 + "true}", "body", path=path)
    assert front.post(path, '{"refresh": ' + " " * 60_000 + "true}").status == 202


@pytest.mark.parametrize("body", ["[]", "{", '{"refresh": "yes"}', '{"refresh": 1}', '{"refresh": null}', '{"a": 1}'])
def test_a_retry_is_refused_when_its_body_is_not_what_a_retry_takes(bench, front, body):
    task_id = front.started([bench.probe("permanent")])
    bench.settle("probe")
    field = "a" if "a" in json.dumps(body).split(":")[0] else "refresh" if "refresh" in body else "body"
    refused(bench, front, body, field, path=f"{TASKS}/{task_id}/retry")


@pytest.mark.parametrize(
    "kind", ["", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "json", "*/*"]
)
def test_a_body_is_refused_when_it_does_not_say_that_it_is_json(bench, front, kind):
    refused(bench, front, asking(bench), "Content-Type", headers={"content-type": kind})


@pytest.mark.parametrize("kind", ["application/json", "Application/JSON", "application/json; charset=utf-8"])
def test_a_body_is_taken_when_it_says_that_it_is_json(bench, front, kind):
    assert front.post(TASKS, asking(bench), headers={"content-type": kind}).status == 202


def test_a_body_is_taken_when_api_gateway_hands_it_over_as_base64(bench, front):
    """Which it does by its own rules; and a client's own base64 is not JSON."""
    body = base64.b64encode(json.dumps(asking(bench)).encode()).decode()
    refused(bench, front, body, "body")
    assert front.post(TASKS, body, encoded=True).status == 202


@pytest.mark.parametrize("body", ["not base64!", "a", base64.b64encode(b"\xff\xfe{}").decode()])
def test_a_body_is_refused_when_its_base64_holds_no_text(bench, front, body):
    refused(bench, front, body, "body", encoded=True)


def test_unknown_and_foreign_documents_are_refused_in_the_same_words(bench, front):
    """The list says which; nobody learns which of them another project has."""
    mine, theirs = bench.probe(), bench.paper("theirs", project="p2")
    unknown = refused(bench, front, asking(bench, documentIds=[mine, "nowhere"]), "documentIds")
    foreign = refused(bench, front, asking(bench, documentIds=[mine, theirs]), "documentIds")
    assert foreign.body["documentIds"] == [theirs]
    assert foreign.text.replace(theirs, "nowhere") == unknown.text


def test_documents_are_refused_when_they_are_in_another_knowledge_base(bench, front):
    base = front.post("/pkb/knowledge-bases", {"name": "Elsewhere"}).body["knowledgeBaseId"]
    answer = refused(bench, front, asking(bench, knowledgeBaseId=base), "documentIds")
    assert len(answer.body["documentIds"]) == 1
    assert "1 of 1 are not in this knowledge base" in answer.body["reason"]


@pytest.mark.parametrize("project", [None, "p2"])
def test_a_knowledge_base_is_refused_by_its_name_when_there_is_none_of_it_here(bench, front, project):
    """Another project's is as none; the documents are not to blame."""
    there = Front(bench, project) if project else front
    base = there.post("/pkb/knowledge-bases", {"name": "A"}).body["knowledgeBaseId"]
    if project is None:
        front.send("DELETE", f"/pkb/knowledge-bases/{base}")
    for body in (asking(bench, knowledgeBaseId=base), asking(bench, knowledgeBaseId="unknown")):
        answer = refused(bench, front, body, "knowledgeBaseId")
        assert answer.body["reason"] == "is not a knowledge base of this project."


def test_at_most_twenty_documents_are_named_when_thousands_are_unknown(bench, front):
    answer = refused(bench, front, asking(bench, documentIds=TOO_MANY[:9_000]), "documentIds")
    assert len(answer.body["documentIds"]) == 20
    assert "9000" in answer.body["reason"]


def test_documents_are_listed_with_their_state_when_some_are_not_ready(bench, front):
    """409: the request is good, only too early."""
    ready, parsing, broken = bench.probe(), bench.probe(), bench.probe()
    fronts.change_entry(bench, parsing, state="parsing")
    fronts.change_entry(bench, broken, state="unreadable")
    answer = refused(bench, front, asking(bench, documentIds=[ready, parsing, broken]), "", status=409)
    assert answer.problem == "documents-not-ready"
    assert answer.body["documents"] == [
        {"documentId": parsing, "status": "parsing"},
        {"documentId": broken, "status": "unreadable"},
    ]


def test_documents_that_are_not_ready_are_errors_at_once_when_that_was_asked_for(bench, front):
    """The others are worked on; the two that cannot be say why in their rows."""
    ready, parsing = bench.probe(), bench.probe()
    fronts.change_entry(bench, parsing, state="parsing")
    task_id = front.started([ready, parsing], onNotReady="error")
    assert [row["status"] for row in front.table(task_id)] == ["pending", "error"]
    bench.settle("probe")
    done, failed = front.table(task_id)
    assert (done["status"], failed["status"]) == ("completed", "error")
    assert (failed["errorClass"], "parsing" in failed["errorMessage"]) == ("not_ready", True)
    assert len(bench.probe_calls()) == 1


def test_a_foreign_document_is_refused_when_errors_are_wanted_for_what_is_not_ready(bench, front):
    """Not ready is not the same as not there."""
    theirs = bench.paper("theirs", project="p2")
    refused(bench, front, asking(bench, documentIds=[theirs], onNotReady="error"), "documentIds")


# ---------------------------------------------------------------------------------------------------- queries


STRANGE_CURSORS = [
    *(
        "",
        "x",
        "!",
        "é",
        "-",
        "1",
        "1-",
        "-t1",
        "1-t1-é",
        "1-t/1",
        "1-../p2",
        "1-p2/t1",
        "1.5-t1",
        "+1-t1",
        " 1-t1",
        "1-t1 ",
    ),
    *(
        "1e3-t1",
        "٣-t1",
        "१-t1",
        "\x00",
        "1-\x00",
        "1" * 15 + "-t1",
        "1-" + "a" * 41,
        "a" * 5_000,
        "1-t1\n",
        "W10",
        "0x1-t1",
    ),
]


@pytest.mark.parametrize("cursor", STRANGE_CURSORS, ids=lambda cursor: repr(cursor)[:30])
def test_a_list_is_refused_when_its_cursor_is_not_ours(bench, front, cursor):
    answer = front.get(TASKS, query={"cursor": cursor})
    assert (answer.status, answer.body["field"]) == (400, "cursor")


@pytest.mark.parametrize("cursor", ["x", "-1", "1.5", "1e3", " 1", "٣", "1" * 10, "0x10", "\x00", "१"])
def test_a_table_is_refused_when_its_cursor_is_not_ours(bench, front, cursor):
    task_id = front.started([bench.probe()])
    answer = front.get(f"{TASKS}/{task_id}/results", query={"cursor": cursor})
    assert (answer.status, answer.body["field"]) == (400, "cursor")


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"status": "done"}, "status"),
        ({"status": ""}, "status"),
        ({"status": "Completed"}, "status"),
        ({"status": "completed,error"}, "status"),
        ({"view": "newest"}, "view"),
        ({"view": ""}, "view"),
        ({"view": "Latest"}, "view"),
    ],
    ids=str,
)
def test_a_table_is_refused_when_it_is_asked_for_what_there_is_not(bench, front, query, field):
    task_id = front.started([bench.probe()])
    answer = front.get(f"{TASKS}/{task_id}/results", query=query)
    assert (answer.status, answer.body["field"]) == (400, field)


# ---------------------------------------------------------------------------------------------------- anything at all

TEXT = st.text(max_size=40) | st.text(st.characters(codec=None), max_size=8)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | TEXT
ANYTHING = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4))
FIELDS = ["templateId", "documentIds", "knowledgeBaseId", "kind", "onNotReady", "idempotencyKey", "refresh", "other"]
USUAL = st.sampled_from(["rct", "probe", "extract_paper", "kb", "error", "refuse", "k", "d1", True, None]) | st.lists(
    st.sampled_from(["d1", "d2", 3, None, "d1"]), max_size=4
)
BODIES = ANYTHING | st.dictionaries(st.sampled_from(FIELDS), USUAL | ANYTHING, max_size=7)


@pytest.fixture
def closed(bench, front: Front) -> str:
    """A task with an error in it, so that it can be retried."""
    task_id = front.started([bench.probe("permanent")])
    bench.settle("probe")
    return task_id


@PLENTY
@given(BODIES, st.sampled_from([TASKS, f"{TASKS}/{{task}}/retry"]))
def test_a_body_is_answered_or_refused_when_it_is_any_json(bench, front, closed, body, path):
    """Never a 5xx, and bad input never comes as far as a write."""
    with bench.calls.watch() as calls:
        answer = front.post(path.format(task=closed), json.dumps(body))
    assert answer.status in {200, 202, 400, 409}
    assert answer.status != 400 or not WRITES & set(calls.operations)


@PLENTY
@given(st.text(st.characters(codec=None), max_size=200) | st.binary(max_size=100).map(lambda b: b.decode("latin-1")))
def test_a_body_is_refused_when_it_is_any_text(bench, front, text):
    """All but a JSON object that happens to be good, which chance does not write."""
    with bench.calls.watch() as calls:
        assert front.post(TASKS, text).status == 400
    assert calls.operations == []


METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "get", "BREW", ""]
WORDS = [
    "",
    "asl",
    "extraction",
    "tasks",
    "results",
    "retry",
    "cancel",
    "..",
    ".",
    "%2e%2e",
    "p2%2ft1",
    "a" * 300,
    "t-0",
]
SEGMENTS = st.sampled_from(WORDS) | st.text(max_size=12)
PATHS = st.lists(SEGMENTS, max_size=6).map(lambda parts: "/" + "/".join(parts)) | st.builds(
    lambda task, rest: f"{TASKS}/{task}{rest}", SEGMENTS, st.sampled_from(["", "/", "/results", "/cancel", "/x"])
)
HEADERS = st.dictionaries(
    st.sampled_from(["sheaf-project", "idempotency-key", "if-none-match", "content-type", "accept", "x-forwarded-for"]),
    st.text(max_size=30),
    max_size=3,
)
QUERIES = st.dictionaries(st.sampled_from(["cursor", "status", "view", "x"]), st.text(max_size=30), max_size=3)


@PLENTY
@given(st.sampled_from(METHODS), PATHS, st.tuples(HEADERS, QUERIES, st.none() | st.text(max_size=20)))
def test_a_request_is_answered_or_refused_when_it_is_any(bench, front, method, path, rest):
    """Any method of any path with any headers: never a 5xx, and nothing is written by what is not a request of ours."""
    with bench.calls.watch() as calls:
        answer = front.send(method, path, rest[2], headers=rest[0], query=rest[1])
    assert 200 <= answer.status < 500
    assert not WRITES & set(calls.operations)


def test_an_address_with_a_line_end_is_like_any_other_when_its_methods_are_asked_for(front):
    """Mutation caught: a route that ends at a line's end, so that Powertools answers 204 by itself, without our headers."""
    assert front.send("OPTIONS", "/a\nb", None).status == 404


@pytest.mark.parametrize("path", ["", "/", "/api", "/api/v1", "/api/v1/", "/api/v2/health", "//", "/api/v1/health/"])
def test_there_is_nothing_at_an_address_when_it_is_not_one_of_ours(bench, front, path):
    event = json.loads(json.dumps(EVENTS["api-create-task"]))
    event["rawPath"] = event["requestContext"]["http"]["path"] = path
    answer = front.handle(event)
    assert (answer.status, answer.problem) == (404, "not-found")


@pytest.mark.parametrize("place", ["a" * 41, "a" * 3_000, "a b", "ä", "p2%2ft1", "a.b", "%00", "a+b"])
def test_nothing_is_looked_up_when_an_id_cannot_be_one(bench, front, place):
    """A key that is no name does not come as far as AWS, which would have its own words for it."""
    for method, path in (("GET", f"{TASKS}/{place}"), ("DELETE", f"{TASKS}/{place}"), ("GET", f"{RESULTS}/{place}-0")):
        with bench.calls.watch() as calls:
            answer = front.send(method, path)
        assert (answer.status, answer.problem, calls.operations) == (404, "not-found", [])


@pytest.mark.parametrize(
    "result_id", ["x", "x-", "-0", "-", "x-1-", "x-a", "x--1", "x-1e3", "x-٣", "x-9999999999", "a" * 41 + "-0", "x-0"]
)
def test_a_result_is_not_found_when_its_id_is_none_of_ours(bench, front, result_id):
    """In the same words, whether it could be one or not."""
    task_id = front.started([bench.probe()])
    known = front.get(f"{RESULTS}/{task_id}-1")
    answer = front.get(f"{RESULTS}/{result_id}")
    assert (known.status, answer.status) == (404, 404)
    assert answer.problem == "not-found"
