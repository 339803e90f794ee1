"""Randomised controlled trials: what a systematic review asks of one, along CONSORT 2025 (CC BY). Pure."""

from clinical.templates import common_fields
from clinical.templates.field_builders import count, flag, number, one_of, table, text, texts, under
from clinical.templates.fields import Template

CITATION = common_fields.citation(
    one_of("report_type", "results protocol secondary_analysis pilot", "Report type", "报告类型", "What kind of report this is; a protocol has no results.")
)  # fmt: skip
DESIGN = under("design",
    one_of("design", "parallel crossover cluster factorial stepped_wedge other", "Design", "设计类型", "How participants were allocated to the interventions over time."),
    one_of("framework", "superiority noninferiority equivalence exploratory", "Framework", "检验框架", "What the trial set out to show."),
    text("allocation_ratio", "Allocation ratio", "分配比", "As printed, for example 1:1 or 2:1."),
)  # fmt: skip
PARTICIPANTS = under("participants",
    text("recruitment_start", "Recruitment began", "招募开始", "First date of recruitment, as printed."),
    text("recruitment_end", "Recruitment ended", "招募结束", "Last date of recruitment, as printed."),
    text("condition", "Condition", "疾病", "Disease or situation for which participants were treated."),
    texts("inclusion", "Inclusion criteria", "纳入标准", "Each criterion for taking part."),
    texts("exclusion", "Exclusion criteria", "排除标准", "Each criterion for not taking part."),
)  # fmt: skip
ARMS = table("arms", "Arms", "研究组", "One entry for each group that participants were randomised to; in a crossover trial, for each sequence.",
    text("name", "Name", "名称", "What the paper calls the group."),
    one_of("role", "experimental active placebo usual_care no_treatment", "Role", "角色", "Experimental, or which kind of comparator."),
    text("description", "Description", "描述", "What the group received."),
    text("dose", "Dose", "剂量", "Amount of each administration, with its unit."),
    text("frequency", "Frequency", "频次", "How often."),
    text("route", "Route", "途径", "How it was given."),
    text("duration", "Duration", "疗程", "For how long."),
    count("n_randomised", "Randomised", "随机例数", "Participants allocated to this group."),
    count("n_received", "Received", "接受例数", "Participants who received what they were allocated to."),
    count("n_analysed", "Analysed", "分析例数", "Participants in this group's main analysis."),
    count("n_lost", "Lost", "失访例数", "Participants lost to follow-up or withdrawn."),
)  # fmt: skip
FLOW = under("flow",
    count("n_screened", "Screened", "筛查例数", "People assessed for eligibility."),
    count("n_randomised", "Randomised", "随机例数", "Participants randomised in all; never those screened or analysed."),
    count("n_analysed", "Analysed", "分析例数", "Participants in the main analysis."),
    count("n_planned", "Planned", "计划例数", "The sample size that was aimed at."),
    count("n_clusters", "Clusters", "群组数", "Clusters randomised, in a cluster trial."),
)  # fmt: skip
RANDOMISATION = under("randomisation",
    one_of("sequence_generation", "computer table minimisation coin nonrandom not_reported", "Sequence generation", "随机序列产生", "How the random sequence was made."),
    text("sequence_generation_detail", "Sequence, in words", "随机序列说明", "What the paper says of it."),
    one_of("restriction", "simple block stratified minimisation", "Restriction", "随机化限制", "Whether the sequence was restricted, and how."),
    text("restriction_detail", "Restriction, in words", "随机化限制说明", "Block sizes and strata."),
    one_of("allocation_concealment", "central sealed_envelope pharmacy open not_reported", "Allocation concealment", "分配隐藏", "How the next allocation was kept from those who enrolled."),
    text("allocation_concealment_detail", "Concealment, in words", "分配隐藏说明", "What the paper says of it."),
)  # fmt: skip
MASKING = under("masking",
    one_of("masking", "open single double triple not_reported", "Masking", "盲法", "What the trial calls itself, or what follows from the roles that were masked."),
    texts("masked_roles", "Masked roles", "设盲对象", "Who did not know the allocation.", "participant provider assessor analyst"),
)  # fmt: skip
OUTCOME = (
    text("name", "Outcome", "结局", "What the paper calls it."),
    text("measure", "Measure", "测量", "Instrument, scale or definition."),
    text("timepoint", "Time point", "时间点", "When it was measured."),
    one_of("type", "binary continuous time_to_event count", "Type", "类型", "Kind of data."),
)
OUTCOMES = under("outcomes",
    table("primary_outcomes", "Primary outcomes", "主要结局", "Outcomes that the paper calls primary.", *OUTCOME),
    table("secondary_outcomes", "Secondary outcomes", "次要结局", "Outcomes that the paper calls secondary.", *OUTCOME),
    text("follow_up", "Follow-up", "随访时长", "How long participants were followed, as printed."),
)  # fmt: skip
STATISTICS = under("statistics",
    text("sample_size_calculation", "Sample size calculation", "样本量估算", "Its assumptions and result."),
    one_of("analysis_population", "itt mitt per_protocol other", "Analysis population", "分析集", "Whom the main analysis counts, and in which group."),
    text("statistical_method", "Statistical method", "统计方法", "Method of the main analysis."),
)  # fmt: skip
RESULTS = table("results", "Results", "结果", "One entry for each result of an outcome: of one arm, or of a comparison of two.",
    text("outcome", "Outcome", "结局", "What was measured."),
    text("arm", "Arm", "组别", "The group, or the first of the two compared."),
    text("comparator", "Comparator", "对照", "The group that it is compared with."),
    text("timepoint", "Time point", "时间点", "When it was measured."),
    count("events", "Events", "事件数", "Participants with the event in the arm."),
    count("n", "N", "例数", "Participants that the result counts."),
    number("mean", "Mean", "均值", "Mean in the arm."),
    number("sd", "SD", "标准差", "Standard deviation in the arm."),
    text("effect_measure", "Effect measure", "效应指标", "For example RR, OR, HR, mean difference."),
    number("estimate", "Estimate", "效应值", "The effect estimate."),
    number("ci_low", "CI, lower", "置信区间下限", "Lower bound of the interval."),
    number("ci_high", "CI, upper", "置信区间上限", "Upper bound of the interval."),
    text("p_value", "P", "P值", "As printed, for example 0.03 or <0.001."),
    one_of("direction", "up down no_difference", "Direction", "方向", "Of the outcome in the arm against the comparator."),
)  # fmt: skip
HARMS = table("adverse_events", "Adverse events", "不良事件", "One entry for each event and arm.",
    text("name", "Event", "事件", "What the paper calls it."),
    text("arm", "Arm", "组别", "The group."),
    count("events", "Events", "事件数", "Participants with the event."),
    count("n", "N", "例数", "Participants at risk."),
    flag("serious", "Serious", "严重", "Whether the paper calls it serious."),
)  # fmt: skip
DISCUSSION = under("discussion",
    text("early_stopping", "Early stopping", "提前终止", "Whether the trial was stopped early, and why."),
    text("limitations", "Limitations", "局限", "What the authors call limitations."),
    text("conclusion", "Conclusion", "结论", "The authors' main conclusion."),
)  # fmt: skip
VERSIONS = (
    Template("rct", 1, "Randomised controlled trial", "随机对照试验", "What a systematic review asks of a trial, along CONSORT 2025.",
        (*CITATION, *common_fields.OPEN_SCIENCE, *DESIGN, *common_fields.PLACES, *PARTICIPANTS, *under("interventions", ARMS), *FLOW,
         *common_fields.baseline("age_mean_or_median"), *RANDOMISATION, *MASKING, *OUTCOMES, *STATISTICS,
         *under("results", RESULTS), *under("harms", HARMS), *DISCUSSION)),
)  # fmt: skip
