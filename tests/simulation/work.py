"""The kind of work that the simulation does: acts drawn from the seed, every call written down with its start and end.

A call is made only if it can end before the work has to stop, as every kind must see to.
"""

import random
import zlib
from typing import Any

import count_words
from clinical.export_table import write_file
from sheaf.errors import OutOfTime, Permanent, Throttled, Transient
from sheaf.jobs import Done, Job
from tests.simulation import provider
from tests.simulation.calls import Call
from tests.simulation.kernel import Kernel, Killed

CALL_TIMEOUT_S = 25
FIELD = "n_randomised"


class PlannedDefect(Exception):
    """A defect of the kind's own code."""


def work(job: Job) -> Done:
    """Read, ask the provider, answer."""
    sandbox: Any = Kernel.latest.current
    sandbox.works_on = (job.task, job.row)
    if sandbox.exports:
        return _export(job, sandbox)
    content = job.read()
    if job.ask is not None:
        provider.ask(job, content)
        return _done(job, content, "ok")
    act, seconds = choose(sandbox.world, job)
    if job.seconds_left() < min(seconds, CALL_TIMEOUT_S):
        raise OutOfTime("Too little time is left for a call.")
    sandbox.act = act
    call = Call((job.task, job.row), sandbox, sandbox.kernel.now)
    sandbox.world.invariants.call_started(call)
    try:
        sandbox.wait(int(seconds * 1000))
        _play(sandbox, act)
        call.outcome = "ok"
    except Killed:
        call.outcome = "killed"
        raise
    except Exception as error:
        call.outcome = type(error).__name__
        raise
    finally:
        call.ended = sandbox.kernel.now
        sandbox.world.invariants.call_ended(call)
    return _done(job, content, act)


def _done(job: Job, content: bytes, act: str) -> Done:
    told = count_words.work(job) if job.item.key.startswith("inputs/") else Done({})
    data = {"row": job.row, "attempt": job.attempt, "read": zlib.crc32(content), **_as_a_paper(job), **told.data}
    return Done(data, {"act": act}, told.marks)


def _as_a_paper(job: Job) -> dict[str, Any]:
    """What a file of the table shows of it, so that a line says whose it is and of which attempt."""
    value = {"value": job.attempt, "state": "found", "page": 1, "quote": "so many", "match": "exact"}
    return {"studyId": f"{job.task}#{job.row}.{job.attempt}", "fields": {FIELD: value}}


def _export(job: Job, sandbox: Any) -> Done:
    """The real work, and sometimes what befalls it in the middle: something takes long, or fails."""
    act, seconds = choose(sandbox.world, job)
    sandbox.act = "write"
    done = write_file.work(job)
    sandbox.act = act
    if job.seconds_left() < min(seconds, CALL_TIMEOUT_S):
        raise OutOfTime("Too little time is left.")
    sandbox.wait(int(seconds * 1000))
    _play(sandbox, act)
    return done


def choose(world: Any, job: Job) -> tuple[str, float]:
    """What the provider does this time, and for how long."""
    rng = random.Random(zlib.crc32(f"{world.seed}/{job.task}/{job.row}/{job.attempt}".encode()))
    seconds = rng.uniform(0.2, 8)
    if world.quiet:
        return "ok", seconds
    for kind, act in (("provider_throttles", "throttle"), ("provider_fails", "transient"), ("provider_hangs", "hang")):
        if world.happening(kind):
            return act, 3600 if act == "hang" else seconds
    acts = world.swarm.acts
    act = rng.choices(list(acts), list(acts.values()))[0]
    return act, {"hang": 3600, "slow": rng.uniform(5, 24)}.get(act, seconds)


def _play(sandbox: Any, act: str) -> None:
    match act:
        case "throttle":
            raise Throttled("Too many requests.", sandbox.rng.choice([None, 1, 30, 300]))
        case "transient":
            raise Transient("The provider failed.")
        case "permanent":
            raise Permanent("The document is refused.")
        case "defect":
            raise PlannedDefect
        case "out_of_memory":
            sandbox.faulted = True
            sandbox.kill("out of memory")
            raise Killed
