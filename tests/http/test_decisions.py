"""What people decide on cells: once, in order, nobody's over another's; kept beside the engine's answer and shown with it."""

import json
from contextlib import suppress
from typing import Any

import pytest

from clinical.papers import Page, Paper
from clinical.review import decided_values
from clinical.review.cell_addresses import digest
from sheaf.plain_json import JsonObject
from sheaf.protocol import payloads
from tests.http.front import RESULTS, TASKS, lay_down
from tests.support.bench import Killed
from tests.support.clients import client
from tests.support.items import a_row, a_task

QUOTE = "Ninety patients were randomised to tea or to water in Norway."
TEXT = f"Tea for thirsty men: a randomised controlled trial\n\nAbstract\n\n{QUOTE} The trial was double-blind."
TEA: JsonObject = {"name": "Tea", "n_randomised": 45}
WATER: JsonObject = {"name": "Water", "n_randomised": 40}
HERE = f"{RESULTS}/t1-0/decisions"


def found(value, **more):
    return {"state": "found", "value": value, "quote": QUOTE, "page": 1, "start": 0, "end": 9, "match": "exact", **more}


def nothing(state="not_found"):
    return {"state": state, "value": None, "quote": None, "page": None, "start": None, "end": None, "match": None}


FIELDS = {
    "n_randomised": found(90),
    "design": found("parallel"),
    "title": {**found("Tea for men"), "state": "unsupported", "reason": "words_not_in_quote"},
    "doi": nothing(),
    "arms": {**found([found(TEA), found(WATER)])},
    "countries": {**found([found("Norway")])},
}
ARM = digest(TEA)


def lay(bench, fields=FIELDS, task="t1", rows=1, **more) -> None:
    """A closed task with a paper that was read: its text, and this payload."""
    made = [
        a_row(
            "completed",
            shard=f"p1/{task}/{n // 250:04d}",
            row=n,
            document=f"d{n}",
            data_key=payloads.BESIDE,
            token=f"{task}{n}",
            pinned_version=None,
        )
        for n in range(rows)
    ]
    lay_down(
        bench,
        a_task(
            task=f"p1/{task}", kind="extract_paper", options={"template": "rct@1"}, status="completed", active=None,
            total=rows, completed=rows, **more,
        ),
        made,
    )  # fmt: skip
    with bench.calls.unwatched():
        for row in made:
            payloads.write(bench.api_world, row, {"v": 1, "template": "rct@1", "fields": fields}, None)
            text = Paper("text", (Page(1, TEXT),)).to_bytes()
            client("s3").put_object(Bucket="databucket", Key=row.pinned_key, Body=text)


def says(address="n_randomised", verb="agree", name="i1", before=None, **more):
    return {"id": name, "address": address, "verb": verb, "before": before, **more}


def decide(front, *decisions, at=HERE, **more):
    return front.post(at, {"decisions": list(decisions), **more})


def row(front, task="t1"):
    (only,) = front.get(f"{TASKS}/{task}/results", query={"view": "values"}).body["results"]
    assert only["review"] == front.get(f"{RESULTS}/{task}-0").body["review"]
    return only


def test_a_decision_is_shown_beside_the_engines_answer_when_it_was_made(bench, front):
    lay(bench)
    assert row(front)["review"] is None
    answer = decide(front, says())
    assert answer.status == 200, answer
    cell = answer.body["review"]["cells"]["n_randomised"]
    assert (cell["id"], cell["verb"], cell["how"], cell["taskId"]) == ("i1", "agree", "one", "t1")
    assert row(front)["review"] == answer.body["review"]
    assert answer.body["review"]["checked"] == 1
    assert row(front)["extractedData"]["fields"]["n_randomised"]["value"] == 90
    (decision,) = front.get(HERE).body["decisions"]
    assert decision["was"] == {"state": "found", "value": 90}
    assert (decision["template"], decision["before"], decision["row"]) == ("rct@1", None, 0)


def test_a_decision_counts_once_when_it_is_sent_twice(bench, front):
    lay(bench)
    first, second = decide(front, says()), decide(front, says())
    assert (second.status, second.body) == (200, first.body)
    assert len(front.get(HERE).body["decisions"]) == 1
    other = decide(front, says(verb="absent"))
    assert (other.status, other.problem) == (409, "idempotency-key-reused")


def test_a_decision_counts_once_when_its_reply_was_lost_and_another_followed(bench, front):
    """The first is found by its id, though it holds no more."""
    lay(bench)
    decide(front, says())
    decide(front, says(verb="absent", name="i2", before="i1"))
    again = decide(front, says())
    assert (again.status, again.body["review"]["cells"]["n_randomised"]["id"]) == (200, "i2")
    assert [each["id"] for each in front.get(HERE).body["decisions"]] == ["i2", "i1"]


