"""Quality: questions about bias, each answered with a quote.

The judgements follow from the answers by rule (`sheaf.judging`); no engine is asked for one.
The questions are in our own words. The tools they follow are RoB 2 (Sterne et al., BMJ 2019; riskofbias.info) and the
Newcastle-Ottawa scale for cohort studies (Wells et al.), which are to be cited. Pure.
"""

from collections.abc import Iterable

from sheaf.templates import shared
from sheaf.templates.fields import Field, Template
from sheaf.templates.shorthand import flag, one_of, text, under

ANSWERS = "Y PY PN N NI"
WITH_NA = "Y PY PN N NI NA"
MEANING = " Y yes, PY probably yes, PN probably no, N no, NI no information."
NA_MEANING = f"{MEANING[:-1]}, NA does not arise."

SCOPE = under(
    "scope",
    one_of("study_type_detected", "rct cohort other", "Study type", "研究类型", "Which of the two tools applies."),
    text("assessed_outcome", "Assessed outcome", "评价的结局", "The outcome that the questions are answered for."),
)


def _asked(name: str, label: str, label_zh: str, question: str, *, may_not_arise: bool = False) -> Field:
    answers, meaning = (WITH_NA, NA_MEANING) if may_not_arise else (ANSWERS, MEANING)
    return one_of(
        f"rob_{name}",
        answers,
        f"{name.replace('_', '.')} {label}",
        f"{name.replace('_', '.')} {label_zh}",
        question + meaning,
    )


def _rob_2() -> Iterable[Field]:
    yield from under(
        "rob_d1",
        _asked("1_1", "Sequence random", "序列随机", "Was chance alone what decided the order of allocations?"),
        _asked(
            "1_2", "Sequence concealed", "分配隐藏", "Could nobody foresee an allocation before the participant was in?"
        ),
        _asked(
            "1_3",
            "Imbalance at baseline",
            "基线不均衡",
            "Do the groups differ at the start in a way that chance does not explain?",
        ),
    )
    yield from under(
        "rob_d2",
        _asked("2_1", "Participants aware", "受试者知晓", "Did participants know which group they were in?"),
        _asked("2_2", "Carers aware", "实施者知晓", "Did those who cared for them, or gave the intervention, know it?"),
        _asked(
            "2_3",
            "Deviations from the trial's context",
            "试验情境导致的偏离",
            "Did anybody depart from the intended intervention because there was a trial?",
            may_not_arise=True,
        ),
        _asked(
            "2_4",
            "Deviations matter",
            "偏离影响结局",
            "Were those departures likely to change the outcome?",
            may_not_arise=True,
        ),
        _asked(
            "2_5",
            "Deviations balanced",
            "偏离均衡",
            "Were those departures about as frequent in each group?",
            may_not_arise=True,
        ),
        _asked(
            "2_6",
            "Analysis as assigned",
            "按分配分析",
            "Did the analysis count people in the groups they were assigned to?",
        ),
        _asked(
            "2_7",
            "Wrong group matters",
            "错分影响结果",
            "Could leaving people out, or counting them elsewhere, have changed the result much?",
            may_not_arise=True,
        ),
    )
    yield from under(
        "rob_d3",
        _asked(
            "3_1", "Nearly complete", "数据基本完整", "Is the outcome known of all, or nearly all, who were randomised?"
        ),
        _asked(
            "3_2",
            "Shown to be unbiased",
            "无偏证据",
            "Is it shown that the missing data did not distort the result?",
            may_not_arise=True,
        ),
        _asked(
            "3_3",
            "May depend on its value",
            "缺失可能与真值有关",
            "Could it be because of their outcome that people's data are missing?",
            may_not_arise=True,
        ),
        _asked(
            "3_4",
            "Likely depends on its value",
            "缺失很可能与真值有关",
            "Is that likely?",
            may_not_arise=True,
        ),
    )
    yield from under(
        "rob_d4",
        _asked("4_1", "Unsuitable method", "测量方法不当", "Was the outcome measured in a way unfit for it?"),
        _asked(
            "4_2",
            "Differed by group",
            "组间测量不同",
            "Could it have been measured or noticed differently in the groups?",
        ),
        _asked("4_3", "Assessors aware", "评估者知晓", "Did those who assessed it know the group?", may_not_arise=True),
        _asked(
            "4_4",
            "Open to influence",
            "评估可能受影响",
            "Could knowing the group have swayed the assessment?",
            may_not_arise=True,
        ),
        _asked("4_5", "Likely influenced", "评估很可能受影响", "Is that likely?", may_not_arise=True),
    )
    yield from under(
        "rob_d5",
        _asked(
            "5_1",
            "As planned",
            "符合预设计划",
            "Was the result analysed by a plan that was fixed before anybody saw unmasked data?",
        ),
        _asked(
            "5_2",
            "Chosen among measures",
            "在多个测量中选择",
            "Is the result likely to have been picked from several measures or times of the same outcome?",
        ),
        _asked(
            "5_3",
            "Chosen among analyses",
            "在多个分析中选择",
            "Is it likely to have been picked from several analyses?",
        ),
    )


