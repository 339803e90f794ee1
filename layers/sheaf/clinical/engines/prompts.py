"""What a model is told. Pure. What never changes comes first, then the template, then the paper: providers keep prefixes.

All of it is part of a reply's key: to change a word here is to ask anew. The paper's fence is a request, not a defence.
"""

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

from clinical.engines import reply_schema
from clinical.papers import Page
from clinical.templates import Field
from sheaf.model_calls.model_api import Request
from sheaf.plain_json import JsonObject

REPLY_SHOWN = 20_000
MARK = 32  # hexadecimal digits of the fence's number: an author can search for a text that holds its own

RULES = Path(__file__).with_suffix(".txt").read_text("utf-8").rstrip("\n")

ASKING = "The form, field by field. The JSON object has exactly these names, each with state, value, quote and page."
FORM = 'For example, a field of text that is found: {"state": "found", "value": "...", "quote": "...", "page": 3}'


def system(fields: Sequence[Field]) -> str:
    shown = "\n".join(_told(field) for field in fields)
    empty = json.dumps({field.name: example(field) for field in fields}, ensure_ascii=False)
    return f"{RULES}\n\n{ASKING}\n{FORM}\n\n{shown}\n\nAs JSON, if nothing were found:\n{empty}"


def digest(fields: Sequence[Field]) -> str:
    """Of all that is the same for every paper: which words a row was asked with."""
    return hashlib.sha256(system(fields).encode()).hexdigest()


def _told(field: Field, depth: int = 0) -> str:
    options = f" One of: {', '.join(field.options)}." if field.options else ""
    line = f"{'  ' * depth}- {field.name} ({field.type}): {field.label}. {field.description}{options}"
    return "\n".join([line, *(_told(part, depth + 1) for part in field.fields)])


def example(field: Field) -> JsonObject:
    empty: JsonObject = {"integer": 0, "number": 0, "boolean": False, "[string]": [], "[object]": []}
    value = empty.get(field.type, reply_schema.ABSENT if field.options else "")
    return {"state": "not_found", "value": value, "quote": "", "page": 0}


def paper(pages: Sequence[Page]) -> str:
    """The pages with their numbers, letter by letter, between marks made from the text: nobody can write them into it."""
    text = "\n".join(f"[page {page.number}{f': {page.label}' if page.label else ''}]\n{page.text}" for page in pages)
    mark = hashlib.sha256(text.encode(errors="replace")).hexdigest()[:MARK]
    return f"<paper {mark}>\n{text}\n</paper {mark}>\n\nFill in the form from this paper. Answer with the JSON object alone."


def first(fields: Sequence[Field], pages: Sequence[Page], output_tokens: int) -> Request:
    return Request(system(fields), (("user", paper(pages)),), reply_schema.schema(fields), output_tokens)


def repair(asked: Request, reply: str, fault: str) -> Request:
    said = (("assistant", reply[:REPLY_SHOWN]),) if reply.strip() else ()
    again = f"That was not accepted. {fault} Answer again with the whole JSON object, corrected."
    # Roles have to alternate.
    *before, (role, text) = asked.turns
    turns = (*asked.turns, *said, ("user", again)) if said else (*before, (role, f"{text}\n\n{again}"))
    return asked._replace(turns=turns)
