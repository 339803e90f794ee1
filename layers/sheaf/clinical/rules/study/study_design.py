"""What kind of study, and what kind of report of it. Pure."""

import re
from collections.abc import Iterable, Iterator

from clinical.rules.answers import Answer, Found, Spot, agreed, first, not_found, reported, unclear, whole
from clinical.rules.study.other_studies import is_of_data, is_review
from clinical.rules.text import Reading, Sentence, any_case

PROTOCOL = any_case(
    r"\b(?:study|trial)?:? ?protocol (?:for|of)\b|\b(?:study|trial) protocol\b|: ?protocol\b|\brationale,? (?:and|&) design\b|\bdesign and rationale\b"
)
FUTURE = any_case(
    r"\b(?:will be|we will|we plan|we aim to recruit|will (?:randomly|receive|recruit|assess|include|take))\b"
)
PAST = any_case(
    r"\b(?:were|was) (?:randomi[sz]ed|randomly|enrol+ed|recruited|included|analy[sz]ed|assigned|allocated|observed|found)\b"
)
METHODS_DESIGN = any_case(r"methods? ?/ ?(?:study )?design$")
SECONDARY = any_case(
    r"\b(?:secondary|post[- ]?hoc|sub-?group|ancillary|exploratory) (?:data )?(?:analys[ei]s|study) (?:of|from|using|data)\b|\bpost[- ]hoc analysis\b|\bsub-?(?:study|analysis) of\b|\ban ancillary study\b|\bsecondary (?:data )?analysis\b"
)
PILOT = any_case(
    r"\b(?:pilot|feasibility|proof[- ]of[- ]concept)\b[\w ,-]{0,40}\b(?:stud(?:y|ies)|trial|rct|evaluation|investigation)\b"
)
CROSSOVER = any_case(
    r"(?<!no )(?<!to )(?<!could )(?<!can )(?<!may )(?<!not )(?<!of )(?<!before )(?<!after )(?<!until )(?<!at )(?<!following )\bcross-? ?over\b(?! (?:to|was|were|is|after|at|between|from)\b)"
)
"""The design; not patients who may change to the other arm."""
CALLED_SO = any_case(r",? (?:[\w-]+,? ){0,2}?(?:designs?|stud(?:y|ies)|trial)\b")
PLACES = (
    r"(?:schools|practices|villages|clinics|hospitals|wards|communities|nursing homes|care homes|cent(?:er|re)s|classes|classrooms|districts"
    r"|households|kindergartens|pre-?schools|worksites|pharmacies|towns|municipalities|churches|neighbou?rhoods)"
)
CLUSTER = any_case(
    r"\bcluster(?:s were| was)?[ -](?:\w+ )?randomi[sz]|\brandomi[sz]ed(?:,? controlled)? cluster|\bcluster (?:rct|trial|controlled)|\bgroup-randomi[sz]ed"
    rf"|(?:^|[.;:,] )(?:(?!(?:patients|participants|subjects|wom[ae]n|m[ae]n|children|adults|students|persons|people|individuals|infants|pupils|from|attending"
    rf"|at|of|undergoing)\b)[\w-]+ ){{0,8}}?{PLACES} (?:\([^()]{{1,40}}\) )?were (?:\w+ )?(?:randomi[sz]ed|randomly (?:assigned|allocated|divided))"
    rf"|\b(?:randomi[sz]ed|randomly (?:assigned|allocated)) (?:(?:the|all|\d+|two|three|four|five|six|seven|eight|nine|ten|[a-z]+teen|[a-z]+ty) )(?:(?!(?:patients|participants|to|from|in|at)\b)[\w-]+ ){{0,3}}?{PLACES}\b"
    r"|\bunits? of (?:randomi[sz]ation|allocation) (?:was|were|is) (?:an? |the |each )?(?:\w+ ){0,2}?(?:school|practice|village|clinic|hospital|ward|community|cent(?:er|re)|class|household|cluster|general practitioner|physician|nursing home)s?\b"
    r"|\brandomi[sz](?:ed|ation) (?:was |took place |was done |was performed )?at (?:the )?(?:level of (?:the )?)?(?:school|practice|village|clinic|hospital|ward|community|cent(?:er|re)|class|household|gp|physician|district|cluster)\b"
    r"|\b(?:schools?|practices?|villages?|clinics?|hospitals?|wards?|class(?:es)?|households?|gps|general practitioners|physicians|clusters?) (?:was|were|being|as|is) (?:used as )?(?:the )?units? of (?:randomi[sz]ation|allocation)\b"
)
FACTORIAL = any_case(
    r"\b(?:2|two|3|three) ?(?:x|×|by|-by-) ?(?:2|two|3|three)(?: ?(?:x|×) ?\d)?,? (?:\w+ )?factorial\b|\bfactorial (?:design|trial|study|randomi)|\bfull factorial\b"
)
STATISTICS = any_case(r"\banova\b|\banalys[ei]s of variance|\bmixed[- ](?:model|design)|\brepeated[- ]measures")
"""Of these a factorial design is one of tests, and not of the trial."""
CARER = r"(?:gps|general practitioners|family (?:physicians|doctors)|practitioners|teachers|therapists|midwives|nurses|surgeons|physicians|clinicians)"
CARERS = any_case(
    rf"\b{CARER}(?: \([^()]{{1,40}}\))?(?: (?:at|in|from|of) [^.;,]{{1,40}})? (?:were|was) (?:\w+ ){{0,2}}?(?:randomi[sz]ed|randomly|(?:allocated|assigned) (?:randomly|at random|by chance))"
    rf"|\brandomi[sz]ed {CARER}\b|\b{CARER} randomi[sz]ed (?:to|into)\b|\brandomi[sz]ation of {CARER}\b"
)
"""Who look after others, that are counted: they may be the clusters, or the people themselves."""
OCCASIONS = any_case(
    r"\b(?:wash-?out|occasions|sessions|visits|days|weeks?|conditions|trials|treatments|drinks|meals|drugs|doses|periods|placebo)\b"
)
STEPPED = any_case(r"\bstepped[- ]wedge\b")
TRIALS = (("stepped_wedge", STEPPED), ("cluster", CLUSTER), ("factorial", FACTORIAL), ("crossover", CROSSOVER))
PARALLEL = any_case(r"\bparallel(?:-| )?(?:group|arm|design|assignment|trial|study|two|controlled|randomi)")
TO_GROUPS = any_case(
    r"\b(?:randomi[sz]ed|randomly (?:\w+ )?(?:assigned|allocated|divided|distributed)|assigned randomly|allocated randomly|assigned by randomi[sz]ation)\b[^.;]{0,120}?"
    r"\b(?:(?:two|three|four|five|2|3|4|5)(?: \w+){0,3} (?:groups|arms|conditions)|either|groups?\b|arms?\b|placebo|control|or\b)"
)
WITHIN = any_case(
    r"\border (?:of|in which)\b[^.;]{0,80}\b(?:was|were|is) (?:\w+ )?random|\brandom(?:i[sz]ed|ly|)\b(?:[ ,]\w+){0,2} order\b|\bcounterbalanced\b"
    r"|\bsplit-(?:mouth|face|body)\b|\bwithin-subjects? design|\border of (?:the )?\w+ was random"
    r"|\beach (?:participant|patient|subject|volunteer) (?:received|underwent|completed|performed) (?:all|both)"
    r"|\bcross(?:ed|ing)?-? ?over to the (?:alternat\w+|other|opposite|second|remaining)\b"
)
RANDOMISED = any_case(
    r"\brandomi[sz]ed\b[\w ,-]{0,60}\b(?:trial|study|rct|design|comparison)\b|\bRCT\b"
    r"|\brandomi[sz]ed (?:controlled|clinical)(?![\w ,-]{0,40}\b(?:trials|studies)\b)"
    r"|\brandomly (?:\w+ )?(?:assigned|allocated|divided)|\bwere randomi[sz]ed\b|(?<!mendelian )\brandomi[sz]ation\b"
)
ASSIGNED = any_case(r"\b(?:were|was) randomi[sz]ed\b|\brandomly (?:\w+ )?(?:assigned|allocated|divided)\b")
NOT_RANDOMISED = any_case(
    r"\bnon-?randomi[sz]ed\b|\bnot randomi[sz]ed\b|\bwithout randomi[sz]ation|\bquasi-?experiment|\bsingle-arm\b|\buncontrolled (?:trial|study)"
)
COHORT = any_case(
    r"\bcohort\b(?! of (?:the|this) trial)|\blongitudinal (?:study|observational)|\b(?:prospective|retrospective)(?:,? \w+){0,3},? (?:observational|follow-up) study"
)
COHORT_KINDS = (
    ("nested_case_control", any_case(r"\bnested case[- ]control\b")),
    ("ambispective", any_case(r"\bambispective\b|\bbidirectional cohort\b|\bretrospective and prospective (?:cohort|study)")),
    ("retrospective", any_case(r"\bretrospective(?:ly)?\b(?:,? [\w-]+){0,5},? (?:cohort|study|analysis|review|research|chart|observational|investigat\w+|evaluat\w+|analy[sz]ed|reviewed|collected)\b|\bhistorical cohort\b|\bretrospective research\b")),
    ("prospective", any_case(r"\bprospective(?:ly)?\b(?:,? [\w-]+){0,5},? (?:cohort|study|observational|follow|investigat\w+|evaluat\w+|enrol\w+|included|recruited|collected)\b")),
    ("registry", any_case(r"\bregistry-based (?:cohort|study)|\bregister-based (?:cohort|study)|\b(?:nationwide|population-based) register (?:cohort|study)")),
    ("cross_sectional_not_cohort", any_case(r"\bcross-?sectional (?:\w+ )?(?:study|survey|analysis|design)\b")),
)  # fmt: skip
CASES = any_case(
    r"(?<!nested )\bcase[- ]control(?:led)? (?:\w+ )?(?:study|design|analysis|series)\b|\bcase (?:series|reports?)\b"
)
OF_THIS_STUDY = ("this ", "our ", "present", "we conducted", "we performed", "designed as", "current")
FUTURE_MIN = 3
FOREIGN = any_case(
    r"before testing|will be tested|prior to a (?:larger|full)|required before|et al\b|previous(?:ly)?\b|other (?:studies|trials)|earlier (?:study|trial)|systematic review|meta-analys|future|(?:are|is) (?:\w+ )?(?:needed|required|necessary|lacking|awaited|underway)|warranted|larger"
    r"|\b(?:further|more|additional|no|few) (?:[\w-]+,? ){0,5}(?:studies|trials|rcts?|research)\b|need for (?:[\w-]+,? ){0,8}(?:studies|trials?|rcts?|research)|should be (?:\w+ )?(?:confirmed|tested|evaluated|verified)|comparable (?:to|with) the"
)


