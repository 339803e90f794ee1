"""Bugs in what becomes of a task by reference."""

from tests.simulation.planted.bug import bug
from tests.support.anchored import Edit

BUGS = [
    bug(
        "gathered by whoever comes late",
        "gathered: by who gathers it",
        Edit("gathered", "Task.dispatch_until == seen.dispatch_until", "Task.dispatch_until.exists()"),
        mix="gatherers",
    ),
    bug(
        "gatherers share a mark",
        "two gatherers write parts under marks of their own",
        Edit("_listed", "manifest.prefix(task.task, world.token())", "manifest.prefix(task.task, 'gathered')"),
        mix="gatherers",
    ),
    bug(
        "who gathers overlooks a cancel",
        "gathered: unless it was cancelled",
        Edit("gathered", "mine & (Task.gate != GateState.CANCELLED)", "mine"),
        mix="gatherers",
    ),
    bug(
        "nobody gathers again",
        "take over: gathering, and its holder is late",
        Edit("see_to", "task.dispatch_until < now", "task.dispatch_until == 0"),
        mix="gatherers",
    ),
    bug(
        "a gathering closes with nobody's word",
        "close without rows: cancelled, or by who gathers it",
        Edit("_listed", "not total", "total"),
        mix="gatherers",
    ),
]
