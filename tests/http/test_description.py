"""What the API says of itself: OpenAPI from the code, a page of it for readers, and headers on every answer."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urljoin

import jsonschema  # type: ignore[import-untyped]  # comes with cfn-lint and moto
import pytest

import api  # noqa: F401 - makes its routes as it is imported
import front
import openapi
import problems
from clinical.extract_paper import desk
from sheaf.protocol.lifecycle import RowStatus, TaskStatus
from sheaf.settings import Kinds
from tests.http import front as fronts
from tests.http.front import BUSY, RESULTS, ROOT, TASKS
from tests.http.test_schemas import DESKS
from tests.http.test_tenancy import BODIES
from tests.support.calls import aws_error
from tests.support.clients import client
from tests.support.items import PROBE, a_task
from tests.support.stack_file import load, resources
from tests.support.workbooks import announcement

METHODS = {"get", "put", "post", "delete", "patch"}
DOCUMENT = openapi.document()
OPERATIONS = [(path, method, told) for path, methods in DOCUMENT["paths"].items() for method, told in methods.items()]
named = pytest.mark.parametrize(
    ("path", "method", "told"), OPERATIONS, ids=lambda part: part if isinstance(part, str) else ""
)


def references(part: Any) -> set[str]:
    """Every $ref in it."""
    if isinstance(part, dict):
        own = {part["$ref"]} if "$ref" in part else set()
        return own.union(*(references(value) for value in part.values()))
    return set().union(*(references(value) for value in part)) if isinstance(part, list) else set()


def test_the_description_is_served_as_it_is_when_anybody_asks(front):
    answer = front.get("/openapi.json", groups="[]")
    served = openapi.document(DESKS, ["rules"])
    assert (answer.status, answer.body) == (200, json.loads(json.dumps(served)))


def test_kinds_and_engines_are_this_deployments_own_when_the_description_is_served(front):
    """Elsewhere they may be any name; here another is refused, and so it is no part of what is accepted."""
    told = front.get("/openapi.json").body["components"]["schemas"]["NewTask"]["properties"]
    assert (told["kind"], told["engine"]) == ({"enum": ["extract_paper", "probe"]}, {"enum": ["rules", None]})


def test_paths_lead_to_the_api_when_they_are_followed_from_where_the_description_is():
    """On any host and stage, whatever comes before: the server is told beside the description's own address."""
    (server,) = DOCUMENT["servers"]
    for base in ("https://x.example", "http://127.0.0.1:4577/_aws/execute-api/abc/$default"):
        there = urljoin(f"{base}{ROOT}/openapi.json", server["url"])
        assert there.rstrip("/") + f"{ROOT}/health" == f"{base}{ROOT}/health"


def test_the_description_is_openapi_when_it_is_read_by_a_tool():
    """The parts that 3.1 demands, and no reference to nowhere nor a schema that nothing refers to."""
    assert DOCUMENT["openapi"] == "3.1.0"
    assert {"title", "version"} <= DOCUMENT["info"].keys()
    schemas = DOCUMENT["components"]["schemas"]
    assert references(DOCUMENT) == {f"#/components/schemas/{name}" for name in schemas}
    for name, schema in schemas.items():
        jsonschema.Draft202012Validator.check_schema(schema)
        assert set(schema.get("required", [])) <= set(schema.get("properties", {})), name
        if schema.get("type") == "object" and name != "OpenApi":
            assert schema["properties"], name
    (scheme,) = {name for need in DOCUMENT["security"] for name in need}
    assert DOCUMENT["components"]["securitySchemes"][scheme]["type"] == "http"


@named
def test_an_operation_is_wholly_described_when_it_is_there(path, method, told):
    """Summary, answers with descriptions and schemas, and a parameter for each place in the path."""
    assert method in METHODS
    assert path.startswith(f"{ROOT}/")
    assert told["summary"].endswith((".", "?"))
    assert told["responses"]
    for status, answer in told["responses"].items():
        assert re.fullmatch(r"[1-5]\d\d", status)
        assert answer["description"]
        for content in answer.get("content", {}).values():
            assert content["schema"]["$ref"] in references(DOCUMENT)
    in_path = [each["name"] for each in told["parameters"] if each["in"] == "path"]
    assert in_path == re.findall(r"{(\w+)}", path)
    assert all(each["required"] for each in told["parameters"] if each["in"] == "path")
    keys = [(each["name"], each["in"]) for each in told["parameters"]]
    assert len(keys) == len(set(keys))
    assert all("schema" in each for each in told["parameters"])


