"""PDFs by PDFium: pages, sections, and what is refused in which words."""

import pytest

from clinical.papers.limits import LIMITS, Limits
from clinical.papers.pdf import pdf_text
from clinical.papers.reader import read
from sheaf.apart.reader_errors import NeedsOcr, Unreadable
from tests.support.hostile import encrypted
from tests.support.pdfs import body, paper, stream, without_characters
from tests.support.stack_file import ROOT

SAMPLES = {path.stem: path for name in ("samples", "tests/data") for path in sorted((ROOT / name).glob("*.pdf"))}


def sample(name):
    return read(SAMPLES[name].read_bytes(), "")


def test_pages_are_the_files_own_when_a_pdf_is_read():
    told = read(paper(body("First of two"), body("Second of two")), "two.pdf")
    assert [(page.number, page.text.split("\n")[0]) for page in told.pages] == [
        (1, "First of two"),
        (2, "Second of two"),
    ]
    assert told.format == "pdf"


@pytest.mark.parametrize("name", SAMPLES)
def test_a_real_paper_has_its_sections_in_order(name):
    """What reads it later cuts off the references and looks for methods: each has them, and says where."""
    told = sample(name)
    places = [(section.page, section.start) for section in told.sections]
    assert places == sorted(places)
    for section in told.sections:
        assert told.pages[section.page - 1].text[section.start :].lstrip(" ●•■\t").startswith(section.title)
    kinds = [section.kind for section in told.sections]
    assert {"abstract", "introduction", "discussion", "references", "conflicts"} <= set(kinds)
    assert kinds.index("abstract") < kinds.index("introduction") < kinds.index("references")


@pytest.mark.parametrize("name", SAMPLES)
def test_a_real_papers_text_is_mended(name):
    """No sign of PDFium's own, no broken ligature, hardly a word cut at a line's end."""
    text = "\n".join(page.text for page in sample(name).pages)
    assert not {"\ufffe", "\xad", "\u00a0", "\r", "ﬁ"} & set(text)
    assert "signifi cant" not in text


def test_a_sentence_is_found_when_the_layout_cut_its_words():
    """From the published paper, across line ends and ligatures, with spaces as a reader writes them."""
    words = " ".join(" ".join(page.text for page in sample("pathway2-2015").pages).split())
    assert "bisoprolol (5–10 mg), doxazosin modified release (4–8 mg), and placebo" in words
    assert (
        "The trial is registered with EudraCT number 2008-007149-30, and ClinicalTrials.gov number, NCT02369081."
        in words
    )


@pytest.mark.parametrize("turned", [-90, 0, 90, 180, 270, 450])
@pytest.mark.parametrize("drawn", [b"60 740 Td", b"0 1 -1 0 60 60 Tm", b"0 -1 1 0 60 700 Tm", b"-1 0 0 -1 500 60 Tm"])
def test_lines_are_in_their_order_however_a_page_is_turned(turned, drawn):
    """A page turned in a scanner or a viewer, and a table set sideways: PDFium has lines that run downwards in reverse."""
    lines = "\n".join(f"Line {number} of a page that has words on it" for number in range(30))
    content = paper(lines).replace(b"60 740 Td", drawn).replace(b"/MediaBox", b"/Rotate %d/MediaBox" % turned)
    assert read(content, "").pages[0].text == lines


@pytest.mark.parametrize("behind", [b"<script>go()</script>" * 500, bytes(range(256)) * 400, b"\n" * 50_000])
def test_a_paper_is_read_when_other_bytes_stand_behind_its_end(behind):
    """Mail gateways and servers add to files; what is no object is no part of it."""
    assert read(paper(body()) + behind, "").pages == read(paper(body()), "").pages


def test_a_paper_is_cut_off_when_an_object_stands_behind_its_last_end():
    """What was saved a second time has two ends: the first alone is an older paper."""
    first = paper(body())
    with pytest.raises(Unreadable, match="cut off"):
        read(first + b"9 0 obj\n<</Type/Page>>\nendobj\n", "")


