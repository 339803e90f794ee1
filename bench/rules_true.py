"""What the rules store as found in the held papers, against gold: how much of it is right, and how much of gold is there.

make bench ONLY=rules.precision,rules.recall,rules.text DATA=/path/to/shared/data
python -m bench.rules_true      # the sampled words that nobody has read yet, a line each, for bench/gold/verdicts.jsonl
"""

import hashlib
import json
import math
import random
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from bench import fits, papers, states
from bench.report import Line
from clinical import rules
from clinical.evidence import Pages, check
from clinical.templates import find
from sheaf.work_budget import Budget

PRECISION_MIN, FIELD_MIN, FIELD_N = 0.96, 0.90, 30
RECALL_MIN, FIELDS_MIN, PAPERS_MIN = 0.65, 20, 30
FOUND_MIN, FIT_MIN, SAMPLED = 0.50, 0.90, 200
SEED = 17


@dataclass(frozen=True)
class Judged:
    """One field of one paper: gold has a word on it."""

    paper: str
    field: str
    gold: Any
    told: Any
    """None where nothing is stored as found."""

    @property
    def is_right(self) -> bool:
        fit = (fits.TYPED | fits.TEXTS)[self.field]
        return self.told is not None and self.gold not in (None, []) and fit(self.told, self.gold)


@cache
def stored() -> list[tuple[papers.Known, dict[str, Mapping[str, Any]]]]:
    """What is stored of each held paper, or of the samples where there is no data."""
    side = "held" if papers.data() else "samples"
    return [(known, _values(known)) for known in papers.known() if known.side == side]


def _values(known: papers.Known) -> dict[str, Mapping[str, Any]]:
    paper, template = known.read(), find("rct")
    pages = Pages(paper, Budget(math.inf))
    told = rules.answer(paper, [field.name for field in template.fields])
    return {field.name: check(field, told[field.name], pages) for field in template.fields if field.name in told}


def judged(names: Mapping[str, fits.Fit]) -> Iterator[Judged]:
    """All fields of these that gold has a word on; "null" is one."""
    options = {field.name: field.options for field in find("rct").fields if field.type == "enum"}
    for known, values in stored():
        for name in names:
            called = fits.CALLED.get(name, name)
            if called in known.answers:
                gold = known.answers[called]
                speaks = isinstance(gold, list) or gold in options.get(name, (gold,))
                found = values.get(name)
                told = states.told(found) if found and states.is_found(found) else None
                yield Judged(known.name, name, gold if speaks else None, told)


def precision() -> Line:
    """Of the values that are stored as found, the share that is what gold says; a field that gold finds unsaid has no right value."""
    given = [each for each in judged(fits.TYPED) if each.told is not None]
    right, told = Counter(each.field for each in given if each.is_right), Counter(each.field for each in given)
    wrong = {f"{each.paper} {each.field}": [each.told, each.gold] for each in given if not each.is_right}
    more = {
        "values": len(given),
        "fields": {name: [right[name], of] for name, of in told.items()},
        "wrong": wrong,
        **_whose(),
    }
    return Line(right.total() / len(given), "precision", more=more)


def recall() -> Line:
    """Of what gold says, the share that is found and right: the mean over fields, each counted once."""
    spoken = [each for each in judged(fits.TYPED) if each.gold not in (None, [])]
    right, there = Counter(each.field for each in spoken if each.is_right), Counter(each.field for each in spoken)
    shares = [right[name] / of for name, of in there.items()]
    more = {"fields": {name: [right[name], of] for name, of in there.items()}, **_whose()}
    return Line(sum(shares) / len(shares), "mean recall", more=more)


def text() -> Line:
    """Of the fields of words that gold speaks of, the share that is found; and of a sample of all found, what readers said."""
    spoken = [each for each in judged(fits.TEXTS) if each.gold not in (None, [])]
    found = Counter(each.field for each in spoken if each.told is not None)
    there = Counter(each.field for each in spoken)
    said = verdicts()
    read = [said[each["id"]] for each in sampled() if each["id"] in said]
    more = {
        "fields": {name: [found[name], of] for name, of in there.items()},
        "sampled": len(sampled()),
        "read": len(read),
    }
    more |= {
        "unread": len(sampled()) - len(read),
        "fit": sum(each["fit"] for each in read) / len(read) if read else 0.0,
    }
    more |= {"readers": dict(Counter(each["reader"] for each in read)), **_whose()}
    return Line(found.total() / there.total(), "share found", more=more)


@cache
def sampled() -> tuple[dict[str, str], ...]:
    """Some of all the words that are stored as found, by a fixed seed; each known by its field, its value and its quote."""
    texts = [field.name for field in find("rct").fields if field.type == "string" and field.name not in fits.TYPED]
    every = [
        {"paper": known.name, "field": name, "value": str(values[name]["value"]), "quote": str(values[name]["quote"])}
        for known, values in stored()
        for name in texts
        if name in values and states.is_found(values[name])
    ]
    chosen = random.Random(SEED).sample(every, min(SAMPLED, len(every)))  # noqa: S311 - no secret
    return tuple({"id": _id(each), **each} for each in chosen)


def _id(told: Mapping[str, str]) -> str:
    return hashlib.sha256("\n".join(told[part] for part in ("paper", "field", "value", "quote")).encode()).hexdigest()[
        :16
    ]


def verdicts() -> dict[str, dict[str, Any]]:
    path = papers.GOLD / "verdicts.jsonl"
    return {told["id"]: told for told in map(json.loads, path.read_text().splitlines())} if path.exists() else {}


def _whose() -> dict[str, Any]:
    return {
        "papers": len(stored()),
        "of": "the held half" if papers.data() else "the samples only; no data: DATA=/path",
    }


def is_precise(line: Line) -> bool:
    many = [right / of for right, of in line.more["fields"].values() if of >= FIELD_N]
    return line.value >= PRECISION_MIN and all(share >= FIELD_MIN for share in many)


def is_complete(line: Line) -> bool:
    """Of the samples too little is known to ask for as many fields."""
    wide = papers.data() is None or (len(line.more["fields"]) >= FIELDS_MIN and line.more["papers"] >= PAPERS_MIN)
    return line.value >= RECALL_MIN and wide


def fits_text(line: Line) -> bool:
    return line.value >= FOUND_MIN and line.more["fit"] >= FIT_MIN


if __name__ == "__main__":
    for unread in (each for each in sampled() if each["id"] not in verdicts()):
        sys.stdout.write(json.dumps(unread, ensure_ascii=False) + "\n")
