"""Values that can be read from a paper's text by rule alone, each with the sentence that it stands in. Pure.

Every rule answers only where it is sure: `not_reported` when there is no sign of the thing, `unclear` when there are
several signs that contradict each other. Reference lists are not the paper speaking of itself and are cut off first.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any

Value = dict[str, Any]

REFERENCES = re.compile(
    r"^[^\S\n]*(?:\d+\.?[^\S\n]+)?(references|bibliography|literature cited|参考文献)[^\S\n]*:?[^\S\n]*$", re.I | re.M
)
REGISTRATION = re.compile(
    r"\b(?:NCT[^\S\f]?\d{8}|ISRCTN[^\S\f]?\d{8}|ACTRN[^\S\f]?\d{14}|ChiCTR[-A-Za-z]{0,12}\d{8,10}|UMIN[^\S\f]?\d{9}|DRKS[^\S\f]?\d{8}"
    r"|CTRI/\d{4}/\d{2,3}/\d{6}|IRCT[0-9A-Z]{10,20}|PACTR\d{15,16}|jRCTs?\d{9,10}|KCT\d{7}|NL-?OMON\d{4,6}"
    r"|NTR[^\S\f]?\d{3,5}|\d{4}-\d{6}-\d{2})\b"
)
DOI = re.compile(r"\b10\.\d{4,9}/[^\s\"'<>{}|\\^`\[\]]{1,200}(?![^\s\"'<>{}|\\^`\[\]])")
YEAR = re.compile(r"\b(?:19[5-9]\d|20[0-4]\d)\b")
DATED = re.compile(
    r"(?:©|\(c\)|copyright|published(?: online)?|accepted|e-?pub(?:lication date)?)[^\n\f]{0,60}?\b((?:19[5-9]|20[0-4])\d)\b",
    re.I,
)
END_OF_SENTENCE = re.compile(r"(?<=[.!?。!?])\s+(?=[A-Z0-9(\"“‘\u4e00-\u9fff])|\n\s*\n")
PUBLISHED = re.compile(r"published|©|\(c\)|copyright", re.I)
HEAD = 3_000
"""Characters in which a paper says who published it, and when."""
QUOTE_MAX = 400


def extract(text: str, fields: list[str]) -> dict[str, Value]:
    """The fields asked for that there is a rule for; the others are left out."""
    body = _without_references(text)
    return {name: RULES[name](body) for name in fields if name in RULES}


def registration_ids(text: str) -> Value:
    """Every trial register's id that the paper names outside its reference list."""
    found = [match for match in REGISTRATION.finditer(text) if _is_registration(text, match)]
    if not found:
        return _absent()
    ids = list(dict.fromkeys(re.sub(r"\s", "", match.group()) for match in found))
    return _value(ids, text, found[0])


def doi(text: str) -> Value:
    """The paper's own DOI: the only one, or the first when it stands at the head."""
    found = list(DOI.finditer(text))
    if not found:
        return _absent()
    names = list(dict.fromkeys(_trim(match.group()).lower() for match in found))
    if len(names) > 1 and found[0].start() > len(text) // 4:
        return _absent("unclear")
    return _value(_trim(found[0].group()), text, found[0])


def year(text: str) -> Value:
    """The year of publication, where a line at the paper's head or foot says so; a year that merely occurs is none."""
    found = list(DATED.finditer(text[:HEAD])) or list(DATED.finditer(text))
    if not found:
        return _absent()
    published = [match for match in found if PUBLISHED.match(match.group())] or found
    if len({match.group(1) for match in published}) > 1:
        return _absent("unclear")
    return _value(int(published[0].group(1)), text, published[0])


RULES: dict[str, Callable[[str], Value]] = {"registration_ids": registration_ids, "doi": doi, "year": year}


def pages(text: str) -> Iterator[tuple[int, int]]:
    """Where each page starts and ends; a plain text has one page, or as many as its form feeds make."""
    start = 0
    for page in text.split("\f"):
        yield start, start + len(page)
        start += len(page) + 1


def _is_registration(text: str, match: re.Match[str]) -> bool:
    """A bare EudraCT number looks like a date range or a telephone number: it needs its register's name near by."""
    if not match.group()[0].isdigit():
        return True
    return (
        re.search(
            r"eudra\s?ct|clinical ?trials?(?: register|\.eu)", text[max(0, match.start() - 80) : match.end()], re.I
        )
        is not None
    )


def _without_references(text: str) -> str:
    headings = [match.start() for match in REFERENCES.finditer(text) if match.start() > len(text) // 3]
    return text[: headings[-1]] if headings else text


def _trim(name: str) -> str:
    name = name.rstrip(".,;:")
    return name[:-1] if name.endswith(")") and name.count("(") < name.count(")") else name


def _absent(status: str = "not_reported") -> Value:
    return {"value": None, "status": status, "quote": None, "page": None, "start": None, "end": None, "match": None}


def _value(value: Any, text: str, match: re.Match[str]) -> Value:
    """A value with its sentence, cut from the text as it stands, and where that is."""
    number, page_start, page_end = next(
        (number, start, end) for number, (start, end) in enumerate(pages(text), 1) if start <= match.start() <= end
    )
    start, end = _sentence(text, match, page_start, page_end)
    return {
        "value": value,
        "status": "reported",
        "quote": text[start:end],
        "page": number,
        "start": start - page_start,
        "end": end - page_start,
        "match": "exact",
    }


def _sentence(text: str, match: re.Match[str], first: int, last: int) -> tuple[int, int]:
    """The sentence around a match, within its page and no longer than a quote may be."""
    start, end = first, last
    for stop in END_OF_SENTENCE.finditer(text, first, last):
        if stop.end() <= match.start():
            start = stop.end()
        elif stop.start() >= match.end():
            end = stop.start()
            break
    start = max(start, match.start() - QUOTE_MAX // 2)
    end = min(end, match.end() + QUOTE_MAX // 2)
    while start < match.start() and text[start].isspace():
        start += 1
    return start, max(match.end(), start + len(text[start:end].rstrip()))