@pytest.mark.parametrize(
    ("inside", "told"),
    [
        ("Envelopes and assessors in ninety adults", {"title": "Envelopes and assessors in ninety adults"}),
        ("1251637.dvi", {}),
        ("Microsoft Word - final final.doc", {}),
        ("", {}),
    ],
)
def test_a_title_is_told_when_the_first_page_says_the_same(inside, told):
    """Many files carry another name inside; nothing is better than a wrong title."""
    content = paper(body("Envelopes and assessors\nin ninety adults"), title=inside)
    assert read(content, "").details == told


def test_a_paper_needs_ocr_when_its_pages_are_pictures():
    with pytest.raises(NeedsOcr):
        read(paper("", "", "", "Stamp"), "scan.pdf")


def test_a_paper_needs_ocr_when_only_its_cover_is_text():
    """A library's cover page before a scan would hide that the paper itself is not read."""
    with pytest.raises(NeedsOcr):
        read(paper(body(sentences=30), "", "", ""), "scan.pdf")


def test_a_paper_needs_ocr_when_its_only_text_is_a_librarys_stamp():
    """Three hundred characters on every page of a scan, each with its own number, are not the paper."""
    stamp = (
        "Downloaded from https://publisher.example.org/doi/10.1002/jbm.820110104 by University Library on [12/03/2025]. "
        "See the Terms and Conditions (https://publisher.example.org/terms-and-conditions) for rules of use; open "
        "access articles are governed by the applicable licence."
    )
    with pytest.raises(NeedsOcr):
        read(paper(*(f"{stamp}\n{number}" for number in range(1, 9))), "scan.pdf")
    assert len(read(paper(*(f"{stamp}\n{body(f'Page {number}')}" for number in range(8))), "paper.pdf").pages) == 8


def test_a_paper_needs_ocr_when_its_font_does_not_say_which_characters_its_glyphs_are():
    """Fonts have their letters in an order of their own; without a table they come out as other letters."""
    with pytest.raises(NeedsOcr):
        read(without_characters(body(sentences=20)), "paper.pdf")


def test_a_form_is_refused_when_its_pages_say_only_which_program_draws_them():
    """ "Please wait... if this message is not eventually replaced" is not the paper; a form that has its pages is read."""
    form = [b"<</Fields[]/XFA[(template)7 0 R]>>", stream(b"<template/>")]
    told = paper(body(), objects=form).replace(b"/Catalog", b"/Catalog/AcroForm 6 0 R")
    assert read(told, "form.pdf").pages
    with pytest.raises(Unreadable, match="XFA"):
        read(told.replace(b"/Catalog", b"/Catalog/NeedsRendering true"), "form.pdf")


def test_a_paper_is_read_when_some_pages_are_figures():
    told = read(paper(body(sentences=30), body(sentences=30), body(sentences=30), ""), "figures.pdf")
    assert [bool(page.text) for page in told.pages] == [True, True, True, False]


def test_a_paper_is_read_when_it_stands_behind_other_bytes():
    """Some servers put a line before the file."""
    assert read(b"\r\n\r\n" + paper(body()), "").format == "pdf"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (encrypted(), "password"),
        (paper(body())[:-60], "cut off"),
        (b"%PDF-1.4\nnothing\n%%EOF", "damaged"),
    ],
)
def test_a_reason_and_an_advice_are_told_when_a_pdf_cannot_be_read(content, reason):
    """In words for whoever uploaded it."""
    with pytest.raises(Unreadable, match=reason) as refused:
        read(content, "")
    assert refused.value.advice.endswith(".")


def test_a_volume_is_refused_when_it_has_more_pages_than_are_read():
    with pytest.raises(Unreadable, match="3 pages; up to 2"):
        pdf_text.read(paper(body(), body(), body()), Limits(pages=2))


def test_a_text_is_refused_when_it_is_longer_than_any_paper():
    with pytest.raises(Unreadable, match="more text"):
        pdf_text.read(paper(body(), body()), Limits(text_bytes=1_500))


def test_a_file_is_refused_before_it_is_looked_at_when_it_is_too_large():
    with pytest.raises(Unreadable, match="MB"):
        read(bytes(LIMITS.file_bytes + 1), "large.pdf")
