"""The API's description, from its routes and from the shapes that they take and give."""

import html
import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from string import Template
from typing import Any, is_typeddict

from problems import ProblemView
from routes import Operation
from sheaf import jobs, schemas
from sheaf.api import bodies, tasks
from sheaf.schemas import Schema, ref

OPERATIONS: list[Operation] = []  # those of every router that the API includes
DESKS = {"extract_paper": "clinical.extract_paper.desk"}  # the product's own kinds, and where each is ordered
TEXT = {"type": "string"}
BEARER = {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"}
OpenApi = dict[str, Any]
BARE = {str: "Html", OpenApi: "OpenApi"}  # what is given that is no shape of ours
WORDS: dict[str, Any] = json.loads(Path(__file__).with_name("openapi_words.json").read_text("utf-8"))
PAGE = Template(Path(__file__).with_name("reader.html").read_text("utf-8").rstrip("\n"))


def allowed(path: str) -> list[str]:
    of_path = [item for item in OPERATIONS if re.fullmatch(re.sub(r"{\w+}", "[^/]+", item.path), path)]
    return sorted({method for item in of_path for method in (*item.methods, "OPTIONS")})


def document(desks: Mapping[str, str] | None = None, engines: Sequence[str] = ()) -> OpenApi:
    """OpenAPI 3.1; of a deployment, with its engines and its kinds of work, each with the module of its desk."""
    return _document(tuple((desks or {}).items()), tuple(engines))


@cache
def _document(desks: tuple[tuple[str, str], ...], engines: tuple[str, ...]) -> dict[str, Any]:
    paths: dict[str, Any] = {}
    for item in OPERATIONS:
        paths.setdefault(item.path, {})[item.method.lower()] = _described(item)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Sheaf", "version": "1", "description": WORDS["about"]},
        "servers": [{"url": "../..", "description": "Where this description is."}],
        "paths": paths,
        "components": {"schemas": _schemas(dict(desks), engines), "securitySchemes": {"token": BEARER}},
        "security": [{"token": []}],
    }


def _schemas(desks: Mapping[str, str], engines: Sequence[str]) -> dict[str, Schema]:
    named: dict[str, Schema] = {"Html": TEXT, "OpenApi": {"type": "object"}}
    for shape in (ProblemView, *(shape for item in OPERATIONS for shape in (item.body, item.gives))):
        if is_typeddict(shape):
            schemas.of(shape, named)
    there = {desk: _order(desk, desks, engines) for desk in (desks or DESKS).values()}
    named["NewTask"] = next(iter(there.values())) if len(there) == 1 else {"oneOf": list(there.values())}
    for desk in map(jobs.desk, there):
        _add(named, "Task", desk.shown)
        _add(named, "Estimate", desk.estimate, always=len(there) == 1)
    rows = [jobs.desk(desk).given(named) for desk in there]
    for part in {name for each in rows for name in each}:
        given = [each[part] for each in rows if part in each]
        named["Result"]["properties"][part] = {"anyOf": [*given, {"type": "null"}]}
    return named


def _order(desk: str, desks: Mapping[str, str], engines: Sequence[str]) -> Schema:
    whole = tasks.order_schema(jobs.desk(desk))
    properties, required = {**whole["properties"]}, [*whole["required"]]
    if desks:
        properties["kind"] = {"enum": sorted(kind for kind, its in desks.items() if its == desk)}
        required += [] if desk == next(iter(desks.values())) else ["kind"]
        properties |= {"engine": {"enum": [*engines, None]}} if "engine" in properties else {}
    return {**whole, "properties": properties, "required": required}


def _add(named: dict[str, Schema], name: str, verb: Any, *, always: bool = False) -> None:
    shape = verb.__annotations__["return"]
    if is_typeddict(shape):
        beside = schemas.of_fields(shape, named)
        named[name] = {**named[name], "properties": named[name]["properties"] | beside["properties"]}
        named[name] |= {"required": beside["required"]} if always else {}


def _described(item: Operation) -> dict[str, Any]:
    described = {"operationId": item.name, "summary": item.summary, "responses": _responses(item)}
    parameters = [_parameter(name, "path", required=True) for name in re.findall(r"{(\w+)}", item.path)]
    parameters += [_parameter(name, "query", **asked) for name, asked in item.asked.items()]
    if item.tagged:
        parameters.append(_parameter("If-None-Match", "header", description="An ETag."))
    if item.of_project:
        parameters.append(_parameter("Sheaf-Project", "header", description="If you have several."))
    if item.keyed:
        parameters.append(_parameter("Idempotency-Key", "header", schema=schemas.of(bodies.Key)))
    if item.takes:
        content = {"application/json": {"schema": ref(item.takes)}}
        described["requestBody"] = {"required": item.takes not in {"Retry", "Clone"}, "content": content}
    return {**described, "parameters": parameters, **({"security": []} if item.open_to_all else {})}


def _parameter(name: str, place: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "in": place, "schema": TEXT, **more}


def _responses(item: Operation) -> dict[str, Any]:
    kind, shape = "text/html" if item.gives is str else "application/json", item.gives
    name = BARE.get(shape) or schemas.name(shape) if shape else ""
    content = {"content": {kind: {"schema": ref(name)}}} if name else {}
    given: dict[str, Any] = {str(item.status): {"description": "Done.", **content}}
    if item.keyed or item.found_again:
        given["200"] = {"description": "Done by an earlier request for the same.", **content}
        given = {status: {**each, "headers": _headers(WORDS["headers"][status])} for status, each in given.items()}
    if item.tagged:
        given["200"]["headers"] = _headers(WORDS["etag"])
        given["304"] = {"description": "As you have it already.", "headers": _headers(WORDS["etag"])}
    return {**given, **{status: _refusal(status) for status in item.refusals}}


def _refusal(status: str) -> dict[str, Any]:
    problem = {"content": {"application/problem+json": {"schema": ref("Problem")}}}
    waits = {"headers": _headers(WORDS["headers"][status])} if status in WORDS["headers"] else {}
    return {"description": WORDS["refusals"][status], **({} if status == "401" else problem), **waits}


def _headers(said: dict[str, str]) -> dict[str, Any]:
    return {name: {"description": text, "schema": TEXT} for name, text in said.items()}


def page() -> str:
    return PAGE.substitute(sections="".join(section(item) for item in OPERATIONS))


def section(item: Operation) -> str:
    shape = document()["components"]["schemas"].get(item.takes or "", {}).get("properties", {})
    fields = "".join(f"<dt>{name}</dt><dd>{html.escape(_shape_said(value))}</dd>" for name, value in shape.items())
    asked = "".join(f"<dt>?{name}</dt><dd>{html.escape(each['description'])}</dd>" for name, each in item.asked.items())
    access = "open to all" if item.open_to_all else "signed in"
    said = f"<p>{html.escape(item.summary)} Answers {item.status}, {access}.</p>"
    return f"<h2>{item.method} {html.escape(item.path)}</h2>{said}<dl>{fields}{asked}</dl>"


def _shape_said(shape: dict[str, Any]) -> str:
    if "enum" in shape:
        return " or ".join(shape["enum"])
    kind = shape.get("type", "anything")
    return kind if isinstance(kind, str) else " or ".join(kind)
