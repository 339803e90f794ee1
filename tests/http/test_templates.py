"""Templates over HTTP: three that are built in, a project's own copies, and tasks that pin a version."""

import copy
from functools import partial
from typing import Any

import pytest

from clinical import templates
from clinical.own_templates import copies, stored_versions, template_json
from sheaf.outside import objects
from tests.http.front import TASKS, Front, stored
from tests.http.front import objects as objects_of

TEMPLATES = "/asl/extraction/templates"


@pytest.fixture
def own(front) -> dict[str, Any]:
    """A copy of the trial's template."""
    answer = front.post(f"{TEMPLATES}/rct/clone", {"label": "Our trials"})
    assert answer.status == 201, answer.text
    return dict(answer.body)


def change(front: Front, template: dict[str, Any], **told: Any) -> Any:
    body = {"version": template["version"], "fields": template["fields"], **told}
    return front.send("PUT", f"{TEMPLATES}/{template['templateId']}", body)


def test_three_templates_are_there_when_a_project_is_new(front):
    listed = front.get(TEMPLATES).body["templates"]
    assert [(each["templateId"], each["version"], each["builtIn"]) for each in listed] == [
        (name, templates.find(name).version, True) for name in ("rct", "cohort", "qc")
    ]
    assert all(each["label"] and each["labelZh"] and each["fieldCount"] > 30 for each in listed)


@pytest.mark.parametrize("name", templates.BUILT_IN)
def test_a_template_shows_every_field_with_labels_in_two_languages_when_it_is_looked_at(front, name):
    shown = front.get(f"{TEMPLATES}/{name}").body
    assert [field["name"] for field in shown["fields"]] == [field.name for field in templates.find(name).fields]
    for field in shown["fields"]:
        assert field["label"]
        assert field["labelZh"]
        assert field["description"]
        assert field["sectionLabel"]
        assert field["sectionLabelZh"]


def test_a_copy_is_the_same_but_for_its_name_when_it_has_just_been_made(front, own):
    original = front.get(f"{TEMPLATES}/rct").body
    assert (own["label"], own["builtIn"], own["version"]) == ("Our trials", False, 1)
    assert own["fields"] == original["fields"]
    assert own["templateId"] != "rct"
    assert front.get(f"{TEMPLATES}/{own['templateId']}").body == own
    assert [each["templateId"] for each in front.get(TEMPLATES).body["templates"]][3:] == [own["templateId"]]


@pytest.mark.parametrize(
    ("asked", "label", "label_zh"),
    [
        ({}, "Quality: risk of bias (copy)", "质量评价：偏倚风险（副本）"),
        ({"label": "Ours"}, "Ours", "Ours"),
        ({"labelZh": "我们的"}, "Quality: risk of bias (copy)", "我们的"),
        ({"label": "Ours", "labelZh": "我们的"}, "Ours", "我们的"),
        ({"label": "O\u202eu\u200brs", "labelZh": "\u3164"}, "Ours", "Ours"),
    ],
)
def test_a_copy_is_called_otherwise_than_its_original_in_both_languages(front, asked, label, label_zh):
    copied = front.post(f"{TEMPLATES}/qc/clone", asked).body
    assert (copied["label"], copied["labelZh"]) == (label, label_zh)


def test_nothing_hidden_is_kept_of_a_template_when_it_is_sent(front, own):
    """In no text of it: what turns text round on a screen, or makes two labels that look alike two."""
    hidden = "\u202eA\u200b\u2066 \u00ad\u3164b\ufeff\n c\u0000"
    field = {"name": "a", "type": "enum", "options": [f"1{hidden}", f"2{hidden}"]}
    field |= dict.fromkeys(("label", "labelZh", "description", "section"), hidden)
    change(front, own, fields=[field], label=hidden, labelZh=hidden, description=hidden)
    shown = front.get(f"{TEMPLATES}/{own['templateId']}").body
    assert {shown[name] for name in ("label", "labelZh", "description")} == {"A b c"}
    (kept,) = shown["fields"]
    assert {kept[name] for name in ("label", "labelZh", "description", "section")} == {"A b c"}
    assert kept["options"] == ["1A b c", "2A b c"]


@pytest.mark.parametrize("version", [0, -1, 1.5, "1", True, None, 10**6])
def test_a_version_is_refused_when_there_can_be_none_of_its_number(front, own, version):
    answer = change(front, own, version=version)
    assert (answer.status, answer.body.get("field")) == (400, "version")


