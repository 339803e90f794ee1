"""What a caller may send: every refusal names its field, and nothing but the described is accepted."""

import json
import string
from contextlib import nullcontext

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clinical.extract_paper import desk
from sheaf import checks, schemas
from sheaf.api import bodies
from sheaf.api.bodies import BODY_MAX, DOCUMENTS_MAX
from sheaf.errors import InvalidRequest
from sheaf.ids import NAME
from tests.support.asking import new_task

FIELDS = {"kind", "idempotencyKey"} | desk.SCHEMA["properties"].keys()
GOOD = {"templateId": "rct", "documentIds": ["d1", "d2"]}
NAMES = st.text(alphabet=string.ascii_letters + string.digits + "-_", min_size=1, max_size=40)


def refusal(body) -> InvalidRequest:
    """What this body is refused with."""
    with pytest.raises(InvalidRequest) as raised:
        new_task(body if body is None or isinstance(body, str) else json.dumps(body))
    return raised.value


def test_the_smallest_request_is_accepted_with_its_defaults_when_only_the_needed_is_said():
    """One kind, refusing documents that are not ready, from any knowledge base."""
    asked = new_task(json.dumps(GOOD))
    request = asked.wish
    assert (request.template_id, request.document_ids) == ("rct", ["d1", "d2"])
    assert (asked.kind, request.knowledge_base_id, request.refuse_not_ready) == ("extract_paper", None, True)
    assert asked.key is None


def test_everything_said_is_taken_over_when_every_field_is_given():
    """No field is silently dropped."""
    body = GOOD | {"knowledgeBaseId": "kb", "kind": "probe", "onNotReady": "error", "idempotencyKey": "k"}
    asked = new_task(json.dumps(body))
    request = asked.wish
    assert (asked.kind, request.knowledge_base_id, request.refuse_not_ready, asked.key) == ("probe", "kb", False, "k")


@pytest.mark.parametrize(
    ("body", "field"),
    [
        (None, "body"),
        ("", "body"),
        ("{", "body"),
        ("[]", "body"),
        ('"text"', "body"),
        ("null", "body"),
        ("NaN", "body"),
        ('{"templateId": NaN}', "body"),
        ('{"templateId": "a", "templateId": "b"}', "body"),
        ("[" * 100_000, "body"),
        ("1" * 5000, "body"),
        (" " * BODY_MAX + "{}", "body"),
        ("é" * (BODY_MAX // 2 + 1), "body"),
    ],
)
def test_a_body_is_refused_when_it_is_no_json_object_of_allowed_size(body, field):
    """Bytes count, not letters; neither depth nor a number of 5,000 digits is more than a refusal."""
    assert refusal(body).field == field


@pytest.mark.parametrize("value", ["", "a b", "ü", "a" * 41, 7, [], {}, True, None, "a/b", "..", "a\n"])
@pytest.mark.parametrize("field", ["templateId", "kind", "knowledgeBaseId"])
def test_a_name_is_refused_when_it_is_not_one(field, value):
    """Names go into keys: letters, digits, - and _ only. Absent is allowed where there is a default."""
    if field == "knowledgeBaseId" and value is None:
        assert new_task(json.dumps(GOOD | {field: None})).wish.knowledge_base_id is None
    else:
        assert refusal(GOOD | {field: value}).field == field


def test_a_template_is_asked_for_when_none_is_named():
    """There is no default template."""
    assert refusal({"documentIds": ["d1"]}).field == "templateId"


@pytest.mark.parametrize(
    ("value", "field"),
    [
        (None, "documentIds"),
        ("d1", "documentIds"),
        ({"d1": 1}, "documentIds"),
        ([], "documentIds"),
        (["d1", "d1"], "documentIds"),
        (["d1", 2], "documentIds[1]"),
        (["d1", "d2", None], "documentIds[2]"),
        (["d/1"], "documentIds[0]"),
        ([["d1"]], "documentIds[0]"),
        ([f"d{number}" for number in range(DOCUMENTS_MAX + 1)], "documentIds"),
    ],
)
def test_documents_are_refused_when_they_are_no_list_of_different_ids(value, field):
    """And the refusal says which of them."""
    assert refusal(GOOD | {"documentIds": value}).field == field


def test_the_doubled_documents_are_named_when_a_list_names_one_twice():
    """So that the caller need not search ten thousand ids."""
    assert refusal(GOOD | {"documentIds": ["a", "b", "a", "c", "b"]}).details == {"documentIds": ["a", "b"]}


def test_ten_thousand_documents_are_accepted_when_a_task_is_as_large_as_may_be():
    """In the order in which they were named, and in a body that is allowed."""
    ids = [f"d{number:039d}" for number in range(DOCUMENTS_MAX)]
    assert new_task(json.dumps(GOOD | {"documentIds": ids})).wish.document_ids == ids


@pytest.mark.parametrize("value", ["", "Error", "skip", None, True, 1, [], {}])
def test_on_not_ready_is_refused_when_it_is_neither_of_the_two(value):
    assert refusal(GOOD | {"onNotReady": value}).field == "onNotReady"


def test_a_kind_is_refused_when_it_is_not_deployed_and_those_there_are_are_named():
    problem = refusal(GOOD | {"kind": "parse_sheet"})
    assert problem.field == "kind"
    assert "extract_paper, probe" in problem.reason


@given(st.text(max_size=60).filter(lambda name: name not in FIELDS))
def test_nothing_else_is_accepted_when_a_field_is_not_one_of_ours(name):
    """A misspelt field is an error and not a surprise."""
    assert refusal(GOOD | {name: 1}).field == name


@pytest.mark.parametrize("name", ["x" * 5_000, "\ud800", "a\udfffb"])
def test_a_strange_name_can_be_answered_when_it_is_refused(name):
    """The answer names the field, so it must be short and must be text that can be sent."""
    field = refusal(GOOD | {name: 1}).field
    assert len(field.encode()) <= 400


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=5),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*FIELDS, "x"]), inner),
        max_leaves=8,
    )
)
def test_a_body_is_refused_or_well_formed_when_it_is_anything_at_all(content):
    """Never another exception, and never an accepted request that breaks a rule."""
    try:
        request = new_task(json.dumps(content)).wish
    except InvalidRequest as problem:
        request, named = None, problem.field and problem.reason
    if request is None:
        assert named
    else:
        assert NAME.fullmatch(request.template_id)
        assert all(NAME.fullmatch(document) for document in request.document_ids)
        assert len(set(request.document_ids)) == len(request.document_ids) > 0


