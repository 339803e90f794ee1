"""A kind that knows no papers, on the deployed stack: with its own role's rights, from a request to a table."""

import pytest

from tests.support.deployed import CLOSED, PROJECT, TASKS, eventually

pytestmark = [pytest.mark.emulator, pytest.mark.slow]


def test_words_are_counted_when_a_text_is_named(deployed):
    """One that is no text ends in error, and the others are not held up by it."""
    texts = {"words-a": b"one two  three", "words-b": b" ", "words-c": b"\xff"}
    for name, content in texts.items():
        place = {"Bucket": deployed.physical("DataBucket"), "Key": f"inputs/{PROJECT}/{name}"}
        deployed.client("s3").put_object(**place, Body=content)
    answer = deployed.ask("POST", TASKS, {"kind": "count_words", "items": list(texts)})
    assert answer.status == 202, answer
    path = f"{TASKS}/{answer.body['taskId']}"
    eventually(lambda: deployed.ask("GET", path).body["status"] in CLOSED, "the end of the task")
    assert deployed.ask("GET", path).body["emptyCount"] == 1
    rows = deployed.ask("GET", f"{path}/results").body["results"]
    assert [(row["status"], row["extractedData"]) for row in rows] == [
        ("completed", {"words": 3}),
        ("completed", {"words": 0}),
        ("error", None),
    ]
