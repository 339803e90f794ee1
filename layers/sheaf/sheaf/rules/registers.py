"""The study's own identifiers in trial registers. Pure.

A bare EudraCT number looks like a telephone number, and an identifier may be another trial's: of the study that was
followed up, of a review, of a trial that the discussion speaks of.
"""

import re
from collections.abc import Iterator

from sheaf.rules.answers import Answer, Found, Spot, listed
from sheaf.rules.text import Reading, Sentence

ID = re.compile(
    r"\b(?:NCT ?-? ?\d{8}|ISRCTN ?\d{8}|ACTRN ?\d{14}|ChiCTR ?[-A-Za-z]{0,12} ?\d{8,10}|UMIN ?\d{9}|DRKS ?\d{8}"
    r"|CTRI ?/ ?\d{4} ?/ ?\d{2,3} ?/ ?\d{6}|IRCT ?[0-9A-Z]{10,20}|PACTR ?\d{15,16}|jRCTs? ?\d{9,10}|JapicCTI-?\d{6}"
    r"|KCT ?\d{7}|TCTR ?\d{11}|SLCTR/\d{4}/\d{3}|RBR-\w{5,7}|NL-?OMON ?\d{4,6}|NTR ?\d{3,5}|RPCEC ?\d{8}|LBCTR ?\d{10}"
    r"|PHRR ?\d{6}-\d{6}|CRiS ?-? ?KCT ?\d{7}|\d{4} ?- ?\d{6} ?- ?\d{2}|20\d\d-50\d{4}-\d\d-\d\d)(?![\w])"
)
STARTS = ("NCT", "ISRCTN", "ACTRN", "CHICTR", "UMIN", "DRKS", "CTRI", "IRCT", "PACTR", "JRCT", "JAPIC", "KCT", "TCTR",
          "SLCTR", "RBR-", "NL", "NTR", "RPCEC", "PHRR", "EUDRA", "CLINICAL TRIAL", "CTIS")  # fmt: skip
EUROPEAN = re.compile(
    r"eudra\s?ct|clinical ?trials?(?: register| information system|\.eu|register\.eu)|\beu ?ct\b|ctis", re.I
)
REACH = 80
OTHERS = re.compile(
    r"et al\b|ongoing (?:trial|stud)|(?:another|other|similar|previous|earlier|future|subsequent|larger|future) (?:\w+ )?(?:trial|study|studies|rct)|"
    r"\b(?:trial|study) by\b|systematic review|meta-analys|are (?:currently )?under ?way|is (?:currently )?(?:under ?way|ongoing|recruiting)",
    re.I,
)
OURS = re.compile(
    r"\b(?:this|our|the(?: present| current)?) (?:study|trial)\b[^.;]{0,80}\bregist|\btrial registration\b|\bregistration (?:number|no)",
    re.I,
)


def registration_ids(reading: Reading) -> Answer:
    """Every identifier of this study that is named outside the reference list; first those of the front and the methods."""
    own = _distinct(found for sentence in reading.sentences if _is_own(sentence) for found in _ids(sentence))
    return listed(reading, own)


def _is_own(sentence: Sentence) -> bool:
    """Whether the sentence may speak of this study: elsewhere than in the discussion it does unless it says otherwise."""
    if sentence.section in {"introduction", "discussion", "conclusion"} and not OURS.search(sentence.text):
        return False
    return not OTHERS.search(sentence.text)


def _ids(sentence: Sentence) -> Iterator[Found]:
    upper = sentence.text.upper()
    if not any(start in upper for start in STARTS):
        return
    for match in ID.finditer(sentence.text):
        if _is_registration(sentence.text, match):
            yield Found(re.sub(r"\s", "", match.group()), Spot(sentence, match.start(), match.end()))


def _is_registration(text: str, match: re.Match[str]) -> bool:
    if not match.group()[0].isdigit():
        return True
    return EUROPEAN.search(text[max(0, match.start() - REACH) : match.end()]) is not None


def _distinct(found: Iterator[Found]) -> list[Found]:
    first: dict[str, Found] = {}
    for each in found:
        first.setdefault(each.value.upper().replace("-", ""), each)
    return list(first.values())