@given(st.text(max_size=40))
def test_a_body_is_refused_when_it_is_any_text_that_is_no_request(text):
    """Raw text raises InvalidRequest and nothing else."""
    with pytest.raises(InvalidRequest):
        new_task(text)


@given(st.permutations(["templateId", "documentIds", "knowledgeBaseId", "kind", "onNotReady"]), st.booleans())
def test_the_hash_is_the_same_when_the_same_is_asked_in_other_words(order, escaped):
    """The order of names, white space, escapes and defaults spelt out make no other request."""
    said = GOOD | {"knowledgeBaseId": None, "kind": "extract_paper", "onNotReady": "refuse"}
    body = json.dumps({name: said[name] for name in order}, indent=1 if escaped else None)
    if escaped:
        body = body.replace("rct", "\\u0072ct")
    assert new_task(body).sha256 == new_task(json.dumps(GOOD)).sha256


@pytest.mark.parametrize(
    "other",
    [
        {"documentIds": ["d2", "d1"]},
        {"documentIds": ["d1"]},
        {"templateId": "cohort"},
        {"kind": "probe"},
        {"onNotReady": "error"},
        {"knowledgeBaseId": "kb"},
    ],
)
def test_the_hash_differs_when_anything_asked_for_differs(other):
    """The order of documents is the order of the table, so it is part of what is asked."""
    assert new_task(json.dumps(GOOD | other)).sha256 != new_task(json.dumps(GOOD)).sha256


def test_the_hash_stays_when_only_the_key_is_in_another_place():
    """The idempotency key names the request; it is no part of it."""
    assert new_task(json.dumps(GOOD | {"idempotencyKey": "k"})).sha256 == new_task(json.dumps(GOOD)).sha256


@pytest.mark.parametrize(
    ("header", "body", "key"),
    [(None, None, None), ("k", None, "k"), (None, "k", "k"), ("k", "k", "k"), ("~!" * 64, None, "~!" * 64)],
)
def test_the_idempotency_key_is_found_when_it_stands_in_header_body_or_both(header, body, key):
    assert bodies.idempotency_key(header, body) == key


@pytest.mark.parametrize(
    ("header", "body"),
    [
        ("a", "b"),
        ("", None),
        (None, ""),
        ("a b", None),
        ("é", None),
        ("k" * 129, None),
        (None, 7),
        (None, ["k"]),
        ("k\n", None),
    ],
)
def test_the_idempotency_key_is_refused_when_it_is_unusable_or_two(header, body):
    with pytest.raises(InvalidRequest) as raised:
        bodies.idempotency_key(header, body)
    by_header = header is not None and body is None
    assert raised.value.field == ("Idempotency-Key" if by_header else "idempotencyKey")


@pytest.mark.parametrize(
    ("text", "fits"), [("0", True), ("007", True), ("999999999", True), ("٣", False), ("1\n", False)]
)
def test_a_cursor_is_refused_when_it_is_not_one_of_ours(text, fits):
    """Digits of other scripts are digits to Python, but no cursor."""
    schema = schemas.of(bodies.RowCursor)
    with nullcontext() if fits else pytest.raises(InvalidRequest):
        checks.check(text, schema)
