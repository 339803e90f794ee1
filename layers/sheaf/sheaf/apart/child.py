"""The process that one file is read in: `python -m sheaf.apart.child`, the file on stdin, what became of it on stdout.

It sets its own limits before it looks at the file, because a process that is already bounded needs no watching. It
looks at no more than the file's kind before the wall stands: what reads that kind is imported then, and nothing after.
"""

import errno
import json
import resource
import signal
import sys
from collections.abc import Sequence
from importlib import import_module
from types import SimpleNamespace, TracebackType
from typing import Protocol

from sheaf.apart import wall
from sheaf.apart.reader_errors import NeedsOcr, Unreadable

DONE = b"done:"
STEP = b"\n"  # said by a reader that has done one part of its work; the answer follows the last of them
BROKEN = b'{"broken":'
ROOM = 4  # a text as JSON takes up to so many bytes for each of its own, in all but a hostile file
TOO_MUCH = 75  # exit status of a child that ran out of the memory it may use
WALLESS = 76  # of one that was to have a wall and got none: it has read nothing


class Bounds(Protocol):
    """What one file may take before it is given up; the others are not touched by that."""

    @property
    def memory_bytes(self) -> int: ...
    @property
    def cpu_seconds(self) -> int: ...
    @property
    def wall_seconds(self) -> float: ...
    @property
    def text_bytes(self) -> int: ...
    def _asdict(self) -> dict[str, float]: ...


def main(words: Sequence[str]) -> int:
    sys.excepthook = last_words
    limits = SimpleNamespace(**json.loads(words[0]))
    bound(limits)
    try:
        outcome = _outcome(sys.stdin.buffer.read(), words[1], limits, words[2], words[3])
        if outcome is None:
            return WALLESS
        sys.stdout.buffer.write(outcome)
        sys.stdout.buffer.flush()
    except MemoryError:
        return TOO_MUCH
    except OSError as error:
        if error.errno == errno.EFBIG:
            return TOO_MUCH
        raise
    return 0


def next_step() -> None:
    """Called by a reader: what the parent is told of before the answer."""
    sys.stdout.buffer.write(STEP)
    sys.stdout.buffer.flush()


def _outcome(content: bytes, filename: str, limits: Bounds, walled: str, reader: str) -> bytes | None:
    reading = import_module(reader)
    try:
        reading.prepare(content, filename)
        if walled != wall.NONE and not wall.stand() and walled != wall.WHERE_POSSIBLE:
            return None
        return DONE + bytes(reading.read(content, filename, limits).to_bytes())
    except Unreadable as error:
        return json.dumps({"unreadable": [error.reason, error.advice]}).encode()
    except NeedsOcr as error:
        return json.dumps({"needs_ocr": str(error)}).encode()


def last_words(kind: type[BaseException], _error: BaseException, trace: TracebackType | None) -> None:
    """What Python calls when an exception of ours ends the process: its kind and place, no words of the document."""
    while trace and trace.tb_next:
        trace = trace.tb_next
    place = f"{trace.tb_frame.f_code.co_name}:{trace.tb_lineno}" if trace else "nowhere"
    sys.stdout.buffer.write(BROKEN + json.dumps(f"{kind.__name__} at {place}").encode() + b"}")


def bound(limits: Bounds) -> None:
    """Keep this process within these limits from here on; it cannot lift them."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    bounds = {
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_CPU: limits.cpu_seconds,
        resource.RLIMIT_FSIZE: ROOM * limits.text_bytes,
        resource.RLIMIT_NOFILE: 64,
    }
    if sys.platform == "linux":  # elsewhere the kernel does not keep to it, or refuses the call
        bounds[resource.RLIMIT_AS] = limits.memory_bytes
    for kind, wanted in bounds.items():
        hard = resource.getrlimit(kind)[1]
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        # At the soft limit of time a signal says which limit it was; the hard one kills without a word.
        resource.setrlimit(kind, (most, most + (kind == resource.RLIMIT_CPU)))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
