"""Who did not know the allocation, and what the trial calls itself for it. Pure."""

from collections.abc import Iterator

from clinical.rules.answers import Answer, Found, Spot, agreed, distinct, first, listed, not_found, reported, unclear
from clinical.rules.study.other_studies import is_review
from clinical.rules.study.study_design import study_type
from clinical.rules.text import Reading, Sentence, any_case

CALLED = (
    ("triple", any_case(r"\b(?:triple|quadruple|treble)(?:-| )?(?:blind|mask)")),
    ("double", any_case(r"\bdoubl[ey](?:-| )?(?:blind|mask)")),
    ("single", any_case(
        r"\bsingle(?:-| )?(?:blind|mask)|\b(?:observer|assessor|evaluator|investigator|rater|examiner|outcome|participant|patient)s?(?:-| )(?:blind|mask)(?!ing)")),
    ("open", any_case(
        r"\bopen(?:-label)?,? blinded[- ]end-?points?\b|\bopen(?:-| )?label(?!l?ed (?:extension|phase|follow))|\bopen,? (?:(?:randomi[sz]ed|controlled|prospective|clinical|multi-?cent\w+|single-?cent\w+|parallel(?:[- ]group)?|comparative|pilot|pragmatic|blinded[- ]end-?point|non-?inferiority|superiority|two-arm|phase \w+),? ){0,4}(?:trial|study|design)\b|\b(?:un(?:blinded|masked)|non-?blind(?:ed)?|not (?:blind|mask)ed) (?:\w+ ){0,4}(?:trial|study|design|rct)|\b(?:trial|study) was (?:un(?:blinded|masked)|non-?blinded|not blinded)|\bnon-?masked\b")),
)  # fmt: skip
PHASE = any_case(
    r"run-(?:in|out)|extension|first phase|washout|open(?:-| )label(?:led)? (?:\w+ ){0,2}?(?:follow|treatment with|phase|period|add-on)"
)
"""Part of a trial may be open where the trial is not."""
NO_TRIAL = any_case(
    r"(?:ed|ing|ly)?,? ?(?:(?:peer|entry|data|scor\w+|readings?|reviews?|read|entered|run-in|extension)\b|[\w ]{0,40}\bby (?:the )?(?:two|2|three) (?:\w+ )?(?:\w+ists|observers|readers|reviewers|raters|authors)\b)"
)
"""Behind "double-blind": what is no trial."""
PASSING = any_case(
    r"et al\b|previous(?:ly)?|earlier|other (?:trials|studies)|review of|future|after unblinding|"
    r"blind(?:ed)? (?:central )?(?:review|reading|sample)|meta-analys|needed|warranted|intend to|should be|comparable (?:to|with) the|in line with|consistent with"
)
OURS = any_case(r"\bwe \b|\b(?:this|our|the present) (?:[\w-]+ ){0,2}?(?:study|trial|rct)\b|\bthis (?:was|is) an?\b")
"""Of this trial, where a paper speaks of others too."""
DENIAL = any_case(r"\b(?:not|nor|never|lack of|lacked|absence of|without|rather than|instead of|cannot|un)\b[^.;,]*$")
DENIAL_MAX = 30
SEVERAL = any_case(r"(?:\w{0,30}+,? (?!in\b|of\b|and\b)[\w-]{1,60}+){0,5},? (?:trials|studies|rcts)\b")
"""Of others, which a paper speaks of together."""
ROLES = (
    ("participant", any_case(r"\b(?:patients?|participants?|subjects?|volunteers?|women|mothers|parents|children|individuals|students|people|both sides)\b")),
    ("provider", any_case(r"\b(?:investigators?|physicians?|clinicians?|surgeons?|therapists?|nurses?|care ?givers?|providers?|(?:study|trial|medical|nursing|hospital) (?:staff|personnel|team)|anaesthetists?|an(?:a)?esthesiologists?|doctors?|treating \w+|practitioners?|midwives)\b")),
    ("assessor", any_case(r"\b(?:(?:outcome |data )?assessors?|evaluators?|raters?|observers?|examiners?|interviewers?|radiologists?|neuroradiologists?|pathologists?|neurologists?|data collectors?|research (?:assistants?|workers?|personnel)|adjudicat\w+|assessments? (?:was|were)|laboratory (?:staff|personnel|technicians?)|readers?|outcome measurements?)\b")),
    ("analyst", any_case(r"\b(?:statisticians?|(?:data )?analysts?|data analysis|statistical analys\w+)\b")),
)  # fmt: skip
MASKED = any_case(
    r"\b(?:(?:were|was|are|is|be|been|being|remained?|kept|all|both|and) (?:also |all |both |completely |fully |therefore )?(?:blind(?:ed)?|masked|unaware|not aware|uninformed)|blinded to|masked to|blind to|unaware of|(?:did|do) not know|without knowledge of)\b"
)
MASKED_SIGNS = ("blind", "mask", "aware", "not know", "knowledge", "uninformed")
NEITHER = any_case(
    r"\bneither\b(?P<who>[^.;]{3,80}\bnor\b[^.;]{3,80}?)\b(?:knew|(?:was|were) (?:aware|informed)|had (?:any )?knowledge)\b"
)
UNMASKED = any_case(
    r"\b(?:blinding|masking)(?: (?:of|for) [\w ,]{3,60}?)? (?:was|were) (?:therefore |thus |deemed |considered )?(?:not (?:possible|feasible|used|performed|done|attempted|applied)|impossible|unfeasible|infeasible)"
    r"|\b(?:patients|participants|subjects|women)(?:,? and| or|,) [\w ,]{3,60}? (?:were|was) (?:not (?:blinded|masked)|unblinded|aware of (?:the |their )?(?:study )?(?:treatment|group|allocation|assignment|intervention|drug))"
    r"|\b(?:no|without) (?:blinding|masking)\b(?! of)"
)
"""Of a trial that nobody was masked in, where nothing else is said."""
SOMEBODY = any_case(r"\b(?:but|however|although|though|except|whereas|while)\b")
"""Behind a denial: there may have been somebody."""
ASSESSING = any_case(
    r"\b(?:will |then |independently )?(?:review|assess|evaluat|adjudicat|rated|scor|interpret|read|measur)"
)
DENIED = any_case(
    r"\b(?:not|never|nor|neither|impossible|unblinded|could not|cannot|un-?masked|no blinding|feasible|until|unblind)\b[^.;]{0,60}(?:blind|mask)|(?:blind|mask)\w{0,20}+[^.;]{0,50}\b(?:not (?:possible|feasible|guaranteed|maintained|achieved)|impossible)|\bunblinded\b|\bnot (?:be )?(?:blind|mask)ed"
    r"|(?<!not )(?<!un)\baware of\b|\bknew\b"
)
ALLOCATION = any_case(
    r"alloc|assign|treat|group|random|interven|condition|arm\b|arms\b|drug|medication|placebo|therapy|product|solution"
)

