"""False quotes, and true ones that do not say their value: made from the sample papers by chance with a seed. Pure.

A false quote is never in the paper by accident: where its words, without layout, are on a page, another one is made.
"""

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache

from bench.planting import Case, papers, plain, sentences
from clinical.papers import Page, Paper
from clinical.templates import Field

OPPOSITES = {
    "increased": "decreased", "decreased": "increased", "higher": "lower", "lower": "higher", "more": "less",
    "less": "more", "before": "after", "after": "before", "significant": "insignificant", "with": "without",
    "included": "excluded", "significantly": "insignificantly", "male": "female", "patients": "controls",
    "longer": "shorter", "reduced": "raised", "was": "was not", "were": "were not", "mg": "g", "kg": "g",
    "minutes": "hours", "min": "h", "hours": "days", "days": "weeks", "months": "years", "and": "or",
}  # fmt: skip


def is_there(quote: str, paper: Paper) -> bool:
    return plain(quote) in _whole(paper.pages)


@cache
def _whole(pages: tuple[Page, ...]) -> str:
    return plain(" ".join(page.text for page in pages))


@cache
def _threes(pages: tuple[Page, ...]) -> list[str]:
    """Three words that are there again and again."""
    threes = Counter(re.findall(r"\b[a-z]+ [a-z]+ [a-z]+\b", " ".join(page.text for page in pages)))
    return [words for words, times in threes.items() if times > 2]  # noqa: PLR2004 - again and again


Forge = Callable[[str, random.Random, Paper], str | None]
Plant = Callable[[Paper, str, int, random.Random], Case | None]
TRIES = 3_000
NUMBER = re.compile(r"(?<![\w.,/-])\d+(?:\.\d+)?(?![\w,/-]|\.\d)")


def _altered_digit(text: str, chance: random.Random) -> str | None:
    digits = [found.start() for found in re.finditer(r"\d", text)]
    if not digits:
        return None
    at = chance.choice(digits)
    return text[:at] + chance.choice([each for each in "0123456789" if each != text[at]]) + text[at + 1 :]


def _moved_point(text: str, chance: random.Random) -> str | None:
    found = list(re.finditer(r"(\d)\.(\d)", text))
    if not found:
        return None
    one = chance.choice(found)
    return (
        text[: one.start()]
        + chance.choice((f"{one[1]}{one[2]}", f".{one[1]}{one[2]}", f"{one[1]}{one[2]}."))
        + text[one.end() :]
    )


def _dropped_not(text: str, _chance: random.Random) -> str | None:
    spoilt = re.sub(r"\b(?:not|no|No|never|without)\b ?", "", text, count=1)
    return spoilt if spoilt != text else None


def _opposite(text: str, chance: random.Random) -> str | None:
    there = [found for found in re.finditer(r"[A-Za-z]+", text) if found.group() in OPPOSITES]
    if not there:
        return None
    one = chance.choice(there)
    return text[: one.start()] + OPPOSITES[one.group()] + text[one.end() :]


def _swapped(text: str, chance: random.Random) -> str | None:
    words = text.split()
    at = chance.randrange(len(words) - 1)
    if plain(words[at] + words[at + 1]) == plain(words[at + 1] + words[at]) or "" in map(plain, words[at : at + 2]):
        return None
    words[at], words[at + 1] = words[at + 1], words[at]
    return " ".join(words)


def _dropped_word(text: str, chance: random.Random) -> str | None:
    words = text.split()
    if len(words) < 3:  # noqa: PLR2004 - a first, a last and one to drop
        return None
    del words[chance.randrange(1, len(words) - 1)]
    return " ".join(words)


def _of_another(_text: str, chance: random.Random, paper: Paper) -> str | None:
    other = chance.choice([each for each in papers() if each is not paper])
    return chance.choice(sentences(other))[0]


