"""How many entered a trial, where it follows that they were the ones randomised. Pure.

Fewer papers say "95 were randomised" than "95 were enrolled ... they were randomly assigned". That follows where the
sentence or one near says so, where groups add up to it, or where each had every treatment in a random order.
"""

import re
from collections.abc import Iterable, Iterator

from clinical.evidence.quantities.people_counts import COUNT, GROUP, PEOPLE, count, is_count
from clinical.rules.answers import Found, Spot
from clinical.rules.study.other_studies import OF_DATA
from clinical.rules.study.study_design import allocates_order, report_type, study_type
from clinical.rules.text import Reading, Sentence, any_case, any_cases
from clinical.rules.trial.count_scope import GONE, is_of_some
from clinical.rules.trial.randomised_words import BRACKETS, GAP, PASSING, RANDOM, adds_up, is_broken

NUMBER = r"\d{1,3}(?:[, ]\d{3}){1,5}|\d{1,6}"
SIZE = any_case(
    rf"(?P<name>[^()\[\]=;:]{{3,90}}?) ?[(\[](?:[^()\[\]=]{{1,40}}[,;:] ?)? ?n ?= ?(?P<n>{NUMBER})(?=[\s;,)\]])[^()]{{0,60}}[)\]]"
)
SO_MANY_TO = any_case(
    rf"(?<![\w.,/])(?P<n>{NUMBER}) (?:{PEOPLE} )?(?:\(\d{{1,2}}(?:\.\d+)? ?%\) )?(?:were |was )?(?:randomi[sz]ed |randomly |assigned |allocated ){{0,2}}"
    r"(?:to (?:receive )?|received )(?P<name>[^,;:.()]{3,80}?)(?=,? and \d|, \d|, and|,|;|\.|$| \()"
)
ASSIGNED = any_case(r"\b(?:randomi[sz]ed|randomi[sz]ation|randomly|assigned|allocated|divided)\b")
SO_MANY = any_case(GROUP)
IN_BRACKETS = any_case(rf"\b{PEOPLE}[^.;()]{{0,120}}\(n ?= ?(?P<n>{COUNT})\)")
ENTERED = any_cases(
    rf"{GROUP}{GAP}\b(?:enrol+ed|included|recruited|accrued|participated|studied|took part|entered|(?<!randomly )selected)\b",
    rf"\b(?:enrol+ed|included|recruited|studied) (?:a total of )?{GROUP}",
    rf"{GROUP}{GAP}\bwere (?:\w+ )?(?:divided|allocated|assigned|separated|classified) (?:in ?)?to (?:two|three|four|five|six|[2-6])\b",
    rf"\ba total of (?P<n>{COUNT}) (?:were|was) (?:\w+ )?(?:enrol+ed|included|recruited)\b",
    rf"\b(?:participants|patients|subjects) (?:were|comprised|included|consisted of) (?:a total of )?{GROUP}",
)
SIGNS = ("enrol", "includ", "recruit", "accru", "particip", "studied", "took part", "enter", "select", "patients", "subjects",
         "divided", "allocated", "assigned", "separated", "classified")  # fmt: skip
