"""A text as it is compared: without what layout changes, and with the place in the original of all that is left. Pure.

Letters, digits, decimal points, signs, ranges, %, / and + stay, and a bar between two numbers that stood apart.
"""

import re
from array import array
from typing import NamedTuple

from clinical.evidence.letters import SYMBOL_FONT, fold, is_raised
from clinical.patterns import words_of

BAR = "\x1f"
KEPT = set("<>=±%/+~$€£¥@°^!\u0338")
UNITS_OF_MU = set("glmsuk")
WORDS = words_of(__file__)
SPELLING = ((WORDS.WITH_Z, "s"), (WORDS.WITH_OUR, "or"), (WORDS.WITH_AE, "e"))  # British and American, from six letters
LONG_WORD = 6


class Normal(NamedTuple):
    """The compared text; character i of it is characters starts[i]..ends[i] of the original."""

    text: str
    starts: "array[int]"
    ends: "array[int]"


def normal(text: str, *, loose: bool = False, cites: str = "", apart: bool = False) -> Normal:
    """`loose` folds spelling and ligatures, `cites` leaves out "raised" or "all" marks, `apart`: 105 120 is two."""
    folded, places, nexts = _folded(text)
    out, starts, ends = [], array("i"), array("i")
    skipped = _skipped(text, folded, places, cites) if cites else set()
    grouped = (WORDS.GROUPS if apart else WORDS.THOUSANDS).finditer(folded)
    glued = {at for found in grouped for at in range(*found.span()) if not folded[at].isdigit()}
    glued.update(found.start() for found in WORDS.POWER.finditer(folded))
    before = -1  # where the last digit that was kept ended; -1 after anything else
    for found in WORDS.TOKEN.finditer(folded):
        at, end = found.span()
        kept = "" if at in skipped else _kept(folded, found.group(), at, loose=loose)
        if not kept:
            continue
        if before >= 0 and kept[0].isdigit() and not all(index in glued for index in range(before, at)):
            out.append(BAR)
            starts.append(places[at])
            ends.append(places[at])
        out.append(kept)
        _place(starts, places[at:end], len(kept))
        _place(ends, nexts[at:end], len(kept))
        before = end if kept[-1].isdigit() else -1
    return Normal("".join(out), starts, ends)


def _place(out: "array[int]", places: "array[int]", length: int) -> None:
    if len(places) == length:
        out.extend(places)
    else:
        out.extend([*places[: length - 1], *[places[-1]] * (length - len(places[: length - 1]))])


def _folded(text: str) -> tuple[str, "array[int]", "array[int]"]:
    out, places, nexts = [""], array("i"), array("i")
    for found in WORDS.ASCII.finditer(text):
        place, end = found.span()
        if found.group().isascii() and found.group() > " ":
            out.append(found.group().lower())
            places.extend(range(place, end))
            nexts.extend(range(place + 1, end + 1))
            continue
        folded = _odd(text, place, out[-1][-1:])
        if not folded:
            continue
        out.append(folded)
        places.extend([place] * len(folded))
        nexts.extend([place + 1] * len(folded))
    return "".join(out), places, nexts


def _odd(text: str, place: int, before: str) -> str:
    character = SYMBOL_FONT.get(text[place], text[place])
    folded = _mu(text, place) if character in "µμΜ" else fold(character)
    if folded == " ":
        return "" if before in {" ", ""} else " "
    # A raised figure that begins behind a digit must not lengthen its number.
    is_exponent = before.isdigit() and is_raised(text[place]) and not is_raised(text[place - 1])
    return f"^{folded}" if is_exponent else folded


def _mu(text: str, place: int) -> str:
    """Micro before a unit, as in 5 µg; the letter's name elsewhere, as in μ-opioid."""
    after = text[place + 1 : place + 2].lower()
    free = not text[max(0, place - 1) : place].isalpha()
    return "u" if free and after in UNITS_OF_MU and after else "mu"


def _skipped(text: str, folded: str, places: "array[int]", cites: str) -> set[int]:
    both = (WORDS.RAISED, WORDS.AFTER_STOP)
    marks = {at for each in both for found in each.finditer(text) for at in range(*found.span())}
    raised = {at for at, place in enumerate(places) if place in marks} if marks else set()
    in_brackets = WORDS.CITATION.finditer(folded) if cites == "all" else ()
    return raised | {at for found in in_brackets for at in range(*found.span())}


def _kept(folded: str, piece: str, at: int, *, loose: bool) -> str:
    if piece[0].isdigit():
        return piece
    if piece[0].isalpha():
        word = "ug" if piece == "mcg" else piece
        return loosened(word) if loose else word
    if piece in KEPT:
        return "" if WORDS.POWER.match(folded, at) else _sign(folded, piece, at)
    if piece == "¼":
        return "=" if WORDS.LOST_EQUALS.match(folded, at) else piece
    return _mark(folded, piece, at)


def loosened(word: str) -> str:
    if len(word) >= LONG_WORD:
        for pattern, instead in SPELLING:
            word = pattern.sub(instead, word)
    return WORDS.LIGATURES.sub("", word)


def _sign(folded: str, piece: str, at: int) -> str:
    if piece == "+" and WORDS.PLUS_MINUS.match(folded, at):
        return "±"
    if piece == "/" and re.search(r"\+ ?$", folded[max(0, at - 2) : at]) and re.match(r"/ ?-", folded[at : at + 3]):
        return ""
    return piece


def _mark(folded: str, piece: str, at: int) -> str:
    before, after = folded[at - 1 : at] if at else "", folded[at + 1 : at + 2]
    if piece in ".·" and after.isdigit():
        if before.isdigit():
            return "."
        return "0." if piece == "." and before in ("", *" =<>(±-~[:,;/$€£¥") else ""
    if piece == ":":
        before, after = folded[max(0, at - 2) : at].rstrip(), folded[at + 1 : at + 3].lstrip()
        return ":" if before[-1:].isdigit() and after[:1].isdigit() else ""
    return _dash(folded, at) if piece == "-" else ""


def _dash(folded: str, at: int) -> str:
    """A minus or a range's dash stays. A hyphen goes, as in COVID-19; so does a dash between words."""
    if WORDS.PLUS_MINUS.search(folded[max(0, at - 4) : at + 1]):
        return ""
    rest = folded[at + 1 : at + 14].lstrip()
    if not rest[:1].isdigit() and not re.match(r"[.·]\d", rest):
        return ""
    before = folded[max(0, at - 2) : at].rstrip()[-1:]
    if before.isdigit() or before in set("%=<>±~"):
        return "-"
    if re.match(r"[\d,'’]{0,13}[.·]\d", rest):
        return "-"
    return "-" if folded[at - 1 : at] in ("", *" ([{,;:|/") else ""
