"""Bugs to be planted: each one a small change of the product that breaks a sentence of DESIGN section 3.

A bug is its name, the sentence that it leaves out, and its edits: tests/support/anchored.py says how one is found.
"""

from tests.simulation.planted import budgets, calls, decisions, exports, gathering, library, limits, notices, provider
from tests.simulation.planted.bug import bug
from tests.support.anchored import Edit

ROW_BUGS = [
    bug(
        "fence on the state only",
        "every write after a claim names the claim it belongs to",
        Edit(
            "by_owner",
            "(self.standing == self.owned) & (self.model.token == item.token)",
            "self.standing == self.owned",
        ),
        mix="late finishers",
    ),
    bug(
        "no cap on tries in the claim",
        "claim: tries < max",
        Edit("claim", "self.model.tries < bid.max_tries", "self.model.tries < bid.max_tries + 100"),
    ),
    bug(
        "claim before it is due",
        "claim: pending and not_before <= now",
        Edit(
            "claim",
            "(Row.status == RowStatus.PENDING) & (Row.not_before <= bid.now)",
            "Row.status == RowStatus.PENDING",
        ),
        mix="deadlines",
    ),
    bug(
        "claim over a live lease",
        "claim: extracting and lease_until < now",
        Edit(
            "abandoned",
            "(self.standing == self.owned) & no_lease",
            "self.standing == self.owned",
        ),
    ),
    bug(
        "tries and attempt confused",
        "two numbers, never one",
        Edit("claim", "self.model.attempt + 1", "self.model.tries + 1"),
    ),
    bug(
        "a throttle uses a try",
        "tries - 1 if throttled",
        Edit("release", "[*actions, self.model.tries.set(self.model.tries - 1)]", "actions"),
    ),
    bug(
        "a throttle on the last try ends the row",
        "release: throttled, or tries < max",
        Edit(
            "release",
            "guard = self.by_owner(item)",
            "guard = self.by_owner(item) & (self.model.tries < (due.max_tries or getattr(world.settings, 'intake_max_tries', 4)))",
        ),
        mix="deadlines",
    ),
    bug(
        "release without a try left",
        "otherwise fail attempts_spent",
        Edit("release", "guard &= self.model.tries < due.max_tries", "pass"),
    ),
    bug(
        "expire on what was seen",
        "expire: lease_until < now, in the condition",
        Edit(
            "expire",
            "LEASES.abandoned(now) & (Row.attempt == seen.attempt)",
            "Row.status == RowStatus.EXTRACTING",
        ),
        mix="late sweepers",
    ),
    bug(
        "expire names no attempt",
        "expire: attempt = the one seen",
        Edit("expire", "LEASES.abandoned(now) & (Row.attempt == seen.attempt)", "LEASES.abandoned(now)"),
        mix="late sweepers",
    ),
    bug(
        "expiry never ends a row",
        "error when tries are spent",
        Edit("expire", "spent or kind.on_expiry == 'error'", "kind.on_expiry == 'error'"),
    ),
    bug(
        "a kind's wish at expiry ignored",
        "or the kind says so",
        Edit("expire", "spent or kind.on_expiry == 'error'", "spent"),
    ),
    bug(
        "cancel takes running rows",
        "cancel: pending",
        Edit("cancel", "Row.status == RowStatus.PENDING", "Row.status.exists()"),
    ),
    bug(
        "the deadline's clock starts again at each claim",
        "the deadline runs from the first claim",
        Edit("claim", "Row.first_claimed_at | bid.now", "bid.now"),
    ),
    bug(
        "waiting_since is not stamped at a re-send",
        "stamp: waiting_since when first re-sent",
        Edit(
            "stamp",
            "[Row.waiting_since.set(Row.waiting_since | now)]",
            "[] if sent else [Row.waiting_since.set(Row.waiting_since | now)]",
        ),
    ),
    bug(
        "a claim does not know its own lost reply",
        "extracting with my own token: go on",
        Edit("claim", "lambda item: own(item) and (item.lease_until or 0) > bid.now", "None"),
    ),
    bug(
        "a lost reply of a claim long ago is gone on with",
        "my own token and lease_until > now",
        Edit("stop_at", "self.ends_at - STOP_BEFORE_MS", "self.ends_at + 3600000"),
    ),
    bug(
        "rows are written without a condition",
        "conditional puts",
        Edit("create", "Row.shard.does_not_exist()", "Row.shard.does_not_exist() | Row.shard.exists()"),
    ),
    bug(
        "a refused transaction read as written",
        "put its rows one by one",
        Edit("create", "world.parallel(lambda row: put(world, Row.from_raw_data(row), absent), rows)", "pass"),
    ),
]

