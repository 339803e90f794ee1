"""The study's own identifiers in trial registers; one that is named may be another trial's. Pure."""

import re
from collections.abc import Iterator

from clinical.evidence.disclaimed import disclaimed
from clinical.rules.answers import Answer, Found, Spot, distinct, listed
from clinical.rules.text import Reading, Sentence, once, words_of

WORDS = words_of(__file__)
REACH = 80


@once
def registration_ids(reading: Reading) -> Answer:
    own = (found for sentence in reading.sentences for found in _ids(sentence) if _is_own(found.spot))
    return listed(reading, distinct(own, lambda said: said.upper().replace("-", "")))


def _is_own(spot: Spot) -> bool:
    """Whether it may be this study's: in a discussion it has to say so. Behind such words nothing is said of others."""
    ours = WORDS.OURS.search(spot.sentence.text, 0, spot.start)
    if not ours and spot.sentence.section in {"introduction", "discussion", "conclusion"}:
        return False
    first = ours.start() if ours and not ours.group().lower().startswith("registration") else 0
    return disclaimed(spot.sentence.text[first:], spot.start - first, spot.end - first) is None


def _ids(sentence: Sentence) -> Iterator[Found]:
    for match in WORDS.ID.finditer(sentence.text) if WORDS.NUMBERED.search(sentence.text) else ():
        if _is_registration(sentence.text, match):
            parts = WORDS.PARTS.fullmatch(match.group())
            written = parts["letters"] + parts["digits"] if parts else re.sub(r"\s", "", match.group())
            yield Found(written, Spot.of(sentence, match))


def _is_registration(text: str, match: re.Match[str]) -> bool:
    if WORDS.DUTCH_ID.match(match.group()):
        return WORDS.DUTCH.search(text) is not None
    if not match.group()[0].isdigit():
        return True
    return WORDS.EUROPEAN.search(text[max(0, match.start() - REACH) : match.end()]) is not None
