"""A table's rows as cells that stand under their columns, with spans filled in, within bounds."""

from collections.abc import Callable, Iterator
from xml.etree.ElementTree import Element

SPAN_MAX = 100
CELLS_MAX = 200_000


def rows(table: Element, text: Callable[[Element], str]) -> Iterator[list[str]]:
    """Each row's cells. What spans rows is told in each; what spans columns once, and the columns beside stay empty."""
    hanging: dict[int, tuple[int, str]] = {}
    left = CELLS_MAX
    columns = _columns(table)
    for row in table.iter():
        if row.tag not in {"tr", "row"}:
            continue
        cells: list[str] = []
        for cell in row:
            if cell.tag in {"td", "th", "entry"}:
                _fill(cells, hanging)
                _add(cells, hanging, _size(cell, columns), text(cell))
        _fill(cells, hanging)
        left -= len(cells)
        if left < 0:
            return
        yield cells


def _fill(cells: list[str], hanging: dict[int, tuple[int, str]]) -> None:
    while len(cells) in hanging:
        at = len(cells)
        more, text = hanging.pop(at)
        cells.append(text)
        if more > 1:
            hanging[at] = (more - 1, text)
            if len(cells) > SPAN_MAX * SPAN_MAX:
                return


def _add(cells: list[str], hanging: dict[int, tuple[int, str]], size: tuple[int, int], text: str) -> None:
    wide, high = size
    for place in range(wide):
        if high > 1:
            hanging[len(cells)] = (high - 1, "" if place else text)
        cells.append("" if place else text)


def _columns(table: Element) -> dict[str, int]:
    found: dict[str, int] = {}
    for number, each in enumerate(table.iter("colspec")):
        found.setdefault(each.get("colname", ""), number)
    return found


def _size(cell: Element, columns: dict[str, int]) -> tuple[int, int]:
    if cell.tag != "entry":
        return _number(cell, "colspan", 1), _number(cell, "rowspan", 1)
    first, last = columns.get(cell.get("namest", "")), columns.get(cell.get("nameend", ""))
    wide = last - first + 1 if first is not None and last is not None else 1
    return min(max(wide, 1), SPAN_MAX), 1 + _number(cell, "morerows", 0)


def _number(cell: Element, name: str, least: int) -> int:
    given = cell.get(name, "").strip()
    return min(max(int(given), least), SPAN_MAX) if given.isascii() and given.isdigit() and len(given) < 10 else least  # noqa: PLR2004
