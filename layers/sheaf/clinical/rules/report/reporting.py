"""Whether a paper reports what it should: true with the sentence, or nothing. A rule does not find that a thing is missing. Pure."""

from collections.abc import Callable

from clinical.rules.answers import Answer, not_found, reported, said
from clinical.rules.report import declarations, funding
from clinical.rules.study import cohort_study, registers
from clinical.rules.text import Reading, once


def _where(name: str, *kinds: str) -> Callable[[Reading], Answer]:
    def flag(reading: Reading) -> Answer:
        cues = reading.cues(name)
        for sentence in reading.within(*kinds):
            found = None if "et al" in sentence.low else next(said(sentence, name, cues), None)
            if found:
                return reported(reading, value=True, spot=found.spot)
        return not_found()

    return flag


def _as_told(rule: Callable[[Reading], Answer]) -> Callable[[Reading], Answer]:
    def flag(reading: Reading) -> Answer:
        told: Answer = {**once(rule)(reading), "value": True}
        told.pop("evidence", None)
        return told if told["state"] == "found" else not_found()

    return flag


EVERYWHERE = ("front", "abstract", "methods", "results", "other", "conflicts", "funding", "back")
FLAGS: dict[str, Callable[[Reading], Answer]] = {
    "reports_registration": _as_told(registers.registration_ids),
    "reports_protocol": _where("reports_protocol", *EVERYWHERE),
    "reports_funding": _as_told(funding.funding),
    "reports_conflicts": _as_told(declarations.conflicts),
    "reports_ethics": _where("reports_ethics", *EVERYWHERE),
    "reports_eligibility": _where("reports_eligibility", "abstract", "methods", "other"),
    "reports_sample_size": _as_told(declarations.sample_size_calculation),
    "reports_flow": _where("reports_flow", "methods", "results", "other"),
    "reports_baseline": _where("reports_baseline", "methods", "results", "other"),
    "reports_missing_data": _as_told(cohort_study.SENTENCES["missing_data"]),
    "reports_harms": _where("reports_harms", "abstract", "methods", "results", "other"),
    "reports_limitations": _as_told(declarations.limitations),
}
