"""The table that `sheaf results` shows, and `make run` ends with."""

from typing import Any

from sheaf_client import terminal


def value(told, state="found", page=3, **more):
    return {"state": state, "value": told, "page": page, **more}


def result(doubts=(), **fields):
    return {
        "snapshotFilename": "a.pdf",
        "status": "completed",
        "summary": {"study": "Wu 2015", "cells": {"found": 14, "unsupported": 0, "contradictory": 1, "not_found": 26}},
        "extractedData": {"fields": fields, "doubts": list(doubts)},
    }


def cells(**fields):
    """The cells of the one line of a paper, the study left out."""
    line = terminal.table([result(**fields)]).split("\n")[2]
    return [cell.strip() for cell in line.split("  ") if cell][1:]


def test_a_line_shows_found_values_with_their_pages_and_of_others_what_is_known():
    arms = [value({"name": "tea", "n_randomised": 60}), value({"name": "water"}, "unsupported")]
    told = cells(
        n_randomised=value(120, page=1),
        arms=value(arms, page=4),
        masking=value(None, "not_attempted", None),
        primary_outcomes=value(None, "not_reported", None),
        follow_up=value("9 weeks", "unsupported"),
    )
    assert told == ["120 (p. 1)", "tea (p. 3)", "not attempted", "not reported", "not confirmed"]


def test_both_are_shown_when_the_paper_says_two_things():
    both = [value("tea", page=1), value("milk", page=4)]
    assert cells(primary_outcomes=value(None, "contradictory", evidence=both)) == ["tea (p. 1) or milk (p. 4)"]


def test_each_page_is_named_once_when_entries_stand_on_several():
    arms = [value({"name": name}, page=page) for name, page in (("tea", 4), ("milk", 2), ("water", 4))]
    assert cells(arms=value(arms)) == ["tea; milk; water (p. 2, 4)"]


def test_a_sentence_is_in_quotation_marks_when_nothing_was_read_out_of_it():
    assert cells(follow_up=value("Nine weeks.", quotation=True)) == ["“Nine weeks.”"]


def test_a_row_says_its_fields_by_state_and_what_does_not_add_up():
    last = terminal.table([result(["arms:fewer_than_stated"])]).split("\n")[-1]
    assert last == "  14 found, 1 contradictory, 26 not found. Does not add up: arms fewer than stated"


def test_no_line_is_wider_than_the_terminal_when_values_are_long():
    long = value("the very long name of an outcome that somebody thought of, " * 5)
    shown = terminal.table([result(primary_outcomes=long, arms=value([value({"name": "tea " * 40})]))])
    assert max(map(len, shown.split("\n"))) <= 120
    assert "…" in shown


def test_a_line_names_the_file_and_why_when_a_paper_could_not_be_read():
    failed: Any = {
        "snapshotFilename": "a.pdf",
        "status": "error",
        "summary": None,
        "extractedData": None,
        "errorMessage": "No text.",
        "errorClass": "needs_ocr",
    }
    assert terminal.table([failed]).split("\n")[2:] == ["a.pdf", "  error: No text. (needs_ocr)"]