WORKER_BUGS = [
    bug(
        "an early claim is acknowledged",
        "pending but early: hide until not_before",
        Edit("unclaimed", "HideUntil(row.not_before)", "Acknowledge()"),
    ),
    bug(
        "a live lease is acknowledged",
        "under another's live lease: hide until lease_until",
        Edit("unclaimed", "HideUntil(row.lease_until or now)", "Acknowledge()"),
    ),
    bug(
        "hidden for too short",
        "hide the message until lease_until",
        Edit("unclaimed", "HideUntil(row.lease_until or now)", "HideUntil(now)"),
    ),
    bug(
        "hidden for too long",
        "hide until not_before plus jitter",
        Edit(
            "unclaimed",
            "HideUntil(row.not_before)",
            "HideUntil(row.not_before + 3600000)",
        ),
    ),
    bug(
        "an ended row's message is kept",
        "terminal: acknowledge",
        Edit(
            "unclaimed",
            "if row.status in TERMINAL:\n    return Acknowledge()",
            "if row.status in TERMINAL:\n    return HideUntil(now + 60000)",
        ),
    ),
    bug(
        "a released row's message is acknowledged",
        "transient: release, hide the message",
        Edit("_give_back", "return HideUntil(at)", "return Acknowledge()"),
    ),
    bug(
        "the payload after the row",
        "the payload is written before the complete that points at it",
        Edit("_settle", "payloads.write(world, row, outcome.data, outcome.file, outcome.beside)", "payloads.BESIDE"),
        Edit(
            "_settle",
            "return _ended(delivery, row, written, spent)",
            "payloads.write(world, row, outcome.data, outcome.file, outcome.beside)\nreturn _ended(delivery, row, written, spent)",
        ),
    ),
    bug(
        "the payload's key without the attempt",
        "under a key that holds the attempt",
        Edit("_place", "row.row * ATTEMPTS + row.attempt", "row.row * ATTEMPTS"),
        mix="late finishers",
    ),
    bug(
        "a payload is put over another",
        "where none is, or its own",
        Edit("_place", "row.row * ATTEMPTS + row.attempt", "row.row * ATTEMPTS"),
        Edit("write", "Payload.shard.does_not_exist()", "Payload.shard.does_not_exist() | Payload.shard.exists()"),
        mix="late finishers",
    ),
    bug(
        "another attempt's payload is shown",
        "a row points at its last attempt's",
        Edit("_place", "row.row * ATTEMPTS + row.attempt", "row.row * ATTEMPTS + (1 if row.data_key else row.attempt)"),
        Edit(
            "_between",
            '(item["claim"]["S"], item["packed"]["B"])',
            '(str(int(item["row"]["N"]) // ATTEMPTS), item["packed"]["B"])',
        ),
        Edit("_packed", "str(row.token) not in beside", "str(row.row) not in beside"),
        Edit("_packed", "beside[str(row.token)]", "beside[str(row.row)]"),
        mix="late finishers",
    ),
    bug(
        "payloads lie among the rows",
        "in a partition that no count and no sweep reads",
        Edit("_beside", "f'{shard}/data'", "shard"),
    ),
    bug(
        "a lease shorter than the function",
        "now + remaining time + slack",
        Edit("_claim", "delivery.ends_at + world.settings.lease_slack_seconds * 1000", "now + 15000"),
    ),
    bug(
        "a lease without slack",
        "slack >= 60 s",
        Edit("_claim", "delivery.ends_at + world.settings.lease_slack_seconds * 1000", "delivery.ends_at"),
    ),
    bug(
        "the gate is not read",
        "gates are read before the claim",
        Edit(
            "_gates",
            "gate, front, provider, pace = queries.gates_before(world, address.task, address.engine, paced=paced)",
            "gate: Any = None\nfront: Any = None\nprovider: Any = None\npace: Any = None",
        ),
    ),
    bug(
        "a throttle taken for a failure",
        "throttling never uses up a try",
        Edit("_due", "isinstance(failure, Throttled)", "False"),
    ),
    bug(
        "what is refused for good is tried again",
        "permanent failure: fail and acknowledge",
        Edit("_settle", "isinstance(outcome, Transient)", "isinstance(outcome, Failure)"),
    ),
    bug(
        "the worker does not stop by itself",
        "stops by itself 20 s before its deadline",
        Edit("STOP_BEFORE_MS", "20000", "-60000"),
    ),
    bug(
        "the token is the message's",
        "the token is random, never derived from the message",
        Edit("_claim", "world.token()", "delivery.message.message_id"),
    ),
    bug(
        "the newest version is read",
        "a row pins key and version",
        Edit(
            "_read",
            "_stored(world, row.pinned_key, row.pinned_version)",
            "_stored(world, row.pinned_key)",
        ),
    ),
    bug(
        "keys left unread are taken for absent",
        "loop on what is unprocessed",
        Edit("_batch", "reply.get('UnprocessedKeys')", "None"),
        mix="leftovers",
    ),
]

