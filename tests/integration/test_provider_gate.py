"""A project's gate of a provider: one conditional write a change, each allowed, refused, raced, and lost and found."""

import ast
from typing import Any

import pytest

from sheaf.items import ProviderGate
from sheaf.outside.store import Refused
from sheaf.protocol import provider_gate as product
from sheaf.protocol.provider_gate import LONGEST_MS, Reason
from sheaf.schemas import instant
from tests.contract.test_transition_table import documented
from tests.support import model_engines
from tests.support.bench import PROJECT
from tests.support.provider import serving
from tests.support.syntax import PACKAGE, tree

ENGINE = "openai"
NAME = f"provider/{ENGINE}/{PROJECT}"
EVERY_MS = 15_000
provider_gate: Any = product
"""A test says itself whether it expects a gate or a refusal."""


@pytest.fixture
def world(bench):
    return bench.worker_world()


@pytest.fixture
def now(bench):
    return bench.clock.now


def stored(bench):
    return bench.gate(NAME)


def shut(world, now, seen=None, reason=Reason.DOWN, asked_ms=0, prober=None):
    return provider_gate.shut(world, NAME, seen, reason, asked_ms=asked_ms, prober=prober, now=now)


def probed(world, now):
    """A shut gate whose time is over, and its prober."""
    gate = shut(world, now)
    return provider_gate.begin_probe(world, NAME, "me", until=gate.shut_until + 1_000, now=gate.shut_until)


STATES = ("none", "open", "shut", "probing")
TRANSITIONS = {
    "take_turn": lambda world, seen, now: provider_gate.take_turn(
        world, ProviderGate, NAME, seen, interval_ms=500, now=now
    ),
    "strike": lambda world, _, __: provider_gate.strike(world, NAME),
    "calm": lambda world, _, __: provider_gate.calm(world, NAME),
    "shut": lambda world, seen, now: shut(world, now, seen, prober="me" if state(seen) == "probing" else None),
    "begin_probe": lambda world, _, now: provider_gate.begin_probe(world, NAME, "me", until=now + 50, now=now),
    "end_probe": lambda world, _, __: provider_gate.end_probe(world, NAME, "me"),
    "reopen": lambda world, seen, now: provider_gate.reopen(world, NAME, seen, "me", now),
    "hasten": lambda world, _, now: provider_gate.hasten(world, NAME, every_ms=EVERY_MS, now=now - 50),
}


def state(gate):
    """As DESIGN.md calls it."""
    if gate is None:
        return "none"
    return "probing" if gate.prober else gate.state or "open"


def bring(bench, world, wanted):
    """A gate in this state, and an instant at which its times are over."""
    now = bench.clock.now
    if wanted == "open":
        provider_gate.strike(world, NAME)
    if wanted in {"shut", "probing"}:
        now = shut(world, now).shut_until
    if wanted == "probing":
        provider_gate.begin_probe(world, NAME, "me", until=now, now=now)
    assert state(stored(bench)) == wanted
    return stored(bench), now + 1


@pytest.mark.parametrize("before", STATES)
@pytest.mark.parametrize("name", TRANSITIONS)
def test_a_transition_is_made_from_the_states_that_the_design_says_and_from_no_other(bench, world, name, before):
    """The whole product: made as the table says, or refused with nothing changed."""
    allowed_from, leads_to, who = documented("Provider transitions")[name]
    seen, now = bring(bench, world, before)
    was = seen and seen.serialize()
    written = TRANSITIONS[name](world, seen or ProviderGate(gate=NAME), now)
    found = stored(bench)
    assert who == ("API" if name == "hasten" else "worker")
    if before in allowed_from:
        assert not isinstance(written, Refused)
        assert state(found) in leads_to
    else:
        assert isinstance(written, Refused)
        assert (found and found.serialize()) == was


def test_the_design_s_table_names_every_write_of_the_gate():
    writes = {
        node.name
        for node in tree(PACKAGE / "protocol/provider_gate.py").body
        if isinstance(node, ast.FunctionDef) and "update(" in ast.unparse(node)
    }
    assert writes == TRANSITIONS.keys() == documented("Provider transitions").keys()


