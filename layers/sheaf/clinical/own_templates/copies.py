"""A project's own templates: copied from one that there is, changed version by version, pinned by tasks.

A version's object comes before the entry that calls it the newest: who finds it alone finishes what another began.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from clinical import templates
from clinical.engines import reply_schema
from clinical.own_templates import stored_versions, template_json
from clinical.own_templates.template_json import TemplateSummaryView
from clinical.templates import Template
from sheaf import ids
from sheaf.api import bodies
from sheaf.api.access import Caller, Role
from sheaf.api.idempotency import REUSED, Opened, replayed
from sheaf.errors import Conflict, InvalidRequest, NotFound
from sheaf.items import NOBODY, Copy, Task
from sheaf.outside import objects
from sheaf.outside.needs import BatchAws, BatchTables, HasBucket, Objects, Tables, TimedAws, TimedTables
from sheaf.outside.store import Key, assign, get, get_many, put, query_all, update
from sheaf.protocol import quotas
from sheaf.schemas import show
from sheaf.visible import cleaned

COPIES_MAX = 100
COPY, COPY_ZH = " (copy)", "（副本）"


def entry_key(project: str, template_id: str) -> Key:
    return {"entry": f"{project}/template/{template_id}"}


def find(world: Objects, project: str, template_id: str, version: int | None = None) -> Template:
    """A template of this project or a built-in one, in this version or the newest. Raises NotFound."""
    if template_id in templates.BUILT_IN:
        newest_first = reversed(templates.versions(template_id))
        template = next((each for each in newest_first if version in (None, each.version)), None)
    else:
        own = _copy(world, project, template_id)
        wanted = version or own.version
        template = _read(world, project, template_id, wanted) if wanted <= own.version else None
    if template is None:
        raise NotFound("There is no such template, or not in this version.")
    return template


def _read(world: Objects, project: str, template_id: str, version: int) -> Template | None:
    return stored_versions.read(partial(objects.get, world), project, template_id, version)


def of_task(world: Objects, task: Task) -> Template:
    """Read what a task pinned: its version, its inputs, though the copy was deleted since. Raises NotFound."""
    pin = (task.options or {}).get("template", "")
    template = stored_versions.pinned(partial(objects.get, world), task.project, pin)
    if template is None:
        raise NotFound("The template that this task was started with is not here any more.")
    return template


def for_task(world: Objects, project: str, template_id: str) -> Template:
    """The newest version, for a task that is being opened. Raises InvalidRequest."""
    try:
        return find(world, project, template_id)
    except NotFound as error:
        there = ", ".join(templates.BUILT_IN)
        reason = f"is not a template here; there are: {there}, and your own copies."
        raise InvalidRequest("templateId", reason) from error


def every(world: BatchTables, project: str) -> list[TemplateSummaryView]:
    built_in = [template_json.summary(templates.find(name), built_in=True) for name in templates.BUILT_IN]
    # The index has the keys only, and lags.
    listed = query_all(world, Copy, Copy.listed_in == f"{project}/templates", IndexName="by_list")
    found = get_many(world, Copy, [{"entry": each.entry} for each in listed])
    there = (copy for copy in found if not copy.deleted_at)
    copies = sorted(there, key=lambda copy: (copy.created_at, copy.template))
    return built_in + [show(TemplateSummaryView, copy, templateId=copy.template, builtIn=False) for copy in copies]


def clone(
    world: BatchAws[HasBucket], caller: Caller, template_id: str, body: str | None, header_key: str | None
) -> Opened[Template]:
    """A copy of a template for this project, version 1. Raises Forbidden, InvalidRequest, NotFound, Conflict."""
    caller.must_be(Role.EDITOR)
    asked: template_json.CloneBody = bodies.fields_of(body, template_json.CloneBody) if body else {}
    key = bodies.idempotency_key(header_key, asked.get("idempotencyKey"))
    source = find(world, caller.project, template_id)
    label, label_zh = cleaned(asked.get("label", "")), cleaned(asked.get("labelZh", ""))
    seed = f"{caller.project}\n{key}" if key is not None else world.token()
    own_id = f"{source.id.partition('-')[0]}-{hashlib.sha256(seed.encode()).hexdigest()[:10]}"
    opening = hashlib.sha256(json.dumps([template_id, label, label_zh]).encode()).hexdigest()[:20]
    before = get(world, Copy, entry_key(caller.project, own_id))
    if before is None:
        # In neither language are two templates called the same.
        as_copy = source.label[: template_json.LABEL_MAX - len(COPY)] + COPY
        as_copy_zh = source.label_zh[: template_json.LABEL_MAX - len(COPY_ZH)] + COPY_ZH
        label, label_zh = label or as_copy, label_zh or label or as_copy_zh
        copy = replace(source, id=own_id, version=1, label=label, label_zh=label_zh)
        _open(world, caller.project, copy, opening)
    made = before or get(world, Copy, entry_key(caller.project, own_id))
    gone = Conflict("idempotency-key-reused", REUSED)
    replayed(made, same=made is not None and made.opening == opening, deleted=gone)
    return Opened(find(world, caller.project, own_id), replayed=before is not None)


def _open(world: BatchAws[HasBucket], project: str, template: Template, opening: str) -> None:
    if quotas.take(world, project, quotas.Quota("templates", COPIES_MAX, _alive), template.id):
        reason = f"The project has {COPIES_MAX} templates of its own. Delete one that is not needed any more."
        raise Conflict("limit-reached", reason)
    objects.put_once(world, stored_versions.object_key(project, template.id, 1), template_json.stored(template))
    now = world.now()
    said: Any = {**entry_key(project, template.id), "listed_in": f"{project}/templates", "created_at": now}
    entry = Copy(**said, template=template.id, opening=opening, **_newest(template, now))
    put(world, entry, Copy.entry.does_not_exist())


def _newest(template: Template, now: int) -> dict[str, Any]:
    said = {name: getattr(template, name) for name in ("version", "label", "label_zh", "description")}
    return {**said, "field_count": len(template.fields), "updated_at": now}


def _alive(world: BatchTables, project: str, things: Sequence[str]) -> dict[str, bool]:
    found = get_many(world, Copy, [entry_key(project, thing) for thing in things])
    return {copy.template: copy.deleted_at is None for copy in found}


def change(world: TimedAws[HasBucket], caller: Caller, template_id: str, body: str | None) -> Template:
    """A new version of one's own copy. Raises Forbidden, InvalidRequest, NotFound, Conflict."""
    caller.must_be(Role.EDITOR)
    asked = bodies.fields_of(body, template_json.TemplateChangeBody)
    if template_id in templates.BUILT_IN:
        raise Conflict("template-built-in", "A built-in template is never changed. Clone it, and change your copy.")
    copy = _copy(world, caller.project, template_id)
    before = find(world, caller.project, template_id, copy.version)
    template = template_json.changed(before, asked)
    _must_fit(template)
    if asked["version"] != copy.version:
        raise _changed_meanwhile(copy.version)
    key = stored_versions.object_key(caller.project, template_id, template.version)
    first = objects.put_once(world, key, template_json.stored(template))
    there = template if first else _read(world, caller.project, template_id, template.version)
    # The entry follows the object. Refused where it has already, or where the copy was deleted meanwhile.
    actions = assign(Copy, **_newest(there or template, world.now()))
    as_seen = (Copy.version == copy.version) & Copy.deleted_at.does_not_exist()
    update(world, Copy, entry_key(caller.project, template_id), actions, as_seen)
    if there != template:
        raise _changed_meanwhile(template.version)
    return template


