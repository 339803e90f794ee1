"""Small papers made of sentences, for the rules."""

from clinical import rules
from clinical.papers import Page, Paper, Section, sections

PADDING = "The room was warm and the tea was good. " * 6


def paper(*, front="", abstract="", methods="", results="", discussion="", references="", details=None):
    """A paper as its XML gives it: the front page with its abstract, then a page for each section."""
    first = f"{front}\n\nAbstract\n{abstract}"
    pages = [Page(1, first)]
    starts = [Section("Abstract", "abstract", 1, first.index("Abstract\n"))]
    told = {"methods": methods, "results": results, "discussion": discussion, "references": references}
    for kind, text in told.items():
        pages.append(Page(len(pages) + 1, f"{kind.capitalize()}\n{PADDING}\n{text}", kind.capitalize()))
        starts.append(Section(kind.capitalize(), kind, len(pages), 0))
    return Paper("jats", tuple(pages), tuple(starts), details or {})


def one(name, **parts):
    """What the rule of this name says of such a paper."""
    return rules.answer(paper(**parts), [name])[name]


def plain(text):
    """A plain text, with a form feed between its pages."""
    pages = tuple(Page(number, page) for number, page in enumerate(text.split("\f"), 1))
    return Paper("text", pages, sections.find(pages))
