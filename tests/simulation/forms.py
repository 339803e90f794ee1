"""S3's side of an upload form: it takes what the policy says that was signed, and as long as it says."""

import base64
import hashlib
import json
from datetime import datetime
from typing import Any

from sheaf.outside.objects import CHECKSUM
from tests.simulation.expressions import Unknown


def takes(form: dict[str, Any], content: bytes, now: int, *, hashes: bool = True) -> bool:
    """Whether S3 takes these bytes with this form at this instant. Raises Unknown.

    Without `hashes` as a storage does that computes none, which is what the emulators are.
    """
    policy = json.loads(base64.b64decode(form["fields"]["policy"]))
    good_until = datetime.fromisoformat(policy["expiration"]).timestamp() * 1000
    held = all(_holds(condition, form, len(content)) for condition in policy["conditions"])
    return bool(now < good_until and held and (not hashes or _hash(content) == form["fields"][CHECKSUM]))


def _hash(content: bytes) -> str:
    return base64.b64encode(hashlib.sha256(content).digest()).decode()


def _holds(condition: Any, form: dict[str, Any], size: int) -> bool:
    if isinstance(condition, dict):
        ((name, wanted),) = condition.items()
        bucket = form["url"].partition("//")[2].partition(".")[0]
        return bool(wanted == (bucket if name == "bucket" else form["fields"][name]))
    name, least, most = condition
    if name != "content-length-range":
        raise Unknown(name)
    return bool(least <= size <= most)
