"""Bugs to be planted: each one a small change of the product that breaks a sentence of DESIGN section 3.

A bug is its name, the sentence that it leaves out, and its changes: (file, text as it is, text as it would be wrong).
The text as it is has to be there exactly once, so that a bug that no longer fits the product fails loudly.
"""

from tests.simulation.planted import budgets, calls, library, provider
from tests.simulation.planted.bug import bug

LIFE, WORK, SCAT, SWEEP, DECIDE = "lifecycle.py", "working.py", "scatter.py", "sweeping.py", "deciding.py"

ROW_BUGS = [
    bug(
        "fence on the state only",
        "every write after a claim names the claim it belongs to",
        (
            LIFE,
            "(Row.status == RowStatus.EXTRACTING) & (Row.token == row.token)",
            "(Row.status == RowStatus.EXTRACTING)",
        ),
        mix="late finishers",
    ),
    bug(
        "no cap on tries in the claim",
        "claim: tries < max",
        (LIFE, "may_try = Row.tries < max_tries", "may_try = Row.tries < max_tries + 100"),
    ),
    bug(
        "claim before it is due",
        "claim: pending and not_before <= now",
        (LIFE, "(Row.status == RowStatus.PENDING) & (Row.not_before <= now)", "(Row.status == RowStatus.PENDING)"),
        mix="deadlines",
    ),
    bug(
        "claim over a live lease",
        "claim: extracting and lease_until < now",
        (
            LIFE,
            "(Row.status == RowStatus.EXTRACTING) & (Row.lease_until < now)\n    written",
            "(Row.status == RowStatus.EXTRACTING)\n    written",
        ),
    ),
    bug(
        "tries and attempt confused",
        "two numbers, never one",
        (LIFE, "Row.attempt.set(Row.attempt + 1)", "Row.attempt.set(Row.tries + 1)"),
    ),
    bug(
        "a throttle uses a try",
        "tries - 1 if throttled",
        (LIFE, "actions.append(Row.tries.set(Row.tries - 1))", "pass"),
    ),
    bug(
        "a throttle on the last try ends the row",
        "release: throttled, or tries < max",
        (
            LIFE,
            "_mine(row) if throttled else _mine(row) & (Row.tries < max_tries)",
            "_mine(row) & (Row.tries < max_tries)",
        ),
        mix="deadlines",
    ),
    bug(
        "release without a try left",
        "otherwise fail attempts_spent",
        (LIFE, "_mine(row) if throttled else _mine(row) & (Row.tries < max_tries)", "_mine(row)"),
    ),
    bug(
        "expire on what was seen",
        "expire: lease_until < now, in the condition",
        (
            LIFE,
            "(Row.status == RowStatus.EXTRACTING) & (Row.attempt == seen.attempt)",
            "(Row.status == RowStatus.EXTRACTING)",
        ),
        (LIFE, "still_the_same & lease_over)", "still_the_same)"),
        mix="late sweepers",
    ),
    bug(
        "expire names no attempt",
        "expire: attempt = the one seen",
        (
            LIFE,
            "still_the_same = (Row.status == RowStatus.EXTRACTING) & (Row.attempt == seen.attempt)",
            "still_the_same = Row.status == RowStatus.EXTRACTING",
        ),
        mix="late sweepers",
    ),
    bug(
        "expiry never ends a row",
        "error when tries are spent",
        (LIFE, 'if spent or kind.on_expiry == "error":', 'if kind.on_expiry == "error":'),
    ),
    bug(
        "a kind's wish at expiry ignored",
        "or the kind says so",
        (LIFE, 'if spent or kind.on_expiry == "error":', "if spent:"),
    ),
    bug(
        "cancel takes running rows",
        "cancel: pending",
        (
            LIFE,
            "return update(world, Row, _key(row), actions, Row.status == RowStatus.PENDING)\n\n\ndef record_dead",
            "return update(world, Row, _key(row), actions, Row.status.exists())\n\n\ndef record_dead",
        ),
    ),
    bug(
        "dead letter on a row that has ended",
        "dead letter: row exists and not terminal",
        (LIFE, "Row.status.is_in(RowStatus.PENDING, RowStatus.EXTRACTING)", "Row.status.exists()"),
    ),
    bug(
        "dead letter ends a row",
        "a dead letter never ends a row",
        (LIFE, "Row.dead_letters.add(1),", "Row.dead_letters.add(1), Row.status.set(RowStatus.ERROR),"),
    ),
    bug(
        "the deadline's clock starts again at each claim",
        "the deadline runs from the first claim",
        (LIFE, "Row.first_claimed_at.set(Row.first_claimed_at | now)", "Row.first_claimed_at.set(now)"),
    ),
    bug(
        "waiting_since is not stamped at a re-send",
        "stamp: waiting_since when first re-sent",
        (
            LIFE,
            "[Row.waiting_since.set(Row.waiting_since | now)]",
            "[] if sent else [Row.waiting_since.set(Row.waiting_since | now)]",
        ),
    ),
    bug(
        "a claim does not know its own lost reply",
        "extracting with my own token: go on",
        (LIFE, "return _own(written, token, RowStatus.EXTRACTING, lease_after=now)", "return written"),
    ),
    bug(
        "a lost reply of a claim long ago is gone on with",
        "my own token and lease_until > now",
        (
            WORK,
            "return _work(world, message, claimed, knocked, now + remaining_ms - STOP_BEFORE_MS)",
            "return _work(world, message, claimed, knocked, now + remaining_ms + 3_600_000)",
        ),
    ),
    bug(
        "rows are written without a condition",
        "conditional puts",
        (LIFE, "absent = Row.shard.does_not_exist()", "absent = Row.shard.does_not_exist() | Row.shard.exists()"),
    ),
    bug(
        "a refused transaction read as written",
        "put its rows one by one",
        (LIFE, "if not put_together(world, rows, absent):", "if not put_together(world, rows, absent) and not rows:"),
    ),
]