def _must_fit(template: Template) -> None:
    choices, letters = reply_schema.size(reply_schema.schema(template.fields))
    for size, most, what in (
        (choices, reply_schema.CHOICES_MAX, "choices in all, three of them each field's status"),
        (letters, reply_schema.LETTERS_MAX, "characters of names and choices in all"),
    ):
        if size > most:
            raise InvalidRequest("fields", f"have {size} {what}; a model takes {most}.")


def delete(world: TimedTables, caller: Caller, template_id: str) -> None:
    """The copy leaves the list; tasks that pinned a version of it keep it. Raises Forbidden, NotFound, Conflict."""
    caller.must_be(Role.EDITOR)
    if template_id in templates.BUILT_IN:
        raise Conflict("template-built-in", "A built-in template cannot be deleted.")
    _copy(world, caller.project, template_id)
    actions = assign(Copy, deleted_at=world.now(), deleted_by=caller.user or NOBODY, listed_in=None)
    update(world, Copy, entry_key(caller.project, template_id), actions, Copy.deleted_at.does_not_exist())


def _changed_meanwhile(version: int) -> Conflict:
    reason = f"The template is at version {version} now. Look at it, and send your change on that."
    return Conflict("template-changed", reason, version=version)


def _copy(world: Tables, project: str, template_id: str) -> Copy:
    copy = get(world, Copy, entry_key(project, template_id)) if ids.NAME.fullmatch(template_id) else None
    if copy is None or copy.deleted_at is not None:
        raise NotFound("There is no such template.")
    return copy
