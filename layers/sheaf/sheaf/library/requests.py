"""What a caller of the library asked for, read and checked before anything is written. Pure. Raises InvalidRequest."""

import re
from dataclasses import dataclass
from typing import Any

from sheaf.errors import InvalidRequest
from sheaf.library import names
from sheaf.requests import fields_of

FILES_MAX = 100
FILE_BYTES_MAX = 50_000_000
NAME_MAX = 120
FILENAME_MAX = 2_000
SHA256 = re.compile(r"[0-9a-f]{64}")
FILE_FIELDS = {"filename", "size", "sha256"}


@dataclass(frozen=True)
class File:
    """One file that is to be uploaded."""

    filename: str
    suffix: str
    size: int
    sha256: str

    @property
    def content_type(self) -> str:
        return names.TYPES[self.suffix]


def new_base(body: str | None) -> tuple[str, Any]:
    """The name of a new knowledge base, and the idempotency key if the body names one."""
    fields = fields_of(body, {"name", "idempotencyKey"})
    name = fields.get("name")
    shown = names.shown_name(name) if isinstance(name, str) else ""
    if not isinstance(name, str) or not shown:
        raise InvalidRequest("name", "is missing; a knowledge base needs one that can be seen.")
    if len(name) > NAME_MAX:
        raise InvalidRequest("name", f"is longer than {NAME_MAX} characters.")
    return shown, fields.get("idempotencyKey")


def new_files(body: str | None) -> list[File]:
    """The files that are to be uploaded together."""
    files = fields_of(body, {"files"}).get("files")
    if not isinstance(files, list) or not files:
        raise InvalidRequest("files", "is missing; a list of files is expected.")
    if len(files) > FILES_MAX:
        raise InvalidRequest("files", f"has {len(files)} files; {FILES_MAX} is the most at once.")
    return [_file(told, f"files[{number}]") for number, told in enumerate(files)]


def new_version(body: str | None) -> File:
    """The file that is to take a document's place."""
    return _file(fields_of(body, FILE_FIELDS), "")


def page_number(text: str | None) -> int | None:
    """Which page of a document's text; None for all of them."""
    if text is None or text == "":
        return None
    if not text.isascii() or not text.isdigit() or len(text) > 6 or not int(text):  # noqa: PLR2004 - digits of a page
        raise InvalidRequest("page", "is a page's number, from 1 on.")
    return int(text)


def _file(told: Any, place: str) -> File:
    dot = f"{place}." if place else ""
    if not isinstance(told, dict) or told.keys() - FILE_FIELDS:
        raise InvalidRequest(place or "body", "is a file: filename, size, sha256, and nothing else.")
    filename, size, sha256 = (told.get(field) for field in ("filename", "size", "sha256"))
    if not isinstance(filename, str) or not filename or len(filename) > FILENAME_MAX:
        raise InvalidRequest(f"{dot}filename", f"is a file's name, of at most {FILENAME_MAX} characters.")
    suffix = names.ending(filename)
    if suffix is None:
        endings = ", ".join(names.TYPES)
        raise InvalidRequest(
            f"{dot}filename", f"ends in none of {endings}. Save any other file as PDF and upload that."
        )
    if type(size) is not int or not 0 <= size <= FILE_BYTES_MAX:
        raise InvalidRequest(f"{dot}size", f"is the number of bytes, at most {FILE_BYTES_MAX // 1_000_000} million.")
    if not isinstance(sha256, str) or not SHA256.fullmatch(sha256):
        raise InvalidRequest(f"{dot}sha256", "is the SHA-256 of the bytes, as 64 small hexadecimal digits.")
    return File(names.shown(filename), suffix, size, sha256)
