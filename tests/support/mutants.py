"""Every sentence of the design that is marked ◆, a mutation that leaves it out, and the test that then fails.

`python -m tests.support.mutants [sentence ...]` makes each mutation in a copy of the product and runs its test there.
It prints the table of tests/integration/README.md and exits with 1 if a mutation lives. A mutation is an edit of the
product (tests/support/anchored.py): one that does not fit any more is an error, and a contract test says so at once.
"""

import multiprocessing
import os
import shutil
import sys
import tempfile
import traceback
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support import anchored
from tests.support.anchored import Edit, Text
from tests.support.stack_file import ROOT

SAID = "said.log"
QUIETLY = ("-q", "-x", "-p", "no:cacheprovider", "-W", "ignore::pytest.PytestAssertRewriteWarning")
"""What was imported before cannot be rewritten, and need not be: it is no test."""
FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["hypothesis", "pynamodb.models", "tests.support.mutants"])
"""To import pytest, moto and the like takes three times as long as most of the tests: it is done once."""
COPIED = (
    "layers",
    "functions",
    "tests",
    "events",
    "samples",
    "docs",
    "local",
    "client",
    "template.yaml",
    "pyproject.toml",
)


@dataclass(frozen=True)
class Mutant:
    """A sentence left out by an edit, and the test that has to fail then."""

    sentence: str
    what: str
    edit: Edit | Text
    test: str

    @property
    def place(self) -> str:
        return self.edit.function if isinstance(self.edit, Edit) else self.edit.file

    @property
    def test_file(self) -> Path:
        return ROOT / "tests" / self.test.partition("::")[0]

    @property
    def test_name(self) -> str:
        return self.test.partition("::")[2]


RELEASE = "3.1 release: throttled, or tries left; otherwise fail `attempts_spent`"
STAMP = "3.1 stamp: `sent_at` at a re-send, `waiting_since` when first re-sent or found behind a shut gate"
TOKEN = "3.1 the token is random per handling, never derived from the message"
OWN = "3.1 refused claim: my own token and a live lease: go on (lost reply)"
HIDE = "3.1 refused claim: another's live lease: hide until it ends, plus jitter"
GATE = "3.1 after a gate opens, due pending rows whose last send is older are sent again"
CALL = "3.1 before each model call: now + its time-out < my lease"
DEADLINE = "3.1 the deadline runs from the first claim or from `waiting_since`"
INNOCENT = "3.1 a message that waits does not die of it"
HAND = "3.2 hand over sets `dispatch_until = 0` and never removes it"
COUNTS = "3.2 counts and seals only while processing"
CLOSE = "3.2 close: status, counts, instant and end of the scatter in one guarded write"
CANCEL = "3.2 cancel, pause, resume: one write of the task, whose gate workers read before they claim"
TOMB = "3.2 no time to live; deleting is for closed tasks and leaves a tombstone"
ONE = "3.2 a refused transaction has written none: its rows one by one; no BatchWriteItem"
DURABLE = "3.2 a row is durable before its message"
BACK = "3.2 a scattered task whose shard lacks rows is set back"
SEAL = "3.2 a shard is sealed when its terminal rows are as many as the manifest gives it"
NUDGE = "3.2 nudges: read from the table; released only by the holder, and only when nobody is wanted"
JANITOR = "3.2 the janitor removes what nothing points at and is older than a day"
READ = "3.3 retry: the parent's rows are as many as its counts say, else read again"
CHILD = "3.3 retry: own child there already: 200 replayed, before any 409"
EXPORT = "ADR 43: an export's file is whole and of its table, in its task's list alone, and goes with it"

