"""Shapes: what is derived from them, and what is refused by them. That the API keeps to it is for tests/http."""

from types import SimpleNamespace
from typing import Annotated, NotRequired, TypedDict

import jsonschema  # type: ignore[import-untyped]  # comes with cfn-lint and moto
import pytest

import api  # noqa: F401 - fills the description
import openapi
from sheaf import checks, schemas
from sheaf.errors import InvalidRequest
from sheaf.schemas import Count, Said


class PartBody(TypedDict):
    """One of them."""

    name: Annotated[str, Said(maxLength=3, pattern="^[a-z]+$", title="small letters")]


class WholeBody(TypedDict):
    parts: Annotated[list[PartBody], Said(minItems=1)]
    count: NotRequired[Count | None]
    words: NotRequired[Annotated[list[str], Said(uniqueItems=True)]]


class ShelfView(TypedDict):
    name: str
    firstAuthor: str | None
    first: PartBody | None
    size: NotRequired[int]


def test_a_schema_says_what_the_shape_says_when_it_is_derived():
    """Left out, null, closed, described, bounded, and one that is referred to."""
    named: dict[str, schemas.Schema] = {}
    assert schemas.of(WholeBody, named) == schemas.ref("Whole")
    assert named["Part"]["description"] == "One of them."
    whole = named["Whole"]
    assert (whole["required"], whole["additionalProperties"]) == (["parts"], False)
    assert whole["properties"]["parts"]["items"] == schemas.ref("Part")
    assert whole["properties"]["count"] == {"type": ["integer", "null"], "minimum": 0}
    shelf = schemas.of_fields(ShelfView, named)
    assert "additionalProperties" not in shelf
    assert shelf["properties"]["first"] == {"anyOf": [schemas.ref("Part"), {"type": "null"}]}


def test_a_view_is_filled_from_the_item_when_nothing_else_is_said():
    """By the attribute's name, in the shape's order; what may be left out is not looked for."""
    item = SimpleNamespace(name="a", first_author="Lee", size=3)
    view = schemas.show(ShelfView, item, first=None)
    assert list(view.items()) == [("name", "a"), ("firstAuthor", "Lee"), ("first", None)]


GOOD = {"parts": [{"name": "a"}]}


@pytest.mark.parametrize(
    ("body", "field", "word"),
    [
        ({}, "parts", "missing"),
        ({**GOOD, "more": 1}, "more", "there are: count, parts, words"),
        ({"parts": {}}, "parts", "a list"),
        ({"parts": []}, "parts", "1 is the least"),
        ({"parts": [{"name": "a"}, 1]}, "parts[1]", "a JSON object"),
        ({"parts": [{"name": "a"}, {}]}, "parts[1].name", "missing"),
        ({"parts": [{"name": "abcd"}]}, "parts[0].name", "4 characters; 3"),
        ({"parts": [{"name": "a\n"}]}, "parts[0].name", "small letters"),
        ({**GOOD, "count": True}, "count", "a whole number or null"),
        ({**GOOD, "count": 1.5}, "count", "a whole number or null"),
        ({**GOOD, "count": -1}, "count", "less than 0"),
    ],
)
def test_a_request_is_refused_by_its_place_and_in_words_when_it_does_not_fit(body, field, word):
    with pytest.raises(InvalidRequest) as raised:
        checks.check(body, schemas.whole(WholeBody))
    assert (raised.value.field, word in raised.value.reason) == (field, True), raised.value.reason


def test_what_is_named_twice_is_told_under_the_field_s_name_when_a_list_has_it():
    with pytest.raises(InvalidRequest) as raised:
        checks.check({**GOOD, "words": ["a", "b", "a"]}, schemas.whole(WholeBody))
    assert raised.value.details == {"words": ["a"]}


@pytest.mark.parametrize("more", [{}, {"count": None}, {"count": 1.0}, {"words": []}])
def test_a_request_is_taken_when_it_fits(more):
    checks.check({**GOOD, **more}, schemas.whole(WholeBody))


def test_an_example_fits_its_schema_when_one_is_given():
    """And there are some."""
    found = [
        (schema, example)
        for shape in openapi.document()["components"]["schemas"].values()
        for schema in shape.get("properties", {}).values()
        for example in schema.get("examples", [])
    ]
    assert found
    for schema, example in found:
        jsonschema.Draft202012Validator(schema).validate(example)


def test_a_request_names_the_kinds_of_its_desk_when_there_are_several_desks():
    """Each desk's own fields, and the kind's name wherever it is not the first's."""
    desks = {"extract_paper": "clinical.extract_paper.desk", "count_words": "count_words"}
    first, second = openapi.document(desks, ["rules"])["components"]["schemas"]["NewTask"]["oneOf"]
    assert (first["properties"]["kind"], "kind" in first["required"]) == ({"enum": ["extract_paper"]}, False)
    assert (second["properties"]["kind"], second["required"]) == ({"enum": ["count_words"]}, ["items", "kind"])
    assert second["properties"].keys() == {"kind", "name", "idempotencyKey", "mostAtWork", "items"}


def test_a_list_is_refused_for_its_size_before_any_entry_is_looked_at():
    """Mutation caught: entries first, which costs a caller's million of them two seconds of ours."""
    few = {"type": "array", "items": {"type": "string"}, "maxItems": 2, "uniqueItems": True}
    with pytest.raises(InvalidRequest, match="has 3 entries; 2 is the most"):
        checks.check([0, 0, 0], few)
