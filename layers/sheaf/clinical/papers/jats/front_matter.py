"""What stands before an article's first section, as its publisher tells it: as data, and as the first page's lines."""

from collections.abc import Iterator
from itertools import islice
from typing import Any
from xml.etree.ElementTree import Element

from clinical.papers.jats.blocks import TAGS, blocks, inline, joined

MONTHS, PUBLISHED = TAGS["months"].split(), TAGS["published"].split()
PAGES = ("fpage", "lpage")
JOURNAL = (".//journal-title", ".//journal-id[@journal-id-type='nlm-ta']", ".//journal-id")
TITLE_MAX = 60
Mark = tuple[str, str, int]  # a section within the page: title, kind, where


def details(article: Element) -> dict[str, Any]:
    meta = _meta(article)
    number = _id(meta, "pmc") or _id(meta, "pmcid")
    years = [inline(date.find("year")) for date in meta.findall("pub-date") if date.get("pub-type") != "pmc-release"]
    numbers = [int(year) for year in years if year.isascii() and year.isdigit() and len(year) == 4]  # noqa: PLR2004
    found: dict[str, Any] = {
        "title": inline(meta.find(".//title-group/article-title"), frozenset(("xref", "fn"))),
        "doi": _id(meta, "doi"),
        "journal": next(filter(None, (inline(article.find(f"./front/journal-meta/{path}")) for path in JOURNAL)), ""),
        "year": min(numbers, default=None),
        "authors": [name for _, name in _authors(meta)],
        "surname": next((inline(each.find("surname")) for each, _ in _authors(meta)), ""),
        "pmid": _id(meta, "pmid"),
        "pmcid": f"PMC{number}" if number.isdigit() else number,
    }
    return {name: value for name, value in found.items() if value}


def page(article: Element) -> tuple[str, list[Mark]]:
    meta = _meta(article)
    known = details(article)
    head = filter(None, (*_head(article, meta, known), *_rights(meta)))
    parts: list[str] = ["\n\n".join(head)]
    marks: list[Mark] = []
    for kind, title, lines in (each for each in _sections(meta) if each[2]):
        marks.append((title or lines[0][:TITLE_MAX], kind, sum(len(part) + 2 for part in parts)))
        parts += [title, *lines] if title else lines
    return "\n\n".join(parts), marks


def references(listed: Element) -> Iterator[str]:
    for ref in listed.iter("ref"):
        label = inline(ref.find("label"))
        bodies = [child for child in ref if child.tag not in {"label", "x"}]
        text = " ".join(inline(body) if body.tag in {"mixed-citation", "note"} else _cited(body) for body in bodies)
        if text.strip():
            yield f"{label} {text}".strip()


def _cited(citation: Element) -> str:
    if citation.tag == "citation-alternatives":
        return _cited(citation[0]) if len(citation) else ""
    if (citation.text or "").strip() or any((child.tail or "").strip(" ,.;:\n\t") for child in citation):
        return inline(citation)
    people = (_name(each) for each in citation.iter() if each.tag in {"name", "collab", "string-name"})
    rest = joined(citation, "article-title", "chapter-title", "source", "year", "volume", by=". ")
    ids = [f"{each.get('pub-id-type', '')}:{inline(each)}" for each in citation.findall("pub-id")]
    return ". ".join(filter(None, (", ".join(filter(None, people)), rest, joined(citation, *PAGES, by="-"), *ids)))


def _meta(article: Element) -> Element:
    return [*article.findall("./front/article-meta"), *article.findall("./front-stub"), Element("article-meta")][0]


