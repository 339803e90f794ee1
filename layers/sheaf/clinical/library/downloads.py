"""The text and the file of a document, or of the version that a row has pinned, which outlives the document."""

from clinical.library import file_names
from clinical.library.library_items import Document, Usable
from clinical.papers import Paper, Source
from sheaf.errors import Conflict, NotFound
from sheaf.items import Row
from sheaf.outside import objects
from sheaf.outside.needs import HasBucket, Objects, TimedAws
from sheaf.outside.objects import FileLinkView


def text_of(world: Objects, item: Document) -> Paper:
    """Raises Conflict where there is none yet."""
    usable = item.pinned
    if usable is None:
        reason = f"The document is {item.state}; it has no text yet."
        raise Conflict("documents-not-ready", reason, documentStatus=item.state)
    return _load(world, usable.text_key, usable.text_version)


def text_of_row(world: Objects, row: Row) -> Paper:
    """The very text that a row was made from. Raises NotFound where the row has none, or where it was erased."""
    if not row.pinned_key:
        raise NotFound("This result has no text: its document could not be read when the task was opened.")
    return _load(world, row.pinned_key, row.pinned_version)


def file_of(world: TimedAws[HasBucket], item: Document) -> FileLinkView:
    """The usable version's file, or, where there is none, the one that arrived. Raises Conflict where none did."""
    if item.pinned is None and item.key_version is None:
        raise Conflict("document-not-there", "Its file has not arrived.", documentStatus=item.state)
    return _link(world, item.pinned or arrived(item))


def arrived(item: Document) -> Source:
    return Source(item.key, item.key_version, item.sha256, item.filename, item.content_type)


def file_of_row(world: TimedAws[HasBucket], row: Row) -> FileLinkView:
    """The file that a row's text was read from. Raises NotFound."""
    source = text_of_row(world, row).source
    if source is None:
        raise NotFound("It is not known which file this result's text was read from.")
    return _link(world, source)


def _link(world: TimedAws[HasBucket], file: Source | Usable) -> FileLinkView:
    name = file_names.shown(file.filename)
    return objects.file_link(world, file.key, file.version, filename=name, content_type=file.content_type)


def _load(world: Objects, key: str, version: str | None) -> Paper:
    try:
        return Paper.from_json(objects.get(world, key, version))
    except objects.ObjectGone as error:
        raise NotFound("The text was erased.") from error
