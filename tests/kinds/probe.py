"""A kind of work that does what its document says: for tests and benchmarks only.

The document is JSON: `{"acts": ["throttle:3", "transient", "ok"], "sleep_ms": 50}`. Attempt n plays act n, the last
one from then on. Every call is written to the file PROBE_LOG names, by one appending write, so that calls are
counted here and not by what is being tested.
"""

import json
import os
import signal
import time
from pathlib import Path

from sheaf.errors import Permanent, Throttled, Transient
from sheaf.jobs import Done, Job

sleep = time.sleep


def work(job: Job) -> Done:
    """Play this attempt's act."""
    script = json.loads(job.read())
    acts = script.get("acts", ["ok"])
    act, _, argument = acts[min(job.attempt, len(acts)) - 1].partition(":")
    _record(job, act)
    sleep(script.get("sleep_ms", 0) / 1000)
    match act:
        case "ok" | "sleep":
            sleep(int(argument or 0) / 1000)
            return Done({"attempt": job.attempt, "echo": script.get("echo")}, {"act": act})
        case "throttle":
            raise Throttled("The probe was told to be throttled.", float(argument or 1))
        case "transient":
            raise Transient("The probe was told to fail for a while.")
        case "permanent":
            raise Permanent("The probe was told to fail for good.")
        case "defect":
            raise ZeroDivisionError(argument)
        case "hang":
            sleep(3600)
        case "crash":
            os.kill(os.getpid(), signal.SIGKILL)
    raise ValueError(act)


def _record(job: Job, act: str) -> None:
    log = os.environ.get("PROBE_LOG")
    if log:
        said = {"task": job.task, "row": job.row, "attempt": job.attempt, "act": act, "pid": os.getpid()}
        line = json.dumps({**said, "at": time.time(), "seconds_left": job.seconds_left()})
        with Path(log).open("a") as file:
            file.write(line + "\n")
