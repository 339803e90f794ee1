"""Each page of docs/ stands in docs/README.md, each decision in docs/adr/README.md, under its own title."""

import re

import pytest

from tests.support.stack_file import ROOT

DOCS = ROOT / "docs"
DECISIONS = sorted((DOCS / "adr").glob("[0-9]*.md"))
ROW = re.compile(r"^\| (\d+) \| \[(.+)\]\((\S+)\) \| [^|]+ \|[^|]*\|$", re.M)


def links(index):
    return [link for link in re.findall(r"\]\(([^)#\s]+)\)", index.read_text("utf-8")) if "://" not in link]


def test_each_page_stands_in_the_index():
    pages = {*DOCS.glob("*.md"), *DOCS.glob("*/README*.md")} - {DOCS / "README.md"}
    assert {str(page.relative_to(DOCS)) for page in pages} - {*links(DOCS / "README.md")} == set()


def test_each_decision_stands_in_the_index_by_number_and_title():
    heads = [(path.name, path.read_text("utf-8").partition("\n")[0]) for path in DECISIONS]
    rows = ROW.findall((DOCS / "adr" / "README.md").read_text("utf-8"))
    assert [(file, f"# {number}. {title}") for number, title, file in rows] == heads


@pytest.mark.parametrize("index", [DOCS / "README.md", DOCS / "adr" / "README.md"], ids=str)
def test_a_line_of_an_index_leads_to_what_is_there(index):
    assert [link for link in links(index) if not (index.parent / link).is_file()] == []
