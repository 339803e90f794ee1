"""Read a file that nobody vouches for, in a process of its own: a hostile file costs that process and nothing else.

The child is a fresh interpreter with this package, the file and its limits, and no variable of ours. The file goes in and what
was made of it comes out through files that have no name, so that neither side can make the other wait. Before it reads, a wall is
put up round it (docs/adr/0026). What it says is a stranger's word to this process.
"""

import json
import os
import platform
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import IO, Any

from sheaf.apart import wall
from sheaf.apart.child import BROKEN, DONE, STEP, TOO_MUCH, WALLESS, Bounds
from sheaf.apart.reader_errors import NeedsOcr, ReaderBroken, Unreadable

NAME_MAX = 255
LAST_WORDS = re.compile(re.escape(BROKEN) + rb'"(\w{1,80} at [\w<>]{1,80}:\d{1,6})"}')
"""All that a child's end may say in our log; what has taken it over could write a text there."""
COSTLY = "Reading this file takes more {} than any paper or table does."
CRASHED = "The reader stopped at this file: it is damaged, or made to take more memory than any paper or table does."
ENDS = {-signal.SIGXCPU: COSTLY.format("time"), **dict.fromkeys((TOO_MUCH, -signal.SIGKILL), COSTLY.format("memory"))}
NO_WALL = "This kernel lets no wall be put up round the reader, and without one nothing is read (ReaderWall)."
STRANGE = "The reading process gave an answer of no known shape."
LOOK_SECONDS = 0.1
STEPS_MAX = 8
Steps = Callable[[int], None]


def read_apart(
    file: bytes, filename: str, limits: Bounds, *, reader: str, advice: str, walled: str, on_step: Steps | None = None
) -> bytes:
    """What the module `reader` makes of these bytes. Raises Unreadable, NeedsOcr, ReaderBroken.

    `walled` says what is to be done where no wall can be put up, `advice` what to do about a file at which the reader ended;
    `on_step` is told how many parts of its work the reader has done.
    """
    if walled != wall.NONE:
        wall.hide()
    with tempfile.TemporaryFile() as into, tempfile.TemporaryFile() as out:
        into.write(file)
        into.seek(0)
        # As a word of a command: it words a reason and opens nothing.
        name = filename.replace("\x00", "").encode("utf-8", "replace")[:NAME_MAX].decode("utf-8", "ignore")
        status = _run((json.dumps(limits._asdict()), name, walled, reader), limits.wall_seconds, into, out, on_step)
        out.seek(0)
        answer = out.read().lstrip(STEP)
        if status:
            if status < 0 or status == TOO_MUCH:
                raise Unreadable(ENDS.get(status, CRASHED), advice)
            if status == WALLESS:
                raise ReaderBroken(NO_WALL)
            said = LAST_WORDS.fullmatch(answer)
            raise ReaderBroken(said[1].decode() if said else f"The reading process ended with status {status}.")
        return _told(answer)


def _run(words: Sequence[str], seconds: float, into: IO[bytes], out: IO[bytes], on_step: Steps | None) -> int:
    """The child's exit status; it and what it started are gone when this returns, and when this raises."""
    command = [sys.executable, "-S", "-B", "-P", "-m", "sheaf.apart.child", *words]
    piped: Any = {"stdin": into, "stdout": out, "stderr": subprocess.DEVNULL, "env": environment()}
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        subprocess.Popen(command, **piped, cwd=folder, start_new_session=True) as child,
    ):
        try:
            if on_step:
                _follow(child, seconds, out, on_step)
            return child.wait(seconds)
        except subprocess.TimeoutExpired:
            return -signal.SIGXCPU
        finally:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(child.pid, signal.SIGKILL)
            child.kill()


def _follow(child: subprocess.Popen[bytes], seconds: float, out: IO[bytes], on_step: Steps) -> None:
    before = 0
    for _ in range(int(seconds / LOOK_SECONDS)):
        with suppress(subprocess.TimeoutExpired):
            child.wait(LOOK_SECONDS)
            return
        done = min(os.fstat(out.fileno()).st_size, STEPS_MAX)
        if done > before:
            before = done
            on_step(done)
    raise subprocess.TimeoutExpired("", seconds)


def environment() -> dict[str, str]:
    """Where to find this package, what is compiled for this machine or Python, and Python's own library. Nothing is handed on from ours."""
    here = (f"{platform.system().lower()}-{platform.machine()}", EXTENSION_SUFFIXES[0].strip(".").removesuffix(".so"))
    places = [place for place in sys.path if place]
    compiled = [str(Path(place, name)) for place in places for name in here if Path(place, name).is_dir()]
    libraries = str(Path(sys.base_prefix, "lib"))
    return {"PYTHONPATH": ":".join((*compiled, *places)), "LD_LIBRARY_PATH": libraries, "LANG": "C.UTF-8"}


def _told(answer: bytes) -> bytes:
    """Raises what the child was told to raise; ReaderBroken for an answer that no child of ours gives."""
    if answer.startswith(DONE):
        return answer[len(DONE) :]
    try:
        said = json.loads(answer)
        refused = Unreadable(*said["unreadable"]) if "unreadable" in said else NeedsOcr(said["needs_ocr"])
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise ReaderBroken(STRANGE) from error
    raise refused
