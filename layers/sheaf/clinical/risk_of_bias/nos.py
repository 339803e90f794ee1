"""Stars of the Newcastle-Ottawa scale (Wells et al.) for a cohort study, and AHRQ's level of them. Pure."""

from clinical.answered import Stars

STARS = {
    "nos_s1": "ab", "nos_s2": "a", "nos_s3": "ab", "nos_s4": "a",
    "nos_c1": "a", "nos_c2": "a",
    "nos_o1": "ab", "nos_o2": "a", "nos_o3": "ab",
}  # fmt: skip
GROUPS = ("nos_s", "nos_c", "nos_o")  # selection, comparability, outcome


def judge(choices: dict[str, str | None]) -> Stars:
    stars = {name: int((choices.get(name) or "-") in earning) for name, earning in STARS.items()}
    unanswered = [name for name in STARS if choices.get(name) is None]
    named = [[star for name, star in stars.items() if name.startswith(group)] for group in GROUPS]
    selection, comparability, outcome = map(sum, named)
    answered = len(unanswered) < len(STARS)
    return Stars(
        stars=stars,
        selection=selection,
        comparability=comparability,
        outcome=outcome,
        total=selection + comparability + outcome if answered else None,
        level=level(selection, comparability, outcome) if answered else None,
        unanswered=unanswered,
    )


def level(selection: int, comparability: int, outcome: int) -> str:
    if selection < 2 or comparability < 1 or outcome < 2:  # noqa: PLR2004 - the rule's own numbers
        return "poor"
    return "fair" if selection == 2 else "good"  # noqa: PLR2004 - likewise
