"""Bugs of notices: sentences of DESIGN's *Notices*, each left out in one small change."""

from tests.simulation.planted.bug import Bug, bug
from tests.support.anchored import Edit

BUGS: list[Bug] = [
    bug(
        "the record of the telling comes before the message",
        "and only then writes `notified_at`",
        Edit("closed", "send(world, notice)", "(lifecycle.record_notified(world, task, world.now()), send(world, notice))"),
        mix="notices",
    ),
    bug(
        "a notice that is not taken is not tried again",
        "after any other the message is hidden",
        Edit("handle", "state != WAITING", "True"),
        mix="notices",
    ),
    bug(
        "a redirect is taken for a success",
        "a redirect is no success",
        Edit("handle", "status in TAKEN", "0 < status < 400"),
        mix="notices",
    ),
    bug(
        "each try has an id of its own",
        "a second one has the same id",
        Edit("of_close", "f'{task.task}/closed'", "f'{task.task}/closed/{now}'"),
        mix="notices",
    ),
    bug(
        "what is given up is seen by nobody",
        "the task's id is in `undelivered`",
        Edit("note", "Webhook.undelivered.add({task})", "Webhook.last.set(last)"),
        mix="notices",
    ),
    bug(
        "exports are told of",
        "exports are told of to nobody",
        Edit("closed", "not is_export and webhook_items.find(world, task.project)", "webhook_items.find(world, task.project)"),
        mix="notices",
    ),
]  # fmt: skip
