"""How participants were allocated: sequence, restriction, concealment, ratio. Pure."""

import re

from clinical.rules.answers import Answer, Found, Spot, agreed, contradictory, in_full, not_found, printed, reported
from clinical.rules.text import Reading, Sentence, any_case

Patterns = tuple[tuple[str, re.Pattern[str]], ...]
ABOUT = any_case(r"random|alloca|assign|sequence|minimi[sz]ation|conceal|envelope")
NOT_OURS = any_case(
    r"et al\b|previous(?:ly)? (?:stud|trial|publish)|random(?:ly)? (?:selected|chosen|sampl|effects?|intercept|slope)|meta-analys|order of (?:questions|stimuli)"
)
SEQUENCE: Patterns = (
    ("minimisation", any_case(r"\bminimi[sz]ation\b|\bminimi[sz]e the (?:differences?|imbalances?) between")),
    ("table", any_case(r"\b(?:random[- ]?(?:ised |ized )?numbers? tables?|tables? of (?:computer-generated )?random|random tables?|randomi[sz]ation tables?)\b")),
    ("coin", any_case(r"\bcoin(?:[- ]toss| flip)?\b|\bdrawing (?:of )?lots\b|\blots were drawn\b|\bdice\b|\bshuffl")),
    ("nonrandom", any_case(r"\b(?:odd|even)(?: and even| or odd)? ?-?(?:numbers?|numbered|days)\b|\balternat(?:e|ing|ely) (?:allocation|assign|patients|days|weeks|order)|\b(?:date of birth|birth ?date|day of admission|hospital (?:record|file) number|last digits?)\b|\bquasi-?random")),
    ("computer", any_case(
        r"\bcomputer\w*[- ](?:generated|based|determined|produced|derived|assisted|aided)?,? ?(?:\w+[- ]){0,3}?"
        r"(?:random|alloc|sequence|schedule|list|algorithm|system)"
        r"|\b(?:random\w*|alloc\w*|sequence|assign\w*)\b[^.;]{0,80}?\b(?:by|using|with|via|from|through|in|of|help of) (?:a |an |the )?"
        r"(?:\w+[- ]){0,3}?(?:computers?|computer[- ]generated|computeri[sz]ed|software|SAS|SPSS|stata|nquery|excel|randlist"
        r"|(?:web|internet|online)[- ]based (?:randomi|alloc|system|service|program))"
        r"|\brandom[- ]number generat\w+|\brandomi[sz]er\b|\brandomi[sz]ation\.com|\brandlist\b"
        r"|\bsoftware\b(?:[^.;]|\.(?=\d)){0,60}\brandomi[sz]ation sequence|\bonline random"
)),
)  # fmt: skip
RESTRICTION: Patterns = (
    ("minimisation", any_case(r"\bminimi[sz]ation\b")),
    ("stratified", any_case(r"\bstratif(?:ied|ication|ying)\b|\bstrata\b|\bstratum\b")),
    ("block", any_case(r"\bblock(?:s|ed)?[- ](?:randomi|of|size|length|allocation|design)|\bpermuted[- ]blocks?\b|\b(?:in|by|random|variable|balanced|within|randomi[sz]ed|fixed) blocks?\b|\bblock(?:ed)? randomi|\brandomi[sz]ed[- ]blocks?\b")),
    ("simple", any_case(r"\b(?:simple|complete|unrestricted) (?:un(?:restricted|stratified) )?randomi[sz]ation\b|\bsimple random (?:alloc|assign)")),
)  # fmt: skip
CONCEALMENT: Patterns = (
    ("sealed_envelope", any_case(r"\benvelopes?\b")),
    ("central", any_case(r"\bcentral(?:i[sz]ed|ly)?\b[^.;]{0,50}\b(?:random|alloc|telephone|computer|system|service|office|web)|\b(?:random|alloc)\w*[^.;]{0,60}\bcentral(?:i[sz]ed|ly)\b|\b(?:telephone|phone|internet|interactive voice|interactive web)(?:-| )?(?:based |response )?[^.;]{0,30}\b(?:random|alloc|system|response|service)|\bIVRS\b|\bIWRS\b|\bIXRS\b|\bweb-based (?:randomi|alloc|system)|\bvia a central\b")),
    ("pharmacy", any_case(r"\bpharmac(?:y|ist|ists)\b")),
    ("open", any_case(r"\b(?:allocation|assignment|sequence) was not concealed|\bwithout (?:allocation )?concealment|\bno (?:allocation )?concealment|\bopen (?:random )?(?:list|allocation schedule)")),
)  # fmt: skip
OTHER_USE = any_case(
    r"computer\w{0,20}[- ](?:tailored|task|training|interven|program|game|test|screen|display|drug|version|monitor|tomograph|assisted)"
    r"|\b(?:analys[ei]s|analy[sz]ed|compar(?:ing|ed|ison))\b"
)
"""Computers that treat, test or count, and do not allocate."""
RATIO = any_case(
    r"(?<![\d:.])(?P<ratio>\d{1,2} ?: ?\d{1,2}(?: ?: ?\d{1,2}){0,4}|(?:one|two|three)[- ]to[- ](?:one|two|three))(?![\d:])"
)
RATIO_SIGNS = any_case(r"random|alloca|assigned|\bratio\b")
RATIO_TRAPS = any_case(
    r"match|titer|titre|dilut|light|dark cycle|\d ?: ?\d\d ?(?:am|pm|h)\b|odds|hazard|risk ratio|waist|solution|v/v|protein"
)