TASK_BUGS = [
    bug(
        "open without a condition",
        "open is idempotent in one conditional write",
        Edit("open_task", "Task.task.does_not_exist()", "Task.task.does_not_exist() | Task.task.exists()"),
    ),
    bug(
        "the body of a repeated key is not compared",
        "same key, other body: 409",
        Edit("_replay", "task is not None and task.body_sha256 == request.sha256", "True"),
    ),
    bug(
        "the key is not in the task's id",
        "the task id is derived from project and key",
        Edit("seed", "f'key {key}' if key is not None else world.token()", "world.token()"),
    ),
    bug(
        "the manifest is not stored",
        "the manifest, durable before the task is",
        Edit("prepare", "world.parallel(lambda part: objects.put(world, *part), parts.items())", ""),
    ),
    bug(
        "opened as if scattered",
        "dispatch_until: absent means scattered",
        Edit("prepare", "world.now() + LEASE_MS if listed.total <= WAVE else 0", "None"),
    ),
    bug(
        "hand-over by removal",
        "hand over: sets dispatch_until = 0, never removes it",
        Edit("hand_over", "Task.dispatch_until.set(0)", "Task.dispatch_until.remove()"),
    ),
    bug(
        "scattered when the queue took too little",
        "scattered: only who has written and sent everything",
        Edit("start", "lifecycle.hand_over(world, task)", "lifecycle.scattered(world, task, world.now())"),
    ),
    bug(
        "messages before rows",
        "a row is durable before its message",
        Edit("_write_and_send", "world.parallel(lambda chunk: lifecycle.create(world, chunk), chunks)", ""),
        Edit(
            "_write_and_send",
            "row_messages.post(world, world.settings.kinds[task.kind].queue, bodies, delay)",
            "row_messages.post(world, world.settings.kinds[task.kind].queue, bodies)\nworld.parallel(lambda chunk: lifecycle.create(world, chunk), chunks)",
        ),
    ),
    bug(
        "a part is called sent before it is",
        "sent: rows written and messages sent before it is said",
        Edit(
            "send_part",
            "_write_and_send(world, task, part * manifest.PART, rows)\nleft = lifecycle.sent(world, task, part)",
            "left = lifecycle.sent(world, task, part)\n_write_and_send(world, task, part * manifest.PART, rows)",
        ),
    ),
    bug(
        "who sends the last part does not say so, and nobody else does",
        "scattered: by whoever finds nothing unsent",
        Edit(
            "send_part",
            "if not isinstance(left, Refused) and not left.unsent:\n    lifecycle.scattered(world, left, world.now())",
            "",
        ),
        Edit("take_over", "if not mine.unsent:\n    lifecycle.scattered(world, mine, world.now())\n    return", ""),
    ),
    bug(
        "each part says that all is sent",
        "scattered: nothing is unsent",
        Edit("send_part", "if not isinstance(left, Refused) and not left.unsent:", "if not isinstance(left, Refused):"),
        Edit(
            "scattered",
            "Task.unsent == task.unsent if task.unsent else Task.unsent.does_not_exist()",
            "Task.dispatch_until.exists()",
        ),
    ),
    bug(
        "one part is taken for all",
        "sent: names the part",
        Edit("send_part", "lifecycle.sent(world, task, part)", "lifecycle.scattered(world, task, world.now())"),
    ),
    bug(
        "two hold one scatter",
        "take over: dispatch_until is the one seen and is past",
        Edit(
            "take_over",
            "(Task.status == seen.status) & (Task.dispatch_until == seen.dispatch_until)",
            "Task.dispatch_until.exists()",
        ),
        Edit("take_over", "as_seen &= Task.dispatch_until < now", "pass"),
        Edit(
            "sweep_task",
            "task.dispatch_until is not None and task.dispatch_until < world.now()",
            "task.dispatch_until is not None",
        ),
    ),
    bug(
        "a part begins at the row of its number",
        "part n holds the rows from n times its size on",
        Edit("send_part", "part * manifest.PART", "part"),
    ),
    bug(
        "entries that were not taken are forgotten",
        "only what was acknowledged is sent",
        Edit(
            "_send_batch", "failed = {failure['Id'] for failure in reply.get('Failed', [])}", "failed: set[str] = set()"
        ),
        mix="leftovers",
    ),
    bug(
        "nobody takes a scatter over",
        "a crash at any point of the scatter is finished by the aggregator",
        Edit("sweep_task", "task.dispatch_until < world.now()", "task.dispatch_until < 0"),
    ),
    bug(
        "a task that lacks rows is not set back",
        "set back to dispatch_until = 0",
        Edit(
            "_look_again",
            "lifecycle.set_back(world, task, manifest.parts(number * task.shard_rows, expected(task, number)))",
            "",
        ),
    ),
    bug(
        "a half-scattered shard is sealed",
        "as many as the manifest gives it",
        Edit("add", "seen.counts.ended == expected(self.task, shard)", "not seen.open_rows"),
    ),
    bug(
        "only the first page is counted",
        "the shard, page by page",
        Edit("query_raw", "if 'LastEvaluatedKey' not in reply:\n    return", "return"),
    ),
    bug(
        "late counts after the close",
        "counts, seals: status = processing",
        Edit(
            "record_counts",
            "_task(world, task, actions, newer)",
            "update(world, Task, {'task': task.task}, actions, newer)",
        ),
    ),
    bug(
        "the close leaves the scatter's holder",
        "removal of dispatch_until in one write",
        Edit("close", "Task.dispatch_until.remove()", "*[]"),
        mix="late openers",
    ),
    bug(
        "closed without a condition",
        "close: status = processing",
        Edit(
            "close",
            "_task(world, task, actions, None)",
            "update(world, Task, {'task': task.task}, actions, Task.task.exists())",
        ),
    ),
    bug(
        "a cancelled task can be resumed",
        "a gate turns only from what it was",
        Edit("request_turn", "Task.gate == before", "Task.task.exists()"),
        mix="half turned",
    ),
    bug(
        "a task's gate is not among what a worker reads",
        "workers read the task's gate before they claim",
        Edit("gates_before", "part['gate']['S'] if part else None", "None"),
        mix="half turned",
    ),
    bug(
        "a deleted task's gate stays as it was",
        "its gate shuts with its tombstone",
        Edit("bury", "Task.gate.set(GateState.CANCELLED)", "*[]"),
        mix="late openers",
    ),
    bug(
        "out of the index before the notice",
        "only when its notices are recorded as sent",
        Edit("close", "Task.dispatch_until.remove()", "Task.dispatch_until.remove(), Task.active.remove()"),
    ),
    bug(
        "a notice that was not taken counts as sent",
        "at least once",
        Edit("closed", "'FailedEntryCount'", "'Nothing'"),
        mix="leftovers",
    ),
    bug(
        "percent is rounded",
        "percent is rounded down and 100 only when closed",
        Edit("percent", "min(99, ended * 100 // total)", "round(ended * 100 / total)"),
    ),
]

