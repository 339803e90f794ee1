"""What MinerU's servers answer, in the shapes of 3.4, of 4.0 and of the cloud, as pages of a paper."""

import json
from typing import Any

import pytest

from clinical.papers.recognition.recognised import paper
from sheaf.errors import Permanent

V3 = [
    {"type": "header", "text": "Trials", "page_idx": 0},
    {"type": "text", "text": "Methods", "text_level": 1, "page_idx": 0},
    {"type": "list", "list_items": ["1. Adults", "2. Consent"], "page_idx": 0},
    {
        "type": "table",
        "table_caption": ["Table 1. Groups"],
        "table_body": "<table><tr><td>n=40</td></tr></table>",
        "table_footnote": ["n, number"],
        "page_idx": 1,
    },
    {
        "type": "image",
        "image_caption": ["Fig 1. Flow"],
        "content": "A chart of boxes",
        "img_path": "x.jpg",
        "page_idx": 1,
    },
    {"type": "code", "code_caption": ["List 1"], "code_body": "n <- 40", "page_idx": 3},
]
V4: Any = {
    "pages": [
        {"page_idx": 0, "blocks": [{"type": "paragraph_title", "content": "Methods"}, {"type": "text", "content": "We counted."}]},
        {
            "page_idx": 2,
            "blocks": [
                {
                    "type": "table",
                    "content": "<table><tr><td>n=40</td></tr></table>",
                    "captions": [{"content": "Table 1. Groups"}],
                    "footnotes": [{"bbox": [0, 0, 1, 1], "content": "n, number"}],
                },
                {"type": "image", "content": "A chart of boxes", "captions": [{"content": "Fig 1. Flow"}], "footnotes": []},
            ],
        },
    ],
    "is_ocr": True,
}  # fmt: skip
TABLE = "Table 1. Groups\n<table><tr><td>n=40</td></tr></table>\nn, number\nFig 1. Flow"


def texts(listed, markdown=None):
    return [page.text for page in paper(listed, markdown).pages]


@pytest.mark.parametrize("listed", [V3, json.dumps(V3)])
def test_lists_captions_and_notes_are_read_when_the_server_is_a_3(listed):
    """What a model says of a picture is none of the paper's words."""
    assert texts(listed) == ["Trials\nMethods\n1. Adults\n2. Consent", TABLE, "", "List 1\nn <- 40"]


def test_blocks_are_on_their_pages_when_the_server_is_a_4():
    assert texts(V4, "all of it") == ["Methods\nWe counted.", "", TABLE]


def test_sections_are_told_when_their_headings_stand_alone():
    """As of any PDF: who reads it later leaves the references out by them."""
    (section,) = paper(V4, None).sections
    assert (section.kind, section.page, section.start) == ("methods", 1, 0)


@pytest.mark.parametrize(
    "listed", [None, "", "no JSON", "[" * 100_000, {}, [], {"pages": 7}, [7, {"page_idx": "0", "text": "x"}]]
)
def test_all_is_on_one_page_when_the_server_lists_no_blocks(listed):
    assert texts(listed, "![](images/a.jpg)\nA trial.") == ["A trial."]


@pytest.mark.parametrize("markdown", [None, 7, " \n", "![a](b.png)"])
def test_nothing_is_no_paper_when_the_server_found_no_text(markdown):
    with pytest.raises(Permanent, match="no text"):
        paper(
            [{"page_idx": -1, "text": "x"}, {"page_idx": 10_000, "text": "x"}, {"page_idx": True, "text": "x"}],
            markdown,
        )


@pytest.mark.parametrize(
    ("listed", "markdown"),
    [
        ([{"page_idx": 0, "text": "word " * 400_001}], None),
        ([{"page_idx": 0, "text": '"' * 1_000_001}], None),
        ([{"page_idx": page, "text": "word " * 380_000} for page in range(11)], None),
        (None, "word " * 400_001),
    ],
    ids=["a page", "quotation marks", "all of it", "no pages"],
)
def test_a_text_is_refused_when_it_is_longer_than_other_readers_take(listed, markdown):
    """A page of it could not be shown."""
    with pytest.raises(Permanent) as raised:
        paper(listed, markdown)
    assert raised.value.error_class == "ocr_too_long"


def test_a_page_is_taken_when_it_is_as_long_as_other_readers_take():
    assert len(texts([{"page_idx": 0, "text": "w" * 2_000_000}])[0]) == 2_000_000


def test_a_page_is_left_out_when_no_file_has_so_many():
    assert len(texts([{"page_idx": page, "text": "word"} for page in (0, 999, 1_000)])) == 1_000
