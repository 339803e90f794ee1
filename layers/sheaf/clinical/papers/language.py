"""Whether characters are words of a language, or what is left of words whose characters were taken for others. Pure.

Latin script has its vowels, and a Chinese text the same few characters; letters that stand for others keep neither.
"""

from collections.abc import Sequence
from pathlib import Path
from string import ascii_letters

LATIN = ascii_letters.encode()
VOWELS = b"aeiouyAEIOUY"
LETTERS = 0.5
"""Of what is not white space; below that it is no language, but glyphs that were not given their characters."""
VOICED = 0.2
"""Vowels of the Latin letters. Papers in English have 0.39 to 0.41, Vietnamese, which has most of them with marks, 0.3; what a
font without its table of characters gives ("7KHSDWLHQWV"), 0.15."""
EVERYDAY = 0.1
"""Common ones of the Chinese characters. Papers have 0.3 and more; other text read as Chinese, hardly any."""
COMMON = frozenset("".join(Path(__file__).with_suffix(".txt").read_text("utf-8").split()))


def is_language(written: str) -> bool:
    """Whether most of it is letters, and those are such as words are made of. White space was taken out before."""
    enough = LETTERS * len(written)
    plain = written.encode("ascii", "ignore")
    latin = len(plain) - len(plain.translate(None, LATIN))
    if latin >= enough:
        return len(plain) - len(plain.translate(None, VOWELS)) >= VOICED * latin
    letters = [char for char in written if char.isalpha()]
    if len(letters) < enough:
        return False
    chinese = [char for char in letters if "\u4e00" <= char <= "\u9fff"]
    has_kana = any("\u3041" <= char <= "\u30fa" for char in letters)
    return has_kana or 2 * len(chinese) < len(letters) or is_everyday(chinese)


def is_everyday(chinese: Sequence[str]) -> bool:
    """Whether these Chinese characters are such as every text is full of."""
    return sum(char in COMMON for char in chinese) >= EVERYDAY * len(chinese)
