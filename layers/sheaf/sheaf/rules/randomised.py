"""How many were randomised in all. Pure.

A number counts only where its sentence says so. It is not one arm's number, nor a part of the randomised ("12 of the 95"),
nor what was planned, nor what another trial had. Where two totals are said and none prevails, the rule abstains.
"""

import re
from collections.abc import Iterator

from sheaf.rules.answers import Answer, Found, Spot, not_reported, prevailing
from sheaf.rules.arms import sizes
from sheaf.rules.kinds import allocates_order, is_protocol
from sheaf.rules.numbers import ADJECTIVES, COUNT, GROUP, PEOPLE, is_year, value
from sheaf.rules.text import Reading, Sentence

RANDOM = (
    r"(?:randomi[sz]ed|randomly (?:\w+ ){0,2}?(?:assigned|allocated|divided|distributed|split|placed|selected to receive"
    r"|enrolled|separated|classified|grouped|categori[sz]ed)"
    r"|(?:assigned|allocated|divided|separated) (?:\w+ ){0,2}?(?:randomly|at random|by randomi[sz]ation))"
)
GAP = r"(?:[^.;:]|\.(?=\d)){0,160}?"
BARE = COUNT.replace("=", "")
TOTAL = (
    re.compile(rf"{GROUP}{GAP}\b(?P<verb>{RANDOM})", re.I),
    re.compile(
        rf"\b(?P<joint>of (?:these|whom|which|them|those)|whom|remaining|and|,|finally|thus|total of|leaving) ?,? ?(?P<n>{COUNT}) "
        rf"(?:{ADJECTIVES}{PEOPLE} )?(?:\([^)]{{1,20}}\) )?(?:(?:were|was|underwent|are) )?"
        r"(?:(?:subsequently|then|finally|eventually|ultimately|successfully|eligible and) )?"
        rf"(?P<verb>{RANDOM}|assigned to|randomi[sz]ation)",
        re.I,
    ),
    re.compile(
        r"\b(?:we|and|were|to) (?:then )?(?P<verb>randomi[sz]ed|randomly (?:assigned|allocated)) "
        rf"(?P<n>{COUNT})(?: {ADJECTIVES}{PEOPLE}|[ ,.;)]|$)",
        re.I,
    ),
    re.compile(
        r"\b(?P<verb>randomi[sz]ed|randomly (?:assigned|allocated)|randomi[sz]ation)\b:?,? ?"
        rf"(?:patients |participants |subjects |women )?[(\[]? ?n ?= ?(?P<n>{BARE}) ?[)\]]?",
        re.I,
    ),
    re.compile(
        rf"(?P<n>{COUNT}) (?:{ADJECTIVES}{PEOPLE} )?(?:were |was |underwent )?(?P<verb>randomi[sz]ed|randomi[sz]ation)\b",
        re.I,
    ),
    re.compile(
        rf"\ball (?:of )?(?:the )?(?P<n>{COUNT}) (?P<verb>randomi[sz]ed|randomly assigned) {ADJECTIVES}{PEOPLE}", re.I
    ),
    re.compile(rf"\b{PEOPLE}[^.;()]{{0,60}}\( ?n ?= ?(?P<n>\d{{1,7}}) ?\) (?:were|was) (?P<verb>{RANDOM})", re.I),
    re.compile(
        rf"(?P<verb>randomi[sz]ed|randomly (?:assigned|allocated)) {ADJECTIVES}{PEOPLE}[^.;()]{{0,40}}\( ?n ?= ?(?P<n>\d{{1,7}}) ?\)",
        re.I,
    ),
)
ENTERED = (
    re.compile(
        rf"{GROUP}{GAP}\b(?:enrol+ed|included|recruited|participated|studied|took part|entered|selected|eligible)\b",
        re.I,
    ),
    re.compile(rf"\b(?:enrol+ed|included|recruited|studied) (?:a total of )?{GROUP}", re.I),
)
NEXT = re.compile(
    r"\b(?:they|patients|participants|subjects|women|children|all|these|individuals|volunteers|who|mothers|infants|eyes|teeth)\b"
    rf"[^.]{{0,60}}\b(?:{RANDOM})|after randomi[sz]ation|^randomi[sz]ation",
    re.I,
)
PASSING = re.compile(
    r"\b(?:will|would|planned|required?|needed|target|aim(?:ed)? to|expected|anticipated|sample size|power|"
    r"previous(?:ly)? (?:\w+ )?(?:stud\w+|trials?|work|reported|published|described|shown)|et al|earlier|pilot (?:study|trial)|"
    r"meta-analys\w+|systematic review|other (?:trials|studies)|trials|clusters?|villages|schools|practices|withdr\w+)\b",
    re.I,
)
BROKEN = re.compile(
    r"\b(?:exclu\w+|withdr\w+|lost|died|dropped|discontinu\w+|screened|assessed|approached|invited|refused|declined|ineligible|"
    r"not|without|completed|analy[sz]ed|prior to|before|after|per|each|and \d+)\b|\bof (?:whom|which|these|the \d+)\b",
    re.I,
)
PART = re.compile(
    r"(?:(?<!total )(?<!number )(?<!sample )(?<!comprised )(?<!consisted )(?<!consisting )\bof "
    r"(?:the |these |all |our )?(?:\d[\d,]* )?|\b(?:group|arm)s? )$",
    re.I,
)
A_PEOPLE = re.compile(rf" {ADJECTIVES}{PEOPLE}", re.I)
ANOTHER_ARM = re.compile(rf"\b(?:{RANDOM}|assigned to|allocated to|received)\b[^.;]*$", re.I)
ONE_ARM = re.compile(r"^(?:,? ?\d ?: ?\d)? ?(?:in)?to (?:receive |the |a |an |undergo |have |get |take )?", re.I)
SEVERAL = re.compile(
    r"\b(?:either|or|groups|arms|one of|versus|vs|between|conditions|sequences?|treatments|interventions|orders?)\b|[:;]|\bn ?=",
    re.I,
)
UNIT = r"(?:weeks?|days?|months?|years?|[mµμk]?g|mcg|m?l|iu|units?|mm|cm|min|hours?|h|%)"
ARM_AND_ARM = re.compile(
    rf"^[^.;]{{0,120}}?(?:\band\b|,|;|\bwhile\b|\bwhereas\b) (?:the (?:other|remaining) )?(?:{COUNT}) "
    rf"(?:(?!{UNIT}\b)\w+ ){{0,3}}?(?:to\b|(?:were |was )?(?:randomi|allocated|assigned|in|received|into)\b)",
    re.I,
)
EACH = re.compile(rf"(?:(?<=n=)|(?<=n = ))\d{{1,6}}|{COUNT}(?! ?{UNIT}(?!\w))", re.I)
LATER = re.compile(r" (?:in|for) (?:the |this |our |these )?(?:\w+ ){0,3}?(?:analys|evaluation)", re.I)
RANDOMLY = re.compile(rf"\b{RANDOM}", re.I)
ENTERED_MIN, NEAR = 4, 2