def report_type(reading: Reading) -> Answer:
    """Protocol, secondary analysis and pilot where the title or abstract says so; results where there are some."""
    spot = protocol(reading)
    if spot:
        return reported(reading, "protocol", spot)
    for kind, pattern in (("secondary_analysis", SECONDARY), ("pilot", PILOT)):
        ours = (sentence for sentence in reading.abstract if sentence.has(*OF_THIS_STUDY))
        found = list(signs(reading.titles, kind, pattern)) or list(signs(ours, kind, pattern))
        if found:
            return first(reading, found)
    told = (sentence for sentence in reading.within("results") if re.search(r"\d", sentence.text))
    results = next((sentence for sentence in told if sentence.has(" was ", " were ", " had ", " showed ")), None)
    if results or any(sentence.has("p <", "p<", "p =", "p=", "95% ci") for sentence in reading.abstract):
        return reported(reading, "results", whole(results or reading.abstract[-1]))
    return unclear() if any(FUTURE.search(sentence.text) for sentence in reading.abstract) else not_found()


def design(reading: Reading) -> Answer:
    """How a trial allocated over time, or what kind of cohort study it is. Parallel also where a trial merely has groups."""
    kind = study_type(reading)
    if kind["value"] == "rct":
        return _trial_design(reading)
    if kind["value"] == "cohort":
        return _cohort_design(reading)
    if kind["state"] != "not_found" or is_review(reading):
        return kind
    # A paper that never says "random" may call its design a crossover.
    crossing = signs((*reading.abstract, *reading.within("methods")), "crossover", CROSSOVER)
    return first(reading, [each for each in crossing if CALLED_SO.match(each.spot.sentence.text, each.spot.end)])


