"""Numbers written as words, in English and in Chinese. Pure."""

import re
from collections.abc import Iterator
from decimal import Decimal

from clinical.patterns import Pattern

UNITS = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
seventeen eighteen nineteen"""
SMALL = {word: number for number, word in enumerate(UNITS.split())}
DECADES = "twenty thirty forty fifty sixty seventy eighty ninety"
TENS = {word: 10 * number for number, word in enumerate(DECADES.split(), 2)} | {"fourty": 40}
SCALES = {"hundred": 100, "thousand": 1_000, "million": 1_000_000}
NAMES = "|".join(sorted((*TENS, *SMALL, *SCALES), key=len, reverse=True))  # the longer first: it may end in any of them
WORD = re.compile(
    rf"\b(?:{'|'.join((*TENS, *SMALL))}|an? (?=hundred|thousand))(?:(?:[\s-]+|[\s-]+and[\s-]+)(?:{NAMES}))*\b", re.I
)
DIGITS = {digit: number for number, digit in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "兩": 2}
PLACES = {"十": 10, "百": 100, "千": 1_000, "万": 10_000, "萬": 10_000}
NO_COUNT = re.compile(r"\b(?:(?:no|any|every|each|this|that|which|another) one\b|one (?:of|another)\b)", re.I)
SINGLE = Pattern(r"\b(?:single|one|mono)[\s-]?(?:cent(?:er|re)|site|hospital|institution(?:al)?)\b")
CHINESE = re.compile(rf"[{''.join((*DIGITS, *PLACES))}]+")
COUNTED = re.compile(r"\s?[个例名组人次天日周月年岁倍家项种期级片粒支型小分]")  # 三组 is three groups, 一般 is no one


def spelled(text: str) -> Iterator[tuple[Decimal, int, int]]:
    for found in WORD.finditer(NO_COUNT.sub(lambda pronoun: " " * len(pronoun.group()), text)):
        yield from ((number, *found.span()) for number in english(found.group()))
    single = SINGLE.search(text)
    if single:
        yield Decimal(1), *single.span()
    for found in CHINESE.finditer(text):
        yield Decimal(_chinese(found.group())), *found.span()


def claimed(text: str) -> Iterator[tuple[Decimal, int, int]]:
    """The same of a value in an engine's own words: only what surely counts something, and no "one"."""
    for number, start, end in spelled(text):
        if number != 1 and (text[end - 1].isascii() or COUNTED.match(text, end)):
            yield number, start, end


def english(phrase: str) -> Iterator[Decimal]:
    """One number, or several where the words do not add up to one: "two three" are two."""
    total = current = 0
    last = 0
    for word in re.findall(r"[a-z]+", phrase.lower()):
        if word == "and":
            continue
        if word in SCALES:
            current = max(current, 1) * SCALES[word]
            if SCALES[word] > SCALES["hundred"]:
                total, current = total + current, 0
            last = SCALES[word]
            continue
        value = {**SMALL, **TENS, "a": 1, "an": 1}[word]
        if last and last <= value * 10 and not _goes_after(last, value):
            yield Decimal(total + current)
            total = current = 0
        current += value
        last = value
    yield Decimal(total + current)


def _goes_after(last: int, value: int) -> bool:
    if last in TENS.values():
        return 0 < value < 10  # noqa: PLR2004 - units
    return last in SCALES.values()


def _chinese(phrase: str) -> int:
    if not set(phrase) & PLACES.keys():
        return int("".join(str(DIGITS[digit]) for digit in phrase))
    total = section = digit = 0
    for character in phrase:
        if character in DIGITS:
            digit = DIGITS[character]
        elif PLACES[character] == PLACES["万"]:
            total, section, digit = (total + section + digit) * PLACES["万"], 0, 0
        else:
            section, digit = section + (digit or 1) * PLACES[character], 0
    return total + section + digit
