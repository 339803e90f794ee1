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
RULES: dict[str, Rule] = {
    "title": citation.title,
    "doi": citation.doi,
    "year": citation.year,
    "journal": citation.journal,
    "first_author": citation.first_author,
    "report_type": kinds.report_type,
    "registration_ids": registers.registration_ids,
    "funding": funding.funding,
    "conflicts": declared.conflicts,
    "design": kinds.design,
    "framework": framework.framework,
    "allocation_ratio": randomising.allocation_ratio,
    "countries": places.countries,
    "n_sites": sites.n_sites,
    "setting": sites.setting,
    "recruitment_start": people.recruitment_start,
    "recruitment_end": people.recruitment_end,
    "arms": arms.arms,
    "n_screened": flow.n_screened,
    "n_randomised": randomised.n_randomised,
    "n_analysed": flow.n_analysed,
    "n_planned": flow.n_planned,
    "n_clusters": flow.n_clusters,
    "age_mean_or_median": people.age,
    "female_percent": people.female_percent,
    "sequence_generation": randomising.sequence_generation,
    "sequence_generation_detail": randomising.sequence_generation_detail,
    "restriction": randomising.restriction,
    "restriction_detail": randomising.restriction_detail,
    "allocation_concealment": randomising.allocation_concealment,
    "allocation_concealment_detail": randomising.allocation_concealment_detail,
    "masking": masking.masking,
    "masked_roles": masking.masked_roles,
    "primary_outcomes": outcomes.primary_outcomes,
    "follow_up": people.follow_up,
    "results": outcomes.results,
    "sample_size_calculation": declared.sample_size_calculation,
    "analysis_population": declared.analysis_population,
    "early_stopping": declared.early_stopping,
    "limitations": declared.limitations,
    "data_source": cohort.data_source,
    "enrolment_period": people.enrolment_period,
    "follow_up_median": people.follow_up_median,
    "person_years": people.person_years,
    "matching": cohort.matching,
    "n_eligible": cohort.n_eligible,
    "n_included": cohort.n_included,
    "n_lost": cohort.n_lost,
    "age": people.age,
    "adjustment_method": cohort.adjustment_method,
    "missing_data": cohort.missing_data,
    "study_type_detected": kinds.study_type,
    **quality.FLAGS,
}


def answer(paper: Paper, names: Sequence[str], budget: Budget | None = None) -> dict[str, Answer]:
    """The fields asked for that there is a rule for; the others are left out. Raises Permanent for too much work."""
    known = [name for name in names if name in RULES]
    characters = sum(len(page.text) for page in paper.pages)
    (budget or Budget()).spend(RULE_WORK * characters * len(known))
    reading = Reading(paper)
    return {name: RULES[name](reading) for name in known}
