"""What a verb needs of its world: its signature names the smallest of these that holds what it uses. ADR 39.

`wiring.World` is all of them. In brackets stand the settings that are read, so that mypy knows their names and types.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol, TypeAlias, TypeVar

from sheaf.engine_settings import Engines
from sheaf.outgoing import Answered
from sheaf.settings import IntakeSettings, Kinds

S_co = TypeVar("S_co", covariant=True)
T = TypeVar("T")
R = TypeVar("R")


class HasTables(Protocol):
    """Settings of everybody: the tables' names, which `store` alone looks up, as its models name them."""


class HasBucket(Protocol):
    """Settings of whoever reads or writes objects."""

    @property
    def data_bucket(self) -> str: ...


class HasKinds(Protocol):
    """Settings of whoever asks what a kind's queue or desk is."""

    @property
    def kinds(self) -> Kinds: ...


class HasEngines(Protocol):
    """Settings of whoever asks which models there are."""

    @property
    def engines(self) -> Engines: ...


class HasKindsAndBucket(HasKinds, HasBucket, Protocol):
    """Settings of whoever scatters."""


class HasUndoDays(Protocol):
    """Settings of whoever deletes, or brings back."""

    @property
    def undo_days(self) -> int: ...


class HasIntakeQueue(Protocol):
    """Settings of whoever has a file read."""

    @property
    def intake_queue(self) -> str: ...


class HasCeiling(Protocol):
    """Settings of whoever asks what a project may still spend."""

    @property
    def max_usd_per_project_and_day(self) -> float: ...


class Context(Protocol):
    """What Lambda gives a function beside its event, as far as anybody asks."""

    def get_remaining_time_in_millis(self) -> int: ...


class Clock(Protocol):
    """The hour."""

    def now(self) -> int:
        """Whole milliseconds."""


class Aws(Protocol[S_co]):
    """AWS, one call after another."""

    @property
    def settings(self) -> S_co: ...
    def client(self, service: str, /) -> Any: ...


class TimedAws(Aws[S_co], Clock, Protocol):
    """And the hour, and tokens for what is made at it."""

    def token(self) -> str: ...


class BatchAws(Aws[S_co], Protocol):
    """Calls of AWS beside each other, and pauses that chance lengthens before a second try."""

    def sleep(self, seconds: float, /) -> None: ...
    def chance(self) -> float: ...
    def parallel(self, work: Callable[[T], R], items: Iterable[T], /) -> list[R]: ...


class TimedBatchAws(TimedAws[S_co], BatchAws[S_co], Protocol):
    """Both."""


class AsksModels(TimedAws[HasBucket], Protocol):
    """And a provider's model."""

    def sleep(self, seconds: float, /) -> None: ...
    def patient(self, service: str, seconds: int, /) -> Any: ...
    def post(self, url: str, body: bytes, headers: Mapping[str, str], seconds: float, limit: int, /) -> Answered: ...
    @property
    def ways(self) -> dict[Any, Any]: ...


class AsksRecognition(TimedAws[IntakeSettings], Protocol):
    """And the server that reads scanned pages."""

    def ask(  # noqa: PLR0917 - as `outgoing.ask`
        self, method: str, url: str, body: bytes | None, headers: Mapping[str, str], seconds: float, limit: int, /
    ) -> Answered: ...


Tables: TypeAlias = Aws[HasTables]
TimedTables: TypeAlias = TimedAws[HasTables]
BatchTables: TypeAlias = BatchAws[HasTables]
TimedBatchTables: TypeAlias = TimedBatchAws[HasTables]
Objects: TypeAlias = Aws[HasBucket]
