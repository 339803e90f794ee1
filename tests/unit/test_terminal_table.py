"""The table that `make run` ends with."""

from local.client import table


def value(told, state="found", page=3):
    return {"state": state, "value": told, "page": page}


def test_a_line_shows_found_values_with_their_pages_and_of_others_what_is_known():
    arms = [value({"name": "tea", "n_randomised": 60}), value({"name": "water"}, "unsupported")]
    fields = {
        "year": value(2015, page=1),
        "arms": value(arms, page=4),
        "masking": value(None, "not_found", None),
        "follow_up": value("9 weeks", "unsupported"),
    }
    result = {
        "snapshotFilename": "a.pdf",
        "status": "completed",
        "summary": {"study": "Wu 2015"},
        "extractedData": {"fields": fields},
    }
    head, _, line = table.render([result]).split("\n")
    assert head.split("  ")[0] == "study"
    assert [cell.strip() for cell in line.split("  ") if cell] == [
        "Wu 2015", "completed", "2015 (p. 1)", "tea (p. 4)", "not found", "unsupported",
    ]  # fmt: skip


def test_a_line_names_the_file_and_why_when_a_paper_could_not_be_read():
    failed = {
        "snapshotFilename": "a.pdf",
        "status": "error",
        "summary": None,
        "extractedData": None,
        "errorMessage": "No text.",
        "errorClass": "needs_ocr",
    }
    told = table.render([failed]).split("\n")
    assert (told[2].split()[0], told[-1]) == ("a.pdf", "a.pdf: No text. (needs_ocr)")
