"""The description says what is accepted, no more and no less: values at and beyond each border of each schema.

A request is held against the published schema by a validator that is not ours, and sent. What the schema refuses is
refused; what it takes is never refused for its shape, only for what somebody would have to look up (LOOKED_UP).
"""

import json
import re
from collections.abc import Iterator
from typing import Any

import jsonschema  # type: ignore[import-untyped]  # comes with cfn-lint and moto
import pytest

import openapi
from clinical.templates.fields import TYPES
from routes import Operation
from sheaf import schemas
from sheaf.api import bodies as requests
from tests.http.front import ROOT, Answer, Front
from tests.http.test_tenancy import A_DECISION, A_FIELD, A_FILE, BODIES
from tests.support.workbooks import announcement

LOOKED_UP = re.compile(
    "is not a template here|are not in this|is not a knowledge base of|cannot be kept|is not an input of|is behind the end"
    "|has no field|says no change|neither cells nor|the last one is|needs a value for each column|of more than 15 digits|are more than a table|may have here|is not a choice of|is that of an earlier field|was deleted from here too often"
)
PYTHON = re.compile(r"sys\.|recursion|NoneType|Traceback|Expecting|Extra data|\bcodec\b|\bint\b|\bstr\b|\bdict\b|_max_")
"""Words of a programming language, which are no news for a caller."""
JUNK: list[Any] = [
    *(None, True, False, 0, 1, 1.0, -1, 1.5, 10**9, 10**400, -1e308, [], [None], {}, {"x": 1}),
    *(
        "",
        " ",
        "x",
        "X",
        "a b",
        "a-b",
        "é",
        "密",
        "\n",
        "\t x",
        "\u200b",
        "\u202e",
        "x\u202ey",
        "😀",
        "x" * 130,
        "0" * 64,
    ),
    *("a.PDF", "a.pdfx", "pdf", ".pdf", "a.docx", "quote", "1a"),
]
DESKS = {"extract_paper": "clinical.extract_paper.desk", "probe": "clinical.extract_paper.desk"}
DOCUMENT = openapi.document(DESKS, ["rules"])
SAMPLES: dict[str, dict[str, Any]] = {
    "NewFile": A_FILE,
    "NewField": A_FIELD,
    "NewPart": A_FIELD,
    "NewDecision": A_DECISION,
    "ChangedCell": {"row": 0, "column": 0, "value": 1},
}
MORE: list[dict[str, Any]] = [
    *({}, {"options": None}, {"options": []}, {"options": ["a"]}, {"options": ["a", "b"]}, {"options": ["a", "a"]}),
    *({"fields": None}, {"fields": []}, {"fields": [A_FIELD]}, {"fields": [{**A_FIELD, "type": "[object]"}]}),
    *({"options": ["a", " "]}, {"options": ["a", "x" * 61]}, {"options": [f"o{n}" for n in range(31)]}),
]
TYPES_AND_MORE = [{**A_FIELD, "type": kind, **more} for kind in TYPES for more in MORE]


def validator(schema: dict[str, Any]) -> Any:
    return jsonschema.Draft202012Validator({**schema, "components": DOCUMENT["components"]})


def candidates(schema: dict[str, Any]) -> Iterator[Any]:
    """Values at its borders, on both sides of each; which are good is for the validator to say."""
    name = schema.get("$ref", "").rpartition("/")[2]
    if name:
        yield from bodies_of(DOCUMENT["components"]["schemas"][name], SAMPLES[name])
        return
    yield from JUNK
    yield from schema.get("enum", [])
    for bound in ("minimum", "maximum", "exclusiveMinimum"):
        if bound in schema:
            yield from (schema[bound] + step for step in (-1, -0.000001, 0, 0.000001, 1))
    if "maxLength" in schema:
        yield from ("x" * (schema["maxLength"] + more) for more in (0, 1))
        yield "é" * schema["maxLength"]
    if "maxItems" in schema and schema.get("items"):
        yield from _lists(schema)


def _lists(schema: dict[str, Any]) -> Iterator[list[Any]]:
    name = schema["items"].get("$ref", "").rpartition("/")[2]
    one = SAMPLES.get(name, "d")
    yield from ([each] for each in candidates(schema["items"]))
    yield [one, one]
    for size in (schema["maxItems"], schema["maxItems"] + 1):
        yield [_other(one, number) for number in range(size)]


def _other(sample: Any, number: int) -> Any:
    """The same again with another name, so that only the number of entries is in question."""
    if isinstance(sample, str):
        return f"{sample}{number}"
    if "sha256" in sample:
        return {**sample, "sha256": f"{number:064x}", "filename": "x" * 1_990 + ".pdf"}
    if "column" in sample:
        return {**sample, "row": number}
    if "verb" in sample:
        return {**sample, "id": f"i{number}"}
    return {**sample, "name": f"n{number}", "label": f"L{number}"}


def bodies_of(schema: dict[str, Any], good: dict[str, Any]) -> Iterator[Any]:
    """A good object with each of its parts at its borders, without it, and with a part that there is not."""
    yield good
    yield from ([], "x", None, 1, [good])
    yield {**good, "more": 1}
    for name, shape in schema["properties"].items():
        yield {key: value for key, value in good.items() if key != name}
        yield from ({**good, name: value} for value in candidates(shape))
        if isinstance(shape.get("additionalProperties"), dict):
            inner = [*candidates(shape["additionalProperties"])]
            yield from ({**good, name: {"mainConfounder": value}} for value in inner)
            yield from ({**good, name: {f"n{at}": "x" for at in range(size)}} for size in (10, 11))
    if "type" in good:
        yield from TYPES_AND_MORE


