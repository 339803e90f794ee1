"""What no text of a paper holds, whichever reader read it, and that half a character stops nobody."""

import json

import pytest

from clinical.papers import Page, Paper
from clinical.papers.cleaning import clean
from clinical.papers.jats import article
from clinical.papers.limits import LIMITS
from clinical.papers.pdf.text_repair import mend
from clinical.papers.reader import read
from clinical.papers.recognition import recognised
from sheaf.errors import Transient
from tests.attacks.unseen_words import locked
from tests.support.pdfs import body, paper

UNSEEN = {
    "ESC": "\x1b",
    "BEL": "\x07",
    "DEL": "\x7f",
    "C1": "\x9b",
    "right to left": "\u202e",
    "isolate": "\u2066",
    "Arabic mark": "\u061c",
    "zero width": "\u200b",
    "joiner": "\u200d",
    "word joiner": "\u2060",
    "mark of order": "\ufeff",
    "annotation": "\ufff9",
    "tag": "\U000e0041",
    "half a character": "\ud800",
}
ARTICLE = "<article><front><article-meta><title-group><article-title>A {} trial</article-title></title-group></article-meta></front><body><sec><title>15{} mg</title><p>15{} mg</p></sec></body></article>"


def of_text(sign):
    return read(f"15{sign} mg".encode(errors="ignore"), "").to_json()


def of_xml(sign):
    """As it stands there, and named: by its number where XML allows it, by a name of HTML where it has one."""
    named = {"\u200b": "&ZeroWidthSpace;", "\u2060": "&NoBreak;", "\u200d": "&zwj;"}.get(sign, sign)
    allowed = "" if sign < " " or "\ud800" <= sign < "\ue000" else sign
    doctype = '<!DOCTYPE article PUBLIC "x" "x.dtd">'
    return article.read(
        (doctype + ARTICLE.format(allowed, named if allowed else "", allowed)).encode(), LIMITS
    ).to_json()


def of_recognition(sign):
    listed = [{"type": "text", "text": f"15{sign} mg", "page_idx": 0}]
    return recognised.paper(json.loads(json.dumps(listed)), None).to_json()


def of_pdf(sign):
    return Paper("pdf", (Page(1, mend([f"15{sign} mg"])[0]),)).to_json()


@pytest.mark.parametrize("sign", UNSEEN.values(), ids=UNSEEN)
@pytest.mark.parametrize("reader", [of_text, of_xml, of_recognition, of_pdf])
def test_what_is_not_seen_is_in_no_text_whoever_read_it(reader, sign):
    told = reader(sign)
    assert json.dumps("15 mg")[1:-1] in told
    assert clean(told) == told


def test_a_title_that_a_pdf_tells_of_itself_holds_nothing_unseen():
    """It is compared with the page by its letters, among which such a sign is none."""
    title = "A trial of quinine \u202ein adults".encode("utf-16-be").decode("latin-1")
    made = paper(body("A trial of quinine in adults"), title=f"\xfe\xff{title}")
    assert read(made, "").details == {"title": "A trial of quinine in adults"}


def test_line_ends_are_one_kind_and_tabs_stay():
    assert clean("a\r\nb\rc\nd\te\ff") == "a\nb\nc\nd\te\ff"


def test_half_a_character_is_no_defect_when_a_paper_is_stored():
    assert b'"a?b"' in Paper("text", (Page(1, "a\ud800b"),)).to_bytes()


# The ids are words: an archive holds the second it was made in, and two processes must collect the same tests.
@pytest.mark.parametrize("content", [locked(), b"PK", locked()[:60]], ids=["locked", "no archive", "cut short"])
def test_an_archive_is_waited_for_again_when_it_cannot_be_unpacked(content):
    with pytest.raises(Transient, match="no archive"):
        recognised.from_zip(content)
