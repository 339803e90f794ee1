"""The reading of an uploaded file in virtual time: in place of the product's child process, which takes a real second.

What the child would do to plain text is done here by the same code; what it does to a PDF of pictures, to a file that
costs too much and to a machine without memory is played. `isolation.read_apart` is the seam: everything before it and
after it is the product's.
"""

import random
import zlib
from typing import Any

from clinical.papers import Paper, reader
from clinical.papers.advice import AGAIN
from clinical.papers.limits import LIMITS
from sheaf.apart.isolation import COSTLY as TOO_COSTLY
from sheaf.apart.reader_errors import NeedsOcr, ReaderBroken, Unreadable
from tests.simulation.kernel import Kernel, Killed

PICTURES = b"%PDF- pictures of pages "
COSTLY = b"a file that takes more time than any paper does "
OUTCOMES = {Unreadable: "unreadable", NeedsOcr: "pictures", ReaderBroken: "broken"}


def read_apart(content: bytes, filename: str, *, walled: str) -> Paper:
    """What `isolation.read_apart` promises, as slowly as the seed says."""
    sandbox: Any = Kernel.latest.current
    rules = sandbox.world.invariants
    act, seconds = _draw(sandbox, content)
    reading_of = rules.reading_started(sandbox, content)
    try:
        sandbox.wait(int(seconds * 1000))
        paper = _read(sandbox, act, content, filename)
    except Killed:
        reading_of.outcome = "killed"
        raise
    except Exception as error:
        reading_of.outcome = OUTCOMES.get(type(error), type(error).__name__)
        raise
    reading_of.outcome = "text"
    return paper


def _draw(sandbox: Any, content: bytes) -> tuple[str, float]:
    """What becomes of this reading, and how long it takes: of the document's attempt, so that another try is another."""
    world = sandbox.world
    seed = f"{world.seed}/{sandbox.reads}/{sandbox.reads_attempt}"
    rng = random.Random(zlib.crc32(seed.encode()))
    if content.startswith(COSTLY):
        return "costly", LIMITS.wall_seconds
    if world.quiet:
        return "ok", rng.uniform(0.2, 5)
    act = rng.choices(list(world.swarm.readings), list(world.swarm.readings.values()))[0]
    return act, rng.uniform(5, LIMITS.wall_seconds) if act == "slow" else rng.uniform(0.2, 5)


def _read(sandbox: Any, act: str, content: bytes, filename: str) -> Paper:
    if act == "costly":
        raise Unreadable(TOO_COSTLY.format("time"), AGAIN)
    if act == "broken":
        raise ReaderBroken("The reading process ended with status 1.")
    if act == "out_of_memory":
        sandbox.faulted = True
        sandbox.kill("out of memory")
        raise Killed
    if content.startswith(PICTURES):
        raise NeedsOcr("pictures")
    return reader.read(content, filename)