@pytest.fixture
def places(bench, front: Front) -> dict[str, str]:
    """Something of everything, by what a path calls it."""
    task = front.started([bench.probe("permanent")])
    bench.settle("probe")
    base = front.post("/pkb/knowledge-bases", {"name": "A"}).body["knowledgeBaseId"]
    own = front.post("/asl/extraction/templates/rct/clone").body["templateId"]
    content = b"a,b\nx,2\n"
    session = front.post("/dc/sessions", announcement(content, "a.csv")).body
    bench.arrive(session["upload"]["fields"]["key"], content)
    bench.deliver("clean_sheet")
    return {
        "task_id": task,
        "result_id": f"{task}-0",
        "base_id": base,
        "document_id": bench.probe(),
        "template_id": own,
        "session_id": session["session"]["sessionId"],
    }


def address(item: Operation, places: dict[str, str]) -> str:
    return re.sub(r"{(\w+)}", lambda found: places[found[1]], item.path.removeprefix(ROOT))


def is_refused(answer: Answer) -> bool:
    """For its shape, that is: not for what is known only here. And in words that a caller has a use for."""
    if answer.status != 400:
        return False
    assert not PYTHON.search(answer.body["detail"]), answer.text
    return not LOOKED_UP.search(answer.body["reason"])


TAKING = [item for item in openapi.OPERATIONS if item.takes]


@pytest.mark.parametrize("item", TAKING, ids=lambda item: item.name)
def test_a_body_is_refused_for_its_shape_exactly_when_the_description_refuses_it(bench, front, places, item):
    asked = {"templateId": "rct", "documentIds": [bench.probe()], "kind": "probe"}
    good: Any = {**BODIES, "NewTask": asked, "NewKnowledgeBase": {"name": "A"}, "Retry": {}, "Clone": {}}[item.takes]
    schema = DOCUMENT["components"]["schemas"][item.takes]
    judge, path, seen = validator(schema), address(item, places), {True: 0, False: 0}
    for body in bodies_of(schema, good):
        answer = front.send(item.method, path, json.dumps(body))
        told = json.dumps(body)[:200], answer.status, answer.text[:300]
        assert is_refused(answer) is not judge.is_valid(body), told
        seen[answer.status == 400] += 1
        if isinstance(body, dict):
            missing = [name for name in schema.get("required", []) if name not in body]
            assert ("is missing" in answer.text) is bool(missing) or _inner(body), told
    assert min(seen.values()) > 0


def _inner(body: dict[str, Any]) -> bool:
    """Whether something could be missing further inside."""
    lists = any(isinstance(value, list) and any(isinstance(each, dict) for each in value) for value in body.values())
    return lists or isinstance(body.get("selection"), dict)


ASKING = [(item, name) for item in openapi.OPERATIONS for name in item.asked]
WORDS = [
    *(
        "0",
        "1",
        "2",
        "999999",
        "1000000",
        "01",
        "+1",
        "-1",
        "1.0",
        "1e3",
        "",
        " ",
        "1 ",
        "x",
        "latest",
        "٣",
        "१",
        "null",
    ),
    *("completed", "error", "Completed", "ready", "deleted", "completed,error", "1-t1", "1-", "-t1", "1" * 15 + "-t1"),
    *("99999999999999-a", "1-" + "a" * 41, "1-a b", "9" * 9, "9" * 10),
]


@pytest.mark.parametrize(("item", "name"), ASKING, ids=lambda part: getattr(part, "name", part))
def test_a_parameter_is_refused_for_its_shape_exactly_when_the_description_refuses_it(front, places, item, name):
    schema = item.asked[name]["schema"]
    for word in WORDS:
        is_number = schema.get("type") == "integer" and re.fullmatch("0|[1-9][0-9]*", word, re.ASCII)
        fits = validator(schema).is_valid(int(word) if is_number else word)
        answer = front.send(item.method, address(item, places), query={name: word})
        assert is_refused(answer) is not fits, (word, answer.text[:300])
        if is_refused(answer):
            assert answer.body["field"] == name


@pytest.mark.parametrize("item", [each for each in TAKING if each.keyed], ids=lambda item: item.name)
def test_a_key_is_refused_by_the_headers_name_exactly_when_the_description_refuses_it(bench, front, places, item):
    asked = {"templateId": "rct", "documentIds": [bench.probe()], "kind": "probe"}
    bodies: dict[str, Any] = {**BODIES, "NewTask": asked, "NewKnowledgeBase": {"name": "A"}}
    good = bodies.get(item.takes or "", {})
    for key in ("", " ", "a b", "é", "k" * 128, "k" * 129, "k", "!~", "\x7f", "k\t"):
        answer = front.send(item.method, address(item, places), good, headers={"idempotency-key": key})
        fits = validator(schemas.of(requests.Key, {})).is_valid(key)
        assert is_refused(answer) is not fits, (key, answer.text[:300])
        if is_refused(answer):
            assert answer.body["field"] == "Idempotency-Key"


@pytest.mark.parametrize(
    "body",
    [
        *(
            '{"documentIds": ' + "9" * 5_000 + "}",
            "[" * 100_000,
            '{"a":' * 50_000,
            "{",
            "NaN",
            '{"a": Infinity}',
            "{'a': 1}",
        ),
        *('{"a": 1, "a": 2}', '{"a": "\x00"}', "\ufeff{}", '"x', '{"a": "\\ud8"}'),
    ],
    ids=lambda body: body[:20],
)
def test_a_body_that_is_no_json_is_refused_in_words_for_callers(front, body):
    answer = front.post("/asl/extraction/tasks", body)
    assert (answer.status, answer.body["field"]) == (400, "body")
    assert not PYTHON.search(answer.text), answer.text
