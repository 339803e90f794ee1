"""What only the review knows: which confounder matters most, how long is long enough, which outcome is assessed. Pure.

A template takes the inputs that its questions need, known by their fields' names, so that a copy of `qc` takes them too.
What a task gives is written into the descriptions of those fields: an engine reads it there, and the task pins it.
"""

from dataclasses import dataclass, replace

from clinical.templates.fields import Template
from sheaf.errors import InvalidRequest

TEXT_MAX = 200


@dataclass(frozen=True)
class Input:
    """One thing to be told when a task is opened: `fields` are the questions that hang on it, `sentence` how they are told of it."""

    name: str
    label: str
    label_zh: str
    description: str
    fields: tuple[str, ...]
    sentence: str


INPUTS = (
    Input("assessedOutcome", "Outcome to assess", "要评价的结局",
          "The one outcome, with its time, that bias is judged for.",
          ("assessed_outcome", "rob_3_1", "rob_4_1", "rob_5_1", "rob_5_2", "rob_5_3", "nos_s4", "nos_o1", "nos_o2", "nos_o3"),
          "This review asks about the outcome: {}."),
    Input("mainConfounder", "Most important confounder", "最重要的混杂因素",
          "The factor that a cohort study has to control for to get the first star for comparability.",
          ("nos_c1", "nos_c2"),
          "This review holds the most important confounder to be: {}."),
    Input("adequateFollowUp", "Adequate follow-up", "足够的随访时间",
          "How long participants have to be followed for the outcome to occur, with the unit.",
          ("nos_o2",),
          "For this review long enough is: {}."),
)  # fmt: skip


def of(template: Template) -> tuple[Input, ...]:
    """The inputs that a template takes."""
    names = {field.name for field in template.fields}
    return tuple(each for each in INPUTS if each.fields[0] in names)


def filled(template: Template, given: dict[str, str]) -> Template:
    """The template with what was given in the descriptions that hang on it. Raises InvalidRequest for what it does not take."""
    there = {each.name: each for each in of(template)}
    unknown = sorted(given.keys() - there.keys())
    if unknown:
        known = f"there are: {', '.join(there)}" if there else "it takes none"
        raise InvalidRequest(f"templateInputs.{unknown[0]}", f"is not an input of this template; {known}.")
    fields = list(template.fields)
    for name, text in sorted(given.items()):
        sentence = there[name].sentence.format(text.rstrip("."))
        fields = [
            replace(field, description=f"{field.description} {sentence}") if field.name in there[name].fields else field
            for field in fields
        ]
    return replace(template, fields=tuple(fields), given=tuple(sorted(given.items())))
