"""S3's side of an upload form: it takes what the policy says that was signed, and as long as it says."""

import base64
import json
from datetime import datetime
from typing import Any

from tests.simulation.expressions import Unknown


def takes(form: dict[str, Any], content: bytes, now: int) -> bool:
    """Whether S3 takes these bytes with this form at this instant. Raises Unknown."""
    policy = json.loads(base64.b64decode(form["fields"]["policy"]))
    good_until = datetime.fromisoformat(policy["expiration"]).timestamp() * 1000
    return now < good_until and all(_holds(condition, form, len(content)) for condition in policy["conditions"])


def _holds(condition: Any, form: dict[str, Any], size: int) -> bool:
    if isinstance(condition, dict):
        ((name, wanted),) = condition.items()
        return wanted == (
            form["url"].partition("//")[2].partition(".")[0] if name == "bucket" else form["fields"][name]
        )
    name, least, most = condition
    if name != "content-length-range":
        raise Unknown(name)
    return bool(least <= size <= most)
