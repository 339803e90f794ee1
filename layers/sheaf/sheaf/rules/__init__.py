"""Values that can be read from a paper by rule alone, each with the sentence that it stands in. Pure, and always the same.

Every rule answers only where it is sure: `not_reported` where there is no sign of the thing, `unclear` where signs
contradict each other. A quote is cut from its page exactly as it stands there. docs/rules.md says what each rule answers,
what it leaves to a reader, and how often it was right on papers that it was not made with.
"""

from collections.abc import Callable, Sequence

from sheaf.budget import Budget
from sheaf.papers import Paper
from sheaf.rules import (
    arms,
    citation,
    cohort,
    declared,
    flow,
    framework,
    funding,
    kinds,
    masking,
    outcomes,
    people,
    places,
    quality,
    randomised,
    randomising,
    registers,
    sites,
)
from sheaf.rules.answers import Answer, unclear
from sheaf.rules.text import Reading

__all__ = ["RULES", "VERSION", "answer", "unclear"]

VERSION = 6
RULE_WORK = 2
"""Of the budget, for a character and a rule: no text takes a rule longer, because its patterns do not go back and forth."""
Rule = Callable[[Reading], Answer]
NAMED = (
    citation.title, citation.doi, citation.year, citation.journal, citation.first_author,
    registers.registration_ids, funding.funding, declared.conflicts,
    kinds.report_type, kinds.design, framework.framework, randomising.allocation_ratio,
    places.countries, sites.n_sites, sites.setting,
    people.recruitment_start, people.recruitment_end, people.enrolment_period,
    arms.arms, flow.n_screened, randomised.n_randomised, flow.n_analysed, flow.n_planned, flow.n_clusters,
    people.age, people.female_percent,
    randomising.sequence_generation, randomising.sequence_generation_detail,
    randomising.restriction, randomising.restriction_detail,
    randomising.allocation_concealment, randomising.allocation_concealment_detail,
    masking.masking, masking.masked_roles,
    outcomes.primary_outcomes, outcomes.results, people.follow_up, people.follow_up_median, people.person_years,
    declared.sample_size_calculation, declared.analysis_population, declared.early_stopping, declared.limitations,
    cohort.data_source, cohort.matching, cohort.n_eligible, cohort.n_included, cohort.n_lost,
    cohort.adjustment_method, cohort.missing_data,
)  # fmt: skip
"""Rules that have their field's name."""
RULES: dict[str, Rule] = {rule.__name__: rule for rule in NAMED} | quality.FLAGS
RULES |= {"age_mean_or_median": people.age, "study_type_detected": kinds.study_type}


def answer(paper: Paper, names: Sequence[str], budget: Budget | None = None) -> dict[str, Answer]:
    """The fields asked for that there is a rule for; the others are left out. Raises Permanent for too much work."""
    known = [name for name in names if name in RULES]
    characters = sum(len(page.text) for page in paper.pages)
    (budget or Budget()).spend(RULE_WORK * characters * len(known))
    reading = Reading(paper)
    return {name: RULES[name](reading) for name in known}
