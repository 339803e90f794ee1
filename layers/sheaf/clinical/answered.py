"""A field's answer, as an engine gives it, and all that a row stores once the paper was asked. Shapes."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, NotRequired, TypeAlias, TypedDict, cast

from sheaf.plain_json import Json, JsonObject
from sheaf.schemas import Count, Said

State: TypeAlias = Literal["found", "unsupported", "contradictory", "not_found", "not_attempted", "not_reported"]
STATES: tuple[State, ...] = ("found", "unsupported", "contradictory", "not_found", "not_attempted", "not_reported")
QUOTED = {"quote", "start", "end", "continued", "evidence"}
GLANCE_LETTERS = 32  # a line and a half of a cell
Reason: TypeAlias = Literal[
    "no_quote", "quote_not_found", "quote_too_short", "number_not_in_quote", "cue_not_in_quote", "judged",
    "words_not_in_quote", "not_a_count", "wrong_place", "denied", "future", "other_study", "other_group",
    "wrong_type", "not_an_option", "claimed",
]  # fmt: skip


class Answer(TypedDict, total=False):
    """What an engine says of a field: a value, its quote, and the letters of the page where that begins and ends."""

    state: str
    value: Any
    quote: str | None
    page: int | None
    start: int | None
    end: int | None
    evidence: list["Answer"]  # of a list, each entry's; of an entry, its quotes; of what is contradictory, both values


class Place(TypedDict):
    """A quote as the paper has it, and the letters of the page where it begins and ends. With `view=values` its page alone."""

    quote: NotRequired[str | None]
    page: Annotated[Count | None, Said(examples=[4])]
    start: NotRequired[Count | None]
    end: NotRequired[Count | None]


class Evidence(Place):
    """A quote, and how well it was found. `continued` has the other parts of one that is cut by a page, a foot or a table."""

    match: Annotated[str | None, Said(enum=["exact", "fuzzy", "not_found", None], description="Where the quote is.")]
    reason: NotRequired[Annotated[Reason, Said(description="Why it does not bear the value out.")]]
    continued: NotRequired[list[Place]]


class Entry(Evidence):
    """An entry of a list, with all of its quotes; or one of two things that a paper says."""

    state: State
    value: Any
    quotation: NotRequired[Annotated[bool, Said(description="The value is the paper's own sentence.")]]
    evidence: NotRequired[list[Evidence]]


class Value(Evidence):
    """A field's value as a row stores it. Those of a list are entries; `evidence` is what contradicts itself."""

    state: State
    value: Any
    quotation: NotRequired[Annotated[bool, Said(description="The value is the paper's own sentence.")]]
    evidence: NotRequired[list[Entry]]


Values: TypeAlias = dict[str, Value]


class RiskOfBias(TypedDict):
    domains: dict[str, str | None]
    overall: str | None
    manySomeConcerns: bool


class Stars(TypedDict):
    stars: dict[str, int]
    selection: int
    comparability: int
    outcome: int
    total: int | None
    level: str | None
    unanswered: list[str]


class Judgements(TypedDict):
    """By the tool of the paper's kind of study; by each where its kind is not known."""

    toolUsed: str | None
    needsHumanReview: bool
    inputs: dict[str, str | None]
    rob2: NotRequired[RiskOfBias]
    nos: NotRequired[Stars]


class PaperData(TypedDict):
    """What was read from a paper: a value for each field of its template."""

    v: Count
    engine: str
    template: Annotated[str, Said(description="Its id, its version, and which inputs it had.", examples=["rct@1"])]
    studyId: Annotated[str | None, Said(examples=["Wu 2015"])]
    doubts: Annotated[
        list[str], Said(description="What does not add up, as `field:reason`.", examples=[["arms:fewer_than_stated"]])
    ]
    fields: Values
    judgements: NotRequired[Judgements]
    usage: dict[str, object]


class Cells(TypedDict):
    """Fields by what is known of them."""

    found: Count
    unsupported: Count
    contradictory: Count
    not_found: Count
    not_attempted: Count
    not_reported: Count


class PaperSummary(TypedDict):
    cells: Cells
    doubts: Annotated[Count, Said(description="How many things do not add up.")]
    study: str | None


def is_found(value: Value | Entry | None) -> bool:
    return value is not None and value["state"] == "found"


def cells(counted: Mapping[str, int]) -> Cells:
    return cast("Cells", {state: counted.get(state, 0) for state in STATES})


def without_quotes(data: JsonObject, _review: JsonObject | None = None) -> JsonObject:
    """A payload with each value's state and page, and of no quote a word or a letter's place."""
    fields = cast("dict[str, JsonObject]", data.get("fields", {}))
    return {**data, "fields": {name: _brief(value) for name, value in fields.items()}}


def at_a_glance(data: JsonObject, review: JsonObject | None) -> JsonObject:
    """Without quotes and with long texts cut; those of fields that people decided on are whole, for these are found by them."""
    decided = {address.partition("/")[0] for address in cast("JsonObject", (review or {}).get("cells") or {})}
    brief = without_quotes(data)
    fields = cast("JsonObject", brief["fields"])
    return {**brief, "fields": {name: value if name in decided else _cut(value) for name, value in fields.items()}}


def _cut(part: Json) -> Json:
    if isinstance(part, str):
        return part if len(part) <= GLANCE_LETTERS else f"{part[:GLANCE_LETTERS]}…"
    if isinstance(part, list):
        return [_cut(each) for each in part]
    return {name: _cut(each) for name, each in part.items()} if isinstance(part, dict) else part


def _brief(value: JsonObject) -> JsonObject:
    kept = {name: part for name, part in value.items() if name not in QUOTED}
    parts = {name: _entries(value.get(name)) for name in ("value", "evidence")}
    return kept | {name: entries for name, entries in parts.items() if entries}


def _entries(part: Json) -> list[Json]:
    found = part if isinstance(part, list) else []
    return [_brief(each) for each in found if isinstance(each, dict) and "state" in each]
