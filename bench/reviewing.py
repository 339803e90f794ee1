"""`review.decide`, `review.races`, `results.page`: how long a decision takes, what two people at one cell lose, and what a page of rows costs."""

import json
import time
import zlib
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from bench import writing
from bench.place import TASKS, Place, place
from bench.report import Line, percentile
from sheaf.items import Payload, Row, shard_key
from sheaf.protocol import payloads
from tests.support.items import a_row, a_task

ROUNDS, DECISIONS = 1_000, 200
PAPERS = 20
FIELDS = {
    "n_randomised": {"state": "found", "value": 90, "quote": "q", "page": 1, "start": 0, "end": 1, "match": "exact"}
}
DONE, LATE = 200, 409
PAGE_KB, PAGE_REQUESTS = 30, 4


class _Wrong(Exception):
    """An answer that a person cannot get here."""


def _table(at: Place, name: str) -> str:
    """A closed task with papers that were read; laid down, for reading them is not what is measured."""
    task = f"{at.project}/{name}"
    done = {"status": "completed", "active": None, "total": PAPERS, "completed": PAPERS}
    item = a_task(task=task, listed_in=at.project, kind="extract_paper", **done)
    at.client("dynamodb").put_item(TableName=at.name("TasksTable"), Item=item.serialize())
    for number in range(PAPERS):
        row = a_row(
            "completed", shard=shard_key(task, 0), row=number, document=f"{name}{number}", data_key=payloads.BESIDE
        )
        payload = _payload(row)
        for each in (row, payload):
            at.client("dynamodb").put_item(TableName=at.name("ResultsTable"), Item=each.serialize())
    return name


def _payload(row: Row) -> Payload:
    packed = zlib.compress(json.dumps({"v": 1, "template": "rct@1", "fields": FIELDS}).encode())
    place = row.row * payloads.ATTEMPTS + row.attempt
    return Payload(shard=f"{row.shard}/data", row=place, claim=row.token, packed=packed)


def _decide(at: Place, row: str, name: str, before: str | None) -> tuple[int, Any]:
    said = {"id": name, "address": "n_randomised", "verb": "agree", "before": before}
    return at.ask("POST", f"/asl/extraction/results/{row}/decisions", {"decisions": [said]})


def decide() -> Line:
    """From the request to the answer that it is kept, over HTTP, one after the other; each on the one before."""
    at = place()
    task, took, before = _table(at, "decided"), [], {}
    at.ask("GET", f"{TASKS}/{task}/review")
    for number in range(DECISIONS):
        row = f"{task}-{number % PAPERS}"
        begun = time.perf_counter()
        status, answer = _decide(at, row, f"i{number}", before.get(row))
        took.append(time.perf_counter() - begun)
        if status != DONE:
            raise _Wrong(answer)
        before[row] = f"i{number}"
    return Line(percentile(took, 0.95), "s", more={"decisions": DECISIONS, "median": percentile(took, 0.5)})


def races() -> Line:
    """Two people decide on one cell in the same moment: one is told that the other did. What is kept is what was accepted."""
    at = place()
    task = _table(at, "raced")
    second = object.__new__(Place)
    second.__dict__ = {**vars(at), "line": None, "line_at": 0.0}
    accepted: dict[str, str] = {}
    answers: Counter[tuple[int, ...]] = Counter()
    before: dict[str, str] = {}
    with ThreadPoolExecutor(2) as pool:
        for number in range(ROUNDS):
            row = f"{task}-{number % PAPERS}"
            names = [f"a{number}", f"b{number}"]
            asked = [
                pool.submit(_decide, one, row, name, before.get(row))
                for one, name in zip((at, second), names, strict=True)
            ]
            told = [each.result()[0] for each in asked]
            answers[tuple(sorted(told))] += 1
            won = [name for name, status in zip(names, told, strict=True) if status == DONE]
            accepted |= dict.fromkeys(won, row)
            before[row] = won[-1] if won else before.get(row, "")
    kept = Counter(each["id"] for row in {*accepted.values()} for each in _history(at, row))
    lost = [name for name in accepted if kept[name] != 1]
    unasked = [name for name in kept if name not in accepted]
    both = sum(times for told, times in answers.items() if told != (DONE, LATE))
    more = {"rounds": ROUNDS, "answers": {str(told): times for told, times in answers.items()}, "not_one_of_two": both}
    return Line(len(lost) + len(unasked), "decisions lost or doubled", more=more)


def _history(at: Place, row: str) -> list[Any]:
    status, answer = at.ask("GET", f"/asl/extraction/results/{row}/decisions")
    if status != DONE:
        raise _Wrong(answer)
    return list(answer["decisions"])


def page() -> Line:
    """In process: what the page draws first, 50 rows with values, where nobody has decided yet."""
    line = writing.requests()
    return Line(line.more["of_50"], "requests", more={"kb": line.more["kb_of_50"]})


def page_is_small(line: Line) -> bool:
    return line.value <= PAGE_REQUESTS and line.more["kb"] <= PAGE_KB