def test_one_copy_is_made_when_a_clone_is_repeated_with_its_key(front):
    """And the key asks for one thing only."""
    first, again = (
        front.post(f"{TEMPLATES}/rct/clone", {"label": "a"}, headers={"idempotency-key": "k"}) for _ in "12"
    )
    assert (first.status, again.status) == (201, 200)
    assert again.body == first.body
    assert again.headers["Idempotency-Replayed"] == "true"
    other = front.post(f"{TEMPLATES}/rct/clone", {"label": "b", "idempotencyKey": "k"})
    assert (other.status, other.problem) == (409, "idempotency-key-reused")
    assert len(front.get(TEMPLATES).body["templates"]) == 4


def test_a_change_is_a_new_version_and_the_old_one_stays_when_it_is_sent(front, own):
    """Added, removed, put in another order, edited; and a version is whole for itself."""
    fields = copy.deepcopy(own["fields"])
    fields = [{"name": "icu_days", "type": "integer", "label": "ICU days"}, *reversed(fields[1:])]
    fields[1]["label"] = "What they conclude"
    answer = change(front, own, fields=fields, label="Ours", labelZh="我们的", description="For our review.")
    assert answer.status == 200, answer.text
    assert answer.body["version"] == 2
    assert [field["name"] for field in answer.body["fields"]] == [field["name"] for field in fields]
    assert answer.body["fields"][0]["labelZh"] == "ICU days"
    assert answer.body["fields"][1]["label"] == "What they conclude"
    address = f"{TEMPLATES}/{own['templateId']}"
    assert front.get(address).body == answer.body
    assert front.get(address, query={"version": "2"}).body == answer.body
    assert front.get(address, query={"version": "1"}).body == own
    (listed,) = front.get(TEMPLATES).body["templates"][3:]
    assert (listed["version"], listed["label"], listed["labelZh"]) == (2, "Ours", "我们的")
    assert listed["fieldCount"] == len(fields)


def test_a_choices_own_words_are_kept_and_read_back_when_a_copy_has_some(front, own):
    field = {
        "name": "form",
        "type": "enum",
        "label": "Form",
        "options": ["tablet", "other"],
        "cues": {"tablet": ["pill*", "药片"]},
        "optionsZh": {"tablet": " 片剂 "},
    }
    flag = {"name": "warm", "type": "boolean", "label": "Warm", "cues": {"true": ["the room was warm"]}}
    answer = change(front, own, fields=[field, flag, *own["fields"]])
    assert answer.status == 200, answer.text
    assert [each["cues"] for each in answer.body["fields"][:3]] == [field["cues"], flag["cues"], {}]
    assert [each["optionsZh"] for each in answer.body["fields"][:3]] == [{"tablet": "片剂"}, {}, {}]
    address = f"{TEMPLATES}/{own['templateId']}"
    assert front.get(address).body == answer.body


def test_a_change_is_refused_when_it_was_made_on_an_older_version(front, own):
    assert change(front, own, label="first").status == 200
    late = change(front, own, label="second")
    assert (late.status, late.problem, late.body["version"]) == (409, "template-changed", 2)
    assert front.get(f"{TEMPLATES}/{own['templateId']}").body["label"] == "first"


def test_a_change_that_broke_off_is_finished_when_the_next_one_finds_it(bench, front, own):
    """Mutation caught: a version's object overwritten, so that a task's pin would change under it."""
    world = bench.api_world
    begun = template_json.changed(
        copies.find(world, "p1", own["templateId"]), {"label": "begun", "fields": own["fields"]}
    )
    key = stored_versions.object_key("p1", own["templateId"], 2)
    assert objects.put_once(world, key, template_json.stored(begun))
    late = change(front, own, label="late")
    assert (late.status, late.problem) == (409, "template-changed")
    shown = front.get(f"{TEMPLATES}/{own['templateId']}").body
    assert (shown["version"], shown["label"]) == (2, "begun")
    assert change(front, shown, label="third").body["version"] == 3


@pytest.mark.parametrize(("method", "path"), [("PUT", ""), ("DELETE", "")], ids=["change", "delete"])
def test_a_built_in_template_is_never_changed_when_somebody_asks(front, method, path):
    body = {"version": 1, "fields": front.get(f"{TEMPLATES}/rct").body["fields"]} if method == "PUT" else None
    answer = front.send(method, f"{TEMPLATES}/rct{path}", body)
    assert (answer.status, answer.problem) == (409, "template-built-in")


