"""File names as they may be shown (never part of a key), types by their endings, ids and object keys. Pure."""

import hashlib
import re

from sheaf import ids
from sheaf.visible import cleaned

SHOWN_BYTES, HEAD_BYTES = 255, 220
SAMES = 8  # documents of the same bytes that one knowledge base may have had: all but one were deleted or replaced
TYPES = {".pdf": "application/pdf", ".xml": "application/xml", ".nxml": "application/xml", ".txt": "text/plain"}
_ENDINGS = (re.escape(each[0]) + "".join(f"[{c.upper()}{c}]" for c in each[1:]) for each in TYPES)
ENDING = re.compile(f"(?:{'|'.join(_ENDINGS)})$")
"""An ending of these in letters of either size; also for JSON Schema, which knows no flags."""
ARRIVED = re.compile(rf"documents/({ids.PROJECT.pattern})/({ids.NAME.pattern})/[0-9a-f]{{20}}\.[a-z]{{3,4}}")


def shown(filename: str) -> str:
    """A file name cleaned for people: its last part, without what cannot be seen or turns text round."""
    return shown_name(re.split(r"[/\\]", filename)[-1]).strip(". ") or "document"


def shown_name(name: str) -> str:
    """A name from outside as it may be shown: without controls and the like, spaces made one, not too long."""
    seen = cleaned(name)
    raw = seen.encode()
    if len(raw) <= SHOWN_BYTES:
        return seen
    return f"{raw[:HEAD_BYTES].decode(errors='ignore')}…{raw[HEAD_BYTES - SHOWN_BYTES + 3 :].decode(errors='ignore')}"


def ending(filename: str) -> str:
    return str(ENDING.findall(filename)[-1]).lower()


def base_id(project: str, seed: str) -> str:
    return "k" + hashlib.sha256(f"{project}\n{seed}".encode()).hexdigest()[:19]


def document_id(project: str, knowledge_base: str, sha256: str, number: int = 0) -> str:
    """The same bytes in the same knowledge base are the same document; `number` where that one is gone."""
    again = f"/{number}" if number else ""
    return "d" + hashlib.sha256(f"{project}/{knowledge_base}/{sha256}{again}".encode()).hexdigest()[:19]


def file_key(project: str, document: str, sha256: str, suffix: str) -> str:
    return f"documents/{project}/{document}/{sha256[:20]}{suffix}"


def text_key(project: str, document: str, sha256: str, attempt: int) -> str:
    return f"texts/{project}/{document}/{sha256[:20]}-{attempt}.json"


def arrived(key: str) -> tuple[str, str] | None:
    found = ARRIVED.fullmatch(key)
    return (found[1], found[2]) if found else None