TO_ARM = any_case(r"alloc|assign|random|treatment|groups?\b|interven|\barms?\b")
TO_ARM_MAX = 60


def masking(reading: Reading) -> Answer:
    """What the trial calls itself: in the title, else the abstract, else the methods; else what the masked roles amount to.

    Of a review or a cohort study nothing: who read its scans may have been masked, but nobody to an allocation.
    """
    kind = study_type(reading)["value"]
    if kind == "cohort" or is_review(reading):
        return not_found()
    told = (reading.within("methods", "other"), reading.within("introduction", "results", "discussion"))
    for sentences in (reading.titles, reading.opening, *told):
        found = [found for sentence in sentences for found in _called(sentence, titled=sentences is reading.titles)]
        kinds = {each.value for each in found}
        if "open" in kinds and kinds <= {"open", "single"}:
            return reported(reading, "open", next(each for each in found if each.value == "open").spot)
        if found:
            return agreed(reading, found)
    return _from_roles(reading, sure=kind == "rct")


def masked_roles(reading: Reading) -> Answer:
    """Who is said not to have known the allocation."""
    return listed(reading, list(_roles(reading).values()))


def _called(sentence: Sentence, *, titled: bool) -> Iterator[Found]:
    if not sentence.has("blind", "mask", "open") or PASSING.search(sentence.text):
        return
    for kind, pattern in CALLED:
        match = pattern.search(sentence.text)
        if not match or (not titled and SEVERAL.match(sentence.text, match.end())):
            continue
        ours = sentence.section not in {"introduction", "discussion"} or OURS.search(sentence.text)
        part = PHASE.search(sentence.text) if kind in {"open", "single"} else NO_TRIAL.match(sentence.text, match.end())
        denied = DENIAL.search(sentence.text, max(0, match.start() - DENIAL_MAX), match.start())
        if ours and not part and not denied and (sentence.section != "discussion" or kind != "open"):
            yield Found(kind, Spot.of(sentence, match))