def study_type(reading: Reading) -> Answer:
    """A randomised trial or a cohort study, by the title and abstract, then the methods; unclear where they say both.

    A review of such studies is neither.
    """
    if is_review(reading):
        return not_found()
    for sentences in (reading.titles, reading.abstract, reading.within("methods")):
        said = [sentence for sentence in sentences if not NOT_RANDOMISED.search(sentence.text)]
        trial = next(signs(said, "rct", RANDOMISED), None)
        patterns = (COHORT, *(pattern for _, pattern in COHORT_KINDS[:5]))
        cohort = [each for pattern in patterns for each in signs(sentences, "cohort", pattern)]
        if trial:
            return reported(reading, "rct", trial.spot)
        if len(said) < len(sentences):
            return unclear()
        if cohort and not (sentences is reading.titles and _assigns(reading, cohort)):
            return reported(reading, "cohort", cohort[0].spot)
    return not_found()


def _assigns(reading: Reading, titled: list[Found]) -> bool:
    """Whether a title is merely "prospective", and the abstract assigns people at random."""
    named = any(each.spot.sentence.has("cohort", "regist", "retrospective") for each in titled)
    return not named and any(signs(reading.abstract, "rct", ASSIGNED))


def allocates_order(reading: Reading) -> bool:
    """Whether each participant has every treatment, and chance decides the order."""
    sentences = (*reading.opening, *reading.within("methods"))
    return any(True for _ in signs(sentences, "crossover", CROSSOVER)) or any(
        WITHIN.search(each.text) for each in reading.abstract
    )


