"""How many people were screened, analysed and planned; never one for the other. Pure."""

import re
from collections.abc import Iterator

from clinical.evidence.disclaimed import disclaimed
from clinical.evidence.quantities.people_counts import ADJECTIVES, COUNT, GROUP, PEOPLE, count, is_count
from clinical.rules.answers import Answer, Found, Spot, prevailing
from clinical.rules.text import Reading, Sentence, any_case, any_cases
from clinical.rules.trial.randomised_words import BARE, BRACKETS

SCREENED = any_cases(
    rf"{GROUP}(?:[^.;:,]{{0,60}}?)(?: were| was)? (?:\w+ )?(?:screened|assessed for eligibility|evaluated for eligibility|checked for eligibility)",
    rf"\b(?:screened|assessed for eligibility|evaluated for eligibility):? ?(?:a total of )?[(\[]? ?(?:n ?= ?)?(?P<n>{BARE})\b(?! ?(?:weeks?|days?|months?|years?|%|hours?))",
    rf"(?P<n>{COUNT}) (?:were )?(?:screened|assessed for eligibility)\b",
)
MORE = rf"[^.;]{{0,80}}?\band {GROUP.replace('?P<n>', '?:')}"
"""Behind a count: other people, counted beside those."""
ANALYSED = any_cases(
    rf"{GROUP}(?:[^.;:,]{{0,50}}?) (?:were |was )?(?:(?:included|retained|available|considered|used) (?:in|for) (?:the |our |this )?(?:\w+[- ]){{0,4}}?(?:analys[ei]s|efficacy)|analy[sz]ed\b)",
    rf"\banalys[ei]s (?:population |set )?(?:included|comprised|was based on|consisted of|of) (?:data (?:from|of) )?(?:a total of |all )?{GROUP}(?!{MORE})",
    rf"\b(?:data|results) (?:from|of|for) {GROUP}[^.;,]{{0,30}} (?:were|was) (?:\w+ )?(?:analy[sz]ed|included in)",
    r"\b(?:analy[sz]ed|included in (?:the )?(?:\w+ )?analysis) ?[(\[] ?n ?= ?(?P<n>\d{1,7})",
    r"\( ?n ?= ?(?P<n>\d{1,7}) ?\) (?:were |was )?(?:included|analy[sz]ed|available) (?:in |for )?(?:the |our |all |these )?(?:[\w-]+ ){0,4}?(?:analys[ei]s|sample|population)",
    rf"\bincluded {GROUP} in (?:the |our |this )?(?:[\w-]+ ){{0,3}}?analys[ei]s",
)
PLANNED = any_cases(
    rf"\bsample size of (?:at least |approximately |about )?(?P<n>{COUNT})(?! ?(?:%|per|in each|for each)| {ADJECTIVES}{PEOPLE} (?:per|in each|for each))",
    rf"\b(?:planned|plan|required?|needed?|target|aim(?:ed)?|intend(?:ed)?|necessary|sufficient|estimated|will|calculated|increased)\b[^.;]{{0,80}}?\b{GROUP}(?! (?:per|in each|for each|each))",
    rf"{GROUP} (?:in total |overall )?(?:will be|were|was|are|is|would be) (?:\w+ )?(?:planned|required|needed|necessary|targeted|calculated|estimated|sufficient|adequate|enough)",
    rf"\b(?:target|planned|total) sample size (?:of|was|is)(?: set at| set to)? (?P<n>{COUNT})",
    rf"\b(?:sample size|number of (?:patients|participants|subjects)) (?:(?:was|were) [^.;]{{0,60}}?\b|from (?:{COUNT}) )?to (?P<n>{COUNT})",
    rf"\b(?:sample size|per (?:group|arm))\b[^.;]{{0,80}}?\b(?:total (?:number )?of|i\.e\.,?) (?P<n>{COUNT})\b",
    rf"(?P<n>{COUNT}) (?:{ADJECTIVES}{PEOPLE} )?in total\b",
    rf"{GROUP} (?:have|had|needed) to be (?:recruited|enrol+ed|included|randomi[sz]ed)",
)
OF_SIZE = any_case(r"sample size|\bpower|detect|drop-?out|attrition")
PLANNED_TO = any_case(
    r"\b(?:plan\w*|aim\w*|target\w*|intend\w*|will(?: be)?)\b[^.;]{0,40}?\b(?:recruit|enrol|randomi[sz]|includ|participat|involv|accru|alloc|assign|sample)"
    r"|\b(?:recruitment|accrual|enrol+ment) target\b|\b(?:were|was|is|are) (?:\w+ )?planned\b|\bpatients (?:was|were) planned\b"
)
AFTERWARDS = any_case(
    r"post[- ]?hoc|a posteriori|retrospective (?:\w+ )?(?:power|sample)|\b(?:observed|attained|actual|resulting|final) (?:\w+ )?(?:power|sample)"
    r"|\b(?:gave|had|yielded|resulted in) (?:\w+ ){0,3}?(?:power|\d+(?:\.\d+)? ?%)|\bsub-?(?:groups?|sets?|samples?|stud(?:y|ies))\b"
)
"""A power that is worked out when all is over, or a part of the trial."""
NO_SIZE = any_case(
    r"\b(?:estimated|eligible|able|willing) (?:to be )?(?:\w+ ){0,3}?(?:approached|screened|available)|\binterim"
)
"""How many there might be, and when an analysis is done."""
WITH_LOSSES = any_case(
    r"\b(?:allow\w*|account\w*|compensat\w*|anticipat\w*|consider\w*|adjust\w*|inflat\w*|increas\w*|assum\w*|expect\w*)\b[^.;]{0,60}"
    r"\b(?:drop|attrition|loss|lost|withdr|non-?compl|non-?eval|missing)|\bsample size (?:was|were) (?:then )?(?:increased|raised|inflated)"
)
"""What is aimed at when it is known how many will leave: more than the calculation says."""
PLANS = (
    "sample",
    "plan",
    "to be ",
    "requir",
    "need",
    "target",
    "aim",
    "intend",
    "will",
    "necess",
    "calculat",
    "estimat",
)
PER_ARM = any_case(
    r"\b(?:per|in|for|to) (?:each|every)\b|\b(?:for|in) the [\w ]{1,30}(?:group|arm)\b|\bper (?:group|arm|treatment)|\beach (?:group|arm)|/group|\bgroups? of\b|in both groups"
)
OF_SOME = any_case(
    r"\b(?:will|cronbach|reliability|sub-?(?:groups?|sets?|stud(?:y|ies)|samples?)|per[- ]protocol|interim|sensitivity|(?:blood|serum|plasma|urine|tissue|stool) samples?|samples (?:from|of)|specimens?|biops\w+|scans|images|pharmacokinetic)\b"
)
"""Of a sentence on some of them, on what was taken from them, or on those of a plan."""
OF_ONE_ARM = any_case(r"\b(?:groups?|arms?|respectively)\b")
PLANNED_MIN = 4


