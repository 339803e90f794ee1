"""Risk of bias of a trial by RoB 2 (Sterne et al., BMJ 2019;366:l4898): its rules, as `rob2.toml` has them. Pure."""

import tomllib
from collections.abc import Mapping
from itertools import product
from pathlib import Path

from clinical.answered import RiskOfBias

LOW, SOME, HIGH = "low", "some_concerns", "high"
WORSE = (LOW, SOME, HIGH)
MEANT = {"Y": "yes", "PY": "yes", "N": "no", "PN": "no"}
SEVERAL = 2
QUESTIONS = tuple(f"rob_{domain}_{n + 1}" for domain, many in enumerate((3, 7, 4, 5, 3), 1) for n in range(many))
Answers = Mapping[str, str | None]
Rule = tuple[str, dict[str, str]]  # a judgement, and the answers that it takes


def _rule(line: str) -> Rule:
    judgement, _, answers = line.partition(":")
    pairs = (answer.split() for answer in answers.split(",") if answer)
    return judgement, {f"rob_{question}": meant for question, meant in pairs}


_WRITTEN = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
DOMAINS = {name: [[_rule(line) for line in lines] for lines in lists] for name, lists in _WRITTEN.items()}


def judge(answers: Answers) -> RiskOfBias:
    """Each domain's judgement and the overall one; None where they hang on an answer that is missing."""
    domains = {name: _judged(name, rules, answers) for name, rules in DOMAINS.items()}
    concerns = sum(judgement == SOME for judgement in domains.values())
    overall = _overall(list(domains.values()))
    return {"domains": domains, "overall": overall, "manySomeConcerns": overall == SOME and concerns >= SEVERAL}


def _judged(name: str, lists: list[list[Rule]], answers: Answers) -> str | None:
    """What the rules say however the questions that nobody answered were answered; None if that makes a difference."""
    asked = [question for question in QUESTIONS if question.startswith(f"rob_{name[1]}_")]
    given = {question: answer for question in asked if (answer := answers.get(question)) is not None}
    missing = [question for question in asked if question not in given]
    judgement: str | None = None
    for filled in product(("Y", "N", "NI"), repeat=len(missing)):
        every = given | dict(zip(missing, filled, strict=True))
        meant = {question: MEANT.get(answer, "unknown") for question, answer in every.items()}
        fits = (next(result for result, wanted in rules if meant.items() >= wanted.items()) for rules in lists)
        found = max(fits, key=WORSE.index)
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
