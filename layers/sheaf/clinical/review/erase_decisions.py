"""What people decided on a document, erased by intent. Its head stays, empty, and says by whom and when."""

from clinical.review.review_items import Decision, Head, Key, Reviewed, paper_of
from sheaf import ids
from sheaf.api.access import Caller, Role
from sheaf.errors import NotFound, Unavailable
from sheaf.items import NOBODY
from sheaf.outside.needs import ApiWorld
from sheaf.outside.store import Refused, delete, get, put, query_all

TRIES = 10


def erase(world: ApiWorld, caller: Caller, document: str) -> None:
    """By all templates. What is decided while it is at work stays. Raises NotFound where there is nothing, Forbidden."""
    caller.must_be(Role.EDITOR)
    paper = paper_of(caller.project, document)
    is_id = ids.NAME.fullmatch(document)
    there = query_all(world, Reviewed, Reviewed.paper == paper, ConsistentRead=True) if is_id else []
    if not there:
        raise NotFound("There are no decisions on this document.")
    caller.must_be(Role.ADMIN)
    for place in sorted(each.place for each in there if each.place.endswith("/head")):
        _empty(world, {"paper": paper, "place": place}, caller.user or NOBODY)


def _empty(world: ApiWorld, key: Key, by: str) -> None:
    """The head first, so that whoever decides meanwhile begins anew; then each decision that it knew."""
    for _ in range(TRIES):
        seen = get(world, Head, key)
        if seen is None:
            return
        now, version = max(world.now(), seen.at + 1), seen.version + 1
        head = Head(**key, listed_in=seen.listed_in, at=now, version=version, cells={}, erased_by=by)
        if not isinstance(put(world, head, Head.version == seen.version), Refused):
            break
    else:
        raise Unavailable("many decide on this paper at the same moment")
    begun = str(key["place"]).removesuffix("head") + "decision/"
    condition = (Decision.paper == key["paper"]) & Decision.place.startswith(begun)
    gone = [each for each in query_all(world, Decision, condition, ConsistentRead=True) if each.at <= now]
    world.parallel(lambda at: delete(world, Decision, {"paper": at.paper, "place": at.place}, Decision.at <= now), gone)
