"""What callers of sheets send, and what they are shown. Pure."""

from typing import Annotated, Literal, NotRequired, TypedDict

from sheaf.api.bodies import Key
from sheaf.outside.objects import FileLinkView, UploadFormView
from sheaf.schemas import Count, Id, Instant, Said, Sha256, visible_text
from sheets.column_view import ColumnView, Value

FILENAME_MAX = 400
CELLS_MAX = 20_000
ROWS_MAX = 200  # of one preview
State = Literal["processing", "ready", "error"]
Step = Literal["uploading", "waiting", "reading", "cleaning", "saving"]
Place = Annotated[int, Said(minimum=0, maximum=2_000_000)]
CHANGED = "The version that is changed; another's change since then is a conflict."
Version = Annotated[int, Said(minimum=1, description=CHANGED)]


class NewSessionBody(TypedDict):
    filename: Annotated[str, visible_text(FILENAME_MAX), Said(examples=["registry.xlsx"])]
    size: Annotated[int, Said(minimum=1, examples=[3_100_000])]
    sha256: Sha256
    idempotencyKey: NotRequired[Key | None]


class ChangedCellBody(TypedDict):
    row: Place
    column: Place
    value: Value


class SavedTableBody(TypedDict):
    """Either cells and rows that were changed, or a whole table: `columns` and `rows`."""

    version: Version
    sheet: NotRequired[Place]
    cells: NotRequired[Annotated[list[ChangedCellBody], Said(maxItems=CELLS_MAX)]]
    removedRows: NotRequired[Annotated[list[Place], Said(maxItems=CELLS_MAX)]]
    columns: NotRequired[Annotated[list[str], Said(minItems=1)]]
    rows: NotRequired[list[list[Value]]]


class SaveView(TypedDict):
    """A version that somebody saved and that is not the one that is shown, or not yet."""

    version: Count
    status: State
    step: Step | None
    errorMessage: str | None


class SessionStatusView(TypedDict):
    sessionId: Id
    status: State
    step: Annotated[Step | None, Said(description="What is done now; null where nothing is.")]
    version: Annotated[Count, Said(description="The one that is shown.")]
    errorMessage: str | None
    save: SaveView | None


class SessionView(SessionStatusView):
    filename: str
    size: Count
    createdAt: Instant
    createdBy: str | None
    expiresAt: Annotated[Instant, Said(description="Then it and its files are erased.")]


class SheetNoteView(TypedDict):
    code: Annotated[str, Said(description="What was left out or trimmed.")]
    count: Count
    examples: list[str]


class SheetView(TypedDict):
    name: str
    rows: Count
    columns: list[ColumnView]
    headerRow: Annotated[int | None, Said(description="Counted from 1.")]
    notes: list[SheetNoteView]
    problem: Annotated[str | None, Said(description="Why no table could be made of it.")]


class SessionDetailView(SessionView):
    sheets: list[SheetView] | None


class SessionListView(TypedDict):
    sessions: list[SessionView]


class OpenedSessionView(TypedDict):
    session: SessionView
    upload: Annotated[UploadFormView | None, Said(description="None where the time for it is over, or it has come.")]


class SheetRowsView(TypedDict):
    version: Count
    sheet: Count
    offset: Count
    total: Count
    columns: list[str]
    rows: Annotated[
        list[list[Value]], Said(description="Fewer than asked for where they are wide; the rest with a later offset.")
    ]


class SheetDataView(TypedDict):
    version: Count
    clean: Annotated[
        FileLinkView | None, Said(description="JSON Lines, packed by gzip: what there is, then each row as a list.")
    ]
    original: FileLinkView
