"""Two projects behind one provider, which take turns as the queue's groups do: `evil` has poison, `lab` good papers."""

import json
from collections.abc import Callable, Sequence
from typing import Any

from tests.support.bench import TASKS, Bench
from tests.support.provider import Call, Provider

LAB, EVIL = "lab", "evil"
POISON = "<script>"
STEP_SECONDS = 15
BOUND_MS = 10 * 60_000
REFUSALS = {
    "a wall's page": "status:403::<html>blocked</html>",
    "an account's words": 'status:403::{"error": {"message": "Access denied."}}',
    "too many calls": "status:429::{}",
    "an outage": "status:503::{}",
    "a dropped line": "reset",
}


def opened(bench: Bench, project: str, texts: Sequence[str], **more: Any) -> str:
    """A task over these papers, by its key."""
    documents = [bench.paper(text, f"{project}{number}.txt", project) for number, text in enumerate(texts)]
    body = {"templateId": "rct", "documentIds": documents, "kind": "extract_paper", "engine": "openai", **more}
    status, task = bench.http("POST", TASKS, body, project=project)
    assert status == 202, task
    return f"{project}/{task['taskId']}"


def good(count: int) -> list[str]:
    return [f"Paper number {number}." for number in range(count)]


def poison(count: int) -> list[str]:
    return [f"Paper {number} holds {POISON}." for number in range(count)]


def take_turns(bench: Bench) -> None:
    """Each project's visible messages, one of each in turn."""
    due = [held for held in bench.held.values() if held.visible_at <= bench.clock.now]
    of = [[held for held in due if f'"s":"{project}/' in held.record["body"]] for project in (EVIL, LAB)]
    for number in range(max(map(len, of))):
        for held in (line[number] for line in of if number < len(line)):
            bench.invoke_worker(held)


def rounds(bench: Bench, until: Callable[[], bool], most_ms: int) -> int:
    """Deliveries and sweeps until this is so, or for so long; gives how long it took."""
    began = bench.clock.now
    while not until() and bench.clock.now - began < most_ms:
        take_turns(bench)
        bench.sweep_once()
        bench.pass_time(seconds=STEP_SECONDS)
    return bench.clock.now - began


def statuses(bench: Bench, task: str) -> list[str]:
    """Of its rows, in their order."""
    return [row.status for row in sorted(bench.all_rows(), key=lambda row: row.row) if row.task == task]


WIDE = 'status:400::{"error": {"message": "Invalid schema for response_format: too many enum values."}}'


def own_template(bench: Bench, project: str, options: int) -> str:
    """A copy of `rct` with one choice among so many options."""
    _, copy = bench.http("POST", "/asl/extraction/templates/rct/clone", {}, project=project)
    field = {"name": "choice", "type": "enum", "label": "Choice", "options": [f"option {n}" for n in range(options)]}
    body = {"version": copy["version"], "fields": [field]}
    status, changed = bench.http("PUT", f"/asl/extraction/templates/{copy['templateId']}", body, project=project)
    assert status == 200, changed
    return str(changed["templateId"])


def formats(provider: Provider) -> list[str]:
    """How each call asked for JSON."""
    return [call.body["response_format"]["type"] for call in provider.calls]


def refusing_wide_schemas(call: Call) -> str:
    """What a provider with a limit of choices does."""
    return WIDE if "option 29" in json.dumps(call.body["response_format"]) else "ok"
