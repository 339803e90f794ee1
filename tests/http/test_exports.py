"""A task's table as a file: ordered, written, found again, opened; and what is refused."""

import csv
import io
import json
from typing import Any

import jsonschema  # type: ignore[import-untyped]  # comes with cfn-lint and moto
import pytest
from python_calamine import CalamineWorkbook

from clinical.templates import find
from tests.http.front import RESULTS, TASKS
from tests.support.clients import client

TRIAL = (
    "Tea for thirsty men: a randomised controlled trial\n\nAbstract\n\nNinety patients were randomised to tea or to water "
    "in Norway. The trial was double-blind."
)
LABEL = next(field.label for field in find("rct").fields if field.name == "n_randomised")
HOSTILE = "=HYPERLINK(evil) @cmd +1"


@pytest.fixture
def finished(bench, front) -> str:
    """A task of two papers, one of which cannot be read."""
    documents = [bench.paper(TRIAL, "tea.txt"), bench.paper("no paper", f"{HOSTILE}.txt", read=b"{}")]
    task = str(bench.open(documents))
    bench.settle()
    return task


def order(front, task, **wish):
    return front.post(f"{TASKS}/{task}/exports", {"format": "xlsx", "language": "en", **wish})


def file_of(bench, front, task, **wish) -> bytes:
    """Order it, have it written, and take it as its link gives it."""
    export = order(front, task, **wish).body["exportId"]
    bench.settle("export_table")
    shown = front.get(f"{TASKS}/{task}/exports/{export}").body
    assert shown["status"] == "ready", shown
    assert shown["filename"] in shown["url"]
    with bench.calls.unwatched():
        (row,) = [row for row in bench.all_rows() if row.shard == f"p1/{export}/0000"]
        return bytes(client("s3").get_object(Bucket="databucket", Key=row.data_key)["Body"].read())


def sheets(content: bytes) -> dict[str, list[list[Any]]]:
    book = CalamineWorkbook.from_filelike(io.BytesIO(content))
    return {name: book.get_sheet_by_name(name).to_python() for name in book.sheet_names}


def test_a_workbook_has_every_row_its_evidence_and_what_went_wrong_when_a_task_has_ended(bench, front, finished):
    book = sheets(file_of(bench, front, finished))
    head, first, second = book["Table"][1:4]
    table = [dict(zip(head, row, strict=True)) for row in (first, second)]
    assert [row["File"] for row in table] == ["tea.txt", f"{HOSTILE}.txt"]
    (randomised,) = [row for row in book["Evidence"] if row[1] == LABEL]
    assert randomised[5] == 90
    assert randomised[6].startswith("Ninety patients were randomised")
    assert randomised[8].startswith("https://api.example.com/#/p1/tasks/")
    (problem,) = book["What went wrong"][1:]
    assert problem[2:4] == [f"{HOSTILE}.txt", "Failed"]
    about = {row[0]: row[1] for row in book["About"] if row[0]}
    assert (about["Task"], about["Papers read"], about["Papers that failed"]) == (finished, 1, 1)


def test_csv_has_text_defused_and_numbers_as_they_are(bench, front, finished):
    content = file_of(bench, front, finished, format="csv").decode("utf-8-sig")
    first, second = csv.DictReader(io.StringIO(content))
    assert (first["n_randomised"], first["n_randomised_state"]) == ("90", "found")
    assert second["file"] == f"'{HOSTILE}.txt"


def test_a_long_file_has_a_line_a_value(bench, front, finished):
    content = file_of(bench, front, finished, format="csv-long").decode("utf-8-sig")
    (line,) = [each for each in csv.DictReader(io.StringIO(content)) if each["field"] == "n_randomised"]
    assert (line["value"], line["state"], line["page"]) == ("90", "found", "1")


def test_the_schema_that_is_given_holds_every_line_of_json(bench, front, finished):
    lines = file_of(bench, front, finished, format="jsonl").splitlines()
    schema = order(front, finished, format="jsonl").body["lineSchema"]
    for line in lines:
        jsonschema.validate(json.loads(line), schema)
    broken = json.loads(lines[0])
    broken["fields"]["n_randomised"]["value"] = "ninety"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(broken, schema)


def test_json_lines_have_every_value_as_it_is_stored(bench, front, finished):
    first, second = map(
        json.loads, file_of(bench, front, finished, format="jsonl", columns=["n_randomised"]).splitlines()
    )
    assert first["fields"]["n_randomised"]["value"] == 90
    assert list(first["fields"]) == ["n_randomised"]
    assert (second["status"], second["fields"]) == ("error", {})


