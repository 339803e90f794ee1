"""Questions on bias that one sentence settles, with that sentence; all others are for a reader. Pure.

RoB 2 is asked of trials, Newcastle-Ottawa of cohorts, and nothing where the kind is not known.
"""

import re
from collections.abc import Callable, Mapping

from clinical.evidence.disclaimed import disclaimed
from clinical.rules.answers import Answer, Found, Spot, agreed, not_found
from clinical.rules.report.declarations import analysis_population
from clinical.rules.study.study_design import study_type
from clinical.rules.text import Reading, any_case
from clinical.rules.trial.allocation import allocation_concealment, sequence_generation
from clinical.rules.trial.masking import masked_roles, masking

Rule = Callable[[Reading], Answer]
OPAQUE = any_case(r"\bopaque\b.*\benvelopes?\b|\benvelopes?\b.*\bopaque\b|不透[光明].*信封")
"""Envelopes that are merely sealed settle nothing."""
KNOWN_FROM = {
    "a": any_case(
        r"\b(?:outcomes?|events?|end ?points?|deaths?)\b[^.;]{0,80}? (?:were|was) (?:\w+ ){0,2}?(?:adjudicated|assessed|reviewed|classified|validated|confirmed) by [^.;]{0,80}?\b(?:blind(?:ed)?|masked|unaware)\b"
    ),
    "b": any_case(
        r"\b(?:outcomes?|deaths?|mortality|vital status|events?|incident \w+|cases of|diagnos[ei]s)\b[^.;]{0,120}? (?:ascertained|identified|obtained|confirmed|determined|defined|verified|retrieved|collected|captured) "
        r"[^.;]{0,80}?\b(?:record linkage|link(?:age|ed|ing) (?:to|with)|regist(?:ry|ries|ers?)|death certificates?|(?:medical|hospital|health|clinical|electronic) (?:\w+ )?records?|ICD-?\d+|claims)\b"
    ),
    "c": any_case(r"\b(?:outcomes?|events?|diagnos[ei]s) (?:\w+ ){0,3}?(?:was|were) (?:\w+ )?self-reported\b"),
}
ALL_FOLLOWED = any_case(
    r"\b(?:no|none of the) (?:patients?|participants?|subjects?|one|individuals?|wom[ae]n|children) (?:was|were|had been) lost (?:to|during|for) follow|\bno loss(?:es)? (?:to|of) follow|\bfollow-?up (?:rate )?was (?:complete|100 ?%)|\b(?:complete|100 ?%) follow-?up (?:was|of all|for all)"
    r"|\ball (?:\w+ )?(?:patients|participants|subjects|individuals|women|children) (?:completed|were available for|had complete) (?:the )?follow-?up"
)


def _of(kind: str, rule: Rule) -> Rule:
    return lambda reading: rule(reading) if study_type(reading)["value"] == kind else not_found()


def _by(rule: Rule, meaning: Mapping[str, str]) -> Rule:
    """An answer that follows from a choice, with the choice's sentence."""

    def question(reading: Reading) -> Answer:
        told = rule(reading)
        value = meaning.get(str(told["value"])) if told["state"] == "found" else None
        is_open = told["value"] == "sealed_envelope" and not OPAQUE.search(told["quote"] or "")
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


def _said(meaning: Mapping[str, re.Pattern[str]], *sections: str) -> Rule:
    """What sentences of these sections say of this study."""

    def question(reading: Reading) -> Answer:
        found = [
            Found(choice, Spot.of(sentence, match))
            for sentence in reading.within(*sections)
            for choice, pattern in meaning.items()
            if (match := pattern.search(sentence.text)) and not disclaimed(sentence.text, *match.span())
        ]
        return agreed(reading, found)

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
    "nos_o1": _of("cohort", _said(KNOWN_FROM, "methods")),
    "nos_o3": _of("cohort", _said({"a": ALL_FOLLOWED}, "abstract", "methods", "results")),
}
