"""What is wrong with a file, in words for who uploaded it: a reason, and what to do."""

import json
from pathlib import Path

_WRITTEN: dict[str, tuple[str, str]] = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
LOCKED, NO_SHEET, DAMAGED, EMPTY, TOO_MUCH_PACKED, NO_HEADER, NOT_COUNTED = _WRITTEN.values()
SAVE_AS = DAMAGED[1]
SMALLER = "Leave out what is not needed, or cut it into several workbooks."


def too_large(name: str, what: str, there: int, most: int) -> tuple[str, str]:
    return f"The sheet “{name}” has {there:,} {what}; up to {most:,} are read.", SMALLER
