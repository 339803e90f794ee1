"""Tables with spans of every size at every place: each cell stands where its article's author put it, and nowhere else."""

from itertools import product
from xml.etree.ElementTree import fromstring

import pytest

from clinical.papers.jats.blocks import inline, rows

HIGH, WIDE = 4, 4
SPANS = [
    (top, left, high, wide)
    for top, left, high, wide in product(range(HIGH), range(WIDE), range(1, HIGH + 1), range(1, WIDE + 1))
    if top + high <= HIGH and left + wide <= WIDE
]


def drawn(top: int, left: int, high: int, wide: int, cell: str) -> str:
    """A table of numbered cells in which one covers its neighbours to the right and below."""
    lines = []
    for row in range(HIGH):
        cells = []
        for column in range(WIDE):
            if (row, column) == (top, left):
                cells.append(cell.format(high=high, wide=wide, more=high - 1, last=left + wide - 1, first=left))
            elif not (top <= row < top + high and left <= column < left + wide):
                cells.append(f"<{cell[1:6].split(maxsplit=1)[0]}>{row}{column}</{cell[1:6].split(maxsplit=1)[0]}>")
        lines.append(f"<tr>{''.join(cells)}</tr>")
    columns = "".join(f"<colspec colname='c{column}'/>" for column in range(WIDE))
    return f"<table>{columns}{''.join(lines)}</table>"


@pytest.mark.parametrize(
    "cell",
    [
        "<td rowspan='{high}' colspan='{wide}'>x</td>",
        "<th rowspan='{high}' colspan='{wide}'>x</th>",
        "<entry morerows='{more}' namest='c{first}' nameend='c{last}'>x</entry>",
    ],
    ids=["td", "th", "entry"],
)
@pytest.mark.parametrize(("top", "left", "high", "wide"), SPANS)
def test_a_cell_is_told_in_the_rows_that_it_spans_and_in_no_other(top, left, high, wide, cell):
    """What spans rows is in each of them; what spans columns stands once, and the columns beside it stay empty."""
    expected = [[f"{row}{column}" for column in range(WIDE)] for row in range(HIGH)]
    for row, column in product(range(top, top + high), range(left, left + wide)):
        expected[row][column] = "x" if column == left else ""
    assert list(rows(fromstring(drawn(top, left, high, wide, cell)), inline)) == expected
