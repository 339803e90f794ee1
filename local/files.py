"""Files that one run leaves for the next, and what tells whether their sources have changed."""

import hashlib
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

SKIPPED = {"__pycache__", "node_modules", "made"}


def read(file: Path) -> dict[str, Any]:
    """The JSON object in a file; an empty one where there is no whole one."""
    with suppress(FileNotFoundError, json.JSONDecodeError):
        return dict(json.loads(file.read_text()))
    return {}


def fingerprint(root: Path, *places: Path) -> str:
    total = hashlib.sha256()
    for place in places:
        for path in sorted(place.rglob("*")) if place.is_dir() else (place,):
            if path.is_file() and not SKIPPED & set(path.relative_to(root).parts):
                total.update(f"{path.relative_to(root)}\0".encode())
                total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()