def test_a_deleted_copy_is_gone_but_for_the_tasks_that_pinned_it(bench, front, own):
    front.started([bench.probe()], templateId=own["templateId"])
    assert front.send("DELETE", f"{TEMPLATES}/{own['templateId']}").status == 204
    assert front.get(f"{TEMPLATES}/{own['templateId']}").status == 404
    assert front.send("DELETE", f"{TEMPLATES}/{own['templateId']}").status == 404
    assert change(front, own).status == 404
    assert len(front.get(TEMPLATES).body["templates"]) == 3
    assert front.start([bench.probe()], templateId=own["templateId"]).status == 400
    pinned = stored_versions.pinned(partial(objects.get, bench.api_world), "p1", bench.row().options["template"])
    assert pinned is not None
    assert pinned.id == own["templateId"]


def test_a_task_keeps_its_columns_when_its_template_is_changed_and_deleted(bench, front, own):
    """As it pinned them. Mutation caught: the newest version shown, or the copy's entry asked whether it is there."""
    task = front.started([bench.probe()], templateId=own["templateId"])
    assert change(front, own, label="two", fields=own["fields"][1:]).status == 200
    assert front.send("DELETE", f"{TEMPLATES}/{own['templateId']}").status == 204
    address = f"{TASKS}/{task}/template"
    assert front.get(address).body == own
    assert Front(bench, "p2").get(address).status == 404


def test_a_task_shows_what_its_template_was_told_when_it_was_started_with_inputs(bench, front):
    told = "90-day mortality"
    task = front.started([bench.probe()], templateId="qc", templateInputs={"assessedOutcome": told})
    shown = front.get(f"{TASKS}/{task}/template").body
    assert (shown["templateId"], shown["version"], shown["builtIn"]) == ("qc", 1, True)
    (field,) = (field for field in shown["fields"] if field["name"] == "assessed_outcome")
    assert told in field["description"]


def test_a_task_s_template_is_not_found_when_its_object_is_gone(bench, front, own):
    task = front.started([bench.probe()], templateId=own["templateId"])
    key = stored_versions.object_key("p1", own["templateId"], 1)
    bench.api_world.client("s3").delete_object(Bucket="databucket", Key=key)
    answer = front.get(f"{TASKS}/{task}/template")
    assert (answer.status, answer.body["detail"]) == (
        404,
        "The template that this task was started with is not here any more.",
    )


def test_a_task_pins_the_newest_version_when_it_is_opened_with_a_copy(bench, front, own):
    """And keeps it when the copy goes on."""
    assert change(front, own, label="two").status == 200
    task = front.started([bench.probe()], templateId=own["templateId"])
    assert change(front, {**own, "version": 2}, label="three").status == 200
    shown = front.get(f"{TASKS}/{task}").body
    assert (shown["templateId"], shown["templateVersion"]) == (own["templateId"], 2)
    assert bench.row().options["template"] == f"{own['templateId']}@2"


def test_a_copy_is_not_there_when_another_project_asks(bench, front, own):
    """The same words as for none."""
    stranger = Front(bench, "p2")
    address = f"{TEMPLATES}/{own['templateId']}"
    for answer in (
        stranger.get(address),
        stranger.post(f"{address}/clone"),
        change(stranger, own),
        stranger.send("DELETE", address),
    ):
        assert (answer.status, answer.body["detail"][:26]) == (404, "There is no such template."[:26])
    assert len(stranger.get(TEMPLATES).body["templates"]) == 3
    refused = stranger.start([bench.paper("{}", project="p2")], templateId=own["templateId"])
    assert (refused.status, refused.body["field"]) == (400, "templateId")


def test_a_viewer_looks_and_changes_nothing(front, own):
    viewer = {"groups": "[p1:viewer]"}
    address = f"{TEMPLATES}/{own['templateId']}"
    assert front.get(TEMPLATES, **viewer).status == 200
    assert front.get(address, **viewer).status == 200
    body = {"version": 1, "fields": own["fields"]}
    assert front.post(f"{TEMPLATES}/rct/clone", **viewer).status == 403
    assert front.send("PUT", address, body, **viewer).status == 403
    assert front.send("DELETE", address, **viewer).status == 403


GOOD = {"name": "a", "type": "string", "label": "A"}


def _choices(count):
    """So many fields of thirty choices: with `not_reported` and its status, each has 34."""
    options = [f"option {number}" for number in range(30)]
    return [{"name": f"field_{n}", "type": "enum", "label": f"Field {n}", "options": options} for n in range(count)]


