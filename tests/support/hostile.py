"""Files as no clinician makes them, made by code, each with the state that it has to end in."""

import gzip
import io
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from tests.support import pdfs
from tests.support.pdfs import paper, stream, written
from tests.support.stack_file import ROOT

MB = 1_000_000
READY, UNREADABLE, NEEDS_OCR = "ready", "unreadable", "needs_ocr"
ARTICLE = "<article><front><article-meta><title-group><article-title>A trial</article-title></title-group>"
ARTICLE += "</article-meta></front><body><sec><title>Methods</title><p>{}</p></sec></body></article>"


@dataclass(frozen=True)
class Case:
    """One file. It is made when it is asked for, because some are large."""

    name: str
    make: Callable[[], bytes]
    state: str
    filename: str = "paper.pdf"


def sample() -> bytes:
    return (ROOT / "samples" / "istop-ade-2015.pdf").read_bytes()


def flated(chunk: bytes, times: int) -> bytes:
    """A chunk many times over, compressed without ever being held."""
    packer = zlib.compressobj(9)
    return b"".join(packer.compress(chunk) for _ in range(times)) + packer.flush()


def bomb(content: bytes, filters: bytes = b"/FlateDecode") -> bytes:
    """One page whose content is this stream."""
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F 5 0 R>>>>/Contents 4 0 R>>"
    font = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"
    pages = b"<</Type/Pages/Count 1/Kids[3 0 R]>>"
    shown = stream(content, b"/Filter[" + filters + b"]")
    return written([b"<</Type/Catalog/Pages 2 0 R>>", pages, page, shown, font])


def encrypted() -> bytes:
    """A file that asks for a password which nobody has."""
    lock = b"<</Filter/Standard/V 1/R 2/O<%s>/U<%s>/P -44>>" % (b"11" * 32, b"22" * 32)
    ids = b"/ID[<00112233445566778899aabbccddeeff><00112233445566778899aabbccddeeff>]"
    return paper(pdfs.body(), extra=b"/Encrypt 6 0 R" + ids, objects=[lock])