WORKER_BUGS = [
    bug(
        "an early claim is acknowledged",
        "pending but early: hide until not_before",
        (WORK, "return _hide_until(world, message, row.not_before)", "return False"),
    ),
    bug(
        "a live lease is acknowledged",
        "under another's live lease: hide until lease_until",
        (WORK, "return _hide_until(world, message, row.lease_until or now)", "return False"),
    ),
    bug(
        "hidden for too short",
        "hide the message until lease_until",
        (WORK, "return _hide_until(world, message, row.lease_until or now)", "return _hide(world, message, 1)"),
    ),
    bug(
        "hidden for too long",
        "hide until not_before plus jitter",
        (
            WORK,
            "return _hide_until(world, message, row.not_before)",
            "return _hide_until(world, message, row.not_before + 3_600_000)",
        ),
    ),
    bug(
        "an ended row's message is kept",
        "terminal: acknowledge",
        (
            WORK,
            "    if row.status in TERMINAL:\n        return False",
            "    if row.status in TERMINAL:\n        return True",
        ),
    ),
    bug(
        "a released row's message is acknowledged",
        "transient: release, hide the message",
        (WORK, "return False if ended else _hide_until(world, message, due)", "return False"),
    ),
    bug(
        "the payload after the row",
        "the payload is written before the complete that points at it",
        (
            WORK,
            "        key = _store(world, row, outcome.data)\n",
            '        key = f"tasks/{row.task}/rows/{row.row}-{row.attempt}.json"\n',
        ),
        (
            WORK,
            "    lost = isinstance(written, Refused)\n",
            "    lost = isinstance(written, Refused)\n    if not isinstance(outcome, Failure):\n        _store(world, row, outcome.data)\n",
        ),
    ),
    bug(
        "the payload's key without the attempt",
        "under a key that holds the attempt",
        (WORK, "rows/{row.row}-{row.attempt}.json", "rows/{row.row}.json"),
        mix="late finishers",
    ),
    bug(
        "a lease shorter than the function",
        "now + remaining time + slack",
        (WORK, "lease_until=now + remaining_ms + settings.lease_slack_seconds * 1000", "lease_until=now + 15_000"),
    ),
    bug(
        "a lease without slack",
        "slack >= 60 s",
        (
            WORK,
            "lease_until=now + remaining_ms + settings.lease_slack_seconds * 1000",
            "lease_until=now + remaining_ms",
        ),
    ),
    bug(
        "the gate is not read",
        "gates are read before the claim",
        (
            WORK,
            "gate, provider, pace = queries.gates_before(world, address.task, address.engine, paced=paced)",
            "gate: Gate | None = None\n    provider: Gate | None = None\n    pace: Gate | None = None",
        ),
    ),
    bug(
        "a throttle taken for a failure",
        "throttling never uses up a try",
        (WORK, "throttled=isinstance(failure, Throttled)", "throttled=False"),
    ),
    bug(
        "what is refused for good is tried again",
        "permanent failure: fail and acknowledge",
        (WORK, "    if isinstance(outcome, Transient):\n", "    if isinstance(outcome, Failure):\n"),
    ),
    bug(
        "the worker does not stop by itself",
        "stops by itself 20 s before its deadline",
        (WORK, "STOP_BEFORE_MS = 20_000", "STOP_BEFORE_MS = -60_000"),
    ),
    bug(
        "the token is the message's",
        "the token is random, never derived from the message",
        (WORK, "token=world.token()", "token=message.message_id"),
    ),
    bug(
        "the newest version is read",
        "a row pins key and version",
        (WORK, "objects.get(world, row.snapshot_key, row.snapshot_version)", "objects.get(world, row.snapshot_key)"),
    ),
    bug(
        "keys left unread are taken for absent",
        "loop on what is unprocessed",
        ("store.py", 'keys = reply.get("UnprocessedKeys", {}).get(table, {}).get("Keys", [])', "keys = []"),
        mix="leftovers",
    ),
]