def _head(article: Element, meta: Element, known: dict[str, Any]) -> Iterator[str]:
    yield known.get("title", "")
    yield inline(meta.find(".//title-group/subtitle"))
    yield from map(inline, meta.iterfind(".//trans-title-group/trans-title"))
    volume, issue = joined(meta, "volume"), joined(meta, "issue")
    pages = joined(meta, *PAGES, by="-") or joined(meta, "elocation-id")
    place = f"{volume}{f'({issue})' if issue else ''}{f':{pages}' if pages else ''}"
    yield f"{known.get('journal', '')} {place}".strip()
    for name, key in (("DOI", "doi"), ("PMID", "pmid"), ("PMCID", "pmcid")):
        yield f"{name}: {known[key]}" if key in known else ""
    subjects = [inline(each) for each in meta.iterfind(".//article-categories/subj-group/subject")]
    yield f"Article type: {'; '.join(subjects)}" if subjects else ""
    yield ", ".join(known.get("authors", ()))
    yield "\n".join(filter(None, map(inline, meta.iter("aff"))))
    yield "\n".join(filter(None, map(inline, meta.iterfind("./author-notes/corresp"))))
    yield " ".join(_dates(meta))
    for each in meta.iter("related-object"):
        ids = (each.get(name) for name in ("source-id", "document-id", "object-id"))
        words = inline(each) or " ".join(filter(None, ids))
        yield f"Trial registration: {words}" if words else ""
    for each in article.iterfind("./front/notes"):
        yield "\n".join(blocks(each))


def _rights(meta: Element) -> Iterator[str]:
    permissions = meta.find("permissions")
    for tag in ("copyright-statement", "license"):
        yield inline((meta if permissions is None else permissions).find(tag))


def _sections(meta: Element) -> Iterator[tuple[str, str, list[str]]]:
    for abstract in [*meta.findall("abstract"), *meta.findall("trans-abstract")]:
        kind = "other" if abstract.get("abstract-type") else "abstract"
        yield kind, "" if abstract.find("title") is not None else "Abstract", list(blocks(abstract))
    words = [inline(each) for each in meta.iterfind(".//kwd")]
    yield "other", "", [f"Keywords: {'; '.join(words)}"] if words else []
    yield "funding", "Funding", list(_funding(meta))
    for note in [*meta.iterfind("./author-notes/*"), *meta.iterfind("./notes")]:
        if note.tag != "corresp":
            declared = (note.get("fn-type") or note.get("notes-type") or "").lower()
            yield TAGS["notes"].get(declared, "other"), "", list(blocks(note))


def _funding(meta: Element) -> Iterator[str]:
    for group in meta.iter("funding-group"):
        for award in group.iter("award-group"):
            yield "; ".join(filter(None, (inline(each) for each in award if each.tag != "principal-award-recipient")))
        yield from map(inline, group.iter("funding-statement"))
    yield from map(inline, [*meta.findall("contract-num"), *meta.findall("contract-sponsor")])


def _authors(meta: Element) -> Iterator[tuple[Element, str]]:
    for contributor in meta.iterfind(".//contrib-group/contrib"):
        if contributor.get("contrib-type", "author") == "author":
            named = (each for each in contributor.iter() if each.tag in {"name", "string-name", "collab"})
            yield from ((each, name) for each in islice(named, 1) if (name := _name(each)))


def _name(name: Element) -> str:
    joint = joined(name, "given-names", "surname", "suffix")
    return joint or inline(name, frozenset(("contrib-group", "xref", "address", "aff")))


def _dates(meta: Element) -> Iterator[str]:
    for date in meta.iterfind("./history/date"):
        name = date.get("date-type", "Dated")
        yield f"{TAGS['revised'].get(name, name).capitalize()}: {_date(date)}."
    dates = {date.get("pub-type") or date.get("date-type") or "pub": date for date in meta.findall("pub-date")}
    chosen = next((dates[kind] for kind in PUBLISHED if kind in dates), None)
    if chosen is not None:
        yield f"Published: {_date(chosen)}."


def _date(date: Element) -> str:
    month = joined(date, "month") or joined(date, "season")
    if month.isascii() and month.isdigit() and 1 <= int(month[:3]) <= len(MONTHS):
        month = MONTHS[int(month[:3]) - 1]
    return " ".join(filter(None, (joined(date, "day").lstrip("0"), month, joined(date, "year")))) or inline(date)


def _id(meta: Element, kind: str) -> str:
    return inline(meta.find(f"./article-id[@pub-id-type='{kind}']"))