NOS = (
    *under(
        "nos_selection",
        one_of(
            "nos_s1",
            "a b c d",
            "S1 Representativeness",
            "S1 暴露队列代表性",
            "Exposed people stand for the average in the community: a wholly, b fairly, c a special group, d not said.",
        ),
        one_of(
            "nos_s2",
            "a b c",
            "S2 Unexposed people",
            "S2 非暴露队列选择",
            "Unexposed people come from: a the same community, b elsewhere, c not said.",
        ),
        one_of(
            "nos_s3",
            "a b c d",
            "S3 Exposure known from",
            "S3 暴露确定",
            "a reliable records, b a structured interview, c what people wrote of themselves, d not said.",
        ),
        one_of(
            "nos_s4",
            "a b",
            "S4 Outcome absent at start",
            "S4 起始无结局",
            "Shown that nobody had the outcome at the start: a yes, b no.",
        ),
    ),
    *under(
        "nos_comparability",
        one_of(
            "nos_c1",
            "a b",
            "C1 Main confounder",
            "C1 控制最重要因素",
            "The most important confounder was controlled for: a yes, b no.",
        ),
        one_of(
            "nos_c2",
            "a b",
            "C2 Further confounder",
            "C2 控制其他因素",
            "A further confounder was controlled for: a yes, b no.",
        ),
    ),
    *under(
        "nos_outcome",
        one_of(
            "nos_o1",
            "a b c d",
            "O1 Outcome known from",
            "O1 结局评估",
            "a an independent, masked assessment, b record linkage, c what people said of themselves, d not said.",
        ),
        one_of(
            "nos_o2",
            "a b",
            "O2 Long enough",
            "O2 随访足够",
            "Followed for long enough for the outcome to occur: a yes, b no.",
        ),
        one_of(
            "nos_o3",
            "a b c d",
            "O3 Complete",
            "O3 随访完整",
            "a everybody followed up, b few lost and unlikely to matter, c many lost, d not said.",
        ),
    ),
)
REPORTING = under(
    "reporting",
    flag("reports_registration", "Registration", "报告注册", "The paper names its registration."),
    flag("reports_protocol", "Protocol", "报告方案", "The paper says where its protocol can be read."),
    flag("reports_funding", "Funding", "报告资助", "The paper says who paid."),
    flag(
        "reports_conflicts", "Conflicts of interest", "报告利益冲突", "The paper declares conflicts or their absence."
    ),
    flag("reports_ethics", "Ethics approval", "报告伦理", "The paper names the ethics approval."),
    flag("reports_eligibility", "Eligibility", "报告纳排标准", "The paper gives criteria for taking part."),
    flag("reports_sample_size", "Sample size", "报告样本量", "The paper explains how its size came about."),
    flag("reports_flow", "Flow", "报告流程", "The paper gives numbers at each stage, or a flow diagram."),
    flag("reports_baseline", "Baseline", "报告基线", "The paper describes the groups at the start."),
    flag("reports_missing_data", "Missing data", "报告缺失数据", "The paper says how missing data were dealt with."),
    flag("reports_harms", "Harms", "报告不良事件", "The paper reports harms, or says that there were none."),
    flag("reports_limitations", "Limitations", "报告局限", "The paper discusses its limitations."),
)
VERSIONS = (
    Template(
        "qc",
        1,
        "Quality: risk of bias",
        "质量评价：偏倚风险",
        "RoB 2 for trials and Newcastle-Ottawa for cohorts: questions with quotes; judgements follow by rule.",
        (*shared.citation(), *SCOPE, *_rob_2(), *NOS, *REPORTING),
    ),
)
