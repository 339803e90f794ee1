"""Sentences as the papers have them, with a number or a word of theirs as the value of a field that they do not speak of. Pure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from bench.semantic.texts import Text, texts

SENTENCE = re.compile(r"(?<=[.!?]) (?=[A-Z])")
LENGTH = range(40, 400)
OF_ALL = re.compile(r"random|alloca|enrol|recruit|assign|includ|particip|sample size|sites?\b|cent(?:er|re)s?\b", re.I)
"""Of these words a sentence may well speak of the field: it is left out, so that no true pair is called forged."""


@dataclass(frozen=True)
class Taken:
    """A sentence of a paper, and a value that it does not say."""

    text: Text
    part: str
    quote: str
    field: str
    value: int | str | tuple[str, ...]


NUMBERS = {
    "its own year": (r"\b(?:in|since|from|until) ((?:19|20)\d\d)\b(?![.\d])", ("n_randomised", "n_screened", "n_analysed")),
    "its own time": (r"(?<![\d.,/–-])(\d{1,3}) (?:weeks?|months?|days?|hours?|minutes?|min|years?)\b", ("n_randomised", "n_sites", "n_clusters")),
    "its own dose": (r"(?<![\d.,/–-])(\d{1,4}) ?(?:mg|g|kg|m[lL]|[μµ][gmL]|mmHg|mm|cm|kcal)\b", ("n_randomised", "n_planned", "n_analysed")),
    "its own percentage": (r"(?<![\d.,/–-])(\d{1,2}) ?%", ("n_randomised", "n_screened", "n_sites")),
    "its own table": (r"\b(?:Table|Figure|Fig\.) ?(\d)\b", ("n_sites", "n_clusters", "n_randomised")),
    "its own citation": (r"\[(\d{1,2})\]", ("n_sites", "n_randomised", "n_clusters")),
    "its own score": (r"\b(?:scale|score|grade|level)s? (?:of|from|was|were) (\d{1,3})\b(?!\.\d)", ("n_randomised", "n_sites")),
}  # fmt: skip
REFERENCES = {
    "double": re.compile(r"double.?blind|double.?masked", re.I),
    "crossover": re.compile(r"cross.?over", re.I),
}
FIELDS = {"double": "masking", "crossover": "design"}
MADE_IN = re.compile(r"\([^()]*, (USA|Germany|Japan|Canada|Switzerland|France|Italy|Denmark|Sweden|Netherlands)\)")


@cache
def taken() -> dict[str, tuple[Taken, ...]]:
    """All that there are, by manner."""
    made = {manner: tuple(_numbers(pattern, fields)) for manner, (pattern, fields) in NUMBERS.items()}
    return made | {"its own reference": tuple(_references()), "its own manufacturer": tuple(_makers())}


def _sentences() -> Iterator[tuple[Text, str, str]]:
    for text in texts():
        for part, paragraphs in text.parts.items():
            for sentence in (each for paragraph in paragraphs for each in SENTENCE.split(paragraph)):
                if len(sentence) in LENGTH:
                    yield text, part, sentence


def _numbers(pattern: str, fields: tuple[str, ...]) -> Iterator[Taken]:
    for text, part, sentence in _sentences():
        found = re.search(pattern, sentence)
        if found and not OF_ALL.search(sentence):
            field = fields[int(found[1]) % len(fields)]
            if len(re.findall(rf"(?<!\d){found[1]}(?!\d)", sentence)) == 1:
                yield Taken(text, part, sentence, field, int(found[1]))


def _references() -> Iterator[Taken]:
    for text in texts():
        for said, pattern in REFERENCES.items():
            for reference in text.references:
                if pattern.search(reference) and len(reference) in LENGTH:
                    yield Taken(text, "references", reference, FIELDS[said], said)


def _makers() -> Iterator[Taken]:
    """The country of a machine or a drug, where nobody of the authors is from there."""
    for text, part, sentence in _sentences():
        found = MADE_IN.search(sentence)
        if found and not OF_ALL.search(sentence) and found[1] not in " ".join(text.addresses):
            yield Taken(text, part, sentence, "countries", (found[1],))
