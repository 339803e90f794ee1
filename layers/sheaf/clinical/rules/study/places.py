"""In which countries the study was done. Pure.

An author's address is not where patients were recruited. It is taken for that only where nothing else is said and all
addresses on the first page are in one country.
"""

import re
from collections.abc import Iterator

from clinical.evidence.quantities.people_counts import COUNT, count
from clinical.rules.answers import Answer, Found, Spot, distinct, listed, not_found, unclear
from clinical.rules.study.country_names import ELSEWHERE, NAMES, PEOPLES
from clinical.rules.text import Reading, Sentence, any_case

COUNTRY = re.compile(
    r"(?<![\w])(?:the )?(?P<name>"
    + "|".join(re.escape(name) for name in sorted(NAMES, key=len, reverse=True))
    + r")(?![\w])(?!\.\w)(?! Food and Drug| Department of| National Institute| Public Health Service| dollars?\b)"
)
PEOPLE_OF = re.compile(
    r"\b(?P<name>" + "|".join(sorted(PEOPLES, key=len, reverse=True)) + r")\b(?=[\w ,'-]{0,60}?\b"
    r"(?:hospitals?|cent(?:er|re)s?|sites?|clinics?|practices?|schools?|universit\w+|municipalit\w+|units|population|adults|citizens|households|cities|[Ss]tates|[Pp]rovinces)\b)"
)
A_PEOPLE = re.compile(
    r"(?<!-)\b(?P<name>"
    + "|".join(sorted(PEOPLES, key=len, reverse=True))
    + r")\b(?! (?:version|translation|language|Americans?|medicine|herb\w*|diet|ginseng))"
)
NOT_HERE = re.compile(ELSEWHERE)
RULES = any_case(
    r"\b(?:accord\w*|complian\w+|guidelines?|guidance|regulations?|laws?|declaration|standards?|licen[cs]ed|recommendations?|criteria)\b"
)
"""By which a study may be done in any country."""
USED = any_case(
    r"\b(?:us(?:ing|ed)|measur\w+|analy[sz]er|assays?|devices?|kits?|tablets?|capsules?|probes?|purchased|obtained from|supplied|"
    r"provided by|produced|manufactur\w+|system|analy[sz]ed)\b"
)
ASIDE = re.compile(r"\([^()]*,[^()]*$")
"""An opened bracket with a comma: the maker of what was used, and the town."""
COUNTRIES = any_case(rf"\b(?P<n>{COUNT}) (?:\w+ )?(?:countries|nations)\b")
ABROAD = any_case(r"\b(?:multi-?national|international|worldwide|global)(?:,? [\w-]+){0,4} (?:trial|study|rct)\b")
PRINTED = any_case(
    r"\b(?:licen[cs]ee|copyright|published by|publish\w+|springer|elsevier|wiley|biomed central|dove|hindawi|karger|mdpi|editor)\b|©|\(c\)"
)
HELD = any_case(
    r"\b(?:stud(?:y|ies)|trials?|research|surveys?|interventions?|projects?|program(?:me)?|data collection|rct|recruitment|work|experiments?|analysis)\b[^;]{0,90}?"
    r"\b(?:conducted|carried out|performed|undertaken|took place|implemented|located|run|done|set)\b|\b(?:conducted|carried out|performed|undertaken|did|did) (?:this|a|an|our|the) [\w ,-]{0,80}?\b(?:study|trial|survey)|"
    r"\b(?:recruited|recruiting|recruitment|enrol+ed|enrol+ment|screened|invited|randomi[sz]ed)\b|\b(?:study|trial) (?:site|area|setting|population)|\bsetting\b|"
    r"\b(?:patients|participants|women|men|children|adults|subjects|individuals|volunteers|students|people|residents|infants|admissions?|population)\b[^;]{0,90}?"
    r"\b(?:admitted|attending|treated|presenting|visiting|referred|living|from|hospitali[sz]ed|of)\b"
    r"|\b(?:sites|hospitals|cent(?:er|re)s|clinics|institutions) (?:in|across|throughout)\b"
)
HOLDING = ("conducted", "carried out", "performed", "recruit", "enrol", "undertaken", "took place", "setting",
           "located", "attending", "admitted", "from ", "sites in", "sites across")  # fmt: skip
