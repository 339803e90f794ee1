"""A table's rows as cells that stand under their columns, with spans filled in, within bounds."""

from collections.abc import Callable, Iterator
from xml.etree.ElementTree import Element

SPAN_MAX = 100
CELLS_MAX = 200_000


def rows(table: Element, text: Callable[[Element], str]) -> Iterator[list[str]]:
    """Each row's cells. What spans rows is told in each; what spans columns once, and the columns beside stay empty."""
    hanging: dict[int, tuple[int, str]] = {}
    left = CELLS_MAX
    for row in table.iter("tr"):
        cells: list[str] = []
        for cell in row:
            if cell.tag in {"td", "th"}:
                _fill(cells, hanging)
                _add(cells, hanging, cell, text(cell))
        _fill(cells, hanging)
        left -= len(cells)
        if left < 0:
            return
        yield cells


def _fill(cells: list[str], hanging: dict[int, tuple[int, str]]) -> None:
    """Cells from rows above that hang down to here."""
    while len(cells) in hanging:
        at = len(cells)
        more, told = hanging.pop(at)
        cells.append(told)
        if more > 1:
            hanging[at] = (more - 1, told)
            if len(cells) > SPAN_MAX * SPAN_MAX:
                return


def _add(cells: list[str], hanging: dict[int, tuple[int, str]], cell: Element, told: str) -> None:
    wide, high = _span(cell, "colspan"), _span(cell, "rowspan")
    for place in range(wide):
        if high > 1:
            hanging[len(cells)] = (high - 1, "" if place else told)
        cells.append("" if place else told)


def _span(cell: Element, name: str) -> int:
    given = cell.get(name, "1").strip()
    return min(max(int(given), 1), SPAN_MAX) if given.isascii() and given.isdigit() and len(given) < 10 else 1  # noqa: PLR2004
