"""The only reader of the environment: one dataclass a function, every missing name reported at once."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, NamedTuple, TypeVar, cast, dataclass_transform

from sheaf.engine_settings import Engines
from sheaf.errors import ConfigError


class Kind(NamedTuple):
    name: str
    queue: str
    max_tries: int
    on_expiry: str  # what becomes of a row whose lease ends: "retry" or "error"
    module: str
    desk: str  # `-` for work that no request names: it is ordered at something else


class Kinds(dict[str, Kind]):
    """Every kind deployed, by name. Who names none in a request gets the first."""

    @classmethod
    def read(cls, text: str) -> "Kinds":
        """From `name queue tries at-expiry module desk`, a comma between two. Raises ValueError."""
        kinds = (each.split() for each in text.split(","))
        return cls({name: Kind(name, queue, int(tries), *rest) for name, queue, tries, *rest in kinds})

    @property
    def ordered(self) -> "Kinds":
        return Kinds({name: kind for name, kind in self.items() if kind.desk != "-"})


@dataclass_transform(kw_only_default=True, frozen_default=True)
class Settings:
    """What each function is told. Field names are the environment's, in small letters."""

    def __init_subclass__(cls) -> None:
        """A dataclass that writes no methods: each function imports all of these, and compiling them takes time."""
        dataclass(init=False, eq=False, repr=False)(cls)

    def __init__(self, **values: Kinds | Engines | dict[str, str] | str | float) -> None:
        self.__dict__.update(values)


S = TypeVar("S", bound=Settings)


class TaskSettings(Settings):
    kinds: Kinds
    tasks_table: str
    results_table: str
    gates_table: str
    data_bucket: str


class ApiSettings(TaskSettings):
    library_table: str
    reviews_table: str
    mappings: dict[str, str]  # of each kind, the id of the event source mapping that hands its messages to its workers
    aggregator_function: str
    sweepers: int  # how many sweepers the tasks are divided among that are opened from now on
    janitor_function: str
    intake_queue: str
    open_tasks_per_project: int
    documents_per_project: int
    documents_per_task: int  # of a task by reference; one that names them has `bodies.DOCUMENTS_MAX` at most
    rows_at_work_per_task: int
    engines: Engines
    library_documents_per_project: int
    knowledge_bases_per_project: int
    page_origin: str  # the one origin beside the API's own whose pages may call it; empty for none
    upload_seconds: int
    reads_per_minute: int
    reads_at_once: int
    undo_days: int
    export_days: int
    sheet_minutes: int
    sheet_bytes: int
    sheet_rows: int
    sheet_columns: int
    sheet_cells: int
    sheets_per_project: int
    try_provider_every_seconds: int
    max_usd_per_task: float  # 0 for no ceiling, here and for a day
    max_usd_per_project_and_day: float
    model_text_bytes: int
    rereads_per_project_and_day: int
    notice_queue: str
    notice_hours: int
    webhook_wall: str  # `public`, but on a machine of one's own (`sheaf.notices.addresses`)


class WorkerSettings(TaskSettings):
    kind: str
    lease_slack_seconds: int
    engines: Engines
    model_text_bytes: int
    reviews_table: str
    reader_wall: str  # what becomes of a hostile file where no wall can be put up round its reader (`sheaf.apart.wall`)


class AggregatorSettings(TaskSettings):
    aws_lambda_function_name: str  # Lambda sets it: a template cannot name a function in its own variables
    library_table: str
    intake_queue: str
    intake_max_tries: int
    row_deadline_seconds: int
    stall_window_seconds: int
    undo_days: int
    open_tasks_per_project: int
    documents_per_project: int
    documents_per_task: int
    max_usd_per_project_and_day: float
    notice_queue: str


class NoticeSettings(Settings):
    library_table: str
    notice_queue: str
    notice_hours: int
    webhook_wall: str
    page_at: str  # the origin of the page, for links


class IntakeSettings(Settings):
    library_table: str
    data_bucket: str
    intake_queue: str
    intake_max_tries: int
    lease_slack_seconds: int
    reader_wall: str
    mineru_url: str  # empty where there is no text recognition server
    mineru_api: str
    mineru_key_secret: str


class PageSettings(Settings):
    """`sign_in` is what the page is told of Cognito: its endpoint and the app client. `samples` is "true" where they are offered."""

    sign_in: dict[str, str]
    bucket_origins: str
    samples: str


class JanitorSettings(Settings):
    tasks_table: str
    results_table: str
    library_table: str
    data_bucket: str
    undo_days: int


_READERS: dict[Any, Any] = {str: str, int: int, float: float}  # others: their own `read`
_READERS[dict[str, str]] = lambda text: dict(word.split("=", 1) for word in text.split())


def read(cls: type[S], environ: Mapping[str, str] | None = None) -> S:
    """Read one function's settings. Raises ConfigError naming every variable that is missing or unreadable."""
    environ = os.environ if environ is None else environ
    values, wrong = {}, []
    for each in fields(cast("Any", cls)):
        name, kind = each.name.upper(), cast("Any", each.type)
        try:
            values[each.name] = (_READERS.get(kind) or kind.read)(environ[name])
        except KeyError:
            wrong.append(f"{name} is missing")
        except (ValueError, TypeError, AttributeError) as error:
            wrong.append(f"{name} is unreadable: {error}")
    if wrong:
        raise ConfigError(f"{cls.__name__}: {'; '.join(wrong)}")
    return cls(**values)
