"""Text from outside as it may be shown: nothing in it is hidden, and nothing turns the text beside it round. Pure."""

import unicodedata

HIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")  # letters and signs that are drawn as nothing
PATTERN = r"[^\s\u0000-\u0020\u007f-\u00a0\u00ad\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff]"


def cleaned(text: str) -> str:
    """The text in composed form without what is hidden, its spaces made one; empty where nothing is to be seen."""
    normal = unicodedata.normalize("NFC", text)
    shown = (c for c in normal if c in "\t\r\n" or not (unicodedata.category(c) in HIDDEN or c in BLANK))
    plain = "".join(" " if c in "\t\r\n" else c for c in shown)
    return " ".join(plain.split()) if any(unicodedata.category(c)[0] in "LNPS" for c in plain) else ""