TASK_BUGS = [
    bug(
        "open without a condition",
        "open is idempotent in one conditional write",
        (
            LIFE,
            "written = put(world, task, Task.task.does_not_exist())",
            "written = put(world, task, Task.task.does_not_exist() | Task.task.exists())",
        ),
    ),
    bug(
        "the body of a repeated key is not compared",
        "same key, other body: 409",
        ("tasks.py", "if task is None or task.body_sha256 != request.sha256:", "if task is None:"),
    ),
    bug(
        "the key is not in the task's id",
        "the task id is derived from project and key",
        ("tasks.py", 'f"key {key}" if key is not None else world.token()', "world.token()"),
    ),
    bug(
        "the manifest is not stored",
        "the manifest, durable before the task is",
        (
            "manifest.py",
            "    objects.put(world, key, content)\n",
            "",
        ),
    ),
    bug(
        "opened as if scattered",
        "dispatch_until: absent means scattered",
        (SCAT, "dispatch_until=until + LEASE_SLACK_MS,\n        engine", "dispatch_until=None,\n        engine"),
    ),
    bug(
        "hand-over by removal",
        "hand over: sets dispatch_until = 0, never removes it",
        (
            LIFE,
            "return _task(world, task, [Task.dispatch_until.set(0)]",
            "return _task(world, task, [Task.dispatch_until.remove()]",
        ),
    ),
    bug(
        "scattered when time runs out",
        "scattered: only who has written and sent everything",
        (
            SCAT,
            "            lifecycle.hand_over(world, task)\n            return False",
            "            lifecycle.scattered(world, task, world.now())\n            return False",
        ),
    ),
    bug(
        "messages before rows",
        "a row is durable before its message",
        (SCAT, "    world.parallel(lambda chunk: lifecycle.create(world, chunk), chunks)\n", ""),
        (
            SCAT,
            "    messages.send(world, world.settings.kinds[task.kind], waiting)\n",
            "    messages.send(world, world.settings.kinds[task.kind], waiting)\n    world.parallel(lambda chunk: lifecycle.create(world, chunk), chunks)\n",
        ),
    ),
    bug(
        "the cursor before the rows",
        "advance cursor: the prefix already sent",
        (
            SCAT,
            "        _write_and_send(world, task, documents, cursor, end)\n        cursor = end\n        if cursor < task.total and isinstance(lifecycle.advance(world, task, cursor), Refused):\n            return False\n",
            "        if end < task.total and isinstance(lifecycle.advance(world, task, end), Refused):\n            return False\n        _write_and_send(world, task, documents, cursor, end)\n        cursor = end\n",
        ),
    ),
    bug(
        "entries that were not taken are forgotten",
        "only what was acknowledged is sent",
        ("messages.py", 'failed = {failure["Id"] for failure in reply.get("Failed", [])}', "failed: set[str] = set()"),
        mix="leftovers",
    ),
    bug(
        "nobody takes a scatter over",
        "a crash at any point of the scatter is finished by the aggregator",
        (
            SWEEP,
            "if task.dispatch_until is not None and task.dispatch_until < world.now():",
            "if task.dispatch_until is not None and task.dispatch_until < 0:",
        ),
    ),
    bug(
        "a task that lacks rows is not set back",
        "set back to dispatch_until = 0",
        (SWEEP, "        lifecycle.set_back(world, task, number * task.shard_rows)\n", ""),
    ),
    bug(
        "a half-scattered shard is sealed",
        "as many as the manifest gives it",
        ("counting.py", "if sum(ended) == expected(self.task, shard):", "if not seen.open_rows:"),
    ),
    bug(
        "only the first page is counted",
        "the shard, page by page",
        ("store.py", '        if "LastEvaluatedKey" not in reply:\n            return\n', "        return\n"),
    ),
    bug(
        "late counts after the close",
        "counts, seals: status = processing",
        (
            LIFE,
            "return _task(world, task, actions, newer)",
            'return update(world, Task, {"task": task.task}, actions, newer)',
        ),
    ),
    bug(
        "the close leaves the scatter's holder",
        "removal of dispatch_until in one write",
        (
            LIFE,
            "        Task.completed_at.set(now),\n        Task.dispatch_until.remove(),\n",
            "        Task.completed_at.set(now),\n",
        ),
        mix="late openers",
    ),
    bug(
        "closed without a condition",
        "close: status = processing",
        (
            LIFE,
            "return _task(world, task, actions, None)",
            'return update(world, Task, {"task": task.task}, actions, Task.task.exists())',
        ),
    ),
    bug(
        "the gate before the flag",
        "the flag first, then the gate",
        (
            "tasks.py",
            "    written = ask(found.task)\n",
            "    found.gate, found.gate_version = 'cancelled', found.gate_version + 1\n    lifecycle.set_gate(world, found, world.now())\n    written = ask(found.task)\n",
        ),
    ),
    bug(
        "the sweep does not set the gate",
        "the sweep sets the gate from the flag",
        (SWEEP, "if task.gate_version > ((gate.version or 0) if gate else 0):", "if task.gate_version < 0:"),
        mix="half turned",
    ),
    bug(
        "an older flag overwrites a newer gate",
        "an older flag never overwrites a newer one",
        (
            LIFE,
            "older = Gate.version.does_not_exist() | (Gate.version < task.gate_version)",
            "older = Gate.version.does_not_exist() | Gate.version.exists()",
        ),
    ),
    bug(
        "out of the index before the notice",
        "only when its notices are recorded as sent",
        (
            LIFE,
            "        Task.completed_at.set(now),\n        Task.dispatch_until.remove(),\n",
            "        Task.completed_at.set(now),\n        Task.dispatch_until.remove(),\n        Task.active.remove(),\n",
        ),
    ),
    bug(
        "a notice that was not taken counts as sent",
        "at least once",
        ("notices.py", '.get("FailedEntryCount")', '.get("Nothing")'),
        mix="leftovers",
    ),
    bug(
        "percent is rounded",
        "percent is rounded down and 100 only when closed",
        ("counting.py", "min(99, ended * 100 // total)", "round(ended * 100 / total)"),
    ),
]

