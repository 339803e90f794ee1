"""How much work one document may be, counted and not timed; a unit is 0.02 to 0.1 microseconds on one core. Pure."""

from sheaf.errors import Permanent

WORK_MAX = 1_000_000_000
"""A paper of 60 KB is 8 million, a report of 300 pages 150 million; all of it takes a minute or two, whatever the text says. Told in docs/evidence.md."""


class Budget:
    """What one document may still take."""

    def __init__(self, most: float = WORK_MAX) -> None:
        self.left = most

    def spend(self, work: float) -> None:
        """Raises Permanent when there is no more."""
        self.left -= work
        if self.left < 0:
            raise Permanent(
                "Reading this document takes more work than any paper does. It is far longer than one, or made to be slow.",
                "too_much_work",
            )
