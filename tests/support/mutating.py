"""PDFs damaged at random, by number: the same number is the same damage everywhere.

    python -m tests.support.mutating 0 50

reads damaged files in one process, as no product code does, and prints a line a file, so that what one file leaves
behind for the next shows, and a crash shows at which file it was.
"""

import random
import sys

from clinical.papers import reader
from clinical.papers.limits import Limits
from sheaf.apart.child import bound
from sheaf.apart.reader_errors import NeedsOcr, Unreadable
from tests.support.pdfs import body, paper
from tests.support.stack_file import ROOT

LIMITS = Limits(cpu_seconds=30)
CANARIES = ("HEIDELBERGENSIS", "ZWINGLIANISCH")
CLEAN = paper(*(body(f"{CANARIES[0]} page {number}") for number in range(3)), title="A clean paper that stays as it is")
OTHER = paper(
    *(body(f"{CANARIES[1]} page {number}") for number in range(4)), title="The paper that is damaged each time"
)
TOKENS = (
    b"0",
    b"-1",
    b"99999999999",
    b"<<",
    b">>",
    b"[",
    b"]",
    b"(",
    b"endobj",
    b"null",
    b"/Kids",
    b"/Length 0",
    b"obj",
)
REAL = "istop-ade-2015.pdf"
EVERY = 5
"""One in so many is a real paper, damaged; the others are small."""


def mutant(number: int) -> bytes:
    """A damaged PDF."""
    chance = random.Random(number)
    content = bytearray(OTHER if number % EVERY else (ROOT / "samples" / REAL).read_bytes())
    for _ in range(chance.choice((1, 3, 10, 60))):
        chance.choice(DAMAGES)(content, chance)
    return bytes(content)


def _flip(content: bytearray, chance: random.Random) -> None:
    content[chance.randrange(len(content))] = chance.randrange(256)


def _drop(content: bytearray, chance: random.Random) -> None:
    start = chance.randrange(len(content) - 1)
    del content[start : start + chance.choice((1, 4, 50))]


def _repeat(content: bytearray, chance: random.Random) -> None:
    start = chance.randrange(len(content))
    content[start:start] = content[start : start + chance.choice((1, 20, 400))] * chance.choice((1, 5))


def _token(content: bytearray, chance: random.Random) -> None:
    start = chance.randrange(len(content))
    content[start : start + chance.choice((0, 4))] = chance.choice(TOKENS)


def _number(content: bytearray, chance: random.Random) -> None:
    digits = [at for at in range(len(content)) if 48 <= content[at] < 58] if len(content) < 50_000 else []
    if digits:
        content[chance.choice(digits)] = 48 + chance.randrange(10)


DAMAGES = (_flip, _drop, _repeat, _token, _number)


def outcome(content: bytes) -> str:
    """What became of it, with its text where it was read."""
    try:
        paper_read = reader.read(content, "mutant.pdf", LIMITS)
    except Unreadable:
        return "unreadable"
    except NeedsOcr:
        return "needs_ocr"
    return "ready " + " ".join("".join(page.text for page in paper_read.pages).split())


def main() -> None:
    first, count = int(sys.argv[1]), int(sys.argv[2])
    bound(LIMITS)
    clean = outcome(CLEAN)
    for number in range(first, first + count):
        told = outcome(mutant(number))
        after = outcome(CLEAN)
        leaked = "leaked" if CANARIES[0] in told or CANARIES[1] in after or after != clean else "kept"
        sys.stdout.write(f"{number} {leaked} {told.split(' ')[0]}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