def protocol(reading: Reading) -> Spot | None:
    """Where the paper shows that it is one: in its title, by what its abstract will do, or without results."""
    for sentence in reading.titles:
        match = PROTOCOL.search(sentence.text)
        if match:
            return Spot.of(sentence, match)
    future = [sentence for sentence in reading.abstract if FUTURE.search(sentence.text)]
    if len(future) > 1 and not any(PAST.search(sentence.text) for sentence in reading.abstract):
        later = [sentence for sentence in reading.within("methods", "other") if FUTURE.search(sentence.text)]
        return whole(future[0]) if len(later) >= FUTURE_MIN else None
    # Protocols call it "Methods/Design".
    planned = next((each for each in reading.sentences if METHODS_DESIGN.match(each.title)), None)
    return whole(planned) if planned and not reading.within("results") else None


def signs(sentences: Iterable[Sentence], kind: str, pattern: re.Pattern[str]) -> Iterator[Found]:
    for sentence in sentences:
        match = pattern.search(sentence.text)
        divided = kind in {"rct", "parallel"} and is_of_data(sentence.text)
        divided = divided or (kind == "factorial" and STATISTICS.search(sentence.text) is not None)
        if match and not divided and not FOREIGN.search(sentence.text):
            yield Found(kind, Spot.of(sentence, match))


def _trial_design(reading: Reading) -> Answer:
    sentences = (*reading.opening, *reading.within("methods", "other"))
    for kind, pattern in TRIALS:
        found = list(signs(sentences, kind, pattern))
        early = [each for each in found if each.spot.sentence.is_early]
        if early or len(found) > 1 or any(each.spot.sentence.has("design", "study", "trial") for each in found):
            if kind != "factorial" and any(signs(sentences, "parallel", PARALLEL)) and not early:
                return unclear()
            return first(reading, early or found)
    found = [
        *signs(sentences, "parallel", PARALLEL),
        *signs((*sentences, *reading.within("other", "results")), "parallel", TO_GROUPS),
    ]
    groups = any(re.search(r"\bgroups?\b|\barms?\b", sentence.low) for sentence in reading.abstract)
    if any(WITHIN.search(sentence.text) for sentence in sentences):
        ordered = [] if groups else list(_ordered(reading.abstract))
        return first(reading, ordered) if ordered else unclear()
    if any(CARERS.search(sentence.text) for sentence in sentences):
        return unclear()
    return first(reading, found or (list(signs(sentences, "parallel", RANDOMISED)) if groups else []))


def _ordered(sentences: tuple[Sentence, ...]) -> Iterator[Found]:
    """Where an abstract without groups says that each had everything, on occasions in an order by chance."""
    for sentence in sentences:
        match = WITHIN.search(sentence.text)
        if match and OCCASIONS.search(sentence.text):
            yield Found("crossover", Spot.of(sentence, match))


def _cohort_design(reading: Reading) -> Answer:
    """What kind of cohort study; of cases and controls only where they are nested in one."""
    if any(CASES.search(sentence.text) for sentence in reading.titles):
        return unclear()
    for sentences in (reading.titles, reading.abstract, reading.within("methods")):
        found = [each for kind, pattern in COHORT_KINDS for each in signs(sentences, kind, pattern)]
        if any(CASES.search(each.spot.sentence.text) for each in found):
            return unclear()
        specific = [each for each in found if each.value in {"nested_case_control", "ambispective"}]
        if found:
            return first(reading, specific) if specific else agreed(reading, found)
    return not_found()