ITEMS = {item.name: item for item in openapi.OPERATIONS}


def described(name: str) -> set[str]:
    item = ITEMS[name]
    told = DOCUMENT["paths"][item.path][item.method.lower()]["responses"]
    for status in told.keys() - {"401"}:
        assert (status >= "400") is ("application/problem+json" in told[status].get("content", {})), status
    return set(told)


@pytest.mark.parametrize("item", openapi.OPERATIONS, ids=lambda item: item.name)
def test_the_refusals_that_are_described_are_those_that_are_given(bench, front, item):
    """Each is provoked: a strange parameter, no access token, an unknown id, AWS that is busy, a defect."""
    told = described(item.name)
    path = re.sub(r"{\w+}", "unknown-0", item.path.removeprefix(ROOT))
    body = bodies(bench).get(item.takes or "")
    assert (front.send(item.method, path, body, query={"nonsense": "1"}).status == 400) is ("400" in told)
    assert (front.send(item.method, path, body, use="id").status == 403) is ("403" in told)
    unknown = front.send(item.method, path, body).status
    assert (unknown == 404) is ("404" in told), unknown
    for status, error in (("503", aws_error(BUSY)), ("500", KeyError("x"))):
        with bench.calls.watch() as calls:
            for operation in ("GetItem", "BatchGetItem", "Query", "UpdateItem"):
                calls.fail(operation, error, times=99)
            answered = front.send(item.method, path, body).status
        # One that is of no project reads nothing, unless it says so.
        reads = item.of_project or "503" in item.refuses
        assert (answered == int(status)) is (reads and status in told), answered
    assert ("401" in told) is not item.open_to_all


def bodies(bench, **task: Any) -> dict[str, Any]:
    """A good body for each operation that takes one."""
    asked = {"templateId": "rct", "documentIds": [bench.probe()], "kind": "probe", **task}
    return {**BODIES, "NewTask": asked, "NewKnowledgeBase": {"name": "Mine"}}


def conflicts_of_sheets(bench, front, change) -> Iterator[tuple[str, Any]]:
    """The same of workbooks: not read yet, another's key, an old version, no place left, a clean copy that is gone."""
    content = b"a,b\nx,2\n"
    said, key = announcement(content, "a.csv"), {"idempotency-key": "k"}
    session = front.post("/dc/sessions", said, headers=key).body
    here = f"/dc/sessions/{session['session']['sessionId']}"
    yield "preview_session", front.get(f"{here}/preview")
    yield "get_session_data", front.get(f"{here}/data")
    yield "create_session", front.post("/dc/sessions", {**said, "size": 1}, headers=key)
    bench.arrive(session["upload"]["fields"]["key"], content)
    bench.deliver("clean_sheet")
    yield "save_session_data", front.send("PUT", f"{here}/data", {**change, "version": 9})
    most = bench.api_world.settings.open_tasks_per_project
    fronts.limit(bench, open_tasks_per_project=0)
    yield "create_session", front.post("/dc/sessions", said)
    yield "save_session_data", front.send("PUT", f"{here}/data", change)
    fronts.limit(bench, open_tasks_per_project=most)
    (row,) = [each for each in bench.all_rows() if each.data_key and each.data_key.endswith(".file")]
    client("s3").delete_object(Bucket="databucket", Key=row.data_key)
    yield "get_session", front.get(here)


