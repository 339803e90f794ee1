"""Whether a quote says that the study was held in a country: no maker, name, people, guideline or other study is from there. Pure."""

import re

from clinical.answered import Reason
from clinical.evidence.cues import SENTENCE
from clinical.evidence.disclaimed import clauses, disclaimed
from clinical.evidence.saying.text_words import flat
from clinical.papers.stretches import is_makers
from clinical.templates.country_names import ELSEWHERE, NAMES, PEOPLES

GOES_ON = re.compile(
    r"\s?(?:$|[^\w\s]|\d|(?:and|or|between|from|in|during|was|were|is|are|has|have|had|with|who|which|that|to|by|at|on|for|where|after|since|as|using|via|through|than|while|but|under|before|until"
    r"|participated|took|alone|only|recruited|enrol+ed|randomi[sz]ed|contributed|aged|undergoing|receiving|attending|over|because|whose|will|[a-z]{2,14}ed)\b|[A-Z]{2}|[^\x00-\x7f])"
)
"""What may stand behind a country that is no part of a name: not "Canada balsam", not "Jordan Miller"."""
INSTITUTION = re.compile(
    r" (?:[a-z-]+ ){0,2}(?:hospitals?|cent(?:er|re)s?|clinics?|sites?|schools?|practices)\b| (?:[A-Z][\w-]+ ){0,4}(?:Hospital|University|Medical Cent(?:er|re))\b"
)
BOARD = re.compile(r"\bethic|\breview board|\bIRB\b", re.I)
INSTITUTIONS = re.compile(
    r"\b(?:hospitals?|cent(?:er|re)s?|universit\w+|clinics?|sites?|schools?|institut\w+|countr\w+|communit\w+|villages?|departments?|cit(?:y|ies)|towns?|districts?|provinces?|regions?)\b",
    re.I,
)
NEAR = 90
"""Characters before a bracket, in which an institution is named that is there."""
VERB = re.compile(r"\b(?:is|are|was|were|has|have|had|can|may|will|do|does|did)\b")
IN = re.compile(r"\b(?:in|from|across|of|at|throughout) (?:[\w-]+ ){0,3}$", re.I)
OF_PEOPLE = re.compile(
    r"[\w ,'-]{0,60}?\b(?:hospitals?|cent(?:er|re)s?|sites?|clinics?|practices?|schools?|universit\w+|municipalit\w+|units|cities|[Ss]tates|[Pp]rovinces|villages|communit\w+|towns?)\b"
    r"|(?: \w+){0,3}? (?:[Ee]thic|[Rr]eview [Bb]oard)"
)
REGISTER = re.compile(r" Clinical Trials? Regist(?:ry|er)\b")
"""Behind a people's name: it takes that country's trials."""
HELD = re.compile(
    r"\b(?:conducted|carried out|performed|undertaken|took place|implemented|located|held|run|set|recruit\w*|enrol\w*|screened|invited|randomi[sz]ed|randomly|setting|settings|sites?|hospitals?|cent(?:er|re)s?|clinics?"
    r"|practices?|schools?|villages?|communit\w+|universit\w+|admitted|attending|treated|presenting|living|resid\w+|participated|participants|patients|wom[ae]n|men|children|adults|infants|(?:were|was) (?:\w+ly )?(?:seen|scanned|examined|operated|tested|studied|interviewed|followed|assessed|vaccinated)|ethic\w*|review board|irb|trial|study|countries)\b",
    re.I,
)
ABROAD = re.compile(
    r"\b(?:unlike|in contrast|elsewhere|outside(?: of)?|import\w*|manufactur\w+|purchas\w+|obtained from|bought|supplied|shipped|sent to|made (?:in|by)|produced|product|market\w*|licen[cs]ed|approved (?:for|in)|available (?:in|from)|sold|developed (?:in|by|at)|validat\w+|translat\w+"
    r"|versions?|guidelines?|guidance|accord\w+|laws?|regulations?|recommendations?|prevalence|incidence|mortality|common|leading|endemic|annually|(?:each|every|per) year|burden|estimated|norms?|normative|reference (?:values?|population|data)|census|born"
    r"|migra\w+|immigra\w+|emigra\w+|origin\w*|descent|ancestry|travel\w*|fund(?:ed|ing|s)?|grants?|support(?:ed)? by|sponsor\w*|headquarter\w*|company|inc|ltd|gmbh|corp\w*|software|kits?|analy[sz]ed (?:in|at|by)|assay\w*|fellow|degree|trained|thank\w*|acknowledg\w*|colleagues|costs?|differ\w*|except|excluding|(?:all )?but (?:those|the ones?|one|for)"
    r"|(?<!university )(?:society|association|college|ministry|foundation|council|agency|bank|academy|board|government|federation|regist\w+|guideline) (?:of|for)|known|widely|usual|routine(?:ly)?|population of|residents of the)\b",
    re.I,
)
"""Of which a country is named without a word on where the study was."""


def elsewhere(country: str, quote: str) -> Reason | None:
    """Why the quote does not say that the study was in this country, as a word."""
    reason: Reason = "words_not_in_quote"
    for text in SENTENCE.split(flat(quote)):
        for found in _named(NAMES.get(country, country)).finditer(text):
            why_not = disclaimed(text, *found.span()) or _why_not(text, *found.span(), of_people=found["people"])
            if why_not is None:
                return None
            reason = why_not
    return reason


def _why_not(text: str, start: int, end: int, *, of_people: str | None) -> Reason | None:
    goes_on = OF_PEOPLE.match(text, end) if of_people else GOES_ON.match(text, end) or INSTITUTION.match(text, end)
    is_name = any(found.start() <= start < found.end() for found in ELSEWHERE.finditer(text))
    if of_people and REGISTER.match(text, end):
        return None
    if is_name or not goes_on or is_makers(text, start):
        return "wrong_place"
    first, last = next(part for part in clauses(text) if part[1] >= end)
    if BOARD.search(text):
        return None
    opened = text.rfind("(", first, start)
    is_aside = opened > text.rfind(")", first, start) and "," in text[opened:start]
    if is_aside and not INSTITUTIONS.search(text, max(first, opened - NEAR), end):
        return "wrong_place"
    return None if _is_held(text, first, start, end, last) else "wrong_place"


def _is_held(text: str, first: int, start: int, end: int, last: int) -> bool:
    """Whether what stands nearest to it, before it or else behind, tells where the study was; or it is a title that does."""
    abroad, held = ([found.start() for found in each.finditer(text, first, start)] for each in (ABROAD, HELD))
    if abroad or held:
        return max(abroad, default=-1) <= max(held, default=-1)
    foreign, here = ABROAD.search(text, end, last), HELD.search(text, end, last)
    if foreign and (here is None or foreign.start() < here.start()):
        return False
    return bool(here or (IN.search(text[:start]) and not VERB.search(text)))


def _named(country: str) -> re.Pattern[str]:
    """What a country is called, and its people before a place of theirs."""
    names = {country, *(name for name, meant in NAMES.items() if meant == country)}
    peoples = [name for name, meant in PEOPLES.items() if meant == country]
    called, theirs = ("|".join(map(re.escape, sorted(each, key=len, reverse=True))) for each in (names, peoples))
    return re.compile(rf"(?<!\w)(?:(?P<name>{called})|(?P<people>{theirs or '(?!)'}))(?!\w)")
