"""Dramatiq over Redis: a group of N messages with a completion callback."""

from typing import Any

import dramatiq
from asked import JOB_SECONDS, URL, answer, work
from dramatiq.brokers.redis import RedisBroker
from dramatiq.middleware import GroupCallbacks
from dramatiq.rate_limits.backends import RedisBackend as Limits
from dramatiq.results import Results, ResultTimeout
from dramatiq.results.backends import RedisBackend as Answers
from redis import Redis

broker = RedisBroker(url=URL, heartbeat_timeout=JOB_SECONDS * 1000, maintenance_chance=50_000)
# redis-py gives up a read after 5 s; who waits for a result waits longer.
broker.add_middleware(Results(backend=Answers(client=Redis.from_url(URL, socket_timeout=None))))
broker.add_middleware(GroupCallbacks(Limits(url=URL)))
dramatiq.set_broker(broker)
batches: dict[str, Any] = {}


@dramatiq.actor(store_results=True)
def job(batch: str, number: int, sleep_ms: int) -> bool:
    work(batch, number, sleep_ms)
    return True


@dramatiq.actor(store_results=True)
def closed() -> bool:
    return True


def accept(batch: str, count: int, sleep_ms: int) -> None:
    group = dramatiq.group(job.message(batch, number, sleep_ms) for number in range(count))
    told = closed.message()
    group.add_completion_callback(told)
    batches[batch] = (group.run(), told)


def progress(batch: str) -> dict[str, int]:
    redis = Redis.from_url(URL)
    before = redis.info("stats")["total_commands_processed"]
    done = batches[batch][0].completed_count
    return {"done": done, "calls": redis.info("stats")["total_commands_processed"] - before - 1}


def wait(batch: str, within: float) -> bool:
    try:
        return bool(batches[batch][1].get_result(block=True, timeout=int(within * 1000)))
    except ResultTimeout:
        return False


def clear() -> None:
    batches.clear()
    Redis.from_url(URL).flushall()


if __name__ == "__main__":
    answer(accept, progress, wait, clear)
