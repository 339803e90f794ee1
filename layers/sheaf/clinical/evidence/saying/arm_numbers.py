"""Whether an entry's number is its arm's: next to the arm's name, in turn with it, or in a column with it as its head. Pure."""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import takewhile

from clinical.answered import Reason
from clinical.evidence.disclaimed import between, not_ours
from clinical.evidence.quantities.quantity import Quantity, Said
from clinical.evidence.saying import counted_people
from clinical.evidence.saying.text_words import Span, spans
from clinical.patterns import words_of

WORDS = words_of(__file__)
NO_PLACE = r"(?! (?:[\w-]+ )?(?:groups?|arms?|conditions?|sequence)\b)"


def apart(name: str, numbers: Sequence[float], quotes: Sequence[Said], *, arms: bool) -> Reason | None:
    """Why the quotes do not say these numbers of what has this name, as a word. `arms`: it is what people were assigned to."""
    if arms and any(_is_place(name, quote.text) for quote in quotes):
        return "other_group"
    reasons = (_apart(name, Decimal(str(number)), quotes, arms=arms) for number in numbers)
    return next(filter(None, reasons), None)


def beside(name: str, text: str) -> str:
    first, last = next(_places(name, text), (0, len(text)))
    return text[slice(*between(WORDS.EDGE, text, first, last))]


def _is_place(name: str, text: str) -> bool:
    if not re.match(r"[A-Z][a-z]", name) or WORDS.GENERIC.match(name) or not WORDS.OF_PLACES.search(text):
        return False
    said = re.escape(name)
    at = rf"(?:\b(?:[Ii]n|at|[Ff]rom|near)|\b(?:[Ss]ites?|[Cc]ent(?:er|re)s?|[Hh]ospitals?|[Cc]linics?)\W{{1,3}}|; ) ?{said}\b{NO_PLACE}"
    doing = "recruited|enrolled|saw|contributed|included|site|centre|center|hospital"
    return bool(re.search(rf"{at}|\b{said} (?:{doing})\b", text))


def _apart(name: str, number: Decimal, quotes: Sequence[Said], *, arms: bool) -> Reason | None:
    reason: Reason | None = None
    named = [(quote, [*_places(name, _lined(quote))]) for quote in quotes]
    heads = [(quote, place) for quote, places in named for place in places]
    for quote, places in named:
        for said in quote.quantities:
            if said.number == number:
                why_not = _elsewhere(quote, said, places, arms=arms) if places else _in_column(quote, said, heads)
                if why_not is None:
                    return None
                reason = why_not
    return reason


def _places(name: str, text: str) -> Iterator[Span]:
    told = Said(name).folded.strip()
    exact = re.finditer(rf"(?<![^\W_]){re.escape(told)}(?![^\W_])", text) if told.isascii() else ()
    yield from [found.span() for found in exact] or spans(name, text)


def _lined(quote: Said) -> str:
    if len(quote.text) != len(quote.folded):
        return quote.folded
    return "".join("\n" if letter == "\n" else folded for letter, folded in zip(quote.text, quote.folded, strict=True))


def _elsewhere(quote: Said, said: Quantity, places: Sequence[Span], *, arms: bool) -> Reason | None:
    text = _lined(quote)
    why_not = not_ours(quote.text if len(quote.text) == len(text) else text, said.start, said.end)
    if why_not or (arms and counted_people.WORDS.NESTED.search(text)):
        return why_not or "other_group"
    told = sorted((each.start, each.end) for each in quote.quantities if each.unit in {said.unit, None, "%"})
    if WORDS.IN_TURN.search(text):
        return None if any(_in_turn(text, told, said.start, place) for place in places) else "other_group"
    groups = _grouped(text, told)
    own = {at for place in places for at in _owned(text, groups, place)}
    return None if not own or any(said.start in range(*groups[at]) for at in own) else "other_group"


def _grouped(text: str, told: Sequence[Span]) -> list[Span]:
    groups: list[Span] = []
    for start, end in told:
        if groups and (start < groups[-1][1] or WORDS.BETWEEN.fullmatch(text, groups[-1][1], start)):
            groups[-1] = groups[-1][0], max(end, groups[-1][1])
        else:
            groups.append((start, end))
    return groups


def _owned(text: str, groups: Sequence[Span], place: Span) -> Iterator[int]:
    before = max((at for at, (_, end) in enumerate(groups) if end <= place[0]), default=None)
    behind = min((at for at, (start, _) in enumerate(groups) if start >= place[1]), default=None)
    gap = "" if behind is None else text[place[1] : groups[behind][0]]
    is_before = before is not None and not WORDS.BREAK.search(text[groups[before][1] : place[0]])
    is_behind = behind is not None and not WORDS.BREAK.search(WORDS.LABEL.sub("", gap))
    if is_before and is_behind:
        names_first, names_last = WORDS.WORD.search(text[: groups[0][0]]), WORDS.WORD.search(text[groups[-1][1] :])
        is_before = not WORDS.COLON.search(gap) and (not names_first or bool(names_last))
        is_behind = bool(WORDS.COLON.search(gap) or names_first or not names_last)
    if before is not None and is_before:
        yield before
        for at in takewhile(lambda at: _goes_on(text[groups[at - 1][1] : groups[at][0]]), range(before, 0, -1)):
            yield at - 1
    if behind is not None and (is_behind or before is None):
        yield behind
        for at in takewhile(
            lambda at: WORDS.COMMA.match(text[groups[at - 1][1] : groups[at][0]]), range(behind + 1, len(groups))
        ):
            yield at


def _goes_on(gap: str) -> bool:
    return counted_people.WORDS.KINDS.search(gap) is not None and not WORDS.LINK.search(gap)


def _in_turn(text: str, told: Sequence[Span], start: int, place: Span) -> bool:
    starts = [first for first, _ in told]
    if place[1] <= starts[0]:
        return starts.index(start) == len(starts) - 1 - len(WORDS.LISTED.findall(text[place[1] : starts[0]]))
    return starts.index(start) == len(WORDS.LISTED.findall(text[starts[-1] : place[0]]))


def _in_column(quote: Said, said: Quantity, heads: Sequence[tuple[Said, Span]]) -> Reason | None:
    starts = sorted({each.start for each in quote.quantities if each.unit == said.unit})
    at, last = starts.index(said.start), len(starts) - 1
    for head, (first, end) in heads:
        is_first, is_last = not WORDS.WORD.search(head.folded[:first]), not WORDS.WORD.search(head.folded[end:])
        if last and ((at == 0 and is_last and not is_first) or (at == last and is_first and not is_last)):
            return "other_group"
    return None