def _stitched(_text: str, chance: random.Random, paper: Paper) -> str | None:
    first, second = (chance.choice(sentences(paper))[0].split() for _ in range(2))
    return " ".join(first[: len(first) // 2] + second[len(second) // 2 :])


def _sign(text: str, chance: random.Random) -> str | None:
    signs = {"<": ">", ">": "<", "=": "<", "±": "-", "%": " mg", "≥": "≤", "≤": "≥"}
    there = list(re.finditer(r"[<>=±%≥≤]", text))
    if not there:
        return None
    one = chance.choice(there)
    return text[: one.start()] + signs[one.group()] + text[one.end() :]


def _one(pattern: str, change: Callable[[re.Match[str], random.Random], str]) -> Forge:
    """One of the places that the pattern finds, changed."""

    def forge(text: str, chance: random.Random, _paper: Paper) -> str | None:
        there = list(re.finditer(pattern, text))
        if not there:
            return None
        one = chance.choice(there)
        return text[: one.start()] + change(one, chance) + text[one.end() :]

    return forge


def _behind_a_denial(text: str, _chance: random.Random, paper: Paper) -> str | None:
    """What stands right behind a "not", as if the paper said it."""
    denial = re.search(
        r"\b(?:not|no|without|never)\s+(?:(?:a|any|be|been|statistically|clinically)\s+)?(?=[a-z])", text
    )
    rest = text[denial.end() :] if denial else ""
    words = r"\s+".join(map(re.escape, rest.split()))
    everywhere = " ".join(page.text for page in paper.pages)
    return rest if len(rest) > 20 and len(re.findall(words, everywhere, re.I)) == 1 else None  # noqa: PLR2004 - a phrase


def _skipped(text: str, chance: random.Random, _paper: Paper) -> str | None:
    """Two words left out, with dots or without."""
    words = text.split()
    if len(words) < 8:  # noqa: PLR2004 - something has to be left
        return None
    at = chance.randrange(2, len(words) - 4)
    return " ".join([*words[:at], chance.choice(("…", "...", "[...]")), *words[at + 2 :]])


NUMBER_WORDS = {
    "two": "three", "three": "two", "four": "five", "six": "seven", "first": "second", "half": "third", "both": "all",
    "twelve": "eleven", "ten": "nine", "single": "double", "double": "single", "twice": "thrice",
}  # fmt: skip
UNITS = {
    "mg": "µg", "µg": "mg", "μg": "mg", "ml": "l", "mL": "L", "kg": "mg", "cm": "mm", "mm": "cm", "weeks": "months",
    "days": "weeks", "months": "years", "years": "months", "hours": "minutes", "minutes": "hours", "min": "s",
}  # fmt: skip
UNIT = rf"(?<=\d )({'|'.join(UNITS)})(?![\w/])"
QUOTES: dict[str, Forge] = {
    "altered digit": lambda text, chance, _: _altered_digit(text, chance),
    "moved point": lambda text, chance, _: _moved_point(text, chance),
    "dropped not": lambda text, chance, _: _dropped_not(text, chance),
    "opposite word or unit": lambda text, chance, _: _opposite(text, chance),
    "swapped words": lambda text, chance, _: _swapped(text, chance),
    "dropped word": lambda text, chance, _: _dropped_word(text, chance),
    "other sign": lambda text, chance, _: _sign(text, chance),
    "of another paper": _of_another,
    "stitched": _stitched,
    "swapped digits": _one(r"(\d)(\d)", lambda found, _: found[2] + found[1]),
    "a digit twice": _one(r"\d", lambda found, _: found.group() * 2),
    "a point more": _one(r"(?<![\d.,])(\d)(\d)(?![\d.,])", lambda found, _: f"{found[1]}.{found[2]}"),
    "no minus": _one(r"(?<=[\s(=])[-–−] ?(?=\d)", lambda _, chance: chance.choice(("", "+"))),
    "a minus more": _one(r"(?<=[\s(=])(?<![-–−] )(?=\d+\.\d)", lambda *_: "-"),
    "other unit": _one(UNIT, lambda found, _: UNITS[found.group()]),
    "no percent": _one(r"(?<=\d) ?%", lambda _, chance: chance.choice((" patients", " mg", "‰"))),
    "a percent more": _one(r"(?<=\d)(?= [a-z]{4})", lambda *_: "%"),
    "other number in words": _one(rf"\b(?:{'|'.join(NUMBER_WORDS)})\b", lambda found, _: NUMBER_WORDS[found.group()]),
    "half a range": _one(r"(?<![\d.-])(\d+)[-–](\d+)(?![\d-])", lambda found, chance: found[chance.choice((1, 2))]),
    "a not more": _one(r"\b(?:was|were|is|are|did|had)\b", lambda found, _: f"{found.group()} not"),
    "no prefix": _one(r"\b(?:non|un|in|dis)-?(?=[a-z]{5})", lambda *_: ""),
    "behind a denial": _behind_a_denial,
    "skipped words": _skipped,
}
LAYOUT_TELLS = {"moved point", "other sign", "a point more", "no minus", "a minus more", "no percent", "a percent more", "behind a denial"}  # fmt: skip
"""Kinds that letters and figures alone do not tell apart."""


def planted(count: int, seed: int) -> Iterator[Case]:
    """False quotes, true quotes that do not say their value, and true quotes said to be on another page."""
    chance = random.Random(seed)  # noqa: S311 - no secret
    kinds = [*QUOTES, *VALUES, "wrong page"]
    made = tried = 0
    while made < count:
        paper = chance.choice(papers())
        text, page = chance.choice(sentences(paper))
        case = _case(kinds[made % len(kinds)], paper, text, page, chance)
        tried += 1
        # A kind for which nothing is found in so many sentences is left out this time.
        if case or tried > TRIES:
            made, tried = made + 1, 0
        if case:
            yield case


def _case(kind: str, paper: Paper, text: str, page: int, chance: random.Random) -> Case | None:
    if kind == "wrong page":
        others = [each.number for each in paper.pages if plain(text) not in plain(each.text)]
        return Case(paper, text, kind, page=chance.choice(others)) if others else None
    if kind in VALUES:
        return VALUES[kind](paper, text, page, chance)
    quote = QUOTES[kind](text, chance, paper)
    if quote is None or quote == text or (is_there(quote, paper) and kind not in LAYOUT_TELLS):
        return None
    return Case(paper, quote, kind)


# ------------------------------------------------------------------------------------------------ false values

TEXT = Field("dose", "string", "Dose", "剂量", "")
COUNT = Field("n_randomised", "integer", "Randomised", "随机例数", "")
SHARE = Field("female_percent", "number", "Female, %", "女性比例", "")
CHOICE = Field("masking", "enum", "Masking", "盲法", "", options=("open", "single", "double", "triple"))
P_VALUE = re.compile(r"\b[Pp] ?([<>=]) ?(0?\.\d+)")
COUNTED = re.compile(r"(?<![\w.,/·-])(\d+) (?:patients|women|men|participants|subjects|infants)\b")


def _altered_value(paper: Paper, text: str, page: int, chance: random.Random) -> Case | None:
    numbers = NUMBER.findall(text)
    if not numbers:
        return None
    number = chance.choice(numbers)
    altered = _altered_digit(number, chance) if chance.random() < 0.5 else _shifted(number, chance)  # noqa: PLR2004
    value = float(altered or 0)
    if any(float(said) == value for said in re.findall(r"\d+(?:\.\d+)?", text)) or _is_spelled(value, text):
        return None
    return Case(paper, text, "altered value", int(value) if value == int(value) else value, page)


def _value(kind: str, pattern: re.Pattern[str], tell: Callable[[re.Match[str]], tuple[Field, int | str]]) -> Plant:
    """A true sentence, and a value that another reading of one number in it would give."""

    def plant(paper: Paper, text: str, page: int, _chance: random.Random) -> Case | None:
        found = pattern.search(text)
        figures = re.findall(r"\d+(?:\.\d+)?", text)
        if not found or any(figures.count(figure) > 1 for figure in re.findall(r"\d+(?:\.\d+)?", found.group())):
            return None
        field, value = tell(found)
        return Case(paper, text, kind, value, page, field)

    return plant


def _value_in_words(paper: Paper, text: str, page: int, _chance: random.Random) -> Case | None:
    found = COUNTED.search(text)
    other = int(found[1]) + 1 if found else 0
    said = any(f" {word}" in text.lower() for word in (*ONES, *TENS)) or str(other) in text
    if said or not 2 < other < len(ONES):  # noqa: PLR2004 - "one" may be no number
        return None
    return Case(paper, text, "value in words", f"{ONES[other]} of them", page, TEXT)


def _common_words(paper: Paper, _text: str, page: int, chance: random.Random) -> Case | None:
    """Three words that the paper has again and again, for whatever value."""
    common = _threes(paper.pages)
    field, value = chance.choice(((CHOICE, "triple"), (TEXT, "computer-made list"), (COUNT, chance.randrange(20, 900))))
    return Case(paper, chance.choice(common), "common words", value, page, field) if common else None


OTHER = {"<": ">", ">": "<", "=": "<"}
VALUES: dict[str, Plant] = {
    "altered value": _altered_value,
    "value in another unit": _value(
        "value in another unit",
        re.compile(rf"(?<![\w.,/·-])(\d+(?:\.\d+)?) ({'|'.join(UNITS)})(?![\w/])"),
        lambda found: (TEXT, f"{found[1]} {UNITS[found[2]]}"),
    ),
    "count for a percentage": _value("count for a percentage", COUNTED, lambda found: (SHARE, int(found[1]))),
    "percentage for a count": _value(
        "percentage for a count", re.compile(r"(?<![\w.,/·±–-])(\d+) ?%"), lambda found: (COUNT, int(found[1]))
    ),
    "other comparison": _value("other comparison", P_VALUE, lambda found: (TEXT, f"P {OTHER[found[1]]} {found[2]}")),
    "no comparison": _value("no comparison", re.compile(r"\b[Pp] ?([<>]) ?(0?\.\d+)"), lambda found: (TEXT, found[2])),
    "value in words": _value_in_words,
    "common words": _common_words,
}


ONES = """
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
seventeen eighteen nineteen
""".split()  # noqa: SIM905 - read best as they are counted
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()  # noqa: SIM905 - read best as they are counted


def _spelled(number: int) -> str:
    """A number below a thousand, in words."""
    hundreds, rest = divmod(number, 100)
    below = ONES[rest] if rest < len(ONES) else f"{TENS[rest // 10 - 2]} {ONES[rest % 10] if rest % 10 else ''}".strip()
    return f"{ONES[hundreds]} hundred {below if rest else ''}".strip() if hundreds else below


def _is_spelled(value: float, text: str) -> bool:
    """Whether the text says this number in words: then it is no false one."""
    if value != int(value) or not 0 <= value < 1000:  # noqa: PLR2004 - as far as words go here
        return False
    words = re.sub(r"[^a-z]+(?:and )?", " ", text.lower())
    return f" {_spelled(int(value))} " in f" {words} "


def _shifted(number: str, chance: random.Random) -> str:
    return str(float(number) * chance.choice((10, 100, 0.1, 0.01)))
