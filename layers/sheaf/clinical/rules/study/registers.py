"""The study's own identifiers in trial registers. Pure.

A bare EudraCT number looks like a telephone number, and an identifier may be another trial's: of the study that was
followed up, of a review, of a trial that the discussion speaks of.
"""

import re
from collections.abc import Iterator

from clinical.evidence.disclaimed import disclaimed
from clinical.patterns import any_case
from clinical.rules.answers import Answer, Found, Spot, distinct, listed
from clinical.rules.text import Reading, Sentence, once

CALLED = r"(?: ?(?:-|#|:|ID:?|[Nn]o\.?:?|[Nn]umber:?))? ?"
"""Between a register's letters and the digits, as in "ISRCTN no. 12345678"."""
ID = re.compile(
    rf"\b(?:NCT{CALLED}\d{{8}}|ISRCTN{CALLED}\d{{8}}|ACTRN{CALLED}0?\d{{14}}|ANZCTR{CALLED}\d{{14}}|[Cc]hi(?:CTR|ctr) ?[-A-Za-z]{{0,12}} ?\d{{8,10}}"
    rf"|UMIN(?:-CTR)?{CALLED}C?\d{{9}}|DRKS{CALLED}\d{{8}}"
    r"|CTRI ?/ ?\d{4} ?/ ?\d{2,3} ?/ ?\d{6}|IRCT ?[0-9A-Z]{10,20}|PACTR ?\d{15,16}|jRCTs? ?\d{9,10}|JapicCTI-?\d{6}"
    r"|KCT ?\d{7}|TCTR ?\d{11}|SLCTR/\d{4}/\d{3}|RBR-\w{5,7}|NL-?OMON ?\d{4,6}|NTR ?\d{3,5}|NL ?\d{4,5}(?!\.?\d)|RPCEC ?\d{8}|LBCTR ?\d{10}"
    r"|PHRR ?\d{6}-\d{6}|HKU?CTR-? ?\d{3,5}|CRiS ?-? ?KCT ?\d{7}|(?:EUCTR ?)?\d{4} ?- ?\d{6} ?- ?\d{2}(?:-[A-Z]{2})?|20\d\d-50\d{4}-\d\d-\d\d)(?![\w])"
)
NUMBERED = re.compile(r"\d{3}|RBR-")
EUROPEAN = any_case(r"eudra\s?ct|clinical ?trials?(?: register| information system|\.eu|register\.eu)|\beu ?ct\b|ctis")
DUTCH = any_case(r"\b(?:dutch|netherlands|nederlands|trialregister|NTR)\b")
DUTCH_ID = re.compile(r"NL ?\d")
"""The register whose own numbers are NL and four digits, as those of much else are."""
PARTS = re.compile(r"(?P<letters>NCT|ISRCTN|ACTRN|DRKS|UMIN)(?:-CTR)?\D{0,40}?(?P<digits>C?\d+)")
REACH = 80
OURS = any_case(
    r"\b(?:this|our|the(?: present| current)?) (?:study|trial)\b[^.;]{0,80}\bregist|\btrial registration\b|\bregistration (?:number|no)"
)


@once
def registration_ids(reading: Reading) -> Answer:
    """Every identifier of this study that is named outside the reference list; first those of the front and the methods."""
    own = (found for sentence in reading.sentences for found in _ids(sentence) if _is_own(found.spot))
    return listed(reading, distinct(own, lambda said: said.upper().replace("-", "")))


def _is_own(spot: Spot) -> bool:
    """Whether it may be this study's: in a discussion it has to say so. Behind such words nothing is said of others."""
    ours = OURS.search(spot.sentence.text, 0, spot.start)
    if not ours and spot.sentence.section in {"introduction", "discussion", "conclusion"}:
        return False
    first = ours.start() if ours and not ours.group().lower().startswith("registration") else 0
    return disclaimed(spot.sentence.text[first:], spot.start - first, spot.end - first) is None


def _ids(sentence: Sentence) -> Iterator[Found]:
    for match in ID.finditer(sentence.text) if NUMBERED.search(sentence.text) else ():
        if _is_registration(sentence.text, match):
            yield Found(_written(match.group()), Spot.of(sentence, match))


def _is_registration(text: str, match: re.Match[str]) -> bool:
    if DUTCH_ID.match(match.group()):
        return DUTCH.search(text) is not None
    if not match.group()[0].isdigit():
        return True
    return EUROPEAN.search(text[max(0, match.start() - REACH) : match.end()]) is not None


def _written(said: str) -> str:
    """As the register writes it: letters and digits, and none of what a sentence puts between them."""
    parts = PARTS.fullmatch(said)
    return parts["letters"] + parts["digits"] if parts else re.sub(r"\s", "", said)
