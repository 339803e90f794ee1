"""A text recognition server, or who made the picture that it read, wants a quote to read as another, or the intake to stumble.

The wall is `clinical.papers.cleaning`, which all four readers use. Half a character and a locked archive are stumbling blocks.
"""

import io
import unicodedata
import zipfile

from clinical.papers.cleaning import UNSEEN, clean
from clinical.papers.recognition import recognised
from sheaf.errors import SheafError

UNSEEN_ONES = "\x1b\x07\u202e\u2066\u200b\u200d\ufeff\U000e0041\ud800"
FLAG = 6
"""Where a member's header says, in its lowest bit, that the member is locked; in the list at the end it is two further on."""


def attack(walls):
    words = "".join(f"15{sign} mg " for sign in UNSEEN_ONES)
    read = recognised.paper(None, words, clean if walls else str)
    left = UNSEEN.findall(read.to_json())
    taken = [f"{unicodedata.name(sign, f'U+{ord(sign):04X}')} in a text" for sign in left]
    try:
        recognised.from_zip(locked())
    except SheafError:
        return taken
    except RuntimeError as error:
        return [*taken, f"a defect: {error}"]
    return [*taken, "a locked archive was read"]


def locked():
    """An archive whose one member says that it has a password."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as made:
        made.writestr("full.md", "A trial.")
    content = bytearray(out.getvalue())
    content[FLAG] |= 1
    content[content.index(b"PK\x01\x02") + FLAG + 2] |= 1
    return bytes(content)
