"""procrastinate over PostgreSQL: N jobs deferred at once into a queue of their own, whose counts are asked for."""

import asyncio
from typing import Any

from asked import URL, answer, note, until
from procrastinate import App, PsycopgConnector

app = App(connector=PsycopgConnector(conninfo=URL))
totals: dict[str, int] = {}


@app.task(name="job")
async def job(batch: str, number: int, sleep_ms: int) -> None:
    note(batch, number, "begun")
    await asyncio.sleep(sleep_ms / 1000)
    note(batch, number, "ended")


@app.periodic(cron="* * * * * */10")
@app.task(queueing_lock="retry_stalled_jobs", pass_context=True)
async def retry_stalled_jobs(context: Any, timestamp: int) -> None:  # noqa: ARG001 - what procrastinate gives
    """As its documentation has it, but every ten seconds: nobody retries a dead worker's jobs otherwise."""
    for stalled in await app.job_manager.get_stalled_jobs():
        await app.job_manager.retry_job(stalled)


def accept(batch: str, count: int, sleep_ms: int) -> None:
    totals[batch] = count
    job.configure(queue=batch).batch_defer(
        *({"batch": batch, "number": number, "sleep_ms": sleep_ms} for number in range(count))
    )


def progress(batch: str) -> dict[str, int]:
    (counts,) = app.job_manager.list_queues(queue=batch)
    return {"done": counts["succeeded"], "calls": 1}


def wait(batch: str, within: float) -> bool:
    return until(lambda: progress(batch)["done"] == totals[batch], within)


def clear() -> None:
    totals.clear()
    app.connector.get_sync_connector().execute_query("TRUNCATE procrastinate_jobs CASCADE")


if __name__ == "__main__":
    with app.open():
        if not app.check_connection():
            app.schema_manager.apply_schema()
        answer(accept, progress, wait, clear)
