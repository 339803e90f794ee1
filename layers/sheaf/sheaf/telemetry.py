"""What may be said in a log: one JSON line an event, with fields from this list only. Never a document's words."""

from typing import Any

from aws_lambda_powertools import Logger

FIELDS = frozenset(
    {
        "task",
        "row",
        "document",
        "kind",
        "status",
        "attempt",
        "tries",
        "reason",
        "error_class",
        "source",
        "count",
        "total",
        "pending",
        "extracting",
        "completed",
        "error",
        "cancelled",
        "percent",
        "milliseconds",
        "until",
        "expired",
        "resent",
        "given_up",
        "stamped",
        "message_id",
        "receives",
        "objects",
        "route",
        "provider",
        "milliseconds_waited",
    }
)

_log = Logger(service="sheaf", log_record_order=["level", "message"], location=None)


def say(event: str, **fields: Any) -> None:
    """One line. Raises ValueError for a field that is not on the list."""
    unknown = fields.keys() - FIELDS
    if unknown:
        raise ValueError(f"not on the list of what may be logged: {sorted(unknown)}")
    _log.info(event, extra=fields)