MUTANTS = [
    Mutant(
        RELEASE, "release also without a try left", Edit("release", "guard &= self.model.tries < due.max_tries", "pass"),
        "integration/test_failures.py::test_a_row_ends_in_error_when_its_last_try_fails",
    ),
    Mutant(
        RELEASE, "a throttle needs a try left too", Edit("release", "guard = self.by_owner(item)", "guard = self.by_owner(item) & (self.model.tries < (due.max_tries or 4))"),
        "integration/test_throttling.py::test_a_throttle_ends_no_row_when_it_comes_at_the_last_try",
    ),
    Mutant(
        RELEASE, "a throttle gives no try back", Edit("release", "[*actions, self.model.tries.set(self.model.tries - 1)]", "actions"),
        "integration/test_throttling.py::test_a_row_is_never_ended_by_a_throttle_when_there_are_fifty",
    ),
    Mutant(
        STAMP, "every stamp begins `waiting_since` anew", Edit("stamp", "Row.waiting_since | now", "now"),
        "integration/test_resending.py::test_a_row_has_a_stamp_of_its_first_resend_when_it_is_sent_again_and_again",
    ),
    Mutant(
        STAMP, "a re-send is not stamped", Edit("stamp", "sent", "not sent"),
        "integration/test_resending.py::test_a_row_has_a_stamp_of_its_first_resend_when_it_is_sent_again_and_again",
    ),
    Mutant(
        STAMP, "no stamp behind a shut gate", Edit("_decide_pending", "(Do.STAMP, 'found behind a shut gate') if row.waiting_since is None else (Do.LEAVE, 'paused')", "(Do.LEAVE, 'paused')"),
        "integration/test_gates.py::test_a_row_behind_a_shut_gate_has_a_stamp_when_it_was_never_sent_again",
    ),
    Mutant(
        TOKEN, "the token is the message's id", Edit("_claim", "world.token()", "delivery.message.message_id"),
        "integration/test_refused_claims.py::test_a_copy_of_a_message_is_hidden_when_the_original_is_at_work",
    ),
    Mutant(
        OWN, "its own refused claim is refused", Edit("claim", "lambda item: own(item) and (item.lease_until or 0) > bid.now", "None"),
        "integration/test_refused_claims.py::test_its_own_claim_is_gone_on_with_when_its_reply_was_lost",
    ),
    Mutant(
        OWN, "own by token alone, the lease over", Edit("claim", "lambda item: own(item) and (item.lease_until or 0) > bid.now", "own"),
        "integration/test_transitions.py::test_an_old_claim_is_not_taken_for_ones_own_when_its_lease_is_over",
    ),
    Mutant(
        HIDE, "acknowledged instead", Edit("unclaimed", "HideUntil(row.lease_until or now)", "Acknowledge()"),
        "integration/test_refused_claims.py::test_a_message_is_acknowledged_or_hidden_when_its_row_is",
    ),
    Mutant(
        HIDE, "without jitter", Edit("_hide", "(instant - world.now()) / 1000 + 0.5 + 2 * world.chance()", "(instant - world.now()) / 1000"),
        "integration/test_refused_claims.py::test_a_message_is_acknowledged_or_hidden_when_its_row_is",
    ),
    Mutant(
        GATE, "the opening is no reason", Edit("_whether_to_send_again", "facts.opened_last is not None and sent < facts.opened_last", "False"),
        "integration/test_gates.py::test_due_rows_are_sent_again_when_their_gate_opens",
    ),
    Mutant(
        GATE, "sent again although sent since", Edit("_whether_to_send_again", "facts.opened_last is not None and sent < facts.opened_last", "facts.opened_last is not None"),
        "integration/test_gates.py::test_only_what_was_sent_before_the_opening_is_sent_again_when_a_gate_opens",
    ),
    Mutant(
        GATE, "sent again although not due", Edit("_decide_due", "row.not_before > facts.now", "False"),
        "integration/test_gates.py::test_only_what_was_sent_before_the_opening_is_sent_again_when_a_gate_opens",
    ),
    Mutant(
        CALL, "a lease without slack", Edit("_claim", "delivery.ends_at + world.settings.lease_slack_seconds * 1000", "delivery.ends_at"),
        "integration/test_failures.py::test_no_call_can_outlive_the_lease_when_the_work_asks_how_long_it_may_take",
    ),
    Mutant(
        CALL, "work to the very end of the function's time", Edit("stop_at", "self.ends_at - STOP_BEFORE_MS", "self.ends_at"),
        "integration/test_failures.py::test_no_call_can_outlive_the_lease_when_the_work_asks_how_long_it_may_take",
    ),
    Mutant(
        DEADLINE, "from the first claim alone", Edit("started_before", "(row.first_claimed_at, row.waiting_since)", "(row.first_claimed_at,)"),
        "integration/test_resending.py::test_a_row_ends_when_all_its_messages_have_been_lost_for_a_week",
    ),
    Mutant(
        DEADLINE, "from `waiting_since` alone", Edit("started_before", "(row.first_claimed_at, row.waiting_since)", "(row.waiting_since,)"),
        "integration/test_waiting.py::test_a_row_is_given_up_when_its_provider_has_been_silent_for_a_week",
    ),
    Mutant(
        INNOCENT, "three receives and it is dead", Text("template.yaml", "  MaxReceives:\n    Type: Number\n    Default: 100\n    MinValue: 10", "  MaxReceives:\n    Type: Number\n    Default: 3\n    MinValue: 3"),
        "contract/test_kinds.py::test_waiting_is_no_way_to_die_when_messages_are_hidden_often",
    ),
    Mutant(
        HAND, "it removes it", Edit("hand_over", "Task.dispatch_until.set(0)", "Task.dispatch_until.remove()"),
        "integration/test_sending.py::test_the_task_is_handed_over_when_the_queue_will_not_take_a_message",
    ),
    Mutant(
        COUNTS, "counted whenever newer", Edit("record_counts", "_task(world, task, actions, newer)", "update(world, Task, {'task': task.task}, actions, newer)"),
        "integration/test_closing.py::test_nothing_is_counted_any_more_when_another_sweeper_has_closed_the_task",
    ),
    Mutant(
        CLOSE, "the scatter's end left for later", Edit("close", "Task.dispatch_until.remove()", "*[]"),
        "integration/test_task_writes.py::test_a_task_changes_as_told_and_in_nothing_else_when_a_write_happens",
    ),
    Mutant(
        CLOSE, "closed whatever it is", Edit("close", "_task(world, task, actions, None)", "update(world, Task, {'task': task.task}, actions, Task.task.exists())"),
        "integration/test_closing.py::test_a_task_closes_once_when_two_sweepers_close_it",
    ),
    Mutant(
        CANCEL, "a worker does not look at it", Edit("gates_before", "part['gate']['S'] if part else None", "None"),
        "integration/test_gates.py::test_a_turn_is_one_write_when_a_user_asks_for_it",
    ),
    Mutant(
        CANCEL, "a cancelled task is resumed", Edit("request_turn", "Task.gate == before", "Task.task.exists()"),
        "integration/test_task_writes.py::test_a_task_stays_as_it_is_when_a_write_is_refused",
    ),
    Mutant(
        TOMB, "an open task is deleted too", Edit("bury", "Task.status.is_in(*CLOSED) & Task.deleted_at.does_not_exist()", "Task.deleted_at.does_not_exist()"),
        "integration/test_idempotency.py::test_an_open_task_is_not_deleted_when_asked_to",
    ),
    Mutant(
        TOMB, "the tombstone is no record", Edit("replayed", "found.deleted_at is not None", "False"),
        "integration/test_idempotency.py::test_a_deleted_tasks_key_opens_nothing_when_it_is_used_again",
    ),
    Mutant(
        TOMB, "tasks may live for a while only", Text("template.yaml", "        - {AttributeName: task, KeyType: HASH}\n      GlobalSecondaryIndexes:", "        - {AttributeName: task, KeyType: HASH}\n      TimeToLiveSpecification: {AttributeName: gone, Enabled: true}\n      GlobalSecondaryIndexes:"),
        "contract/test_roles.py::test_no_task_is_ever_deleted_because_nobody_may",
    ),
    Mutant(
        ONE, "a refused transaction is left at that", Edit("create", "world.parallel(lambda row: put(world, Row.from_raw_data(row), absent), rows)", "pass"),
        "integration/test_transitions.py::test_the_others_are_created_one_by_one_when_one_row_of_a_hundred_exists",
    ),
    Mutant(
        ONE, "rows are put whether they exist or not", Edit("create", "Row.shard.does_not_exist()", "Row.shard.does_not_exist() | Row.shard.exists()"),
        "integration/test_scatter.py::test_completed_rows_stay_completed_when_a_scatter_goes_over_them_again",
    ),
    Mutant(
        ONE, "rows are written in batches", Edit("transact", "'transact_write_items'", "'batch_write_item'"),
        "contract/test_syntax_trees.py::test_dynamodb_is_written_in_store_only",
    ),
    Mutant(
        DURABLE, "messages first", Edit("_write_and_send", "world.parallel(lambda chunk: lifecycle.create(world, chunk), chunks)", "row_messages.post(world, world.settings.kinds[task.kind].queue, [(task.project, row_messages.body_of(row['shard']['S'], int(row['row']['N']), None)) for row in rows])\nworld.parallel(lambda chunk: lifecycle.create(world, chunk), chunks)"),
        "integration/test_scatter.py::test_every_part_writes_its_rows_before_it_sends_their_messages",
    ),
    Mutant(
        BACK, "missing rows are only mentioned", Edit("_look_again", "lifecycle.set_back(world, task, manifest.parts(number * task.shard_rows, expected(task, number)))", ""),
        "integration/test_scatter.py::test_a_task_is_set_back_when_a_shard_lacks_rows_of_its_manifest",
    ),
    Mutant(
        SEAL, "sealed when no open row is seen", Edit("add", "seen.counts.ended == expected(self.task, shard)", "not seen.open_rows"),
        "integration/test_closing.py::test_a_task_does_not_close_when_rows_are_missing",
    ),
    Mutant(
        SEAL, "sealed shards are read all the same",
        Edit(
            "open_shards", "[shard for shard in range(shards(self.task)) if not self.sealed.has(shard)]",
            "[*range(shards(self.task))]",
        ),
        "integration/test_counts.py::test_a_sealed_shard_is_not_read_again_when_others_are_open",
    ),
    Mutant(
        NUDGE, "left although somebody is wanted", Edit("leave", "mine if even_if_wanted else mine & unwanted", "mine"),
        "integration/test_sweeper.py::test_it_makes_one_more_pass_when_it_was_nudged_after_its_last",
    ),
    Mutant(
        NUDGE, "left by one who is not the holder", Edit("leave", "mine if even_if_wanted else mine & unwanted", "unwanted"),
        "integration/test_task_writes.py::test_the_sweepers_lease_is_as_told_when",
    ),
    Mutant(
        NUDGE, "found in the index only", Edit("run", "loop.watches[task] = Watch(asked=True)", "pass"),
        "integration/test_sweeper.py::test_a_nudged_task_is_read_from_the_table_when_the_index_does_not_show_it_yet",
    ),
    Mutant(
        JANITOR, "whether pointed at or not", Edit("orphans", "item.key not in pointed_at and item.written_at < now - DAY_MS", "item.written_at < now - DAY_MS"),
        "integration/test_janitor.py::test_what_is_pointed_at_stays_when_it_is_years_old",
    ),
    Mutant(
        JANITOR, "payloads whether pointed at or not", Edit("erase", "{row.token for row in kept if row.data_key == BESIDE}", "set()"),
        "integration/test_janitor.py::test_what_is_pointed_at_stays_when_it_is_years_old",
    ),
    Mutant(
        JANITOR, "however young", Edit("orphans", "item.key not in pointed_at and item.written_at < now - DAY_MS", "item.key not in pointed_at"),
        "integration/test_janitor.py::test_what_nothing_points_at_stays_when_it_is_younger_than_a_day",
    ),
    Mutant(
        READ, "what was read is taken", Edit("_unsuccessful", "len(again) == parent.error + parent.cancelled", "True"),
        "integration/test_retry_reads.py::test_rows_are_read_again_when_they_are_fewer_than_the_final_counts_say",
    ),
    Mutant(
        CHILD, "the newest is named first", Edit("_refused", "child is not None and child.body_sha256 == wish.body_sha256", "False"),
        "integration/test_retry_reads.py::test_its_own_child_is_answered_when_a_retry_is_repeated",
    ),
    Mutant(
        EXPORT, "read as far as a page goes", Edit("rows", "later.instead_of(queries.shard_rows(world, task, number))", "later.instead_of(queries.rows_from(world, task, number * task.shard_rows, task.shard_rows))"),
        "http/test_exports.py::test_a_file_has_every_row_when_dynamodb_cuts_its_pages_short",
    ),
    Mutant(
        EXPORT, "a failed one is found again", Edit("create", "not (opened.item.failed or opened.item.task.is_over(world.now()))", "not opened.item.task.is_over(world.now())"),
        "http/test_exports.py::test_a_file_that_could_not_be_written_is_tried_again_when_it_is_ordered_again",
    ),
    Mutant(
        EXPORT, "one that is over is given", Edit("is_over", "self.deleted_at is not None or (self.expires_at is not None and self.expires_at <= now)", "self.deleted_at is not None"),
        "http/test_exports.py::test_a_file_is_gone_when_its_days_are_over_and_made_anew_when_it_is_asked_for_again",
    ),
    Mutant(
        EXPORT, "it is listed among the tasks", Edit("_open", "{'listed_in': task.task, 'expires_at': now + world.settings.export_days * DAY_MS}", "{'listed_in': task.project, 'expires_at': now + world.settings.export_days * DAY_MS}"),
        "http/test_exports.py::test_an_export_is_no_task_of_the_list_and_is_in_its_task_s_own",
    ),
    Mutant(
        EXPORT, "it outlives its task", Edit("_erase", "sum((_erase(world, each, gone_at) for each in ended))", "0"),
        "http/test_exports.py::test_a_file_is_erased_with_its_task",
    ),
    Mutant(
        EXPORT, "it is erased while it is written", Edit("_erase", "[each for each in exports if each.status in CLOSED]", "exports"),
        "http/test_exports.py::test_an_export_that_is_still_written_ends_and_is_erased_when_its_task_is_deleted",
    ),
    Mutant(
        EXPORT, "a deleted task does not wait for it", Edit("_erase", "again = gone_at >= now - DAY_MS or len(ended) < len(exports)", "again = gone_at >= now - DAY_MS"),
        "http/test_exports.py::test_a_deleted_task_is_looked_at_until_its_exports_have_ended",
    ),
]  # fmt: skip


