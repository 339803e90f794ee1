"""The file of a clean workbook: each piece can be read by itself, and all of it as one gzip file."""

import gzip
import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from sheets import table_file
from sheets.tables import Table, table

CELL = st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False)
CELLS = CELL | st.text(st.characters(exclude_categories=["Cs"]), max_size=4)


@st.composite
def workbooks(draw):
    made = []
    for name in draw(st.lists(st.text("ab表\n", max_size=2), min_size=1, max_size=3)):
        width = draw(st.integers(1, 3))
        pattern = draw(st.lists(st.lists(CELLS, min_size=width, max_size=width), max_size=4))
        rows = pattern * draw(st.sampled_from([1, 1, 1700]))
        made.append(table(name, [f"c{n}" for n in range(width)], [[] for _ in range(width)])._replace(rows=rows))
    return made


@given(workbooks(), st.data())
def test_rows_are_read_as_they_were_written_whichever_are_asked_for(made, data):
    """The bytes of a span alone are enough for its rows."""
    file = table_file.write(made)
    assert [*table_file.tables(file.content, file.head)] == made
    about = table_file.sheets(file.content[: file.head])
    number = data.draw(st.integers(0, len(made) - 1))
    rows = made[number].rows
    first, count = data.draw(st.integers(0, len(rows) + 5)), data.draw(st.integers(0, len(rows) + 5))
    span = table_file.span(file.head, about, number, first, count)
    assert 0 <= span.start <= span.end <= len(file.content)
    assert span.rows(file.content[span.start : span.end]) == rows[first : first + count]


def test_it_is_one_gzip_file_of_json_lines_to_what_knows_nothing_of_its_pieces():
    rows: list[list[Any]] = [["a\u2028b", 1.5], ["\ud800", None], ["x\ny", True]]
    file = table_file.write([table("S", ["t", "n"], [[], []])._replace(rows=rows), Table("bad", [], [], problem="No.")])
    lines = [json.loads(line) for line in gzip.decompress(file.content).split(b"\n")[:-1]]
    assert [each["problem"] for each in lines[0]["sheets"]] == [None, "No."]
    assert lines[1:] == [rows[0], ["?", None], rows[2]]


def test_a_page_of_rows_is_a_small_part_of_a_large_table():
    """Mutation caught: pieces of all rows."""
    made = table("S", ["n"] * 20, [[float(row) for row in range(20_000)]] * 20)
    file = table_file.write([made])
    span = table_file.span(file.head, table_file.sheets(file.content), 0, 10_000, 100)
    assert span.end - span.start < len(file.content) / 50