def conflicts(bench, front) -> Iterator[tuple[str, Any]]:
    """Requests that are good and come at the wrong moment, each by its operation's name."""
    failed = front.started([bench.probe("permanent")])
    table = front.started([bench.probe() for _ in range(60)])
    bench.settle("probe")
    open_task = front.started([bench.probe()])
    reading, uploading, ready = bench.probe(), bench.probe(), bench.probe()
    fronts.change_entry(bench, reading, state="reading")
    fronts.change_entry(bench, uploading, state="uploading")
    told = bodies(bench, documentIds=[reading])
    base = front.post("/pkb/knowledge-bases", {"name": "A", "idempotencyKey": "k"}).body["knowledgeBaseId"]
    yield from conflicts_of_sheets(bench, front, told["SavedTable"])
    yield "create_base", front.post("/pkb/knowledge-bases", {"name": "B", "idempotencyKey": "k"})
    yield "replace_document", front.post(f"/pkb/documents/{reading}/versions", told["NewFile"])
    yield "reread_document", front.post(f"/pkb/documents/{ready}/reread")
    yield "get_text", front.get(f"/pkb/documents/{uploading}/text")
    (announced,) = front.post(f"/pkb/knowledge-bases/{base}/documents", told["NewFiles"]).body["uploads"]
    yield "get_file", front.get(f"/pkb/documents/{announced['document']['documentId']}/file")
    yield "create_task", front.post(TASKS, told["NewTask"])
    yield "estimate_task", front.post(f"{TASKS}/estimate", told["NewTask"])
    yield "set_budget", front.post(f"{TASKS}/{failed}/budget", {"budgetUsd": None})
    yield "set_limit", front.post(f"{TASKS}/{failed}/limit", {"mostAtWork": 1})
    for verb in ("cancel", "pause", "resume"):
        yield f"{verb}_task", front.verb(verb, failed)
    yield "probe_provider", front.verb("probe", failed)
    yield "retry_task", front.verb("retry", open_task)
    yield "delete_task", front.verb("delete", open_task)
    front.send("PUT", "/asl/webhook", told["NewWebhook"])
    yield "replay_notice", front.post(f"{TASKS}/{open_task}/notice")
    front.post("/asl/extraction/templates/rct/clone", {"idempotencyKey": "k"})
    yield "clone_template", front.post("/asl/extraction/templates/rct/clone", {"idempotencyKey": "k", "label": "B"})
    yield "change_template", front.send("PUT", "/asl/extraction/templates/rct", told["TemplateChange"])
    yield "delete_template", front.send("DELETE", "/asl/extraction/templates/rct")
    yield "decide_cells", front.post(f"{RESULTS}/{failed}-0/decisions", told["Decisions"])
    fronts.lay_down(bench, a_task(task="p1/huge", status="completed", active=None, total=10_001), [])
    yield "get_review", front.get(f"{TASKS}/huge/review")
    fronts.limit(bench, reads_at_once=5, reads_per_minute=1, rereads_per_project_and_day=0)
    front.get(f"{TASKS}/{table}/results")
    yield "get_results", front.get(f"{TASKS}/{table}/results")
    yield "get_review", front.get(f"{TASKS}/{table}/review")
    yield "examine", front.get("/asl/extraction/doctor")
    fronts.change_entry(bench, uploading, state="unreadable", key_version="v1")
    yield "reread_document", front.post(f"/pkb/documents/{uploading}/reread")
    fronts.limit(bench, library_documents_per_project=0, open_tasks_per_project=0)
    yield "announce_files", front.post(f"/pkb/knowledge-bases/{base}/documents", told["NewFiles"])
    yield "create_task", front.post(TASKS, bodies(bench)["NewTask"])
    yield "retry_task", front.verb("retry", failed)
    yield "export_task", front.post(f"{TASKS}/{failed}/exports", told["NewExport"])
    fronts.limit(bench, kinds=Kinds({"probe": PROBE._replace(desk="of.something.else")}))
    yield "export_task", front.post(f"{TASKS}/{failed}/exports", told["NewExport"])


def test_conflicts_and_limits_are_described_where_there_are_any_and_nowhere_else(bench, front):
    given = {(name, str(answer.status)) for name, answer in conflicts(bench, front)}
    assert given == {(name, status) for name in ITEMS for status in described(name) & {"409", "429"}}


