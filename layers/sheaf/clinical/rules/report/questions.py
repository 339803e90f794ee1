"""Questions that one sentence settles, on bias and on reporting: no rule finds that a thing is missing. Pure."""

from collections.abc import Callable, Mapping

from clinical.rules.answers import Answer, agreed, not_found, reported, said
from clinical.rules.report import declarations
from clinical.rules.study import registers
from clinical.rules.study.study_design import study_type
from clinical.rules.text import Reading, once
from clinical.rules.trial.allocation import allocation_concealment, sequence_generation
from clinical.rules.trial.masking import masked_roles, masking
from clinical.templates.choice_words import cues

Rule = Callable[[Reading], Answer]
OPAQUE = cues("SHARED")["opaque"]  # envelopes that are merely sealed settle nothing


def _of(kind: str, rule: Rule) -> Rule:
    return lambda reading: rule(reading) if study_type(reading)["value"] == kind else not_found()


def _by(rule: Rule, meaning: Mapping[str, str]) -> Rule:
    def question(reading: Reading) -> Answer:
        told = rule(reading)
        value = meaning.get(str(told["value"])) if told["state"] == "found" else None
        is_open = told["value"] == "sealed_envelope" and not any(each.search(told["quote"] or "") for each in OPAQUE)
        return {**told, "value": value} if value and not is_open else not_found()

    return question


def _aware(role: str, openly: Mapping[str, str]) -> Rule:
    def question(reading: Reading) -> Answer:
        roles, known = masked_roles(reading), _by(masking, openly)(reading)
        if role not in (roles["value"] or ()):
            return known
        quote: Answer = roles["evidence"][roles["value"].index(role)]
        return {**quote, "state": "found", "value": "N"} if known["value"] is None else not_found()

    return question


def _said(name: str, *sections: str) -> Rule:
    return lambda reading: agreed(reading, list(said(reading.within(*sections), name, reading.cues(name))))


def _where(name: str, kinds: str) -> Rule:
    def flag(reading: Reading) -> Answer:
        ours = (sentence for sentence in reading.within(*kinds.split()) if "et al" not in sentence.low)
        found = next(said(ours, name, reading.cues(name)), None)
        return reported(reading, value=True, spot=found.spot) if found else not_found()

    return flag


def _as_told(rule: Rule) -> Rule:
    def flag(reading: Reading) -> Answer:
        told: Answer = {**once(rule)(reading), "value": True}
        told.pop("evidence", None)
        return told if told["state"] == "found" else not_found()

    return flag


_CHANCE = {"computer": "Y", "table": "Y", "coin": "Y", "minimisation": "PY", "nonrandom": "N"}
_HIDDEN = {"central": "Y", "pharmacy": "Y", "sealed_envelope": "Y", "open": "N"}
QUESTIONS = {
    "rob_1_1": _of("rct", _by(sequence_generation, _CHANCE)),
    "rob_1_2": _of("rct", _by(allocation_concealment, _HIDDEN)),
    "rob_2_1": _of("rct", _aware("participant", {"open": "Y"})),
    "rob_2_2": _of("rct", _aware("provider", {"open": "Y"})),
    "rob_2_6": _of("rct", _by(declarations.analysis_population, {"itt": "Y", "mitt": "PY", "per_protocol": "N"})),
    "rob_4_3": _of("rct", _aware("assessor", {})),
    "nos_o1": _of("cohort", _said("nos_o1", "methods")),
    "nos_o3": _of("cohort", _said("nos_o3", "abstract", "methods", "results")),
}
PLACES = {
    "protocol": "front abstract methods results other conflicts funding back", "ethics": "front abstract methods results other conflicts funding back",
    "eligibility": "abstract methods other", "flow": "methods results other", "baseline": "methods results other", "harms": "abstract methods results other",
}  # fmt: skip
TOLD = {
    "registration": registers.registration_ids, "funding": declarations.funding, "conflicts": declarations.conflicts,
    "sample_size": declarations.sample_size_calculation, "missing_data": declarations.SENTENCES["missing_data"], "limitations": declarations.limitations,
}  # fmt: skip
FLAGS: dict[str, Rule] = {f"reports_{name}": _where(f"reports_{name}", kinds) for name, kinds in PLACES.items()}
FLAGS |= {f"reports_{name}": _as_told(rule) for name, rule in TOLD.items()}
