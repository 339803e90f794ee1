"""In which countries the study was done. Pure.

Authors' names and addresses are not where patients were recruited, nor is a people, or who made what was used.
"""

import re
from collections.abc import Iterator

from clinical.evidence.quantities.people_counts import COUNT, count
from clinical.papers.stretches import is_makers
from clinical.rules.answers import Answer, Found, Spot, distinct, listed, unclear
from clinical.rules.text import Reading, Sentence, any_case
from clinical.templates.country_names import ELSEWHERE, NAMES, PEOPLES

COUNTRY = re.compile(
    r"(?<![\w])(?:the )?(?P<name>"
    + "|".join(re.escape(name) for name in sorted(NAMES, key=len, reverse=True))
    + r")(?![\w])(?!\.\w)(?! Food and Drug| Department of| National Institute| Public Health Service| dollars?\b)"
)
PEOPLE_OF = re.compile(
    r"\b(?P<name>" + "|".join(sorted(PEOPLES, key=len, reverse=True)) + r")\b(?=[\w ,'-]{0,60}?\b"
    r"(?:hospitals?|cent(?:er|re)s?|sites?|clinics?|practices?|schools?|universit\w+|municipalit\w+|units|cities|[Ss]tates|[Pp]rovinces)\b)"
)
NOT_HERE = re.compile(ELSEWHERE)
RULES = any_case(
    r"\b(?:accord\w*|complian\w+|guidelines?|guidance|regulations?|laws?|declaration|standards?|licen[cs]ed|recommendations?|criteria)\b"
)
"""By which a study may be done in any country."""
COUNTRIES = any_case(rf"\b(?P<n>{COUNT}) (?:\w+ )?(?:countries|nations)\b")
ABROAD = any_case(r"\b(?:multi-?national|international|worldwide|global)(?:,? [\w-]+){0,4} (?:trial|study|rct)\b")
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
    """Where participants were recruited; where that is not said, where the one ethics committee is."""
    for told in (_titled(reading), _held(reading)):
        if told:
            return unclear() if _more(reading, len(told)) else listed(reading, told)
    own = (*reading.opening, *reading.within("methods", "results", "conclusion", "other", "back"))
    ethics = distinct(found for sentence in own if ETHICS.search(sentence.text) for found in _named(sentence))
    if len(ethics) > 1:
        return unclear()
    return listed(reading, ethics)


def _titled(reading: Reading) -> list[Found]:
    """A country that the title names."""
    sentences = [each for each in reading.titles if len(each.low) > TITLE_MIN] if reading.title else []
    return distinct(found for sentence in sentences for found in _named(sentence))


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
    return not is_makers(text, match.start())
