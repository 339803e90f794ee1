"""What a provider's bad hours cost: the real handlers on moto, virtual time, workers side by side, a scripted model.

Ten workers are in flight at once: each holds its message while its call takes four virtual seconds, so that when a
storm begins ten calls fail together. The provider counts what it is asked; nothing is counted by what is measured.
"""

import heapq
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from bench.report import Line
from sheaf import wiring
from sheaf.wiring import Answered
from tests.support import models
from tests.support.bench import Bench, stack
from tests.support.provider import Provider, serving

DOCUMENTS, CONCURRENCY = 1_000, 10
CALL_MS = 4_000
MINUTE_MS = 60_000
STORM_MINUTES, OUTAGE_MINUTES = 30, 120
BEGINS_MS = 2 * MINUTE_MS
GIVE_UP_MS = 48 * 60 * MINUTE_MS


@dataclass
class Weather:
    """What the provider is asked in one run, and what it says at which time."""

    storm_ms: int
    refusal: Answered
    began: int = 0
    asked: int = 0
    refused: int = 0

    def answers(self, instant: int) -> bool:
        since = instant - self.began - BEGINS_MS
        return not 0 <= since < self.storm_ms


@contextmanager
def _stack() -> Iterator[tuple[Bench, Provider]]:
    with tempfile.TemporaryDirectory() as folder, serving() as provider, stack(Path(folder) / "log") as bench:
        models.configure(bench, provider)
        yield bench, provider


def _run(weather: Weather) -> tuple[Weather, int]:
    """A thousand documents through such weather. Gives what was asked, and how many documents were not completed."""
    with _stack() as (bench, _):
        documents = [bench.paper(f"Paper {number}.", f"{number}.txt") for number in range(DOCUMENTS)]
        status, task = bench.post(documents, kind="extract_paper", engine="openai")
        assert status == 202, task
        weather.began = bench.clock.now
        world = bench.worker_world()
        bench.worlds["ExtractPaperFunction"] = replace(world, post=_posting(bench, weather))
        wiring.worlds.pop(type(world.settings), None)
        _drain(bench, weather)
        rows = bench.all_rows()
    return weather, sum(row.status != "completed" for row in rows)


def _posting(bench: Bench, weather: Weather) -> Callable[..., Answered]:
    """A call: it is answered by the weather of its beginning, and lasts."""

    def post(_url: str, body: bytes, _headers: Any, _seconds: float, _limit: int) -> Answered:
        weather.asked += 1
        fine = weather.answers(bench.clock.now)
        weather.refused += not fine
        bench.clock.now += CALL_MS
        return Answered(200, {}, _form(body)) if fine else weather.refusal

    return post


@cache
def _empty() -> bytes:
    import json  # noqa: PLC0415

    from sheaf.engines import prompts  # noqa: PLC0415
    from sheaf.templates import find  # noqa: PLC0415

    form = {field.name: prompts.example(field) for field in find("rct").fields}
    message = {"role": "assistant", "content": json.dumps(form)}
    usage = {"prompt_tokens": 1_000, "completion_tokens": 200}
    told = {"choices": [{"message": message, "finish_reason": "stop"}], "usage": usage}
    return json.dumps(told).encode()


def _form(_body: bytes) -> bytes:
    return _empty()


def _drain(bench: Bench, weather: Weather) -> None:
    """Workers side by side in virtual time: each begins at its own instant, and what it did is seen when it ends.

    The process has one thread, so a worker's whole handling runs at the instant it begins, with a clock of its own.
    """
    free = [bench.clock.now] * CONCURRENCY
    heapq.heapify(free)
    swept = bench.clock.now
    until = bench.clock.now + GIVE_UP_MS
    while bench.clock.now < until:
        begins = heapq.heappop(free)
        bench.clock.now = max(begins, swept)
        due = next((held for held in bench.held.values() if held.visible_at <= bench.clock.now), None)
        if due is not None:
            began = bench.clock.now
            bench.invoke_worker(due)
            heapq.heappush(free, max(bench.clock.now, began + 20))
            bench.clock.now = began
        else:
            soonest = min((held.visible_at for held in bench.held.values()), default=bench.clock.now + MINUTE_MS)
            heapq.heappush(free, min(max(soonest, begins + 250), begins + MINUTE_MS))
        if bench.clock.now - swept >= MINUTE_MS:
            swept = bench.clock.now
            bench.sweep_once()
            if all(task.status == "completed" for task in bench.tasks()):
                return
    raise AssertionError("the task did not close in two virtual days")


THROTTLED = Answered(429, {}, b"{}")
DOWN = Answered(503, {}, b"{}")


@cache
def _storm() -> tuple[Weather, int]:
    return _run(Weather(STORM_MINUTES * MINUTE_MS, THROTTLED))


@cache
def _outage() -> tuple[Weather, int]:
    return _run(Weather(OUTAGE_MINUTES * MINUTE_MS, DOWN))


def storm_calls() -> Line:
    """Calls per needed call: a thousand documents, half an hour of 429 in their midst."""
    weather, _ = _storm()
    more = {"asked": weather.asked, "refused": weather.refused, "documents": DOCUMENTS, "concurrency": CONCURRENCY}
    return Line(weather.asked / DOCUMENTS, "calls per needed call", more=more)


def outage_extra() -> Line:
    """Calls that failed while the provider was away for two hours."""
    weather, _ = _outage()
    return Line(weather.refused, "calls", more={"asked": weather.asked, "concurrency": CONCURRENCY})


def lost() -> Line:
    """Documents that were not completed after the storm and after the outage."""
    return Line(_storm()[1] + _outage()[1], "documents")


def sdk_retries() -> Line:
    """Requests that the server sees for one call answered 503: the worse of the two engines."""
    seen = []
    for engine, act in (("openai", "status:503::{}"), ("bedrock", "error:ServiceUnavailableException:503:no")):
        with _stack() as (bench, provider):
            provider.play(act)
            bench.post([bench.paper("A paper.")], kind="extract_paper", engine=engine)
            bench.deliver()
            seen.append(len(provider.calls))
    return Line(max(seen), "requests", more={"openai": seen[0], "bedrock": seen[1]})
