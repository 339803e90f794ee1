"""What a planted bug is."""

from typing import NamedTuple


class Bug(NamedTuple):
    """Its name, the sentence that it leaves out, and its changes: file, text as it is, text as it would be wrong."""

    name: str
    sentence: str
    changes: tuple[tuple[str, str, str], ...]
    mix: str | None = None
    """The mix of trouble that half of its seeds are drawn with."""


def bug(name: str, sentence: str, *changes: tuple[str, str, str], mix: str | None = None) -> Bug:
    return Bug(name, sentence, changes, mix)