def test_a_gate_is_shut_by_the_first_who_finds_out_and_by_no_other(bench, world, now):
    first = shut(world, now)
    assert (first.state, first.reason, first.since, first.shut_until) == ("shut", "unavailable", now, now + 30_000)
    assert isinstance(shut(world, now + 5, reason=Reason.ACCOUNT), Refused)
    assert stored(bench).reason == "unavailable"


def test_one_of_two_gets_to_probe_when_the_time_is_over(bench, world, now):
    gate = shut(world, now)
    early = provider_gate.begin_probe(world, NAME, "me", until=now + 9, now=gate.shut_until - 1)
    assert isinstance(early, Refused)
    mine = provider_gate.begin_probe(world, NAME, "me", until=gate.shut_until + 50, now=gate.shut_until)
    assert mine.prober == "me"
    other = provider_gate.begin_probe(world, NAME, "you", until=now, now=gate.shut_until + 50)
    assert isinstance(other, Refused)
    late = provider_gate.begin_probe(world, NAME, "you", until=now, now=gate.shut_until + 51)
    assert late.prober == "you"


def test_a_probes_own_write_is_recognised_when_its_reply_was_lost(bench, world, now):
    gate = shut(world, now)
    with bench.calls.watch() as calls:
        calls.lose_reply_of = 0
        mine = provider_gate.begin_probe(world, NAME, "me", until=gate.shut_until + 9, now=gate.shut_until)
    assert mine.prober == "me"


def test_only_its_prober_opens_or_shuts_again_when_a_gate_is_probed(bench, world, now):
    gate = probed(world, now)
    assert isinstance(provider_gate.reopen(world, NAME, gate, "you", now), Refused)
    assert isinstance(shut(world, now, gate, prober="you"), Refused)
    assert isinstance(provider_gate.end_probe(world, NAME, "you"), Refused)
    again = shut(world, now, gate, prober="me")
    assert (again.shut_until - now, again.since, again.prober) == (60_000, gate.since, None)


def test_a_reopened_gate_says_so_to_the_sweep_when_messages_were_let_go(bench, world, now):
    gate = probed(world, now)
    opened = provider_gate.reopen(world, NAME, gate, "me", now)
    assert (opened.state, opened.opened_at, opened.since) == ("open", None, None)
    gate = provider_gate.shut(world, NAME, None, Reason.DOWN, asked_ms=1_000_000, prober=None, now=now)
    assert gate.parked
    gate = provider_gate.begin_probe(world, NAME, "me", until=now * 2, now=gate.shut_until)
    assert provider_gate.reopen(world, NAME, gate, "me", now + 7).opened_at == now + 7


def test_waits_double_up_to_the_longest_when_probes_fail(bench, world, now):
    gate, waits = None, []
    for number in range(9):
        gate = shut(world, now, gate, prober="me" if number else None)
        waits.append(gate.shut_until - now)
        now = gate.shut_until
        gate = provider_gate.begin_probe(world, NAME, "me", until=now + 1, now=now)
    assert waits == [30_000 * 2**n for n in range(6)] + [LONGEST_MS] * 3


def test_waits_go_on_where_they_were_when_a_gate_relapses_and_begin_anew_after_a_calm(bench, world, now):
    opened = provider_gate.reopen(world, NAME, probed(world, now), "me", now)
    assert shut(world, now + 60_000, opened).shut_until == now + 120_000
    models_gate = stored(bench)
    assert models_gate.closures == 2
    assert provider_gate._closures(opened, Reason.DOWN, now + provider_gate.RELAPSE_MS + 1) == 0


def test_waits_begin_anew_when_the_reason_is_another(bench, world, now):
    """An account refused behind throttling used to wait with throttling's doubled waits: over 400 s."""
    gate = None
    for number in range(4):
        gate = shut(world, now, gate, Reason.THROTTLED, prober="me" if number else None)
        now = gate.shut_until
        gate = provider_gate.begin_probe(world, NAME, "me", until=now + 1, now=now)
    assert shut(world, now, gate, Reason.ACCOUNT, prober="me").shut_until - now == 30_000


