"""Everything from outside enters here: clock, chance, waiting, AWS. `worlds` is the seam for tests and simulations."""

import secrets
import signal
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from functools import cache
from types import FrameType
from typing import Any, Generic, TypeVar

import boto3
from botocore.config import Config

from sheaf import settings
from sheaf.errors import OutOfTime
from sheaf.outside import http_request

S = TypeVar("S", bound=settings.Settings)
T = TypeVar("T")
R = TypeVar("R")

# Short time-outs: no call of ours is slow, and a row's lease must outlive every one of them. Retrying is safe
# because each write recognises itself when it finds that it was already made.
# A user agent of our own, because botocore makes its long one anew for each request: a fifth of what one costs.
AWS_CONFIG = Config(
    user_agent="sheaf",
    connect_timeout=2,
    read_timeout=10,
    retries={"mode": "standard", "total_max_attempts": 4},
    tcp_keepalive=True,
    max_pool_connections=64,
)
# By itself boto3 signs links and forms the old way, which newer regions refuse, and for S3's global host, which redirects to
# the region's: a browser follows neither a redirected upload nor a signed link to another host.
SIGNED = Config(signature_version="s3v4", s3={"addressing_style": "virtual", "us_east_1_regional_endpoint": "regional"})
# Of a hundred rows each key and value would be looked at before they are sent; what is wrong with one, DynamoDB says too.
UNCHECKED = AWS_CONFIG.merge(Config(parameter_validation=False))
CONFIGS = {"s3": AWS_CONFIG.merge(SIGNED), "dynamodb": UNCHECKED, "sqs": UNCHECKED}
PARALLEL = 8


@cache
def patient_client(service: str, seconds: int) -> Any:
    """For a model: an answer may take minutes, and the queue, not the SDK, decides about trying again."""
    config = Config(connect_timeout=5, read_timeout=seconds, retries={"mode": "standard", "total_max_attempts": 1})
    return boto3.client(service, config=config)  # type: ignore[call-overload]


@cache
def client(service: str) -> Any:
    return boto3.client(service, config=CONFIGS.get(service, AWS_CONFIG))  # type: ignore[call-overload]


def in_threads(work: Callable[[T], R], items: Iterable[T]) -> list[R]:
    """`map` in a few threads; the first exception is raised when all have ended."""
    todo = list(items)
    if len(todo) < 2:  # noqa: PLR2004 - a thread for one item is waste
        return [work(item) for item in todo]
    with ThreadPoolExecutor(min(PARALLEL, len(todo))) as pool:
        futures = [pool.submit(work, item) for item in todo]
    return [future.result() for future in futures]


@contextmanager
def alarm(seconds: float) -> Iterator[None]:
    """Interrupt what runs inside after so many seconds. Raises OutOfTime there."""

    def interrupt(_signal: int, _frame: FrameType | None) -> None:
        raise OutOfTime("Stopped by itself shortly before the function's time limit.")

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, max(seconds, 0.001))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@dataclass(frozen=True)
class World(Generic[S]):
    """What a verb may use of the world outside. Instants are whole milliseconds."""

    settings: S
    now: Callable[[], int] = lambda: time.time_ns() // 1_000_000
    sleep: Callable[[float], None] = time.sleep
    token: Callable[[], str] = lambda: secrets.token_hex(10)
    chance: Callable[[], float] = lambda: secrets.randbelow(1 << 20) / (1 << 20)
    client: Callable[[str], Any] = client
    parallel: Callable[[Callable[[Any], Any], Iterable[Any]], list[Any]] = in_threads
    time_limit: Callable[[float], AbstractContextManager[None]] = alarm
    patient: Callable[[str, int], Any] = patient_client  # a client that waits so long for an answer, and asks once
    ask: http_request.Ask = http_request.ask
    resolve: Callable[[str, int], list[str]] = http_request.resolve
    ask_at: Callable[[str], http_request.Ask] = http_request.at
    ways: dict[Any, Any] = field(default_factory=dict)  # found out: a worker's ways of asking, the API's looks


worlds: dict[type[settings.Settings], World[Any]] = {}


def connect(cls: type[S]) -> World[S]:
    """The world of one function, made at its first event. Raises ConfigError."""
    if cls not in worlds:
        worlds[cls] = World(settings.read(cls))
    return worlds[cls]