def test_the_same_file_is_given_without_work_when_nothing_has_changed(bench, front, finished):
    first = order(front, finished)
    bench.settle("export_table")
    runs = len(bench.all_rows())
    second = order(front, finished)
    assert (first.status, second.status) == (202, 200)
    assert second.body["exportId"] == first.body["exportId"]
    assert len(bench.all_rows()) == runs


def test_an_export_is_no_task_of_the_list_and_is_in_its_task_s_own(bench, front, finished):
    export = order(front, finished).body["exportId"]
    assert [task["taskId"] for task in front.get(TASKS).body["tasks"]] == [finished]
    assert [each["exportId"] for each in front.get(f"{TASKS}/{finished}/exports").body["exports"]] == [export]
    assert front.get(f"{TASKS}/{export}").status == 404


def test_a_file_is_partial_while_the_task_runs_and_another_one_when_it_has_ended(bench, front):
    task = bench.open([bench.paper(TRIAL, "tea.txt")])
    partial = order(front, task).body
    assert partial["partial"] is True
    assert ".partial." in partial["filename"]
    bench.deliver("export_table")
    bench.settle()
    whole = order(front, task).body
    assert (whole["partial"], whole["exportId"] != partial["exportId"]) == (False, True)


def test_a_file_is_gone_when_its_days_are_over_and_made_anew_when_it_is_asked_for_again(bench, front, finished):
    export = order(front, finished).body["exportId"]
    bench.settle("export_table")
    bench.pass_time(hours=24 * 7)
    assert front.get(f"{TASKS}/{finished}/exports/{export}").status == 404
    assert front.get(f"{TASKS}/{finished}/exports").body["exports"] == []
    bench.tidy()
    with bench.calls.unwatched():
        found = client("s3").list_objects_v2(Bucket="databucket", Prefix=f"tasks/p1/{export}/rows/")
    assert found["KeyCount"] == 0
    assert order(front, finished).status == 202


def test_a_file_is_erased_with_its_task(bench, front, finished):
    export = order(front, finished).body["exportId"]
    bench.settle("export_table")
    assert front.send("DELETE", f"{TASKS}/{finished}").status == 204
    assert front.get(f"{TASKS}/{finished}/exports/{export}").status == 404
    bench.tidy()
    with bench.calls.unwatched():
        found = client("s3").list_objects_v2(Bucket="databucket", Prefix=f"tasks/p1/{export}/rows/")
    assert found["KeyCount"] == 0


def test_a_file_has_every_row_when_dynamodb_cuts_its_pages_short(bench, front, finished):
    def one_at_a_time(client: Any, operation: str, arguments: dict[str, Any]) -> Any:
        return bench.calls.answer(client, operation, {**arguments, "Limit": 1})

    order(front, finished, format="jsonl")
    with bench.calls.watch():
        bench.calls.instead["Query"] = one_at_a_time
        bench.deliver("export_table")
    assert len(file_of(bench, front, finished, format="jsonl").splitlines()) == 2


def test_an_export_that_is_still_written_ends_and_is_erased_when_its_task_is_deleted(bench, front, finished):
    export = order(front, finished).body["exportId"]
    assert front.send("DELETE", f"{TASKS}/{finished}").status == 204
    bench.tidy()
    bench.settle("export_table")
    with bench.calls.unwatched():
        (row,) = [row for row in bench.all_rows() if row.shard == f"p1/{export}/0000"]
    assert (row.status, row.error_class) == ("error", "task_gone")
    bench.pass_time(hours=25)
    bench.tidy()
    with bench.calls.unwatched():
        found = client("s3").list_objects_v2(Bucket="databucket", Prefix=f"tasks/p1/{export}/")
    assert (found["KeyCount"], [row for row in bench.all_rows() if export in row.shard]) == (0, [])


def test_a_deleted_task_is_looked_at_until_its_exports_have_ended(bench, front, finished):
    export = order(front, finished).body["exportId"]
    assert front.send("DELETE", f"{TASKS}/{finished}").status == 204
    for _ in range(2):
        bench.pass_time(hours=25)
        bench.tidy()
    bench.settle("export_table")
    bench.tidy()
    with bench.calls.unwatched():
        found = client("s3").list_objects_v2(Bucket="databucket", Prefix="tasks/p1/")
    # What is empty keeps an erased export, too, for its second round.
    assert {each["Key"] for each in found.get("Contents", []) if each["Size"]} == set()
    assert [row for row in bench.all_rows() if export in row.shard] == []


