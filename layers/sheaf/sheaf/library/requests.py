"""What a caller of the library asked for, read and checked before anything is written. Pure. Raises InvalidRequest."""

import re
from dataclasses import dataclass
from typing import Annotated, Any, NotRequired, TypedDict

from sheaf import schemas
from sheaf.errors import InvalidRequest
from sheaf.library import names
from sheaf.requests import Key, fields_of, needed, whole
from sheaf.schemas import Said

FILES_MAX = 100
FILE_BYTES_MAX = 50_000_000
NAME_MAX = 120
FILENAME_MAX = 2_000
SHA256 = re.compile(r"[0-9a-f]{64}")

BaseName = Annotated[str, schemas.visible_text(NAME_MAX), Said(examples=["Aspirin after stroke"])]
Sha256 = Annotated[str, Said(pattern=f"^{SHA256.pattern}$")]


class NewKnowledgeBaseBody(TypedDict):
    name: BaseName
    idempotencyKey: NotRequired[Key | None]


class KnowledgeBaseNameBody(TypedDict):
    name: BaseName


class NewFileBody(TypedDict):
    filename: Annotated[str, Said(maxLength=FILENAME_MAX, pattern=names.ENDING.pattern, examples=["lee-2021.pdf"])]
    size: Annotated[int, Said(minimum=0, maximum=FILE_BYTES_MAX, examples=[482_113])]
    sha256: Annotated[Sha256, Said(examples=["9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"])]


class NewFilesBody(TypedDict):
    files: Annotated[list[NewFileBody], Said(minItems=1, maxItems=FILES_MAX)]


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
    fields = fields_of(body, NewKnowledgeBaseBody)
    return _base_name(fields), fields.get("idempotencyKey")


def base_name(body: str | None) -> str:
    """Another name for a knowledge base."""
    return _base_name(fields_of(body, KnowledgeBaseNameBody))


def _base_name(fields: dict[str, Any]) -> str:
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
    files = needed(fields_of(body, NewFilesBody), "files")
    if not isinstance(files, list) or not files:
        raise InvalidRequest("files", "is not a list of at least one file.")
    if len(files) > FILES_MAX:
        raise InvalidRequest("files", f"has {len(files)} files; {FILES_MAX} is the most at once.")
    return [_file(told, f"files[{number}]") for number, told in enumerate(files)]


def new_version(body: str | None) -> File:
    """The file that is to take a document's place."""
    return _file(fields_of(body, NewFileBody), "")


def _file(told: Any, place: str) -> File:
    dot = f"{place}." if place else ""
    if not isinstance(told, dict) or told.keys() - schemas.fields(NewFileBody):
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
