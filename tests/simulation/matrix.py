"""Which fault met which call how often. A cell that can be met and was not fails the whole run."""

from collections import Counter

from tests.simulation.faults import CALL_KINDS, PROVIDER_KINDS, WORLD_KINDS, applies

Cell = tuple[str, str, str]
Cells = Counter[Cell]
CALLS = {
    "api": "batch_get_item get_event_source_mapping get_item get_object get_queue_attributes head_object invoke put_item put_object query send_message_batch transact_write_items update_item",
    "worker": "batch_get_item change_message_visibility get_item get_object put_item put_object query update_item",
    "aggregator": "batch_get_item get_item get_object get_queue_attributes head_object invoke put_events put_item put_object query scan send_message_batch "
    "transact_write_items update_item",
    "intake": "change_message_visibility get_item get_object head_object put_object send_message_batch update_item",
    "notice": "change_message_visibility get_item update_item",
    "janitor": "batch_get_item delete_item delete_object get_item get_object list_object_versions list_objects_v2 put_object query",
}
"""Every call that the product makes. One that is not here, or one that is here and is not made, fails the run too."""
NEVER = {
    "partial": "only send_message_batch, batch_get_item and put_events answer for several entries",
    "conflict": "only writes of a table meet another transaction",
    "outlive": "the janitor and notices hold nothing that another could take over",
}
"""Why a kind of fault has dots in its column."""


def wanted() -> set[Cell]:
    """Every cell that there can be: each fault at each call where it makes sense, and each fault of the world."""
    calls = {(function, operation) for function, names in CALLS.items() for operation in names.split()}
    out = {(*call, kind) for call in calls for kind in CALL_KINDS if applies(kind, call[1], call[0])}
    return out | {("world", kind, kind) for kind in WORLD_KINDS | PROVIDER_KINDS}


def covered(cells: Cells) -> tuple[int, int]:
    """How many cells were met, and how many there are."""
    return sum(cells[cell] > 0 for cell in wanted()), len(wanted())


def gaps(cells: Cells) -> list[str]:
    """What was not met, and what was met that is on no list."""
    missing = [
        f"{kind} never met {function} {call}"
        for function, call, kind in sorted(wanted())
        if not cells[function, call, kind]
    ]
    made = {(function, call) for function, call, _ in cells if function in CALLS}
    unlisted = [
        f"matrix.CALLS lacks {function} {call}"
        for function, call in sorted(made)
        if call not in CALLS[function].split()
    ]
    return missing + unlisted


def table(cells: Cells) -> str:
    """One line a call, one column a fault; a dot where the fault makes no sense, a nought where it was not met."""
    kinds = list(CALL_KINDS)
    lines = [f"{'fault x call':36}" + "".join(f"{kind[:11]:>12}" for kind in kinds)]
    for function, names in CALLS.items():
        for call in names.split():
            numbers = [str(cells[function, call, kind]) if applies(kind, call, function) else "." for kind in kinds]
            lines.append(f"{function + ' ' + call:36}" + "".join(f"{number:>12}" for number in numbers))
    lines += [f"world: {kind:29}{cells['world', kind, kind]:>12}" for kind in WORLD_KINDS | PROVIDER_KINDS]
    return "\n".join(lines + [f"dots under {kind}: {reason}" for kind, reason in NEVER.items()])
