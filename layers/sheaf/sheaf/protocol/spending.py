"""What may be spent: a task's budget, and a project's day. What runs is counted at a row's estimate.

The purse is written in one transaction with the task's cost: nothing is counted twice or left out, whatever dies.
"""

from datetime import UTC, datetime

from sheaf.errors import TooMuch, Unavailable
from sheaf.items import Purse, Task, purse_key
from sheaf.outside.needs import ApiWorld, Aws, BatchTables, HasCeiling, Tables
from sheaf.outside.store import Refused, as_it_is, get, update
from sheaf.protocol import lifecycle
from sheaf.protocol.counts import Tally

MICRO = 1_000_000
PAUSES = (0.05, 0.2, 0.5)  # between tries of a purse that another task's count is just writing


def today(now: int) -> str:
    """The day by UTC; a purse is a new one from its midnight on."""
    return datetime.fromtimestamp(now / 1000, UTC).date().isoformat()


def purse(world: Tables, project: str, now: int) -> Purse:
    """The project's, of today; of an older day everything in it is over."""
    day = today(now)
    found = get(world, Purse, purse_key(project))
    if found is not None and found.day >= day:
        return found
    actions = [Purse.day.set(day), Purse.spent.set(0), Purse.rereads.set(0)]
    older = Purse.day.does_not_exist() | (Purse.day < day)
    return as_it_is(update(world, Purse, purse_key(project), actions, older)) or Purse(day=day)


def record(world: BatchTables, task: Task, cost: int, now: int) -> bool:
    """What its rows have cost by now, on the task and in its project's purse. False where another sweeper was first."""
    day = purse(world, task.project, now).day
    for pause in (*PAUSES, None):
        try:
            return lifecycle.record_cost(world, task, cost, day)
        except Unavailable:
            if pause is None:
                raise
            world.sleep(pause * (0.5 + world.chance()))
    return False


def at_risk(task: Task, tally: Tally) -> int:
    """What the rows that run may cost: each the estimate, or what its task's rows cost so far where that is more."""
    worked = tally.ended.completed + tally.ended.error
    return int(tally.extracting * max(task.row_cost or 0, tally.ended.cost // worked if worked else 0))


def check_today(world: Aws[HasCeiling], project: str, provider: str | None, now: int) -> None:
    """Whether this provider's model, if any, may be asked for the project today. Raises TooMuch."""
    most = world.settings.max_usd_per_project_and_day if provider else 0
    spent = purse(world, project, now).spent if most else 0
    if most and spent >= most * MICRO:
        reason = f"This project has spent {spent / MICRO:.2f} USD today; {most:g} USD a day is the most here."
        raise TooMuch(f"{reason} From midnight (UTC) on it may again; or use the built-in rules.")


def take_reread(world: ApiWorld, project: str, now: int) -> None:
    """One more reading of a document today. Raises TooMuch."""
    most = world.settings.rereads_per_project_and_day
    day = purse(world, project, now).day
    room = (Purse.day >= day) & (Purse.rereads < most)
    if isinstance(update(world, Purse, purse_key(project), [Purse.rereads.add(1)], room), Refused):
        reason = f"Documents of this project were read again {most} times today, which is the most."
        raise TooMuch(f"{reason} From midnight (UTC) on they can be again.")
