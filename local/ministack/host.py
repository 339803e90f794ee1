"""MiniStack with a pool for the functions' processes, for `local.ministack.emulator`. MiniStack, standard library only.

It would start a process for each call that finds none free; here a call waits. Its inside is pinned by its hash.
"""

import os
import signal
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from copy import deepcopy
from functools import lru_cache
from types import SimpleNamespace
from typing import Any, TypeVar

from ministack.core import lambda_runtime as runtime

ROOM = 8  # beside what the queues may have at work: for the API, the page, the aggregator
STARTS = os.cpu_count() or 2
LOOK_SECONDS = 0.5
END_SECONDS = 5
T = TypeVar("T")


class Pool:
    def __init__(self, size: Callable[[], int]) -> None:
        self._size = size
        self._changed = threading.Condition()
        self._starting = 0
        self._closed = False
        self._ended = False

    def acquire(
        self, name: str, config: dict[str, Any], code: bytes, qualifier: str = "$LATEST", **more: Any
    ) -> tuple[Any, str]:
        """A process of this function, waited for: one that is free, or a new one, which is ready. None at the end."""
        key = runtime._worker_key(name, config, qualifier)
        with self._changed:
            while not self._may_have(key):
                if self._ended:
                    return None, "func_cap"
                # Not for ever: a deployment and the time for which idle ones are kept make room without a word.
                self._changed.wait(LOOK_SECONDS)
            worker, how = runtime.acquire_worker(name, config, code, qualifier, **more)
            if how == "reused":
                return worker, how
            self._starting += 1
        with suppress(Exception):  # the call itself starts it again, and says why it fails
            runtime.ensure_spawned(worker)
        with self._changed:
            self._starting -= 1
            self._changed.notify_all()
        return worker, how

    def release(self, worker: Any) -> None:
        runtime.release_worker(worker)
        with self._changed:
            self._changed.notify_all()

    def close(self) -> None:
        """Nobody gets a process any more; when all at work have ended, or after five seconds, whoever waits is refused."""
        deadline = time.monotonic() + END_SECONDS
        with self._changed:
            self._closed = True
            while runtime.workers_in_use() and time.monotonic() < deadline:
                self._changed.wait(LOOK_SECONDS)
            self._ended = True
            self._changed.notify_all()

    def _may_have(self, key: str) -> bool:
        with runtime._lock:
            if self._closed:
                return False
            if any(not worker.in_use for worker in runtime._workers.get(key, ())):
                return True
            if self._starting >= STARTS:
                return False
            if sum(map(len, runtime._workers.values())) < self._size():
                return True
            idle = self._longest_idle()
        runtime.kill_workers([idle])
        return idle is not None

    def _longest_idle(self) -> Any:
        """Taken out of the pool, where all that it holds is at work or of other functions."""
        idle = [(key, each) for key, found in runtime._workers.items() for each in found if not each.in_use]
        if not idle:
            return None
        key, worker = min(idle, key=lambda each: each[1].last_used)
        runtime._workers[key].remove(worker)
        return worker


def size() -> int:
    """SHEAF_POOL, but never less than all queues may have at work together, and room for who waits for an answer."""
    from ministack.services import lambda_svc  # noqa: PLC0415 - as below

    mappings = lambda_svc._esms.to_dict().values()
    limits = (each.get("ScalingConfig", {}).get("MaximumConcurrency") for each in mappings)
    at_work = sum(int(limit or lambda_svc._ESM_SQS_DEFAULT_CONCURRENCY) for limit in limits)
    return max(int(os.environ.get("SHEAF_POOL") or 0), at_work + ROOM)


def quicker(project: Callable[..., Any]) -> Callable[..., Any]:
    """MiniStack reads a projection anew for each item, and holds each name against each other. Where all are names, that can be left."""

    def projected(item: dict[str, Any], expression: str, names: dict[str, str] | None) -> Any:
        asked = [part.strip() for part in (expression or "").split(",")]
        wanted = {name for each in asked if (name := (names or {}).get(each))}
        if len(wanted) < len(asked):
            return project(item, expression, names)
        return {name: value for name, value in item.items() if name in wanted}

    return projected


def read_once(parse: Callable[..., T]) -> Callable[..., T]:
    """MiniStack reads a role's policies and a request's expressions anew for each request; as text they are known again."""
    known = lru_cache(maxsize=4096)(parse)
    return lambda text, *more: known(text, *more) if isinstance(text, str) else parse(text, *more)


def copied(value: Any) -> Any:
    """MiniStack copies an item four times for each update, which is a third of its time, and looks for what occurs in it twice."""
    if type(value) is dict:
        return {name: copied(each) for name, each in value.items()}
    if type(value) is list:
        return [copied(each) for each in value]
    return value if type(value) is str else deepcopy(value)


def hastened(dynamodb: Any) -> dict[str, Any]:
    """What of it is done otherwise, by name. Each condition is evaluated as before."""
    return {
        "copy": SimpleNamespace(deepcopy=copied),
        "_project_item": quicker(dynamodb._project_item),
        "_tokenize": read_once(dynamodb._tokenize),
        "_condition_syntax_error": read_once(dynamodb._condition_syntax_error),
    }


def main() -> None:
    from hypercorn import asyncio as server  # noqa: PLC0415 - as below
    from ministack import app  # noqa: PLC0415 - the whole emulator: not for whoever wants a pool
    from ministack.core import iam_evaluator  # noqa: PLC0415 - likewise
    from ministack.services import dynamodb, lambda_svc  # noqa: PLC0415 - likewise

    iam_evaluator.parse_policy_document = read_once(iam_evaluator.parse_policy_document)
    for name, better in hastened(dynamodb).items():
        setattr(dynamodb, name, better)
    pool = Pool(size)
    lambda_svc.acquire_worker, lambda_svc.release_worker = pool.acquire, pool.release

    listen = server.serve

    def serve(emulator: Any, config: Any) -> Any:
        """Also at a socket beside its log, for containers: by its name here, which may have 107 bytes, and for every user."""
        config.bind.append("unix:socket")
        config.umask = 0
        return listen(emulator, config)

    server.serve = serve  # type: ignore[assignment]  # which MiniStack calls with just these two

    def end() -> None:
        pool.close()
        os.kill(os.getpid(), signal.SIGTERM)

    # Asked to stop like this, what is at work may end first; SIGTERM itself ends everything at once.
    signal.signal(signal.SIGUSR1, lambda *_: threading.Thread(target=end, daemon=True).start())
    app.main()


if __name__ == "__main__":
    main()
