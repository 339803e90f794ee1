"""Forged pairs by turns of all manners, each in a document of its own, by chance with a seed. Pure."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from bench.semantic.taken import Taken, taken
from bench.semantic.texts import Text, texts
from bench.semantic.written import MANNERS, Written

PEOPLE = ("patients", "participants", "women", "children", "adults", "volunteers", "subjects", "infants", "students")
THINGS = ("taste of the drug", "age", "colour of the tablets", "exercise", "sex", "small number of staff", "surgery")
COUNTRIES = ("Canada", "Japan", "Kenya", "Brazil", "Norway", "India", "Poland", "Chile", "Egypt", "Thailand", "Peru")
CITIES = ("Springfield", "Newtown", "Port Elias", "Westbury", "Old Harbour", "San Marco")
GIVEN = ("Jordan", "Israel", "Chad", "India", "Georgia")
NAMES = ("Miller", "Okafor", "Lindqvist", "Tanaka", "Moreau", "Silva", "Novak", "Haddad")
CHINESE = ("手术方式", "干预措施", "药物气味")
SHOWN = 3
ENTRY = {"arms": ("name", "n_randomised"), "results": ("arm", "events")}
HEADS = {"methods": "Methods", "results": "Results", "discussion": "Discussion"}


@dataclass(frozen=True)
class Forged:
    """A document, a quote that is in it, and a value of a field of `rct` that the quote does not bear out."""

    manner: str
    document: str
    field: str
    value: Any
    quote: str


def forged(count: int, seed: int) -> Iterator[Forged]:
    """So many pairs, of every manner as many as of any other as long as the papers have them."""
    chance = random.Random(seed)  # noqa: S311 - no secret
    found = {manner: chance.sample(pairs, len(pairs)) for manner, pairs in taken().items()}
    manners = [*MANNERS, *found]
    made = 0
    while made < count:
        for manner in manners[: count - made]:
            if manner in MANNERS:
                made += 1
                yield _written(manner, MANNERS[manner], chance)
            elif found[manner]:
                made += 1
                yield _taken(manner, found[manner].pop(), chance)


def _written(manner: str, told: Written, chance: random.Random) -> Forged:
    text = chance.choice(texts())
    words = _words(text, chance)
    quote = chance.choice(told.sentences).format_map(words)
    value = _value(told, words)
    return Forged(manner, _document(text, told.part, quote, chance), told.field, value, quote)


def _value(told: Written, words: dict[str, str]) -> Any:
    """As an engine would give it: a list, an entry of a table, a number or a word."""
    if isinstance(told.value, tuple):
        return [each.format_map(words) for each in told.value]
    said = told.value.format_map(words)
    if told.field in ENTRY:
        arm, number = said.split(" = ")
        return [dict(zip(ENTRY[told.field], (arm, int(number)), strict=True))]
    return int(said) if said.isdigit() else said


def _taken(manner: str, told: Taken, chance: random.Random) -> Forged:
    value = [*told.value] if isinstance(told.value, tuple) else told.value
    return Forged(manner, _document(told.text, told.part, told.quote, chance), told.field, value, told.quote)


def _words(text: Text, chance: random.Random) -> dict[str, str]:
    """What chance puts into a sentence; no country that the paper names itself."""
    whole = " ".join(
        (text.title, text.abstract, *text.addresses, *(each for part in text.parts.values() for each in part))
    )
    who, few = chance.choice(PEOPLE), chance.randrange(3, 40)
    numbers = {
        "n": few + chance.randrange(41, 700),
        "m": few,
        "year": chance.randrange(1994, 2022),
        "table": chance.randrange(1, 5),
    }
    numbers |= {
        "weeks": chance.randrange(2, 60),
        "dose": chance.randrange(5, 900),
        "age": chance.randrange(16, 80),
        "cite": chance.randrange(4, 60),
    }
    words = {
        "who": who,
        "Who": who.capitalize(),
        "people": "participants",
        "thing": chance.choice(THINGS),
        "zh": chance.choice(CHINESE),
    }
    words |= {
        "country": chance.choice([each for each in COUNTRIES if each not in whole]),
        "city": chance.choice(CITIES),
    }
    words |= {"person": chance.choice([each for each in GIVEN if each not in whole]), "name": chance.choice(NAMES)}
    return {name: str(number) for name, number in numbers.items()} | words


def _document(text: Text, part: str, quote: str, chance: random.Random) -> str:
    """The article in short, as a plain text, with the quote in its part."""
    blocks = [text.title, quote if part == "head" else text.names, *text.addresses, "Abstract", text.abstract]
    for name, head in HEADS.items():
        blocks += [head, *_with(text.parts[name][:SHOWN], quote if part == name else "", chance)]
    listed = [each for each in text.references[:8] if each != quote]
    if part == "references":
        listed.insert(chance.randrange(len(listed) + 1), quote)
    return "\n\n".join([*blocks, "References", *listed])


def _with(paragraphs: tuple[str, ...], quote: str, chance: random.Random) -> list[str]:
    """The paragraphs, the quote at the end of one of them where none has it."""
    told = list(paragraphs)
    if not quote or any(quote in each for each in told):
        return told
    if not told:
        return [quote]
    at = chance.randrange(len(told))
    told[at] = f"{told[at]} {quote}"
    return told
