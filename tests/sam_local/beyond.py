"""Takes the probe's place in a container: work that wants more than its function has."""

import json
import signal
import time
from typing import Any

from sheaf.jobs import Job

# Deaf to the alarm with which a worker stops itself, as a call into a library that does not return.
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})

HOARD: list[bytes] = []


def work(job: Job) -> Any:
    match json.loads(job.read())["beyond"]:
        case "memory":
            while True:
                HOARD.append(b"x" * (8 << 20))
        case "time":
            time.sleep(3600)
