"""A request that names its documents by reference: a knowledge base, some of it, or a manifest in S3."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, TypedDict

from clinical.library.for_tasks import DocumentStatus, has_knowledge_base
from sheaf import ids
from sheaf.errors import InvalidRequest
from sheaf.outside import objects
from sheaf.outside.needs import BatchAws, HasBucket
from sheaf.plain_json import JsonObject
from sheaf.schemas import Id, Said, Schema

MANIFEST_BYTES_MAX = 5_000_000
WAYS = ("documentIds", "selection", "manifest", "knowledgeBaseId")
PART = "[A-Za-z0-9_-][A-Za-z0-9._-]*"
KEY = Said(maxLength=500, pattern=rf"^manifests/{ids.PROJECT.pattern}(/{PART})+$")
ABOUT = Said(description="Document ids, one a line, or a JSON array of them.", examples=["manifests/demo/stroke.txt"])
ManifestKey = Annotated[str, KEY, ABOUT, Said(title="the key of an object under manifests/ and the project's name")]


class SelectionBody(TypedDict):
    """Those documents of a knowledge base that have this status."""

    knowledgeBaseId: Id
    status: DocumentStatus


def _one_way(name: str) -> Schema:
    others = [each for each in WAYS if each != name and (name, each) != ("documentIds", "knowledgeBaseId")]
    absent = {"not": {"required": ["documentIds"]}} if "documentIds" in others else {}
    empty = {each: {"type": "null"} for each in others if each != "documentIds"}
    return {"required": [name], "properties": {name: {"not": {"type": "null"}}, **empty}, **absent}


ONE_OF_THE_WAYS: list[Schema] = [_one_way(name) for name in WAYS]


@dataclass(frozen=True)
class Reference:
    knowledge_base: str | None
    status: str | None
    manifest: str | None


def read(fields: Mapping[str, Any]) -> Reference | None:
    """None for a request that names documents by their ids. Raises InvalidRequest where they are named in two ways, or in none."""
    given = [name for name in WAYS if fields.get(name)]
    if not given:
        raise InvalidRequest("documentIds", "names nothing, and neither do knowledgeBaseId, selection or manifest.")
    if given in (["documentIds"], ["documentIds", "knowledgeBaseId"]):
        return None
    if len(given) > 1:
        raise InvalidRequest(given[1], f"cannot stand beside {given[0]}: name the documents in one way.")
    if fields.get("onNotReady") == "refuse":
        reason = "cannot be kept without documentIds: here a document that is not ready becomes a row with an error."
        raise InvalidRequest("onNotReady", reason)
    some = fields.get("selection") or {}
    base = some.get("knowledgeBaseId", fields.get("knowledgeBaseId"))
    return Reference(base, some.get("status"), fields.get("manifest"))


def checked(world: BatchAws[HasBucket], project: str, wanted: Reference) -> JsonObject:
    """What `gather` is told beside the knowledge base. Raises InvalidRequest, in the same words for another project's as for none."""
    if wanted.manifest is None:
        if not has_knowledge_base(world, project, str(wanted.knowledge_base)):
            field = "selection.knowledgeBaseId" if wanted.status else "knowledgeBaseId"
            raise InvalidRequest(field, "is not a knowledge base of this project.")
        return {"status": wanted.status} if wanted.status else {}
    own = f"manifests/{project}/"
    found = objects.stored(world, wanted.manifest) if wanted.manifest.startswith(own) else None
    if found is None:
        raise InvalidRequest("manifest", f"is not there. A manifest of this project lies under {own}.")
    version, size = found
    if size > MANIFEST_BYTES_MAX:
        raise InvalidRequest("manifest", f"has {size} bytes; {MANIFEST_BYTES_MAX} is the most.")
    return {"manifest": wanted.manifest, "version": version}