def test_an_accounts_waits_begin_anew_when_it_was_answered_in_between(bench, world, now):
    """Its answer says that the account is good; a provider that is down or throttles may well relapse."""
    for reason, wait in ((Reason.ACCOUNT, 30_000), (Reason.DOWN, 60_000)):
        gate = shut(world, now, stored(bench), reason)
        now = gate.shut_until
        gate = provider_gate.begin_probe(world, NAME, "me", until=now + 1, now=now)
        opened = provider_gate.reopen(world, NAME, gate, "me", now)
        assert shut(world, now, opened, reason).shut_until - now == wait
        now = stored(bench).shut_until
        gate = provider_gate.begin_probe(world, NAME, "me", until=now + 1, now=now)
        provider_gate.reopen(world, NAME, gate, "me", now)


def test_the_wait_is_no_longer_when_one_probed_in_vain_whose_document_may_be_at_fault(bench, world, now):
    gate = shut(world, now, reason=Reason.ACCOUNT)
    for wait, longer in ((30_000, False), (30_000, False), (60_000, True), (60_000, False)):
        now = gate.shut_until
        gate = provider_gate.begin_probe(world, NAME, "me", until=now + 1, now=now)
        gate = provider_gate.shut(world, NAME, gate, Reason.ACCOUNT, asked_ms=0, prober="me", now=now, longer=longer)
        assert gate.shut_until - now == wait


# ---------------------------------------------------------------------------------------------------- asked for


def test_a_shut_gate_may_be_tried_at_once_when_somebody_asks(bench, world, now):
    shut(world, now)
    asked = provider_gate.hasten(world, NAME, every_ms=EVERY_MS, now=now + 5_000)
    assert (asked.state, asked.shut_until, asked.asked_at, asked.parked) == ("shut", now + 5_000, now + 5_000, True)
    assert provider_gate.begin_probe(world, NAME, "me", until=now + 9_000, now=now + 5_000).prober == "me"


def test_the_wait_is_no_longer_than_before_when_a_probe_that_was_asked_for_was_in_vain(bench, world, now):
    """Mutation caught: asking three times makes half an hour of it."""
    gate = shut(world, now)
    for number in range(3):
        now += EVERY_MS
        provider_gate.hasten(world, NAME, every_ms=EVERY_MS, now=now)
        gate = provider_gate.begin_probe(world, NAME, "me", until=now + 1_000, now=now)
        gate = shut(world, now, gate, prober="me")
        assert gate.shut_until - now == 30_000, number


def test_nothing_is_changed_when_it_was_asked_for_a_moment_ago(bench, world, now):
    shut(world, now)
    provider_gate.hasten(world, NAME, every_ms=EVERY_MS, now=now + 1)
    gate = provider_gate.begin_probe(world, NAME, "me", until=now + 1_000, now=now + 1)
    assert isinstance(provider_gate.hasten(world, NAME, every_ms=EVERY_MS, now=now + 2), Refused), "it is being tried"
    shut(world, now + 2, gate, prober="me")
    was = stored(bench).serialize()
    assert isinstance(provider_gate.hasten(world, NAME, every_ms=EVERY_MS, now=now + EVERY_MS), Refused)
    assert stored(bench).serialize() == was
    assert not isinstance(provider_gate.hasten(world, NAME, every_ms=EVERY_MS, now=now + EVERY_MS + 1), Refused)


def test_it_is_asked_once_when_the_reply_was_lost(bench, world, now):
    """The client's own repetition is refused by the first, and the gate is as it was asked to be."""
    shut(world, now)
    with bench.calls.watch() as calls:
        calls.lose_reply_of = 0
        again: Any = provider_gate.hasten(world, NAME, every_ms=EVERY_MS, now=now + 5)
    assert isinstance(again, Refused)
    assert (stored(bench).asked_at, stored(bench).closures) == (now + 5, 0)


