"""What must hold: each rule once, with its id, checked at every committed write, message, call and answer.

I are DESIGN 3.4's invariants; S, C and L are RELIABILITY 3b and 3c, adapted; T, N, A, G and X are sentences of
DESIGN 3.1 to 3.3 that can be seen at one write or one answer. D are those of documents, P those of a provider's gate,
B those of budgets, M those of limits, O those of exports, W those of notices, R those of tasks by reference.
"""

from typing import Any

from tests.simulation.answer_rules import AnswerRules
from tests.simulation.budget_rules import BudgetRules
from tests.simulation.decision_rules import DecisionRules
from tests.simulation.document_rules import DocumentRules
from tests.simulation.export_rules import ExportRules
from tests.simulation.expressions import Item
from tests.simulation.gather_rules import GatherRules
from tests.simulation.items import is_payload
from tests.simulation.limit_rules import LimitRules
from tests.simulation.liveness_rules import LivenessRules
from tests.simulation.notice_rules import NoticeRules
from tests.simulation.provider_rules import ProviderRules
from tests.simulation.row_rules import RowRules
from tests.simulation.task_rules import TaskRules

RULES = {
    "I1": "shown counts are never negative, never more than the rows in that state have ever been, and add up to the total",
    "I2": "a terminal row never changes again, and a row is finished only by its last claim",
    "I3": "at most one live holder a row, and a call is made only by the holder, inside its lease",
    "I4": "a closed task has only terminal rows, as many as the manifest says; its counts equal them and never change",
    "I6": "a worker writes its own row and nothing else of a task, and sends nothing",
    "I7": "percent is rounded down, 100 only when closed; an answer's counts add up and its total never changes",
    "I8": "tries <= max, and no throttle ends a row or uses a try",
    "S1": "same key and body: the same task; same key, other body: 409 and nothing written",
    "S4": "what leaves `extracting` is written by the claim that owns it, or by an aggregator after its lease",
    "S5": "rows move along the transition table only; attempt +1 at a claim and never otherwise",
    "S9": "a completed row's payload is stored before it and is of its last claim, made from the pinned bytes, shown with it and never overwritten",
    "S10": "an ended row says truly why: tries spent, deadline passed, refused for good, cancelled on request",
    "S11": "a request touches nothing of another project, and there is no such task for it",
    "S13": "a message is acknowledged only when its row needs it no more, and kept only when it does",
    "S14": "no log line holds what a document or its file name says",
    "C1": "no call is repeated unless something failed in between",
    "C2": "messages for one row are not sent over and over",
    "T1": "the manifest is durable before the task is",
    "T2": "a row is durable before its message",
    "T3": "scattered is said only when every row is written and sent; the cursor never runs ahead of them",
    "T4": "a shard is sealed only when all of its rows are terminal",
    "T5": "a closed task leaves the index only after its notice",
    "T6": "nothing the janitor deletes is needed",
    "T7": "of a deleted task nothing but its tombstone is left two days later",
    "N1": "a sweeper leaves only when nothing is wanted, and only its holder empties `wanted`",
    "N2": "what was wanted is read from the table before the sweeper leaves",
    "E1": "an expired row that is pending again gets a message",
    "F1": "retries make one chain: one child a task, over its error and cancelled rows, opened when it has closed",
    "G1": "a cancelled task's gate never turns again",
    "G2": "a claim follows a look at the gate that found it open",
    "D1": "documents move along the transition table only; attempt +1 at a claim and never otherwise; only tombstones go",
    "D2": "one live reader a document: a claim is over no live lease, what leaves `reading` is written by its claim",
    "D3": "what is usable was read to its end: its text is stored, has the hash that is written down, is of the announced bytes",
    "D4": "one attempt, one text: no two readings store under the same name, and none stores two texts",
    "D5": "a document under way is in the index of what is due, within the hour; one at rest is not",
    "D6": "at most so many tries, and a document that is not ready says truly why",
    "D7": "after the faults stop every document that was announced ends, as its bytes deserve where they came",
    "P1": "no try is used by a provider's throttle, by its refusal of the account, or behind a gate that is shut for it",
    "P2": "nobody calls through a gate that he saw shut but its one prober, whose time ends by itself",
    "P3": "a shut gate is opened or shut for longer by its prober only, for as long as was asked and an hour at most",
    "P4": "rows that were let go come back: the gate says so when it opens, and is tried while a row waits",
    "P5": "the pace is an instant: turns at least an interval apart, none used before it comes, none far ahead",
    "P6": "a gate is told by rows of its own project, and a paper is refused like an account only when another was answered",
    "P7": "a probe that somebody asks for is the only thing that comes of it, once in so long, and makes no wait longer",
    "B1": "a task waits for its budget only when its rows have cost that, and goes on only with a higher one, and then at once",
    "B2": "a sweep that has counted has shut what has cost what it may, and counts every second from half of it on",
    "B3": "what a row says it cost is what its answers cost, each once, and what those that timed out are taken to have",
    "B4": "behind a gate that the budget has shut nothing starts but what was on the way, one a worker",
    "B5": "a retry may cost what it says, or what is left",
    "M1": "never more rows of a task are at work than might be when their workers looked at its gate; its front goes on only",
    "M2": "a sweep that has counted lets as many rows start as there were places when it looked",
    "V1": "a decision that was accepted is there, once and as it was made; one that was refused is not",
    "V2": "what holds for a cell is changed only by a decision whose maker saw what held before",
    "V3": "a review counts what holds, each cell once",
    "O1": "an order on a table that has not changed since is the same export, unless that failed or is over",
    "O2": "a ready export's file is stored before its row points at it, and stays as long as it is given",
    "O3": "a file holds each row of its table once, each as it was whole at a moment while the file was written",
    "O4": "an export is in no project's list and is no task: it stands in its own task's list alone",
    "O5": "an export that is over or whose task is deleted is shown to nobody, and erased within two daily rounds",
    "O6": "an export that was accepted is ready or failed once the faults stop",
    "W1": "a receiver is told of tasks that have closed and are no exports, each under one id and in one body, with its counts",
    "W2": "after the faults stop every close was taken by its project's receiver, or is seen to be given up",
    "R1": "what is gathered is one listing: whole before it is named, by one gatherer, each paper that stays there once",
    "R2": "a task by reference has no rows until they are known; it goes on to them once, or closes without any for a reason",
    "S12": "a reply that was paid for is kept before anything follows from it, and what is kept is not asked for again",
    "L1": "after the faults stop every task closes and is told of",
    "L2": "after the faults stop no open row, scatter, gate or close waits longer than its bound",
    "L3": "a sweep that has counted has done what was plainly due when it looked",
    "L7": "a provider that throttles for hours leaves no row in error",
    "L8": "one project's papers that a provider refuses keep no other project's waiting",
    "X1": "a handler raises only what it is meant to raise",
}


