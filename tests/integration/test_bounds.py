"""A worker after its work: nothing of a tenant's paper is left in it, and what was paid for is counted."""

import gc
import weakref
from dataclasses import replace

import pytest

from clinical.evidence import Pages
from clinical.papers import Page, Paper
from clinical.rules.text import Reading
from sheaf.settings import Kinds
from tests.support import little_work, model_engines
from tests.support.model_engines import COST
from tests.support.provider import reporting, serving

MARK = "Trial number 8,128 of rest"
TEXT = f"{MARK}.\nWe randomised 120 participants to two groups, and we followed each of them up for a year."
INVENTED = reporting(n_randomised=(120, "A hundred and twenty people were enrolled by nobody at all.", 1))


@pytest.fixture
def provider():
    with serving() as made:
        made.replies = INVENTED
        yield made


@pytest.fixture
def stack(bench, provider):
    model_engines.configure(bench, provider)
    return bench


def hurry(bench):
    """From now on a worker that has hardly any work to spend."""
    world = bench.worker_world()
    kind = world.settings.kinds["extract_paper"]._replace(module=little_work.__name__)
    settings = replace(world.settings, kinds=Kinds({**world.settings.kinds, kind.name: kind}))
    bench.worlds["ExtractPaperFunction"] = replace(world, settings=settings)


def deliver(bench, **more):
    """A task of one paper, worked on once."""
    status, task = bench.post([bench.paper(TEXT)], kind="extract_paper", **more)
    assert status == 202, task
    bench.deliver()
    return bench.row()


def left():
    """What holds the paper's pages, of all that this process has."""
    gc.collect()
    found = [each for each in gc.get_objects() if isinstance(each, Page | Pages | Reading)]
    pages = {id(each): each.paper.pages if isinstance(each, Pages | Reading) else [each] for each in found}
    return [each for each in found if any(MARK in page.text for page in pages[id(each)])]


@pytest.mark.parametrize("engine", ["rules", "openai"])
def test_nothing_of_a_paper_is_left_when_its_row_is_completed(stack, engine):
    assert deliver(stack, engine=engine).status == "completed"
    assert left() == []


@pytest.mark.parametrize("engine", ["rules", "openai"])
def test_nothing_of_a_paper_is_left_when_its_row_ended_in_an_error(stack, engine):
    hurry(stack)
    assert deliver(stack, engine=engine).status == "error"
    assert left() == []


def test_what_is_left_is_seen_when_it_is_looked_for():
    """A look that sees nothing shows nothing."""
    pages = Pages(Paper("text", (Page(1, TEXT),)))
    assert pages in left()
    gone = weakref.ref(pages)
    del pages
    assert (gone(), left()) == (None, [])


def test_a_row_keeps_its_cost_when_its_reply_is_too_much_work_to_check(stack, provider):
    """◆ What a provider was paid counts for the task's budget, whatever came of it; and nothing is asked twice for it."""
    hurry(stack)
    row = deliver(stack, engine="openai", budgetUsd=1)
    assert (row.status, row.error_class, row.attempt) == ("error", "too_much_work", 1)
    assert (row.cost, row.tokens) == (COST, 1_200)
    stack.settle()
    (task,) = stack.tasks()
    assert (task.status, task.cost, task.tokens) == ("completed", COST, 1_200)
    assert len(provider.calls) == 1
