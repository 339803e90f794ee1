"""How much one workbook may be, and cost to read."""

from typing import NamedTuple

MB = 1_000_000


class Limits(NamedTuple):
    """`rows`, `columns` and `cells` are the deployment's; the others guard the process that reads."""

    rows: int = 200_000
    columns: int = 2_000
    cells: int = 2_000_000  # of all sheets of a workbook together
    memory_bytes: int = 1_400 * MB
    cpu_seconds: int = 60
    wall_seconds: float = 120
    text_bytes: int = 100 * MB
    unpacked_bytes: int = 400 * MB
    """Of all files in an archive, as its directory says; who lies about it meets the limit of memory."""


LIMITS = Limits()
