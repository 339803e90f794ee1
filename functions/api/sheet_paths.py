"""Paths of sheets: a workbook's session, its clean table, and what is changed in it."""

from typing import Annotated

from aws_lambda_powertools.event_handler import Response

import front
from routes import CONFLICT, TOO_MUCH, Routes
from sheaf.schemas import Said
from sheets import session_shapes as shapes
from sheets import sessions
from sheets.session_shapes import NewSessionBody, SavedTableBody

SESSIONS = "/api/v1/dc/sessions"
SESSION = f"{SESSIONS}/<session_id>"
DATA = f"{SESSION}/data"
RowsAsked = Annotated[int, Said(minimum=1, maximum=shapes.ROWS_MAX, description="How many rows; 50 without it.")]
FromRow = Annotated[int, Said(minimum=0, maximum=999_999, description="The first of them, counted from 0.")]
WHICH = "Which sheet, counted from 0; the first that holds a table without it."
SheetAsked = Annotated[int, Said(minimum=0, maximum=9_999, description=WHICH)]

routes = Routes()


def _found(session_id: str) -> sessions.Workbook:
    return sessions.find(front.world(), front.caller(), session_id)


@routes.operation("GET", SESSIONS, "The project's workbooks, newest first.")
def list_sessions() -> shapes.SessionListView:
    return {"sessions": [sessions.view(each) for each in sessions.every(front.world(), front.caller())]}


@routes.operation("POST", SESSIONS, "A new workbook.", body=NewSessionBody, status=201, refuses=TOO_MUCH)
def create_session() -> Response[shapes.OpenedSessionView]:
    world = front.world()
    made = sessions.create(world, front.caller(), front.body(front.SMALL_BODY), front.key())
    upload = sessions.upload_form(world, made.item)
    shown: shapes.OpenedSessionView = {"session": sessions.view(made.item), "upload": upload}
    return front.opened(201, made.replayed, shown, f"{SESSIONS}/{made.item.first.id}")


@routes.operation(
    "GET", SESSION, "One workbook: its sheets and what their columns hold.", tagged=True, refuses=CONFLICT
)
def get_session(session_id: str) -> shapes.SessionDetailView:
    return sessions.detail(front.world(), front.caller(), _found(session_id))


@routes.operation("DELETE", SESSION, "Erase it, with its files.", status=204)
def delete_session(session_id: str) -> None:
    sessions.delete(front.world(), front.caller(), session_id)


@routes.operation("GET", f"{SESSION}/status", "How far it is.", tagged=True)
def get_session_status(session_id: str) -> shapes.SessionStatusView:
    return sessions.status(_found(session_id))


@routes.operation("GET", f"{SESSION}/preview", "Some rows of its clean table.", refuses=CONFLICT)
def preview_session(
    session_id: str, rows: RowsAsked | None = None, offset: FromRow | None = None, sheet: SheetAsked | None = None
) -> shapes.SheetRowsView:
    world, caller, found = front.world(), front.caller(), _found(session_id)
    return sessions.rows(world, caller, found, sheet=sheet, offset=offset or 0, count=rows or 50)


@routes.operation("GET", DATA, "Its clean table and its workbook, for a while.", refuses=CONFLICT)
def get_session_data(session_id: str) -> shapes.SheetDataView:
    return sessions.data(front.world(), front.caller(), _found(session_id))


@routes.operation(
    "PUT", DATA, "Save a changed table as its next version.", body=SavedTableBody, status=202, refuses=TOO_MUCH
)
def save_session_data(session_id: str) -> shapes.SessionStatusView:
    return sessions.status(sessions.save(front.world(), front.caller(), session_id, front.body()))
