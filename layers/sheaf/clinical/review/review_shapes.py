"""What the API takes and shows of decisions. Pure."""

from typing import Annotated, Literal, NotRequired, TypedDict

from clinical.answered import Reason, State
from clinical.review.cell_addresses import PATTERN
from sheaf.schemas import Count, Id, Instant, Said

DECISIONS_AT_ONCE = 90  # a transaction takes a hundred writes: these, the head and the counts
QUOTE_MAX = COMMENT_MAX = 2_000
SHOWN_MOST = 200
Address = Annotated[str, Said(pattern=PATTERN, title="the address of a cell", examples=["n_randomised"])]
Verb = Literal["agree", "correct", "absent", "comment", "undo"]
How = Annotated[Literal["one", "block"], Said(description="Read one by one, or a block of found cells at once.")]
SEEN = Said(description="The id of the cell as you saw it; null where nobody had decided.")
OF_TASK = Said(description="Of the task; null until somebody has asked for its review.")
Share = Annotated[float, Said(minimum=0, maximum=1)]


class NewDecisionBody(TypedDict):
    id: Annotated[Id, Said(description="Of your own making: what is sent twice under it counts once.")]
    address: Address
    verb: Verb
    value: NotRequired[object]
    quote: NotRequired[Annotated[str | None, Said(maxLength=QUOTE_MAX)]]
    page: NotRequired[Annotated[int | None, Said(minimum=0)]]
    start: NotRequired[Annotated[int | None, Said(minimum=0)]]
    end: NotRequired[Annotated[int | None, Said(minimum=0)]]
    comment: NotRequired[Annotated[str | None, Said(maxLength=COMMENT_MAX)]]
    before: NotRequired[Annotated[Id | None, SEEN]]


class DecisionsBody(TypedDict):
    how: NotRequired[How]
    decisions: Annotated[list[NewDecisionBody], Said(minItems=1, maxItems=DECISIONS_AT_ONCE)]


class CellView(TypedDict):
    """What is decided of a cell. `state` and `reason` are what code says of its quote; the value stands whatever that is."""

    id: Id
    verb: Verb
    value: NotRequired[object]
    quote: NotRequired[str]
    page: NotRequired[Count | None]
    start: NotRequired[Count | None]
    end: NotRequired[Count | None]
    state: NotRequired[State]
    reason: NotRequired[Reason]
    comment: NotRequired[str]
    by: str
    at: Instant
    how: How
    taskId: Id
    stale: NotRequired[Annotated[bool, Said(description="It was decided on another value than the one that is there.")]]


class ReviewView(TypedDict):
    """What people decided on a paper. `checked` counts the cells that nobody has to look at any more."""

    checked: Count
    cells: Annotated[dict[str, CellView], Said(description="By address.")]


class WasView(TypedDict):
    state: State
    value: object


class DecisionView(CellView):
    """One decision, as it was made."""

    address: str
    row: Count
    template: str
    was: Annotated[WasView, Said(description="What the engine had there.")]
    before: Id | None


class DecisionListView(TypedDict):
    decisions: list[DecisionView]


class CheckedView(TypedDict):
    cells: Count
    checked: Count


class DecidedView(TypedDict):
    review: ReviewView
    decisions: list[DecisionView]
    checked: Annotated[CheckedView | None, OF_TASK]


class RightView(TypedDict):
    """The share of the found values that were right, and between what it lies with 95 % (Wilson)."""

    share: Share
    low: Share
    high: Share


class FieldReviewView(CheckedView):
    """`cells`, `checked` and `byBlock` count cells; the others those that were read one by one."""

    byBlock: Count
    agreed: Count
    corrected: Count
    wrong: Count
    missed: Count
    right: RightView | None


class TaskReviewView(CheckedView):
    byBlock: Count
    fields: dict[str, FieldReviewView]