def sequence_generation(reading: Reading) -> Answer:
    """How the sequence was made; minimisation by computer is minimisation."""
    return _one(_found(reading, SEQUENCE), reading, ahead=("minimisation", "nonrandom", "table", "coin"))


def sequence_generation_detail(reading: Reading) -> Answer:
    return _in_words(_found(reading, SEQUENCE), reading)


def restriction(reading: Reading) -> Answer:
    """Blocks within strata are stratified; minimisation stands for itself."""
    return _one(_found(reading, RESTRICTION), reading, ahead=("minimisation", "stratified", "block"))


def restriction_detail(reading: Reading) -> Answer:
    return _in_words(_found(reading, RESTRICTION), reading)


def allocation_concealment(reading: Reading) -> Answer:
    """How the next allocation was hidden; two ways that differ are left to a reader."""
    return agreed(reading, _found(reading, CONCEALMENT))


def allocation_concealment_detail(reading: Reading) -> Answer:
    return _in_words(_found(reading, CONCEALMENT), reading)


def allocation_ratio(reading: Reading) -> Answer:
    """The ratio as printed, where a sentence on the allocation has one."""
    found = []
    for sentence in reading.study:
        if ":" not in sentence.text and "-to-" not in sentence.low and " to " not in sentence.low:
            continue
        if RATIO_SIGNS.search(sentence.text) and not RATIO_TRAPS.search(sentence.text):
            found += [_ratio(reading, sentence, match) for match in RATIO.finditer(sentence.text)]
    return agreed(reading, found)


def _ratio(reading: Reading, sentence: Sentence, match: re.Match[str]) -> Found:
    spot = Spot.of(sentence, match)
    return Found(printed(reading, spot).replace(" ", "") if ":" in match.group() else printed(reading, spot), spot)


def _found(reading: Reading, patterns: Patterns) -> list[Found]:
    return [
        Found(kind, Spot.of(sentence, match))
        for sentence in reading.study
        if _tells(sentence, patterns)
        for kind, pattern in patterns
        if (match := pattern.search(sentence.text))
    ]


def _tells(sentence: Sentence, patterns: Patterns) -> bool:
    """Whether the sentence is on this study's allocation."""
    if patterns is SEQUENCE and OTHER_USE.search(sentence.text):
        return False
    if not ABOUT.search(sentence.text) or NOT_OURS.search(sentence.text):
        return False
    return _hides(sentence) if patterns is CONCEALMENT else sentence.has("random", "minimi")


def _hides(sentence: Sentence) -> bool:
    return sentence.has("envelope", "conceal", "central", "random", "alloc") and sentence.has(
        "random", "alloc", "assign", "sequence", "group", "code", "conceal"
    )


def _one(found: list[Found], reading: Reading, *, ahead: tuple[str, ...]) -> Answer:
    """The first kind in `ahead` that was found goes before those that are merely part of it."""
    for kind in ahead:
        same = [each for each in found if each.value == kind]
        others = {each.value for each in found} - {kind}
        if same and "nonrandom" in others | {kind} and others:
            return contradictory(reading, found)
        if same:
            return reported(reading, kind, same[0].spot)
    return agreed(reading, found)


def _in_words(found: list[Found], reading: Reading) -> Answer:
    return in_full(reading, found[0].spot.sentence) if found else not_found()
