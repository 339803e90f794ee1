"""A table as CSV, wide or long, and as JSON Lines. Written row by row: no file is ever whole in memory."""

import csv
import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from io import TextIOWrapper
from typing import IO, Any

from clinical.answered import Value
from clinical.export_table.table import About, Line, Paper, cell, defused, lines, mark
from clinical.extract_paper import results
from clinical.review import review_heads
from clinical.review.review_shapes import DecisionView
from clinical.templates import Field
from sheaf import schemas
from sheaf.schemas import Schema

BOM_UTF8 = "utf-8-sig"  # by its first bytes a spreadsheet knows that the file is UTF-8
BESIDE = ("study", "document", "file", "status", "problem")


def wide(file: IO[bytes], papers: Iterable[Paper], fields: Sequence[Field], _about: About) -> None:
    with _text(file, BOM_UTF8) as text:
        out = csv.writer(text)
        columns = (f"{field.name}{part}" for field in fields for part in ("", "_state", "_checked"))
        out.writerow([*BESIDE, *columns])
        for paper in papers:
            cells = _beside(paper)
            for field in fields:
                value = paper.values.get(field.name)
                cells += [cell(field, value), value["state"] if value else None, mark(value)]
            out.writerow(map(_shown, cells))


def long(file: IO[bytes], papers: Iterable[Paper], fields: Sequence[Field], _about: About) -> None:
    with _text(file, BOM_UTF8) as text:
        out = csv.writer(text)
        out.writerow(Line._fields)
        for paper in papers:
            out.writerows(map(_shown, line) for line in lines(paper, fields))


def json_lines(file: IO[bytes], papers: Iterable[Paper], fields: Sequence[Field], _about: About) -> None:
    names = [field.name for field in fields]
    with _text(file, "utf-8") as text:
        for paper in papers:
            line = dict(zip(BESIDE, _beside(paper), strict=True))
            line["fields"] = {name: paper.values[name] for name in names if name in paper.values}
            line["decisions"] = [review_heads.decision(each) for each in paper.decisions]
            text.write(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n")


def line_schema(fields: Sequence[Field]) -> Schema:
    named: dict[str, Schema] = {}
    for shape in (Value, DecisionView):
        schemas.of(shape, named)
    text = {"type": ["string", "null"]}
    columns = {"type": "object", "properties": {field.name: results.column(field) for field in fields}}
    decisions = {"type": "array", "items": schemas.ref("Decision")}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "properties": {**dict.fromkeys(BESIDE, text), "fields": columns, "decisions": decisions},
        "required": [*BESIDE, "fields", "decisions"],
        "components": {"schemas": named},
    }


@contextmanager
def _text(file: IO[bytes], encoding: str) -> Iterator[IO[str]]:
    """The file as text; it stays open."""
    text = TextIOWrapper(file, encoding, errors="replace", newline="")
    yield text
    text.detach()


def _beside(paper: Paper) -> list[Any]:
    return [paper.study, paper.document, paper.filename, paper.status, paper.problem]


def _shown(value: Any) -> Any:
    return str(value).upper() if isinstance(value, bool) else defused(value)
