"""Every address by every method, with every kind of parameter: what is not there is refused by its name."""

import re

import pytest

import openapi
from sheaf.outside import wiring
from sheaf.settings import ApiSettings
from tests.http import front as fronts
from tests.http.front import ROOT, TASKS
from tests.http.test_tenancy import BODIES

PATHS = sorted({item.path for item in openapi.OPERATIONS})
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "TRACE", "BREW", "OPTIONS")
ORIGIN = "https://sheaf.example.org"
every_operation = pytest.mark.parametrize("item", openapi.OPERATIONS, ids=lambda item: item.name)


def address(path: str) -> str:
    return re.sub(r"{\w+}", "unknown-0", path.removeprefix(ROOT))


@every_operation
@pytest.mark.parametrize("name", ["staus", "Status", "cursor ", "\ud800", "x" * 9_000])
def test_a_parameter_is_refused_by_its_name_when_the_operation_has_none_of_it(bench, front, item, name):
    """As a body's field is; nothing is looked up or written, and what there is instead is said."""
    with bench.calls.watch() as calls:
        answer = front.send(item.method, address(item.path), BODIES.get(item.takes or ""), query={name: "error"})
    assert (answer.status, answer.problem, calls.operations) == (400, "invalid-request", [])
    assert answer.body["field"] == name[:60].encode(errors="backslashreplace").decode()
    assert all(there in answer.body["reason"] for there in item.asked)


@every_operation
def test_a_parameter_is_no_stranger_when_it_is_described(front, item):
    for name in item.asked:
        refused = front.send(item.method, address(item.path), query={name: ""})
        assert refused.status in {400, 404}
        assert "is not a parameter" not in refused.text


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("method", METHODS)
def test_a_method_is_refused_with_those_there_are_when_an_address_does_not_take_it(bench, front, path, method):
    shapes = {each for each in PATHS if re.fullmatch(re.sub(r"{\w+}", "[^/]+", each), ROOT + address(path))}
    takes = {item.method for item in openapi.OPERATIONS if item.path in shapes}
    takes |= {"OPTIONS"} | ({"HEAD"} if "GET" in takes else set())
    if method in takes - {"HEAD", "OPTIONS"}:
        return
    answer = front.send(method, address(path))
    assert (answer.status == 405) is (method not in takes)
    if method not in takes or method == "OPTIONS":
        assert set(answer.headers["Allow"].split(", ")) == takes


def test_a_head_is_answered_as_its_get_is_when_anything_is_asked(bench, front):
    """The same status and headers, the tag among them, and nothing of the body."""
    task_id = front.started([bench.probe()])
    bench.settle("probe")
    for path in ("/health", "/me", TASKS, f"{TASKS}/{task_id}", f"{TASKS}/{task_id}/results", f"{TASKS}/nothing"):
        head, full = front.send("HEAD", path), front.get(path)
        assert (head.status, head.text) == (full.status, ""), path
        assert head.headers == full.headers, path
    tag = front.get(f"{TASKS}/{task_id}").headers["ETag"]
    assert front.send("HEAD", f"{TASKS}/{task_id}", headers={"if-none-match": tag}).status == 304


# ---------------------------------------------------------------------------------------------------- other origins


@pytest.fixture
def asked_from(bench, front):
    """A deployment whose pages may also stand at ORIGIN."""
    fronts.limit(bench, page_origin=ORIGIN)
    return lambda origin, method="OPTIONS", path=TASKS: front.send(method, path, headers={"origin": origin})


def cors(answer) -> dict[str, str]:
    return {name.lower(): value for name, value in answer.headers.items() if name.lower().startswith("access-control")}


@pytest.mark.parametrize("path", PATHS)
def test_a_preflight_is_answered_without_a_token_when_the_origin_is_the_named_one(asked_from, path):
    """With every method and header that the page sends."""
    answer = asked_from(ORIGIN, path=address(path))
    told = cors(answer)
    assert (answer.status, told["access-control-allow-origin"]) == (204, ORIGIN)
    assert {item.method for item in openapi.OPERATIONS} == set(told["access-control-allow-methods"].split(","))
    headers = {name.lower() for name in told["access-control-allow-headers"].split(",")}
    assert {"authorization", "content-type", "idempotency-key", "if-none-match", "sheaf-project"} <= headers
    assert "access-control-allow-credentials" not in told


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "*", "", f"{ORIGIN}.evil.example", ORIGIN.upper()])
@pytest.mark.parametrize("method", ["OPTIONS", "GET"])
def test_another_origin_is_told_nothing_when_its_page_asks(asked_from, origin, method):
    assert cors(asked_from(origin, method)) == {}


@pytest.mark.parametrize("origin", ["", "*", "null", ORIGIN])
def test_no_origin_is_allowed_when_the_deployment_names_none(bench, front, origin):
    assert wiring.worlds[ApiSettings].settings.page_origin == ""
    assert cors(front.send("OPTIONS", TASKS, headers={"origin": origin})) == {}


@pytest.mark.parametrize("path", [TASKS, "/health", f"{TASKS}/nothing", "/nowhere"])
def test_every_answer_may_be_read_by_the_page_when_it_stands_at_the_named_origin(asked_from, path):
    """Refusals as well: the page shows their words."""
    answer = asked_from(ORIGIN, "GET", path)
    assert cors(answer)["access-control-allow-origin"] == ORIGIN
    assert "Origin" in answer.headers["Vary"]


# ---------------------------------------------------------------------------------------------------- compressed


@pytest.mark.parametrize(
    ("accepts", "packed"),
    [
        ("gzip", True),
        ("deflate, gzip, br", True),
        ("br,gzip;q=0.5", True),
        ("gzip;q=1.0, identity; q=0.5", True),
        (None, False),
        ("", False),
        ("identity", False),
        ("br", False),
        ("gzip;q=0", False),
        ("gzip; q=0.0, br", False),
        ("x-gzipper", False),
    ],
)
def test_a_long_answer_is_compressed_when_the_caller_takes_it(front, accepts, packed):
    """The same text for every caller, and no cache mixes the two up."""
    answer = front.get("/openapi.json", headers={} if accepts is None else {"accept-encoding": accepts})
    assert (answer.headers.get("Content-Encoding") == "gzip") is packed
    assert answer.text == front.get("/openapi.json").text
    assert answer.headers["Vary"] == "Accept-Encoding"


def test_a_short_answer_is_left_as_it_is_when_the_caller_takes_gzip(front):
    assert "Content-Encoding" not in front.get("/health", headers={"accept-encoding": "gzip"}).headers


def test_a_tag_is_the_same_when_the_answer_is_compressed_or_not(bench, front):
    """It is weak: of what is said, not of its bytes. So a copy of either is the newest for both."""
    path = "/asl/extraction/templates/rct"
    plain, packed = front.get(path), front.get(path, headers={"accept-encoding": "gzip"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert plain.headers["ETag"] == packed.headers["ETag"]
    again = front.get(path, headers={"accept-encoding": "gzip", "if-none-match": plain.headers["ETag"]})
    assert (again.status, again.headers["ETag"], again.headers["Vary"]) == (
        304,
        plain.headers["ETag"],
        "Accept-Encoding",
    )
