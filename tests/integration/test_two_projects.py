"""What one project's papers and templates draw from a provider is that project's: the other one is none the worse.

Two projects take their turns fairly behind one provider, as the queue's groups do. `lab` has twenty good papers.
"""

import pytest

from sheaf.items import provider_gate
from tests.support import model_engines
from tests.support.provider import serving
from tests.support.two_projects import (
    BOUND_MS,
    EVIL,
    LAB,
    POISON,
    REFUSALS,
    WIDE,
    formats,
    good,
    opened,
    own_template,
    poison,
    refusing_wide_schemas,
    rounds,
    statuses,
    take_turns,
)


@pytest.fixture
def provider():
    with serving() as made:
        made.choose = lambda call: made.acts[0] if POISON in call.turns[0] else "ok"
        yield made


@pytest.fixture
def stack(bench, provider):
    model_engines.configure(bench, provider)
    return bench


@pytest.mark.parametrize(
    ("count", "refusal"), [(0, "a wall's page"), (1, "a wall's page"), *((12, refusal) for refusal in REFUSALS)]
)
def test_a_project_is_done_in_ten_minutes_when_another_s_papers_are_poison(stack, provider, count, refusal):
    """The review's table: 21 hours with twelve of them, before."""
    provider.play(REFUSALS[refusal])
    if count:
        opened(stack, EVIL, poison(count))
    lab = opened(stack, LAB, good(20))
    took = rounds(stack, lambda: statuses(stack, lab) == ["completed"] * 20, BOUND_MS)
    assert statuses(stack, lab) == ["completed"] * 20
    assert took < BOUND_MS
    assert stack.gate(provider_gate("openai", LAB)) is None, "nobody has told it anything"


@pytest.mark.parametrize(("refusal", "count"), [("a wall's page", 4), ("an account's words", 12)])
def test_a_project_s_own_good_papers_are_done_when_others_are_poison(stack, provider, refusal, count):
    """And the poison ends, each as its document's, so that it does not go on for a week."""
    provider.play(REFUSALS[refusal])
    evil = opened(stack, EVIL, [*poison(count), *good(8)])
    took = rounds(stack, lambda: statuses(stack, evil) == ["error"] * count + ["completed"] * 8, 3 * BOUND_MS)
    assert statuses(stack, evil) == ["error"] * count + ["completed"] * 8
    assert took < 2 * BOUND_MS
    assert {row.error_class for row in stack.all_rows() if row.status == "error"} == {"request_refused"}


def test_a_paper_that_is_refused_as_accounts_are_ends_when_another_was_answered_in_between(stack, provider):
    provider.play(REFUSALS["an account's words"])
    evil = opened(stack, EVIL, [*poison(1), *good(2)])
    rounds(stack, lambda: "pending" not in statuses(stack, evil), BOUND_MS)
    assert statuses(stack, evil) == ["error", "completed", "completed"]
    (row,) = (row for row in stack.all_rows() if row.status == "error")
    assert (row.error_class, row.attempt) == ("request_refused", 2)
    assert "account" in row.error_message
    gate = stack.gate(provider_gate("openai", EVIL))
    assert (gate.state, gate.closures) == (None, None), "the gate was never shut over it"


def test_nobody_is_ended_when_the_account_is_refused_for_all_of_them(stack, provider):
    """Mutation caught: a row ended at its second refusal, though nobody was answered."""
    provider.choose = None
    provider.play("status:403::{}")
    evil = opened(stack, EVIL, good(4))
    rounds(stack, lambda: False, 3 * 3600_000)
    assert statuses(stack, evil) == ["pending"] * 4
    assert {row.tries for row in stack.all_rows()} == {0}
    assert stack.gate(provider_gate("openai", EVIL)).reason == "account"
    assert len(provider.calls) < 30
    provider.play("ok")
    rounds(stack, lambda: statuses(stack, evil) == ["completed"] * 4, 3600_000)
    assert statuses(stack, evil) == ["completed"] * 4


def test_a_row_that_never_was_refused_tries_the_gate_when_there_is_one(stack, provider):
    """Else each poison would find the gate shut by the one before, and shut it for longer."""
    provider.play(REFUSALS["an account's words"])
    evil = opened(stack, EVIL, [*poison(2), *good(2)])
    due = list(stack.held.values())
    for held in due[:2]:
        stack.invoke_worker(held)
    gate = stack.gate(provider_gate("openai", EVIL))
    assert gate.state == "shut"
    for held in due[2:]:
        stack.invoke_worker(held)
    waits = [held.visible_at - gate.shut_until for held in due]
    assert max(waits[2:]) < waits[1], "those that it kept waiting come first"
    rounds(stack, lambda: statuses(stack, evil) == ["error"] * 2 + ["completed"] * 2, BOUND_MS)
    assert statuses(stack, evil) == ["error"] * 2 + ["completed"] * 2
    assert len(provider.calls) == 2 + 2 + 2


# ---------------------------------------------------------------------------------------------------- templates


def test_another_project_is_asked_by_schema_when_one_project_s_template_was_refused(stack, provider):
    """Six days later it still got json_object, before."""
    provider.choose = refusing_wide_schemas
    template = own_template(stack, EVIL, 30)
    opened(stack, EVIL, good(1), templateId=template)
    take_turns(stack)
    assert formats(provider) == ["json_schema", "json_object"]
    opened(stack, LAB, good(1))
    opened(stack, EVIL, good(1))
    take_turns(stack)
    assert formats(provider)[2:] == ["json_schema", "json_schema"], "nor any other template of the project"
    opened(stack, EVIL, ["Another paper."], templateId=template)
    take_turns(stack)
    assert formats(provider)[4:] == ["json_object"], "what was found out is known of this one"


def test_another_project_is_asked_by_schema_when_a_paper_s_words_were_taken_for_a_refusal(stack, provider):
    """A server that repeats a part of the paper in its message: it was the same template, and a built-in one."""
    provider.choose = lambda call: (
        WIDE if POISON in call.turns[0] and call.body["response_format"]["type"] == "json_schema" else "ok"
    )
    opened(stack, EVIL, poison(1))
    take_turns(stack)
    opened(stack, LAB, good(1))
    take_turns(stack)
    assert formats(provider) == ["json_schema", "json_object", "json_schema"]
