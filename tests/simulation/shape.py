"""How big a seed's world is: rows, shards, time limits, deadlines. Small numbers, so that every boundary is near."""

import math
import random
from dataclasses import dataclass, replace
from typing import Any, Literal

from tests.simulation.faults import HOUR, MINUTE

BY_REFERENCE = 0.2
POISON = ("blocked", "forbidden", "500", "429", "hang", "format")


@dataclass
class Shape:
    """The numbers of one world."""

    quiet_ms: int = 3 * MINUTE
    requests: int = 1
    documents: int = 3
    shard_rows: int = 2
    transaction: int = 2
    wave: int = 2
    part: int = 2
    """Never another within one world: manifests that are stored are cut by it."""
    batch: int = 2
    max_tries: int = 3
    on_expiry: Literal["retry", "error"] = "retry"
    concurrency: int = 2
    worker_ms: int = 60_000
    visibility_ms: int = 360_000
    max_receives: int = 100
    aggregator_ms: int = 120_000
    row_deadline_ms: int = 7 * 24 * HOUR
    stall_ms: int = 600_000
    visibility_slack_ms: int = 30_000
    projects: int = 1
    kinds: int = 1
    janitor: bool = False
    meddling: bool = True
    habit: Literal["", "turning", "pausing", "retrying", "deleting"] = ""
    """What people here do more often than elsewhere."""
    uploads: int = 0
    """Papers that people bring: announced, uploaded, read by the intake."""
    intake_ms: int = 60_000
    form_s: int = 900
    """How long an upload form is good."""
    engine: bool = False
    """Rows are read by a model behind a provider."""
    calls_per_minute: int = 0
    budgets: bool = False
    """People say what a task may cost."""
    limits: bool = False
    """People say how many rows of a task may be at work at once."""
    poison: str = ""
    """What the provider answers to the second project's first papers, and to no other."""
    poisoned: int = 0
    script: tuple[str, ...] = ()
    """What the provider answers first, in this order."""
    exports: int = 0
    """So often somebody wants a table as a file."""
    export_ms: int = 24 * HOUR
    """How long such a file is kept."""
    deciders: int = 0
    """So often somebody looks at a row, to decide on it."""
    by_reference: bool = False
    """Tasks name a knowledge base, and no papers."""
    webhooks: bool = False
    """Each project's editors have set one up."""
    story: bool = False
    """The same things happen at the same instants in every run: for runs that differ in their faults alone."""


def draw_shape(rng: random.Random, fixed: dict[str, Any]) -> Shape:
    """Numbers for one seed, but for those that its mix fixes; one world in six has an hour or more of trouble."""
    longest = 3 * HOUR if rng.random() < 0.15 else 20 * MINUTE
    drawn = Shape(
        quiet_ms=int(math.exp(rng.uniform(math.log(2 * MINUTE), math.log(longest)))),
        requests=rng.choice([1, 1, 1, 2, 3]),
        documents=rng.choice([1, 2, 3, 3, 4, 5, 8]),
        shard_rows=rng.choice([1, 2, 3, 250]),
        transaction=rng.choice([1, 2, 3]),
        wave=rng.choice([2, 3, 6]),
        batch=rng.choice([1, 2, 10]),
        max_tries=rng.choice([1, 2, 3, 4]),
        on_expiry="error" if rng.random() < 0.15 else "retry",
        concurrency=rng.choice([2, 3, 10]),
        max_receives=rng.choice([3, 10, 100]),
        aggregator_ms=rng.choice([90_000, 120_000, 600_000]),
        row_deadline_ms=rng.choice([7 * 24 * HOUR, 7 * 24 * HOUR, 10 * MINUTE, HOUR]),
        stall_ms=rng.choice([60_000, 600_000]),
        projects=rng.choice([1, 1, 2]),
        kinds=rng.choice([1, 1, 2]),
    )
    # Drawn apart, so that all else of a seed stays as it was before there were parts.
    apart = random.Random(drawn.quiet_ms)
    drawn = replace(drawn, part=apart.choice([1, 2, 3, 6]), by_reference=apart.random() < BY_REFERENCE)
    shape = replace(drawn, **fixed)
    shape = replace(shape, by_reference=shape.by_reference and not shape.engine and not shape.uploads)
    return replace(shape, poison=rng.choice(POISON)) if shape.poisoned else shape


def draw_exports(rng: random.Random, shape: Shape) -> Shape:
    """Files of tables are wanted in half of the worlds of tasks, unless the mix says how often."""
    if shape.uploads or shape.engine or shape.story:
        return shape
    exports = shape.exports or rng.choice([0, 0, 2, 4])
    return replace(shape, exports=exports, export_ms=rng.choice([5 * MINUTE, 24 * HOUR, 7 * 24 * HOUR]))
