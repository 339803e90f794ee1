"""Judgements of quality, computed from answers; no engine is asked for one, and a human has the last word. Pure.

A question without an answer leaves its domain without a judgement: nothing is judged from silence.
"""

from clinical.answered import Judgements, Value, Values, is_found
from clinical.risk_of_bias import nos, rob2
from clinical.templates import Template, inputs

TOOLS = {"rct": "RoB 2", "cohort": "Newcastle-Ottawa"}
NO_INFORMATION = "NI"


def judge(template: Template, values: Values) -> Judgements | None:
    names = {field.name for field in template.fields}
    if not names & ({*rob2.QUESTIONS} | {*nos.STARS}):
        return None
    kind = values.get("study_type_detected")
    tool = TOOLS.get(kind["value"]) if kind and is_found(kind) else None
    given = dict(template.given)
    needed = {each.name: given.get(each.name) for each in inputs.of(template)}
    judged = Judgements(toolUsed=tool, needsHumanReview=True, inputs=needed)
    if tool in {None, TOOLS["rct"]} and names & {*rob2.QUESTIONS}:
        judged["rob2"] = rob2.judge({name: _answer(values.get(name)) for name in rob2.QUESTIONS})
    if tool in {None, TOOLS["cohort"]} and names & {*nos.STARS}:
        judged["nos"] = nos.judge({name: _choice(values.get(name)) for name in nos.STARS})
    return judged


def _answer(value: Value | None) -> str | None:
    if value is None or value["value"] is None:
        return None
    word = str(value["value"])
    return word if _is_placed(value) or word in {NO_INFORMATION, "NA"} else NO_INFORMATION


def _choice(value: Value | None) -> str | None:
    return str(value["value"]) if value and _is_placed(value) else None


def _is_placed(value: Value) -> bool:
    return is_found(value) or value.get("reason") == "judged"
