"""What does not add up on a row: lists against the numbers that the paper states, sums, and what was cut off. Pure."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from clinical.answered import Values
from clinical.evidence.disclaimed import RETRACTION
from clinical.evidence.quantities.people_counts import count
from clinical.papers import Paper
from clinical.patterns import Pattern, words_of

WORDS = words_of(__file__)
AT_MOST = (
    ("n_randomised", "n_screened"), ("n_analysed", "n_randomised"), ("n_included", "n_eligible"),
    ("n_analysed", "n_included"), ("n_exposed", "n_included"), ("n_unexposed", "n_included"), ("n_lost", "n_included"),
)  # fmt: skip
"""Nobody is randomised who was not screened, or analysed who was not randomised; and so on for cohorts."""


def doubts(values: Values, paper: Paper) -> list[str]:
    return list(dict.fromkeys(_doubts(values, paper)))


def _doubts(values: Values, paper: Paper) -> Iterator[str]:
    if paper.details.get("truncated"):
        yield "paper:truncated"
    if RETRACTION.match(str(paper.details.get("title") or "")):
        yield "paper:retraction"
    yield from _cut_short(values)
    yield from _fewer(values, "arms", partial(_stated, WORDS.ARMS_SAID, paper, near=WORDS.ALLOCATED))
    yield from _fewer(values, "arms", partial(_in_ratio, values))
    yield from _fewer(values, "primary_outcomes", partial(_stated, WORDS.PRIMARY_SAID, paper))
    yield from _fewer(values, "secondary_outcomes", partial(_stated, WORDS.SECONDARY_SAID, paper))
    yield from _sums(values)
    yield from _flow(values)


def _told(values: Values, name: str) -> Any:
    value = values.get(name)
    told = value["value"] if value and value["state"] in {"found", "unsupported"} else None
    return [entry["value"] for entry in told if entry["value"] is not None] if isinstance(told, list) else told


def _cut_short(values: Values) -> Iterator[str]:
    for name in values:
        told = _told(values, name)
        last = told[-1] if isinstance(told, list) and told else told
        parts = last.values() if isinstance(last, Mapping) else [last]
        if any(isinstance(part, str) and WORDS.CUT_SHORT.search(part) for part in parts):
            yield f"{name}:cut_short"


def _stated(pattern: Pattern, paper: Paper, near: Pattern | None = None) -> int | None:
    text = "\n\n".join(page.text for page in paper.pages)
    found: set[int] = set()
    for sentence in WORDS.SENTENCE.split(text):
        said = pattern.search(sentence) if near is None or near.search(sentence) else None
        if said:
            found.add(count(next(filter(None, said.groups()))))
    return found.pop() if len(found) == 1 else None


def _in_ratio(values: Values) -> int | None:
    ratio = _told(values, "allocation_ratio")
    parts = WORDS.RATIO.search(ratio) if isinstance(ratio, str) else None
    return parts.group().count(":") + 1 if parts else None


def _fewer(values: Values, name: str, stated: Callable[[], int | None]) -> Iterator[str]:
    """The paper is only looked through for a number where there is a list that it is of."""
    given = _told(values, name)
    if isinstance(given, list) and len(given) < (stated() or 0):
        yield f"{name}:fewer_than_stated"


def _sums(values: Values) -> Iterator[str]:
    """The arms' sizes against the whole; in a crossover trial everybody may be in each."""
    arms, design = _told(values, "arms"), _told(values, "design")
    if not isinstance(arms, list) or design == "crossover":
        return
    for name in ("n_randomised", "n_analysed"):
        whole, sizes = _told(values, name), [arm.get(name) for arm in arms]
        known = len(sizes) > 1 and all(isinstance(size, int) for size in (whole, *sizes))
        if known and sum(sizes) != whole:
            yield f"arms:{name}_do_not_add_up"


def _flow(values: Values) -> Iterator[str]:
    for fewer, more in AT_MOST:
        small, large = _told(values, fewer), _told(values, more)
        if isinstance(small, int) and isinstance(large, int) and small > large:
            yield f"{fewer}:more_than_{more}"