def test_two_do_not_get_the_same_turn_when_both_saw_the_same(bench, world, now):
    first = provider_gate.take_turn(world, ProviderGate, NAME, None, interval_ms=500, now=now)
    assert first.next_at == now + 500
    other = provider_gate.take_turn(world, ProviderGate, NAME, None, interval_ms=500, now=now)
    assert isinstance(other, Refused)
    assert (
        provider_gate.take_turn(world, ProviderGate, NAME, other.item, interval_ms=500, now=now).next_at == now + 1_000
    )
    shut(world, now)
    assert isinstance(
        provider_gate.take_turn(world, ProviderGate, NAME, stored(bench), interval_ms=500, now=now), Refused
    )


def test_the_pace_halves_every_minute_when_throttling_is_over(bench, world, now):
    gate = shut(world, now, reason=Reason.THROTTLED)
    assert provider_gate.pace_ms(gate, now) == 100
    assert provider_gate.pace_ms(gate, now + 60_000) == 50
    assert provider_gate.pace_ms(gate, now + 3_600_000) == 0


def test_failures_count_up_and_one_answer_clears_them(bench, world, now):
    assert [provider_gate.strike(world, NAME).failures for _ in range(3)] == [1, 2, 3]
    calmed = provider_gate.calm(world, NAME)
    assert (calmed.failures, calmed.answers) == (None, 1)
    shut(world, now)
    assert isinstance(provider_gate.strike(world, NAME), Refused)
    assert isinstance(provider_gate.calm(world, NAME), Refused)


# ---------------------------------------------------------------------------------------------------- the whole way


def test_a_task_says_what_it_waits_for_and_goes_on_when_the_provider_is_back(bench):
    """A long outage: messages are let go, one row is sent to probe, and all are sent again when it opens."""
    with serving() as provider:
        model_engines.configure(bench, provider)
        documents = [bench.paper(f"Paper {number}.", f"{number}.txt") for number in range(5)]
        task = bench.post(documents, kind="extract_paper", engine=ENGINE)[1]["taskId"]
        provider.play("status:503::{}")
        began = bench.clock.now
        while bench.clock.now < began + 3 * 3600 * 1000:
            bench.deliver()
            bench.sweep_once()
            bench.pass_time(seconds=45)
        told = bench.http("GET", f"/asl/extraction/tasks/{task}")[1]
        waiting = told["waiting"]
        assert (waiting["for"], waiting["provider"], waiting["reason"]) == ("provider", ENGINE, "unavailable")
        assert waiting["rows"] == 5
        assert waiting["until"] == instant(stored(bench).shut_until)
        assert waiting["since"] < told["asOf"] < waiting["until"]
        assert set(bench.statuses(task)) == {"pending"}
        failed = len(provider.calls)
        assert failed <= 5 + 12
        provider.play("ok")
        bench.settle(step_seconds=45)
        assert bench.statuses(task) == ["completed"] * 5
        assert len(provider.calls) == failed + 5
        assert bench.http("GET", f"/asl/extraction/tasks/{task}")[1]["waiting"] is None


def test_a_document_at_which_the_provider_always_fails_holds_up_no_other(bench):
    """It probes too, and in vain; the others get their turns, and then its tries are used up or it waits alone."""
    with serving() as provider:
        model_engines.configure(bench, provider)

        def failing(call):
            return "status:500::{}" if "Poison" in call.turns[0] else "ok"

        provider.choose = failing
        documents = [bench.paper("Poison.", "0.txt"), *(bench.paper(f"Paper {n}.", f"{n}.txt") for n in range(1, 8))]
        task = bench.post(documents, kind="extract_paper", engine=ENGINE)[1]["taskId"]
        for _ in range(400):
            bench.deliver()
            bench.sweep_once()
            if bench.statuses(task).count("completed") == 7:
                break
            bench.pass_time(seconds=45)
        assert bench.statuses(task)[1:] == ["completed"] * 7
        assert len([call for call in provider.calls if "Poison" not in call.turns[0]]) == 7