def takes(header: str) -> set[str]:
    """The operations that are said to take this header."""
    return {told["operationId"] for *_, told in OPERATIONS if header in {each["name"] for each in told["parameters"]}}


def test_a_tag_is_taken_where_it_is_said_and_nowhere_else(bench, front):
    """Each that names If-None-Match gives an ETag and answers 304 to it; the others' answers were held to what they name."""
    document = bench.probe()
    task = front.started([document])
    bench.settle("probe")
    opened = front.post("/dc/sessions", BODIES["NewSession"]).body
    session = f"/dc/sessions/{opened['session']['sessionId']}"
    shown = {
        "get_task": f"{TASKS}/{task}",
        "get_results": f"{TASKS}/{task}/results",
        "get_task_template": f"{TASKS}/{task}/template",
        "get_document": f"/pkb/documents/{document}",
        "get_template": "/asl/extraction/templates/rct",
        "get_session": session,
        "get_session_status": f"{session}/status",
    }
    assert takes("If-None-Match") == shown.keys()
    for path in shown.values():
        tag = front.get(path).headers["ETag"]
        assert front.get(path, headers={"if-none-match": tag}).status == 304
        assert front.get(path, headers={"if-none-match": 'W/"another"'}).status == 200


def test_a_key_is_taken_where_it_is_said_and_nowhere_else(bench, front):
    """Each that names Idempotency-Key answers a repetition as what it is."""
    failed = front.started([bench.probe("permanent")])
    bench.settle("probe")
    made = {
        "create_task": (TASKS, bodies(bench)["NewTask"]),
        "retry_task": (f"{TASKS}/{failed}/retry", {}),
        "create_base": ("/pkb/knowledge-bases", {"name": "A"}),
        "clone_template": ("/asl/extraction/templates/rct/clone", {}),
        "create_session": ("/dc/sessions", BODIES["NewSession"]),
    }
    assert takes("Idempotency-Key") == made.keys()
    for path, body in made.values():
        first, second = (front.post(path, body, headers={"idempotency-key": "k"}) for _ in range(2))
        assert first.status in {201, 202}
        assert (second.status, second.headers["Idempotency-Replayed"]) == (200, "true")


def test_operations_have_names_of_their_own_when_a_client_is_generated():
    names = [told["operationId"] for _, _, told in OPERATIONS]
    assert len(names) == len(set(names))


def test_there_is_no_route_without_a_description():
    """Whatever was added to the resolver by another way than `operation`."""
    routes = {(route.method, re.sub(r"<(\w+)>", r"{\1}", route.path)) for route in front.app._static_routes}
    routes |= {(route.method, re.sub(r"<(\w+)>", r"{\1}", route.path)) for route in front.app._dynamic_routes}
    heads = {("HEAD", path) for path, method, _ in OPERATIONS if method == "get"}
    assert routes == {(method.upper(), path) for path, method, _ in OPERATIONS} | heads | {("OPTIONS", r"[\s\S]+")}


def test_what_is_open_to_all_is_the_same_in_the_template_and_in_the_description():
    """A route without an authorizer and an operation without a token."""
    routes = resources(load(), "AWS::ApiGatewayV2::Route").values()
    unguarded = {each["Properties"]["RouteKey"] for each in routes if each["Properties"]["AuthorizationType"] == "NONE"}
    unguarded = {
        route for route in unguarded if route.startswith("ANY /api/")
    }  # the rest: the page's files, preflights
    assert unguarded == {f"ANY {path}" for path, method, told in OPERATIONS if told.get("security") == []}
    guarded = [each["Properties"] for each in routes if each["Properties"]["AuthorizationType"] != "NONE"]
    assert [(each["RouteKey"], each["AuthorizationType"]) for each in guarded] == [("ANY /api/v1/{path+}", "JWT")]


