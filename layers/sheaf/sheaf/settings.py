"""The only reader of the environment: one frozen dataclass a function, every missing name reported at once."""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal, TypeVar

from sheaf.errors import ConfigError


@dataclass(frozen=True)
class Kind:
    """A kind of work: its queue, its numbers, and the module that does it (`sheaf.kinds.<name>` unless said)."""

    name: str
    queue: str
    max_tries: int
    on_expiry: Literal["retry", "error"]
    module: str


class Kinds(dict[str, Kind]):
    """Every kind deployed, by name; from one JSON variable."""


@dataclass(frozen=True)
class Settings:
    """What each function is told. Field names are the environment's, in small letters."""


@dataclass(frozen=True)
class ApiSettings(Settings):
    kinds: Kinds
    tasks_table: str
    results_table: str
    gates_table: str
    library_table: str
    data_bucket: str
    aggregator_function: str
    janitor_function: str
    intake_queue: str
    open_tasks_per_project: int
    documents_per_project: int
    library_documents_per_project: int
    knowledge_bases_per_project: int


@dataclass(frozen=True)
class WorkerSettings(Settings):
    kinds: Kinds
    kind: str
    results_table: str
    gates_table: str
    data_bucket: str
    lease_slack_seconds: int


@dataclass(frozen=True)
class AggregatorSettings(Settings):
    kinds: Kinds
    tasks_table: str
    results_table: str
    gates_table: str
    library_table: str
    data_bucket: str
    intake_queue: str
    intake_max_tries: int
    row_deadline_seconds: int
    stall_window_seconds: int


@dataclass(frozen=True)
class DeadLetterSettings(Settings):
    results_table: str


@dataclass(frozen=True)
class IntakeSettings(Settings):
    library_table: str
    data_bucket: str
    intake_queue: str
    intake_max_tries: int
    lease_slack_seconds: int


@dataclass(frozen=True)
class PageSettings(Settings):
    """`sign_in` is what the page is told of Cognito: its endpoint and the app client."""

    sign_in: dict[str, str]
    bucket_origins: str


@dataclass(frozen=True)
class JanitorSettings(Settings):
    tasks_table: str
    results_table: str
    library_table: str
    data_bucket: str


S = TypeVar("S", bound=Settings)


def _kinds(text: str) -> Kinds:
    return Kinds(
        {name: Kind(name, **{"module": f"sheaf.kinds.{name}", **told}) for name, told in json.loads(text).items()}
    )


_READERS: dict[Any, Any] = {str: str, int: int, Kinds: _kinds, dict[str, str]: json.loads}


def read(cls: type[S], environ: Mapping[str, str] | None = None) -> S:
    """Read one function's settings. Raises ConfigError naming every variable that is missing or unreadable."""
    environ = os.environ if environ is None else environ
    values, wrong = {}, []
    for field in fields(cls):
        name = field.name.upper()
        try:
            values[field.name] = _READERS[field.type](environ[name])
        except KeyError:
            wrong.append(f"{name} is missing")
        except (ValueError, TypeError, AttributeError) as error:
            wrong.append(f"{name} is unreadable: {error}")
    if wrong:
        raise ConfigError(f"{cls.__name__}: {'; '.join(wrong)}")
    return cls(**values)
