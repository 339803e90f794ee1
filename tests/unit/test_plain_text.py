"""Plain text, in whatever characters it came, and files that are none."""

import pytest

from clinical.papers import Page
from clinical.papers.cleaning import clean
from clinical.papers.limits import Limits
from clinical.papers.plain_text import read as read_plain
from clinical.papers.reader import read
from sheaf.apart.reader_errors import Unreadable
from tests.support.stack_file import ROOT

CHINESE = "方法\n我们将九十例患者随机分为两组,采用密封信封法。结果显示差异有统计学意义。"
WESTERN = "Methods\nWe enrolled ninety adults in São Paulo; the mean age was 61 ± 13 years."


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (CHINESE, "utf-8"),
        (CHINESE, "utf-8-sig"),
        (CHINESE, "utf-16"),
        (CHINESE, "gb18030"),
        (WESTERN, "cp1252"),
        (WESTERN, "utf-16"),
        (WESTERN, "utf-8"),
    ],
)
def test_a_text_is_read_when_its_characters_can_be_told(text, encoding):
    """What Word and Notepad write in China and in Europe."""
    told = read(text.encode(encoding), "paper.txt")
    assert told.pages == (Page(1, text),)
    assert [section.kind for section in told.sections] == ["methods"]


@pytest.mark.parametrize(
    "text", ["Methods\nMüller treated ninety adults.", "Methods\nSeñor Núñez, für neunzig Männer."]
)
def test_no_chinese_is_read_into_a_text_when_every_letter_with_a_mark_stands_within_a_word(text):
    """Of such a letter and the next one together Chinese has a character."""
    assert read(text.encode("cp1252"), "paper.txt").pages[0].text == text


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("Мы включили девяносто пациентов в двух больницах.", "cp1251"),
        ("Мы включили девяносто пациентов в двух больницах.", "koi8-r"),
        ("Εντάξαμε ενενήντα ενήλικες σε δύο νοσοκομεία.", "cp1253"),
        ("قمنا بتسجيل تسعين في مستشفيين وتابعنا كل واحد منهم", "cp1256"),
        ("私たちは二つの病院で九十人の患者を登録し、手術後十二週間追跡しました。", "cp932"),
        ("私たちは二つの病院で九十人の患者を登録し、手術後十二週間追跡しました。", "euc_jp"),
        ("우리는 두 병원에서 구십 명의 성인을 등록하고 추적 관찰하였다.", "cp949"),
        ("我們在兩家醫院納入了九十名成人患者,並在手術後進行了十二週的隨訪。", "big5"),
    ],
)
def test_a_text_is_refused_when_its_characters_would_be_taken_for_others(text, encoding):
    """Better no paper than one of other letters: as UTF-8 each of them is read."""
    with pytest.raises(Unreadable, match="cannot be made out"):
        read(text.encode(encoding) * 5, "paper.txt")
    assert read(text.encode(), "paper.txt").pages[0].text == text


def test_a_text_is_no_xml_when_it_begins_with_less_than_a_number():
    assert read(b"<5% of ninety adults died.", "paper.txt").format == "text"


def test_what_turns_text_round_is_no_text():
    """It would make a quote on a page read as another."""
    assert read("n = \u202e21\u202c, \u2067not\u2069 34".encode(), "").pages[0].text == "n = 21, not 34"


def test_a_form_feed_ends_a_page_and_line_ends_are_one_kind():
    assert [page.text for page in read(b"one\r\ntwo\fthree\rfour\n\f", "").pages] == ["one\ntwo", "three\nfour"]


@pytest.mark.parametrize("path", sorted((ROOT / "tests" / "data").glob("*.txt")), ids=lambda path: path.stem)
def test_a_sample_is_word_for_word_what_its_file_says(path):
    """Offsets of evidence count in this text: nothing of a plain text is changed but what is not seen."""
    assert "\f".join(page.text for page in read(path.read_bytes(), "").pages) == clean(path.read_text()).rstrip("\n")


@pytest.mark.parametrize(
    ("content", "filename", "reason"),
    [
        (b"", "a.pdf", "empty"),
        (b" \n\f\n", "a.txt", "empty"),
        (b"PK\x03\x04rest", "a.docx", "Office"),
        (b"\xd0\xcf\x11\xe0rest", "a.doc", "Office"),
        (b"\x1f\x8brest", "a.gz", "gzip"),
        (b"CAJ\x00\x01rest", "a.pdf", "CNKI"),
        (b"KDH \x01rest", "a.pdf", "CNKI"),
        (b"TEB\x00\x01rest", "a.pdf", "CNKI"),
        (b"AT&TFORM\x00\x01rest", "a.pdf", "DjVu"),
        (b"PK\x03\x04" + bytes(30) + b"%PDF-1.7 startxref", "a.pdf", "ZIP"),
        (b"%FDF-1.2 rest", "a.pdf", "form"),
        (b"\xff\xd8\xff\xe0", "a.jpg", "picture"),
        (b"<html><head>", "a.pdf", "web page"),
        (b"\x00\x01\x02\x03rest", "a.pdf", "called a PDF"),
        (b"\x00\x01\x02\x03rest", "a.bin", "no PDF"),
        (b"text \x81\x8d\x8f\x90\x9d" * 9, "a.txt", "characters"),
        (b"long text " + bytes(5000) + b"rest", "a.txt", "no PDF"),
        (b"long text " * 500 + bytes(50), "a.txt", "characters"),
    ],
)
def test_a_file_is_named_for_what_it_is_when_it_is_not_read(content, filename, reason):
    """With an advice that says what to do instead."""
    with pytest.raises(Unreadable, match=reason) as refused:
        read(content, filename)
    assert refused.value.advice


def test_a_text_is_refused_when_it_is_longer_than_any_paper():
    with pytest.raises(Unreadable):
        read_plain(b"word " * 30, Limits(text_bytes=100))
    with pytest.raises(Unreadable):
        read_plain(b"word\f" * 30, Limits(pages=10))


def test_a_text_is_refused_when_one_page_is_longer_than_can_be_shown():
    """The page's reader gets a page whole, and AWS sends no answer of more than 6 MB."""
    limits = Limits(page_bytes=100)
    assert len(read("文".encode() * 33 + b"\fb", "", limits).pages) == 2
    with pytest.raises(Unreadable, match="page"):
        read(b"a\f" + "文".encode() * 34, "", limits)


@pytest.mark.parametrize(
    "content", [b"a", b"12\n", "密".encode(), b"a-b c", b"\xef\xbb\xbfx", b"...........", "\u200b\u3164".encode()]
)
def test_a_file_is_no_paper_when_there_is_hardly_a_letter_in_it(content):
    """It would be `ready`, and each of its fields a cell that somebody looks for in vain."""
    with pytest.raises(Unreadable, match=r"hardly any text|no text"):
        read(content, "paper.txt")


def test_an_xml_paper_is_none_either_when_there_is_hardly_a_letter_in_it():
    with pytest.raises(Unreadable, match=r"hardly any text|no text"):
        read(b"<article><front/><body><p>x</p></body></article>", "paper.xml")
