"""Pages that are pictures: without a server they need OCR; with one they are sent once, waited for, and read."""

import io
import json
import zipfile
from dataclasses import replace
from urllib.parse import parse_qs, urlsplit

import pypdfium2
import pytest

from sheaf.outside import wiring
from sheaf.settings import IntakeSettings
from tests.support import mineru
from tests.support.uploads import uploaded

LIST = [
    {"type": "text", "page_idx": 0, "text": "A trial."},
    {"type": "text", "page_idx": 2, "text": "Its end."},
    {"type": "table", "page_idx": 2, "table_body": "<table>n=40</table>"},
]
TREE = {
    "pages": [
        {"page_idx": 0, "blocks": [{"type": "text", "content": "A trial."}]},
        {"page_idx": 2, "blocks": [{"type": "text", "content": "Its end."}, {"type": "table", "content": "<table>n=40</table>"}]},
    ]
}  # fmt: skip
PAGES = ["A trial.", "", "Its end.\n<table>n=40</table>"]


def pictures() -> bytes:
    """A PDF of two pages without a word on them."""
    made = pypdfium2.PdfDocument.new()
    for _ in range(2):
        made.new_page(595, 842)
    out = io.BytesIO()
    made.save(out)
    made.close()
    return out.getvalue()


SCAN = pictures()


def archive() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as made:
        made.writestr("x/abc_content_list.json", json.dumps(LIST))
        made.writestr("x/full.md", "A trial.")
    return out.getvalue()


@pytest.fixture
def scripted(bench):
    with mineru.server() as script:
        use(bench, script.url, "v4")
        yield script


def use(bench, url, api):
    world = bench.worlds["IntakeFunction"]
    settings = replace(world.settings, mineru_url=url, mineru_api=api)
    wiring.worlds[IntakeSettings] = bench.worlds["IntakeFunction"] = replace(world, settings=settings)


def settle(bench, document, rounds=12):
    for _ in range(rounds):
        bench.take_in()
        if bench.document(document).state not in {"uploading", "reading"}:
            break
        bench.pass_time(minutes=3)
        bench.sweep_once()
    return bench.document(document)


def pages(bench, document):
    return [page["text"] for page in bench.http("GET", f"/pkb/documents/{document}/text")[1]["pages"]]


def test_a_scan_needs_ocr_when_there_is_no_server(bench, base):
    found = settle(bench, uploaded(bench, base, SCAN, name="scan.pdf"))
    assert found.state == "needs_ocr"
    assert "OCR" in found.advice


def v4(script, *states):
    script.on("POST /v1/tasks", (202, {"task_id": "t-1", "status": "pending"}))
    script.on("GET /v1/tasks/t-1", *states or [(200, {"status": "processing"}), (200, {"status": "completed"})])
    done = {
        "task_id": "t-1",
        "status": "completed",
        "files": [{"status": "completed", "content": {"markdown": "A trial.", "structured_content": TREE}}],
    }
    script.on("GET /v1/tasks/t-1/result", (200, done))


def v3(script):
    script.on("POST /tasks", (202, {"task_id": "t-1", "status": "pending"}))
    result = {"results": {"scan": {"md_content": "A trial.", "content_list": json.dumps(LIST)}}}
    script.on("GET /tasks/t-1/result", (202, {"status": "processing"}), (200, result))


def cloud(script):
    script.on("POST /api/v4/file-urls/batch", (200, {"data": {"batch_id": "t-1", "file_urls": [f"{script.url}/put"]}}))
    script.on("PUT /put", (200, b""))
    done = {"state": "done", "full_zip_url": f"{script.url}/result.zip"}
    states = [(200, {"data": {"extract_result": [told]}}) for told in ({"state": "running"}, done)]
    script.on("GET /api/v4/extract-results/batch/t-1", *states)
    script.on("GET /result.zip", (200, archive()))


@pytest.mark.parametrize(
    ("api", "play", "sends"), [("v4", v4, "POST /v1/tasks"), ("v3", v3, "POST /tasks"), ("cloud", cloud, "PUT /put")]
)
def test_a_scan_is_sent_once_waited_for_and_read_page_by_page(bench, base, scripted, api, play, sends):
    play(scripted)
    use(bench, scripted.url, api)
    document = uploaded(bench, base, SCAN, name="扫描.pdf")
    bench.take_in()
    (held,) = [held for held in bench.held.values() if held.kind == "intake"]
    assert held.visible_at > bench.clock.now, "the message is hidden between two looks"
    assert bench.document(document).lease_until <= held.visible_at, "and nobody holds the document"
    found = settle(bench, document)
    assert (found.state, found.pinned.pages, found.recognition) == ("ready", 3, None)
    assert pages(bench, document) == PAGES
    assert scripted.calls().count(sends) == 1
    assert any(SCAN in body for _, _, _, body in scripted.asked)


def test_pages_are_asked_for_when_the_server_is_a_4(bench, base, scripted):
    """It gives what is named and nothing else: with the text alone, all would stand on one page."""
    v4(scripted)
    settle(bench, uploaded(bench, base, SCAN, name="scan.pdf"))
    (asked,) = [path for method, path, _, _ in scripted.asked if method == "POST"]
    assert parse_qs(urlsplit(asked).query) == {
        "ocr_mode": ["ocr"],
        "output_formats": ["markdown", "structured_content"],
    }


