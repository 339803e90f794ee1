"""Processes of this machine, as tests look for those of a function."""

import subprocess
from contextlib import suppress
from pathlib import Path


def children(parent: int, *, ended: bool = False) -> dict[int, str]:
    """The command line of each child process; on demand also those that have ended, and that nobody has waited for."""
    if any(Path("/proc/self/task").glob("*/children")):
        # Of each of its threads; none where it has ended meanwhile.
        pids = "".join(map(_read, Path("/proc").glob(f"{parent}/task/*/children"))).split()
        commands = {int(pid): _read(Path(f"/proc/{pid}/cmdline")).replace("\0", " ") for pid in pids}
        return {pid: command for pid, command in commands.items() if command or ended}
    asked = subprocess.run(["ps", "-A", "-o", "ppid=,pid=,command="], check=True, capture_output=True, text=True)
    rows = [line.split(None, 2) for line in asked.stdout.splitlines()]
    return {int(row[1]): row[2] for row in rows if int(row[0]) == parent}


def _read(place: Path) -> str:
    """A file of /proc, or nothing where its thread or process has ended meanwhile."""
    with suppress(OSError):
        return place.read_text()
    return ""