def test_a_file_that_could_not_be_written_is_tried_again_when_it_is_ordered_again(bench, front, finished):
    (row,) = [row for row in bench.all_rows() if row.data_key]
    dynamodb, key = client("dynamodb"), {"shard": {"S": f"{row.shard}/data"}, "row": {"N": str(1)}}
    with bench.calls.unwatched():
        payload = dynamodb.get_item(TableName="ResultsTable", Key=key)["Item"]
        dynamodb.delete_item(TableName="ResultsTable", Key=key)
    first = order(front, finished).body["exportId"]
    bench.settle("export_table")
    assert front.get(f"{TASKS}/{finished}/exports/{first}").body["status"] == "failed"
    with bench.calls.unwatched():
        dynamodb.put_item(TableName="ResultsTable", Item=payload)
    second = order(front, finished)
    assert (second.status, second.body["exportId"] != first) == (202, True)


@pytest.mark.parametrize(
    ("wish", "field"),
    [
        ({"format": "doc"}, "format"),
        ({"columns": ["nonsense"]}, "columns"),
        ({"language": "de"}, "language"),
        ({"x": 1}, "x"),
    ],
)
def test_an_order_is_refused_with_the_field_when_it_is_wrong(front, finished, wish, field):
    refused = order(front, finished, **wish)
    assert (refused.status, refused.body["field"]) == (400, field)


def test_a_viewer_takes_out_what_it_may_read(bench, front, finished):
    ordered = front.post(f"{TASKS}/{finished}/exports", {"format": "csv"}, groups="[p1:viewer]")
    assert ordered.status == 202
    bench.settle("export_table")
    shown = front.get(f"{TASKS}/{finished}/exports/{ordered.body['exportId']}", groups="[p1:viewer]").body
    assert shown["status"] == "ready"


def test_nothing_of_another_project_is_exported_or_found(bench, front, finished):
    export = order(front, finished).body["exportId"]
    for path in (f"{TASKS}/{finished}/exports", f"{TASKS}/{finished}/exports/{export}"):
        assert front.get(path, groups="[p2]").status == 404
    assert front.post(f"{TASKS}/{finished}/exports", {"format": "csv"}, groups="[p2]").status == 404


def decide(front, task, *decisions):
    made = [{"id": f"i{at}", "before": None, **each} for at, each in enumerate(decisions)]
    answer = front.post(f"{RESULTS}/{task}-0/decisions", {"decisions": made})
    assert answer.status == 200, answer


def test_a_file_has_what_people_decided_and_how_right_the_engine_was_when_they_have(bench, front, finished):
    """And another one is written after the next decision: the same request does not find the file of before."""
    before = order(front, finished).body["exportId"]
    decide(
        front, finished, {"address": "n_randomised", "verb": "correct", "value": 91, "comment": "=1+1"},
        {"address": "masking", "verb": "agree"}, {"address": "doi", "verb": "correct", "value": "10.1/x"},
    )  # fmt: skip
    bench.settle("export_table")
    content = file_of(bench, front, finished)
    assert order(front, finished).body["exportId"] != before
    book = sheets(content)
    head, first = book["Table"][1:3]
    assert dict(zip(head, first, strict=True))[LABEL] == 91
    names, *decisions = book["Decisions"]
    (made,) = [dict(zip(names, row, strict=True)) for row in decisions if row[2] == "n_randomised"]
    assert (made["Decision"], made["Value"], made["The engine had"], made["Comment"]) == ("correct", 91, 90, "=1+1")
    names, *fields = book["How right the engine was"]
    right = {row[0]: dict(zip(names, row, strict=True)) for row in fields}
    assert (right[LABEL]["Another value"], right[LABEL]["Share right of what was found"]) == (1, 0)
    assert len(right) == 3
    wide, _ = csv.DictReader(io.StringIO(file_of(bench, front, finished, format="csv").decode("utf-8-sig")))
    assert (wide["n_randomised"], wide["n_randomised_checked"].split()[0]) == ("91", "correct")
    assert (wide["title_checked"], wide["masking_checked"].split()[0]) == ("", "agree")
    line, *_ = file_of(bench, front, finished, format="jsonl").decode().splitlines()
    read = json.loads(line)
    assert (read["fields"]["doi"]["value"], len(read["decisions"])) == ("10.1/x", 3)
