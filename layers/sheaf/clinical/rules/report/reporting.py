"""Whether a paper reports what it should: true with the sentence, or nothing. A rule does not find that a thing is missing. Pure."""

import re
from collections.abc import Callable

from clinical.rules.answers import Answer, Spot, not_found, reported
from clinical.rules.report import declarations, funding
from clinical.rules.study import cohort_study, registers
from clinical.rules.text import Reading, any_case

ETHICS = any_case(
    r"\b(?:ethic\w* (?:\w+ ){0,4}?(?:committee|board|approv\w+|review|clearance)|institutional review board|\birb\b|review board|declaration of helsinki|helsinki declaration|committee (?:on|for) human research|ethically approved)\b"
)
PROTOCOL = any_case(
    r"\bprotocol\b[^.;]{0,80}\b(?:published|available|registered|appendix|supplement\w*|described (?:elsewhere|previously)|online|found|additional file)\b|\b(?:published|available|additional file|supplementary)\b[^.;]{0,60}\bprotocol\b"
)
ELIGIBILITY = any_case(
    r"\b(?:inclusion|exclusion|eligibility) criteri(?:a|on)\b|\b(?:were|was) (?:eligible|excluded) if\b|\beligible (?:patients|participants|women|subjects)\b|\b(?:patients|participants|women|subjects) were (?:eligible|excluded|included if)\b"
)
FLOW = any_case(
    r"\bflow ?-?(?:chart|diagram)|\bCONSORT\b[^.;]{0,40}(?:diagram|flow)|\btrial profile|\bflow of (?:patients|participants|subjects)|\bassessed for eligibility\b|\bparticipant flow|\bstudy flow"
)
BASELINE = any_case(
    r"\bbaseline (?:\w+ ){0,4}?(?:characteristics|data|demographics?|features|values)|\bdemographic (?:\w+ ){0,3}?(?:characteristics|data|variables)|\bpatient characteristics\b|\bcharacteristics of the (?:patients|participants|subjects|study)|\bcharacteristics at baseline"
)
HARMS = any_case(
    r"\badverse (?:\w+ )?(?:events?|effects?|reactions?)|\bside[- ]effects?|\bcomplications? (?:were|was|occurred)|\bharms\b|\bserious adverse|\bsafety (?:outcomes?|profile|endpoint)"
)


def _where(pattern: re.Pattern[str], *kinds: str) -> Callable[[Reading], Answer]:
    def flag(reading: Reading) -> Answer:
        for sentence in reading.within(*kinds):
            match = pattern.search(sentence.text)
            if match and "et al" not in sentence.low:
                return reported(reading, value=True, spot=Spot.of(sentence, match))
        return not_found()

    return flag


def _as_told(rule: Callable[[Reading], Answer]) -> Callable[[Reading], Answer]:
    def flag(reading: Reading) -> Answer:
        told: Answer = {**rule(reading), "value": True}
        told.pop("evidence", None)
        return told if told["state"] == "found" else not_found()

    return flag


EVERYWHERE = ("front", "abstract", "methods", "results", "other", "conflicts", "funding", "back")
FLAGS: dict[str, Callable[[Reading], Answer]] = {
    "reports_registration": _as_told(registers.registration_ids),
    "reports_protocol": _where(PROTOCOL, *EVERYWHERE),
    "reports_funding": _as_told(funding.funding),
    "reports_conflicts": _as_told(declarations.conflicts),
    "reports_ethics": _where(ETHICS, *EVERYWHERE),
    "reports_eligibility": _where(ELIGIBILITY, "abstract", "methods", "other"),
    "reports_sample_size": _as_told(declarations.sample_size_calculation),
    "reports_flow": _where(FLOW, "methods", "results", "other"),
    "reports_baseline": _where(BASELINE, "methods", "results", "other"),
    "reports_missing_data": _as_told(cohort_study.missing_data),
    "reports_harms": _where(HARMS, "abstract", "methods", "results", "other"),
    "reports_limitations": _as_told(declarations.limitations),
}
