"""How participants were allocated: sequence, restriction, concealment, ratio. Pure."""

import re
from collections.abc import Iterable

from sheaf.rules.answers import Answer, Found, Spot, agreed, not_reported, printed, reported, unclear, whole
from sheaf.rules.text import Reading, Sentence

Patterns = tuple[tuple[str, re.Pattern[str]], ...]
ABOUT = re.compile(r"random|alloca|assign|sequence|minimi[sz]ation|conceal|envelope", re.I)
NOT_OURS = re.compile(
    r"et al\b|previous(?:ly)? (?:stud|trial|publish)|random(?:ly)? (?:selected|chosen|sampl|effects?|intercept|slope)|meta-analys|order of (?:questions|stimuli)",
    re.I,
)
SEQUENCE: Patterns = (
    ("minimisation", re.compile(r"\bminimi[sz]ation\b|\bminimi[sz]e the (?:differences?|imbalances?) between", re.I)),
    ("table", re.compile(r"\b(?:random[- ]?(?:ised |ized )?numbers? tables?|tables? of (?:computer-generated )?random|random tables?|randomi[sz]ation tables?)\b", re.I)),
    ("coin", re.compile(r"\bcoin(?:[- ]toss| flip)?\b|\bdrawing (?:of )?lots\b|\blots were drawn\b|\bdice\b|\bshuffl", re.I)),
    ("nonrandom", re.compile(r"\b(?:odd|even)(?: and even| or odd)? ?-?(?:numbers?|numbered|days)\b|\balternat(?:e|ing|ely) (?:allocation|assign|patients|days|weeks|order)|\b(?:date of birth|birth ?date|day of admission|hospital (?:record|file) number|last digits?)\b|\bquasi-?random", re.I)),
    ("computer", re.compile(
        r"\bcomputer\w*[- ](?:generated|based|determined|produced|derived|assisted|aided)?,? ?(?:\w+[- ]){0,3}?"
        r"(?:random|alloc|sequence|schedule|list|algorithm|system)"
        r"|\b(?:random\w*|alloc\w*|sequence|assign\w*)\b[^.;]{0,80}?\b(?:by|using|with|via|from|through|in|of|help of) (?:a |an |the )?"
        r"(?:\w+[- ]){0,3}?(?:computers?|computer[- ]generated|computeri[sz]ed|software|SAS|SPSS|stata|nquery|excel|randlist"
        r"|(?:web|internet|online)[- ]based (?:randomi|alloc|system|service|program))"
        r"|\brandom[- ]number generat\w+|\brandomi[sz]er\b|\brandomi[sz]ation\.com|\brandlist\b"
        r"|\bsoftware\b(?:[^.;]|\.(?=\d)){0,60}\brandomi[sz]ation sequence|\bonline random",
        re.I,
    )),
)  # fmt: skip
RESTRICTION: Patterns = (
    ("minimisation", re.compile(r"\bminimi[sz]ation\b", re.I)),
    ("stratified", re.compile(r"\bstratif(?:ied|ication|ying)\b|\bstrata\b|\bstratum\b", re.I)),
    ("block", re.compile(r"\bblock(?:s|ed)?[- ](?:randomi|of|size|length|allocation|design)|\bpermuted[- ]blocks?\b|\b(?:in|by|random|variable|balanced|within|randomi[sz]ed|fixed) blocks?\b|\bblock(?:ed)? randomi|\brandomi[sz]ed[- ]blocks?\b", re.I)),
    ("simple", re.compile(r"\b(?:simple|complete|unrestricted) (?:un(?:restricted|stratified) )?randomi[sz]ation\b|\bsimple random (?:alloc|assign)", re.I)),
)  # fmt: skip
CONCEALMENT: Patterns = (
    ("sealed_envelope", re.compile(r"\benvelopes?\b", re.I)),
    ("central", re.compile(r"\bcentral(?:i[sz]ed|ly)?\b[^.;]{0,50}\b(?:random|alloc|telephone|computer|system|service|office|web)|\b(?:random|alloc)\w*[^.;]{0,60}\bcentral(?:i[sz]ed|ly)\b|\b(?:telephone|phone|internet|interactive voice|interactive web)(?:-| )?(?:based |response )?[^.;]{0,30}\b(?:random|alloc|system|response|service)|\bIVRS\b|\bIWRS\b|\bIXRS\b|\bweb-based (?:randomi|alloc|system)|\bvia a central\b", re.I)),
    ("pharmacy", re.compile(r"\bpharmac(?:y|ist|ists)\b", re.I)),
    ("open", re.compile(r"\b(?:allocation|assignment|sequence) was not concealed|\bwithout (?:allocation )?concealment|\bno (?:allocation )?concealment|\bopen (?:random )?(?:list|allocation schedule)", re.I)),
)  # fmt: skip
OTHER_USE = re.compile(
    r"computer\w{0,20}[- ](?:tailored|task|training|interven|program|game|test|screen|display|drug|version|monitor|tomograph|assisted)"
    r"|\b(?:analys[ei]s|analy[sz]ed|compar(?:ing|ed|ison))\b",
    re.I,
)
"""Computers that treat, test or count, and do not allocate."""
RATIO = re.compile(
    r"(?<![\d:.])(?P<ratio>\d{1,2} ?: ?\d{1,2}(?: ?: ?\d{1,2}){0,4}|(?:one|two|three)[- ]to[- ](?:one|two|three))(?![\d:])",
    re.I,
)
RATIO_SIGNS = re.compile(r"random|alloca|assigned|\bratio\b", re.I)
RATIO_TRAPS = re.compile(
    r"match|titer|titre|dilut|light|dark cycle|\d ?: ?\d\d ?(?:am|pm|h)\b|odds|hazard|risk ratio|waist|solution|v/v|protein",
    re.I,
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
    for sentence in (*reading.opening, *reading.within("methods", "other", "results")):
        if ":" not in sentence.text and "-to-" not in sentence.low and " to " not in sentence.low:
            continue
        if RATIO_SIGNS.search(sentence.text) and not RATIO_TRAPS.search(sentence.text):
            found += [_ratio(reading, sentence, match) for match in RATIO.finditer(sentence.text)]
    return agreed(reading, found)


def _ratio(reading: Reading, sentence: Sentence, match: re.Match[str]) -> Found:
    spot = Spot(sentence, match.start(), match.end())
    return Found(printed(reading, spot).replace(" ", "") if ":" in match.group() else printed(reading, spot), spot)


def _found(reading: Reading, patterns: Patterns) -> list[Found]:
    return [
        Found(kind, Spot(sentence, match.start(), match.end()))
        for sentence in (*reading.opening, *reading.within("methods", "other", "results"))
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


def _one(found: Iterable[Found], reading: Reading, *, ahead: tuple[str, ...]) -> Answer:
    """The first kind in `ahead` that was found goes before those that are merely part of it."""
    every = list(found)
    for kind in ahead:
        same = [each for each in every if each.value == kind]
        others = {each.value for each in every} - {kind}
        if same and "nonrandom" in others | {kind} and others:
            return unclear()
        if same:
            return reported(reading, kind, same[0].spot)
    return agreed(reading, every)


def _in_words(found: list[Found], reading: Reading) -> Answer:
    if not found:
        return not_reported()
    spot = whole(found[0].spot.sentence)
    answer = reported(reading, None, spot)
    return {**answer, "value": " ".join(str(answer["quote"]).split())}
