"""What a provider's bad hours cost: the real handlers on moto, virtual time, workers side by side, a scripted model.

Ten workers are in flight at once: each holds its message while its call takes four virtual seconds, so that when a
storm begins ten calls fail together. The provider counts what it is asked; nothing is counted by what is measured.
"""

import heapq
import itertools
import json
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from bench.report import Line
from clinical.engines import prompts
from clinical.templates import find
from sheaf.outside.http_request import Answered
from tests.support import model_engines
from tests.support.bench import Bench, stack
from tests.support.provider import Provider, serving

DOCUMENTS, CONCURRENCY = 1_000, 10
CALL_MS = 4_000
ACCEPTED = 202
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
        model_engines.configure(bench, provider)
        yield bench, provider


def _run(weather: Weather) -> tuple[Weather, int]:
    """A thousand documents through such weather. Gives what was asked, and how many documents were not completed."""
    with _stack() as (bench, _):
        documents = [bench.paper(f"Paper {number}.", f"{number}.txt") for number in range(DOCUMENTS)]
        status, task = bench.post(documents, kind="extract_paper", engine="openai")
        assert status == ACCEPTED, task
        weather.began = bench.clock.now
        world = bench.worker_world()
        workers = _Workers(bench)
        bench.worlds["ExtractPaperFunction"] = replace(
            world, post=_posting(workers, weather), sleep=lambda seconds: workers.park(int(seconds * 1000))
        )
        workers.run()
        rows = bench.all_rows()
    return weather, sum(row.status != "completed" for row in rows)


def _posting(workers: "_Workers", weather: Weather) -> Callable[..., Answered]:
    """A call: it is answered by the weather of its beginning, and lasts."""

    def post(_url: str, _body: bytes, _headers: Any, _seconds: float, _limit: int) -> Answered:
        weather.asked += 1
        fine = weather.answers(workers.bench.clock.now)
        weather.refused += not fine
        workers.park(CALL_MS)
        return Answered(200, {}, _empty()) if fine else weather.refusal

    return post


@cache
def _empty() -> bytes:
    form = {field.name: prompts.example(field) for field in find("rct").fields}
    message = {"role": "assistant", "content": json.dumps(form)}
    usage = {"prompt_tokens": 1_000, "completion_tokens": 200}
    told = {"choices": [{"message": message, "finish_reason": "stop"}], "usage": usage}
    return json.dumps(told).encode()


class _Workers:
    """Workers side by side in virtual time: threads of which one runs at a time, each parked while it waits.

    So ten calls are truly in flight when the weather turns, and each sees the gate as it stands at its own instants.
    """

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.parked: list[tuple[int, int, threading.Event]] = []
        self.turns = itertools.count()
        self.working = 0
        self.back = threading.Event()

    def park(self, milliseconds: int) -> None:
        """Wait, as a worker, while the others go on."""
        mine = threading.Event()
        heapq.heappush(self.parked, (self.bench.clock.now + milliseconds, next(self.turns), mine))
        self.back.set()
        mine.wait()

    def run(self) -> None:
        """Until the task has closed. Raises AssertionError where it does not."""
        clock, until = self.bench.clock, self.bench.clock.now + GIVE_UP_MS
        sweep_at = clock.now
        while clock.now < until:
            held = self._next_message()
            instants = [sweep_at, *([self.parked[0][0]] if self.parked else []), *([held.visible_at] if held else [])]
            clock.now = max(clock.now, min(instants))
            if self.parked and self.parked[0][0] <= clock.now:
                self._resume(heapq.heappop(self.parked)[2].set)
            elif held and held.visible_at <= clock.now:
                self.working += 1
                self._resume(threading.Thread(target=self._work, args=(held,), daemon=True).start)
            else:
                self.bench.sweep_once()
                sweep_at = clock.now + MINUTE_MS
                if all(task.status == "completed" for task in self.bench.tasks()):
                    return
        raise AssertionError("the task did not close in two virtual days")

    def _next_message(self) -> Any:
        if self.working == CONCURRENCY:
            return None
        return min(self.bench.held.values(), key=lambda held: held.visible_at, default=None)

    def _resume(self, begin: Callable[[], None]) -> None:
        """Let one worker go on until it parks again or ends."""
        self.back.clear()
        begin()
        self.back.wait()

    def _work(self, held: Any) -> None:
        try:
            self.bench.invoke_worker(held)
        finally:
            self.working -= 1
            self.back.set()


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
