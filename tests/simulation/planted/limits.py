"""Bugs of how many rows may be at work at once."""

from tests.simulation.planted.bug import Bug, bug
from tests.support.anchored import Edit

BUGS: list[Bug] = [
    bug(
        "a worker looks at no front",
        "a message of a row at or behind the front is let go",
        Edit("behind_front", "front is None or row < front", "True"),
        mix="limits",
    ),
    bug(
        "what is at work takes no place",
        "as many may start as are missing at work",
        Edit("front_of", "(task.most_at_work or task.total) - at_work", "task.most_at_work or task.total"),
        mix="limits",
    ),
    bug(
        "what was at work before the limit starts again",
        "while more are at work than may be, the front stays at the first row",
        Edit("front_of", "free < 0", "False"),
        Edit(
            "front_of",
            "(task.most_at_work or task.total) - at_work",
            "max(0, (task.most_at_work or task.total) - at_work)",
        ),
        mix="limits",
    ),
    bug(
        "a new limit leaves the front where it is",
        "a change of the limit takes the front back to the first row",
        Edit("set_limit", "Task.front.set(0)", "Task.front.set(Task.front | 0)"),
        mix="limits",
    ),
    bug(
        "the front of another limit",
        "move front: the limit is the one seen",
        Edit("move_front", "as_seen & further", "further"),
        mix="limits",
    ),
    bug(
        "a late sweep takes the front back",
        "move front: further than it is",
        Edit("move_front", "(Task.front < front)", "Task.front.exists()"),
        mix="limits",
    ),
    bug(
        "the front moves while rows are still written",
        "move front: every row is written",
        Edit(
            "_within_limit",
            "task.front is None or task.dispatch_until is not None or (further := front_of(task, rows)) <= task.front",
            "task.front is None or (further := front_of(task, rows)) <= task.front",
        ),
        Edit("move_front", "(Task.front < front) & Task.dispatch_until.does_not_exist()", "Task.front < front"),
        mix="limits",
    ),
    bug(
        "what the front has passed is not sent",
        "a row before the front that was never sent is sent",
        Edit("_whether_to_send_again", "facts.front is not None and row.sent_at is None", "False"),
        mix="limits",
    ),
    bug(
        "what is behind the front is sent",
        "behind the front nothing is sent",
        Edit("may_start", "self.front is None or row.row < self.front", "True"),
        mix="limits",
    ),
    bug(
        "a new limit is no opening",
        "what was let go before the limit changed is sent again",
        Edit("set_limit", "Task.pauses.set(Task.pauses.append([now, now]))", "Task.pauses.set(Task.pauses.append([]))"),
        mix="limits",
    ),
    bug(
        "places are filled when all are empty",
        "the next one starts when one has ended",
        Edit("front_of", "free < 0", "free < (task.most_at_work or 0)"),
        mix="limits",
    ),
]
