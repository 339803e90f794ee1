"""Quality: questions about bias, each answered with a quote.

The judgements follow from the answers by rule (`clinical.risk_of_bias`); no engine is asked for one.
The questions are in our own words. The tools they follow are RoB 2 (Sterne et al., BMJ 2019; riskofbias.info) and the
Newcastle-Ottawa scale for cohort studies (Wells et al.), which are to be cited. Pure.
"""

from clinical.templates import common_fields, nos_questions, rob2_questions
from clinical.templates.field_builders import flag, one_of, text, under
from clinical.templates.fields import Template

SCOPE = under("scope",
    one_of("study_type_detected", "rct cohort other", "Study type", "研究类型", "Which of the two tools applies."),
    text("assessed_outcome", "Assessed outcome", "评价的结局", "The outcome that the questions are answered for."),
)  # fmt: skip
REPORTING = under("reporting",
    flag("reports_registration", "Registration", "报告注册", "The paper names its registration."),
    flag("reports_protocol", "Protocol", "报告方案", "The paper says where its protocol can be read."),
    flag("reports_funding", "Funding", "报告资助", "The paper says who paid."),
    flag("reports_conflicts", "Conflicts of interest", "报告利益冲突", "The paper declares conflicts or their absence."),
    flag("reports_ethics", "Ethics approval", "报告伦理", "The paper names the ethics approval."),
    flag("reports_eligibility", "Eligibility", "报告纳排标准", "The paper gives criteria for taking part."),
    flag("reports_sample_size", "Sample size", "报告样本量", "The paper explains how its size came about."),
    flag("reports_flow", "Flow", "报告流程", "The paper gives numbers at each stage, or a flow diagram."),
    flag("reports_baseline", "Baseline", "报告基线", "The paper describes the groups at the start."),
    flag("reports_missing_data", "Missing data", "报告缺失数据", "The paper says how missing data were dealt with."),
    flag("reports_harms", "Harms", "报告不良事件", "The paper reports harms, or says that there were none."),
    flag("reports_limitations", "Limitations", "报告局限", "The paper discusses its limitations."),
)  # fmt: skip
VERSIONS = (
    Template("qc", 1, "Quality: risk of bias", "质量评价：偏倚风险", "RoB 2 for trials and Newcastle-Ottawa for cohorts: questions with quotes; judgements follow by rule.",
        (*common_fields.citation(), *SCOPE, *rob2_questions.questions(), *nos_questions.items(), *REPORTING),
    ),
)  # fmt: skip
