"""What may be said in a log, and measured: one JSON line an event, of these lists, never a document's words."""

import json
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from aws_lambda_powertools import Logger
from aws_lambda_powertools.metrics import EphemeralMetrics

from sheaf.plain_json import Json, JsonObject


class Metric(NamedTuple):
    """Its unit, and the field by which it is told apart, if any; every one also by `service`, which is the stack."""

    unit: str
    by: str | None


_LISTS = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
FIELDS = {name for names in _LISTS["fields"].values() for name in names}
METRICS = {name: Metric(*said) for name, said in _LISTS["metrics"].items()}

Measured = Mapping[str, float]  # values by the names of `METRICS`
NAMESPACE = "Sheaf"
FRAMES = 10

_log = Logger(service="sheaf", log_record_order=["level", "message"], location=None)

invoked = _log.inject_lambda_context  # tells of each line its invocation, and whether the process is new


def say(event: str, *, measured: Measured | None = None, **fields: Json) -> None:
    """One line, with what was measured. Raises ValueError for a field or a metric that is not on the lists."""
    _log.info(event, extra=_known(fields) | (_embedded(measured, fields) if measured else {}))


def say_defect(event: str, error: Exception, **fields: Json) -> None:
    """One line, as an error: what kind of exception and where. Not its words, which may be a document's."""
    frames = reversed(traceback.extract_tb(error.__traceback__)[-FRAMES:])
    where = " < ".join(f"{Path(frame.filename).name}:{frame.lineno}" for frame in frames)
    _log.error(event, extra=_known({**fields, "reason": type(error).__name__, "where": where}))


def _known(fields: JsonObject) -> JsonObject:
    unknown = fields.keys() - FIELDS
    if unknown:
        raise ValueError(f"not on the list of what may be logged: {sorted(unknown)}")
    return fields


def _embedded(measured: Measured, fields: JsonObject) -> dict[str, Any]:
    """What CloudWatch takes out of the line. Of its own each time: Powertools' `Metrics` is one for all threads."""
    unknown = measured.keys() - METRICS.keys()
    if unknown:
        raise ValueError(f"not on the list of what is measured: {sorted(unknown)}")
    (by,) = {METRICS[name].by for name in measured}
    metrics = EphemeralMetrics(namespace=NAMESPACE)
    if by is not None:
        metrics.add_dimension(by, str(fields[by]))
    for name, value in measured.items():
        metrics.add_metric(name, METRICS[name].unit, value)
    return dict(metrics.serialize_metric_set())
