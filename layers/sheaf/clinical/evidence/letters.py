"""What one character is taken for when two texts are compared: never another digit, never another letter. Pure."""

import tomllib
import unicodedata
from functools import cache
from pathlib import Path

DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2043\ufe58\ufe63\uff0d\u30fb"
GROUPING = "\u00a0\u2009\u202f\u2007"  # spaces that are set within a number, and of spaces no others
NOTHING = "\u00ad\u200b\u200c\u200d\u2060\ufeff\ufffe\ufff9\ufffa\ufffb\u0002"
"""Soft hyphens and what PDF readers leave in place of a hyphen at a line's end."""
TAKEN_FOR = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
SPECIAL, SYMBOL_FONT = TAKEN_FOR["special"], TAKEN_FOR["symbol_font"]
GREEK_NAMES = {"FINAL SIGMA": "sigma", "LAMDA": "lambda"}
FLAT = {ord(dash): "-" for dash in "‐‑‒–—−－"} | {ord(mark): "'" for mark in "‘’ʼ′"} | {ord(mark): '"' for mark in "“”"}
FLAT |= dict.fromkeys(map(ord, "\t\n\v\f\r\x1c\x1d\x1e\x1f\x85\xa0\u2028\u2029\u202f\u205f\u3000\u200b"), " ")
FLAT |= dict.fromkeys(range(0x2000, 0x200B), " ") | {ord("·"): ".", ord("∙"): ".", ord("∶"): ":", ord("："): ":"}
FLATTENED = {chr(letter): plain for letter, plain in FLAT.items()}
MARKS = range(0x0300, 0x0370)


def flattened(text: str) -> str:
    """The same as `translate(FLAT)`, ten times as fast for a page that is not all ASCII."""
    for letter, plain in FLATTENED.items():
        text = text.replace(letter, plain)
    return text


@cache
def fold(character: str) -> str:
    """What a character stands for; "" for one that means nothing. White space of any kind and control are a space."""
    character = SYMBOL_FONT.get(character, character)
    if character in NOTHING:
        return ""
    if character in DASHES:
        return "-"
    if character in SPECIAL:
        return str(SPECIAL[character])
    if character.isspace() or unicodedata.category(character) in {"Cc", "Zs", "Zl", "Zp"}:
        return " "
    return "".join(_plain(part) for part in unicodedata.normalize("NFKD", character))


def _plain(part: str) -> str:
    if ord(part) in MARKS:
        return ""
    if part == "\u2044":
        return "/"
    if part in DASHES:
        return "-"
    return _greek(part) if "\u0370" <= part <= "\u03ff" else part.casefold()


def _greek(letter: str) -> str:
    name = unicodedata.name(letter, "")
    if not name.startswith("GREEK") or "LETTER" not in name:
        return letter
    word = name.partition("LETTER ")[2].partition(" WITH")[0]
    return GREEK_NAMES.get(word, word.lower())


def is_wide(character: str) -> bool:
    """Of a script that puts no spaces between words: Chinese, Japanese, Korean."""
    return "\u2e80" <= character <= "\ud7ff" or "\uf900" <= character <= "\ufaff" or character >= "\U00020000"


def is_raised(character: str) -> bool:
    """A superscript, subscript or fraction: beside a digit it is not one more digit of the same number."""
    return not character.isascii() and unicodedata.category(character) == "No"