SWEEP_BUGS = [
    bug(
        "nothing is ever sent again",
        "due pending rows are sent again",
        Edit("_decide_due", "_whether_to_send_again(row, facts)", "(Do.LEAVE, 'its message is under way')"),
    ),
    bug(
        "not sent again after a gate opened",
        "(c) after a gate opened",
        Edit("_whether_to_send_again", "sent < facts.opened_last", "sent < 0"),
        mix="half turned",
    ),
    bug(
        "an empty queue is not answered",
        "(a) when visible + in flight + delayed was 0",
        Edit("_whether_to_send_again", "(Do.RESEND, 'queue empty')", "(Do.LEAVE, 'queue empty')"),
    ),
    bug(
        "a silent row is not sent again",
        "(b) older than a window",
        Edit("_whether_to_send_again", "(Do.SILENT, 'nothing heard')", "(Do.LEAVE, 'nothing heard')"),
    ),
    bug(
        "others' messages stand in for a task's own",
        "of a task in which nothing has moved for a window one row is sent",
        Edit("unheard", "1 if facts.now - moved_at > facts.stall_window else 0", "0"),
        mix="lost messages",
    ),
    bug(
        "a row whose message was let go is forgotten",
        "its message was let go since it was sent",
        Edit("_whether_to_send_again", "(row.parked_at or 0) > sent", "False"),
        mix="provider storms",
    ),
    bug(
        "the tick wakes no other sweeper",
        "wakes the sweepers that have something to do",
        Edit("come", "list(due.values())[1:]", "[]"),
        mix="nudges",
    ),
    bug(
        "a re-send is stamped before its gate's opening",
        "stamped never before the opening, which another clock may have set (found by seed 812)",
        Edit("_send_again", "max(world.now(), opened_at)", "world.now()"),
        mix="clocks apart",
    ),
    bug(
        "the window does not double",
        "a window that doubles per re-send",
        Edit("_whether_to_send_again", "facts.stall_window * 2 ** row.sends", "facts.stall_window"),
    ),
    bug(
        "pauses count towards the deadline",
        "a user's pause stops it",
        Edit(
            "started_before",
            "facts.now - facts.deadline - paused(facts.pauses, min(starts), facts.now)",
            "facts.now - facts.deadline",
        ),
        mix="deadlines",
    ),
    bug(
        "waiting in a queue expires a row",
        "waiting in a queue never expires a row",
        Edit(
            "started_before",
            "(row.first_claimed_at, row.waiting_since)",
            "(row.first_claimed_at, row.waiting_since, row.created_at)",
        ),
        Edit(
            "give_up",
            "(Row.first_claimed_at < started_before) | (Row.waiting_since < started_before)",
            "Row.created_at < started_before",
        ),
        mix="deadlines",
    ),
    bug(
        "a lease that is over stays",
        "expire: lease_until < now",
        Edit("decide", "Do.EXPIRE", "Do.LEAVE"),
    ),
    bug(
        "an expired row gets no message",
        "expire: sends a message after the write",
        Edit("_mend", "[row for do, row in changed if do is Do.EXPIRE and row.status == RowStatus.PENDING]", "[]"),
    ),
    bug(
        "a re-send is not stamped",
        "stamp: sent_at at a re-send",
        Edit(
            "_send_again",
            "world.parallel(lambda row: lifecycle.stamp(world, row, max(world.now(), opened_at), sent=True), rows)",
            "",
        ),
    ),
    bug(
        "nobody notes a row behind a shut gate",
        "waiting_since when found behind a shut gate",
        Edit("_decide_pending", "Do.STAMP", "Do.LEAVE"),
        mix="half turned",
    ),
    bug(
        "what was wanted is lost",
        "sweeps at once what word was left of",
        Edit("_look_for_tasks", "sweeper_lease.slot(key) in self.wanted", "False"),
        mix="nudges",
    ),
    bug(
        "the index is not looked at after a nudge",
        "looks at the index in each pass for a while after a nudge",
        Edit("_look_for_tasks", "now + INDEX_LAGS_MS", "0"),
        mix="nudges",
    ),
    bug(
        "the sweeper leaves though something is wanted",
        "releases only if wanted is empty",
        Edit("leave", "mine if even_if_wanted else mine & unwanted", "mine"),
        mix="nudges",
    ),
    bug(
        "the sweeper gives up another's lease",
        "releases only if it is the holder",
        Edit("leave", "SweeperLease.holder == me", "SweeperLease.gate.exists()"),
    ),
    bug(
        "a dead sweeper's lease holds for ever",
        "if a sweeper crashes, the schedule repairs",
        Edit(
            "take",
            "SweeperLease.lease_until.does_not_exist() | (SweeperLease.lease_until < now)",
            "SweeperLease.lease_until.does_not_exist()",
        ),
    ),
    bug(
        "a retry of an open task",
        "the parent must be closed",
        Edit("_must_have_failed", "parent.status not in CLOSED", "parent.status in ()"),
        mix="eager retries",
    ),
    bug(
        "retries fork",
        "one chain, never a fork",
        Edit("open_retry", "Task.retried_by.does_not_exist()", "Task.task.exists()"),
    ),
    bug(
        "a stale selection of rows to retry",
        "read consistently, and as many as its counts say",
        Edit(
            "shard_rows",
            "query_all(world, Row, Row.shard == shard_key(of.task, number), ConsistentRead=True)",
            "query_all(world, Row, Row.shard == shard_key(of.task, number))",
        ),
        Edit("_unsuccessful", "len(again) == parent.error + parent.cancelled", "again"),
        mix="eager retries",
    ),
    bug(
        "a repeated retry is refused",
        "own child already there: 200 replayed, before the 409",
        Edit("_refused", "return replayed(child, same=True, deleted=gone)", "pass"),
    ),
    bug(
        "the janitor takes payloads",
        "removes what nothing points at",
        Edit("erase", "{row.token for row in kept if row.data_key == BESIDE}", "set()"),
    ),
    bug(
        "payloads that nobody points at stay",
        "the janitor takes what an attempt left that died or came late",
        Edit("_tidy_task", "erased += payloads.erase(world, task, number, rows)", "pass"),
        mix="late finishers",
    ),
    bug(
        "a deleted task leaves its payloads",
        "its payloads, its rows, its objects",
        Edit("_erase", "erased += payloads.erase(world, task, number)", "pass"),
    ),
    bug(
        "a deleted task is erased only once",
        "erased twice: a request that stood still may write rows meanwhile",
        Edit("_erase", "again and (not any((item.key == mark for item in found)))", "not found"),
        mix="late openers",
    ),
    bug(
        "the janitor takes what is young",
        "older than a day",
        Edit("orphans", "item.key not in pointed_at and item.written_at < now - DAY_MS", "item.key not in pointed_at"),
        mix="late openers",
    ),
]

BUGS = [*ROW_BUGS, *WORKER_BUGS, *TASK_BUGS, *SWEEP_BUGS]
BUGS += (
    library.BUGS
    + provider.BUGS
    + calls.BUGS
    + budgets.BUGS
    + limits.BUGS
    + exports.BUGS
    + decisions.BUGS
    + notices.BUGS
)
BUGS += gathering.BUGS
