"""How much work one document may be, counted and not timed; a unit is 0.02 to 0.1 microseconds on one core. Pure."""

from sheaf.errors import Permanent

WORK_MAX = 1_000_000_000  # 60 KB are 8 million, 300 pages 150 million, all a minute or two (docs/evidence.md)


class Budget:
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