def killed(mutant: Mutant) -> bool:
    """Whether the mutant's test fails in a copy of the product with the mutation in it."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        for name in COPIED:
            source = ROOT / name
            if source.is_dir():
                shutil.copytree(source, copy / name)
            else:
                shutil.copy2(source, copy / name)
        anchored.apply(mutant.edit, copy)
        test = f"tests/{mutant.test_file.relative_to(ROOT / 'tests')}"
        run = FORKS.Process(target=_test, args=(copy, test, mutant.test_name))
        run.start()
        run.join()
        # 1: tests failed. Anything else but 0 is a run that says nothing.
        if run.exitcode not in {0, 1}:
            raise RuntimeError(f"{mutant.what}: {(copy / SAID).read_text()[-4000:]}")
        return run.exitcode == 1


def _test(copy: Path, test: str, name: str) -> None:
    """In a process of its own that has imported much, and of what is tested nothing. Its exit code is pytest's."""
    os.chdir(copy)
    with (copy / SAID).open("w") as said:
        for stream in (sys.stdout, sys.stderr):
            os.dup2(said.fileno(), stream.fileno())
    sys.dont_write_bytecode = True
    sys.path[:] = [place for place in sys.path if not _is_ours(place)]
    for module in [module for module, found in sys.modules.items() if _is_ours(getattr(found, "__file__", None) or "")]:
        del sys.modules[module]
    try:
        code = int(pytest.main([*QUIETLY, test, "-k", name]))
    except BaseException:  # noqa: BLE001 - Python ends with 1 then, as if a test had failed
        traceback.print_exc()
        code = pytest.ExitCode.INTERNAL_ERROR
    os._exit(code)


