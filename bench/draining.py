"""`drain.overhead` and `work.calls_per_document`: a thousand documents through ten workers."""

import json
import secrets
from concurrent.futures import ThreadPoolExecutor
from functools import cache

from bench.place import Place, place
from bench.report import RUNS, Line, paired
from sheaf.protocol.row_messages import COUNTERS

DOCUMENTS = 1_000
SLEEP = 50
MESSAGES = 10
Drained = tuple[float, float]


@cache
def _runs() -> tuple[list[Drained], list[float]]:
    """Ours and the bare worker's in turn: seconds from the first start to the last end, as the workers stamped them."""
    at = place()
    _bare(at)
    _ours(at)  # a process that starts is no part of it either
    pairs, calls = [], []
    for _ in range(RUNS):
        seconds, per_document = _ours(at)
        pairs.append((seconds, _bare(at)))
        calls.append(per_document)
    return pairs, calls


def overhead() -> Line:
    pairs, _ = _runs()
    return paired(pairs, "s")


def calls_per_document() -> Line:
    """The worst of the runs: fault-free, every document is worked on once."""
    _, calls = _runs()
    return Line(
        max(calls, key=lambda found: abs(found - 1)), "calls", more={"runs": len(calls), "documents": DOCUMENTS}
    )


def _ours(at: Place) -> Drained:
    at.listen("ProbeFunction", enabled=False)
    task_id = at.post(at.documents(DOCUMENTS, sleep=SLEEP))
    # More than 800 are written and sent behind the answer, which is no part of draining them.
    at.wait_for(lambda: at.task(task_id).scattered_at)
    at.listen("ProbeFunction", enabled=True)
    rows = at.rows(at.closed(task_id, every=2))
    called = at.probe_calls(task_id)
    assert sorted(set(called)) == list(range(DOCUMENTS)), "the probe did not see every row"
    starts = [row.first_claimed_at for row in rows if row.first_claimed_at]
    return (max(row.updated_at for row in rows) - min(starts)) / 1000, len(called) / DOCUMENTS


def _bare(at: Place) -> float:
    """The same number of messages in a queue before anybody listens, the same calls, the same sleep."""
    run = secrets.token_hex(10)
    at.listen("BareFunction", enabled=False)
    send_bare(at, run, DOCUMENTS, sleep=SLEEP, group="bare")
    at.listen("BareFunction", enabled=True)
    items = at.wait_for(lambda: _ended(at, run), every=2)
    starts, ends = ([int(item[name]["N"]) for item in items] for name in ("started_at", "ended_at"))
    return (max(ends) - min(starts)) / 1000


def send_bare(at: Place, run: str, count: int, *, sleep: int, group: str) -> None:
    """So many messages for the bare worker, and the gate that it looks at before each."""
    gate = {"shard": {"S": f"{run}/gate"}, "row": {"N": "0"}, "gate": {"S": "open"}}
    at.client("dynamodb").put_item(TableName=at.name("BareTable"), Item=gate)
    bodies = [json.dumps({"s": run, "r": number, "key": at.objects[sleep].key}) for number in range(count)]
    batches = [bodies[first : first + MESSAGES] for first in range(0, count, MESSAGES)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda batch: _send(at, group, batch), batches))


def _send(at: Place, group: str, bodies: list[str]) -> None:
    entries = [{"Id": str(number), "MessageBody": body, "MessageGroupId": group} for number, body in enumerate(bodies)]
    at.client("sqs").send_message_batch(QueueUrl=at.name("BareQueue"), Entries=entries)


def _ended(at: Place, run: str) -> list[dict[str, dict[str, str]]] | None:
    """The queue is asked first: to read a thousand items again and again is work for the emulator that is not the worker's."""
    asked = {"QueueUrl": at.name("BareQueue"), "AttributeNames": COUNTERS}
    if any(int(count) for count in at.client("sqs").get_queue_attributes(**asked)["Attributes"].values()):
        return None
    items = at.items(run, "BareTable")
    return items if sum("ended_at" in item for item in items) == DOCUMENTS else None
