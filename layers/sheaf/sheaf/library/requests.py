"""What a caller of the library asked for, read and checked before anything is written. Pure. Raises InvalidRequest."""

import re
from dataclasses import dataclass

from sheaf.errors import InvalidRequest
from sheaf.library import names
from sheaf.plain_json import Json, JsonObject
from sheaf.requests import fields_of, needed, whole

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


def new_base(body: str | None) -> tuple[str, Json]:
    """The name of a new knowledge base, and the idempotency key if the body names one."""
    fields = fields_of(body, {"name", "idempotencyKey"})
    return _base_name(fields), fields.get("idempotencyKey")


def base_name(body: str | None) -> str:
    """Another name for a knowledge base."""
    return _base_name(fields_of(body, {"name"}))


def _base_name(fields: JsonObject) -> str:
    name = needed(fields, "name")
    if not isinstance(name, str):
        raise InvalidRequest("name", "is not a text.")
    if len(name) > NAME_MAX:
        raise InvalidRequest("name", f"is longer than {NAME_MAX} characters.")
    shown = names.shown_name(name)
    if not shown:
        raise InvalidRequest("name", "has nothing in it that can be seen.")
    return shown


def new_files(body: str | None) -> list[File]:
    """The files that are to be uploaded together."""
    files = needed(fields_of(body, {"files"}), "files")
    if not isinstance(files, list) or not files:
        raise InvalidRequest("files", "is not a list of at least one file.")
    if len(files) > FILES_MAX:
        raise InvalidRequest("files", f"has {len(files)} files; {FILES_MAX} is the most at once.")
    return [_file(told, f"files[{number}]") for number, told in enumerate(files)]


def new_version(body: str | None) -> File:
    """The file that is to take a document's place."""
    return _file(fields_of(body, FILE_FIELDS), "")


def _file(told: Json, place: str) -> File:
    dot = f"{place}." if place else ""
    if not isinstance(told, dict) or told.keys() - FILE_FIELDS:
        raise InvalidRequest(place or "body", "is a file: filename, size, sha256, and nothing else.")
    filename, bytes_told, sha256 = (needed(told, field, f"{dot}{field}") for field in ("filename", "size", "sha256"))
    if not isinstance(filename, str) or not filename or len(filename) > FILENAME_MAX:
        raise InvalidRequest(f"{dot}filename", f"is a file's name, of at most {FILENAME_MAX} characters.")
    suffix = names.ending(filename)
    if suffix is None:
        endings = ", ".join(names.TYPES)
        raise InvalidRequest(
            f"{dot}filename", f"ends in none of {endings}. Save any other file as PDF and upload that."
        )
    size = whole(bytes_told)
    if size is None or not 0 <= size <= FILE_BYTES_MAX:
        raise InvalidRequest(f"{dot}size", f"is the number of bytes, at most {FILE_BYTES_MAX // 1_000_000} million.")
    if not isinstance(sha256, str) or not SHA256.fullmatch(sha256):
        raise InvalidRequest(f"{dot}sha256", "is the SHA-256 of the bytes, as 64 small hexadecimal digits.")
    return File(names.shown(filename), suffix, size, sha256)
