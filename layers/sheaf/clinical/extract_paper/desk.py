"""The desk of `extract_paper`: reads what is asked for, pins documents and template, and says what it would cost."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Annotated, Any, Literal, NotRequired, TypedDict

from clinical.answered import Cells, at_a_glance, cells, without_quotes
from clinical.extract_paper import estimates, gather, references
from clinical.library.for_tasks import GONE, get_documents_for_extraction, has_knowledge_base
from clinical.own_templates import copies, stored_versions, template_json
from clinical.review import review_heads
from clinical.review.review_shapes import CheckedView, ReviewView
from clinical.templates import Template, inputs
from clinical.templates.fields import version_of
from sheaf import schemas, visible
from sheaf.api import bodies
from sheaf.errors import Conflict, InvalidRequest, Permanent
from sheaf.items import Task
from sheaf.jobs import Ordered
from sheaf.outside.needs import Aws, BatchAws, BatchTables, HasBucket, HasEngines
from sheaf.plain_json import Json, JsonObject
from sheaf.protocol.manifest import PinnedItem
from sheaf.schemas import Count, Id, Said, Schema
from sheaf.settings import ApiSettings

INPUTS_MAX, NAMED_AT_MOST = 10, 20


_OF_REVIEW = "What the template is told of the review, by the names of its `inputs`."
_DEATH = {"assessedOutcome": "Death within 90 days"}
OF_REVIEW = Said(maxProperties=INPUTS_MAX, description=_OF_REVIEW, examples=[_DEATH])
CHECKED = Said(description="In lists: how many cells a person has checked.")


class OrderBody(TypedDict):
    templateId: Annotated[Id, Said(examples=["rct"])]
    documentIds: NotRequired[Annotated[list[Id], Said(minItems=1, maxItems=bodies.DOCUMENTS_MAX, uniqueItems=True)]]
    knowledgeBaseId: NotRequired[Annotated[Id | None, Said(description="Without documentIds: all of it.")]]
    selection: NotRequired[references.SelectionBody | None]
    manifest: NotRequired[references.ManifestKey | None]
    onNotReady: NotRequired[Literal["refuse", "error"]]
    engine: NotRequired[Annotated[str | None, Said(examples=["rules"])]]
    fresh: NotRequired[bool]
    budgetUsd: NotRequired[bodies.BudgetUsd]
    templateInputs: NotRequired[Annotated[dict[str, Annotated[str, Said(maxLength=inputs.TEXT_MAX)]] | None, OF_REVIEW]]


class ExtractPaperView(TypedDict):
    """What the API says of a task of this kind, beside what it says of every task."""

    templateId: str
    templateVersion: Count
    templateInputs: dict[str, str]
    knowledgeBaseId: str | None
    engine: str
    cells: Annotated[Cells, Said(description="The fields of all completed rows; final when the task is closed.")]
    checked: NotRequired[Annotated[CheckedView | None, CHECKED]]


SCHEMA = {**schemas.of_fields(OrderBody), "anyOf": references.ONE_OF_THE_WAYS}


@dataclass(frozen=True)
class Wish:
    """A checked request; whether there are such a template and such documents is not known yet."""

    template_id: str
    document_ids: list[str]
    knowledge_base_id: str | None
    reference: references.Reference | None  # where the documents stand, if not in `document_ids`
    refuse_not_ready: bool
    engine: str | None  # None where the request names none: the deployment's own then
    fresh: bool
    budget: int | None  # in millionths of a dollar
    inputs: dict[str, str]


Items = Sequence[PinnedItem]


def read(settings: ApiSettings, fields: OrderBody) -> Wish:
    """Raises InvalidRequest."""
    engine, engines = fields.get("engine"), settings.engines.names
    if engine is not None and engine not in engines:
        raise InvalidRequest("engine", f"is not configured here; there are: {', '.join(engines)}.")
    reference = references.read(fields)
    given = {name: visible.cleaned(text) for name, text in (fields.get("templateInputs") or {}).items()}
    base = reference.knowledge_base if reference else fields.get("knowledgeBaseId")
    refuse, budget = fields.get("onNotReady", "refuse") == "refuse", bodies.budget(fields.get("budgetUsd"))
    filled = {name: text for name, text in given.items() if text}
    documents, fresh = fields.get("documentIds", []), fields.get("fresh", False)
    return Wish(fields["templateId"], documents, base, reference, refuse, engine, fresh, budget, filled)


def order(world: BatchAws[HasEngines], project: str, wish: Wish) -> Ordered:
    """Pin what is asked for, as it is now; by reference, look at the reference alone. Raises InvalidRequest, Conflict."""
    template, provider = _template(world, project, wish), _provider(world, wish)
    documents: Items | None = None
    told: JsonObject = {}
    if wish.reference:
        told = {**references.checked(world, project, wish.reference), **_costs(world, provider, template)}
    else:
        documents = _pinned(world, project, wish)
        if provider is not None:
            most = world.settings.model_text_bytes
            large = [each.name for each in documents if each.size > most]
            if large:
                reason = f"{len(large)} of {len(documents)} texts have more than {most} bytes, the most that a model is given."
                raise InvalidRequest("documentIds", reason, documentIds=large[:NAMED_AT_MOST])
    kept = {"template": template.pin, "knowledgeBase": wish.knowledge_base_id, "inputs": wish.inputs, "gather": told}
    options: dict[str, Any] = {name: value for name, value in kept.items() if value}
    # With the inputs of a task a template is kept under the name that its pin says; the same inputs are kept once.
    key = stored_versions.object_key(project, template.id, template.edition)
    keep = {key: template_json.stored(template)} if template.given else {}
    cost = estimates.row_cost(world, provider, template, documents) if documents else None
    rows = {**row_options(options), **({"fresh": True} if wish.fresh else {})}
    return Ordered(documents, options, rows, provider=provider, budget=wish.budget, row_cost=cost, keep=keep)


def estimate(world: BatchAws[HasEngines], project: str, wish: Wish) -> estimates.PaperEstimateView:
    """What such a task would cost, before it is opened. Raises InvalidRequest, Conflict."""
    template = _template(world, project, wish)
    documents = _looked_up(world, project, wish.reference) if wish.reference else _pinned(world, project, wish)
    return estimates.estimate(world, _provider(world, wish), template, documents)


def row_options(options: JsonObject) -> JsonObject:
    """What of a task's options each row of its retry gets: a retry takes the replies that were paid for."""
    return {"template": options["template"]}


