"""A journal article in JATS or NLM XML: one page a top-level section, after one page of front matter."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from xml.etree.ElementTree import Element

from clinical.papers import Page, Paper, Section, sections
from clinical.papers.advice import NO_ARTICLE
from clinical.papers.jats import front_matter, safe_xml
from clinical.papers.jats.blocks import TAGS, blocks, joined
from clinical.papers.limits import Limits
from sheaf.apart.reader_errors import Unreadable

ONE = "Upload one article a file."
FRONT = "Title, authors and abstract"
TYPES, NOTES = TAGS["section_types"], TAGS["back"]
STATEMENTS = frozenset(("funding", "conflicts"))  # what may stand within another section
Part = tuple[str, str, str]  # title, kind and text of what becomes a page


def read(content: bytes, limits: Limits) -> Paper:
    """Raises Unreadable."""
    root = safe_xml.parse(content)
    # PubMed Central wraps articles in a set. Of several none is the paper.
    articles = [root] if root.tag == "article" else list(root.iter("article"))
    if not articles:
        raise Unreadable(*NO_ARTICLE)
    if len(articles) > 1:
        raise Unreadable(f"This XML holds {len(articles):,} articles.", ONE)
    article = articles[0]
    # Of some articles the publisher gives out title and abstract alone; what is read in those is not the paper's finding.
    body = article.find("body")
    has_text = body is not None and any(text.strip() for text in body.itertext())
    details = front_matter.details(article) | ({} if has_text else {"truncated": True})
    first, marks = front_matter.page(article)
    parts = [(FRONT, "", first), *(part for part in _parts(article) if part[2].strip())]
    size = sum(len(text) for *_, text in parts)
    if not size:
        raise Unreadable("There is no text in this article.", "Upload the article as PDF.")
    if size > limits.text_bytes or len(parts) > limits.pages:
        raise Unreadable("This XML holds more text than any paper does.", ONE)
    pages = tuple(Page(at, text, title[: limits.title_characters]) for at, (title, _, text) in enumerate(parts, 1))
    found = [Section(title, kind, 1, at) for title, kind, at in marks]
    found += [Section(title, kind, number, 0) for number, (title, kind, _) in enumerate(parts, 1) if kind]
    return Paper("jats", pages, sections.shortly(_with_statements(found, pages), limits), details)


prepare = safe_xml.prepare


def _with_statements(marked: list[Section], pages: Sequence[Page]) -> list[Section]:
    found = {(each.page, each.start): each for each in marked}
    for each in sections.find(pages):
        known = found.get((each.page, each.start))
        if each.kind in STATEMENTS and (known is None or known.kind == "other"):
            found[each.page, each.start] = each
    return [found[place] for place in sorted(found)]


def _parts(article: Element) -> Iterator[Part]:
    for body in article.findall("body")[:1]:
        for is_section, children in groupby(body, lambda child: child.tag == "sec"):
            if is_section:
                yield from map(_section, children)
            else:
                # What stands before, between or instead of them.
                yield "Text", "other", "\n\n".join(block for child in children for block in blocks(child))
    for floats in article.findall("floats-group")[:1]:
        yield "Figures and tables", "other", "\n\n".join(blocks(floats))
    for back in article.findall("back")[:1]:
        yield from _back(back)


def _section(element: Element, otherwise: str = "Section") -> Part:
    title = joined(element, "label", "title")
    kind = sections.kind_of(title)
    if kind == "other":
        declared = (element.get("sec-type") or element.get("fn-type") or "").lower()
        kind = next((TYPES[word] for word in declared.split("|") if word in TYPES), "other")
    return title or otherwise, kind, "\n\n".join(blocks(element))


def _back(back: Element) -> Iterator[Part]:
    lists: list[Element] = []
    for child in back:
        if child.tag == "ref-list":
            lists.append(child)
        elif child.tag == "sec":
            yield _section(child)
        elif child.tag == "app-group":
            yield from (_section(app, "Appendix") for app in child)
        else:
            yield _section(child, NOTES.get(child.tag, "Notes"))
    references = "\n".join(line for each in lists for line in front_matter.references(each))
    yield "References", "references", references