"""One of them is in each sentence that says who entered."""
GIVEN = any_cases(
    rf"{GROUP}{GAP}\b(?:performed|underwent|received|consumed|ingested|were given|drank|ate|were (?:tested|studied))\b",
)
"""What each had, where each had everything."""
OF_TRIAL = any_cases(
    rf"\brandomi[sz]ed\b[\w ,:()/-]{{0,120}}?\b(?:trial|study|rct|design)(?: of| \([^()]{{1,40}}\) of|,? (?:[\w-]+ ){{0,6}}?(?:in|on|with|among|comprising|including|involving|enrolling|recruiting|included|enrolled|recruited|comprised|involved|analy[sz]ed)) (?:which |that )?(?:a (?:total|sample(?: population)?|population|cohort) of )?{GROUP}",
    rf"\b(?:study|trial|it|research)\b(?:[^.;:]|\.(?=\d)){{0,60}}?\b(?:conducted|carried out|performed|undertaken|done) (?:\w+ )?(?:on|in|with|among|including) (?:a total of )?{GROUP}",
    rf"{GROUP}{GAP}\bin (?:this|the present|an?|our) [^.;:]{{0,60}}\brandomi[sz]ed\b[^.;:]{{0,60}}\b(?:trial|study|rct|design)\b",
)
"""A trial "in 95 patients", whether or not it says that it randomised them."""
FOUND = any_case(
    r"\b(?:show(?:ed|n|s)|found|demonstrat\w+|suggest\w+|reported|conclu\w+|reveal\w+|indicat\w+|sub-?stud(?:y|ies)|analys[ei]s of"
    r"|(?:data|samples?|serum|plasma|blood|biopsies|specimens|levels) (?:from|of|in))\b"
)
"""What is said of other trials, or of some of the people of one."""
ENDED = any_case(
    r"\bfollowed (?:up )?\d|\b(?:completed|completers|analy[sz]\w+|analys[ei]s|available|evaluable|died|deaths|follow-?up|responded|at \d+ (?:weeks|months|years)|(?:patients|participants|subjects) (?:required|needed|developed|experienced))\b"
)
NEXT = any_case(
    r"\b(?:they|patients|participants|subjects|women|children|all|these|individuals|volunteers|who|mothers|infants|eyes|teeth)\b"
    rf"[^.]{{0,60}}\b(?:{RANDOM})|after randomi[sz]ation|^randomi[sz]ation"
)
FROM_TRIAL = any_case(r"\b(?:from|of|within) (?:the|a|an|two|our) [^.;]{0,80}\b(?:trial|rct)\b")
BY_CHOICE = any_case(
    r"\bretrospectiv\w+|\bnon-?randomi[sz]ed\b|\bquasi-?\w+|\bhistorical (?:cohort|control)|\bsub-?(?:sample|set)\b"
)
"""Of a study in which nobody was randomised, or of some."""
LATER = any_case(
    r" in each\b| (?:in|for|to|into) (?:the |this |our |these )?(?:(?:[\w-]+ ){0,4}?(?:analys|evaluation)|(?:[\w-]+ ){0,4}?(?:group|arm)\b)"
)
INTO = any_case(r" (?:in|into|to|for) (?:this|the(?: present| current)?|our) (?:study|trial)\b")
MORE = any_case(rf"^[^.;,]{{0,80}}\band (?:another )?{GROUP.replace('?P<n>', '?:')}")
"""Other people beside those counted."""
GROUPED = any_case(r"\b(?:groups?|arms?|placebo|control|received|allocated|assigned|randomi[sz]ed)\b")
OF_ARM = any_case(
    r"\b(?:groups?|arms?|cohorts?|controls?|placebo)\b(?: \([^()]*\))? (?:that |which |also )?$"
    r"|\b(?:screen|assess|invit|approach|exclud)(?:ing|ed) (?:a total of )?$"
)
CHANCE = any_case(
    r"(?<!non-)(?<!non)(?<!not )randomi[sz]|\brandomly\b|\bat random\b|\brandom (?:order|allocation|assignment|sequence|numbers?)"
)
ENTERED_MIN, NEAR, ARM_MAX = 4, 2, 60


def entered(reading: Reading) -> list[Found]:
    """Those who entered, where it follows that they were randomised; the surest signs alone, and of a paper that says it."""
    if not any(CHANCE.search(sentence.text) for sentence in reading.study):
        return []
    trial = study_type(reading)["value"] == "rct" and report_type(reading)["value"] != "secondary_analysis"
    for found in (_randomised(reading), *((_summed(reading), _of_arms(reading), _of_trial(reading)) if trial else ())):
        every = list(found)
        if every:
            return [*every, *_more(reading, max(each.value for each in every))]
    return (_only(reading) or _joined(reading)) if trial else []


def _randomised(reading: Reading) -> Iterator[Found]:
    """Those who entered: the same sentence or the next says it, arms add up to them, or each had every treatment."""
    adding_up = {sum(each) for each in sizes(reading, unlike=ENDED)}
    crossing = allocates_order(reading)
    for index, sentence in enumerate(reading.study):
        follows = crossing or any(_goes_on(sentence, near) for near in reading.study[index + 1 : index + 1 + NEAR])
        for found in _those(sentence, ENTERED) if sentence.has(*SIGNS) else ():
            if found.value in adding_up or (follows and not _is_later(found)):
                yield found


def _more(reading: Reading, number: int) -> Iterator[Found]:
    """Larger numbers of people who entered: a total that is worked out from less may be of some of them."""
    for sentence in reading.study:
        if sentence.has(*SIGNS) and not FOUND.search(sentence.text):
            yield from (each for each in _those(sentence, ENTERED) if each.value > number)


