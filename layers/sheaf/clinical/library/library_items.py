"""Items of the Library table and their keys; the project comes first in every one. No verbs, no calls."""

from typing import NamedTuple

from pynamodb.attributes import UnicodeAttribute, UnicodeSetAttribute

from sheaf.items import CompactJson, Int, Item, Leased
from sheaf.outside.store import Key


def base_key(project: str, knowledge_base: str) -> Key:
    return {"entry": f"{project}/kb/{knowledge_base}"}


def document_key(project: str, document: str) -> Key:
    return {"entry": f"{project}/document/{document}"}


def bytes_key(project: str, identifier: str) -> Key:
    """By the id that a document of these bytes would have that was not made by a replacement."""
    return {"entry": f"{project}/bytes/{identifier}"}


def bases_list(project: str) -> str:
    return f"{project}/kbs"


def documents_list(project: str, knowledge_base: str) -> str:
    return f"{project}/kb/{knowledge_base}"


def gone_list(project: str, knowledge_base: str) -> str:
    """The list of those that were deleted with their knowledge base, and come back with it."""
    return f"{documents_list(project, knowledge_base)}/gone"


class Usable(NamedTuple):
    key: str
    version: str | None
    sha256: str
    size: int
    filename: str
    content_type: str
    text_key: str
    text_version: str | None
    text_sha256: str
    pages: int
    title: str | None = None
    first_author: str | None = None
    year: int | None = None
    text_bytes: int = 0


class Entry(Item):
    setting = "library_table"

    entry = UnicodeAttribute(hash_key=True)

    @property
    def project(self) -> str:
        return str(self.entry).partition("/")[0]


class Kept(Entry):
    listed_in = UnicodeAttribute(null=True, attr_name="list")  # a deleted one: none, or its deleted base's gone list
    knowledge_base = UnicodeAttribute()
    opening = UnicodeAttribute()  # of the last write of the API: by it a repetition after a lost reply knows itself
    active = UnicodeAttribute(null=True)  # only while the sweep has to look: with `due_at`, its sparse index
    due_at = Int(null=True)
    deleted_at = Int(null=True)
    deleted_by = UnicodeAttribute(null=True)


class KnowledgeBase(Kept):
    """A named shelf of documents. The sweep looks while there are documents to be taken away with it, or brought back."""

    created_at = Int()
    name = UnicodeAttribute()
    first_name = UnicodeAttribute()  # a repetition of the request that made it is known by it, whatever the name now


class Document(Kept, Leased):
    """A document: the version that came last, on its way or arrived, and the one that tasks can take meanwhile."""

    document = UnicodeAttribute()
    state = UnicodeAttribute()
    reason = UnicodeAttribute(null=True)
    advice = UnicodeAttribute(null=True)
    filename = UnicodeAttribute()
    label = UnicodeAttribute(null=True)  # what people call the study: it stays whatever comes to be read
    tags = UnicodeSetAttribute(null=True)  # people's own words, by which they find it
    content_type = UnicodeAttribute()
    key = UnicodeAttribute()
    key_version = UnicodeAttribute(null=True)  # the version that arrived; none until one has
    sha256 = UnicodeAttribute()  # of the bytes, as the uploader announced it; held against those that arrive
    size = Int()
    upload_until = Int(null=True)
    usable = CompactJson(null=True)  # `Usable`, once one was read to its end; stays while a later one is on its way
    recognition = CompactJson(null=True)  # of the text recognition that was asked for: server, its task, since when
    sends = Int(default=0)
    was = UnicodeAttribute(null=True)  # the state in which it was deleted, and to which it comes back

    @property
    def pinned(self) -> Usable | None:
        return Usable(**self.usable) if self.usable else None


class Replacing(Entry):
    """Which document bytes took the place of another's in: asked when they are uploaded again, and then looked at."""

    document = UnicodeAttribute()


class Listed(Entry):
    listed_in = UnicodeAttribute(null=True, attr_name="list")
    created_at = Int(null=True)
    active = UnicodeAttribute(null=True)
    due_at = Int(null=True)