def pin_again(world: BatchTables, project: str, options: JsonObject, names: Sequence[str]) -> Items:
    """The documents' current versions, refused where there is none. Raises InvalidRequest."""
    base = options.get("knowledgeBase")
    return pin(world, project, base if isinstance(base, str) else None, names, refuse=False)


def pin(world: BatchTables, project: str, base: str | None, documents: Sequence[str], *, refuse: bool) -> Items:
    """Raises InvalidRequest for unknown or another project's ones, and Conflict for unread ones, if `refuse`."""
    found = get_documents_for_extraction(world, project, documents)
    bases = {name: base or each.knowledge_base for name, each in found.items()}
    unknown = [name for name in documents if name not in found or found[name].knowledge_base != bases[name]]
    if unknown:
        if base and not has_knowledge_base(world, project, base):
            raise InvalidRequest("knowledgeBaseId", "is not a knowledge base of this project.")
        place = "knowledge base" if base else "project's library"
        reason = f"{len(unknown)} of {len(documents)} are not in this {place}."
        raise InvalidRequest("documentIds", reason, documentIds=unknown[:NAMED_AT_MOST])
    waiting = [d for d in documents if found[d].pinned.refusal]
    if waiting and refuse:
        reason = f"{len(waiting)} of {len(documents)} documents are not ready to be read."
        waited = [{"documentId": d, "status": found[d].state} for d in waiting[:NAMED_AT_MOST]]
        raise Conflict("documents-not-ready", reason, documents=waited)
    return [found[d].pinned for d in documents]


def pin_late(world: BatchTables, project: str, documents: Sequence[str]) -> dict[str, PinnedItem]:
    found = get_documents_for_extraction(world, project, documents)
    gone = {d: PinnedItem(d, "", None, None, d, GONE) for d in documents}
    return gone | {name: document.pinned for name, document in found.items()}


brief, glance, beside, changes = without_quotes, at_a_glance, review_heads.beside, review_heads.changes


def shown(task: Task, marks: Mapping[str, int]) -> ExtractPaperView:
    options, pin = task.options or {}, (task.options or {})["template"]
    said: Any = {"templateId": pin.partition("@")[0], "templateVersion": version_of(pin)}
    said |= {"templateInputs": options.get("inputs", {}), "knowledgeBaseId": options.get("knowledgeBase")}
    return schemas.show(ExtractPaperView, task, **said, engine=task.provider or "rules", cells=cells(marks))


def given(named: dict[str, Schema]) -> dict[str, Schema]:
    from clinical.extract_paper import results  # noqa: PLC0415 - for the description alone; no request waits for it

    return {**results.described(named), "review": schemas.of(ReviewView, named)}


def _template(world: BatchAws[HasBucket], project: str, wish: Wish) -> Template:
    return inputs.filled(copies.for_task(world, project, wish.template_id), wish.inputs)


def _pinned(world: BatchAws[HasBucket], project: str, wish: Wish) -> Items:
    return pin(world, project, wish.knowledge_base_id, wish.document_ids, refuse=wish.refuse_not_ready)


def _looked_up(world: BatchAws[HasBucket], project: str, reference: references.Reference) -> Items:
    said, most = references.checked(world, project, reference), bodies.DOCUMENTS_MAX
    slices = gather.gather(world, project, {"knowledgeBase": reference.knowledge_base, "gather": said})
    try:
        found = list(islice(chain.from_iterable(slices), most + 1))
    except Permanent as error:
        raise InvalidRequest("manifest", error.message) from error
    if len(found) > most:
        reason = f"is missing, and there are more than {most}, the most of an estimate."
        raise InvalidRequest("documentIds", f"{reason} A task of more may have a budget.")
    return found


def _costs(world: Aws[HasEngines], provider: str | None, template: Template) -> JsonObject:
    """What a row costs without a text and with a megabyte of it: by these `gather` knows the cost of a row, when it knows the sizes."""
    texts = [PinnedItem("", "", None, None, "", size=size) for size in (0, gather.MEGABYTE)]
    costs: list[Json] = [estimates.row_cost(world, provider, template, [text]) for text in texts]
    return {} if provider is None or None in costs else {"costs": costs}


def _provider(world: Aws[HasEngines], wish: Wish) -> str | None:
    engine = wish.engine or world.settings.engines.default
    return None if engine == "rules" else engine
