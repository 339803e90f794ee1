"""Takes the probe's place in a container: work that wants more than its function has."""

import json
import signal
import time
from typing import Any

from sheaf.kinds import Job

HOARD: list[bytes] = []


def work(job: Job) -> Any:
    match json.loads(job.read())["beyond"]:
        case "memory":
            while True:
                HOARD.append(b"x" * (8 << 20))
        case "time":
            # Deaf to the worker's own alarm, as a call into a library that never returns.
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})
            time.sleep(3600)