def _from_roles(reading: Reading, *, sure: bool) -> Answer:
    """What the masked roles amount to; where nothing says that it is a trial, only of those masked to an allocation."""
    roles = {role: found for role, found in _roles(reading).items() if sure or _is_to_arm(found.spot)}
    if not roles:
        return first(reading, list(_unmasked(reading))) if sure else not_found()
    if "participant" in roles and {"provider", "assessor"} & set(roles):
        return reported(reading, "double", roles["participant"].spot)
    if len(roles) == 1:
        return reported(reading, "single", next(iter(roles.values())).spot)
    return unclear()


def _unmasked(reading: Reading) -> Iterator[Found]:
    """Where a trial says that it could not or did not mask, and no sentence speaks of anybody who was masked."""
    sentences = [each for each in (*reading.opening, *reading.within("methods", "other")) if each.has(*MASKED_SIGNS)]
    if any(MASKED.search(each.text) and not UNMASKED.search(each.text) for each in sentences):
        return
    for sentence in sentences:
        match = UNMASKED.search(sentence.text)
        if match and not PASSING.search(sentence.text) and not SOMEBODY.search(sentence.text):
            yield Found("open", Spot.of(sentence, match))


def _is_to_arm(spot: Spot) -> bool:
    return TO_ARM.search(spot.sentence.text, spot.end, spot.end + TO_ARM_MAX) is not None


def _roles(reading: Reading) -> dict[str, Found]:
    sentences = (*reading.opening, *reading.within("methods", "other"))
    found = {each.value: each for each in distinct(each for sentence in sentences for each in _masked(sentence))}
    return {role: found[role] for role, _ in ROLES if role in found}


def _masked(sentence: Sentence) -> Iterator[Found]:
    """The roles in a sentence that says who was masked; one that also denies it says nothing that a rule can tell apart."""
    neither = NEITHER.search(sentence.text)
    if neither and ALLOCATION.search(sentence.text) and not PASSING.search(sentence.text):
        roles = [role for role, pattern in ROLES if pattern.search(neither["who"])]
        yield from (Found(role, Spot.of(sentence, neither)) for role in roles if len(roles) > 1)
        return
    if not sentence.has(*MASKED_SIGNS) or DENIED.search(sentence.text):
        return
    match = MASKED.search(sentence.text)
    if not match or PASSING.search(sentence.text) or not ALLOCATION.search(sentence.text):
        return
    clause = sentence.text[max(0, match.start() - 160) : match.start()].rsplit(";", 1)[-1]
    after = sentence.text[match.end() : match.end() + 60] if " by " in sentence.text[: match.start()] else ""
    assessing = ASSESSING.search(sentence.text[match.end() : match.end() + 60]) is not None
    for role, pattern in ROLES:
        if pattern.search(clause + " " + after):
            assessor = role == "provider" and assessing
            yield Found("assessor" if assessor else role, Spot.of(sentence, match))
