"""The pool of the local stack's functions, with MiniStack's own processes."""

import gc
import io
import sys
import zipfile
from concurrent.futures import ThreadPoolExecutor

import pytest
from ministack.core import lambda_runtime as runtime

from local.ministack.host import Pool

CODE = "import time\ndef handler(event, context):\n    time.sleep(event)\n    return event\n"
POOL = 3


def _zip():
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("code.py", CODE)
    return made.getvalue()


def _config(name):
    return {
        "FunctionName": name,
        "FunctionArn": f"arn:aws:lambda:us-east-1:000000000000:function:{name}",
        "Runtime": f"python3.{sys.version_info.minor}",
        "Handler": "code.handler",
    }


# MiniStack leaves the pipes of a process that it has ended to be collected.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


@pytest.fixture
def pool():
    yield Pool(lambda: POOL)
    runtime.reset()
    gc.collect()


def _call(pool, name, seconds=0.05):
    """One call; how many processes there were while it was at work."""
    worker, _ = pool.acquire(name, _config(name), _zip())
    try:
        assert worker.invoke(seconds, "a-request")["status"] == "ok"
        return sum(len(found) for found in runtime._workers.values())
    finally:
        pool.release(worker)


def test_calls_wait_for_a_process_when_there_are_more_of_them_than_the_pool_holds(pool):
    with ThreadPoolExecutor(12) as callers:
        seen = list(callers.map(lambda _: _call(pool, "api"), range(24)))
    assert len(seen) == 24
    assert max(seen) <= POOL


def test_an_idle_process_of_another_function_makes_room_when_the_pool_is_full(pool):
    for name in ("one", "two", "three"):
        _call(pool, name)
    assert _call(pool, "four") == POOL
    assert _call(pool, "two") == POOL, "the one that was idle for longest went, not this one"
    assert {key.split(":")[2] for key, found in runtime._workers.items() if found} == {"two", "three", "four"}


def test_a_call_gets_a_process_when_one_at_work_is_given_back(pool):
    held = [pool.acquire("api", _config("api"), _zip())[0] for _ in range(POOL)]
    with ThreadPoolExecutor(1) as caller:
        waiting = caller.submit(pool.acquire, "api", _config("api"), _zip())
        with pytest.raises(TimeoutError):
            waiting.result(0.3)
        pool.release(held[0])
        assert waiting.result(10) == (held[0], "reused")


def test_whoever_waits_is_refused_when_what_was_at_work_has_ended_and_the_pool_closes(pool):
    """A call that waited on would keep the emulator from ending."""
    worker, _ = pool.acquire("other", _config("other"), _zip())
    with ThreadPoolExecutor(2) as callers:
        closing = callers.submit(pool.close)
        with pytest.raises(TimeoutError):
            closing.result(0.3)
        waiting = callers.submit(pool.acquire, "api", _config("api"), _zip())
        with pytest.raises(TimeoutError):
            waiting.result(0.3)
        pool.release(worker)
        closing.result(10)
        assert waiting.result(10)[0] is None
