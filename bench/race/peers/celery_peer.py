"""Celery over Redis: a chord of N jobs, whose body runs when all are done."""

from typing import Any

from asked import JOB_SECONDS, URL, answer, work
from celery import Celery, chord
from celery.exceptions import TimeoutError as NotInTime
from redis import Redis

app = Celery("celery_peer", broker=URL, backend=URL)
app.conf.update(
    task_acks_late=True,
    task_reject_on_worker_lost=True,
    worker_prefetch_multiplier=1,
    broker_transport_options={"visibility_timeout": JOB_SECONDS, "unacked_restore_throttle": 1},
    broker_connection_retry_on_startup=True,
)
batches: dict[str, Any] = {}


@app.task
def job(batch: str, number: int, sleep_ms: int) -> None:
    work(batch, number, sleep_ms)


@app.task
def closed() -> bool:
    return True


def accept(batch: str, count: int, sleep_ms: int) -> None:
    batches[batch] = chord(job.s(batch, number, sleep_ms) for number in range(count))(closed.si())


def progress(batch: str) -> dict[str, int]:
    redis = Redis.from_url(URL)
    before = redis.info("stats")["total_commands_processed"]
    done = batches[batch].parent.completed_count()
    return {"done": done, "calls": redis.info("stats")["total_commands_processed"] - before - 1}


def wait(batch: str, within: float) -> bool:
    try:
        return bool(batches[batch].get(timeout=within))
    except NotInTime:
        return False


def clear() -> None:
    batches.clear()
    Redis.from_url(URL).flushall()


if __name__ == "__main__":
    answer(accept, progress, wait, clear)