def _is_ours(place: str) -> bool:
    """Whether this lies in the repository, and is no package of its tools'."""
    return Path(place).is_relative_to(ROOT) and not Path(place).is_relative_to(ROOT / ".venv")


def table(mutants: list[Mutant]) -> Iterator[str]:
    yield "| sentence marked ◆ | left out by | then fails |"
    yield "|---|---|---|"
    before = None
    for mutant in mutants:
        sentence = mutant.sentence if mutant.sentence != before else ""
        before = mutant.sentence
        yield f"| {sentence} | `{mutant.place}`: {mutant.what} | `{mutant.test_file.name}` {mutant.test_name} |"


def main(wanted: list[str]) -> int:
    chosen = [
        mutant for mutant in MUTANTS if not wanted or any(word in mutant.sentence + mutant.what for word in wanted)
    ]
    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(killed, chosen))
    for mutant, answer in zip(chosen, answers, strict=True):
        if not answer:
            print(f"LIVES: {mutant.sentence}: {mutant.what}", file=sys.stderr)  # noqa: T201 - a tool that prints
    print("\n".join(table(chosen)))  # noqa: T201 - likewise
    print(f"{sum(answers)} of {len(answers)} killed", file=sys.stderr)  # noqa: T201 - likewise
    return 0 if all(answers) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