def test_a_decision_is_made_when_aws_took_it_and_lost_the_reply(bench, front):
    """And before it answered, whoever it was."""
    lay(bench)
    with bench.calls.watch() as calls:
        decide(front, says("design", name="i0"))
    write = calls.operations.index("TransactWriteItems")
    for name, cut in (("i1", "lose_reply_of"), ("i2", "cut_after"), ("i3", "cut_before")):
        decision = says(["n_randomised", "title", "doi"][int(name[1]) - 1], name=name)
        with bench.calls.watch(), suppress(Killed):
            setattr(bench.calls, cut, write)
            decide(front, decision)
        assert decide(front, decision).status == 200
        assert [each["id"] for each in front.get(HERE).body["decisions"]].count(name) == 1


def test_the_second_gets_both_when_two_decide_on_one_cell(bench, front):
    lay(bench)
    decide(front, says())
    late = decide(front, says(verb="correct", name="i2", value="91"), says("design", name="i3"))
    assert (late.status, late.problem) == (409, "decided-meanwhile")
    (conflict,) = late.body["conflicts"]
    assert (conflict["address"], conflict["yours"]["value"], conflict["theirs"]["id"]) == ("n_randomised", 91, "i1")
    assert set(row(front)["review"]["cells"]) == {"n_randomised"}, "all of a request or none of it"
    assert decide(front, says(verb="correct", name="i2", value="91", before="i1")).status == 200


def test_a_correction_is_typed_and_its_quote_confirmed_when_it_is_made(bench, front):
    """The person's value stands, whatever code says of the quote."""
    lay(bench)
    good = decide(front, says(verb="correct", value="90", quote="Ninety patients were randomised", page=1))
    assert good.status == 200, good
    cell = good.body["review"]["cells"]["n_randomised"]
    assert (cell["value"], cell["state"], cell["page"], TEXT[cell["start"] : cell["end"]]) == (
        90, "found", 1, "Ninety patients were randomised",
    )  # fmt: skip
    bad = decide(front, says(verb="correct", name="i2", before="i1", value=7, quote="Seven men were there."))
    cell = bad.body["review"]["cells"]["n_randomised"]
    assert (cell["value"], cell["state"], cell["reason"]) == (7, "unsupported", "quote_not_found")
    with bench.calls.unwatched():
        client("s3").delete_object(Bucket="databucket", Key=bench.all_rows()[0].pinned_key)
    cell = decide(front, says(verb="correct", name="i3", before="i2", value=8, quote="Gone.")).body["review"]["cells"]
    assert (cell["n_randomised"]["quote"], "state" in cell["n_randomised"]) == ("Gone.", False), "erased since"


@pytest.mark.parametrize(
    ("decision", "field"),
    [
        (says(verb="correct", value="many"), "decisions[0].value"),
        (says(verb="correct"), "decisions[0].value"),
        (says("design", "correct", value="a new one"), "decisions[0].value"),
        (says("nonsense"), "decisions[0].address"),
        (says("n_randomised/0123456789ab"), "decisions[0].address"),
        (says("arms/0123456789ab/name"), "decisions[0].address"),
        (says(f"arms/{ARM}/nonsense"), "decisions[0].address"),
        (says("../p2"), "decisions[0].address"),
        (says("arms/+0123456789ab/name"), "decisions[0].verb"),
        (says(verb="comment"), "decisions[0].comment"),
        (says(verb="undo"), "decisions[0].before"),
        (says(verb="comment", comment="x" * 2_001), "decisions[0].comment"),
        (says(verb="shrug"), "decisions[0].verb"),
    ],
)
def test_a_decision_is_refused_when_it_fits_no_cell(bench, front, decision, field):
    lay(bench)
    answer = decide(front, decision)
    assert (answer.status, answer.body["field"]) == (400, field)
    assert front.get(HERE).body["decisions"] == []


def test_taking_back_restores_what_held_before_when_it_is_done_step_by_step(bench, front):
    lay(bench)
    decide(front, says())
    decide(front, says(verb="absent", name="i2", before="i1"))
    decide(front, says(verb="comment", name="i3", before="i2", comment="Really?"))
    cell = row(front)["review"]["cells"]["n_randomised"]
    assert (cell["id"], cell["verb"], cell["comment"]) == ("i3", "absent", "Really?")
    seen = []
    for name, before in (("u1", "i3"), ("u2", "i2"), ("u3", "i1")):
        answer = decide(front, says(verb="undo", name=name, before=before))
        assert answer.status == 200, answer
        seen.append(answer.body["review"]["cells"].get("n_randomised", {}).get("id"))
    assert seen == ["i2", "i1", None]
    assert row(front)["review"] is None
    assert len(front.get(HERE).body["decisions"]) == 6


