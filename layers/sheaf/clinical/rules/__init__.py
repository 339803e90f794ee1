"""Values that can be read from a paper by rule alone, each with its sentence: docs/rules.md. Pure, and always the same.

A rule answers only where it is sure: `not_found` without a sign, `contradictory` where signs are against each other.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from clinical.papers import Paper
from clinical.rules.answers import Answer, not_found
from clinical.rules.report import citation, declarations, eligibility, outcomes, questions
from clinical.rules.study import participant_flow, participants, places, registers, study_design
from clinical.rules.text import Reading, once
from clinical.rules.trial import allocation, arms, masking, n_randomised
from clinical.templates.fields import OwnCues
from sheaf.work_budget import Budget

__all__ = ["RULES", "VERSION", "answer", "not_found"]

VERSION = 9
RULE_WORK = 2  # of the budget, for a character and a rule: no text takes longer, as patterns do not go back and forth
Rule = Callable[[Reading], Answer]
NAMED = (
    citation.title, citation.doi, citation.year, citation.journal, citation.first_author,
    registers.registration_ids, declarations.funding, declarations.conflicts,
    study_design.report_type, study_design.design, allocation.framework, allocation.allocation_ratio,
    places.countries, places.n_sites, places.setting, eligibility.condition, eligibility.inclusion, eligibility.exclusion,
    arms.arms, participant_flow.n_screened, n_randomised.n_randomised, participant_flow.n_analysed, participant_flow.n_planned,
    participants.age, participants.female_percent,
    allocation.sequence_generation, allocation.restriction, allocation.allocation_concealment,
    masking.masking, masking.masked_roles,
    outcomes.primary_outcomes, outcomes.secondary_outcomes, outcomes.results, participants.follow_up, participants.follow_up_median,
    declarations.sample_size_calculation, declarations.analysis_population, declarations.statistical_method, declarations.early_stopping, declarations.limitations,
    participant_flow.n_eligible, participant_flow.n_included, participant_flow.n_lost,
)  # fmt: skip
RULES: dict[str, Rule] = {rule.__name__: once(rule) for rule in NAMED} | questions.FLAGS | questions.QUESTIONS
DETAILED = ("sequence_generation", "restriction", "allocation_concealment")
RULES |= declarations.SENTENCES | {f"{name}_detail": partial(allocation.detail, name=name) for name in DETAILED}
ENDS = {"start": ("first", "first"), "end": ("last", "last"), "period": ("first", "last")}
_DATES = {name: partial(participants.recruited, first=first, last=last) for name, (first, last) in ENDS.items()}
RULES |= {"recruitment_start": _DATES["start"], "recruitment_end": _DATES["end"], "enrolment_period": _DATES["period"]}
RULES |= {"age_mean_or_median": once(participants.age), "study_type_detected": study_design.study_type}


def answer(
    paper: Paper, names: Sequence[str], budget: Budget | None = None, own: Mapping[str, OwnCues] | None = None
) -> dict[str, Answer]:
    """The fields that have a rule; `own` are the template's words of choices. Raises Permanent for too much work."""
    known = [name for name in names if name in RULES]
    characters = sum(len(page.text) for page in paper.pages)
    (budget or Budget()).spend(RULE_WORK * characters * len(known))
    reading = Reading(paper, own)
    return {name: RULES[name](reading) for name in known}
