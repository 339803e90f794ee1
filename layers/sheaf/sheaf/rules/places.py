"""Where the study was done: countries, how many sites, what kind of place. Pure.

An author's address is not where patients were recruited. It is taken for that only where nothing else is said and all
addresses on the first page are in one country.
"""

import re
from collections.abc import Iterable, Iterator

from sheaf.rules.answers import Answer, Found, Spot, agreed, listed, not_reported, printed, reported, unclear
from sheaf.rules.atlas import NAMES, PEOPLES
from sheaf.rules.numbers import COUNT, is_year, value
from sheaf.rules.text import Reading, Sentence

COUNTRY = re.compile(
    r"(?<![\w])(?:the )?(?P<name>"
    + "|".join(re.escape(name) for name in sorted(NAMES, key=len, reverse=True))
    + r")(?![\w])(?!\.\w)(?! Food and Drug| Department of| National Institute| Public Health Service| dollars?\b)"
)
PEOPLE_OF = re.compile(
    r"\b(?P<name>" + "|".join(sorted(PEOPLES, key=len, reverse=True)) + r")\b(?=[\w ,'-]{0,60}?\b"
    r"(?:hospitals?|cent(?:er|re)s?|sites?|clinics?|practices?|schools?|universit\w+|municipalit\w+|units|population|adults|citizens|households|cities)\b)"
)
HELD = re.compile(
    r"\b(?:stud(?:y|ies)|trials?|research|surveys?|interventions?|projects?|program(?:me)?|data collection|rct|recruitment|work|experiments?|analysis)\b[^;]{0,90}?"
    r"\b(?:conducted|carried out|performed|undertaken|took place|implemented|located|run|done|set)\b|\b(?:conducted|carried out|performed|undertaken|did|did) (?:this|a|an|our|the) [\w ,-]{0,80}?\b(?:study|trial|survey)|"
    r"\b(?:recruited|recruiting|recruitment|enrol+ed|enrol+ment|screened|invited|randomi[sz]ed)\b|\b(?:study|trial) (?:site|area|setting|population)|\bsetting\b|"
    r"\b(?:patients|participants|women|men|children|adults|subjects|individuals|volunteers|students|people|residents|infants|admissions?|population)\b[^;]{0,90}?"
    r"\b(?:admitted|attending|treated|presenting|visiting|referred|living|from|hospitali[sz]ed|of)\b"
    r"|\b(?:sites|hospitals|cent(?:er|re)s|clinics|institutions) (?:in|across|throughout)\b",
    re.I,
)
PLACE = re.compile(r"\b(?:in|at|from|across|of|throughout|within)\b", re.I)
SITES = re.compile(
    rf"(?P<n>{COUNT}) (?:(?!(?:of|were|and|to|in|or|at|from|for|with|per)\b)[\w/'-]+,? ){{0,5}}?(?:hospitals|cent(?:er|re)s|sites|clinics|practices|institutions|"
    r"trial sites|departments|units|maternity hospitals|nursing homes)\b",
    re.I,
)
SINGLE = re.compile(r"\b(?P<n>single|one|mono)(?:-| )?(?:cent(?:er|re)|site|institution(?:al)?|hospital)\b", re.I)
SITE_SIGNS = re.compile(
    r"\b(?:conducted|recruit\w*|enrol\w*|undertaken|took place|multi-?cent\w+|trial|study|participat\w+|single)\b",
    re.I,
)
NO_SITES = re.compile(
    r"stratif|previous|et al|other|surveyed|approached|declined|median|mean number|per (?:site|cent)|of the \d+", re.I
)
HOLDING = ("conducted", "carried out", "performed", "recruit", "enrol", "undertaken", "took place", "setting")
SETTING = re.compile(
    r"\b(?:(?:tertiary|secondary|primary|university|teaching|general|district|community|referral|academic|public|private|military|urban|rural|regional|"
    r"pa?ediatric|maternity|adult|medical|surgical|neonatal|cardiac|mixed|acute|psychiatric|children's|care|health|affiliated|university-affiliated|level) ?-?){0,4}"
    r"(?:hospitals?|intensive care units?|emergency (?:departments?|rooms?)|outpatient (?:clinics?|departments?)|primary (?:health )?care(?: (?:clinics?|practices|cent(?:er|re)s))?|"
    r"general practices?|nursing homes?|medical cent(?:er|re)s?|health cent(?:er|re)s?|(?<=[a-z] )clinics?(?! (?:blood|systolic|visit|measure))|schools?|universities)\b",
    re.I,
)
ADDRESS = re.compile(r"\b(?:department|division|faculty|school|institute|universit\w+|hospital)\b[^;]{0,200},", re.I)
TITLE_MIN = 20
"""Characters; a shorter sentence of the front page may be part of the title by chance."""
ETHICS = re.compile(r"ethic|review board|\birb\b|approv", re.I)
MAKERS = re.compile(
    r"\b(?:inc|gmbh|ltd|corp|corporation|co|software|version|kit|manufactur\w+|purchased|pharma\w*|spss|stata|sas|assay|fund\w*|grant|supported)\b\.?",
    re.I,
)