def test_a_comment_checks_nothing_when_it_is_all_there_is(bench, front):
    lay(bench)
    answer = decide(front, says(verb="comment", comment="Look at the table.\x00"))
    assert answer.body["review"]["checked"] == 0
    after = decide(front, says(name="i2", before="i1")).body["review"]
    assert (after["checked"], after["cells"]["n_randomised"]["comment"]) == (1, "Look at the table.")


def test_lists_are_decided_entry_by_entry_and_member_by_member(bench, front):
    lay(bench)
    answer = decide(
        front,
        says(f"arms/{ARM}/name", name="a"),
        says(f"arms/{ARM}/n_randomised", "correct", "b", value="50"),
        says(f"arms/{digest(WATER)}", "absent", "c"),
        says("arms/+0123456789ab/name", "correct", "d", value="Milk"),
        says(f"countries/{digest('Norway')}", "agree", "e"),
        says(f"arms/{ARM}/dose", "correct", "f", value="1 cup"),
    )
    assert answer.status == 200, answer
    assert answer.body["review"]["checked"] == 5, "two members, two of the entry that is wrong, one country"
    shown = front.get(f"{TASKS}/t1/review").body
    arms = shown["fields"]["arms"]
    assert (arms["cells"], arms["checked"], arms["agreed"], arms["corrected"], arms["wrong"], arms["missed"]) == (
        4, 4, 1, 1, 2, 1,
    )  # fmt: skip


def test_a_block_is_counted_apart_when_found_cells_are_agreed_to_at_once(bench, front):
    lay(bench)
    assert decide(front, says("n_randomised"), says("doi", name="i2"), how="block").status == 400
    assert decide(front, says("n_randomised"), says("design", name="i2"), how="block").status == 200
    decide(front, says("doi", "correct", "i3", value="10.1/x"))
    shown = front.get(f"{TASKS}/t1/review").body
    assert (shown["cells"], shown["checked"], shown["byBlock"]) == (9, 3, 2)
    assert shown["fields"]["design"]["right"] is None, "nobody read it"
    assert shown["fields"]["doi"]["missed"] == 1


def test_counts_follow_each_decision_when_the_review_was_asked_for(bench, front):
    """The counts that are written with decisions are those that counting anew gives."""
    lay(bench)
    assert decide(front, says()).body["checked"] is None
    assert front.get(f"{TASKS}/t1/review").body["checked"] == 1
    assert decide(front, says("design", "absent", "i2")).body["checked"] == {"cells": 9, "checked": 2}
    assert decide(front, says(verb="undo", name="i3", before="i1")).body["checked"] == {"cells": 9, "checked": 1}
    written = front.get(f"{TASKS}/t1/review").body
    (task,) = front.get(TASKS).body["tasks"]
    assert task["checked"] == {"cells": 9, "checked": 1}
    with bench.calls.unwatched():
        key = {"paper": {"S": "p1/task/t1"}, "place": {"S": "checked"}}
        client("dynamodb").delete_item(TableName="ReviewsTable", Key=key)
    assert front.get(f"{TASKS}/t1/review").body == written
    assert (written["fields"]["design"]["wrong"], written["fields"]["design"]["right"]["share"]) == (1, 0)


def test_a_decision_holds_for_another_task_when_document_field_and_value_are_the_same(bench, front):
    """And says so where the value is another; either is counted on the other task when its review is asked for."""
    lay(bench)
    lay(bench, {**FIELDS, "design": found("crossover")}, "t2")
    assert front.get(f"{TASKS}/t2/review").body["checked"] == 0
    bench.pass_time(seconds=10)
    decide(front, says(), says("design", name="i2"))
    other = row(front, "t2")["review"]
    assert other["checked"] == 1
    assert [other["cells"][name].get("stale") for name in ("n_randomised", "design")] == [None, True]
    assert front.get(f"{TASKS}/t2/review").body["checked"] == 1
    late = decide(front, says(name="i3"), at=f"{RESULTS}/t2-0/decisions")
    assert late.body["conflicts"][0]["theirs"]["taskId"] == "t1"


def test_a_closed_table_is_sent_again_when_somebody_decided_since(bench, front):
    """However many rows it has, and also on another task's table."""
    for rows, task in ((1, "t1"), (101, "t2")):
        lay(bench, task=task, rows=rows)
    for task in ("t1", "t2"):
        path = f"{TASKS}/{task}/results"
        tag = front.get(path).headers["ETag"]
        assert front.get(path, headers={"if-none-match": tag}).status == 304
        bench.pass_time(seconds=1)
        decide(front, says(name=f"i{task}", verb="comment", comment=task, before=None if task == "t1" else "it1"))
        after = front.get(path, headers={"if-none-match": tag})
        assert (after.status, after.body["results"][0]["review"]["cells"]["n_randomised"]["comment"]) == (200, task)