@pytest.mark.parametrize(("health", "sends"), [("/v1/health", "POST /v1/tasks"), ("/health", "POST /tasks")])
def test_a_server_says_itself_of_which_kind_it_is(bench, base, scripted, health, sends):
    (v4 if health.startswith("/v1") else v3)(scripted)
    scripted.on(f"GET {health}", (200, {"status": "healthy"}))
    use(bench, scripted.url, "auto")
    assert settle(bench, uploaded(bench, base, SCAN, name="scan.pdf")).state == "ready"
    assert sends in scripted.calls()


def test_a_reader_that_dies_after_sending_does_not_send_again(bench, base, scripted):
    """Killed at any call after the work's name was written down: whoever comes next asks for that work."""
    v4(scripted)
    document = uploaded(bench, base, SCAN, name="scan.pdf")
    with bench.calls.watch() as calls:
        calls.die_when = lambda operation, arguments: (
            operation == "UpdateItem" and bool(scripted.asked) and "lease_until" in json.dumps(arguments)
            and bench.document(document).recognition is not None
        )  # fmt: skip
        bench.take_in()
    bench.lose_messages("intake")
    assert bench.document(document).recognition["task"] == "t-1"
    assert settle(bench, document).state == "ready"
    assert scripted.calls().count("POST /v1/tasks") == 1


def test_work_that_the_server_has_forgotten_is_sent_again_and_not_for_ever(bench, base, scripted):
    v4(scripted, (404, {}))
    found = settle(bench, uploaded(bench, base, SCAN, name="scan.pdf"))
    assert found.state == "needs_ocr"
    assert scripted.calls().count("POST /v1/tasks") == 3


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_busy_server_is_waited_for_and_uses_up_no_try(bench, base, scripted, status):
    v4(scripted)
    scripted.on("POST /v1/tasks", *[(status, {})] * 6, (202, {"task_id": "t-1"}))
    found = settle(bench, uploaded(bench, base, SCAN, name="scan.pdf"), rounds=20)
    assert found.state == "ready"


def test_a_server_that_is_not_there_is_given_up_after_hours(bench, base):
    use(bench, "http://127.0.0.1:9", "v4")
    document = uploaded(bench, base, SCAN, name="scan.pdf")
    bench.take_in()
    assert bench.document(document).state == "reading"
    bench.pass_time(hours=7)
    bench.lose_messages("intake")
    found = settle(bench, document)
    assert (found.state, found.reason) == ("needs_ocr", "The text recognition server did not finish it within hours.")


@pytest.mark.parametrize(
    "told",
    [
        {"status": "failed", "files": [{"status": "failed", "error": "x"}]},
        {"status": "completed", "files": []},
        {"status": "completed", "files": [{"content": {"markdown": " "}}]},
        {"status": "completed", "files": [{"content": {"structured_content": [{"page_idx": -1, "text": "x"}]}}]},
    ],
)
def test_a_server_that_finds_nothing_leaves_it_needing_ocr(bench, base, scripted, told):
    v4(scripted, (200, {"status": "completed"}))
    scripted.on("GET /v1/tasks/t-1/result", (200, told))
    found = settle(bench, uploaded(bench, base, SCAN, name="scan.pdf"))
    assert found.state == "needs_ocr"
    assert found.advice


def test_work_that_failed_leaves_it_needing_ocr(bench, base, scripted):
    """A 4.0 server answers 409 when it is asked for the result of work that failed."""
    v4(scripted, (200, {"status": "failed"}))
    scripted.on("GET /v1/tasks/t-1/result", (409, {"status": "failed", "files": [{"status": "failed"}]}))
    found = settle(bench, uploaded(bench, base, SCAN, name="scan.pdf"))
    assert (found.state, found.reason) == ("needs_ocr", "The text recognition server could not read this file.")


@pytest.mark.parametrize("status", [401, 403])
def test_a_key_that_the_server_refuses_is_the_operators_matter_and_said_so(bench, base, scripted, status):
    """The file is not blamed for it, and is read again when that is asked for."""
    v4(scripted)
    scripted.on("POST /v1/tasks", (status, {"error": {"code": "invalid_api_key"}}), (202, {"task_id": "t-1"}))
    document = uploaded(bench, base, SCAN, name="scan.pdf")
    found = settle(bench, document)
    assert (found.state, found.reason) == ("needs_ocr", "The text recognition server refused the operator's key.")
    assert bench.http("POST", f"/pkb/documents/{document}/reread")[0] == 202
    assert settle(bench, document).state == "ready"


@pytest.mark.parametrize("answer", [{}, {"task_id": "../x"}, {"task_id": 1}, [], b"<html>"])
def test_a_strange_answer_is_taken_for_a_busy_server(bench, base, scripted, answer):
    scripted.on("POST /v1/tasks", (202, answer))
    document = uploaded(bench, base, SCAN, name="scan.pdf")
    bench.take_in()
    assert bench.document(document).state == "reading"
    assert bench.document(document).tries == 0


@pytest.mark.parametrize(
    "address",
    [
        "http://169.254.169.254/x",
        "http://0xa9fea9fe/latest",
        "http://2852039166/x",
        "http://169.254.169.254./x",
        "http://0xa9.0xfe.0xa9.0xfe/x",
        "file:///etc/passwd",
        "http://[::1]/x",
        "",
        None,
        7,
    ],
)
def test_an_address_that_the_service_names_is_not_followed_anywhere(bench, base, scripted, address):
    """What it answers is data of a stranger: not into the network that the function stands in."""
    cloud(scripted)
    done = {"state": "done", "full_zip_url": address}
    scripted.on("GET /api/v4/extract-results/batch/t-1", (200, {"data": {"extract_result": [done]}}))
    use(bench, scripted.url, "cloud")
    assert settle(bench, uploaded(bench, base, SCAN, name="scan.pdf")).state == "needs_ocr"
