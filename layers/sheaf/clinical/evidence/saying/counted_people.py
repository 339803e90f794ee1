"""What a number in a folded text counts, by the words nearest to it: people screened, randomised, lost. Pure."""

import re
from collections.abc import Mapping

from clinical.answered import Reason
from clinical.evidence.disclaimed import between
from clinical.evidence.quantities.people_counts import ADJECTIVES, PEOPLE
from clinical.patterns import Pattern, words_of
from clinical.templates.choice_words import places

WORDS = words_of(__file__, {"PLACES": places()})
OWN: Mapping[str, tuple[str, ...]] = {
    "n_randomised": ("randomised",), "n_screened": ("screened",), "n_eligible": ("screened",), "n_planned": ("planned",),
    "n_included": ("randomised", "analysed"), "n_analysed": ("analysed", "randomised"),
}  # fmt: skip
THINGS = {"n_sites": WORDS.SITES, "n_clusters": WORDS.CLUSTERS}
ATTRIBUTE = re.compile(rf" (?:\w+ ){{0,2}}{PEOPLE}")
NEAR, BEHIND = 8, 150


def miscounted(name: str, text: str, start: int, end: int) -> Reason | None:
    """Why text[start:end] counts something else than the field of this name, as a word; None where it does, or nothing tells."""
    if name in THINGS:
        return None if _counts(THINGS[name], text, start, end) else "not_a_count"
    if name == "female_percent":
        return None if _is_of_women(text, start, end) else "other_group"
    return _other_people(OWN[name], text, start, end) if name in OWN else None


def _other_people(own: tuple[str, ...], text: str, start: int, end: int) -> Reason | None:
    first, last = between(WORDS.HARD, text, start, end)
    before, after = _around(text, start, end)
    kind = _kind(own, before, after)
    if own == ("planned",):
        told = text[first:last] if kind is None else before
        is_plan = kind == "planned" or any(each.lastgroup == "planned" for each in WORDS.KINDS.finditer(told))
        return None if is_plan and not WORDS.AFTERWARDS.search(text[first:last]) else "other_group"
    if kind and kind not in own:
        return "future" if kind == "planned" else "other_group"
    if WORDS.BOUND.search(text, first, start) or WORDS.THINGS_OF_NONE.match(after):
        return "not_a_count"
    inside = WORDS.NESTED.search(text, first, last) or WORDS.PART_BEFORE.search(text, 0, start)
    is_part = inside or WORDS.PART_BEHIND.match(text[end:last])
    return "other_group" if is_part or (kind is None and WORDS.PART.search(before)) else None


def _kind(own: tuple[str, ...], before: str, after: str) -> str | None:
    there = [*WORDS.KINDS.finditer(WORDS.PART_OF.split(after)[0])]
    behind = [each for each in there if each.lastgroup not in own or not WORDS.NOT_DONE.search(after[: each.start()])]
    ahead = [each for each in WORDS.KINDS.finditer(before) if not WORDS.NOT_DONE.search(before[: each.start()])]
    first, last = (behind[0].lastgroup if behind else None), (ahead[-1].lastgroup if ahead else None)
    goes_on = behind and (WORDS.RELATIVE.search(after, 0, behind[0].start()) or ATTRIBUTE.match(after, behind[0].end()))
    for found in behind:
        if found.lastgroup in own and (found is behind[0] or goes_on or WORDS.JOINED.search(after[: found.start()])):
            return found.lastgroup
    return (last or first) if WORDS.CLOSED.match(after) else (first or last)


def _counts(thing: Pattern, text: str, start: int, end: int) -> bool:
    things = rf" ?-?(?:\(\w+\) )?(?:of (?:the |our )?(?:\d+ )?)?{ADJECTIVES}(?:{thing.pattern})"
    listed = rf"(?:{thing.pattern})[^\w]{{0,3}}(?:(?:was|were|is|n) ?)?[=:(]? ?$"
    is_within = thing.search(text[start:end]) or re.match(things, text[end : end + BEHIND])
    return bool(is_within or re.search(listed, _around(text, start, end)[0]))


def _is_of_women(text: str, start: int, end: int) -> bool:
    first, last = between(WORDS.HARD, text, start, end)
    before, after = _around(text, start, end)
    if WORDS.AMONG.match(after) or WORDS.AMONG_BEFORE.search(before) or WORDS.ONE_GROUP.search(text, first, last):
        return False
    behind, ahead = WORDS.WOMEN.search(after), [*WORDS.WOMEN.finditer(before)]
    if behind and behind["own"] and WORDS.DIRECT.fullmatch(after[: behind.start()]):
        return True
    is_near = ahead and ahead[-1]["own"] and len(before) - ahead[-1].end() < NEAR
    nearest = ahead[-1] if ahead and (is_near or not behind or WORDS.CLOSED.match(after.lstrip(" %"))) else behind
    return nearest is not None and nearest.lastgroup == "own"


def _around(text: str, start: int, end: int) -> tuple[str, str]:
    first, last = between(WORDS.HARD, text, start, end)
    before, after = text[first:start], WORDS.SHARE.sub("", text[end:last])
    earlier = [found.end() for found in WORDS.NUMBER.finditer(before) if re.search(r"[^\W\d_]", before[found.end() :])]
    later = WORDS.NUMBER.search(after)
    behind = WORDS.BEFORE_NEXT.sub("", after[: later.start()]) if later else after
    return before[earlier[-1] if earlier else 0 :], behind
