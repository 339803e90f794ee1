"""The only reader of the environment: one frozen dataclass a function, every missing name reported at once."""

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from ipaddress import ip_address
from typing import Any, Literal, TypeVar
from urllib.parse import urlsplit

from sheaf.errors import ConfigError

PRICE = re.compile(r"\A\d++(\.\d++)?(/\d++(\.\d++)?){2}")


@dataclass(frozen=True)
class Kind:
    """A kind of work: its queue, its numbers, and the module that does it (`sheaf.kinds.<name>` unless said)."""

    name: str
    queue: str
    max_tries: int
    on_expiry: Literal["retry", "error"]
    module: str
    desk: str
    """Where it is ordered: `sheaf.desks.<name>` unless said."""


class Kinds(dict[str, Kind]):
    """Every kind deployed, by name; from one JSON variable. Who names none in a request gets the first."""


@dataclass(frozen=True)
class EngineSettings:
    """A model engine: where it is, what it may take at once, what it costs where the price file does not say."""

    name: str
    model: str
    url: str = ""
    key: str = ""
    """The ARN of the secret or parameter that holds the key; never the key."""
    window_tokens: int = 128_000
    output_tokens: int = 8_192
    call_seconds: int = 120
    calls_per_minute: int = 0
    """0 for as many as there are workers."""
    price: str = ""
    """Dollars per million tokens: "in/cached/out"."""
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Laid over the request's body; null takes a name out."""


@dataclass(frozen=True)
class Engines:
    """Which engines this deployment has beside the rules, and which one a task gets that names none."""

    default: str
    models: Mapping[str, EngineSettings]

    @property
    def names(self) -> list[str]:
        return ["rules", *self.models]


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
    engines: Engines
    library_documents_per_project: int
    knowledge_bases_per_project: int
    page_origin: str
    """The one origin beside the API's own whose pages may call it; empty for none."""
    upload_seconds: int
    reads_per_minute: int
    reads_at_once: int
    undo_days: int
    try_provider_every_seconds: int
    max_usd_per_task: float
    """0 for no ceiling, here and for a day."""
    max_usd_per_project_and_day: float
    model_text_bytes: int
    rereads_per_project_and_day: int


@dataclass(frozen=True)
class WorkerSettings(Settings):
    kinds: Kinds
    kind: str
    results_table: str
    gates_table: str
    data_bucket: str
    lease_slack_seconds: int
    engines: Engines
    model_text_bytes: int


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
    undo_days: int
    max_usd_per_project_and_day: float


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
    reader_wall: str
    """What becomes of a file where no wall can be put up round its reader (`sheaf.papers.wall`)."""
    mineru_url: str
    """Empty where there is no text recognition server."""
    mineru_api: str
    mineru_key_secret: str


@dataclass(frozen=True)
class PageSettings(Settings):
    """`sign_in` is what the page is told of Cognito: its endpoint and the app client. `samples` is "true" where they are offered."""

    sign_in: dict[str, str]
    bucket_origins: str
    samples: str


@dataclass(frozen=True)
class JanitorSettings(Settings):
    tasks_table: str
    results_table: str
    library_table: str
    data_bucket: str
    undo_days: int


S = TypeVar("S", bound=Settings)


def _kinds(text: str) -> Kinds:
    return Kinds(
        {
            name: Kind(name, **{"module": f"sheaf.kinds.{name}", "desk": f"sheaf.desks.{name}", **told})
            for name, told in json.loads(text).items()
        }
    )


def _engines(text: str) -> Engines:
    """Those that have a model; one that is not configured is there with an empty one. Raises ValueError."""
    told = json.loads(text)
    default = told.pop("default", None)
    models = {name: EngineSettings(name, **given) for name, given in told.items() if given["model"]}
    for each in models.values():
        _check(each, has_address="url" in told[each.name])
    engines = Engines(default, models)
    if default not in engines.names:
        raise ValueError(f"the default engine {default} is not configured")
    return engines


def _check(engine: EngineSettings, *, has_address: bool) -> None:
    """Raises ValueError."""
    if has_address and not _is_safe(engine.url):
        raise ValueError(f"{engine.name} needs an address, and one beyond this network has to be https")
    if engine.price and not PRICE.fullmatch(engine.price):
        raise ValueError(f"the price of {engine.name} is not in/cached/out, in dollars for a million tokens")


def _is_safe(url: str) -> bool:
    """Whether a key and papers may go there: by https, or in the clear to a neighbour. No password in the address."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        return False
    if not host or "@" in parts.netloc:
        return False
    return parts.scheme == "https" or (parts.scheme == "http" and _is_near(host))


def _is_near(host: str) -> bool:
    try:
        return ip_address(host).is_private
    except ValueError:
        return "." not in host or host.endswith((".internal", ".local"))


_READERS: dict[Any, Any] = {
    str: str,
    int: int,
    float: float,
    Kinds: _kinds,
    Engines: _engines,
    dict[str, str]: json.loads,
}


def read(cls: type[S], environ: Mapping[str, str] | None = None) -> S:
    """Read one function's settings. Raises ConfigError naming every variable that is missing or unreadable."""
    environ = os.environ if environ is None else environ
    values, wrong = {}, []
    for each in fields(cls):
        name = each.name.upper()
        try:
            values[each.name] = _READERS[each.type](environ[name])
        except KeyError:
            wrong.append(f"{name} is missing")
        except (ValueError, TypeError, AttributeError) as error:
            wrong.append(f"{name} is unreadable: {error}")
    if wrong:
        raise ConfigError(f"{cls.__name__}: {'; '.join(wrong)}")
    return cls(**values)
