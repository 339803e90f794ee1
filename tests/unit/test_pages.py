"""What is kept of a paper while quotes are looked for in it: bounded in bytes, counted as work, and gone with the job."""

import gc
import math
import os
import subprocess
import sys
import time
import weakref
from pathlib import Path

import pytest

from clinical.evidence import Pages, locate
from clinical.evidence.pages import KEPT_BYTES
from clinical.papers import Page, Paper
from sheaf.errors import Permanent
from sheaf.work_budget import WORK_MAX, Budget
from tests.support.stack_file import ROOT, load

WORDS = "the patients of this trial were randomised to one of two groups by a computer and followed for a year".split()  # noqa: SIM905 - read best as they stand


def report(pages: int, characters: int, name: str = "") -> Paper:
    """Pages of words, each another text."""
    line = " ".join(WORDS)
    return Paper(
        "pdf",
        tuple(Page(n, f"{name} {n} " + (line + f" {n}. ") * (characters // len(line))) for n in range(1, pages + 1)),
    )


@pytest.mark.long
def test_two_hundred_quotes_are_not_found_in_seconds_when_a_report_has_three_hundred_pages():
    """Each was 4 s once more pages were there than were remembered: a model that invents its quotes held a worker."""
    pages = Pages(report(300, 4_000))
    before = time.process_time()
    for number in range(200):
        assert locate(f"a sentence that nobody has written, number {number} of many", pages).match == "not_found"
    assert time.process_time() - before < 20


def test_a_quote_of_two_thousand_words_is_looked_for_in_no_time_when_the_page_is_all_one_word():
    """17 s, when each place of the page was the beginning of another try."""
    pages = Pages(Paper("text", (Page(1, "a " * 100_000),)))
    before = time.process_time()
    assert list(pages.exact("a " * 1_990 + "b", pages.paper.pages[0])) == []
    assert next(pages.exact("a " * 1_990, pages.paper.pages[0])) == (0, 3_979)
    assert time.process_time() - before < 2


def test_what_is_kept_stays_below_its_bound_when_a_paper_is_larger():
    """And what was dropped is made again when it is asked for."""
    pages = Pages(report(20, 4_000), keep_bytes=30_000)
    for _ in range(2):
        assert locate("a sentence that nobody has written at all", pages).match == "not_found"
        assert 0 < pages.kept_bytes <= 30_000
    found = locate("19 the patients of this tri-\nal were", pages)
    assert (found.page, found.match) == (19, "fuzzy")


def test_nothing_of_a_paper_is_left_when_its_pages_are_gone():
    """◆ No cache of the process holds a tenant's text: the object is all there is."""
    pages = Pages(report(3, 4_000))
    locate("a sentence that nobody has written at all", pages)
    gone = weakref.ref(pages)
    del pages
    gc.collect()
    assert gone() is None


def test_it_ends_for_good_when_quotes_take_more_work_than_there_is():
    pages = Pages(report(20, 4_000), Budget(500_000))
    with pytest.raises(Permanent) as raised:
        locate("a sentence that nobody has written at all", pages)
    assert raised.value.error_class == "too_much_work"


def test_all_that_a_model_invents_is_looked_for_when_its_text_is_the_largest_it_may_be_given():
    """◆ What was paid for does not end as too much work for that alone. A hundredth of everything, with five hundred quotes."""
    most = load()["Parameters"]["ModelTextBytes"]["MaxValue"] // 100
    pages = Pages(report(10, most // 10), Budget(WORK_MAX / 100), KEPT_BYTES / 100)
    for number in range(500):
        assert locate(f"a sentence that nobody has written, number {number} [12] of many", pages).match == "not_found"


@pytest.mark.long
def test_a_place_is_work_too_when_a_quote_stands_everywhere():
    """Four hundred places a page, each compared by itself."""
    pages = Pages(Paper("text", (Page(1, "a-b " * 2_000),)), Budget(math.inf))
    locate("a b " * 500, pages)
    spent = Pages(pages.paper, Budget(900_000))
    with pytest.raises(Permanent):
        locate("a b " * 500, spent)


def test_a_quote_is_found_where_it_is_named_when_it_stands_there_twice():
    pages = Pages(Paper("text", (Page(1, "n = 90 and n = 90, n = 905"),)))
    assert [locate("n = 90", pages, 1, start).start for start in (0, 11, 19)] == [0, 11, 11]


@pytest.mark.parametrize(
    ("quote", "text", "places"),
    [
        ("a b", "  a\n b a b", [(2, 6), (7, 10)]),
        ("a b a", "a b a b a", [(0, 5)]),
        ("tients  were", "Patients\u2003were here", [(2, 13)]),
        (" here ", "was here", [(4, 8)]),
        ("not there", "notthere", []),
    ],
)
def test_white_space_is_all_that_may_differ_when_a_quote_is_exact(quote, text, places):
    pages = Pages(Paper("text", (Page(1, text),)))
    assert list(pages.exact(quote, pages.paper.pages[0])) == places


@pytest.mark.long
def test_a_process_does_not_grow_when_it_reads_one_paper_after_the_other():
    """Each another text, and a quote in each that is not there. It grows by 0 MB; by 17 if the pages are kept."""
    assert grown_apart(9, 600_000) < 6


@pytest.mark.slow
def test_a_process_does_not_grow_when_it_reads_ten_papers_of_nine_megabytes():
    """It was 213 MB more with each, and ended with the fifth. It grows by 9 MB; by 18 with each if the pages are kept."""
    assert grown_apart(10, 9_000_000) < 40


def grown_apart(papers: int, characters: int) -> float:
    """The same of a process of its own."""
    told = subprocess.run(
        [sys.executable, "-c", f"from tests.unit.test_pages import grown; print(grown({papers}, {characters}))"],
        cwd=ROOT, env={**os.environ, "PYTHONPATH": f"{ROOT}:{ROOT / 'layers' / 'sheaf'}"},
        capture_output=True, text=True, check=True, timeout=900,
    )  # fmt: skip
    return float(told.stdout)


def grown(papers: int, characters: int, quote: str = "nobody wrote it") -> float:
    """MB that this process has gained after its first paper."""
    sizes = []
    for number in range(papers):
        assert locate(quote, Pages(report(max(1, characters // 50_000), 50_000, f"P{number}"))).match == "not_found"
        sizes.append(int((Path("/proc/self/statm")).read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6)
    return max(sizes) - sizes[0]
