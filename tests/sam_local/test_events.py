"""events/ holds what each function is really sent: ids in it are ids that there are once the sample papers were loaded."""

import hashlib
import json
import re

import pytest

from clinical.intake import intake_queue
from clinical.library import file_names
from local.demo import KEY
from local.settings import ROOT
from local.stack import PROJECT
from sheaf.protocol import row_messages, scatter
from tests.support.asking import new_task

EVENTS = {file.stem: json.loads(file.read_text()) for file in (ROOT / "events").glob("*.json")}
OPENING = EVENTS["api-create-task"]


def _document(content: bytes) -> str:
    """As it is named when `make run` uploads it."""
    base = file_names.base_id(PROJECT, f"key {KEY}")
    return file_names.document_id(PROJECT, base, hashlib.sha256(content).hexdigest())


def test_the_request_names_sample_papers_when_it_opens_a_task():
    asked = new_task(OPENING["body"]).wish
    assert set(asked.document_ids) <= {_document(file.read_bytes()) for file in (ROOT / "samples").glob("*.nxml")}


@pytest.mark.parametrize("name", sorted(name for name in EVENTS if "ilcy5dr7" in json.dumps(EVENTS[name])))
def test_the_task_is_the_one_that_the_request_opens_when_another_event_names_it(name):
    wanted = scatter.task_id(PROJECT, f"key {OPENING['headers']['idempotency-key']}")
    assert set(re.findall(r"\b[a-z2-7]{20}\b", json.dumps(EVENTS[name]))) == {wanted}


@pytest.mark.parametrize(
    ("name", "sample"), [("intake-upload", "istop-ade-2015.pdf"), ("intake-again", "PMC5571493.nxml")]
)
def test_the_message_names_a_sample_paper_when_the_intake_is_sent_it(name, sample):
    content = (ROOT / "samples" / sample).read_bytes()
    words = intake_queue.read(EVENTS[name]["Records"][0]["body"])
    assert words is not None
    (word,) = words
    assert (word.project, word.document) == (PROJECT, _document(content))
    assert word.has_turn == (name != "intake-upload")


def test_the_message_names_a_row_of_that_task_when_it_is_decoded():
    address = row_messages.decode(EVENTS["worker-message"]["Records"][0]["body"])
    assert address is not None
    assert (address.task, address.row) == (f"{PROJECT}/{scatter.task_id(PROJECT, 'key 2026-11-18-first')}", 0)
