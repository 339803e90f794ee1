"""A viewer asks for the largest page of a table, and for the doctor, again and again: everybody else gets the 429s.

The wall: each user's own allowance of rows. Without it (a bucket that is never empty) every request is answered.
"""

import tempfile
from dataclasses import replace
from pathlib import Path

from sheaf.outside import wiring
from sheaf.settings import ApiSettings
from tests.support.bench import TASKS, Bench, stack

ROWS = 60
REQUESTS = 30
DOCTOR = "/asl/extraction/doctor"
ALLOWED = 400


def attack(*, walls: bool) -> list[str]:
    """Rows read beyond those that one user may, in one moment."""
    with tempfile.TemporaryDirectory() as folder, stack(Path(folder) / "probe.log") as bench:
        world = bench.api_world
        most = ALLOWED if walls else 1_000_000
        settings = replace(world.settings, reads_at_once=most, reads_per_minute=ALLOWED)
        wiring.worlds[ApiSettings] = replace(world, settings=settings)
        return _flood(bench)


def _flood(bench: Bench) -> list[str]:
    task = bench.open([bench.probe() for _ in range(ROWS)], kind="probe")
    bench.settle("probe")
    read = examined = 0
    for _ in range(REQUESTS):
        status, page = bench.http("GET", f"{TASKS}/{task}/results")
        read += len(page["results"]) if status == 200 else 0
        examined += bench.http("GET", DOCTOR)[0] == 200
    taken = [f"{read} rows read by one user at once"] if read > ALLOWED + ROWS else []
    return taken + ([f"a project examined {examined} times at once"] if examined > 1 else [])
