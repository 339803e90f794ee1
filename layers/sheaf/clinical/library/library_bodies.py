"""What a caller of the library asked for, read and checked before anything is written. Pure. Raises InvalidRequest."""

from typing import Annotated, Any, NotRequired, TypedDict

from clinical.library import file_names
from sheaf import schemas
from sheaf.api.bodies import Key, fields_of
from sheaf.errors import InvalidRequest
from sheaf.schemas import Said

FILES_MAX = 100
FILE_BYTES_MAX = 50_000_000
NAME_MAX = 120
FILENAME_MAX = 2_000

Sha256 = Annotated[
    str, Said(pattern="^[0-9a-f]{64}$", title="the SHA-256 of the bytes, as 64 small hexadecimal digits")
]
ENDINGS = f"a name that ends in one of {', '.join(file_names.TYPES)}. Save any other file as PDF and upload that"


class KnowledgeBaseNameBody(TypedDict):
    name: Annotated[str, schemas.visible_text(NAME_MAX), Said(examples=["Aspirin after stroke"])]


class NewKnowledgeBaseBody(KnowledgeBaseNameBody):
    idempotencyKey: NotRequired[Key | None]


class NewFileBody(TypedDict):
    filename: Annotated[
        str, Said(maxLength=FILENAME_MAX, pattern=file_names.ENDING.pattern, title=ENDINGS, examples=["lee-2021.pdf"])
    ]
    size: Annotated[int, Said(minimum=0, maximum=FILE_BYTES_MAX, examples=[482_113])]
    sha256: Annotated[Sha256, Said(examples=["9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"])]


class NewFilesBody(TypedDict):
    files: Annotated[list[NewFileBody], Said(minItems=1, maxItems=FILES_MAX)]


def base_name(body: str | None, shape: type[KnowledgeBaseNameBody] = KnowledgeBaseNameBody) -> tuple[str, Any]:
    """A knowledge base's name, and the idempotency key if the body names one."""
    fields = fields_of(body, shape)
    name = file_names.shown_name(fields["name"])
    if not name:
        raise InvalidRequest("name", "has nothing in it that can be seen.")
    return name, fields.get("idempotencyKey")
