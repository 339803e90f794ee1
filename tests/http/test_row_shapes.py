"""What a paper's row holds is described for its template: real rows fit, and a value of another type does not."""

from copy import deepcopy
from functools import cache
from typing import Any

import jsonschema  # type: ignore[import-untyped]  # comes with cfn-lint and moto
import pytest

import api  # noqa: F401 - makes its routes as it is imported
import openapi
from clinical import templates
from clinical.evidence.check_answer import absent
from clinical.extract_paper import work
from clinical.extract_paper.results import typed
from clinical.papers import Page, Paper
from clinical.templates import Field
from sheaf.jobs import Done, Job
from sheaf.protocol.manifest import PinnedItem
from tests.support.stack_file import ROOT

COMPONENTS = openapi.document(openapi.DESKS, ["rules"])["components"]
ROW = COMPONENTS["schemas"]["Result"]["properties"]
SAMPLES = ("wu-2015", "attia-2017", "joo-2015")
WRONG: dict[str, Any] = {"string": 1, "integer": 1.5, "number": "2", "boolean": "yes", "enum": "nothing of it"}
PINS = [each.pin for name in templates.BUILT_IN for each in templates.versions(name)]


def fits(value: object, schema: dict[str, Any]) -> bool:
    return bool(jsonschema.Draft202012Validator({**schema, "components": COMPONENTS}).is_valid(value))


@cache
def row(pin: str, sample: str = SAMPLES[0]) -> Done:
    """What the worker stores of a sample."""
    content = Paper("text", (Page(1, (ROOT / "tests" / "data" / f"{sample}.txt").read_text()),)).to_json().encode()
    item = PinnedItem("d1", "texts/p1/d1.json", "v1", None, "a.txt")
    return work.work(Job("p1/t1", 0, 1, item, {"template": pin}, lambda: content, lambda _: b"", lambda: 60.0))


@pytest.mark.parametrize("sample", SAMPLES)
@pytest.mark.parametrize("pin", PINS)
def test_a_real_row_fits_when_its_template_is_built_in(pin, sample):
    """As it is, with the inputs of a task, and as the row of a project's copy."""
    done = row(pin, sample)
    assert any(value["state"] == "found" for value in done.data["fields"].values())
    assert fits(done.summary, ROW["summary"])
    for name in (pin, f"{pin}~3f08aace12", "rct-mine@1"):
        assert fits({**done.data, "template": name}, ROW["extractedData"]), name


@pytest.mark.parametrize("pin", PINS)
def test_a_value_of_another_type_does_not_fit_when_its_template_is_built_in(pin):
    """Field by field; in a copy, whose fields are not known, it may be anything."""
    data, (template_id, _, _) = row(pin).data, pin.partition("@")
    for field in templates.find(template_id).fields:
        wrong = deepcopy(data)
        wrong["fields"][field.name]["value"] = WRONG.get(field.type, [1])
        assert not fits(wrong, ROW["extractedData"]), field.name
        assert fits({**wrong, "template": "rct-mine@1"}, ROW["extractedData"]), field.name


@pytest.mark.parametrize("name", ["template", "fields", "doubts"])
def test_a_row_does_not_fit_when_a_part_is_missing(name):
    data = row("rct@1").data
    assert not fits({key: value for key, value in data.items() if key != name}, ROW["extractedData"])


def test_a_row_does_not_fit_when_a_field_is_missing_or_has_no_such_state():
    data = row("rct@1").data
    without = {name: value for name, value in data["fields"].items() if name != "doi"}
    strange = {**data["fields"], "doi": {**data["fields"]["doi"], "state": "perhaps"}}
    assert not fits({**data, "fields": without}, ROW["extractedData"])
    assert not fits({**data, "fields": strange}, ROW["extractedData"])


def test_the_example_of_a_value_fits_when_it_is_read():
    """Examples are words for readers, which no tool checks by itself."""
    (example,) = COMPONENTS["schemas"]["Value"]["examples"]
    assert fits(example, {"$ref": "#/components/schemas/Value"})
    assert len(example["quote"]) == example["end"] - example["start"]


@pytest.mark.parametrize(
    ("told", "good"),
    [
        ({"value": {"arm": "A", "n": 3}}, True),
        ({"value": {"arm": "A"}}, True),
        ({"value": None}, True),
        ({"value": {"n": "3"}}, False),
        ({"value": {"arm": "A"}, "state": "perhaps"}, False),
        ({"value": {"arm": "A"}, "evidence": [{}]}, False),
    ],
)
def test_an_entry_is_held_to_its_columns_when_a_field_is_a_table(told, good):
    parts = (Field("arm", "string", "Arm", "组", ""), Field("n", "integer", "Number", "人数", ""))
    entry = {**absent("found"), **told}
    assert fits([entry], typed(Field("arms", "[object]", "Arms", "组", "", fields=parts))) is good


def test_rows_of_each_kind_fit_when_a_deployment_has_several():
    """The core asks each desk, and knows none of the shapes."""
    told = openapi.document({**openapi.DESKS, "count_words": "count_words"}, ["rules"])["components"]
    judge = jsonschema.Draft202012Validator(
        {**told["schemas"]["Result"]["properties"]["extractedData"], "components": told}
    )
    good: list[Any] = [{"words": 3}, row("rct@1").data, None]
    bad: list[Any] = [{"words": "3"}, {}, []]
    assert [judge.is_valid(data) for data in good] == [True] * 3
    assert [judge.is_valid(data) for data in bad] == [False] * 3
