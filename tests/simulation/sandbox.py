"""One invocation of one Lambda function: a process with its own `World`, whose every AWS call can go wrong.

Its clients are the product's own; what they would send arrives at `Sandbox.call` (see clients).
"""

import random
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from aws_lambda_powertools.event_handler.api_gateway import BaseRouter
from botocore.exceptions import ReadTimeoutError

from sheaf.errors import OutOfTime
from sheaf.outside import wiring
from sheaf.outside.wiring import World
from tests.simulation.deployed import EXPORT
from tests.simulation.dynamo import refused
from tests.simulation.faults import Fault
from tests.simulation.kernel import Killed, Process
from tests.simulation.notice_rules import ADDRESS

OUTLIVES_MS, LOOK_MS = 1_800_000, 1_000
READ_TIMEOUT_MS = 10_000
"""After which the product's clients make a call again (wiring.AWS_CONFIG)."""


class Sandbox(Process):
    """A process that runs one handler in its own world."""

    def __init__(
        self, simulation: Any, function: str, number: int, run: Callable[["Sandbox"], Any], ended: Any, timeout_ms: int
    ) -> None:
        super().__init__(simulation.kernel, f"{function}-{number}", run, ended)  # type: ignore[arg-type]
        self.world = simulation
        self.function = function
        seed = simulation.seed * 1_000_003 + zlib.crc32(self.name.encode())
        self.rng = random.Random(seed)
        self.fault_rng = random.Random(seed + 1)
        self.deadline = simulation.kernel.now + timeout_ms
        skew = simulation.swarm.skew_ms
        self.skew = self.rng.randint(-skew, skew) if skew else 0
        self.calls = 0
        self.tokens: set[str] = set()
        self.faulted = False
        self.zombie = False
        self.left_out = 0
        self.alarm = OutOfTime
        self.started = simulation.kernel.now
        self.read_gate = False
        self.saw_shut = False
        self.front: int | None = None
        self.looked_at_gate = -1
        self.lost_lease = False
        self.refused_at: int | None = None
        self.claimed: tuple[str, int] | None = None
        self.works_on: tuple[str, int] | None = None
        self.reads: str | None = None
        self.reads_attempt = 0
        self.gave_back = self.parked = False
        self.seen_gates: dict[str, Any] = {}
        self.turn, self.turns, self.asked_ms, self.sent_requests = 0, 0, 0, 0
        self.was_answered_as_prober = self.shut_it = self.found_mine = self.tried_to_claim = False
        self.looked_for: str | None = None
        self.last_answer: str | None = None
        self.paid_for: list[str] = []
        self.opened: str | None = None
        self.holds_until: int | None = None
        self.owed: dict[str, int] = {}
        self.sweeps: str | None = None
        self.looked: dict[str, int] = {}
        self.must_send: set[tuple[str, int]] = set()
        self.errors = 0
        self.act: str | None = None
        self.event: Any = None
        self.product: World[Any] | None = None
        self.routed: tuple[Any, Any] | None = None

    # ------------------------------------------------------------------ the world it sees

    def make_world(self, settings: Any) -> World[Any]:
        self.product = World(
            settings=settings, now=self.clock, sleep=lambda seconds: self.wait(int(seconds * 1000)),
            token=self._token, chance=self.rng.random, client=wiring.client, parallel=self._parallel, time_limit=self._time_limit,
            ask=self._ask, resolve=lambda _host, _port: [ADDRESS], ask_at=lambda _address: self.world.receiver.at(self),
        )  # fmt: skip
        return self.product

    def clock(self) -> int:
        return int(self.kernel.now + self.skew)

    def _token(self) -> str:
        token = f"{self.name}.{len(self.tokens)}"
        self.tokens.add(token)
        return token

    def _ask(self, _method: str, _url: str, _body: bytes | None, _headers: Any, seconds: float, _limit: int) -> Any:
        return self.world.provider.post(self, seconds)

    def _parallel(self, work: Callable[[Any], Any], items: Any) -> list[Any]:
        """As `wiring.in_threads`: in any order, and the first exception only when all have ended."""
        todo = list(items)
        order = list(range(len(todo)))
        if len(order) > 1:
            self.rng.shuffle(order)
        out: dict[int, Any] = {}
        errors: dict[int, Exception] = {}
        for number in order:
            try:
                out[number] = work(todo[number])
            except Exception as error:  # noqa: BLE001 - raised below
                errors[number] = error
        if errors:
            raise errors[min(errors)]
        return [out[number] for number in range(len(todo))]

    @contextmanager
    def _time_limit(self, seconds: float) -> Iterator[None]:
        self.alarm_at = self.kernel.now + max(1, int(seconds * 1000))
        try:
            yield
        finally:
            self.alarm_at = None

    # what Lambda's context offers
    aws_request_id = memory_limit_in_mb = function_name = invoked_function_arn = "simulated"

    def get_remaining_time_in_millis(self) -> int:
        return max(0, self.deadline - self.kernel.now)

    def enter(self) -> None:
        """Whose world the product's one global names, and whose request powertools' class attributes hold."""
        if self.product is not None:
            wiring.worlds[type(self.product.settings)] = self.product
        if self.routed is not None:
            BaseRouter.current_event, BaseRouter.lambda_context = self.routed

    def leave(self) -> None:
        if self.function == "api" and hasattr(BaseRouter, "current_event"):
            self.routed = (BaseRouter.current_event, BaseRouter.lambda_context)

    @property
    def exports(self) -> bool:
        """Whether it is a worker that writes tables as files."""
        return getattr(self.product and self.product.settings, "kind", None) == EXPORT

    # ------------------------------------------------------------------ its calls

    def leaves_out(self) -> bool:
        return self.left_out > 0 and self.rng.randint(1, 100) <= self.left_out

    def call(self, service: str, operation: str, arguments: dict[str, Any]) -> Any:
        """One AWS call, with what goes wrong with it."""
        if self.dead:
            raise Killed
        self.calls += 1
        number = self.calls
        fault = self.world.faults.draw(
            self.name, self.function, number, operation, self.fault_rng, self._weight(operation, arguments)
        )
        self.world.count(self.function, operation, fault.kind if fault else None)
        if self.world.made is not None and (self.world.ticking or self.function == "janitor"):
            self.world.made.append((self.name, number, operation, subject(arguments)))
        self.wait(2 + int(self.rng.random() * self.world.swarm.latency_ms))
        if fault is None:
            return self._do(service, operation, arguments)
        self.faulted = True
        self.world.note(f"FAULT {fault.kind} {fault.amount or ''}", self, operation)
        try:
            return getattr(self, f"_{fault.kind}")(fault, service, operation, arguments)
        finally:
            self.errors += fault.kind not in ("lost_reply", "slow", "pause", "outlive", "partial")

    def _weight(self, operation: str, arguments: dict[str, Any]) -> float:
        """What happens once in a run, and what decides, is to fail as often as the rest together."""
        if self.function == "api":
            if operation in {"transact_write_items", "get_queue_attributes", "get_event_source_mapping"}:
                return 3
            return 4 if self.event["rawPath"].endswith(("pause", "resume", "cancel", "retry", "exports")) else 1
        mends = self.function == "aggregator" and operation == "update_item" and arguments["TableName"] == "results"
        return 4 if mends or operation == "put_events" else 1

    def _do(self, service: str, operation: str, arguments: dict[str, Any]) -> Any:
        return self.world.execute(self, service, operation, arguments)

    def _die(self, why: str) -> None:
        self.kill(why)
        raise Killed

    def _kill_before(self, fault: Fault, *_call: Any) -> None:
        self._die(fault.kind)

    def _kill_after(self, fault: Fault, *call: Any) -> None:
        self._quietly(*call)
        self._die(fault.kind)

    def _lost_reply(self, _fault: Fault, *call: Any) -> Any:
        self._quietly(*call)
        self.wait(self.rng.randint(50, 12_000))
        return self._do(*call)

    def _lost_error(self, _fault: Fault, *call: Any) -> None:
        self._quietly(*call)
        self.wait(READ_TIMEOUT_MS)
        raise ReadTimeoutError(endpoint_url=call[0])

    def _throttle(self, _fault: Fault, service: str, operation: str, _arguments: Any) -> None:
        self.wait(self.rng.randint(50, 5_000))
        code = {"dynamodb": "ThrottlingException", "s3": "SlowDown", "lambda": "TooManyRequestsException"}.get(
            service, "ThrottlingException"
        )
        raise refused(code, operation, 503 if service == "s3" else 400)

    def _error_500(self, _fault: Fault, _service: str, operation: str, _arguments: Any) -> None:
        self.wait(self.rng.randint(50, 5_000))
        raise refused("InternalServerError", operation, 500)

    def _error_500_after(self, fault: Fault, *call: Any) -> None:
        self._quietly(*call)
        self._error_500(fault, *call)

    def _slow(self, fault: Fault, *call: Any) -> Any:
        self.wait(fault.amount)
        return self._do(*call)

    def _late(self, fault: Fault, *call: Any) -> Any:
        self.kernel.after(fault.amount, self._quietly, *call)
        self.wait(READ_TIMEOUT_MS)
        return self._do(*call)

    def _pause(self, fault: Fault, *call: Any) -> Any:
        self.zombie = self.kernel.now + fault.amount > self.deadline
        if fault.amount % 2:
            self.freeze(fault.amount)
            return self._do(*call)
        reply = self._do(*call)
        self.freeze(fault.amount)
        return reply

    def _outlive(self, fault: Fault, *call: Any) -> Any:
        """Stand still until another has what this one held, or for half an hour; then go on, a little or long after."""
        self.zombie = True
        for _ in range(OUTLIVES_MS // LOOK_MS):
            if self.world.taken_from(self):
                break
            self.freeze(LOOK_MS)
        self.freeze(fault.amount)
        return self._do(*call)

    def _partial(self, fault: Fault, *call: Any) -> Any:
        self.left_out = fault.amount
        try:
            return self._do(*call)
        finally:
            self.left_out = 0

    def _conflict(self, _fault: Fault, _service: str, operation: str, arguments: Any) -> None:
        if operation == "transact_write_items":
            reasons = [{"Code": "TransactionConflict"} for _ in arguments["TransactItems"]]
            raise refused("TransactionCanceledException", operation, CancellationReasons=reasons)
        raise refused("TransactionConflictException", operation)

    def _quietly(self, service: str, operation: str, arguments: dict[str, Any]) -> None:
        """Done, with nobody to hear how it went."""
        with suppress(Exception):
            self.world.execute(self, service, operation, arguments, unheard=True)


def subject(arguments: dict[str, Any]) -> str:
    """What a call is about: its table's, queue's or gate's name, or its object's key."""
    if "RequestItems" in arguments:
        return " ".join(f"{table} {request['Keys']}" for table, request in arguments["RequestItems"].items())
    about = (arguments.get(name) for name in ("TableName", "QueueUrl", "Key", "Prefix", "FunctionName", "UUID"))
    return " ".join(str(found) for found in about if found)