class Broken(Exception):
    """An invariant does not hold."""


class Invariants(
    RowRules,
    TaskRules,
    DocumentRules,
    ProviderRules,
    BudgetRules,
    LimitRules,
    ExportRules,
    DecisionRules,
    NoticeRules,
    GatherRules,
    AnswerRules,
    LivenessRules,
):
    """All the rules, over one simulation."""

    def __init__(self, simulation: Any) -> None:
        self.sim = simulation
        self.found: list[tuple[str, str]] = []
        self.prepare_rows()
        self.prepare_tasks()
        self.prepare_documents()
        self.prepare_provider()
        self.prepare_budgets()
        self.prepare_limits()
        self.prepare_exports()
        self.prepare_decisions()
        self.prepare_notices()

    def violate(self, rule: str, text: str) -> None:
        """Write it down and stop the world."""
        if rule not in RULES:
            raise KeyError(rule)
        self.found.append((rule, text))
        self.sim.note(f"VIOLATION {rule}", None, text)
        self.sim.kernel.stopped = True

    def written(self, table: Any, key: Any, before: Item | None, after: Item | None, ctx: Any) -> None:
        """One committed write."""
        if table.name == "results" and is_payload(key[0]):
            self.payload_written(key, before, after, ctx)
        elif table.name == "results":
            self.row_written(key, before, after, ctx)
        elif table.name == "tasks":
            self.task_written(key[0], before, after, ctx)
        elif table.name == "gates":
            self.gate_written(key[0], before or {}, after or {}, ctx)
        elif table.name == "reviews":
            self.review_written(key, before, after, ctx)
        elif key[0].endswith("/webhook"):
            self.webhook_written(key[0], before, after, ctx)
        elif "/document/" in key[0]:
            self.document_written(key[0], before, after, ctx)

    @property
    def skew(self) -> int:
        """How far two clocks may differ."""
        return 2 * int(self.sim.swarm.skew_ms)
