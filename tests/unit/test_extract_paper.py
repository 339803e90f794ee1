"""The built-in kind: plain text in, a row of values out, and a plain reason for what is no plain text."""

from typing import Any

import pytest

from sheaf.errors import Permanent
from sheaf.kinds import Job, extract_paper, load
from tests.support.template import ROOT


def job(content: bytes) -> Job:
    """A job over these bytes."""
    told: dict[str, Any] = {"task": "p1/t1", "row": 0, "attempt": 1, "document": "d1", "template": "rct@1"}
    return Job(**told, filename="a.txt", read=lambda: content, seconds_left=lambda: 60.0)


def test_a_row_of_values_comes_out_when_a_real_paper_goes_in():
    """Every field of the template is answered, found or not, and the summary counts what was found."""
    done = extract_paper.work(job((ROOT / "samples" / "wu-2015.txt").read_bytes()))
    fields = done.data["fields"]
    assert fields.keys() == {"registration_ids", "doi", "year"}
    assert fields["doi"]["value"] == "10.1371/journal.pone.0120231"
    assert fields["year"]["value"] == 2015
    found = sum(value["status"] == "reported" for value in fields.values())
    assert done.summary == {"reported": found, "of": 48}


@pytest.mark.parametrize(
    ("content", "error_class"),
    [
        (b"%PDF-1.7 ...", "unreadable"),
        (b"\xff\xfe\x00", "unreadable"),
        (b"caf\xe9", "unreadable"),
        (b"", "unreadable"),
        (b" \n\t\f ", "unreadable"),
        (b"\xef\xbb\xbf", "unreadable"),
        (b"text with a \x00 in it", "unreadable"),
        (b"a" * (extract_paper.TEXT_MAX + 1), "too_large"),
    ],
)
def test_it_fails_for_good_when_the_file_is_no_plain_text(content, error_class):
    """Trying again would not help, so no try is spent on it."""
    with pytest.raises(Permanent) as raised:
        extract_paper.work(job(content))
    assert raised.value.error_class == error_class


def test_a_byte_order_mark_is_no_part_of_the_text_when_there_is_one():
    done = extract_paper.work(job(b"\xef\xbb\xbf10.1000/own is the doi"))
    assert done.data["fields"]["doi"]["start"] == 0


def test_a_kind_is_found_when_its_module_is_named():
    assert load("sheaf.kinds.extract_paper") is extract_paper
