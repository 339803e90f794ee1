"""Bugs of decisions: sentences of ADR 56, each left out in one small change."""

from tests.simulation.planted.bug import Bug, bug
from tests.support.anchored import Edit

BUGS: list[Bug] = [
    bug(
        "a head is written whatever it has become",
        "the head by the version that was seen",
        Edit("_written", "Head.version == seen.head.version if seen.head else unseen", "unseen | Head.paper.exists()"),
        mix="exports",
    ),
    bug(
        "nobody asks what a decision's maker saw",
        "finds that the cell is not what he saw, and gets both sides",
        Edit("decide", "_check_free(todo, seen.cells)", "None"),
        mix="exports",
    ),
    bug(
        "a decision does not know itself",
        "made twice, its second put is refused by the first",
        Edit("_is_there", "return found is not None", "return False"),
        mix="exports",
    ),
    bug(
        "counts are written over another's",
        "head and counts by the version that was seen",
        Edit("_written", "Checked.version == seen.checked.version if seen.checked else unseen", "unseen | Checked.paper.exists()"),
        mix="exports",
    ),
    bug(
        "counts know nothing of other tasks",
        "whoever asks for the review then has the table counted again",
        Edit("_holds", "seen.tallies is None or seen.elsewhere != elsewhere", "seen.tallies is None"),
        mix="exports",
    ),
    bug(
        "what is taken back stays",
        "what held before is in force again",
        Edit("_holds_now", "seen.decisions[before['id']].replaced", "before"),
        mix="exports",
    ),
]  # fmt: skip
