"""The text of an article's XML: paragraphs as lines, a table's rows as rows of cells, captions beside what they name."""

import json
import re
from collections.abc import Callable, Container, Iterator
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

TAGS: dict[str, Any] = json.loads(Path(__file__).with_name("tags.json").read_text("utf-8"))
LEFT_OUT, BLOCKS, SPACED = (frozenset(TAGS[name].split()) for name in ("left_out", "blocks", "spaced"))
DECLARED, MATH = TAGS["declared"], TAGS["math"]
SPAN_MAX, CELLS_MAX = 100, 200_000
CELL, NEAR = " | ", 200
IN_BRACKETS = re.compile(r"\[[^\]]*\Z|\([\d,;\s–-]*\Z")
CITED = re.compile(r"[\d,;\s–-]+")


def blocks(element: Element) -> Iterator[str]:
    if element.tag in SPECIAL:
        yield from SPECIAL[element.tag](element)
        return
    yield from filter(None, [joined(element, "label", "title")])
    yield from _run(element, ("label", "title", "sec-meta"))


def inline(element: Element | None, without: frozenset[str] = frozenset()) -> str:
    if element is None:
        return ""
    line: list[str] = []
    _collect(element, line, without)
    return _plain(line)


def joined(element: Element, *tags: str, by: str = " ") -> str:
    return by.join(filter(None, (inline(element.find(tag)) for tag in tags)))


def _run(element: Element, skipped: Container[str] = ()) -> Iterator[str]:
    line = [element.text or ""]
    for child in element:
        if child.tag in BLOCKS and child.tag not in skipped:
            yield from filter(None, [_plain(line)])
            line.clear()
            yield from blocks(child)
        elif child.tag not in skipped:
            holds_blocks = any(each.tag in BLOCKS for each in child)
            _one(child, line, frozenset() if holds_blocks else BLOCKS)
        line.append(child.tail or "")
    yield from filter(None, [_plain(line)])


def _plain(line: list[str]) -> str:
    return " ".join("".join(line).split())


def _collect(element: Element, line: list[str], without: frozenset[str]) -> None:
    line.append(element.text or "")
    for child in element:
        if child.tag not in without:
            _one(child, line, without)
        line.append(child.tail or "")


def _one(child: Element, line: list[str], without: frozenset[str]) -> None:
    match child.tag:
        case "break" | "hr":
            line.append(" ")
        case "alternatives":
            for first in [each for each in child if each.tag not in LEFT_OUT][:1]:
                _one(first, line, without)
        case "sup" | "xref" | "mml:msup" | "mml:mfrac" | "msup" | "mfrac":
            line.append(_raised(child, "".join(line[-8:])[-NEAR:], without))
        case tag if tag not in LEFT_OUT:
            _collect(child, line, without)
            # Bold words may run into the sentence behind them: "Open AccessThis article".
            runs_on = tag == "bold" and "".join(child.itertext())[-1:].islower() and (child.tail or "")[:1].isupper()
            line.append(" " if tag in SPACED or runs_on else "")


def _raised(child: Element, before: str, without: frozenset[str]) -> str:
    """A power with its sign, and a citation in brackets, so that neither runs into the number before it."""
    if child.tag in MATH:
        return str(MATH[child.tag]).join(inline(part, without) for part in child)
    parts: list[str] = []
    _collect(child, parts, without)
    text = "".join(parts)
    if any(each.get("ref-type") == "bibr" for each in (child, *child)):
        bare = re.sub(r"[\[\]]", "", text)
        return text if not CITED.fullmatch(bare) or IN_BRACKETS.search(before) else f"[{bare.strip()}]"
    powers = child.tag == "sup" and before[-1:].isdigit() and re.match(r"[-–−+]?\d", text.strip())
    return f"^{text.strip()}" if powers else text


def _table(element: Element) -> Iterator[str]:
    lines = [joined(element, "label", "caption")]
    for table in element.iter("table"):
        lines += [CELL.join(cells) for cells in rows(table, inline)]
    for foot in element.findall("table-wrap-foot"):
        lines += [text for child in foot for text in blocks(child)] or [inline(foot)]
    yield "\n".join(line for line in lines if line.strip(" |"))


def _captioned(element: Element) -> Iterator[str]:
    yield from filter(None, [joined(element, "label", "caption")])
    for child in element:
        if child.tag in BLOCKS and child.tag != "caption":
            yield from blocks(child)


def _list(element: Element) -> Iterator[str]:
    items = element.findall("list-item")
    lines = (f"{joined(item, 'label') or '•'} {inline(item, frozenset(('label',)))}" for item in items)
    yield "\n".join([*filter(None, [joined(element, "title")]), *lines])


def _definitions(element: Element) -> Iterator[str]:
    items = ((inline(item.find("term")), inline(item.find("def"))) for item in element.iter("def-item"))
    yield "\n".join(f"{term}: {meaning}" for term, meaning in items if term or meaning)


def _footnote(element: Element) -> Iterator[str]:
    runs = list(_run(element, ("label",)))
    name = DECLARED.get((element.get("fn-type") or "").lower())
    if name and runs and not runs[0].lower().startswith(name.lower()):
        yield name
    yield from runs


def rows(table: Element, text: Callable[[Element], str]) -> Iterator[list[str]]:
    """Each row's cells. What spans rows is told in each; what spans columns once, and the columns beside stay empty."""
    hanging: dict[int, tuple[int, str]] = {}
    left = CELLS_MAX
    specs = [each.get("colname", "") for each in table.iter("colspec")]
    columns = {name: specs.index(name) for name in specs}
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


def _size(cell: Element, columns: dict[str, int]) -> tuple[int, int]:
    if cell.tag != "entry":
        return _number(cell, "colspan", 1), _number(cell, "rowspan", 1)
    first, last = columns.get(cell.get("namest", "")), columns.get(cell.get("nameend", ""))
    wide = last - first + 1 if first is not None and last is not None else 1
    return min(max(wide, 1), SPAN_MAX), 1 + _number(cell, "morerows", 0)


def _number(cell: Element, name: str, least: int) -> int:
    given = cell.get(name, "").strip()
    return min(max(int(given), least), SPAN_MAX) if given.isascii() and given.isdigit() and len(given) < 10 else least  # noqa: PLR2004


SPECIAL = {
    "p": _run, "fn": _footnote, "table-wrap": _table, "fig": _captioned, "supplementary-material": _captioned,
    "list": _list, "def-list": _definitions,
}  # fmt: skip
