"""Bugs of a provider's gate, its pace and the replies that were paid for."""

from tests.simulation.planted.bug import Bug, bug
from tests.support.anchored import Edit

BUGS: list[Bug] = [
    bug(
        "who asks its model seems to have claimed anew",
        "ask writes its instant and nothing else",
        Edit("begin_step", "assign(Row, step=step, step_at=now)", "[Row.updated_at.set(now)]"),
        mix="refusals",
    ),
    bug(
        "anybody goes through a shut gate",
        "no claim behind a provider's shut gate",
        Edit("knock", "gate is None or gate.state != SHUT", "True"),
        mix="refusals",
    ),
    bug(
        "a shut gate is tried before its time",
        "of a gate whose time is over one asker gets to try",
        Edit("knock", "if (gate.shut_until or 0) > now:\n    return Knock(gate, gate.shut_until)", ""),
        Edit(
            "begin_probe",
            "(ProviderGate.state == SHUT) & (ProviderGate.shut_until <= now)",
            "ProviderGate.state == SHUT",
        ),
        mix="refusals",
    ),
    bug(
        "two probe at once",
        "one worker may try",
        Edit("begin_probe", "over & free", "over"),
        mix="refusals",
    ),
    bug(
        "a dead prober holds a gate for ever",
        "its time is up, whatever becomes of it",
        Edit(
            "begin_probe",
            "ProviderGate.prober.does_not_exist() | (ProviderGate.probe_until < now)",
            "ProviderGate.prober.does_not_exist()",
        ),
        mix="probers die",
    ),
    bug(
        "anybody shuts a shut gate for longer",
        "shut -> shut for longer, by the one who probed it in vain",
        Edit("shut", "_not_shut()", "ProviderGate.gate.exists() | ProviderGate.gate.does_not_exist()"),
        mix="provider storms",
    ),
    bug(
        "rows that were let go are not sent again",
        "opened_at, for the sweep, where messages had been let go",
        Edit("reopen", "actions.append(ProviderGate.opened_at.set(now))", "pass"),
        mix="refusals",
    ),
    bug(
        "it is not written down that messages were let go",
        "a closure longer than this lets messages go",
        Edit("shut", "actions.append(ProviderGate.parked.set(True))", "pass"),
        Edit(
            "behind_provider",
            "gate and (many or (gate.parked and until - now > SHORT_CLOSURE_MS))",
            "gate and (many or until - now > SHORT_CLOSURE_MS)",
        ),
        Edit("_behind_provider", "isinstance(answer, Acknowledge) and gate and (not gate.parked)", "False"),
        mix="refusals",
    ),
    bug(
        "nobody is sent to a provider that could be there again",
        "one row whose message may try a provider",
        Edit("probing", "1", "0"),
        mix="refusals",
    ),
    bug(
        "what the provider asked for is not heeded",
        "never shorter than the provider asked for",
        Edit("closure_ms", "max(wait, min(asked_ms, LONGEST_ASKED_MS))", "wait"),
        mix="refusals",
    ),
    bug(
        "a refused account costs the row a try",
        "account faults use no try",
        Edit(
            "for_row",
            "AccountRefused if may_be_its_own else Throttled",
            "ProviderDown if may_be_its_own else Throttled",
        ),
        mix="refusals",
    ),
    bug(
        "the third failure in a row costs a try",
        "behind a gate that is shut by now, nobody's tries are used up",
        Edit("for_row", "AccountRefused if may_be_its_own else Throttled", "type(error)"),
        mix="provider storms",
    ),
    bug(
        "a gate that cannot be told costs the row a try",
        "no throttle uses a try, whatever becomes of the gate (found by the simulation)",
        Edit("_tell", "Unavailable", "ZeroDivisionError"),
        mix="deaf gates",
    ),
    bug(
        "a turn is used before it comes",
        "it waits for the provider's pace",
        Edit("_turn", "self.world.sleep((turn - now) / 1000)", ""),
        mix="provider storms",
    ),
    bug(
        "a turn is taken without a condition",
        "from where it was seen: the turn at that instant is mine",
        Edit("take_turn", "as_seen & _not_shut()", "_not_shut()"),
        mix="refusals",
    ),
    bug(
        "replies are not kept",
        "raw replies are kept before anything else is written of them",
        Edit(
            "reply",
            "stored_replies.keep(self.world, at, Kept(self.row.task, self.row.row, self.row.attempt, reply))",
            "pass",
        ),
        mix="refusals",
    ),
    bug(
        "a row's own reply is asked for again",
        "a row takes up its own replies where it left off",
        Edit("reply", "kept is not None", "kept is not None and not self._is_mine(kept)"),
        mix="deaf gates",
    ),
    bug(
        "what one project's papers draw keeps every project waiting",
        "how a provider fares is known of each project for itself",
        Edit("provider_gate", "f'provider/{provider}/{project}'", "f'provider/{provider}/all'"),
        mix="poison",
    ),
    bug(
        "a paper that is refused as accounts are ends though nobody was answered",
        "another paper was answered between its two refusals",
        Edit("consequence", "answers(gate) > refused", "answers(gate) >= refused"),
        mix="poison",
    ),
    bug(
        "a refused question counts as an answer",
        "only a reply shows that the account is good",
        Edit("_call_in", "self._answered(replied=False)", "self._answered(replied=True)"),
        mix="poison",
    ),
    bug(
        "a call that timed out is not counted",
        "it may have worked all the same, and takes its money",
        Edit("_call_in", "isinstance(error, ProviderDown) and error.timed_out", "False"),
        mix="provider storms",
    ),
    bug(
        "a probe may be asked for as often as somebody likes",
        "asked once in so long",
        Edit(
            "hasten",
            "ProviderGate.asked_at.does_not_exist() | (ProviderGate.asked_at <= now - every_ms)",
            "ProviderGate.gate.exists()",
        ),
        mix="refusals",
    ),
    bug(
        "a probe that was asked for makes the wait longer",
        "in vain, the wait is no longer",
        Edit("hasten", "ProviderGate.closures.set(ProviderGate.closures - 1)", "*[]"),
        mix="refusals",
    ),
]
