"""Bugs of what a task may cost."""

from tests.simulation.planted.bug import Bug, bug
from tests.support.anchored import Edit

BUGS: list[Bug] = [
    bug(
        "a spent budget shuts nothing",
        "nothing more starts once the rows have cost what they may",
        Edit("_within_budget", "share >= 1", "share >= 1_000"),
        mix="budgets",
    ),
    bug(
        "a budget is spent before it is",
        "nothing more starts once the rows have cost what they may",
        Edit("_within_budget", "share >= 1", "share >= 0.5"),
        mix="budgets",
    ),
    bug(
        "what runs is not counted",
        "what runs is counted at a row's estimate",
        Edit("at_risk", "tally.extracting", "0"),
        mix="budgets",
    ),
    bug(
        "what was held back never goes on",
        "where what ran has cost less, the next ones start",
        Edit("_within_budget", "not (held_by or tally.extracting)", "held_by"),
        mix="budgets",
    ),
    bug(
        "a worker minds no budget",
        "no claim behind a shut gate",
        Edit("behind_gate", "{None, GateState.OPEN}", "{None, GateState.OPEN, GateState.BUDGET}"),
        mix="budgets",
    ),
    bug(
        "a task with more to spend does not go on",
        "another budget; and on it goes, where it waited for that",
        Edit("set_budget", "seen.gate == GateState.BUDGET", "seen.gate == GateState.PAUSED"),
        mix="budgets",
    ),
    bug(
        "any new budget opens the gate",
        "on it goes only where the new budget is above what is spent",
        Edit("set_budget", "budget is None or budget > (seen.cost or 0)", "True"),
        mix="budgets",
    ),
    bug(
        "a budget that was raised meanwhile is held to be spent",
        "refused where the budget was raised meanwhile",
        Edit("reach_budget", "(Task.gate == GateState.OPEN) & (Task.budget == seen.budget)", "Task.gate == GateState.OPEN"),
        mix="budgets",
    ),
    bug(
        "a budget that is nearly spent is looked at as seldom as any",
        "from half of its budget on a task is counted every second",
        Edit("outlook", "wait = PASS_MIN_MS", "pass"),
        mix="budgets",
    ),
    bug(
        "no clock runs behind a spent budget",
        "found behind a shut gate: its deadline's clock runs",
        Edit("_decide_pending", "{GateState.PAUSED, GateState.BUDGET}", "{GateState.PAUSED}"),
        mix="budgets",
    ),
    bug(
        "a reply that is used again is paid for again",
        "an attempt's cost is counted once",
        Edit("_reuse", "self._is_mine(kept) and kept.attempt > (self.row.metered or 0)", "self._is_mine(kept)"),
        mix="budgets",
    ),
    bug(
        "what an attempt paid is not written",
        "cost is written with the end of the attempt that paid",
        Edit("_paid", "Row.cost.add(spent.cost)", "*[]"),
        mix="budgets",
    ),
    bug(
        "each retry has the whole budget again",
        "a chain of retries costs no more than was allowed",
        Edit("_left_over", "return left", "return int(parent.budget)"),
        mix="budgets",
    ),
]  # fmt: skip
