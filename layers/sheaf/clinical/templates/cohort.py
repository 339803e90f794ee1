"""Cohort studies: what a systematic review asks of one, along STROBE (CC BY). Pure."""

from clinical.templates import common_fields
from clinical.templates.field_builders import count, flag, number, one_of, table, text, texts, under
from clinical.templates.fields import Template

DESIGN = under("design",
    one_of("design", "prospective retrospective ambispective nested_case_control registry cross_sectional_not_cohort", "Design", "设计类型", "What kind of cohort study this is; the last choice says that it is none."),
    text("data_source", "Data source", "数据来源", "Register, database, records or study from which the data came."),
    text("enrolment_period", "Enrolment period", "入组期", "From when to when participants entered."),
    text("follow_up_median", "Follow-up", "中位随访", "Median or mean follow-up with its spread, as printed."),
    number("person_years", "Person-years", "人年", "Person-years of follow-up in all."),
)  # fmt: skip
PARTICIPANTS = under("participants",
    text("population", "Population", "人群", "Who was studied."),
    texts("inclusion", "Inclusion criteria", "纳入标准", "Each criterion for being counted."),
    texts("exclusion", "Exclusion criteria", "排除标准", "Each criterion for being left out."),
    text("matching", "Matching", "匹配", "Matching or propensity score, with its ratio."),
    count("n_eligible", "Eligible", "合格例数", "People found eligible."),
    count("n_included", "Included", "纳入例数", "People included."),
    count("n_exposed", "Exposed", "暴露例数", "Included people with the exposure."),
    count("n_unexposed", "Not exposed", "非暴露例数", "Included people without the exposure."),
    count("n_lost", "Lost", "失访例数", "People lost to follow-up."),
    count("n_analysed", "Analysed", "分析例数", "People in the main analysis."),
)  # fmt: skip
EXPOSURES = table("exposures", "Exposures", "暴露因素", "One entry for each exposure under study.",
    text("name", "Exposure", "暴露", "What the paper calls it."),
    text("definition", "Definition", "定义", "How it is defined."),
    text("measurement", "Measurement", "测量", "How it was measured."),
    text("levels", "Levels", "水平", "Categories or unit of increase."),
    count("n", "N", "例数", "People with the exposure."),
)  # fmt: skip
OUTCOMES = table("outcomes", "Outcomes", "结局", "One entry for each outcome.",
    text("name", "Outcome", "结局", "What the paper calls it."),
    text("definition", "Definition", "定义", "How it is defined."),
    text("ascertainment", "Ascertainment", "确定方式", "How it was found out."),
    text("timepoint", "Time point", "时间点", "By when."),
    count("events", "Events", "事件数", "How many had it."),
)  # fmt: skip
VARIABLES = under(
    "variables", EXPOSURES, text("comparator", "Comparator", "对照/参照", "The reference level."), OUTCOMES
)
METHODS = under("methods",
    texts("confounders", "Confounders", "混杂因素", "Each factor that the main analysis was adjusted for."),
    text("adjustment_method", "Adjustment", "调整方法", "How confounding was dealt with."),
    text("missing_data", "Missing data", "缺失数据", "How missing data were dealt with."),
    texts("sensitivity_analyses", "Sensitivity analyses", "敏感性分析", "Each sensitivity analysis."),
)  # fmt: skip
ASSOCIATIONS = table("associations", "Associations", "关联结果", "One entry for each estimate; crude and adjusted ones apart.",
    text("exposure", "Exposure", "暴露", "Of what."),
    text("level", "Level", "水平", "The level that is compared."),
    text("reference", "Reference", "参照", "The level that it is compared with."),
    text("outcome", "Outcome", "结局", "With what."),
    one_of("measure", "HR RR OR IRR MD beta", "Measure", "效应指标", "The measure of association."),
    flag("crude", "Crude", "未调整", "True for an unadjusted estimate."),
    number("estimate", "Estimate", "效应值", "The estimate."),
    number("ci_low", "CI, lower", "置信区间下限", "Lower bound of the interval."),
    number("ci_high", "CI, upper", "置信区间上限", "Upper bound of the interval."),
    text("p_value", "P", "P值", "As printed."),
    text("model", "Model", "模型", "What it was adjusted for, or the model's name."),
    count("n", "N", "例数", "People that the estimate counts."),
    count("events", "Events", "事件数", "Events that the estimate counts."),
)  # fmt: skip
RESULTS = under("results", ASSOCIATIONS,
    texts("subgroups", "Subgroups", "亚组", "Each subgroup analysis."),
    text("conclusion", "Conclusion", "结论", "The authors' main conclusion."),
)  # fmt: skip
DISCUSSION = under("discussion", text("limitations", "Limitations", "局限", "What the authors call limitations."))
VERSIONS = (
    Template("cohort", 1, "Cohort study", "队列研究", "What a systematic review asks of a cohort study, along STROBE.",
        (*common_fields.citation(), *common_fields.OPEN_SCIENCE, *DESIGN, *common_fields.PLACES, *PARTICIPANTS, *common_fields.baseline("age"),
         *VARIABLES, *METHODS, *RESULTS, *DISCUSSION)),
)  # fmt: skip
