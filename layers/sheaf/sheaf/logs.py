"""What may be said in a log: one JSON line an event, with fields from this list only. Never a document's words."""

import traceback
from pathlib import PurePath

from aws_lambda_powertools import Logger

from sheaf.plain_json import Json, JsonObject

OF_WHAT = {"task", "row", "document", "kind", "provider", "route", "message_id", "receives", "attempt", "tries"}
COUNTED = {"count", "total", "pending", "extracting", "completed", "error", "cancelled", "percent", "objects"}
SWEPT = {"expired", "resent", "given_up", "stamped"}
HOW = {"status", "reason", "error_class", "source", "where", "milliseconds", "until"}
FIELDS = OF_WHAT | COUNTED | SWEPT | HOW

FRAMES = 10

_log = Logger(service="sheaf", log_record_order=["level", "message"], location=None)


def say(event: str, **fields: Json) -> None:
    """One line. Raises ValueError for a field that is not on the list."""
    _log.info(event, extra=_known(fields))


def say_defect(event: str, error: Exception, **fields: Json) -> None:
    """One line, as an error: what kind of exception and where. Not its words, which may be a document's."""
    frames = reversed(traceback.extract_tb(error.__traceback__)[-FRAMES:])
    where = " < ".join(f"{PurePath(frame.filename).name}:{frame.lineno}" for frame in frames)
    _log.error(event, extra=_known({**fields, "reason": type(error).__name__, "where": where}))


def _known(fields: JsonObject) -> JsonObject:
    unknown = fields.keys() - FIELDS
    if unknown:
        raise ValueError(f"not on the list of what may be logged: {sorted(unknown)}")
    return fields
