"""Bugs of exports: sentences of ADR 43, each left out in one small change."""

from tests.simulation.planted.bug import Bug, bug
from tests.support.anchored import Edit

BUGS: list[Bug] = [
    bug(
        "a file is made of what another attempt read",
        "a row of the table is read by itself, with the payload that it points at",
        Edit(
            "_rows",
            "payloads.read(world, rows)",
            "[{**(data or {}), 'studyId': f\"{(data or {}).get('studyId', '')[:-1]}1\"} if row.data_key else None for row, data in zip(rows, payloads.read(world, rows), strict=True)]",
        ),
        mix="exports",
    ),
    bug(
        "a table is read as far as its first page",
        "all of the table, however DynamoDB cuts its pages",
        Edit("rows", "later.instead_of(queries.shard_rows(world, task, number))", "later.instead_of(queries.rows_from(world, task, number * task.shard_rows, task.shard_rows))"),
        mix="exports",
    ),
    bug(
        "retried rows are in the file as they failed",
        "the rows as they are now, with what retries made of them",
        Edit("rows", "later.instead_of(queries.shard_rows(world, task, number))", "queries.shard_rows(world, task, number)"),
        mix="exports",
    ),
    bug(
        "a retried row is in the file beside its retry",
        "each row once",
        Edit("rows", "later.instead_of(queries.shard_rows(world, task, number))", "(was := queries.shard_rows(world, task, number)) + [row for row in later.instead_of(was) if row not in was]"),
        mix="exports",
    ),
    bug(
        "a failed export is found again for ever",
        "one that failed is followed by another when it is asked for again",
        Edit("create", "not (opened.item.failed or opened.item.task.is_over(world.now()))", "not opened.item.task.is_over(world.now())"),
        mix="exports",
    ),
    bug(
        "an export that is over is found again",
        "one that expired is followed by another when it is asked for again",
        Edit("create", "not (opened.item.failed or opened.item.task.is_over(world.now()))", "not opened.item.failed"),
        mix="exports",
    ),
    bug(
        "every order is another file",
        "the same request on an unchanged table finds the file that is there",
        Edit("_open", "scatter.task_id(caller.project, f'export {task.task} {seed}')", "scatter.task_id(caller.project, f'export {task.task} {seed} {world.token()}')"),
        mix="exports",
    ),
    bug(
        "the row points at a file that is not stored yet",
        "the row points at it only when it is whole",
        Edit("write", "objects.put(world, where, content)", "pass"),
        Edit(
            "_settle",
            "return _ended(delivery, row, written, spent)",
            "if outcome.file:\n    objects.put(world, key, b'late')\nreturn _ended(delivery, row, written, spent)",
        ),
        mix="exports",
    ),
    bug(
        "an export stands in its project's list",
        "it stands in its task's list and in no project's",
        Edit("_open", "{'listed_in': task.task, 'expires_at': now + world.settings.export_days * DAY_MS}", "{'listed_in': task.project, 'expires_at': now + world.settings.export_days * DAY_MS}"),
        mix="exports",
    ),
    bug(
        "exports are not erased with their task",
        "as it does when its task is deleted",
        Edit("_erase", "sum((_erase(world, each, gone_at) for each in ended))", "0"),
        mix="exports",
    ),
    bug(
        "an export that is still written is erased with its task",
        "without its row and its manifest it never ends",
        Edit("_erase", "[each for each in exports if each.status in CLOSED]", "exports"),
        mix="exports",
    ),
    bug(
        "an export that is over is never erased",
        "the janitor erases its row and its objects",
        Edit("_tidy_task", "task.deleted_at or (task.expires_at if over else None)", "task.deleted_at"),
        mix="exports",
    ),
    bug(
        "an export that is over is still given",
        "from then on it is not shown",
        Edit("is_over", "self.deleted_at is not None or (self.expires_at is not None and self.expires_at <= now)", "self.deleted_at is not None"),
        mix="exports",
    ),
    bug(
        "a task's list lacks its exports",
        "an export stands in its own task's list",
        Edit("every", "task.task", "task.project"),
        mix="exports",
    ),
    bug(
        "an export is shown at another task",
        "an export stands in its own task's list",
        Edit("find", "found.listed_in != task.task", "found.listed_in is None"),
        mix="exports",
    ),
]  # fmt: skip
