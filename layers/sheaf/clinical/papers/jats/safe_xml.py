"""XML from strangers as a tree: no entity of its own is declared, nothing outside is fetched, nothing is too deep.

Encodings that the parser does not know become UTF-8 before; HTML's named characters are known without their DTD.
"""

import codecs
import re
from contextlib import suppress
from html.entities import html5
from typing import Any
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from clinical.papers.cleaning import clean
from clinical.papers.file_types import MARKS, XML_HEAD
from clinical.papers.jats.blocks import TAGS
from sheaf.apart.reader_errors import Unreadable

DEPTH_MAX, ELEMENTS_MAX = 120, 500_000
HOSTILE = "Nothing is wrong with XML from a publisher or from PubMed Central: download it there."
DAMAGED = "Download it again from the publisher or from PubMed Central."
DECLARED = re.compile(rb"""\A\s*<\?xml[^>]{1,200}?\sencoding\s{0,9}=\s{0,9}["']([\w.-]{1,40})["']""")
SEVERAL_BYTES: dict[str, str] = TAGS["several_bytes"]
"""Encodings with characters of several bytes, by their names in declarations: what reads them, and all that they grew into."""
UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
NOTATION = 6  # where expat says, of an entity, of what kind the file is that it stands for; nothing of all others


def parse(content: bytes) -> Element:
    """The root element. Raises Unreadable."""
    name = _several_bytes(content)
    try:
        # What the parser does not know is made UTF-8, whatever the file declares.
        return _Reader("utf-8").read(content.decode(name).encode()) if name else _Reader(None).read(content)
    except expat.ExpatError as error:
        raise Unreadable(f"This XML is damaged at line {error.lineno}.", DAMAGED) from error
    except (LookupError, ValueError, AssertionError) as error:
        raise Unreadable("This XML is damaged: its characters or its end cannot be made out.", DAMAGED) from error


def prepare(content: bytes) -> None:
    declared = DECLARED.match(content[:XML_HEAD].removeprefix(codecs.BOM_UTF8))
    for name in (_several_bytes(content), declared[1].decode() if declared else ""):
        with suppress(LookupError):
            codecs.lookup(name)


def _several_bytes(content: bytes) -> str:
    if content.startswith(UTF16):
        return "utf-16"
    declared = DECLARED.match(content)
    return MARKS.get(content[:2]) or SEVERAL_BYTES.get(declared[1].decode().lower() if declared else "", "")


class _Reader:
    """Feeds a tree builder and counts; with `encoding`, whatever the file declares."""

    def __init__(self, encoding: str | None) -> None:
        self.builder = TreeBuilder()
        self.depth = self.elements = 0
        self.parser = expat.ParserCreate(encoding)
        self.parser.buffer_text = True
        # The parser asks for nothing outside unless it is told to; these refuse what is declared inside.
        self.parser.EntityDeclHandler = _refuse_entity
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._data
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

    def _data(self, text: str) -> None:
        self.builder.data(clean(text))

    def _named(self, name: str, is_parameter: Any) -> None:
        if not is_parameter:
            self._data(html5.get(f"{name};", " "))


def _plain(name: str) -> str:
    prefix, _, rest = name.rpartition(":")
    return name if prefix in {"", "mml"} else rest


def _refuse_entity(*parts: Any) -> None:
    if parts[NOTATION]:
        # The name of a picture's file, as older publishers have it: it can stand in an attribute and nowhere else.
        return
    raise Unreadable("This XML declares entities of its own, which is how files are made that never end.", HOSTILE)
