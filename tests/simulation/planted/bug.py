"""What a planted bug is."""

from typing import NamedTuple

from tests.support.anchored import Edit


class Bug(NamedTuple):
    """Its name, the sentence that it leaves out, and the edits that do so."""

    name: str
    sentence: str
    edits: tuple[Edit, ...]
    mix: str | None = None
    """The mix of trouble that half of its seeds are drawn with."""
    first: int = 0
    """From which seed on, for one that few seeds show."""


def bug(name: str, sentence: str, *edits: Edit, mix: str | None = None, first: int = 0) -> Bug:
    return Bug(name, sentence, edits, mix, first)
