"""How often the rules are right, on papers that they were not made with, and how fast they are.

    make bench ONLY=rules DATA=/path/to/shared/data

Without DATA there are only the samples, which are too few to say anything in general; the line says so.
"""

import time
from collections.abc import Callable, Iterable
from functools import cache
from math import sqrt
from typing import Any

from bench import papers
from bench.papers import Known
from bench.report import Line
from clinical import rules

LOST_MAX, MORE_MAX = 1 / 3, 0.05
"""Of those randomised up to a third may have no result; and twins can make more results than mothers."""
Z = 1.96
RIGHT_MIN, COMPLETE_MIN, MOSTLY_MIN, ANSWERED_MIN = 0.98, 0.95, 0.85, 0.60
FIELDS = ("registration_ids", "doi", "year", "n_randomised", "design", "masking", "countries", "funding")
Judged = tuple[int, int, int]
"""Right answers, answers, and papers that have the thing."""


@cache
def answers() -> list[tuple[Known, dict[str, dict[str, Any]]]]:
    """What the rules say of each paper; read once for all measures."""
    return [(known, rules.answer(known.read(), FIELDS)) for known in papers.known()]


def registration() -> Line:
    return _of_lists("registration_ids")


def doi() -> Line:
    return _with_recall("doi", lambda told, gold: told.lower() == gold.lower())


def year() -> Line:
    return _with_recall("year", lambda told, gold: told == gold)


def design() -> Line:
    return _with_recall("design", lambda told, gold: told == gold)


def masking() -> Line:
    return _with_recall("masking", lambda told, gold: told == gold)


def countries() -> Line:
    return _with_recall("countries", lambda told, gold: sorted(told) == sorted(gold or []))


def funding() -> Line:
    """Right where the sentence names the first funder that a reader noted, or says what the reader noted."""
    return _with_recall("funding", lambda told, gold: bool(gold) and any(word.lower() in told.lower() for word in gold))


def n_randomised() -> Line:
    """The share of answers that fit the sizes of the groups that annotators took down; and wrong answers in PDFs."""
    told = [(known, answer["n_randomised"]["value"]) for known, answer in answers()]
    sized = [(known, number) for known, number in told if known.groups]
    if not sized:
        return _with_recall("n_randomised", lambda number, gold: number == gold)
    halves = {half: _fitting([each for each in sized if each[0].side == half]) for half in ("held", "development")}
    right, answered, there = (sum(column) for column in zip(*halves.values(), strict=True))
    pdfs = [(known, number) for known, number in told if known.path.suffix == ".pdf"]
    wrong = sum(number is not None and number != known.answers.get("n_randomised") for known, number in pdfs)
    more = {
        "interval": wilson(right, answered),
        "answered": answered / there,
        "papers": there,
        "held": [*halves["held"]],
        "development": [*halves["development"]],
        "wrong_in_pdfs": wrong,
        "pdfs": len(pdfs),
        "equals_reading": _share("n_randomised", lambda number, gold: number == gold),
    }
    return Line(right / answered if answered else 0.0, "share that fits", more=more)


def papers_per_second() -> Line:
    """All rules over all papers, already read, on one core."""
    read = [known.read() for known in papers.known()]
    begun = time.process_time()
    for paper in read:
        rules.answer(paper, list(rules.RULES))
    seconds = time.process_time() - begun
    return Line(len(read) / seconds, "papers/s", more={"papers": len(read), "rules": len(rules.RULES)})


def right_and_complete(line: Line) -> bool:
    return line.value >= RIGHT_MIN and line.more["recall"] >= COMPLETE_MIN


def mostly_right(line: Line) -> bool:
    return line.value >= MOSTLY_MIN


def counts_right(line: Line) -> bool:
    """Of the samples only the share is known."""
    enough = line.more.get("answered", 1.0) >= ANSWERED_MIN
    return mostly_right(line) and enough and line.more.get("wrong_in_pdfs", 0) <= 1


def wilson(right: int, of: int) -> list[float]:
    """The 95% interval of a share."""
    if not of:
        return [0.0, 1.0]
    share = right / of
    middle, wide = share + Z * Z / (2 * of), Z * sqrt(share * (1 - share) / of + Z * Z / (4 * of * of))
    return [(middle - wide) / (1 + Z * Z / of), (middle + wide) / (1 + Z * Z / of)]


def fits(number: int, known: Known) -> bool:
    """Whether so many may have been randomised, where annotators counted these groups.

    In a crossover both groups are the same people; of more than two arms an annotator compares two.
    """
    most = max(max(pair) if known.answers.get("design") == "crossover" else sum(pair) for pair in known.groups)
    arms = max(2, known.answers.get("arms") or 2)
    return (1 - MORE_MAX) * most <= number <= most * arms / 2 / (1 - LOST_MAX)


def _fitting(told: Iterable[tuple[Known, int | None]]) -> Judged:
    every = list(told)
    given = [(known, number) for known, number in every if number is not None]
    return sum(fits(number, known) for known, number in given), len(given), len(every)


def _with_recall(name: str, same: Callable[[Any, Any], bool]) -> Line:
    halves = {half: _judged(name, same, half) for half in ("held", "development", "samples")}
    right, answered, there = halves["samples"] if papers.data() is None else halves["held"]
    more: dict[str, Any] = {
        "recall": right / there if there else 1.0,
        "answers": answered,
        "interval": wilson(right, answered),
    }
    if papers.data() is None:
        more["papers"] = "the samples only; no data: DATA=/path/to/shared/data"
    else:
        more["development"] = [*halves["development"]]
    return Line(right / answered if answered else 1.0, "precision", more=more)


def _judged(name: str, same: Callable[[Any, Any], bool], half: str) -> Judged:
    here = [
        (known, answer[name]["value"]) for known, answer in answers() if known.side == half and name in known.answers
    ]
    given = [(known, told) for known, told in here if told is not None]
    right = sum(same(told, known.answers[name]) for known, told in given if known.answers[name] is not None)
    return right, len(given), sum(known.answers[name] not in (None, []) for known, _ in here)


def _share(name: str, same: Callable[[Any, Any], bool]) -> list[int]:
    halves = [_judged(name, same, half)[:2] for half in ("held", "development")]
    return [sum(column) for column in zip(*halves, strict=True)]


def _of_lists(name: str) -> Line:
    """Each entry of a list counts for itself."""
    counted = {half: _entries(name, half) for half in ("held", "development", "samples")}
    right, given, there = counted["samples"] if papers.data() is None else counted["held"]
    more: dict[str, Any] = {
        "recall": right / there if there else 1.0,
        "answers": given,
        "interval": wilson(right, given),
    }
    if papers.data() is None:
        more["papers"] = "the samples only; no data: DATA=/path/to/shared/data"
    else:
        more["development"] = [*counted["development"]]
    return Line(right / given if given else 1.0, "precision", more=more)


def _entries(name: str, half: str) -> Judged:
    right = given = there = 0
    for known, answer in answers():
        if known.side == half:
            told, gold = ({_plain(each) for each in ids or ()} for ids in (answer[name]["value"], known.answers[name]))
            right, given, there = right + len(told & gold), given + len(told), there + len(gold)
    return right, given, there


def _plain(identifier: str) -> str:
    return "".join(identifier.upper().split()).replace("-", "")
