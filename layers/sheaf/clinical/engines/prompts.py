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
from clinical.templates.fields import LISTS
from sheaf.engine_settings import Asks
from sheaf.model_calls.model_api import Request
from sheaf.plain_json import JsonObject

REPLY_SHOWN = 20_000
MARK = 32  # hexadecimal digits of the fence's number: an author can search for a text that holds its own

ROUND_CHARS = 4_000  # of the passages of one question
VALUE_TOKENS, LIST_TOKENS = 250, 800  # of a reply to one question; a small model that goes on repeats itself

RULES = Path(__file__).with_suffix(".txt").read_text("utf-8").rstrip("\n")
QUESTION = Path(__file__).with_name("field_by_field.txt").read_text("utf-8").rstrip("\n")

ASKED = {
    "integer": "How many? {said} A number.",
    "number": "How much? {said} A number.",
    "boolean": "Is it so? {said} true or false.",
    "enum": "Which of these? {said}",
    "string": "{said} In the paper's words, and short.",
    "[string]": "{said} Each of them.",
    "[object]": "{said} Each of them has:",
}
ASKING = "The form, field by field. The JSON object has exactly these names, each with state, value, quote and page."
FORM = 'For example, a field of text that is found: {"state": "found", "value": "...", "quote": "...", "page": 3}'


def system(fields: Sequence[Field]) -> str:
    shown = "\n".join(_told(field) for field in fields)
    empty = json.dumps({field.name: example(field) for field in fields}, ensure_ascii=False)
    return f"{RULES}\n\n{ASKING}\n{FORM}\n\n{shown}\n\nAs JSON, if nothing were found:\n{empty}"


def digest(fields: Sequence[Field], asks: Asks) -> str:
    """Of all that is the same for every paper: which words a row was asked with."""
    words = system(fields) if asks == "form" else "\n".join([QUESTION, *map(_told, fields)])
    return hashlib.sha256(words.encode()).hexdigest()


def _told(field: Field, depth: int = 0) -> str:
    line = f"{'  ' * depth}- {field.name} ({field.type}): {_put(field)}"
    return "\n".join([line, *(_told(part, depth + 1) for part in field.fields)])


def _put(field: Field) -> str:
    options = f" One of: {', '.join(field.options)}." if field.options else ""
    return f"{field.label}. {field.description}{options}"


def example(field: Field) -> JsonObject:
    empty: JsonObject = {"integer": 0, "number": 0, "boolean": False, "[string]": [], "[object]": []}
    value = empty.get(field.type, reply_schema.ABSENT if field.options else "")
    return {"state": "not_found", "value": value, "quote": "", "page": 0}


def paper(pages: Sequence[Page]) -> str:
    return f"{_fenced(pages)}\n\nFill in the form from this paper. Answer with the JSON object alone."


def _fenced(pages: Sequence[Page]) -> str:
    """The pages with their numbers, letter by letter, between marks made from the text: nobody can write them into it."""
    text = "\n".join(f"[page {page.number}{f': {page.label}' if page.label else ''}]\n{page.text}" for page in pages)
    mark = hashlib.sha256(text.encode(errors="replace")).hexdigest()[:MARK]
    return f"<paper {mark}>\n{text}\n</paper {mark}>"


def first(fields: Sequence[Field], pages: Sequence[Page], output_tokens: int) -> Request:
    return Request(system(fields), (("user", paper(pages)),), reply_schema.schema(fields), output_tokens)


def question(field: Field, passages: Sequence[Page], output_tokens: int) -> Request:
    """The question stands last: the passages of the next one often begin alike, and a provider keeps beginnings."""
    parts = "".join(f"\n{_told(part)}" for part in field.fields)
    asked = ASKED[field.type].format(said=_put(field))
    turn = f"{_fenced(passages)}\n\nQuestion: {asked}{parts}"
    most = LIST_TOKENS if field.type in LISTS else VALUE_TOKENS
    return Request(QUESTION, (("user", turn),), reply_schema.question(field), min(most, output_tokens))


def repair(asked: Request, reply: str, fault: str) -> Request:
    said = (("assistant", reply[:REPLY_SHOWN]),) if reply.strip() else ()
    again = f"That was not accepted. {fault} Answer again with the whole JSON object, corrected."
    # Roles have to alternate.
    *before, (role, text) = asked.turns
    turns = (*asked.turns, *said, ("user", again)) if said else (*before, (role, f"{text}\n\n{again}"))
    return asked._replace(turns=turns)