def page_tree(depth: int) -> bytes:
    """A page below so many nodes, each with one child."""
    nodes = [b"<</Type/Pages/Count 1/Parent %d 0 R/Kids[%d 0 R]>>" % (at - 1, at + 1) for at in range(3, depth + 3)]
    page = b"<</Type/Page/Parent %d 0 R/MediaBox[0 0 612 792]>>" % (depth + 2)
    return written([b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Count 1/Kids[3 0 R]>>", *nodes, page])


def forms(levels: int = 9) -> bytes:
    """A billion laughs of drawings: each form draws the next one ten times."""
    first = 6
    kind = b"/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X %d 0 R>>/Font<</F 3 0 R>>>>"
    each = [stream(b"/X Do " * 10, kind % (first + at + 1)) for at in range(levels)]
    last = stream(b"BT /F 9 Tf (ha) Tj ET", kind % first)
    draws = b"/Resources<</XObject<</X %d 0 R>>/Font<</F 3 0 R>>>>/Contents %d 0 R>>"
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]" + draws % (first, first + levels + 1)
    pages = b"<</Type/Pages/Count 1/Kids[4 0 R]>>"
    font = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"
    return written([b"<</Type/Catalog/Pages 2 0 R>>", pages, font, page, b"null", *each, last, stream(b"/X Do " * 10)])


def own_parent() -> bytes:
    """A page tree that is its own child."""
    return written([b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Count 9/Kids[2 0 R 2 0 R]/Parent 2 0 R>>"])


def entities(levels: int = 12) -> bytes:
    """The billion laughs."""
    declared = '<!ENTITY e0 "ha">' + "".join(f'<!ENTITY e{at} "{f"&e{at - 1};" * 10}">' for at in range(1, levels))
    return f"<?xml version='1.0'?><!DOCTYPE article [{declared}]>{ARTICLE.format(f'&e{levels - 1};')}".encode()


def outside(where: str, kind: str = "general") -> bytes:
    """An article that asks the reader to fetch something."""
    declared = f'<!ENTITY x SYSTEM "{where}">' if kind == "general" else f'<!ENTITY % x SYSTEM "{where}"> %x;'
    return f"<?xml version='1.0'?><!DOCTYPE article [{declared}]>{ARTICLE.format('&x;')}".encode()


def one_page_is_a_bomb() -> bytes:
    """Three pages, and the one in the middle unpacks to 200 MB of words."""
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F 3 0 R>>>>/Contents %d 0 R>>"
    pages = b"<</Type/Pages/Count 3/Kids[4 0 R 5 0 R 6 0 R]>>"
    font = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"
    good = stream(pdfs.content(pdfs.body()))
    large = stream(flated(b"BT /F 9 Tf (word and word) Tj ET\n" * 30_000, 200), b"/Filter/FlateDecode")
    numbered = [page % 7, page % 8, page % 9]
    return written([b"<</Type/Catalog/Pages 2 0 R>>", pages, font, *numbered, good, large, good])


def huge_table_of_objects() -> bytes:
    """A cross-reference stream that says it has two thousand million entries."""
    entries = zlib.compress(b"\x01\x00\x00\x00\x00" * 10)
    told = b"/Type/XRef/Size 2147483647/W[1 4 0]/Index[0 2147483647]/Root 2 0 R/Filter/FlateDecode"
    shown = b"<<%s/Length %d>>stream\n%s\nendstream" % (told, len(entries), entries)
    return pdfs.HEADER + b"1 0 obj\n" + shown + b"\nendobj\nstartxref\n15\n%%EOF"


def huge_object_stream() -> bytes:
    """A stream of objects whose number and length are two thousand million each, beside a good page."""
    told = b"<</Type/ObjStm/N 2147483647/First 2147483647/Length 2147483647>>stream\n"
    return paper(pdfs.body(), objects=[told + b"1 0 2 9 " * 100 + b"\nendstream"])


def contents_within_themselves() -> bytes:
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents[4 0 R 4 0 R 3 0 R]>>"
    pages = b"<</Type/Pages/Count 1/Kids[3 0 R]>>"
    return written([b"<</Type/Catalog/Pages 2 0 R>>", pages, page, b"[4 0 R 4 0 R]"])


def own_descendant() -> bytes:
    """A font that is made of itself."""
    circle = b"<</Type/Font/Subtype/Type0/BaseFont/X/DescendantFonts[3 0 R]/ToUnicode 3 0 R>>"
    return paper(pdfs.body()).replace(pdfs.FONT_OBJECT, circle)


def many_pages_in_one_node() -> bytes:
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]>>"
    pages = b"<</Type/Pages/Count 100000/Kids[%s]>>" % (b"3 0 R " * 100_000)
    return written([b"<</Type/Catalog/Pages 2 0 R>>", pages, page])


def zipped(content: bytes) -> bytes:
    """A ZIP that holds this as it is, so that its first bytes have a PDF's in them."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("paper.pdf", content)
    return out.getvalue()


def defaults() -> bytes:
    """A DTD that gives each of 100,000 elements an attribute of 100,000 characters."""
    declared = f"<!ATTLIST p a CDATA '{'x' * 100_000}'>"
    return f"<?xml version='1.0'?><!DOCTYPE article [{declared}]>{ARTICLE.format('</p>' + '<p/>' * 100_000 + '<p>')}".encode()


def declared_as(encoding: str, text: str) -> bytes:
    """An article whose declaration names this encoding, in characters of it."""
    return f"<?xml version='1.0' encoding='{encoding}'?>{ARTICLE.format(text)}".encode(encoding)


def wide_table() -> bytes:
    cell = '<td colspan="999999999" rowspan="999999999">1</td>'
    table = (
        f"<table-wrap><label>Table 1</label><table><tbody>{f'<tr>{cell * 20}</tr>' * 20}</tbody></table></table-wrap>"
    )
    return ARTICLE.format(f"We counted.{table}").encode()


def _pdf_cases() -> Iterator[Case]:
    yield Case("nothing at all", lambda: b"", UNREADABLE)
    yield Case("nothing but zeros", lambda: bytes(5_000), UNREADABLE)
    yield Case("a header and noise", lambda: b"%PDF-1.7\n" + bytes(range(256)) * 20 + b"\n%%EOF", UNREADABLE)
    yield Case("a header alone", lambda: b"%PDF-1.7\n%%EOF", UNREADABLE)
    yield Case("cut in the middle", lambda: sample()[:120_000], UNREADABLE)
    yield Case("cut at the end", lambda: sample()[:-5_000], UNREADABLE)
    yield Case("locked", encrypted, UNREADABLE)
    yield Case("5,000 pages", lambda: paper(*(["One page of many, with hardly a word on it."] * 5_000)), UNREADABLE)
    yield Case("no pages", paper, UNREADABLE)
    yield Case("arrays in arrays", lambda: paper(pdfs.body(), objects=[b"[" * 200_000 + b"]" * 200_000]), READY)
    nested = b"<</A" * 100_000 + b" 1 " + b">>" * 100_000
    yield Case("dictionaries in dictionaries", lambda: paper(pdfs.body(), objects=[nested]), READY)
    yield Case("a page 5,000 nodes deep", lambda: page_tree(5_000), UNREADABLE)
    yield Case("a page tree within itself", own_parent, UNREADABLE)
    yield Case("spaces, 700 MB", lambda: bomb(flated(b" " * MB, 700)), UNREADABLE)
    yield Case("words, 200 MB", lambda: bomb(flated(b"BT /F 9 Tf (word and word) Tj ET\n" * 30_000, 200)), UNREADABLE)
    twice = b"/FlateDecode/FlateDecode"
    yield Case("spaces packed twice, 700 MB", lambda: bomb(zlib.compress(flated(b" " * MB, 700)), twice), UNREADABLE)
    yield Case("one page of three", one_page_is_a_bomb, UNREADABLE)
    yield Case("forms in forms in forms", forms, UNREADABLE)
    yield Case("a table of 2,000 million objects", huge_table_of_objects, UNREADABLE)
    yield Case("a stream of 2,000 million objects", huge_object_stream, READY)
    lengths = lambda: re.sub(rb"/Length \d+", b"/Length 4294967295", paper(pdfs.body()))  # noqa: E731 - a case's maker
    yield Case("lengths of 4 GB", lengths, READY)
    yield Case("contents within themselves", contents_within_themselves, NEEDS_OCR)
    yield Case("a font made of itself", own_descendant, NEEDS_OCR)
    yield Case("references in a circle", lambda: written([b"2 0 R", b"1 0 R"]), UNREADABLE)
    yield Case("100,000 pages in one node", many_pages_in_one_node, UNREADABLE)
    counted = lambda: paper(pdfs.body(), pdfs.body()).replace(b"/Count 2", b"/Count 900")  # noqa: E731 - as above
    yield Case("more pages counted than there are", counted, UNREADABLE)
    yield Case("a web page behind its end", lambda: paper(pdfs.body()) + b"<script>go()</script>" * 500, READY)
    yield Case("noise behind its end", lambda: paper(pdfs.body()) + bytes(range(256)) * 400, READY)
    yield Case("a page of mail before it", lambda: b"Received: from a server\r\n" * 90 + paper(pdfs.body()), READY)
    yield Case("saved states, a million deep", lambda: bomb(flated(b"q\n" * 10_000, 100)), NEEDS_OCR)
    yield Case("a scan", lambda: paper("", "", ""), NEEDS_OCR)
    yield Case("a scan with a stamp", lambda: paper(*(["Downloaded from a library"] * 6)), NEEDS_OCR)
    yield Case("a font without its characters", lambda: pdfs.without_characters(pdfs.body()), NEEDS_OCR)
    yield Case("figures without letters", lambda: paper("\n".join(["12 34 56 78 90 12 34 56 78 90"] * 40)), NEEDS_OCR)


def _other_cases() -> Iterator[Case]:
    yield Case("a PDF called Word", lambda: paper(pdfs.body()), READY, "paper.docx")
    yield Case("an article called PDF", lambda: ARTICLE.format("We counted.").encode(), READY, "paper.pdf")
    yield Case("Word called PDF", lambda: b"PK\x03\x04" + bytes(400), UNREADABLE)
    yield Case("a ZIP with a PDF in it", lambda: zipped(paper(pdfs.body())), UNREADABLE)
    yield Case("gigabytes of nothing, zipped", lambda: gzip.compress(bytes(50 * MB)), UNREADABLE)
    yield Case("a form's answers", lambda: b"%FDF-1.2\n1 0 obj<<>>endobj trailer<</Root 1 0 R>>\n%%EOF", UNREADABLE)
    yield Case("a picture", lambda: b"\x89PNG\r\n\x1a\n" + bytes(400), UNREADABLE, "scan.png")
    yield Case("a web page", lambda: b"<!DOCTYPE html><html><body>Sign in</body></html>", UNREADABLE)
    yield Case("one page of 3 MB", lambda: b"We counted.\n" * 250_000, UNREADABLE, "paper.txt")
    yield Case("noise", lambda: bytes(range(256)) * 40, UNREADABLE, "paper.txt")
    yield Case("entities in entities", entities, UNREADABLE, "paper.xml")
    yield Case("one entity, many times", lambda: entities(2), UNREADABLE, "paper.xml")
    yield Case("a file of the server", lambda: outside("file:///etc/passwd"), UNREADABLE, "paper.xml")
    yield Case("an address", lambda: outside("http://127.0.0.1:9001/"), UNREADABLE, "paper.xml")
    yield Case("a DTD's own entity", lambda: outside("file:///etc/passwd", "parameter"), UNREADABLE, "paper.xml")
    yield Case("100,000 elements deep", lambda: ARTICLE.format("<b>" * 100_000).encode(), UNREADABLE, "paper.xml")
    yield Case("a million elements", lambda: ARTICLE.format("<b/>" * 1_000_000).encode(), UNREADABLE, "paper.xml")
    yield Case("a long attribute, 100,000 times", defaults, UNREADABLE, "paper.xml")
    far = lambda: b"<?xml version='1.0'?><!--" + b"x" * 40_000 + b"-->" + ARTICLE.format("We counted.").encode()  # noqa: E731
    yield Case("an article behind a long comment", far, READY, "paper.xml")
    unended = lambda: b"<!-- x -->" * 6_000 + b"<!--"  # noqa: E731 - a case's maker
    yield Case("comments and nothing else", unended, READY, "paper.xml")
    for encoding in ("utf-16", "utf-16-be", "gb2312", "gb18030", "big5", "shift_jis", "windows-1252"):
        yield Case(f"in {encoding}", partial(declared_as, encoding, "n = 90"), READY, "paper.xml")
    yield Case("in utf-7", partial(declared_as, "utf-7", "n = 90"), UNREADABLE, "paper.xml")
    yield Case("a table wider than the world", wide_table, READY, "paper.xml")
    yield Case("XML cut off", lambda: ARTICLE.format("We counted.").encode()[:-30], UNREADABLE, "paper.xml")
    yield Case("other XML", lambda: b"<?xml version='1.0'?><svg/>", UNREADABLE, "paper.xml")
    for name in (
        "../../etc/passwd",
        "a\x00b\n\x1b[31m.pdf",
        "论" * 85,
        "-rf",
        "\udcff.pdf",
        "",
        "\u202efdp.exe",
        "CON",
        "a/b\\c.pdf",
    ):
        yield Case(f"called {name!a:.20}", lambda: paper(pdfs.body()), READY, name)


CASES = (*_pdf_cases(), *_other_cases())
