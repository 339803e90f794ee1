"""Whether characters are words of a language, or what is left of words whose characters were taken for others. Pure.

Two signs that need no dictionary: Latin script has its vowels, and a Chinese text is for a good part made of the same few
characters. Letters that stand for other letters keep neither.
"""

from collections.abc import Sequence
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
COMMON = frozenset(
    "的一是不了在人有和为中大来以个上们到这国地出也时年得就那要下生会能对行方后多如所者最与及其或各将未无但由等被从分同"
    "组治疗患病研究结果法例用药血医院性本数高低量前差异统计学意义两随机临床观察显示进比较均值术"
    "為來個們這國時會對後與無從組療結藥醫數兩隨機臨觀顯進較術統計異義"
)


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
