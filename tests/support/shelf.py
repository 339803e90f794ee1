"""A document laid into the library as if it had been uploaded and read: no product code but its shapes."""

import hashlib
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from clinical.library import file_names
from clinical.library.document_lifecycle import State
from clinical.library.library_items import Document, Usable, document_key, documents_list
from clinical.papers import Page, Paper, Source, reader


def shelve(
    client: Callable[[str], Any],
    *,
    table: str,
    bucket: str,
    project: str,
    knowledge_base: str,
    filename: str,
    content: bytes,
    text: bytes | None = None,
    now: int | None = None,
) -> str:
    """Put it there, ready; gives its id. `text` is what a worker reads; without it, an article's pages, or the content as it is."""
    sha256 = hashlib.sha256(content).hexdigest()
    document = file_names.document_id(project, knowledge_base, sha256)
    key = file_names.file_key(project, document, sha256, ".txt")
    if client("dynamodb").get_item(TableName=table, Key={"entry": {"S": f"{project}/document/{document}"}}).get("Item"):
        return document
    put = client("s3").put_object
    version = put(Bucket=bucket, Key=key, Body=content, ContentType="text/plain").get("VersionId")
    source = Source(key, version, sha256, filename, "text/plain")
    read = text if text is not None else _paper(content, source)
    text_key = file_names.text_key(project, document, sha256, 1)
    text_version = put(Bucket=bucket, Key=text_key, Body=read, ContentType="application/json").get("VersionId")
    usable = Usable(
        key=key,
        version=version,
        sha256=sha256,
        size=len(content),
        filename=filename,
        content_type="text/plain",
        text_key=text_key,
        text_version=text_version,
        text_sha256=hashlib.sha256(read).hexdigest(),
        pages=1,
        text_bytes=len(read),
    )
    instant = now if now is not None else time.time_ns() // 1_000_000
    item = a_document(
        project, knowledge_base, document, usable=usable._asdict(), created_at=instant, updated_at=instant
    )
    client("dynamodb").put_item(TableName=table, Item=item.serialize())
    return document


def usable(filename: str, text_key: str, text_version: str | None, text_sha256: str = "") -> dict[str, Any]:
    """A usable version whose text is at this place, as it is stored. (Without a hash, a worker checks none.)"""
    told = Usable(
        key=f"documents/{text_key}",
        version=None,
        sha256="0" * 64,
        size=16,
        filename=filename,
        content_type="text/plain",
        text_key=text_key,
        text_version=text_version,
        text_sha256=text_sha256,
        pages=1,
    )
    return told._asdict()


def a_document(project: str, knowledge_base: str, document: str, **told: Any) -> Document:
    """A ready document, but for what is told."""
    usable = told.get("usable") or {}
    always: dict[str, Any] = {
        "entry": document_key(project, document)["entry"],
        "listed_in": documents_list(project, knowledge_base),
        "created_at": 0,
        "updated_at": 0,
        "document": document,
        "knowledge_base": knowledge_base,
        "state": State.READY,
        "filename": usable.get("filename", "paper.txt"),
        "content_type": "text/plain",
        "key": usable.get("key", f"documents/{project}/{document}/{'0' * 20}.txt"),
        "key_version": usable.get("version"),
        "sha256": usable.get("sha256", "0" * 64),
        "size": usable.get("size", 1),
        "opening": "opening",
        "attempt": 1,
        "tries": 1,
    }
    return Document(**(always | told))


def _paper(content: bytes, source: Source) -> bytes:
    if source.filename.endswith("xml"):
        return replace(reader.read(content, source.filename), source=source).to_json().encode()
    pages = tuple(Page(number, page) for number, page in enumerate(content.decode().split("\f"), 1))
    return Paper("text", pages, source=source).to_json().encode()
