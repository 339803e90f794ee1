"""A task's whole life on the bench, function by function: what each of them asks AWS for."""

from collections.abc import Callable
from functools import partial
from typing import Any

from tests.support.bench import TASKS, Bench
from tests.support.clients import client
from tests.support.items import DAY


def a_whole_life(bench: Bench) -> dict[str, list[Any]]:
    """Every function at its work: gives the calls of each."""
    made: dict[str, list[Any]] = {}

    def during(function: str, act: Callable[[], Any]) -> Any:
        with bench.calls.watch() as calls:
            answer = act()
            made.setdefault(function, []).extend(calls.made)
        return answer

    documents = [bench.probe(act) for act in ("ok", "permanent", "transient", "throttle:60")]
    task = during("ApiFunction", lambda: bench.open(documents, kind="probe", key="k"))
    item = bench.task(task)
    item.dispatch_until, item.scattered_at, item.scatter_cursor = 0, None, 0
    bench.put(item)
    for action in ("pause", "resume"):
        during("ApiFunction", partial(bench.http, "POST", f"{TASKS}/{task}/{action}"))
        during("AggregatorFunction", bench.sweep_once)
    bodies = bench.queued()
    during("ProbeFunction", lambda: bench.deliver("probe"))
    during("DeadLetterFunction", lambda: bench.dead(bodies[-1]))
    bench.pass_time(minutes=3)
    bench.lose_messages()
    for _ in range(3):
        during("AggregatorFunction", bench.sweep_once)
        bench.pass_time(minutes=1)
    during("ApiFunction", lambda: bench.http("POST", f"{TASKS}/{task}/cancel"))
    during("AggregatorFunction", bench.sweep)
    during("ApiFunction", lambda: bench.http("POST", f"{TASKS}/{task}/retry"))
    for path in (TASKS, f"{TASKS}/{task}", f"{TASKS}/{task}/results?view=latest", f"/asl/extraction/results/{task}-0"):
        status, _ = during("ApiFunction", partial(bench.http, "GET", path))
        assert status == 200, path
    during("ApiFunction", lambda: bench.http("POST", "/asl/extraction/templates/rct/clone"))
    client("s3").put_object(Bucket="databucket", Key=f"tasks/p1/{task}/rows/7-7.json", Body=b"")
    bench.clock.now = bench.clock.now + 400 * DAY
    item = bench.task(task)
    item.completed_at = bench.clock.now - 2 * DAY
    bench.put(item)
    during("JanitorFunction", bench.tidy)
    during("ApiFunction", lambda: bench.http("DELETE", f"{TASKS}/{task}"))
    during("JanitorFunction", bench.tidy)
    return made
