"""Who did not know the allocation, and what the trial calls itself for it. Pure."""

import re
from collections.abc import Iterator

from sheaf.rules.answers import Answer, Found, Spot, agreed, listed, not_reported, reported, unclear
from sheaf.rules.text import Reading, Sentence

CALLED = (
    ("triple", re.compile(r"\b(?:triple|quadruple|treble)(?:-| )?(?:blind|mask)", re.I)),
    ("double", re.compile(r"\bdouble(?:-| )?(?:blind|mask)", re.I)),
    ("single", re.compile(
        r"\bsingle(?:-| )?(?:blind|mask)|\b(?:observer|assessor|evaluator|investigator|rater|examiner|outcome|participant|patient)s?(?:-| )(?:blind|mask)(?!ing)", re.I)),
    ("open", re.compile(
        r"\bopen(?:-| )?label(?!l?ed (?:extension|phase|follow))|\bopen,? (?:\w+,? ){0,3}(?:trial|study|design)\b|\b(?:un(?:blinded|masked)|non-?blind(?:ed)?|not (?:blind|mask)ed) (?:\w+ ){0,4}(?:trial|study|design|rct)|\b(?:trial|study) was (?:un(?:blinded|masked)|non-?blinded|not blinded)|\bnon-?masked\b", re.I)),
)  # fmt: skip
PASSING = re.compile(
    r"run-in|extension|et al\b|previous(?:ly)?|earlier|other (?:trials|studies)|review of|future|first phase|washout|after unblinding|"
    r"blind(?:ed)? (?:central )?(?:review|reading|sample)|meta-analys|needed|warranted|open-label (?:extension|follow|treatment with|phase|amiloride)",
    re.I,
)
ROLES = (
    ("participant", re.compile(r"\b(?:patients?|participants?|subjects?|volunteers?|women|mothers|parents|children|individuals|students|people|both sides)\b", re.I)),
    ("provider", re.compile(r"\b(?:investigators?|physicians?|clinicians?|surgeons?|therapists?|nurses?|care ?givers?|providers?|(?:study|trial|medical|nursing|hospital) (?:staff|personnel|team)|anaesthetists?|an(?:a)?esthesiologists?|doctors?|treating \w+|practitioners?|midwives)\b", re.I)),
    ("assessor", re.compile(r"\b(?:(?:outcome |data )?assessors?|evaluators?|raters?|observers?|examiners?|interviewers?|radiologists?|neuroradiologists?|pathologists?|neurologists?|data collectors?|adjudicat\w+|assessments? (?:was|were)|laboratory (?:staff|personnel|technicians?)|readers?|outcome measurements?)\b", re.I)),
    ("analyst", re.compile(r"\b(?:statisticians?|(?:data )?analysts?|data analysis|statistical analys\w+)\b", re.I)),
)  # fmt: skip
MASKED = re.compile(
    r"\b(?:(?:were|was|are|is|be|been|being|remained?|kept|all|both|and) (?:also |all |both |completely |fully |therefore )?(?:blind(?:ed)?|masked|unaware|not aware|uninformed)|blinded to|masked to|blind to|unaware of|(?:did|do) not know|without knowledge of)\b",
    re.I,
)
ASSESSING = re.compile(
    r"\b(?:will |then |independently )?(?:review|assess|evaluat|adjudicat|rated|scor|interpret|read|measur)", re.I
)
DENIED = re.compile(
    r"\b(?:not|never|nor|neither|impossible|unblinded|could not|cannot|un-?masked|no blinding|feasible|until|unblind)\b[^.;]{0,60}(?:blind|mask)|(?:blind|mask)\w*[^.;]{0,50}\b(?:not (?:possible|feasible)|impossible)|\bunblinded\b|\bnot (?:be )?(?:blind|mask)ed",
    re.I,
)
ALLOCATION = re.compile(
    r"alloc|assign|treat|group|random|interven|condition|arm\b|arms\b|drug|medication|hypothes|study|placebo|therapy|identity|code",
    re.I,
)


def masking(reading: Reading) -> Answer:
    """What the trial calls itself: in the title or abstract, else in the methods; else what the masked roles amount to."""
    for sentences in (
        reading.opening,
        tuple(reading.within("methods", "other")),
        tuple(reading.within("introduction", "results")),
    ):
        found = [found for sentence in sentences for found in _called(sentence)]
        kinds = {each.value for each in found}
        if "open" in kinds and kinds <= {"open", "single"}:
            return reported(reading, "open", next(each for each in found if each.value == "open").spot)
        if found:
            return agreed(reading, found)
    return _from_roles(reading)


def masked_roles(reading: Reading) -> Answer:
    """Who is said not to have known the allocation."""
    return listed(reading, list(_roles(reading).values()))


def _called(sentence: Sentence) -> Iterator[Found]:
    if not sentence.has("blind", "mask", "open") or PASSING.search(sentence.text):
        return
    for kind, pattern in CALLED:
        match = pattern.search(sentence.text)
        if match and (
            sentence.section != "introduction" or sentence.has("we ", "this study", "present study", "this trial")
        ):
            yield Found(kind, Spot(sentence, match.start(), match.end()))


def _from_roles(reading: Reading) -> Answer:
    roles = _roles(reading)
    if not roles:
        return not_reported()
    if "participant" in roles and {"provider", "assessor"} & set(roles):
        return reported(reading, "double", roles["participant"].spot)
    if len(roles) == 1:
        return reported(reading, "single", next(iter(roles.values())).spot)
    return unclear()


def _roles(reading: Reading) -> dict[str, Found]:
    found: dict[str, Found] = {}
    for sentence in (*reading.opening, *reading.within("methods", "other")):
        for each in _masked(sentence):
            found.setdefault(each.value, each)
    return {role: found[role] for role, _ in ROLES if role in found}


def _masked(sentence: Sentence) -> Iterator[Found]:
    """The roles in a sentence that says who was masked; one that also denies it says nothing that a rule can tell apart."""
    if not sentence.has("blind", "mask", "aware", "not know", "knowledge") or DENIED.search(sentence.text):
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
            yield Found("assessor" if assessor else role, Spot(sentence, match.start(), match.end()))
