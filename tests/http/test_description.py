"""What the API says of itself: OpenAPI from the code, a page of it for readers, and headers on every answer."""

import json
import re
from html.parser import HTMLParser
from typing import Any

import jsonschema  # type: ignore[import-untyped]  # comes with cfn-lint and moto
import pytest

import api  # noqa: F401 - makes its routes as it is imported
import front
import openapi
import problems
from sheaf import ids, requests
from sheaf.lifecycle import RowStatus, TaskStatus
from tests.http.front import ROOT, TASKS
from tests.support.template import load, resources

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
    assert (answer.status, answer.body) == (200, json.loads(json.dumps(DOCUMENT)))


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


@named
def test_every_refusal_is_described_when_an_operation_needs_a_token(path, method, told):
    """And one that is open to all says so, and names none of them."""
    refusals = {"400", "401", "403", "404", "409", "429", "500", "503"}
    if told.get("security") == []:
        assert not refusals & told["responses"].keys()
    else:
        assert refusals <= told["responses"].keys()
        for status in refusals - {"401"}:
            assert "application/problem+json" in told["responses"][status]["content"]


def test_operations_have_names_of_their_own_when_a_client_is_generated():
    names = [told["operationId"] for _, _, told in OPERATIONS]
    assert len(names) == len(set(names))


def test_there_is_no_route_without_a_description():
    """Whatever was added to the resolver by another way than `operation`."""
    routes = {(route.method, re.sub(r"<(\w+)>", r"{\1}", route.path)) for route in front.app._static_routes}
    routes |= {(route.method, re.sub(r"<(\w+)>", r"{\1}", route.path)) for route in front.app._dynamic_routes}
    assert routes == {(method.upper(), path) for path, method, _ in OPERATIONS}


def test_what_is_open_to_all_is_the_same_in_the_template_and_in_the_description():
    """A route without an authorizer and an operation without a token."""
    routes = resources(load(), "AWS::ApiGatewayV2::Route").values()
    unguarded = {each["Properties"]["RouteKey"] for each in routes if each["Properties"]["AuthorizationType"] == "NONE"}
    unguarded = {route for route in unguarded if " /api/" in route}  # the rest are the page's files
    assert unguarded == {f"{method.upper()} {path}" for path, method, told in OPERATIONS if told.get("security") == []}
    guarded = [each["Properties"] for each in routes if each["Properties"]["AuthorizationType"] != "NONE"]
    assert [(each["RouteKey"], each["AuthorizationType"]) for each in guarded] == [("ANY /api/v1/{path+}", "JWT")]


def test_the_description_says_what_the_code_checks_when_both_name_a_bound():
    """Names, keys, counts and states: told once more here, so that they cannot drift apart."""
    shape = DOCUMENT["components"]["schemas"]["NewTask"]["properties"]
    assert shape.keys() == requests.FIELDS
    assert shape["documentIds"]["maxItems"] == requests.DOCUMENTS_MAX
    assert shape["idempotencyKey"]["pattern"].strip("^$") == requests.IDEMPOTENCY_KEY.pattern
    assert shape["templateId"]["pattern"].strip("^$") == ids.NAME.pattern
    assert DOCUMENT["components"]["schemas"]["Retry"]["properties"].keys() == requests.RETRY_FIELDS
    assert DOCUMENT["components"]["schemas"]["Result"]["properties"]["status"]["enum"] == [
        str(each) for each in RowStatus
    ]
    assert DOCUMENT["components"]["schemas"]["Task"]["properties"]["status"]["enum"] == [
        str(each) for each in TaskStatus
    ]


def test_a_request_that_fits_the_description_is_accepted_and_one_that_does_not_is_refused(bench, front):
    """The schema and the code on the same bodies."""
    good = {"templateId": "rct", "documentIds": [bench.probe()], "kind": "probe"}
    shapes = DOCUMENT["components"]["schemas"]
    validator = jsonschema.Draft202012Validator({**shapes["NewTask"], "components": {"schemas": shapes}})
    bodies = [
        good,
        good | {"onNotReady": "error", "idempotencyKey": "k", "knowledgeBaseId": "kb"},
        good | {"knowledgeBaseId": None},
        good | {"documentIds": []},
        good | {"documentIds": ["a", "a"]},
        good | {"documentIds": "a"},
        good | {"documentIds": [1]},
        good | {"documentIds": ["a/b"]},
        good | {"templateId": "a b"},
        good | {"onNotReady": "x"},
        good | {"idempotencyKey": ""},
        good | {"idempotencyKey": "k" * 129},
        good | {"more": 1},
        {"documentIds": good["documentIds"]},
        {"templateId": "rct"},
        [],
    ]
    for body in bodies:
        assert validator.is_valid(body) is (front.post(TASKS, body).status == 202), body


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
    wordless = (False, None, None, 200, (), False)
    assert "<script>" not in openapi._section(
        openapi.Operation("GET", "/x/<script>", "x", "<script>alert(1)</script>", *wordless)
    )


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


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "*"])
def test_no_origin_is_allowed_by_the_function_when_a_page_asks(front, origin):
    """CORS is API Gateway's and names one origin; a header from here would widen it."""
    answer = front.get(TASKS, headers={"origin": origin})
    assert not [name for name in answer.headers if name.lower().startswith("access-control")]


def test_the_stage_is_throttled_and_logs_no_token_when_it_is_deployed():
    """The access log names request, who, from where, path, status and time; nothing of headers, query or body."""
    (stage,) = resources(load(), "AWS::ApiGatewayV2::Stage").values()
    throttle = stage["Properties"]["DefaultRouteSettings"]
    assert 0 < throttle["ThrottlingRateLimit"] <= throttle["ThrottlingBurstLimit"] <= 1_000
    said = set(re.findall(r"\$context\.([\w.]+)", stage["Properties"]["AccessLogSettings"]["Format"]))
    who = {"authorizer.claims.sub", "identity.sourceIp", "authorizer.error"}
    what = {"requestId", "httpMethod", "path", "routeKey", "status", "responseLatency", "error.message"}
    assert said <= who | what | {"integrationErrorMessage"}


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
