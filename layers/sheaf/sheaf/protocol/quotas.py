"""How much one project may have at once: a place is taken before the thing is made, in one conditional write.

Nobody gives a place back; where none is left, those of what is over are cleared. A crash never leaves one too few.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from sheaf.errors import TooMuch, Unavailable
from sheaf.items import Places, Task, places_key, task_key
from sheaf.outside.needs import ApiWorld, BatchTables, HasCeiling, SweeperWorld, TimedTables
from sheaf.outside.store import Refused, assign, get, get_many, update
from sheaf.protocol.lifecycle import CLOSED

IN_FLIGHT_MS = 60_000  # a place has its thing by then, or never will: a request ends after half of it
LOOKS = 4
COUNTED = "counted"  # the place of all things that were there when they were counted; no token is this


class Quota(NamedTuple):
    """So many things, which together weigh so much; `alive` says of those that exist whether they still count."""

    name: str
    most: int
    alive: Callable[[BatchTables, str, Sequence[str]], dict[str, bool]] = lambda _world, _project, _things: {}
    weight: int | None = None


def take(world: BatchTables, project: str, quota: Quota, thing: str, weight: int = 1) -> Places | None:
    """A place for this thing: None when it is taken, else what stands in its way."""
    seen: Places | None = None
    for _ in range(LOOKS):
        seen = _take(world, project, quota, thing, weight)
        if seen is None or not _clear(world, project, quota, seen):
            break
    return seen


def _take(world: TimedTables, project: str, quota: Quota, thing: str, weight: int) -> Places | None:
    place = f"{thing} {world.now()} {weight}"
    actions = [Places.places.add({place}), Places.many.add(1), Places.weight.add(weight), Places.version.add(1)]
    room = Places.many.does_not_exist() | (Places.many < quota.most)
    if quota.weight is not None:
        room &= Places.weight.does_not_exist() | (Places.weight <= quota.weight - weight)
        if weight > quota.weight:
            return Places(many=0, weight=0)
    mine = Places.places.does_not_exist() | ~Places.places.contains(place)
    key = places_key(project, quota.name)
    written = update(world, Places, key, actions, room & mine, already=lambda found: place in (found.places or ()))
    return written.item if isinstance(written, Refused) else None


def _clear(world: BatchTables, project: str, quota: Quota, seen: Places) -> bool:
    taken = [(place, *place.split(" ")) for place in sorted(seen.places or ())]
    alive = quota.alive(world, project, list({thing for _, thing, _, _ in taken}))
    kept: dict[str, str] = {}
    for place, thing, at, _weight in taken:
        if thing not in kept and alive.get(thing, int(at) > world.now() - IN_FLIGHT_MS):
            kept[thing] = place
    if len(kept) == len(taken):
        return False
    places, weight = {*kept.values()} or None, sum(int(place.split(" ")[2]) for place in kept.values())
    actions = assign(Places, places=places, many=len(kept), weight=weight, version=seen.version + 1)
    # Refused where another came first: then it is looked at anew.
    update(world, Places, places_key(project, quota.name), actions, Places.version == seen.version)
    return True


def take_many(world: TimedTables, project: str, quota: Quota, number: int, count: Callable[[], int]) -> Places | None:
    """Places for too many things to have one each; None when taken. With no room, older places become what `count` finds."""
    batch = world.token()
    full = _take(world, project, quota, batch, number)
    if full is None:
        return None
    _recount(world, project, quota, full, count())
    return _take(world, project, quota, batch, number)


def _recount(world: TimedTables, project: str, quota: Quota, seen: Places, counted: int) -> None:
    """Replace what is older than a minute by what was counted. Refused where another came first, who has done so."""
    now = world.now()
    taken = [(thing, int(at), int(weight)) for thing, at, weight in (place.split(" ") for place in seen.places or ())]
    young = [each for each in taken if each[0] != COUNTED and each[1] > now - IN_FLIGHT_MS]
    if len(young) > quota.most // 2:
        young = [("several", max(at for _, at, _ in young), sum(weight for *_, weight in young))]
    kept = {f"{thing} {at} {weight}": weight for thing, at, weight in (*young, (COUNTED, now, counted))}
    actions = assign(Places, places=set(kept), many=len(kept), weight=sum(kept.values()), version=seen.version + 1)
    update(world, Places, places_key(project, quota.name), actions, Places.version == seen.version)


def check(world: ApiWorld, project: str, task_id: str, documents: int) -> None:
    """A place for this task and its documents; of a task that is gathered for none yet. Raises TooMuch."""
    settings = world.settings
    full = take(world, project, _of_tasks(settings), task_id, documents)
    if full is None:
        return
    if full.many >= (most := settings.open_tasks_per_project):
        reason = f"{full.many} tasks are open in this project; {most} is the most at once."
        raise TooMuch(f"{reason} Wait for one to end, or cancel one.")
    raise TooMuch(_too_many(settings, full.weight, documents))


def count_in(world: SweeperWorld, task: Task, documents: int) -> str | None:
    """The place of a gathered task weighs as its documents from now on, also twice; None, or why it may not. Raises Unavailable."""
    quota, key = _of_tasks(world.settings), places_key(task.project, "tasks")
    seen = get(world, Places, key) or Places(places=set())
    mine = {place for place in seen.places or () if place.startswith(f"{task.id} ")}
    rest = seen.weight - sum(int(place.rpartition(" ")[2]) for place in mine)
    if rest + documents > (quota.weight or 0):
        is_less = _clear(world, task.project, quota, seen)
        return count_in(world, task, documents) if is_less else _too_many(world.settings, rest, documents)
    place = f"{task.id} {world.now()} {documents}"
    places, many = {*(seen.places or ()), place} - (mine - {place}), seen.many - len(mine) + 1
    actions = assign(Places, places=places, many=many, weight=rest + documents, version=seen.version + 1)
    as_seen = Places.version == seen.version if seen.version else Places.version.does_not_exist()
    written = update(world, Places, key, actions, as_seen, already=lambda found: place in (found.places or ()))
    if isinstance(written, Refused):
        raise Unavailable("others were at the project's places")
    return None


def _of_tasks(settings: HasCeiling) -> Quota:
    return Quota("tasks", settings.open_tasks_per_project, _open_tasks, settings.documents_per_project)


def _too_many(settings: HasCeiling, there: int, more: int) -> str:
    over = f"with {more} more it would be over {settings.documents_per_project}"
    return f"{there} documents are under way in this project; {over}. Wait for a task to end, or start with fewer."


def _open_tasks(world: BatchTables, project: str, things: Sequence[str]) -> dict[str, bool]:
    found = get_many(world, Task, [{"task": task_key(project, thing)} for thing in things])
    return {task.id: task.status not in CLOSED for task in found}
