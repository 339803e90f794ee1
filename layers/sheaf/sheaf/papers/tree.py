"""XML from strangers as a tree: no entity of its own is declared, nothing outside is fetched, nothing is too deep.

A DOCTYPE with a DTD elsewhere is usual in articles and is not fetched; HTML's named characters, which those DTDs declare,
are known without it. Namespaces are left off the names, except that MathML's keep their `mml:`.
"""

from html.entities import html5
from typing import Any
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from sheaf.papers.errors import Unreadable

DEPTH_MAX = 120
ELEMENTS_MAX = 500_000
HOSTILE = "Nothing is wrong with XML from a publisher or from PubMed Central: download it there."
DAMAGED = "Download it again from the publisher or from PubMed Central."


def parse(content: bytes) -> Element:
    """The root element. Raises Unreadable."""
    reader = _Reader()
    try:
        return reader.read(content)
    except expat.ExpatError as error:
        raise Unreadable(f"This XML is damaged at line {error.lineno}.", DAMAGED) from error
    except (LookupError, ValueError, AssertionError) as error:
        raise Unreadable("This XML is damaged: its characters or its end cannot be made out.", DAMAGED) from error


class _Reader:
    """Feeds a tree builder and counts."""

    def __init__(self) -> None:
        self.builder = TreeBuilder()
        self.depth = self.elements = 0
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.ordered_attributes = False
        # The parser asks for nothing outside unless it is told to; these refuse what is declared inside.
        self.parser.EntityDeclHandler = _refuse_entity
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self.builder.data
        self.parser.SkippedEntityHandler = self._named

    def read(self, content: bytes) -> Element:
        self.parser.Parse(content, True)  # noqa: FBT003 - expat takes it by place only
        return self.builder.close()

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self.depth += 1
        self.elements += 1
        if self.depth > DEPTH_MAX:
            raise Unreadable("This XML is nested deeper than any article is.", HOSTILE)
        if self.elements > ELEMENTS_MAX:
            raise Unreadable("This XML has more parts than any article has.", HOSTILE)
        self.builder.start(_plain(name), attributes)

    def _end(self, name: str) -> None:
        self.depth -= 1
        self.builder.end(_plain(name))

    def _named(self, name: str, is_parameter: Any) -> None:
        if not is_parameter:
            self.builder.data(html5.get(f"{name};", " "))


def _plain(name: str) -> str:
    prefix, _, rest = name.rpartition(":")
    return name if prefix in {"", "mml"} else rest


def _refuse_entity(*_: Any) -> None:
    raise Unreadable("This XML declares entities of its own, which is how files are made that never end.", HOSTILE)
