"""Stars of the Newcastle-Ottawa scale (Wells et al.) for a cohort study, and AHRQ's level of them. Pure."""

from typing import cast

from clinical.answered import Stars

STARS = {
    "nos_s1": "ab", "nos_s2": "a", "nos_s3": "ab", "nos_s4": "a",
    "nos_c1": "a", "nos_c2": "a",
    "nos_o1": "ab", "nos_o2": "a", "nos_o3": "ab",
}  # fmt: skip
GROUPS = {"selection": "nos_s", "comparability": "nos_c", "outcome": "nos_o"}


def judge(choices: dict[str, str | None]) -> Stars:
    stars = {name: int((choices.get(name) or "-") in earning) for name, earning in STARS.items()}
    unanswered = [name for name in STARS if choices.get(name) is None]
    sums = {name: sum(stars[each] for each in stars if each.startswith(group)) for name, group in GROUPS.items()}
    answered = len(unanswered) < len(STARS)
    whole = {"total": sum(sums.values()) if answered else None, "level": level(**sums) if answered else None}
    return cast("Stars", {"stars": stars, **sums, **whole, "unanswered": unanswered})


def level(selection: int, comparability: int, outcome: int) -> str:
    if selection < 2 or comparability < 1 or outcome < 2:  # noqa: PLR2004 - the rule's own numbers
        return "poor"
    return "fair" if selection == 2 else "good"  # noqa: PLR2004 - likewise
