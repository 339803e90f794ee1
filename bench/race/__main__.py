"""`make race [ONLY=sheaf,celery]`: a JSON line for each figure as it is found, and at the end one table of all.

One system after the other on this machine, each with its own servers, which are gone when the next one begins.
SIZE=0.1 takes a tenth of the jobs, to try it out; RUNS=1 takes every measure once instead of three times.
"""

import json
import os
import shutil
import signal
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from bench.race import ours
from bench.race.field import FIELD
from bench.race.installing import NotInstalled
from bench.race.measures import Racer, race
from bench.race.table import line, table

OURS = "Sheaf"
FIELDS: dict[str, Callable[[Path], AbstractContextManager[Racer]]] = {OURS: ours.up} | {
    name: peer.up for name, peer in FIELD.items()
}


def main() -> int:
    asked = os.environ.get("ONLY", "").lower().replace(" ", "").split(",")
    chosen = [name for name in FIELDS if asked == [""] or name.lower() in asked]
    if not chosen:
        sys.exit(f"ONLY takes {', '.join(FIELDS)}.")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that servers and workers go too
    lines: list[str] = []
    failed = [name for name in chosen if not _raced(name, lines)]
    print(f"\n{table(lines)}")
    return 1 if failed else 0


def _raced(name: str, lines: list[str]) -> bool:
    """Every figure of one system. False where it broke off: the others go on."""
    try:
        with _folder() as folder, FIELDS[name](folder) as racer:
            _say(lines, json.dumps({"racer": name, "versions": racer.versions, "settings": racer.settings}))
            for found in race(racer, float(os.environ.get("SIZE", "1"))):
                _say(lines, line(name, found.measure, found.value, found.unit, **found.more, load=os.getloadavg()[0]))
    except NotInstalled as why:
        _say(lines, f"{name} cannot be installed here: {why}")
    except Exception:  # noqa: BLE001 - whatever it was, it is told, and the run ends with 1
        print(f"{name} broke off:\n{traceback.format_exc()}", file=sys.stderr, flush=True)
        return False
    return True


def _say(lines: list[str], said: str) -> None:
    lines.append(said)
    print(said, flush=True)


@contextmanager
def _folder() -> Iterator[Path]:
    made = Path(tempfile.mkdtemp(prefix="sheaf-race-"))
    try:
        yield made
    finally:
        shutil.rmtree(made)


if __name__ == "__main__":
    sys.exit(main())
