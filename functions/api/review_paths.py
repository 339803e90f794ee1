"""Paths of what people decide on the cells of a table."""

from typing import Annotated

import front
import task_paths
from clinical.review import asked_decisions, check_counts, decide
from clinical.review.review_shapes import Address, DecidedView, DecisionListView, DecisionsBody, TaskReviewView
from routes import CONFLICT, TOO_MUCH, Routes
from sheaf.api import bodies, tasks
from sheaf.schemas import Said

DECISIONS = "/api/v1/asl/extraction/results/<result_id>/decisions"
AddressAsked = Annotated[Address, Said(description="Only decisions on this cell.")]

routes = Routes()


@routes.operation("POST", DECISIONS, "Decide on cells of a row.", body=DecisionsBody, refuses=CONFLICT)
def decide_cells(result_id: str) -> DecidedView:
    world, caller = front.world(), front.caller()
    body = bodies.fields_of(front.body(front.SMALL_BODY), DecisionsBody)
    on = asked_decisions.subject(world, caller, *task_paths.place(result_id))
    return decide.decide(world, caller, on, asked_decisions.asked(world, on, body))


@routes.operation("GET", DECISIONS, "What was decided on its paper, newest first.")
def list_decisions(result_id: str, address: AddressAsked | None = None) -> DecisionListView:
    return decide.history(front.world(), task_paths.place(result_id), address)


@routes.operation(
    "GET", f"{task_paths.ONE}/review", "How much is checked, and how right the engine was.", refuses=TOO_MUCH
)
def get_review(task_id: str) -> TaskReviewView:
    world, caller = front.world(), front.caller()
    return check_counts.review(world, caller.user, tasks.find(world, caller, task_id))


@routes.operation(
    "DELETE", "/api/v1/pkb/documents/<document_id>/decisions", "Erase what was decided on it, for ever.", status=204
)
def erase_decisions_of(document_id: str) -> None:
    decide.erase(front.world(), front.caller(), document_id)
