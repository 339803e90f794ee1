"""Whatever the intake takes, its text can be shown: Lambda answers no more than 6 MB."""

import json

import pytest

from clinical.library import library_shapes
from clinical.papers import Paper, reader
from sheaf.apart.reader_errors import Unreadable

ANSWER_MAX = 6_000_000


def sent(paper: Paper) -> dict[int | None, int]:
    """Bytes of each answer as Lambda sends it, JSON within JSON: of all that fit, and of each page."""
    asked = (None, *range(1, len(paper.pages) + 1))
    return {page: len(json.dumps(json.dumps(library_shapes.text("d1", paper, page), ensure_ascii=False), ensure_ascii=False).encode()) for page in asked}  # fmt: skip


def article(titles: list[str], text: str = "Words.") -> bytes:
    body = "".join(f"<sec><title>{title}</title><p>{text}</p></sec>" for title in titles)
    return f"<article><front/><body>{body}</body></article>".encode()


@pytest.mark.long
@pytest.mark.parametrize(
    ("content", "name"),
    [
        (article(["T" * 1_900_000] * 9), "a.nxml"),
        (article(["Title" + '"' * 900] * 990, text='"' * 3_000), "a.nxml"),
        (b"Methods\n" * 240_000, "a.txt"),
        (b"\f".join([b"Methods\n" + b'"' * 900_000] * 9), "a.txt"),
        (("\f".join(["摘" + "\n" * 900_000 + "要\n"] * 9)).encode(), "a.txt"),
    ],
    ids=["long titles", "many titles", "headings alone", "quotation marks", "a heading with lines in it"],
)
def test_every_answer_fits_when_a_paper_is_the_biggest_that_is_taken(content, name):
    sizes = sent(reader.read(content, name))
    assert max(sizes.values()) < ANSWER_MAX


def test_a_page_is_refused_when_an_answer_with_it_would_not_fit():
    with pytest.raises(Unreadable):
        reader.read(b'"' * 1_900_000, "a.txt")


def test_a_title_is_what_it_was_when_it_is_a_papers():
    read = reader.read(article(["T" * 400, "U" * 401]), "a.nxml")
    assert [page.label for page in read.pages][-2:] == ["T" * 400, "U" * 400]
    assert [each.title for each in read.sections] == ["T" * 400, "U" * 400]
