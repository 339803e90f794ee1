"""Evidence on the sample papers: true quotes with spoilt layout, false ones, and what a row stores of a real paper."""

import math
import os
import time
from functools import lru_cache
from itertools import islice
from typing import Any

from bench import forging, planting
from bench.report import Line
from clinical.evidence import Pages, check, locate
from clinical.extract_paper import work
from clinical.papers import Page, Paper
from clinical.templates import BUILT_IN, Field
from sheaf.jobs import Job
from sheaf.protocol.manifest import PinnedItem
from sheaf.work_budget import Budget

CASES = 1_000
NUMBER = Field("value", "number", "Value", "值", "")


def seed() -> int:
    """Another one by hand: SEED=7 make bench ONLY=evidence."""
    return int(os.environ.get("SEED", "20261118"))


def _pages(paper: Paper) -> Pages:
    """As in a job: one for all quotes of a paper. Here with no end of work."""
    return _made(paper.pages)


@lru_cache(maxsize=32)
def _made(pages: tuple[Page, ...]) -> Pages:
    return Pages(Paper("pdf", pages), Budget(math.inf))


def genuine() -> Line:
    """Accepted, on its own page, and what is stored is that page's text."""
    missed: dict[str, int] = {}
    accepted, spent = 0, 0.0
    for case in planting.genuine(CASES, seed()):
        start = time.perf_counter()
        found = locate(case.quote, _pages(case.paper), case.page)
        spent += time.perf_counter() - start
        pages = {page.number: page.text for page in case.paper.pages}
        if found.page == case.page and pages[found.page or 0][found.start : found.end] == found.quote:
            accepted += 1
        else:
            missed[case.kind] = missed.get(case.kind, 0) + 1
    more = {"cases": CASES, "kinds": len(planting.KINDS), "missed": missed, "milliseconds_each": 1000 * spent / CASES}
    return Line(accepted / CASES, "share", more=more)


def planted() -> Line:
    """Caught: not found, or unsupported, or put right where only the page was wrong."""
    missed: dict[str, int] = {}
    kinds: set[str] = set()
    cases = list(islice(forging.planted(2 * CASES, seed()), CASES))
    for case in cases:
        kinds.add(case.kind)
        if not _is_caught(case):
            missed[case.kind] = missed.get(case.kind, 0) + 1
    more = {"cases": len(cases), "kinds": len(kinds), "missed": missed}
    return Line(1 - sum(missed.values()) / len(cases), "share", more=more)


def _is_caught(case: planting.Case) -> bool:
    if case.kind == "wrong page":
        found = locate(case.quote, _pages(case.paper), case.page)
        return found.page is not None and found.page != case.page
    if case.value is not None:
        told = {"value": case.value, "state": "found", "quote": case.quote, "page": case.page}
        return check(case.field or NUMBER, told, _pages(case.paper))["state"] == "unsupported"
    return locate(case.quote, _pages(case.paper)).match == "not_found"


def verified() -> Line:
    """Of every exact or fuzzy quote that a row of the sample papers stores: whether the page says just that there."""
    there = right = 0
    for paper in planting.papers():
        content = paper.to_json().encode()
        for name in BUILT_IN:
            item = PinnedItem("d", "k", None, None, "a.txt")
            options = {"template": f"{name}@1"}
            job = Job("p/t", 0, 1, item, options, lambda told=content: told, lambda _: b"", lambda: 60.0)
            fields = work.work(job).data["fields"].values()
            pages = {page.number: page.text for page in paper.pages}
            for quote in (each for value in fields for each in _quotes(value)):
                there += 1
                right += pages[quote["page"]][quote["start"] : quote["end"]] == quote["quote"] != ""
    return Line(right / there if there else 0.0, "share", more={"quotes": there})


def _quotes(value: dict[str, Any]) -> list[dict[str, Any]]:
    """The field's own quotes, its entries', and what goes on on another page."""
    entries = [each for each in value["value"] if isinstance(each, dict)] if isinstance(value["value"], list) else []
    told = [
        value,
        *entries,
        *value.get("evidence", []),
        *(each for entry in entries for each in entry.get("evidence", [])),
    ]
    found = [each for each in told if each["match"] in {"exact", "fuzzy"}]
    return found + [part for each in found for part in each.get("continued", ())]
