"""PDFs made by code, small and of our own words."""

from collections.abc import Sequence
from textwrap import wrap

HEADER = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"
CATALOG, PAGES, FONT = 1, 2, 3
FIRST_PAGE = 4
WHITE = "\x00white"  # as a line: what follows it on the page is white
FONT_OBJECT = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>"
WORDS = (
    "We enrolled ninety adults at two hospitals and followed each of them for twelve weeks after surgery. "
    "Allocation was concealed in sealed envelopes and outcome assessors did not know the group of any patient. "
)


def paper(*pages: str, title: str = "", extra: bytes = b"", objects: Sequence[bytes] = ()) -> bytes:
    """A PDF of these pages; `extra` goes into its trailer and `objects` behind its own."""
    found: list[bytes] = [b"", b"", FONT_OBJECT]
    kids = []
    for text in pages:
        kids.append(f"{len(found) + 1} 0 R")
        found.append(
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F 3 0 R>>>>/Contents %d 0 R>>"
            % (len(found) + 2)
        )
        found.append(stream(content(text)))
    found[0] = b"<</Type/Catalog/Pages 2 0 R>>"
    found[1] = b"<</Type/Pages/Count %d/Kids[%s]>>" % (len(pages), " ".join(kids).encode())
    found += objects
    if title:
        found.append(b"<</Title(" + title.encode("latin-1") + b")>>")
        extra += b"/Info %d 0 R" % len(found)
    return written(found, extra)


def stream(content: bytes, more: bytes = b"") -> bytes:
    return b"<</Length %d%s>>stream\n%s\nendstream" % (len(content), more, content)


def written(objects: Sequence[bytes], extra: bytes = b"", version: bytes = HEADER) -> bytes:
    """A file of these objects, numbered from 1; the first is its catalog."""
    parts, offsets, at = [version], [], len(version)
    for number, each in enumerate(objects, 1):
        offsets.append(at)
        parts.append(b"%d 0 obj\n%s\nendobj\n" % (number, each))
        at += len(parts[-1])
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    size = len(objects) + 1
    parts.append(b"xref\n0 %d\n0000000000 65535 f \n%s" % (size, table))
    parts.append(b"trailer\n<</Size %d/Root 1 0 R%s>>\nstartxref\n%d\n%%%%EOF\n" % (size, extra, at))
    return b"".join(parts)


def body(about: str = "", sentences: int = 12) -> str:
    """A page of running text that begins with `about`."""
    return "\n".join([*([about] if about else []), *wrap(WORDS * (sentences // 2), 90)])


def content(text: str) -> bytes:
    """What draws these lines on a page."""
    lines = text.encode("cp1252").replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)").split(b"\n")
    shown = b"\n".join(b"1 1 1 rg" if line == WHITE.encode() else b"(" + line + b") Tj T*" for line in lines)
    return b"BT /F 10 Tf 12 TL 60 740 Td\n" + shown + b"\nET"


def without_characters(text: str) -> bytes:
    """A page whose font has its glyphs in a TrueType font's usual order, and no table of what they mean."""
    font = b"<</Type/Font/Subtype/Type0/BaseFont/ABCDEF+X/Encoding/Identity-H/DescendantFonts[6 0 R]>>"
    glyphs = b"<</Type/Font/Subtype/CIDFontType2/BaseFont/ABCDEF+X/FontDescriptor 7 0 R%s>>"
    system = b"/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>"
    lines = ("".join(f"{ord(char) - 29:04x}" for char in line) for line in text.split("\n"))
    shown = "\n".join(f"<{line}> Tj T*" for line in lines).encode()
    return written(
        [
            b"<</Type/Catalog/Pages 2 0 R>>",
            b"<</Type/Pages/Count 1/Kids[4 0 R]>>",
            font,
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F 3 0 R>>>>/Contents 5 0 R>>",
            stream(b"BT /F 10 Tf 12 TL 60 740 Td\n" + shown + b"\nET"),
            glyphs % system,
            b"<</Type/FontDescriptor/FontName/ABCDEF+X/Flags 4>>",
        ]
    )
