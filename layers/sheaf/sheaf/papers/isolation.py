"""Read a file that nobody vouches for, in a process of its own: a hostile file costs that process and nothing else.

The child is a fresh interpreter that has this package on its path, the file and its limits, and no variable of ours: no
credentials, no names of tables. The file goes in and its text comes out through files that have no name, so that
neither side can make the other wait. It needs no shared memory and no threads, and so runs within a Lambda function.
"""

import json
import platform
import signal
import subprocess
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import IO, NoReturn

from sheaf.papers import Paper
from sheaf.papers.child import BROKEN, PAPER, TOO_MUCH
from sheaf.papers.errors import NeedsOcr, ReaderBroken, Unreadable
from sheaf.papers.limits import LIMITS, Limits
from sheaf.papers.sniffing import HEAD

NAME_MAX = 255
COSTLY = "Reading this file takes more {} than any paper does."
CRASHED = "The reader stopped at this file: it is damaged, or made to take more memory than any paper does."
AGAIN = "Open it in a PDF viewer; if it opens, save it anew there or print it to PDF, and upload that."
AS_PDF = "If it is one paper, upload it as PDF; if it is a collection, upload each paper for itself."


def read_apart(content: bytes, filename: str, limits: Limits = LIMITS) -> Paper:
    """The paper in these bytes; its `source` is the caller's to add. Raises Unreadable, NeedsOcr, ReaderBroken."""
    with tempfile.TemporaryFile() as into, tempfile.TemporaryFile() as out:
        into.write(content)
        into.seek(0)
        status = _run(filename, limits, into, out)
        out.seek(0)
        if status:
            _refuse(status, out.read(), AGAIN if b"%PDF-" in content[:HEAD] else AS_PDF)
        return _told(out.read())


def _run(filename: str, limits: Limits, into: IO[bytes], out: IO[bytes]) -> int:
    """The child's exit status; it is gone when this returns, and when this raises."""
    words = json.dumps(asdict(limits)), _argument(filename)
    command = [sys.executable, "-S", "-B", "-m", "sheaf.papers.child", *words]
    with subprocess.Popen(
        command, stdin=into, stdout=out, stderr=subprocess.DEVNULL, env=environment(), cwd="/", close_fds=True
    ) as child:
        try:
            return child.wait(limits.wall_seconds)
        except subprocess.TimeoutExpired:
            return -signal.SIGXCPU
        finally:
            child.kill()


def environment() -> dict[str, str]:
    """Where to find this package, PDFium for this machine and Python's own library. Nothing is handed on from ours."""
    here = f"{platform.system().lower()}-{platform.machine()}"
    places = [place for place in sys.path if place]
    compiled = [str(Path(place, here)) for place in places if Path(place, here).is_dir()]
    return {
        "PYTHONPATH": ":".join((*compiled, *places)),
        "LD_LIBRARY_PATH": str(Path(sys.base_prefix, "lib")),
        "LANG": "C.UTF-8",
    }


def _argument(filename: str) -> str:
    """A file's name as a word of a command: it words a reason and opens nothing."""
    return filename.replace("\x00", "").encode("utf-8", "replace")[:NAME_MAX].decode("utf-8", "ignore")


def _refuse(status: int, answer: bytes, advice: str) -> NoReturn:
    if status == -signal.SIGXCPU:
        raise Unreadable(COSTLY.format("time"), advice)
    if status in {TOO_MUCH, -signal.SIGKILL}:
        raise Unreadable(COSTLY.format("memory"), advice)
    if status < 0:
        raise Unreadable(CRASHED, advice)
    if answer.startswith(BROKEN):
        raise ReaderBroken(json.loads(answer)["broken"])
    raise ReaderBroken(f"The reading process ended with status {status}.")


def _told(answer: bytes) -> Paper:
    """Raises what the child was told to raise."""
    if answer.startswith(PAPER):
        return Paper.from_json(answer[len(PAPER) : -1])
    told = json.loads(answer)
    if "unreadable" in told:
        raise Unreadable(*told["unreadable"])
    raise NeedsOcr(told["needs_ocr"])
