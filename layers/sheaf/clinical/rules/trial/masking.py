"""Who did not know the allocation, and what the trial calls itself for it. Pure."""

from collections.abc import Iterable, Iterator

from clinical.evidence.disclaimed import ASSESSING, DENIED, MASKED, disclaimed, masked
from clinical.rules.answers import Answer, Found, Spot, agreed, first, listed, not_found, reported, said, unclear
from clinical.rules.study.study_design import is_review, study_type
from clinical.rules.text import Reading, Sentence, once, words_of
from clinical.templates.choice_words import cues

WORDS = words_of(__file__)
UNMASKED = cues("SHARED")["unmasked"]
TO_ARM_MAX = 60


@once
def masking(reading: Reading) -> Answer:
    """What the trial calls itself, else what the masked roles amount to. Of a review or a cohort study nothing."""
    kind = study_type(reading)["value"]
    if kind == "cohort" or is_review(reading):
        return not_found()
    told = (reading.within("methods", "other"), reading.within("introduction", "results", "discussion"))
    for sentences in (reading.titles, reading.opening, *told):
        found = list(_called(reading, sentences, titled=sentences is reading.titles))
        kinds = {each.value for each in found}
        if "open" in kinds and kinds <= {"open", "single"}:
            return reported(reading, "open", next(each for each in found if each.value == "open").spot)
        if found:
            return agreed(reading, found)
    return _from_roles(reading, sure=kind == "rct")


def masked_roles(reading: Reading) -> Answer:
    roles = _roles(reading)
    sentences = (*reading.opening, *reading.within("methods", "other"))
    least = {"double": 2, "triple": 3}.get(masking(reading)["value"], 1)
    if len(roles) < least or any(_masks_others(each, assessed="assessor" in roles) for each in sentences):
        return not_found()
    return listed(reading, list(roles.values()))


def _masks_others(sentence: Sentence, *, assessed: bool) -> bool:
    match = MASKED.search(sentence.text)
    if match is None or not _is_of_allocation(sentence) or DENIED.search(sentence.text):
        return False
    before = sentence.text[: match.start()]
    if any(True for _ in _masked(sentence)):
        return WORDS.DID_MORE.search(before) is not None
    return WORDS.SOMEBODY_ELSE.search(before) is not None and not (assessed and ASSESSING.search(sentence.text))


def _called(reading: Reading, sentences: Iterable[Sentence], *, titled: bool) -> Iterator[Found]:
    names = {kind: tuple(at for at in words if at not in UNMASKED) for kind, words in reading.cues("masking").items()}
    for found in said(sentences, "masking", names):
        kind, end, text, section = found.value, found.spot.end, found.spot.sentence.text, found.spot.sentence.section
        own = section not in {"introduction", "discussion"} or WORDS.OURS.search(text)
        several = not titled and WORDS.SEVERAL.match(text, end)
        told = WORDS.PHASE.search(text) if kind in {"open", "single"} else WORDS.NO_TRIAL.match(text, end)
        no_trial = told or several or WORDS.NO_ALLOCATION.search(text) or (section == "discussion" and kind == "open")
        if own and not no_trial:
            yield found


def _from_roles(reading: Reading, *, sure: bool) -> Answer:
    every = ((role, found, found.spot) for role, found in _roles(reading).items())
    to_arm = WORDS.TO_ARM.search
    roles = {role: found for role, found, at in every if sure or to_arm(at.sentence.text, at.end, at.end + TO_ARM_MAX)}
    if not roles:
        return first(reading, list(_unmasked(reading))) if sure else not_found()
    patients = roles.get("participant")
    others = [role for role, found in roles.items() if patients and found.spot.sentence is patients.spot.sentence]
    if patients and {"provider", "assessor"} & {*others}:
        return reported(reading, "double", patients.spot)
    if len(roles) == 1:
        return reported(reading, "single", next(iter(roles.values())).spot)
    return unclear()


def _unmasked(reading: Reading) -> Iterator[Found]:
    sentences = (*reading.opening, *reading.within("methods", "other"))
    if any(MASKED.search(each.text) and not UNMASKED[0].search(each.text) for each in sentences):
        return
    for sentence in sentences:
        match = UNMASKED[0].search(sentence.text)
        if match and not disclaimed(sentence.text, *match.span()) and not WORDS.SOMEBODY.search(sentence.text):
            yield Found("open", Spot.of(sentence, match))


@once
def _roles(reading: Reading) -> dict[str, Found]:
    sentences = (*reading.opening, *reading.within("methods", "other"))
    found: dict[str, Found] = {}
    for each in (each for sentence in sentences for each in _masked(sentence)):
        found.setdefault(each.value, each)
    return {role: found[role] for role in cues("masked_roles") if role in found}


def _masked(sentence: Sentence) -> Iterator[Found]:
    for role, start, end in masked(sentence.text):
        if _is_of_allocation(sentence) and not disclaimed(sentence.text, start, end):
            yield Found(role, Spot(sentence, start, end))


def _is_of_allocation(sentence: Sentence) -> bool:
    return bool(WORDS.ALLOCATION.search(sentence.text)) and not WORDS.NO_ALLOCATION.search(sentence.text)
