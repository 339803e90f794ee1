"""Questions on bias that one sentence settles, with that sentence; all others are for a reader. Pure.

RoB 2 is asked of trials, Newcastle-Ottawa of cohorts, and nothing where the kind is not known.
"""

from collections.abc import Callable, Mapping

from clinical.rules.answers import Answer, agreed, not_found, said
from clinical.rules.report.declarations import analysis_population
from clinical.rules.study.study_design import study_type
from clinical.rules.text import Reading
from clinical.rules.trial.allocation import allocation_concealment, sequence_generation
from clinical.rules.trial.masking import masked_roles, masking
from clinical.templates.choice_words import cues

Rule = Callable[[Reading], Answer]
OPAQUE = cues("SHARED")["opaque"]
"""Envelopes that are merely sealed settle nothing."""


def _of(kind: str, rule: Rule) -> Rule:
    return lambda reading: rule(reading) if study_type(reading)["value"] == kind else not_found()


def _by(rule: Rule, meaning: Mapping[str, str]) -> Rule:
    """An answer that follows from a choice, with the choice's sentence."""

    def question(reading: Reading) -> Answer:
        told = rule(reading)
        value = meaning.get(str(told["value"])) if told["state"] == "found" else None
        is_open = told["value"] == "sealed_envelope" and not any(each.search(told["quote"] or "") for each in OPAQUE)
        return {**told, "value": value} if value and not is_open else not_found()

    return question


def _aware(role: str, openly: Mapping[str, str]) -> Rule:
    """Whether somebody knew the group: no, who is said to have been masked; yes, in a trial that calls itself open."""

    def question(reading: Reading) -> Answer:
        roles, known = masked_roles(reading), _by(masking, openly)(reading)
        if role not in (roles["value"] or ()):
            return known
        quote: Answer = roles["evidence"][roles["value"].index(role)]
        return {**quote, "state": "found", "value": "N"} if known["value"] is None else not_found()

    return question


def _said(name: str, *sections: str) -> Rule:
    """What sentences of these sections say of this study."""

    def question(reading: Reading) -> Answer:
        cues = reading.cues(name)
        return agreed(reading, [each for sentence in reading.within(*sections) for each in said(sentence, name, cues)])

    return question


_OPEN = {"open": "Y"}
_CHANCE = {"computer": "Y", "table": "Y", "coin": "Y", "minimisation": "PY", "nonrandom": "N"}
_HIDDEN = {"central": "Y", "pharmacy": "Y", "sealed_envelope": "Y", "open": "N"}
QUESTIONS = {
    "rob_1_1": _of("rct", _by(sequence_generation, _CHANCE)),
    "rob_1_2": _of("rct", _by(allocation_concealment, _HIDDEN)),
    "rob_2_1": _of("rct", _aware("participant", _OPEN)),
    "rob_2_2": _of("rct", _aware("provider", _OPEN)),
    "rob_2_6": _of("rct", _by(analysis_population, {"itt": "Y", "mitt": "PY", "per_protocol": "N"})),
    "rob_4_3": _of("rct", _aware("assessor", {})),
    "nos_o1": _of("cohort", _said("nos_o1", "methods")),
    "nos_o3": _of("cohort", _said("nos_o3", "abstract", "methods", "results")),
}
