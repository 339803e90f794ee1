"""The process that one file is read in: `python -m clinical.papers.apart.child`, the file on stdin, what became of it on stdout.

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
from types import TracebackType
from typing import TYPE_CHECKING

from clinical.papers.apart import wall
from clinical.papers.limits import Limits
from clinical.papers.reader_errors import NeedsOcr, Unreadable

if TYPE_CHECKING:
    from clinical.papers import Paper

PAPER = b'{"paper":'
BROKEN = b'{"broken":'
TOO_MUCH = 75
"""Exit status of a child that ran out of the memory it may use."""
WALLESS = 76
"""Of one that was to have a wall and got none: it has read nothing."""
ROOM = 4
"""A text as JSON takes up to so many bytes for each of its own, in all but a hostile file."""


def main(words: Sequence[str]) -> int:
    """Read stdin under these limits and tell the outcome as one JSON object."""
    sys.excepthook = last_words
    limits = Limits(**json.loads(words[0]))
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


def _outcome(content: bytes, filename: str, limits: Limits, walled: str, reader: str) -> bytes | None:
    """None where there was to be a wall, and could be none."""
    reading = import_module(reader)
    try:
        reading.prepare(content, filename)
        if walled != wall.NONE and not wall.stand() and walled != wall.WHERE_POSSIBLE:
            return None
        paper: Paper = reading.read(content, filename, limits)
        return PAPER + paper.to_bytes() + b"}"
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


def bound(limits: Limits) -> None:
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