def _is_later(found: Found) -> bool:
    """Whether they are those of an analysis, or of one arm."""
    return LATER.match(found.spot.sentence.text, found.spot.end) is not None


def _goes_on(sentence: Sentence, near: Sentence) -> bool:
    """Whether a sentence soon after says that they were randomised."""
    return near.page == sentence.page and NEXT.search(near.text) is not None and not PASSING.search(near.text)


def _summed(reading: Reading) -> Iterator[Found]:
    """So many people, and in the same sentence the groups that they make."""
    for sentence in reading.study:
        if GROUPED.search(sentence.text) and not ENDED.search(sentence.text) and not GONE.search(sentence.text):
            for found in _those(sentence, (SO_MANY,)):
                later = sentence.text[found.spot.end :]
                if GROUPED.search(later) and adds_up(later, found.value):
                    yield found


def _of_arms(reading: Reading) -> Iterator[Found]:
    """So many people, of whom another sentence gives the arms that they make."""
    adding_up = {sum(each) for each in sizes(reading, unlike=ENDED)}
    for sentence in reading.study if adding_up else ():
        if not ENDED.search(sentence.text) and not FOUND.search(sentence.text) and not GONE.search(sentence.text):
            yield from (each for each in _those(sentence, (SO_MANY, IN_BRACKETS)) if each.value in adding_up)


def _of_trial(reading: Reading) -> Iterator[Found]:
    for sentence in reading.study:
        if not FOUND.search(sentence.text):
            yield from (each for each in _those(sentence, OF_TRIAL) if not _is_later(each))


def _only(reading: Reading) -> list[Found]:
    """The one number of people that the abstract says entered; of two, neither."""
    patterns = (*ENTERED, *GIVEN) if allocates_order(reading) else ENTERED
    found = [each for sentence in reading.abstract for each in _those(sentence, patterns)]
    sure = [each for each in found if not FOUND.search(each.spot.sentence.text) and not _is_later(each)]
    return sure if len({each.value for each in found}) == 1 else []


def _joined(reading: Reading) -> list[Found]:
    """The one number of people that the body says took part in this trial; of two, neither."""
    body = reading.within("methods", "results", "other")
    sentences = [each for each in body if each.has(*SIGNS) and not FOUND.search(each.text)]
    every = (each for sentence in sentences for each in _those(sentence, ENTERED))
    found = [each for each in every if INTO.match(each.spot.sentence.text, each.spot.end)]
    return found if len({each.value for each in found}) == 1 else []


def _those(sentence: Sentence, patterns: tuple[re.Pattern[str], ...]) -> Iterator[Found]:
    """Numbers of people that a sentence says entered."""
    text = sentence.text
    if PASSING.search(text) or OF_DATA.search(text) or FROM_TRIAL.search(text) or BY_CHOICE.search(text):
        return
    for pattern in patterns:
        for match in pattern.finditer(text):
            number = count(match["n"])
            after = text[match.end("n") :]
            parted = is_broken(after[: match.end() - match.end("n")]) or MORE.match(BRACKETS.sub("", after))
            of_arm = OF_ARM.search(text[: match.start()][-ARM_MAX:])
            if parted or of_arm or any(is_of_some(text[: match.start(group)], "", "") for group in (0, "n")):
                continue
            if number >= ENTERED_MIN and is_count(text, *match.span("n")):
                yield Found(number, Spot.of(sentence, match))


def sizes(reading: Reading, unlike: re.Pattern[str]) -> Iterator[tuple[int, ...]]:
    """The sizes that sentences of the abstract, the methods and the results give for two groups or more."""
    for sentence in (*reading.opening, *reading.within("methods", "results")):
        if unlike.search(sentence.text):
            continue
        for pattern in (SIZE, SO_MANY_TO) if ASSIGNED.search(sentence.text) else (SIZE,):
            found = tuple(count(match["n"]) for match in sized(pattern, sentence.text))
            if len(found) > 1:
                yield found


def sized(pattern: re.Pattern[str], text: str, start: int = 0) -> Iterable[re.Match[str]]:
    """Not looked for where the sign that every match needs is not there: most sentences have none."""
    return () if pattern is SIZE and "=" not in text else pattern.finditer(text, start)
