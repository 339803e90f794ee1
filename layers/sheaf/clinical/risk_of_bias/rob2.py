"""Risk of bias of a trial, for one outcome and the effect of being assigned: the rules of RoB 2. Pure.

After Sterne et al., BMJ 2019;366:l4898 (riskofbias.info). Answers are Y, PY, PN, N, NI and NA; NA is read as NI.
"""

from collections.abc import Callable, Mapping
from itertools import product

from clinical.answered import RiskOfBias

LOW, SOME, HIGH = "low", "some_concerns", "high"
WORSE = (LOW, SOME, HIGH)
YES, NO = {"Y", "PY"}, {"N", "PN"}
SEVERAL = 2
QUESTIONS = tuple(f"rob_{domain}_{n + 1}" for domain, many in enumerate((3, 7, 4, 5, 3), 1) for n in range(many))
Answers = Mapping[str, str | None]


class _Asked:
    """The answers of a domain, every question answered."""

    def __init__(self, answers: dict[str, str]) -> None:
        self.answers = answers

    def yes(self, question: str) -> bool:
        return self.answers[f"rob_{question}"] in YES

    def no(self, question: str) -> bool:
        return self.answers[f"rob_{question}"] in NO

    def unknown(self, question: str) -> bool:
        return not self.yes(question) and not self.no(question)


def randomisation(asked: _Asked) -> str:
    """Domain 1."""
    if asked.no("1_2"):
        return HIGH
    if asked.unknown("1_2"):
        return HIGH if asked.yes("1_3") else SOME
    return SOME if asked.no("1_1") or asked.yes("1_3") else LOW


def deviations(asked: _Asked) -> str:
    """Domain 2: the worse of how the trial was run and how it was analysed."""
    return max(_run(asked), _analysed(asked), key=WORSE.index)


def _run(asked: _Asked) -> str:
    if (asked.no("2_1") and asked.no("2_2")) or asked.no("2_3"):
        return LOW
    if asked.unknown("2_3") or asked.no("2_4"):
        return SOME
    return SOME if asked.yes("2_5") else HIGH


def _analysed(asked: _Asked) -> str:
    if asked.yes("2_6"):
        return LOW
    return SOME if asked.no("2_7") else HIGH


def missing_data(asked: _Asked) -> str:
    """Domain 3."""
    if asked.yes("3_1") or asked.yes("3_2") or asked.no("3_3"):
        return LOW
    return SOME if asked.no("3_4") else HIGH


def measurement(asked: _Asked) -> str:
    """Domain 4."""
    if asked.yes("4_1") or asked.yes("4_2"):
        return HIGH
    if asked.no("4_3") or asked.no("4_4"):
        return SOME if asked.unknown("4_2") else LOW
    return SOME if asked.no("4_5") else HIGH


def reported_result(asked: _Asked) -> str:
    """Domain 5."""
    if asked.yes("5_2") or asked.yes("5_3"):
        return HIGH
    if asked.unknown("5_2") or asked.unknown("5_3"):
        return SOME
    return LOW if asked.yes("5_1") else SOME


DOMAINS: dict[str, Callable[[_Asked], str]] = {
    "D1": randomisation,
    "D2": deviations,
    "D3": missing_data,
    "D4": measurement,
    "D5": reported_result,
}


def judge(answers: Answers) -> RiskOfBias:
    """Each domain's judgement and the overall one; None where they hang on an answer that is missing."""
    domains = {name: _judged(name, answers) for name in DOMAINS}
    concerns = sum(judgement == SOME for judgement in domains.values())
    overall = _overall(list(domains.values()))
    return {"domains": domains, "overall": overall, "manySomeConcerns": overall == SOME and concerns >= SEVERAL}


def _judged(name: str, answers: Answers) -> str | None:
    """What the rule says however the questions that nobody answered were answered; None if that makes a difference."""
    asked = [question for question in QUESTIONS if question.startswith(f"rob_{name[1]}_")]
    given = {question: answer for question in asked if (answer := answers.get(question)) is not None}
    missing = [question for question in asked if question not in given]
    judgement: str | None = None
    for filled in product(("Y", "N", "NI"), repeat=len(missing)):
        found = DOMAINS[name](_Asked(given | dict(zip(missing, filled, strict=True))))
        if found != (judgement or found):
            return None
        judgement = found
    return judgement


def _overall(domains: list[str | None]) -> str | None:
    """The worst; one domain at high risk decides even where others are without a judgement."""
    if HIGH in domains:
        return HIGH
    judged = [judgement for judgement in domains if judgement is not None]
    return max(judged, key=WORSE.index) if len(judged) == len(domains) else None
