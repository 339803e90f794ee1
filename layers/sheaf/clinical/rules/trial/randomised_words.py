"""The words by which papers say that people were randomised, and those by which they say otherwise. Pure."""

import re
from collections.abc import Iterator

from clinical.evidence.quantities.people_counts import ADJECTIVES, COUNT, GROUP, PEOPLE, count
from clinical.evidence.quantities.units import WORDS
from clinical.rules.text import any_case, any_cases

NO_NOUN = (
    r"(?!,?(?: (?!(?:to|in|into|by|and|or|at|for|on|from|with|between|after|before|of|the|an?|this|our)\b)[\w/-]+,?){0,6} "
    r"(?:trials?|stud(?:y|ies)|designs?|rcts?|groups|clinics|hospitals|practices|clusters?|villages|schools|manner|fashion|order"
    r"|sequence|way|comparisons?|evaluations?|blocks?|protocol|evidence|experiments?|crossover|phases?|period|treatments?)\b)"
)
"""What stands behind the verb: "two randomised controlled trials" are no two who were randomised."""
RANDOM = (
    rf"(?<!non-)(?<!non)(?:(?<=\bwere )randomi[sz]ed|(?<=\bwas )randomi[sz]ed|randomi[sz]ed{NO_NOUN}"
    r"|randomly (?:\w+ ){0,2}?(?:assigned|allocated|divided|distributed|split|placed|selected to receive"
    r"|enrolled|separated|classified|grouped|categori[sz]ed)"
    r"|(?:assigned|allocated|divided|separated) (?:\w+ ){0,2}?(?:randomly|at random|by randomi[sz]ation)"
    r"|(?:assigned|allocated)(?=,? (?:in an? )?\(?\d ?: ?\d)|underwent randomi[sz]ation)"
)
GAP = r"(?:[^.;:()\[\]]|\.(?=\d)|\((?:[^()]|\([^()]{0,60}\)){0,160}\)|\[[^\[\]]{0,160}\]){0,160}?"
"""Within a clause; what stands in brackets is passed over."""
BARE = COUNT.replace("/=<", "/<")
JOINED = r"(?:(?:were|was) (?:\w+ )?(?:eligible|enrol+ed|included|recruited|suitable)|fulfilled|met|satisfied|agreed|consented|gave|provided|signed|accepted|entered)\b"
"""What people did before they were randomised."""
BY_CHANCE = r"(?:random (?:numbers?|sequence|list|allocation|tables?)|table of random|randomi[sz]ation|computer[- ]generated|envelopes?|coin|lots|lottery|minimi[sz]ation)\b"
"""What a sentence says that assigns by chance without the word."""
TOTAL = any_cases(
    rf"{GROUP}{GAP}\b(?P<verb>{RANDOM})",
    rf"\b(?:of (?:these|whom|which|them|those)|whom|remaining|and|,|finally|thus|total of|leaving) ?,? ?(?P<n>{COUNT}) (?:{ADJECTIVES}{PEOPLE} )?(?:\([^)]{{1,20}}\) )?(?:(?:who |that )?(?:were|was|underwent|are) )?(?:(?:subsequently|then|finally|eventually|ultimately|successfully|(?:eligible|enrolled|recruited|included|consented) and) )?(?P<verb>{RANDOM}|assigned to|randomi[sz]ation)",
    rf"\b(?:we|and|were|to|trial|study|investigators) (?:then |\w+ly )?(?P<verb>randomi[sz]ed|randomly (?:assigned|allocated)) (?:a total of )?(?P<n>{COUNT})(?: {ADJECTIVES}{PEOPLE}|[,.;)]|$| (?=to\b|into\b|and\b|in\b|between\b|from\b|over\b|at\b|\())",
    rf"\b(?P<verb>randomi[sz]ed|randomly (?:assigned|allocated)|randomi[sz]ation)\b:?,? ?(?:patients |participants |subjects |women )?[(\[]? ?n ?= ?(?P<n>{BARE}) ?[)\]]?",
    rf"(?P<n>{COUNT}) (?:{ADJECTIVES}{PEOPLE} )?(?:were |was |underwent )?(?P<verb>randomi[sz]ed{NO_NOUN}|randomi[sz]ation)\b",
    rf"\b{PEOPLE}(?:[^.;()]|\([^()]{{0,60}}\)){{0,80}}?\( ?n ?= ?(?P<n>\d{{1,3}}(?:, ?\d{{3}}){{1,2}}|\d{{1,7}}) ?(?:[,;][^()]{{0,120}})?\)[^.;()]{{0,120}}? (?:were|was|and|we) (?P<verb>{RANDOM})",
    rf"(?P<n>{COUNT}) (?:\(\d[\d.]* ?%\) )?of (?:the |all |these )?(?:{COUNT}) {ADJECTIVES}{PEOPLE}[^.;:()]{{0,80}}? (?:were|was) (?:\w+ )?(?P<verb>{RANDOM})",
    rf"(?P<n>{COUNT}) (?:\([^()]{{1,40}}\) )?(?:(?:{ADJECTIVES}{PEOPLE} )?{JOINED})[^.;:()]{{0,80}}?,? and (?:(?:were|was) )?(?:\w+ )?(?P<verb>{RANDOM})",
    rf"{GROUP}{GAP}\b(?:were|was) (?:\w+ )?(?P<verb>allocated|assigned|divided|distributed)\b(?=[^.;]{{0,200}}?\b{BY_CHANCE})",
    rf"(?P<n>{COUNT}) (?:{ADJECTIVES}{PEOPLE} )?(?:\([^()]{{1,40}}\) )?(?:were|was) (?P<summed>allocated|assigned)(?P<verb>)(?=[^.;]{{0,160}}?\( ?n ?= ?\d)",
    rf"\bwe (?P<verb>assigned|allocated) (?P<n>{COUNT}) {ADJECTIVES}{PEOPLE}[^.;]{{0,60}}? in an? \d ?: ?\d",
)
PASSING = any_case(
    r"\b(?:will|would|(?:should|could) (?:\w+ )?(?:be|have|randomi\w+)|(?:were|was|are|is|had|have) to (?:be|have)|planned (?:to|sample|enrol\w*|recruit\w*|number)|(?:required?|needed|expected|anticipated|intended) (?:to (?:\w+ )?(?:be|randomi\w+|recruit|enrol|"
    r"include|detect|achieve|show|demonstrate)|sample|number)|(?:was|were|is|are) (?:\w+ )?(?:required|needed|planned|anticipated|expected|estimated)|target (?:of|sample|number|enrol\w+|"
    r"recruit\w+)|aim(?:ed)? to|sample size|power (?:of|to|analysis|calculation)|% power|previous(?:ly)? (?:\w+ )?(?:stud\w+|trials?|work|reported|published|described|shown|participat\w+|enrol\w+|recruited|randomi[sz]ed)|re-(?:enrol|randomi)\w+|(?:initial|original|parent|larger) (?:study|trial)|"
    r"et al|earlier (?:stud\w+|trials?|work)|(?<!this )(?<!our )(?<!present )(?<!randomi[sz]ed )(?<!blind )(?<!controlled )pilot (?:study|trial|experiment)|meta-analys\w+|systematic review|other (?:trials|studies)|trials|clusters?|villages|schools|practices)\b"
)
BROKEN = any_case(
    r"\b(?:exclu\w+|withdr\w+|lost|died|dropped|discontinu\w+|screened|assessed|approached|invited|refused|declined|ineligible|"
    r"not (?:eligible|meet\w*|met|included|enrol\w*|randomi\w+|assigned|be)|not(?= $)|(?<!who )completed|analy[sz]ed|"
    r"(?:prior to|before|after) (?:being |the )?(?:random|allocat|assign|exclu|screen|run-in|withdraw|drop)\w*|per (?:group|arm|cluster)|falsely|erroneously|mistakenly|incorrectly|inadvertently|wrongly|each|a total of|and \d+)\b|"
    r"\bnot $|\bof (?:whom|which|these|the \d+)\b"
)
SIZE = any_case(r"(?:(?<=\bn=)|(?<=\bn = ))\d{1,6}")
GROUP_MIN = 3
BRACKETS = re.compile(r"\((?:[^()]|\([^()]{0,60}\)){0,160}\)|\[[^\[\]]*\]")
UNIT = rf"(?:{WORDS}|[µμ][glm]|sessions|visits|times|sites|cent(?:er|re)s|hospitals|doses)"
EACH = any_case(rf"(?:(?<=n=)|(?<=n = ))\d{{1,6}}|{COUNT}(?! ?{UNIT}(?!\w))")


def counted(text: str) -> Iterator[re.Match[str]]:
    """Every match, also those that begin within another: of two counts before a verb it may be the second's."""
    for pattern in TOTAL:
        match = pattern.search(text)
        while match:
            yield match
            match = pattern.search(text, match.end("n"))


def is_passing(text: str, start: int, end: int) -> bool:
    """Whether the clause around text[start:end] is on a plan, or on another study."""
    after = text.find(";", end)
    return PASSING.search(text, text.rfind(";", 0, start) + 1, after if after >= 0 else len(text)) is not None


def is_broken(between: str) -> bool:
    """Whether what stands between a count and its verb says that they are not the same people."""
    return BROKEN.search(BRACKETS.sub("", between)) is not None


def adds_up(text: str, total: int) -> bool:
    """Whether the first counts in a text, two or more and each of some people, make the total; those "n = " by themselves."""
    return _sums(SIZE, text, total) or _sums(EACH, text, total)


def _sums(pattern: re.Pattern[str], text: str, total: int) -> bool:
    made, counts = 0, 0
    for each in pattern.finditer(text):
        number = count(each.group())
        if number < GROUP_MIN:
            continue
        made, counts = made + number, counts + 1
        if made >= total:
            return made == total and counts > 1
    return False