def test_the_description_says_what_the_code_checks_when_both_name_a_bound():
    """Names, keys, counts and states: told once more here, so that they cannot drift apart."""
    shape = DOCUMENT["components"]["schemas"]["NewTask"]["properties"]
    assert shape.keys() == {"kind", "name", "idempotencyKey", "mostAtWork"} | desk.SCHEMA["properties"].keys()
    assert DOCUMENT["components"]["schemas"]["Result"]["properties"]["status"]["enum"] == [
        str(each) for each in RowStatus
    ]
    assert DOCUMENT["components"]["schemas"]["Task"]["properties"]["status"]["enum"] == [
        str(each) for each in TaskStatus
    ]


# ---------------------------------------------------------------------------------------------------- the page


class Words(HTMLParser):
    """The text of a page, and what it would load or run."""

    def __init__(self) -> None:
        super().__init__()
        self.words = ""
        self.tags: list[str] = []
        self.attributes: dict[str, str | None] = {}

    def handle_data(self, data: str) -> None:
        self.words += data

    def handle_starttag(self, tag, attrs) -> None:
        self.tags.append(tag)
        self.attributes |= dict(attrs)


def test_the_page_names_every_operation_and_field_when_a_reader_opens_it(front):
    """Without script, without anything from elsewhere, and with a policy that says so."""
    answer = front.get("/docs", groups="[]")
    page = Words()
    page.feed(answer.text)
    for path, method, told in OPERATIONS:
        assert f"{method.upper()} {path}" in page.words
        assert told["summary"] in page.words
    for name in ("NewTask", "Retry"):
        assert all(field in page.words for field in DOCUMENT["components"]["schemas"][name]["properties"])
    assert "script" not in page.tags
    assert not any(name.startswith("on") for name in page.attributes)
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    assert answer.headers["Content-Type"] == "text/html"


def test_the_page_is_plain_text_when_a_description_has_angle_brackets():
    """Names and words are escaped, whoever writes the next one."""
    spiced = replace(ITEMS["health"], path="/x/<script>", summary="<script>alert(1)</script>")
    assert "<script>" not in openapi.section(spiced)


# ---------------------------------------------------------------------------------------------------- headers


def test_answers_are_for_this_browser_only_when_they_are_given():
    """What each header is there for; that every answer carries them is checked on every answer in these tests."""
    headers = {name.lower(): value for name, value in problems.SECURITY_HEADERS.items()}
    assert "private" in headers["cache-control"]
    assert "no-cache" in headers["cache-control"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "no-referrer"
    assert int(headers["strict-transport-security"].removeprefix("max-age=")) >= 31_536_000


def test_the_stage_is_throttled_and_logs_no_token_when_it_is_deployed():
    """The access log names request, who, from where, path, status and time; nothing of headers, query or body."""
    (stage,) = resources(load(), "AWS::ApiGatewayV2::Stage").values()
    throttle = stage["Properties"]["DefaultRouteSettings"]
    assert 0 < throttle["ThrottlingRateLimit"] <= throttle["ThrottlingBurstLimit"] <= 1_000
    said = set(re.findall(r"\$context\.([\w.]+)", stage["Properties"]["AccessLogSettings"]["Format"]))
    who = {"authorizer.claims.sub", "identity.sourceIp", "authorizer.error"}
    what = {"requestId", "httpMethod", "path", "routeKey", "status", "responseLatency", "error.message"}
    assert said <= who | what | {"integrationErrorMessage", "integration.requestId"}


def test_one_origin_is_allowed_when_a_page_is_to_call_the_api():
    """Exactly, with no star, no credentials, and with the headers that the page needs."""
    (gateway,) = resources(load(), "AWS::ApiGatewayV2::Api").values()
    condition, cors, otherwise = gateway["Properties"]["CorsConfiguration"]["Fn::If"]
    assert (condition, otherwise) == ("WithPageOrigin", {"Ref": "AWS::NoValue"})
    assert cors["AllowOrigins"] == [{"Ref": "PageOrigin"}]
    assert "AllowCredentials" not in cors
    assert "*" not in cors["AllowHeaders"] + cors["AllowMethods"]
    needed = {"authorization", "content-type", "idempotency-key", "if-none-match", "sheaf-project"}
    assert needed <= set(cors["AllowHeaders"])
    assert {"etag", "location", "retry-after", "idempotency-replayed"} <= set(cors["ExposeHeaders"])
