"""Whether a quote stands where its field lives, and only there. Pure."""

import re
from collections.abc import Iterator, Sequence

from clinical.evidence.cues import cues_of
from clinical.evidence.find_quote import Found
from clinical.evidence.letters import is_wide
from clinical.evidence.normal_form import normal
from clinical.evidence.pages import FINDING_WORK, STRICT, Pages
from clinical.evidence.values import Typed
from clinical.papers.stretches import AFFILIATIONS, AUTHORS, HEAD, OTHER_TRIALS, REFERENCES
from clinical.patterns import Pattern, words_of
from clinical.templates import Field

WORDS = words_of(__file__)
LIVES = {
    REFERENCES: WORDS.REFERENCES, OTHER_TRIALS: WORDS.OTHER_TRIALS, AUTHORS: WORDS.AUTHORS,
    AFFILIATIONS: WORDS.AFFILIATIONS, HEAD: WORDS.HEAD,
}  # fmt: skip
COUNTRY = re.compile(r"\bcountr(?:y|ies)\b|国家|地点")
WORDS_MAX, STEM = 3, 5
NEAR = 250  # letters before a quote and behind it that are read for orders
NAME = 3  # letters that a word of a value has at least; "Y" and "a" stand in everything
# One of these stands in every order that is looked for; they are looked for first, since that takes a hundredth of the time.
ORDERING = (
    "ignor", "disregard", "forget", "overrid", "bypass", "supersed", "llm", "language model", "chat bot", "chatbot", "gpt", "automat",
    "extract", "json", "field", "the form", "this form", "answer", "value", "instead", "n_", "you", "prompt", "system", "human:",
    "assistant", "developer", "instruction", "</", "<|", "inst]", " ai ", "<!--", "[page ", "as the number", "as the total", "as the sample", "from now on", "quote", "the tool", "http", "忽略", "指令", "规则",
    "规定", "提示", "系统", "请", "你", "一律", "\uff49", "\uff45", *map(chr, range(0x430, 0x460)),
)  # fmt: skip
WORD = re.compile(r"[^\W\d_]+")


def is_misplaced(field: Field, found: Found, pages: Pages) -> bool:
    places = {
        pages.places.of(part.page, part.start, part.end)
        for part in found.parts
        if part.page is not None and part.start is not None and part.end is not None
    }
    place = places.pop() if len(places) == 1 else ""
    return place in LIVES and not LIVES[place].search(named(field))


def is_ordered(found: Found, pages: Pages) -> bool:
    """Whether the quote stands among orders to whoever fills in a form: those are no words of the study, whatever they say of it."""
    for part in found.parts:
        page = next((each.text for each in pages.paper.pages if each.number == part.page), "")
        near = page[max(0, (part.start or 0) - NEAR) : (part.end or 0) + NEAR].lower()
        if any(sign in near for sign in ORDERING) and WORDS.ORDERS.search(near):
            return True
    return False


def is_silent(field: Field, heading: str, pages: Pages) -> bool:
    named, terms = normal(heading).text, [*_terms(field)]
    parts = ((page.text, part) for at, page in enumerate(pages.paper.pages) for part in pages.places.sections(at))
    read = [text[start:end] for text, (start, end, section) in parts if normal(section.title).text == named]
    pages.budget.spend(FINDING_WORK * sum(map(len, read)) * len(terms))
    return bool(read and terms) and not any(term.search(text) for term in terms for text in read)


def _terms(field: Field) -> Iterator[Pattern]:
    """A long word by its beginning, since "masking" is "masked" elsewhere; of Chinese two characters at a time."""
    for patterns in cues_of(field.name, field.cues).values():
        yield from patterns
    for word in re.findall(r"[^\W\d_]{3,}", field.label):
        yield Pattern(rf"\b{word[: min(6, max(4, len(word) - 3))]}")
    yield from map(Pattern, re.findall(r"(?=([\u4e00-\u9fff]{2}))", field.label_zh))


def is_of_countries(field: Field) -> bool:
    return COUNTRY.search(named(field)) is not None


def named(field: Field) -> str:
    return f"{field.name} {field.label} {field.label_zh}".replace("_", " ").casefold()


def points_nowhere(quote: str, values: Sequence[Typed], pages: Pages) -> bool:
    """Whether it says nothing of the values and stands in several places: "of the patients" bears out nothing."""
    if len(quote.split()) > WORDS_MAX or any(map(is_wide, quote)) or any(_says(value, quote) for value in values):
        return False
    wanted = normal(quote).text
    return sum(pages.text(page, STRICT).count(wanted) for page in pages.paper.pages) > 1


def _says(value: Typed, quote: str) -> bool:
    """A number was looked for before: here, whether there is more than the number. A text shares a word, or its initials."""
    if isinstance(value, bool):
        return False
    words = [word.casefold() for word in WORD.findall(quote)]
    told = [word.casefold() for word in WORD.findall(str(value).replace("_", " "))]
    if not told:
        return bool(words)
    named = [word for word in told if len(word) >= NAME]
    initials = "".join(word[0] for word in words)
    return initials in named or any(word[:STEM] == other[:STEM] for word in words for other in named)
