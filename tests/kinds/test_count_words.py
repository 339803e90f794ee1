"""The whole way of a text in one process: named, worked on, shown."""

from pathlib import Path

from tests.support import stack_file
from tests.support.bench import TASKS, stack
from tests.support.clients import client


def test_words_are_counted_when_a_text_is_named(tmp_path: Path) -> None:
    with stack(tmp_path / "none.log", stack_file.with_kind("count_words")) as bench:
        client("s3").put_object(Bucket="databucket", Key="inputs/p1/a", Body=b"one two  three")
        status, task = bench.http("POST", TASKS, {"kind": "count_words", "items": ["a"]})
        assert status == 202, task
        bench.settle("count_words")
        (row,) = bench.http("GET", f"{TASKS}/{task['taskId']}/results")[1]["results"]
    assert (row["status"], row["extractedData"]) == ("completed", {"words": 3})