def test_a_template_is_taken_when_it_has_as_many_choices_as_a_model_takes_and_no_more(front):
    """A provider's 400 for its schema would come at every paper. 29 fields of 34 choices are 986, 30 are 1,020."""
    copy = front.post(f"{TEMPLATES}/rct/clone").body
    answer = front.send("PUT", f"{TEMPLATES}/{copy['templateId']}", {"version": 1, "fields": _choices(30)})
    assert (answer.status, answer.body["field"]) == (400, "fields")
    assert "1020 choices" in answer.body["reason"]
    answer = front.send("PUT", f"{TEMPLATES}/{copy['templateId']}", {"version": 1, "fields": _choices(29)})
    assert answer.status == 200


@pytest.mark.parametrize(
    ("fields", "at"),
    [
        (None, "fields"),
        ([], "fields"),
        ([GOOD] * (template_json.FIELDS_MAX + 1), "fields"),
        (_choices(30), "fields"),
        (["a"], "fields[0]"),
        ([GOOD | {"more": 1}], "fields[0].more"),
        ([GOOD | {"name": "A"}], "fields[0].name"),
        ([GOOD | {"name": "1a"}], "fields[0].name"),
        ([GOOD | {"name": "a" * 41}], "fields[0].name"),
        ([GOOD | {"name": "quote"}], "fields[0].name"),
        ([GOOD | {"type": "text"}], "fields[0].type"),
        ([GOOD | {"label": ""}], "fields[0].label"),
        ([GOOD | {"label": "x" * 81}], "fields[0].label"),
        ([GOOD | {"label": "\u200b \u3164"}], "fields[0].label"),
        ([GOOD | {"description": 1}], "fields[0].description"),
        ([GOOD, GOOD | {"label": "B"}], "fields[1].name"),
        ([GOOD, GOOD | {"name": "b"}], "fields[1].label"),
        ([GOOD | {"labelZh": "甲"}, {"name": "b", "type": "string", "label": "B", "labelZh": "甲"}], "fields[1].labelZh"),
        ([GOOD | {"options": ["x"]}], "fields[0].options"),
        ([GOOD | {"type": "enum"}], "fields[0].options"),
        ([GOOD | {"type": "enum", "options": ["x"]}], "fields[0].options"),
        ([GOOD | {"type": "enum", "options": ["x", "y"], "cues": {"z": ["w"]}}], "fields[0].cues.z"),
        ([GOOD | {"type": "enum", "options": ["x", "y"], "optionsZh": {"z": "w"}}], "fields[0].optionsZh.z"),
        ([GOOD | {"type": "enum", "options": ["x", "y"], "optionsZh": {"x": " "}}], "fields[0].optionsZh.x"),
        ([GOOD | {"type": "enum", "options": ["x", "y"], "cues": {"x": ["..."]}}], "fields[0].cues.x[0]"),
        ([GOOD | {"type": "enum", "options": ["x", "y"], "cues": {"x": [1]}}], "fields[0].cues.x[0]"),
        ([GOOD | {"type": "enum", "options": ["x", "y"], "cues": {"x": ["w" * 61]}}], "fields[0].cues.x[0]"),
        ([GOOD | {"type": "enum", "options": ["x", "y"], "cues": {"x": ["w"] * 31}}], "fields[0].cues.x"),
        ([GOOD | {"cues": {"true": ["w"]}}], "fields[0].cues.true"),
        ([GOOD | {"type": "enum", "options": ["x", "X"]}], "fields[0].options"),
        ([GOOD | {"type": "enum", "options": ["x", 1]}], "fields[0].options[1]"),
        ([GOOD | {"fields": [GOOD]}], "fields[0].fields"),
        ([GOOD | {"type": "[object]"}], "fields[0].fields"),
        ([GOOD | {"type": "[object]", "fields": [GOOD, GOOD]}], "fields[0].fields[1].name"),
        ([GOOD | {"type": "[object]", "fields": [GOOD | {"type": "[object]"}]}], "fields[0].fields[0].type"),
    ],
)  # fmt: skip
def test_a_change_is_refused_and_says_where_when_a_field_is_wrong(front, own, fields, at):
    """Names, types, depth, count, size, reserved names, labels that are there twice."""
    answer = change(front, own, fields=fields)
    assert (answer.status, answer.body.get("field")) == (400, at), answer.text
    assert front.get(f"{TEMPLATES}/{own['templateId']}").body == own


@pytest.mark.parametrize("version", ["0", "-1", "x", "1.0", "9999999", "²"])
def test_a_version_that_is_no_number_is_refused_when_it_is_asked_for(front, version):
    answer = front.get(f"{TEMPLATES}/rct", query={"version": version})
    assert (answer.status, answer.body["field"]) == (400, "version")


