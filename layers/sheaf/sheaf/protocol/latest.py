"""A task's table with what its retries made of it: for the pages of the API, and for work that takes the whole of it."""

from collections.abc import Iterator, Sequence

from sheaf.items import Row, Task
from sheaf.outside import objects
from sheaf.outside.needs import BatchAws, HasBucket
from sheaf.protocol import manifest, queries
from sheaf.protocol.counts import shards
from sheaf.protocol.lifecycle import RowStatus

AGAIN = (RowStatus.ERROR, RowStatus.CANCELLED)  # rows that a retry takes up


class Later:
    def __init__(self, world: BatchAws[HasBucket], chain: Sequence[Task]) -> None:
        self.world = world
        self.tasks = [(later, self._numbers(later)) for later in chain if later.deleted_at is None]

    def instead_of(self, rows: Sequence[Row]) -> list[Row]:
        places = {row.document: self._newest(row.document) for row in rows if row.status in AGAIN}
        found: dict[str, Row] = {}
        for later, _ in self.tasks:
            numbers = [number for task, number in filter(None, places.values()) if task is later]
            found |= {row.document: row for row in queries.rows(self.world, later, numbers)}
        return [found.get(row.document, row) for row in rows]

    def _numbers(self, later: Task) -> dict[str, int]:
        contents = self.world.parallel(lambda key: objects.get(self.world, key), manifest.keys(later))
        return {item.name: number for number, item in enumerate(manifest.rows(later, contents))}

    def _newest(self, document: str) -> tuple[Task, int] | None:
        return next(((later, rows[document]) for later, rows in self.tasks if document in rows), None)


def rows(world: BatchAws[HasBucket], task: Task) -> Iterator[list[Row]]:
    """All of the table, a shard at a time, however DynamoDB cuts its pages. A row that is not written yet is left out."""
    later = Later(world, queries.chain(world, task))
    for number in range(shards(task)):
        yield later.instead_of(queries.shard_rows(world, task, number))
