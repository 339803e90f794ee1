"""`sam local invoke` of a kind that is laid over the template: its worker, with its event, out of what `sam build` made."""

import json

import pytest

from tests.support import new_kind
from tests.support.deployed import PROJECT, TASKS
from tests.support.kinds import BLOCKS

pytestmark = [pytest.mark.emulator, pytest.mark.slow]


def test_the_worker_counts_words_when_it_is_sent_its_kind_s_event(sam):
    place = {"Bucket": sam.deployed.physical("DataBucket"), "Key": f"inputs/{PROJECT}/a"}
    sam.deployed.client("s3").put_object(**place, Body=b"one two  three")
    asked = {"kind": "count_words", "items": ["a"], "idempotencyKey": "count_words-first"}
    task = sam.deployed.ask("POST", TASKS, asked).body["taskId"]
    assert task == new_kind.first_task("count_words")
    told = sam.send("CountWordsFunction", json.loads((BLOCKS / "count_words.json").read_text()))
    assert told.payload == {"batchItemFailures": []}
    (row,) = sam.deployed.rows(task)
    assert (row.status, row.summary) == ("completed", {"words": 3})
