"""Whether characters are words of a language: Latin script has its vowels, Chinese the same few characters. Pure."""

from collections.abc import Sequence
from pathlib import Path
from string import ascii_letters

LATIN = ascii_letters.encode()
VOWELS = b"aeiouyAEIOUY"
LETTERS = 0.5  # of what is not white space; below that these are glyphs that were not given their characters
VOICED = 0.2  # vowels of the Latin letters. English has 0.39 to 0.41, Vietnamese 0.3, a font without its table 0.15
EVERYDAY = 0.1  # common ones of the Chinese characters. Papers have 0.3 and more; other text read so, hardly any
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
    return sum(char in COMMON for char in chinese) >= EVERYDAY * len(chinese)
