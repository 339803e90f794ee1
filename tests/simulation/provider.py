"""A model's provider in virtual time: it answers, asks for patience, fails, says nothing, answers rubbish, wants money.

Only the HTTP answer is played. What asks (`engines.asking`, `engines.openai`), what waits, pays, keeps and shuts
(`line`, `provider_gate`, `replies`) are the product's.
"""

import json
import random
import zlib
from typing import Any

from clinical.engines import asking
from clinical.papers import Page, Paper
from clinical.templates import Field, Template
from sheaf.engine_settings import EngineSettings
from sheaf.errors import Failure, Permanent, Throttled, TimedOut
from sheaf.jobs import Job
from sheaf.outside.http_request import Answered
from tests.simulation.calls import Call
from tests.simulation.kernel import Kernel, Killed

NAME = "openai"
CALL_SECONDS = 25
TEMPLATE = Template(
    "sim", 1, "Simulated", "模拟", "One question.", (Field("title", "string", "Title", "标题", "The paper's title."),)
)
GOOD = json.dumps({"title": {"state": "not_found", "value": "", "quote": "", "page": 0}})
OUTAGES = {
    "provider_throttles": "429",
    "provider_fails": "500",
    "provider_hangs": "hang",
    "provider_garbage": "garbage",
    "provider_account": "account",
}


def gate_of(task: str) -> str:
    """The name of the provider's gate that this task's project has."""
    return f"provider/{NAME}/{task.partition('/')[0]}"


def settings(calls_per_minute: int) -> EngineSettings:
    return EngineSettings(
        NAME, "model", url="http://model", call_seconds=CALL_SECONDS, calls_per_minute=calls_per_minute, price="1/1/1"
    )


def ask(job: Job, content: bytes) -> None:
    """Have the row's document read by the model, as a kind of work does; the row's act is what came of it."""
    sandbox: Any = Kernel.latest.current
    try:
        asking.answer(Paper("text", (Page(1, content.decode()),)), TEMPLATE, job)
        sandbox.act = "ok"
    except Failure as failure:
        sandbox.act = (
            "throttle"
            if isinstance(failure, Throttled)
            else "permanent"
            if isinstance(failure, Permanent)
            else "transient"
        )
        raise


class Provider:
    """Everybody's provider in one world."""

    def __init__(self, simulation: Any) -> None:
        self.sim = simulation
        self.script = list(simulation.shape.script)

    def post(self, sandbox: Any, seconds: float) -> Answered:
        """One request and its answer. Raises Unavailable, as `wiring.ask` does."""
        world = self.sim
        answer, takes = self._draw(sandbox)
        sandbox.sent_requests += 1
        call = Call(sandbox.works_on, sandbox, world.kernel.now, question=sandbox.looked_for)
        world.invariants.asked(call)
        try:
            sandbox.wait(int(min(takes, seconds) * 1000))
            return self._arrive(sandbox, call, "hang" if takes > seconds else answer)
        except Killed:
            call.outcome = "killed"
            raise
        finally:
            call.ended = world.kernel.now
            world.invariants.told(call)

    def _arrive(self, sandbox: Any, call: Call, answer: str) -> Answered:
        """What the process gets of an answer, if it lives to see it."""
        call.outcome = answer
        self.sim.note(f"PROVIDER {answer}", sandbox, "post")
        if answer == "hang":
            call.timed_out = True
            raise TimedOut("post: ReadTimeoutError")
        if answer == "out_of_memory":
            call.paid = sandbox.faulted = True
            sandbox.kill("out of memory")
            raise Killed
        answered = self._answered(answer, sandbox)
        call.metered = b"choices" in answered.body
        call.paid = call.metered and answer != "busy"
        return answered

    def _draw(self, sandbox: Any) -> tuple[str, float]:
        """What it answers this time, and after how long."""
        world = self.sim
        row, number = sandbox.works_on, sandbox.sent_requests
        rng = random.Random(zlib.crc32(f"{world.seed}/{row}/{sandbox.name}/{number}".encode()))
        seconds = rng.uniform(0.2, 8)
        if self.script:
            return self.script.pop(0), seconds
        if world.quiet:
            return "ok", seconds
        if self._is_poison(row):
            return world.shape.poison, seconds
        answers = world.swarm.answers
        answer = rng.choices(list(answers), list(answers.values()))[0]
        outage = next((told for kind, told in OUTAGES.items() if world.happening(kind)), None)
        answer = outage or answer
        return answer, 3600 if answer == "hang" else rng.uniform(9, 24) if answer == "slow" else seconds

    def _is_poison(self, row: tuple[str, int]) -> bool:
        """Whether the row's paper is one of the second project's at which the provider always fails in its own way."""
        if not self.sim.shape.poison or not row[0].startswith("p2/"):
            return False
        number = int(self.sim.row(*row)["document"]["S"].removeprefix("d"))
        return number < self.sim.shape.poisoned

    def _answered(self, answer: str, sandbox: Any) -> Answered:
        rng = sandbox.rng
        sandbox.asked_ms = 0
        match answer:
            case "429":
                asked = rng.choice([None, 1, 20, 60])
                return self._refusal(sandbox, 429, "Too many requests", asked)
            case "429 for long":
                return self._refusal(sandbox, 429, "Too many requests", rng.choice([125, 200]))
            case "account":
                return self._refusal(sandbox, rng.choice([401, 402]), "Insufficient Balance", None)
            case "blocked":
                return Answered(403, {}, b"<html>blocked</html>")
            case "forbidden":
                return self._refusal(sandbox, 403, "Access denied", None)
            case "500":
                return self._refusal(sandbox, rng.choice([500, 503, 529]), "overloaded", rng.choice([None, 30]))
            case "format":
                return self._refusal(sandbox, 400, "response_format json_schema is not supported", None)
            case "refused":
                return self._refusal(sandbox, 400, "Content Exists Risk", None)
            case "garbage":
                return Answered(200, {}, rng.choice([b"<html>", self._reply("{no JSON", "stop")]))
            case "busy":
                return Answered(200, {}, self._reply("", "insufficient_system_resource"))
            case _:
                return Answered(200, {}, self._reply(GOOD, "stop"))

    def _refusal(self, sandbox: Any, status: int, message: str, asked: int | None) -> Answered:
        sandbox.asked_ms = (asked or 0) * 1000
        headers = {"retry-after": str(asked)} if asked else {}
        return Answered(status, headers, json.dumps({"error": {"message": message}}).encode())

    def _reply(self, text: str, stop: str) -> bytes:
        usage = {"prompt_tokens": 100, "completion_tokens": 10}
        return json.dumps({"choices": [{"message": {"content": text}, "finish_reason": stop}], "usage": usage}).encode()
