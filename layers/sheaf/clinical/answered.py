"""A field's answer, as an engine gives it, and all that a row stores once the paper was asked. Shapes only."""

from typing import Annotated, Any, NotRequired, TypeAlias, TypedDict

from sheaf.schemas import Count, Said


class Answer(TypedDict, total=False):
    """What an engine says of a field: a value, its quote, and the letters of the page where that begins and ends."""

    status: str
    value: Any
    quote: str | None
    page: int | None
    start: int | None
    end: int | None
    evidence: list["Answer"]


class Place(TypedDict):
    """A quote as the paper has it, and the letters of the page where it begins and ends."""

    quote: str | None
    page: Annotated[Count | None, Said(examples=[4])]
    start: Count | None
    end: Count | None


class Evidence(Place):
    """What bears a value out. `continued` is the other half of a quote that stands in two places."""

    match: Annotated[str | None, Said(enum=["exact", "fuzzy", "not_found", None])]
    reason: NotRequired[Annotated[str, Said(description="Why it is not found, as a word.", examples=["no_quote"])]]
    continued: NotRequired[Place]


class Value(Evidence):
    """A field's value as a row stores it. A list's entries have evidence of their own."""

    value: Any
    state: Annotated[str, Said(enum=["reported", "not_reported", "unclear"])]
    evidence: NotRequired[list[Evidence]]


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
    complete: bool
    reasons: Annotated[list[str], Said(examples=[["arms:fewer_than_stated"]])]
    fields: Values
    judgements: NotRequired[Judgements]
    usage: dict[str, object]


class PaperSummary(TypedDict):
    reported: Count
    of: Count
    unverified: Count
    complete: bool
    study: str | None
