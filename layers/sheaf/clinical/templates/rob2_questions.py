"""The signalling questions of RoB 2, in our own words: what a trial's quality template asks. Pure.

After Sterne et al., BMJ 2019;366:l4898 and riskofbias.info (22 August 2019), for the effect of being assigned. The tool's
own wording is CC BY-NC-ND and is not here; it is to be cited. What follows from the answers is in `clinical.risk_of_bias.rob2`.
"""

from collections.abc import Iterator

from clinical.templates.field_builders import one_of, under
from clinical.templates.fields import Field

ANSWERS = "Y PY PN N NI"
MEANING = "Y yes, PY probably yes, PN probably no, N no, NI no information"
ASKED = {
    "rob_d1": (
        ("1_1", "Sequence random", "序列随机", "Was chance alone what decided the order of allocations?"),
        ("1_2", "Sequence concealed", "分配隐藏", "Could nobody foresee an allocation before the participant was in?"),
        ("1_3", "Imbalance at baseline", "基线不均衡", "Do the groups differ at the start in a way that chance does not explain?"),
    ),
    "rob_d2": (
        ("2_1", "Participants aware", "受试者知晓", "Did participants know which group they were in?"),
        ("2_2", "Carers aware", "实施者知晓", "Did those who cared for them, or gave the intervention, know it?"),
        ("2_3", "Deviations from the trial's context", "试验情境导致的偏离", "Did anybody depart from the intended intervention because there was a trial?"),
        ("2_4", "Deviations matter", "偏离影响结局", "Were those departures likely to change the outcome?"),
        ("2_5", "Deviations balanced", "偏离均衡", "Were those departures about as frequent in each group?"),
        ("2_6", "Analysis as assigned", "按分配分析", "Did the analysis count people in the groups they were assigned to?"),
        ("2_7", "Wrong group matters", "错分影响结果", "Could leaving people out, or counting them elsewhere, have changed the result much?"),
    ),
    "rob_d3": (
        ("3_1", "Nearly complete", "数据基本完整", "Is the outcome known of all, or nearly all, who were randomised?"),
        ("3_2", "Shown to be unbiased", "无偏证据", "Is it shown that the missing data did not distort the result?"),
        ("3_3", "May depend on its value", "缺失可能与真值有关", "Could it be because of their outcome that people's data are missing?"),
        ("3_4", "Likely depends on its value", "缺失很可能与真值有关", "Is that likely?"),
    ),
    "rob_d4": (
        ("4_1", "Unsuitable method", "测量方法不当", "Was the outcome measured in a way unfit for it?"),
        ("4_2", "Differed by group", "组间测量不同", "Could it have been measured or noticed differently in the groups?"),
        ("4_3", "Assessors aware", "评估者知晓", "Did those who assessed it know the group?"),
        ("4_4", "Open to influence", "评估可能受影响", "Could knowing the group have swayed the assessment?"),
        ("4_5", "Likely influenced", "评估很可能受影响", "Is that likely?"),
    ),
    "rob_d5": (
        ("5_1", "As planned", "符合预设计划", "Was the result analysed by a plan that was fixed before anybody saw unmasked data?"),
        ("5_2", "Chosen among measures", "在多个测量中选择", "Is the result likely to have been picked from several measures or times of the same outcome?"),
        ("5_3", "Chosen among analyses", "在多个分析中选择", "Is it likely to have been picked from several analyses?"),
    ),
}  # fmt: skip
MAY_NOT_ARISE = {"2_3", "2_4", "2_5", "2_7", "3_2", "3_3", "3_4", "4_3", "4_4", "4_5"}
"""What is asked only after some answers to an earlier question: "does not arise" is an answer to these."""


def questions() -> Iterator[Field]:
    """All 22, domain by domain."""
    for section, asked in ASKED.items():
        yield from under(section, *(_question(*each) for each in asked))


def _question(number: str, label: str, label_zh: str, text: str) -> Field:
    shown, na = number.replace("_", "."), number in MAY_NOT_ARISE
    answers, meaning = (f"{ANSWERS} NA", f"{MEANING}, NA does not arise") if na else (ANSWERS, MEANING)
    return one_of(f"rob_{number}", answers, f"{shown} {label}", f"{shown} {label_zh}", f"{text} {meaning}.")