@pytest.mark.parametrize(("rows", "undecided", "decided"), [(50, 3, 4), (600, 10, 13)])
def test_a_table_is_read_with_its_decisions_in_few_requests(bench, front, rows, undecided, decided):
    """Two pages of 600 rows: where nobody of the project has ever decided, no request more than without decisions."""
    lay(bench, rows=rows)
    made = []
    for _ in range(2):
        with bench.calls.watch() as calls:
            assert len(front.table("t1", view="values")) == rows
        made.append(len(calls.made))
        decide(front, says())
        bench.pass_time(minutes=10)
    assert made == [undecided, decided]


def test_decisions_outlive_the_task_when_it_is_deleted(bench, front):
    lay(bench)
    decide(front, says())
    assert front.send("DELETE", f"{TASKS}/t1").status == 204
    lay(bench, task="t2")
    assert row(front, "t2")["review"]["checked"] == 1


def test_decisions_are_erased_by_an_admin_alone_and_leave_no_word(bench, front):
    lay(bench)
    decide(front, says(verb="correct", value=1234567, comment="confidential"))
    front.get(f"{TASKS}/t1/review")
    path = "/pkb/documents/d0/decisions"
    assert front.send("DELETE", path).status == 403
    bench.pass_time(seconds=20)
    assert front.send("DELETE", path, groups="[p1:admin]").status == 204
    assert row(front)["review"] is None
    assert front.get(HERE).body["decisions"] == []
    left = json.dumps(bench._scan("ReviewsTable"))
    assert "1234567" not in left
    assert "confidential" not in left
    assert front.get(f"{TASKS}/t1/review").body["checked"] == 0
    assert decide(front, says(name="i9")).body["review"]["checked"] == 1


def test_a_viewer_reads_decisions_and_makes_none(bench, front):
    lay(bench)
    assert front.post(HERE, {"decisions": [says()]}, groups="[p1:viewer]").status == 403
    assert front.get(HERE, groups="[p1:viewer]").status == 200


def test_nothing_is_decided_when_the_row_was_not_read(bench, front):
    lay_down(bench, a_task(task="p1/t1", total=1), [a_row("error", shard="p1/t1/0000", row=0)])
    answer = decide(front, says())
    assert (answer.status, answer.problem) == (409, "row-not-completed")


def test_a_decision_goes_in_when_somebody_decides_on_another_cell_at_that_moment(bench, front):
    """Tried again on what is there then; and where others are always quicker, by the caller."""
    lay(bench)
    made = [None]

    def another(_number, operation, _arguments):
        if operation == "TransactWriteItems" and len(made) <= most:
            answer = decide(front, says("title", "comment", f"x{len(made)}", made[-1], comment="x"))
            made.append(answer.body["decisions"][0]["id"])

    for most, status, address in ((2, 200, "n_randomised"), (99, 503, "design")):  # noqa: B007 - `another` asks it
        with bench.calls.watch() as calls:
            calls.on_call = another
            assert decide(front, says(address, name=address)).status == status


def test_no_word_of_a_person_is_logged_when_he_decides(bench, front, heard):
    lay(bench)
    decide(front, says(verb="correct", value=7654321, quote="Ninety patients", comment="A secret remark."))
    decide(front, says(verb="correct", value=7654321, quote="Ninety patients", comment="A secret remark."))
    assert not [line for line in heard if "7654321" in line or "secret" in line or "Ninety" in line]


def test_a_review_counts_nothing_when_a_kind_of_work_has_no_cells(bench, front):
    task = front.started([bench.probe()])
    bench.settle("probe")
    told = front.get(f"{TASKS}/{task}/review")
    assert (told.status, told.body["cells"], told.body["fields"]) == (200, 0, {})


def test_an_entry_without_a_value_is_in_the_file_when_a_person_gives_it_one(bench):
    """What the engine could not read as a number: its parts are the person's alone."""
    fields: Any = {"arms": {**found([{**nothing("unsupported"), "reason": "wrong_type"}])}}
    place = f"arms/{digest(None)}/name"
    made: Any = {
        place: {"id": "i1", "verb": "correct", "value": "Tea", "by": "u1", "at": 1, "how": "one", "of": digest(None)}
    }
    (entry,) = decided_values.decided(fields, made)["arms"]["value"]
    assert (entry["value"], entry["state"], entry["checked"]) == ({"name": "Tea"}, "found", "correct by u1")