SWEEP_BUGS = [
    bug(
        "nothing is ever sent again",
        "due pending rows are sent again",
        (DECIDE, "return (Do.RESEND, reason) if reason else", "return (Do.LEAVE, reason) if reason else"),
    ),
    bug(
        "not sent again after a gate opened",
        "(c) after a gate opened",
        (
            DECIDE,
            "if facts.opened_last is not None and sent < facts.opened_last:",
            "if facts.opened_last is not None and sent < 0:",
        ),
        mix="half turned",
    ),
    bug(
        "a dead letter is not answered",
        "the sweep's one answer is a stamped re-send",
        (DECIDE, "if died > sent and", "if died < 0 and"),
    ),
    bug(
        "an empty queue is not answered",
        "(a) when visible + in flight + delayed was 0",
        (DECIDE, 'return "queue empty"', "return None"),
    ),
    bug("a silent row is not sent again", "(b) older than a window", (DECIDE, 'return "nothing heard"', "return None")),
    bug(
        "an empty queue is believed only of rows heard of before",
        "each row for itself: a minute of empty looks since it was heard of (found by seed 31)",
        (
            DECIDE,
            "if facts.queue_empty and facts.queue_empty[1] - max(facts.queue_empty[0], heard) >= QUEUE_EMPTY_MS:",
            "if facts.queue_empty and heard < facts.queue_empty[0] and facts.queue_empty[1] - facts.queue_empty[0] >= QUEUE_EMPTY_MS:",
        ),
        mix="lost messages",
    ),
    bug(
        "a re-send is stamped before its gate's opening",
        "stamped never before the opening, which another clock may have set (found by seed 812)",
        (SWEEP, "max(world.now(), opened_at)", "world.now()"),
        mix="clocks apart",
    ),
    bug(
        "the window does not double",
        "a window that doubles per re-send",
        (DECIDE, "facts.stall_window * 2**row.sends", "facts.stall_window"),
    ),
    bug(
        "pauses count towards the deadline",
        "a user's pause stops it",
        (
            DECIDE,
            "limit = facts.now - facts.deadline - paused(facts.pauses, min(starts), facts.now)",
            "limit = facts.now - facts.deadline",
        ),
        mix="deadlines",
    ),
    bug(
        "waiting in a queue expires a row",
        "waiting in a queue never expires a row",
        (
            DECIDE,
            "(row.first_claimed_at, row.waiting_since) if start",
            "(row.first_claimed_at, row.waiting_since, row.created_at) if start",
        ),
        (
            LIFE,
            "(Row.first_claimed_at < started_before) | (Row.waiting_since < started_before)",
            "(Row.created_at < started_before)",
        ),
        mix="deadlines",
    ),
    bug(
        "a lease that is over stays",
        "expire: lease_until < now",
        (DECIDE, '(Do.EXPIRE, "lease over") if', '(Do.LEAVE, "lease over") if'),
    ),
    bug(
        "an expired row gets no message",
        "expire: sends a message after the write",
        (
            SWEEP,
            "    resend += [row for do, row in changed if do is Do.EXPIRE and row.status == RowStatus.PENDING]\n",
            "",
        ),
    ),
    bug(
        "a re-send is not stamped",
        "stamp: sent_at at a re-send",
        (
            SWEEP,
            "    world.parallel(lambda row: lifecycle.stamp(world, row, max(world.now(), opened_at), sent=True), rows)\n",
            "",
        ),
    ),
    bug(
        "nobody notes a row behind a shut gate",
        "waiting_since when found behind a shut gate",
        (DECIDE, '(Do.STAMP, "found behind a shut gate") if row', '(Do.LEAVE, "found behind a shut gate") if row'),
        mix="half turned",
    ),
    bug(
        "what was wanted is lost",
        "empties wanted before a pass, reads those tasks",
        ("patrol.py", "told = list(self.wanted | more)", "told = list(self.wanted)"),
    ),
    bug(
        "wanted tasks only from the index",
        "from the table and not from the lagging index",
        (
            "patrol.py",
            "told = list(self.wanted | more)",
            "told = [key for key in queries.active_tasks(self.world) if key in self.wanted | more]",
        ),
    ),
    bug(
        "the sweeper leaves though something is wanted",
        "releases only if wanted is empty",
        ("sweeper.py", "mine if even_if_wanted else mine & unwanted", "mine"),
        mix="nudges",
    ),
    bug(
        "the sweeper gives up another's lease",
        "releases only if it is the holder",
        ("sweeper.py", "    mine = Gate.holder == me\n", "    mine = Gate.gate.exists()\n"),
    ),
    bug(
        "a dead sweeper's lease holds for ever",
        "if a sweeper crashes, the schedule repairs",
        (
            "sweeper.py",
            "free = Gate.lease_until.does_not_exist() | (Gate.lease_until < now)",
            "free = Gate.lease_until.does_not_exist()",
        ),
    ),
    bug(
        "a retry of an open task",
        "the parent must be closed",
        ("retrying.py", "if parent.status not in CLOSED:", "if parent.status in ():"),
        mix="eager retries",
    ),
    bug(
        "retries fork",
        "one chain, never a fork",
        (
            LIFE,
            "at_parent = Family.newest.does_not_exist() | (Family.newest == parent.task)",
            "at_parent = Family.newest.does_not_exist() | Family.newest.exists()",
        ),
    ),
    bug(
        "a stale selection of rows to retry",
        "read consistently, and as many as its counts say",
        (
            "queries.py",
            "Row.shard == shard_key(of.task, number), ConsistentRead=True)",
            "Row.shard == shard_key(of.task, number))",
        ),
        ("retrying.py", "if len(again) == parent.error + parent.cancelled:", "if again:"),
        mix="eager retries",
    ),
    bug(
        "a repeated retry is refused",
        "own child already there: 200 replayed, before the 409",
        ("retrying.py", "        return Opened(child, replayed=True)\n", "        pass\n"),
    ),
    bug(
        "the janitor takes payloads",
        "removes what nothing points at",
        (
            "tidying.py",
            "keys |= {row.data_key for row in queries.shard_rows(world, task, number) if row.data_key}",
            "keys |= set()",
        ),
    ),
    bug(
        "a deleted task is erased only once",
        "erased twice: a request that stood still may write rows meanwhile",
        ("tidying.py", "    if again and not any(item.key == mark for item in found):", "    if not found:"),
        mix="late openers",
    ),
    bug(
        "the janitor takes what is young",
        "older than a day",
        ("tidying.py", "and item.written_at < now - DAY_MS]", "]"),
        mix="late openers",
    ),
]

BUGS = ROW_BUGS + WORKER_BUGS + TASK_BUGS + SWEEP_BUGS + library.BUGS + provider.BUGS + calls.BUGS + budgets.BUGS