def countries(reading: Reading) -> Answer:
    """Where participants were recruited; where that is not said, where all authors are."""
    for told in (_titled(reading), _held(reading)):
        if told:
            return listed(reading, told)
    ethics = _distinct(
        found
        for sentence in (*reading.own, *reading.within("back"))
        if ETHICS.search(sentence.text)
        for found in _named(sentence)
    )
    homes = _distinct(_addresses(reading))
    for told in (ethics, homes):
        if len(told) == 1:
            return listed(reading, told)
    return unclear() if homes or ethics else not_reported()


def n_sites(reading: Reading) -> Answer:
    """How many centres, where one sentence says it and no other says otherwise."""
    found = []
    for sentence in (*reading.opening, *reading.within("methods", "other", "results")):
        if sentence.has("single", "mono", "one cent", "one site", "one hospital"):
            found += [
                Found(1, Spot(sentence, match.start(), match.end()))
                for match in SINGLE.finditer(sentence.text)
                if not NO_SITES.search(sentence.text)
            ]
        if sentence.has(
            "hospitals",
            "centers",
            "centres",
            "sites",
            "clinics",
            "practices",
            "institutions",
            "units",
            "departments",
            "homes",
        ):
            found += _sites(sentence)
    return agreed(reading, [each for each in found if each.spot.sentence.section in {"front", "abstract"}] or found)


def setting(reading: Reading) -> Answer:
    """The kind of place, as the sentence that says where the study was done puts it."""
    for sentence in (*reading.opening, *reading.within("methods")):
        if (
            not sentence.has(*HOLDING)
            or sentence.has("serum", "sample", "plasma")
            or MAKERS.search(sentence.text)
            or ETHICS.search(sentence.text)
        ):
            continue
        held = HELD.search(sentence.text)
        match = SETTING.search(sentence.text, held.start()) if held else None
        if match and PLACE.search(sentence.text[max(0, match.start() - 60) : match.start()]):
            spot = Spot(sentence, match.start(), match.end())
            return reported(reading, printed(reading, spot), spot)
    return not_reported()


def _titled(reading: Reading) -> list[Found]:
    """A country that the title names."""
    sentences = [each for each in reading.titles if len(each.low) > TITLE_MIN] if reading.title else []
    return _distinct(found for sentence in sentences for found in _named(sentence))


def _held(reading: Reading) -> list[Found]:
    """Countries that sentences name which say where the study was done, or whom it recruited."""
    for sentences in (reading.abstract, tuple(reading.within("methods")), tuple(reading.within("other", "results"))):
        told = _distinct(
            found for sentence in sentences if _is_held(sentence) for found in _named(sentence, after=True)
        )
        if told:
            return told
    return []


def _is_held(sentence: Sentence) -> bool:
    words = sentence.has(
        "conducted",
        "carried out",
        "performed",
        "recruit",
        "enrol",
        "undertaken",
        "took place",
        "setting",
        "located",
        "attending",
        "admitted",
        "from ",
        "sites in",
        "sites across",
    )
    return (
        words
        and bool(HELD.search(sentence.text))
        and not MAKERS.search(sentence.text)
        and not ETHICS.search(sentence.text[:60])
    )


def _addresses(reading: Reading) -> Iterator[Found]:
    """Countries of the authors' addresses: before the abstract's text, or where the paper lists them at its end."""
    first = reading.within("front")
    found = [each for sentence in first if not MAKERS.search(sentence.text[-40:]) for each in _named(sentence)]
    if found:
        yield from found
        return
    for sentence in reading.within("abstract", "other", "conflicts", "funding", "back"):
        if ADDRESS.search(sentence.text):
            yield from _named(sentence)


def _named(sentence: Sentence, *, after: bool = False) -> Iterator[Found]:
    """Countries, and peoples whose hospitals are named; where asked, only after the words on where it was done."""
    held = HELD.search(sentence.text) if after else None
    places = [(match, NAMES[match["name"]]) for match in COUNTRY.finditer(sentence.text)]
    places += [(match, PEOPLES[match["name"]]) for match in PEOPLE_OF.finditer(sentence.text) if after]
    for match, country in sorted(places, key=lambda place: place[0].start()):
        if not after or (held and PLACE.search(sentence.text, held.start(), match.start())):
            yield Found(country, Spot(sentence, match.start(), match.end()))


def _sites(sentence: Sentence) -> Iterator[Found]:
    if not SITE_SIGNS.search(sentence.text) or NO_SITES.search(sentence.text):
        return
    matches = list(SITES.finditer(sentence.text))
    if len(matches) == 1 and not re.search(r"\d[\w ,-]{0,40}\band $", sentence.text[: matches[0].start()]):
        number = value(matches[0]["n"])
        if number and not is_year(sentence.text, *matches[0].span("n")):
            yield Found(number, Spot(sentence, matches[0].start(), matches[0].end()))


def _distinct(found: Iterable[Found]) -> list[Found]:
    first: dict[str, Found] = {}
    for each in found:
        first.setdefault(each.value, each)
    return list(first.values())
