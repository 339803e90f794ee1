"""Bugs of a provider's gate, its pace and the replies that were paid for."""

from tests.simulation.planted.bug import Bug, bug

GATE, CALLING, LINE, WORK, DECIDE = "provider_gate.py", "calling.py", "line.py", "working.py", "deciding.py"

BUGS: list[Bug] = [
    bug(
        "anybody goes through a shut gate",
        "no claim behind a provider's shut gate",
        (CALLING, "    if gate is None or gate.state != SHUT:\n        turn", "    if True:\n        turn"),
        mix="refusals",
    ),
    bug(
        "a shut gate is tried before its time",
        "of a gate whose time is over one asker gets to try",
        (CALLING, "    if (gate.shut_until or 0) > now:\n        return Knock(gate, gate.shut_until)\n", ""),
        (GATE, "over = (Gate.state == SHUT) & (Gate.shut_until <= now)", "over = Gate.state == SHUT"),
        mix="refusals",
    ),
    bug(
        "two probe at once",
        "one worker may try",
        (
            GATE,
            "    return _own(update(world, Gate, _key(gate), actions, over & free), me)",
            "    return _own(update(world, Gate, _key(gate), actions, over), me)",
        ),
        mix="refusals",
    ),
    bug(
        "a dead prober holds a gate for ever",
        "its time is up, whatever becomes of it",
        (GATE, "free = Gate.prober.does_not_exist() | (Gate.probe_until < now)", "free = Gate.prober.does_not_exist()"),
        mix="probers die",
    ),
    bug(
        "anybody shuts a shut gate for longer",
        "shut -> shut for longer, by the one who probed it in vain",
        (
            GATE,
            "Gate.prober == prober if prober else _not_shut())",
            "Gate.prober == prober if prober else Gate.gate.exists() | Gate.gate.does_not_exist())",
        ),
        mix="provider storms",
    ),
    bug(
        "rows that were let go are not sent again",
        "opened_at, for the sweep, where messages had been let go",
        (GATE, "        actions.append(Gate.opened_at.set(now))\n", "        pass\n"),
        mix="refusals",
    ),
    bug(
        "it is not written down that messages were let go",
        "a closure longer than this lets messages go",
        (GATE, "        actions.append(Gate.parked.set(True))\n", "        pass\n"),
        (WORK, "if gate and gate.parked and until", "if gate and until"),
        mix="refusals",
    ),
    bug(
        "nobody is sent to a provider that could be there again",
        "one row whose message may try a provider",
        (DECIDE, "row.tries < facts.max_tries][:1]", "row.tries < facts.max_tries][:0]"),
        mix="refusals",
    ),
    bug(
        "what the provider asked for is not heeded",
        "never shorter than the provider asked for",
        (GATE, "return max(wait, min(asked_ms, LONGEST_ASKED_MS))", "return wait"),
        mix="refusals",
    ),
    bug(
        "a refused account costs the row a try",
        "account faults use no try",
        (
            CALLING,
            "waiting = AccountRefused if may_be_its_own else Throttled",
            "waiting = ProviderDown if may_be_its_own else Throttled",
        ),
        mix="refusals",
    ),
    bug(
        "the third failure in a row costs a try",
        "behind a gate that is shut by now, nobody's tries are used up",
        (
            CALLING,
            "waiting = AccountRefused if may_be_its_own else Throttled",
            "waiting = type(error)",
        ),
        mix="provider storms",
    ),
    bug(
        "a gate that cannot be told costs the row a try",
        "no throttle uses a try, whatever becomes of the gate (found by the simulation)",
        (
            CALLING,
            '        except Unavailable as error:\n            say("gate_not_told"',
            '        except ZeroDivisionError as error:\n            say("gate_not_told"',
        ),
        mix="deaf gates",
    ),
    bug(
        "a turn is used before it comes",
        "it waits for the provider's pace",
        (CALLING, "                self.world.sleep((turn - now) / 1000)\n", ""),
        mix="provider storms",
    ),
    bug(
        "a turn is taken without a condition",
        "from where it was seen: the turn at that instant is mine",
        (
            GATE,
            "[Gate.next_at.set(turn + interval_ms)], as_seen & _not_shut())",
            "[Gate.next_at.set(turn + interval_ms)], _not_shut())",
        ),
        mix="refusals",
    ),
    bug(
        "replies are not kept",
        "raw replies are kept before anything else is written of them",
        (
            LINE,
            "            replies.keep(self.world, at, Kept(self.row.task, self.row.row, self.row.attempt, reply))\n",
            "            pass\n",
        ),
        mix="refusals",
    ),
    bug(
        "a row's own reply is asked for again",
        "a row takes up its own replies where it left off",
        (
            LINE,
            "        if kept is not None:\n            self._reuse(kept)\n            return kept.reply\n",
            "        if kept is not None and not self._is_mine(kept):\n            self._reuse(kept)\n            return kept.reply\n",
        ),
        mix="deaf gates",
    ),
    bug(
        "what one project's papers draw keeps every project waiting",
        "how a provider fares is known of each project for itself",
        ("models.py", '    return f"provider/{provider}/{project}"', '    return f"provider/{provider}/all"'),
        mix="poison",
    ),
    bug(
        "a paper that is refused as accounts are ends though nobody was answered",
        "another paper was answered between its two refusals",
        (CALLING, "_answers(self.gate) > self.refused", "_answers(self.gate) >= self.refused"),
        mix="poison",
    ),
    bug(
        "a refused question counts as an answer",
        "only a reply shows that the account is good",
        (CALLING, "self._answered(replied=False)", "self._answered(replied=True)"),
        mix="poison",
    ),
    bug(
        "a call that timed out is not counted",
        "it may have worked all the same, and takes its money",
        (CALLING, "if isinstance(error, ProviderDown) and error.timed_out:", "if False:"),
        mix="provider storms",
    ),
    bug(
        "a probe may be asked for as often as somebody likes",
        "asked once in so long",
        (
            GATE,
            "rested = Gate.asked_at.does_not_exist() | (Gate.asked_at <= now - every_ms)",
            "rested = Gate.gate.exists()",
        ),
        mix="refusals",
    ),
    bug(
        "a probe that was asked for makes the wait longer",
        "in vain, the wait is no longer",
        (GATE, "        Gate.closures.set(Gate.closures - 1),\n", ""),
        mix="refusals",
    ),
]