@pytest.mark.parametrize("name", ["rct", "own"])
def test_a_version_that_is_not_there_is_not_found_when_it_is_asked_for(front, own, name):
    address = f"{TEMPLATES}/{own['templateId'] if name == 'own' else 'rct'}"
    assert front.get(address, query={"version": "7"}).status == 404


def test_no_more_copies_are_made_when_a_project_has_very_many(front, monkeypatch):
    monkeypatch.setattr(copies, "COPIES_MAX", 2)
    assert [front.post(f"{TEMPLATES}/rct/clone").status for _ in "123"] == [201, 201, 409]


def test_nothing_is_written_when_the_templates_are_listed_and_looked_at(bench, front):
    """Built-in templates are code: a second deploy has nothing to seed. Mutation caught: anything written at a reading."""
    with bench.calls.watch() as calls:
        first, second = front.get(TEMPLATES).body, front.get(TEMPLATES).body
        assert front.get(f"{TEMPLATES}/qc").status == 200
    assert first == second
    assert set(calls.operations) <= {"Query", "BatchGetItem"}


# ---------------------------------------------------------------------------------------------------- inputs

GIVEN = {"mainConfounder": " age ", "adequateFollowUp": "5 years", "assessedOutcome": ""}


def test_a_template_says_which_inputs_it_takes_when_it_is_looked_at(front):
    taken = {
        name: [each["name"] for each in front.get(f"{TEMPLATES}/{name}").body["inputs"]] for name in templates.BUILT_IN
    }
    assert taken == {"rct": [], "cohort": [], "qc": ["assessedOutcome", "mainConfounder", "adequateFollowUp"]}


def test_a_task_keeps_what_it_was_told_of_the_review_and_shows_it(bench, front):
    """Its version is the template's; the same inputs are one object."""
    first, again = (front.start([bench.probe()], templateId="qc", templateInputs=GIVEN) for _ in "12")
    assert (first.status, again.status) == (202, 202)
    shown = front.task(first.body["taskId"])
    assert (shown["templateId"], shown["templateVersion"]) == ("qc", 1)
    assert shown["templateInputs"] == {"mainConfounder": "age", "adequateFollowUp": "5 years"}
    assert len([key for key, _ in objects_of(bench, "templates/")]) == 1
    assert front.task(front.started([bench.probe()]))["templateInputs"] == {}


def test_a_task_is_repeated_only_with_the_same_inputs_when_its_key_is_used_again(bench, front):
    document = bench.probe()
    told = [GIVEN, {**GIVEN, "mainConfounder": "age"}, {"mainConfounder": "sex"}, None]
    answers = [front.start([document], key="k", templateId="qc", templateInputs=given) for given in told]
    assert [answer.status for answer in answers] == [202, 200, 409, 409]


@pytest.mark.parametrize(
    ("template", "given", "field"),
    [
        ("rct", {"mainConfounder": "age"}, "templateInputs.mainConfounder"),
        ("qc", {"dose": "5 mg"}, "templateInputs.dose"),
        ("qc", {"mainConfounder": 5}, "templateInputs.mainConfounder"),
        ("qc", {"mainConfounder": None}, "templateInputs.mainConfounder"),
        ("qc", {"mainConfounder": ["a"]}, "templateInputs.mainConfounder"),
        ("qc", {"mainConfounder": "x" * 201}, "templateInputs.mainConfounder"),
        ("qc", {f"n{number}": "x" for number in range(11)}, "templateInputs"),
        ("qc", ["age"], "templateInputs"),
        ("qc", "age", "templateInputs"),
    ],
)
def test_inputs_are_refused_before_anything_is_written_when_they_are_wrong(bench, front, template, given, field):
    document = bench.probe()
    before = stored(bench)
    answer = front.start([document], templateId=template, templateInputs=given)
    assert (answer.status, answer.body.get("field")) == (400, field), answer.text
    assert stored(bench) == before


def test_nothing_is_written_when_the_documents_are_refused_that_inputs_were_given_for(bench, front):
    before = stored(bench)
    assert front.start(["nowhere"], templateId="qc", templateInputs=GIVEN).status == 400
    assert stored(bench) == before


def test_an_estimate_refuses_what_a_task_would_refuse_and_writes_nothing(bench, front):
    body = {"templateId": "qc", "documentIds": [bench.probe()], "templateInputs": GIVEN}
    before = stored(bench)
    assert front.post(f"{TASKS}/estimate", body).status == 200
    refused = front.post(f"{TASKS}/estimate", {**body, "templateId": "rct"})
    assert (refused.status, refused.body["field"]) == (400, "templateInputs.adequateFollowUp")
    assert stored(bench) == before
