"""The user guide says the page's own words, README.zh.md README's commands; both languages have the same figures and links that lead somewhere."""

import re
from collections import Counter

import pytest

from tests.support.stack_file import ROOT

WORDS = ROOT / "web" / "src"
GUIDE = sorted((ROOT / "docs" / "guide").glob("*.md"))
CHINESE = {
    path: path.with_name(path.name.replace(".md", ".zh.md"))
    for path in [ROOT / "README.md", *GUIDE]
    if ".zh" not in path.name
}
PAGES = [*CHINESE, *CHINESE.values(), ROOT / "docs" / "tour.md", ROOT / "docs" / "tour.zh.md"]
HAN = re.compile(r"[\u4e00-\u9fff]")
LONGEST = 60
BOLD, LINK, STRING = re.compile(r"\*\*(.+?)\*\*"), re.compile(r"\]\(([^)\s]+)\)"), re.compile(r'"((?:[^"\\]|\\.)*)"')
BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.M | re.S)
NO_PROSE, FIGURE = re.compile(r"^```.*?^```$|\]\([^)]*\)|`[^`]*`", re.M | re.S), re.compile(r"\d(?:[\d,.]*\d)?")


def name(path):
    return str(path.relative_to(ROOT))


def spoken(*, is_chinese):
    """All that the page can say, by its tables of words; what is filled in is a "…"."""
    tables = [*(WORDS / "words").glob("*.ts"), *WORDS.glob("*/words.ts")]
    said = [text for table in tables for text in STRING.findall(table.read_text("utf-8"))]
    return {re.sub(r"\{\w+\}", "…", text) for text in said if bool(HAN.search(text)) is is_chinese or text.isascii()}


def commands(text):
    """What a shell is given, without remarks."""
    return [re.sub(r"\s+#.*", "", line) for block in BLOCK.findall(text) for line in block.splitlines()]


def figures(path):
    return Counter(FIGURE.findall(NO_PROSE.sub(" ", path.read_text("utf-8"))))


def anchors(text):
    heads = re.findall(r"^#+ (.+)$", text, re.M)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("path", GUIDE, ids=name)
def test_a_word_in_bold_is_the_page_s_when_the_guide_says_it(path):
    texts = spoken(is_chinese=path.name.endswith(".zh.md"))
    said = BOLD.findall(path.read_text("utf-8"))
    assert [word for word in said if not any(text.startswith(word) for text in texts)] == []


@pytest.mark.parametrize("path", GUIDE, ids=name)
def test_a_page_of_the_guide_is_short(path):
    assert len(path.read_text("utf-8").splitlines()) <= LONGEST


def test_each_page_of_the_guide_is_there_in_both_languages():
    assert {*GUIDE} == {path for pair in CHINESE.items() for path in pair if path.parent.name == "guide"}


@pytest.mark.parametrize("path", CHINESE, ids=name)
def test_a_figure_is_the_same_in_both_languages(path):
    assert figures(path) == figures(CHINESE[path])


@pytest.mark.parametrize("path", PAGES, ids=name)
def test_a_link_leads_to_what_is_there(path):
    text = path.read_text("utf-8")
    for link in LINK.findall(text):
        if link.startswith("https://"):
            continue
        file, _, anchor = link.partition("#")
        to = path.parent / file if file else path
        assert to.resolve().is_relative_to(ROOT), link
        assert to.exists(), link
        assert not anchor or anchor in anchors(to.read_text("utf-8")), link


def test_the_commands_are_the_same_in_both_languages():
    english, chinese = ((ROOT / page).read_text("utf-8") for page in ("README.md", "README.zh.md"))
    assert len(commands(english)) > 10
    assert commands(english) == commands(chinese)
