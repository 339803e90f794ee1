"""What a text recognition server may answer, at each question: what becomes of it is one of a few known failures."""

import json
from typing import Any

import pytest

from clinical.papers import Paper
from clinical.papers.recognition.mineru import Lost, Reply, Server, which
from sheaf.errors import Permanent, Transient

URL = "https://ocr.example"
PLACE = f"{URL}/place"
GOOD: dict[tuple[str, str], list[tuple[int, Any]]] = {
    ("v4", "submit"): [(200, {"task_id": "t"})],
    ("v3", "submit"): [(202, {"task_id": "t"})],
    ("cloud", "submit"): [(200, {"data": {"batch_id": "t", "file_urls": [PLACE]}}), (200, {})],
    ("v4", "fetch"): [(200, {"status": "completed"}), (200, {"files": [{"content": {"markdown": "Tea."}}]})],
    ("v3", "fetch"): [(200, {"results": {"a": {"md_content": "Tea."}}})],
}
BUSY, KEYLESS, REFUSED = [408, 425, 429, 500, 502, 503, 504], [401, 403], [400, 404, 413, 422]
DATA = GOOD["cloud", "submit"][0][1]["data"]
CLOUD, V4, V3 = ("cloud", "submit"), ("v4", "fetch"), ("v3", "fetch")
SENDING = [call for call in GOOD if call[1] == "submit"]
NOTHING: list[Any] = [b"<html>", {}, [], None, "t"]
NAMES: list[Any] = ["", "../x", 7, "x" * 201]
PLACES: list[Any] = [
    "http://ocr.example/place",
    "https://127.0.0.1/place",
    "https://[::1]/place",
    "file:///etc/passwd",
    "",
    7,
]
LACKING: list[dict[str, Any]] = [
    {"file_urls": []}, {"file_urls": None}, {"file_urls": PLACE},
    {"batch_id": None}, {"batch_id": 7}, {"batch_id": "../x"},
]  # fmt: skip
ODD: list[tuple[tuple[str, str], int, tuple[int, Any], str]] = [
    *((call, 0, (200, told), "ocr_unavailable") for call in SENDING for told in NOTHING),
    *((call, 0, (200, {"task_id": name}), "ocr_unavailable") for call in SENDING[:2] for name in NAMES),
    *((CLOUD, 0, (200, {"data": DATA | odd}), "ocr_unavailable") for odd in LACKING),
    *((CLOUD, 0, (200, {"data": DATA | {"file_urls": [place]}}), "ocr_refused") for place in PLACES),
    *((CLOUD, 1, (status, {}), "ocr_unavailable") for status in (400, 403, 500)),
    (V4, 1, (409, {}), "ocr_failed"),
    (V4, 1, (200, {"files": []}), "ocr_failed"),
    (V4, 1, (200, {"files": [{"status": "failed", "content": {"markdown": "Tea."}}]}), "ocr_failed"),
    (V4, 0, (200, b"<html>"), "ocr_unavailable"),
    (V4, 1, (200, b"<html>"), "ocr_unavailable"),
    (V3, 0, (409, {}), "ocr_failed"),
    (V3, 0, (200, b"<html>"), "ocr_unavailable"),
]


def ask(call: tuple[str, str], answers: list[tuple[int, Any]]) -> Any:
    """What comes of this question when the server gives these answers, one after the other; a failure as its word."""
    left = list(answers)

    def send(_method: str, _address: str, _headers: Any, _body: bytes | None) -> Reply:
        status, told = left.pop(0)
        return Reply(status, told if isinstance(told, bytes) else json.dumps(told).encode())

    server = Server(URL, call[0], "key", send)
    try:
        return server.submit(b"%PDF-", "a.pdf") if call[1] == "submit" else server.fetch("t")
    except (Transient, Permanent) as error:
        return error.error_class


def instead(call: tuple[str, str], at: int, answer: tuple[int, Any]) -> Any:
    """The same with another answer at this place."""
    return ask(call, [*GOOD[call][:at], answer, *GOOD[call][at + 1 :]])


@pytest.mark.parametrize("call", GOOD, ids=" ".join)
def test_a_server_is_understood_when_it_answers_as_it_should(call):
    told = ask(call, GOOD[call])
    assert told == "t" if call[1] == "submit" else isinstance(told, Paper)


@pytest.mark.parametrize(("call", "at", "answer", "word"), ODD)
def test_a_failure_has_its_word_when_an_answer_is_odd(call, at, answer, word):
    """Mutation caught: an answer without a place to upload to is a crash, and a defect of ours, instead of a wait."""
    assert instead(call, at, answer) == word


@pytest.mark.parametrize("call", GOOD, ids=" ".join)
@pytest.mark.parametrize(
    ("statuses", "word"), [(BUSY, "ocr_unavailable"), (KEYLESS, "ocr_refused"), (REFUSED, "ocr_refused")]
)
def test_a_failure_has_its_word_when_the_first_answer_is_an_error(call, statuses, word):
    """Busy passes; the key and the file do not; what is not known any more is sent again."""
    found = {status: instead(call, 0, (status, {})) for status in statuses}
    assert found == {status: Lost.error_class if status == 404 else word for status in statuses}


def test_it_is_waited_for_when_the_server_is_at_it():
    assert instead(("v4", "fetch"), 0, (200, {"status": "running"})) is None
    assert instead(("v4", "fetch"), 1, (202, {})) is None
    assert instead(("v3", "fetch"), 0, (202, {})) is None
    assert ask(("cloud", "fetch"), [(200, {"data": {"extract_result": [{"state": "running"}]}})]) is None


@pytest.mark.parametrize(
    ("answers", "word"),
    [
        ([(200, {"data": {"extract_result": [{"state": "failed"}]}})], "ocr_failed"),
        ([(200, {"data": {"extract_result": [{"state": "done", "full_zip_url": PLACE}]}}), (404, {})], "ocr_unavailable"),
        ([(200, {"data": {"extract_result": [{"state": "done"}]}})], "ocr_refused"),
    ],
)  # fmt: skip
def test_a_failure_has_its_word_when_the_service_has_no_text(answers, word):
    assert ask(("cloud", "fetch"), answers) == word


@pytest.mark.parametrize(("health", "api"), [([200], "v4"), ([404, 200], "v3")])
def test_a_server_is_of_the_kind_that_answers(health, api):
    left = list(health)
    assert which(URL, lambda *_: Reply(left.pop(0), b"")) == api


def test_no_kind_is_taken_when_a_server_answers_to_none():
    with pytest.raises(Transient) as raised:
        which(URL, lambda *_: Reply(404, b""))
    assert raised.value.error_class == "ocr_unavailable"
