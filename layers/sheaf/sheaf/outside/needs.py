"""What a verb needs of its world: its signature names the smallest of these that holds what it uses. ADR 39."""

from collections.abc import Callable, Iterable
from typing import Any, Protocol, TypeAlias, TypeVar

from sheaf.outside.http_request import Ask
from sheaf.settings import AggregatorSettings, ApiSettings, IntakeSettings, JanitorSettings, Settings, WorkerSettings

S_co = TypeVar("S_co", covariant=True)
T = TypeVar("T")
R = TypeVar("R")

# Settings that several functions have, and verbs of all of them read.
HasBucket: TypeAlias = ApiSettings | WorkerSettings | AggregatorSettings | IntakeSettings | JanitorSettings
HasKinds: TypeAlias = ApiSettings | WorkerSettings | AggregatorSettings
HasUndoDays: TypeAlias = ApiSettings | AggregatorSettings | JanitorSettings
HasIntakeQueue: TypeAlias = ApiSettings | AggregatorSettings | IntakeSettings
HasEngines: TypeAlias = ApiSettings | WorkerSettings
HasCeiling: TypeAlias = ApiSettings | AggregatorSettings


class Aws(Protocol[S_co]):
    @property
    def settings(self) -> S_co: ...
    def client(self, service: str, /) -> Any: ...


class TimedAws(Aws[S_co], Protocol):
    """And the hour, in whole milliseconds, and tokens for what is made at it."""

    def now(self) -> int: ...
    def token(self) -> str: ...


class BatchAws(TimedAws[S_co], Protocol):
    """And calls beside each other, and pauses that chance lengthens before a second try."""

    def sleep(self, seconds: float, /) -> None: ...
    def chance(self) -> float: ...
    def parallel(self, work: Callable[[T], R], items: Iterable[T], /) -> list[R]: ...


class ApiWorld(BatchAws[ApiSettings], Protocol):
    @property
    def ways(self) -> dict[Any, Any]: ...


class AsksModels(TimedAws[WorkerSettings], Protocol):
    def sleep(self, seconds: float, /) -> None: ...
    def patient(self, service: str, seconds: int, /) -> Any: ...
    @property
    def ask(self) -> Ask: ...
    @property
    def ways(self) -> dict[Any, Any]: ...


class AsksRecognition(TimedAws[IntakeSettings], Protocol):
    @property
    def ask(self) -> Ask: ...


Tables: TypeAlias = Aws[Settings]
TimedTables: TypeAlias = TimedAws[Settings]
BatchTables: TypeAlias = BatchAws[Settings]
Objects: TypeAlias = Aws[HasBucket]
SweeperWorld: TypeAlias = BatchAws[AggregatorSettings]