"""One of them is in each sentence that says where a study was held."""
PLACE = any_case(r"\b(?:in|at|from|across|of|throughout|within)\b")
ADDRESS = any_case(r"\b(?:department|division|faculty|school|institute|universit\w+|hospital)\b[^;]{0,200},")
TITLE_MIN = 20
"""Characters; a shorter sentence of the front page may be part of the title by chance."""
ABOUT_OTHERS = any_case(
    r"\bsample size (?:was|is|calc\w+|estim\w+)|\bpower (?:calc|analy|of)|\bet al\b|\bsimilar (?:trial|study)|\b(?:previous|earlier|other|another) (?:\w+ )?(?:trials?|stud(?:y|ies))|\bsuggest|\bwere excluded\b"
)
"""Of a sentence on another study, or on who was not in this."""
ETHICS = any_case(r"ethic|review board|\birb\b|approv")
MAKERS = any_case(
    r"\b(?:inc|gmbh|ltd|corp|corporation|co|software|version|kit|manufactur\w+|purchased|pharma\w*|spss|stata|sas|assay|fund\w*|grant|supported)\b\.?"
)


def countries(reading: Reading) -> Answer:
    """Where participants were recruited; where that is not said, where all authors are."""
    for told in (_titled(reading), _held(reading)):
        if told:
            return unclear() if _more(reading, len(told)) else listed(reading, told)
    own = (*reading.within("front", "abstract", "methods", "results", "conclusion", "other"), *reading.within("back"))
    ethics = distinct(found for sentence in own if ETHICS.search(sentence.text) for found in _named(sentence))
    homes = distinct(_addresses(reading))
    for told in (ethics, homes, _of_people(reading, homes)):
        if len(told) == 1:
            return listed(reading, told)
    return unclear() if homes or ethics else not_found()


def _titled(reading: Reading) -> list[Found]:
    """A country that the title names."""
    sentences = [each for each in reading.titles if len(each.low) > TITLE_MIN] if reading.title else []
    return distinct(found for sentence in sentences for found in _named(sentence))


def _of_people(reading: Reading, homes: list[Found]) -> list[Found]:
    """Of the countries that authors are from, the one whose people the title is on."""
    theirs = {each.value for each in homes}
    found = (
        Found(PEOPLES[match["name"]], Spot.of(sentence, match))
        for sentence in reading.titles
        for match in A_PEOPLE.finditer(sentence.text)
    )
    return distinct(each for each in found if each.value in theirs)


def _more(reading: Reading, told: int) -> bool:
    """Whether the paper says that it was done in more countries than it names, or by its kind must have been."""
    for sentence in (*reading.opening, *(each for each in reading.within("methods") if _is_held(each))):
        if any(count(match["n"]) > told for match in COUNTRIES.finditer(sentence.text)):
            return True
        if told == 1 and ABROAD.search(sentence.text):
            return True
    return False


def _held(reading: Reading) -> list[Found]:
    """Countries that sentences name which say where the study was done, or whom it recruited."""
    for sentences in (reading.abstract, reading.within("methods"), reading.within("other", "results")):
        told = distinct(found for sentence in sentences if _is_held(sentence) for found in _named(sentence, after=True))
        if told:
            return told
    return []


def _is_held(sentence: Sentence) -> bool:
    return (
        sentence.has(*HOLDING)
        and bool(HELD.search(sentence.text))
        and not MAKERS.search(sentence.text)
        and not ABOUT_OTHERS.search(sentence.text)
        and not ETHICS.search(sentence.text[:60])
    )


def _addresses(reading: Reading) -> list[Found]:
    """Countries of the authors' addresses: before the abstract's text, or where the paper lists them at its end."""
    front = [each for each in reading.within("front") if not MAKERS.search(each.text[-40:])]
    found = [each for sentence in front if not PRINTED.search(sentence.text) for each in _named(sentence)]
    later = reading.within("abstract", "other", "conflicts", "funding", "back")
    return found or [each for sentence in later if ADDRESS.search(sentence.text) for each in _named(sentence)]


def _named(sentence: Sentence, *, after: bool = False) -> Iterator[Found]:
    """Countries, and peoples whose hospitals are named; where asked, only after the words on where it was done."""
    held = HELD.search(sentence.text) if after else None
    places = [(match, NAMES[match["name"]]) for match in COUNTRY.finditer(sentence.text)]
    places += [(match, PEOPLES[match["name"]]) for match in PEOPLE_OF.finditer(sentence.text) if after]
    elsewhere = [match.span() for match in NOT_HERE.finditer(sentence.text)]
    for match, country in sorted(places, key=lambda place: place[0].start()):
        if any(start <= match.start("name") < end for start, end in elsewhere):
            continue
        if not after or (held and _is_there(sentence.text, held, match)):
            yield Found(country, Spot.of(sentence, match))


def _is_there(text: str, held: re.Match[str], match: re.Match[str]) -> bool:
    """Whether a country is where it was done, and not whose rules it kept or who made what it used."""
    if not PLACE.search(text, held.start(), match.start()) or RULES.search(text, held.start(), match.start()):
        return False
    return not (ASIDE.search(text, 0, match.start()) and USED.search(text))