def n_randomised(reading: Reading) -> Answer:
    """How many were randomised in all; nothing of a protocol."""
    if is_protocol(reading):
        return not_reported()
    sentences = (*reading.opening, *reading.within("methods", "results", "other"))
    said = [found for sentence in sentences for found in _totals(sentence)]
    early = [found for found in said if found.spot.sentence.section in {"front", "abstract"}]
    if early and len({found.value for found in early}) == 1:
        return prevailing(reading, early)
    return prevailing(reading, said or list(_entered(reading, sentences)))


def _totals(sentence: Sentence) -> Iterator[Found]:
    if not sentence.has("random", "assigned to") or PASSING.search(sentence.text):
        return
    for pattern in TOTAL:
        for match in pattern.finditer(sentence.text):
            number = value(match["n"])
            if (
                number
                and number > 1
                and not is_year(sentence.text, *match.span("n"))
                and _is_total(sentence.text, match)
            ):
                yield Found(number, Spot(sentence, match.start("n"), match.end()))


def _is_total(text: str, match: re.Match[str]) -> bool:
    between, after = text[match.end("n") : match.start("verb")], text[match.end("verb") :]
    part = PART.search(text[max(0, match.start("n") - 20) : match.start("n")])
    if BROKEN.search(between) or (part and not A_PEOPLE.match(after)):
        return False
    if ARM_AND_ARM.match(after) and not _adds_up(after, value(match["n"]) or 0):
        return False
    if match.groupdict().get("joint", "")[:3].lower() in {"and", ","} and ANOTHER_ARM.search(text[: match.start()]):
        return False
    to_one = ONE_ARM.match(after) or match["verb"].lower().endswith(" to")
    return not (to_one and not SEVERAL.search(after[:160]))


def _adds_up(text: str, total: int) -> bool:
    """Whether the first counts in a text, two or more, make the total."""
    made, counts = 0, 0
    for each in EACH.finditer(text):
        made, counts = made + (value(each.group()) or 0), counts + 1
        if made >= total:
            return made == total and counts > 1
    return False


def _entered(reading: Reading, sentences: tuple[Sentence, ...]) -> Iterator[Found]:
    """Those who entered, where it follows that they were randomised.

    The same sentence or the next says so, or the arms add up to them, or each had every treatment in a random order.
    """
    adding_up = {sum(each) for each in sizes(reading)}
    crossing = allocates_order(reading)
    for index, sentence in enumerate(sentences):
        follows = crossing or any(_goes_on(sentence, near) for near in sentences[index + 1 : index + 1 + NEAR])
        for found in _those(sentence):
            later = sentence.text[found.spot.end :]
            if found.value in adding_up or (follows and not LATER.match(later)) or RANDOMLY.search(later):
                yield found


def _goes_on(sentence: Sentence, near: Sentence) -> bool:
    """Whether a sentence soon after says that they were randomised."""
    return near.page == sentence.page and NEXT.search(near.text) is not None and not PASSING.search(near.text)


def _those(sentence: Sentence) -> Iterator[Found]:
    """Numbers of people that a sentence says entered."""
    if PASSING.search(sentence.text):
        return
    for pattern in ENTERED:
        for match in pattern.finditer(sentence.text):
            number = value(match["n"]) or 0
            whole = not BROKEN.search(sentence.text[match.end("n") : match.end()])
            if whole and number >= ENTERED_MIN and not is_year(sentence.text, *match.span("n")):
                yield Found(number, Spot(sentence, match.start(), match.end()))