def n_screened(reading: Reading) -> Answer:
    """How many were looked at before anybody was randomised."""
    return _counted(reading, SCREENED, "screened", "assessed", "evaluated", "checked")


def n_analysed(reading: Reading) -> Answer:
    """How many the analysis has, where it says one number."""
    return _counted(reading, ANALYSED, "analys", "analyz", "analyt", "sample")


def n_planned(reading: Reading) -> Answer:
    """The sample size aimed at in all; a size for each group is not that."""
    found = []
    for sentence in reading.study:
        if sentence.has(*PLANS) and _is_of_size(sentence.text):
            found += [
                each
                for each in counts(sentence, PLANNED)
                if each.value >= PLANNED_MIN
                and not PER_ARM.search(BRACKETS.sub("", sentence.text[each.spot.start : each.spot.end + 60]))
            ]
    aimed = [each for each in found if WITH_LOSSES.search(each.spot.sentence.text)]
    most = max((each.value for each in found), default=0)
    return prevailing(reading, [each for each in aimed if each.value == most] or found)


def _is_of_size(text: str) -> bool:
    """Whether a sentence is on how many were to be in the whole trial, before it began."""
    sized = OF_SIZE.search(text) or PLANNED_TO.search(text)
    return bool(sized) and not AFTERWARDS.search(text) and not NO_SIZE.search(text)


def _counted(reading: Reading, patterns: tuple[re.Pattern[str], ...], *signs: str) -> Answer:
    found = [
        each
        for sentence in reading.study
        if sentence.has(*signs) and not OF_SOME.search(sentence.text)
        for each in counts(sentence, patterns)
        if not OF_ONE_ARM.search(sentence.text[each.spot.start : each.spot.end + 30])
    ]
    return prevailing(reading, found)


def counts(sentence: Sentence, patterns: tuple[re.Pattern[str], ...]) -> Iterator[Found]:
    """Numbers that a sentence has in these words, each where its pattern matched."""
    for pattern in patterns:
        for match in pattern.finditer(sentence.text):
            name = match.lastgroup or "n"
            number = count(match[name])
            counts_ours = number > 1 and is_count(sentence.text, *match.span(name))
            if counts_ours and disclaimed(sentence.text, *match.span()) != "other_study":
                yield Found(number, Spot.of(sentence, match))
