"""By which words a paper says what kind of study and of report it is, and what it reports. Pure. See `trial_cues`."""

import re

from clinical.templates import trial_cues
from clinical.templates.trial_cues import Cues, cue

PROTOCOL = cue(
    r"\b(?:study|trial)?:? ?protocol (?:for|of)\b|\b(?:study|trial) protocol\b|: ?protocol\b|\brationale,? (?:and|&) design\b|\bdesign and rationale\b"
)
PROTOCOL_ZH = cue(r"(?:研究|试验)方案(?:$|设计)")
SECONDARY = cue(
    r"\b(?:secondary|post[- ]?hoc|sub-?group|ancillary|exploratory) (?:data )?(?:analys[ei]s|study) (?:of|from|using|data)\b|\bpost[- ]hoc analysis\b|\bsub-?(?:study|analysis) of\b|\ban ancillary study\b|\bsecondary (?:data )?analysis\b"
)
SECONDARY_ZH = cue(r"二次分析|事后分析")
PILOT = cue(
    r"\b(?:pilot|feasibility|proof[- ]of[- ]concept)\b[\w ,-]{0,40}\b(?:stud(?:y|ies)|trial|rct|evaluation|investigation)\b"
)
PILOT_ZH = cue(r"(?:预|先导)试验|可行性研究")
CROSSOVER = cue(
    r"(?<!no )(?<!to )(?<!could )(?<!can )(?<!may )(?<!not )(?<!of )(?<!before )(?<!after )(?<!until )(?<!at )(?<!following )\bcross-? ?over\b(?! (?:to|was|were|is|after|at|between|from)\b)"
)
CROSSOVER_ZH = cue(r"(?<!未)交叉(?:设计|试验|对照)")
"""The design; not patients who may change to the other arm."""
PLACES = (
    r"(?:schools|practices|villages|clinics|hospitals|wards|communities|nursing homes|care homes|cent(?:er|re)s|classes|classrooms|districts"
    r"|households|kindergartens|pre-?schools|worksites|pharmacies|towns|municipalities|churches|neighbou?rhoods)"
)
CLUSTER = cue(
    r"\bcluster(?:s were| was)?[ -](?:\w+ )?randomi[sz]|\brandomi[sz]ed(?:,? controlled)? cluster|\bcluster (?:rct|trial|controlled)|\bgroup-randomi[sz]ed"
    rf"|(?:^|[.;:,] )(?:(?!(?:patients|participants|subjects|wom[ae]n|m[ae]n|children|adults|students|persons|people|individuals|infants|pupils|from|attending"
    rf"|at|of|undergoing)\b)[\w-]+ ){{0,8}}?{PLACES} (?:\([^()]{{1,40}}\) )?were (?:\w+ )?(?:randomi[sz]ed|randomly (?:assigned|allocated|divided))"
    rf"|\b(?:randomi[sz]ed|randomly (?:assigned|allocated)) (?:(?:the|all|\d+|two|three|four|five|six|seven|eight|nine|ten|[a-z]+teen|[a-z]+ty) )(?:(?!(?:patients|participants|to|from|in|at)\b)[\w-]+ ){{0,3}}?{PLACES}\b"
    r"|\bunits? of (?:randomi[sz]ation|allocation) (?:was|were|is) (?:an? |the |each )?(?:\w+ ){0,2}?(?:school|practice|village|clinic|hospital|ward|community|cent(?:er|re)|class|household|cluster|general practitioner|physician|nursing home)s?\b"
    r"|\brandomi[sz](?:ed|ation) (?:was |took place |was done |was performed )?at (?:the )?(?:level of (?:the )?)?(?:school|practice|village|clinic|hospital|ward|community|cent(?:er|re)|class|household|gp|physician|district|cluster)\b"
    r"|\b(?:schools?|practices?|villages?|clinics?|hospitals?|wards?|class(?:es)?|households?|gps|general practitioners|physicians|clusters?) (?:was|were|being|as|is) (?:used as )?(?:the )?units? of (?:randomi[sz]ation|allocation)\b"
)
CLUSTER_ZH = cue(r"整群随机|群组?随机")
FACTORIAL = cue(
    r"\b(?:2|two|3|three) ?(?:x|\xd7|by|-by-) ?(?:2|two|3|three)(?: ?(?:x|\xd7) ?\d)?,? (?:\w+ )?factorial\b|\bfactorial (?:design|trial|study|randomi)|\bfull factorial\b"
)
FACTORIAL_ZH = cue(r"析因(?:设计|试验)")
STEPPED = cue(r"\bstepped[- ]wedge\b")
STEPPED_ZH = cue(r"阶梯(?:设计|楔形|整群)")
PARALLEL = cue(r"\bparallel(?:-| )?(?:group|arm|design|assignment|trial|study|two|controlled|randomi)")
PARALLEL_ZH = cue(r"平行(?:组|设计|对照|分组)")
TO_GROUPS = cue(
    r"\b(?:randomi[sz]ed|randomly (?:\w+ )?(?:assigned|allocated|divided|distributed)|assigned randomly|allocated randomly|assigned by randomi[sz]ation|(?:assigned|allocated|divided) at random)\b[^.;]{0,120}?"
    r"\b(?:(?:two|three|four|five|2|3|4|5)(?: \w+){0,3} (?:groups|arms|conditions)|either|groups?\b|arms?\b|placebo|control|or\b)"
)
TO_GROUPS_ZH = cue(r"随机[^。；;]{0,20}(?:分为|分成|分入|分配[到至]|均分)[^。；;]{0,30}组")
GROUPS = cue(r"\brandom\w*\b[^.;]{0,160}\b(?:group|arm)s?\b|\b(?:group|arm)s?\b[^.;]{0,160}\brandom\w*")
WITHIN = cue(
    r"\border (?:of|in which)\b[^.;]{0,80}\b(?:was|were|is) (?:\w+ )?random|\brandom(?:i[sz]ed|ly|)\b(?:[ ,]\w+){0,2} order\b|\bcounterbalanced\b"
    r"|\bsplit-(?:mouth|face|body)\b|\bwithin-subjects? design|\border of (?:the )?\w+ was random"
    r"|\beach (?:participant|patient|subject|volunteer) (?:received|underwent|completed|performed) (?:all|both)"
    r"|\bcross(?:ed|ing)?-? ?over to the (?:alternat\w+|other|opposite|second|remaining)\b"
)
WITHIN_ZH = cue(r"自身(?:前后)?(?:交叉|对照)")
RANDOMISED = cue(
    r"\brandomi[sz]ed\b[\w ,-]{0,60}\b(?:trial|study|rct|design|comparison|fashion|manner)\b|\bRCT\b"
    r"|\brandomi[sz]ed (?:controlled|clinical)(?![\w ,-]{0,40}\b(?:trials|studies)\b)"
    r"|\brandomly (?:\w+ )?(?:assigned|allocated|divided)|\bwere randomi[sz]ed\b|(?<!mendelian )\brandomi[sz]ation\b"
)
RANDOMISED_ZH = cue(r"随机(?:双盲|单盲|开放|平行|分组|分为|分配|对照|临床)")
COHORT = cue(
    r"\bcohort\b(?! of (?:the|this) trial)|\blongitudinal (?:study|observational)|\b(?:prospective|retrospective)(?:,? \w+){0,3},? (?:observational|follow-up) study"
)
COHORT_ZH = cue(r"队列研究")
COHORT_KINDS: Cues = {
    "nested_case_control": (cue(r"\bnested case[- ]control\b"), cue(r"巢式病例对照")),
    "ambispective": (cue(r"\bambispective\b|\bbidirectional cohort\b|\bretrospective and prospective (?:cohort|study)"), cue(r"双向队列")),
    "retrospective": (cue(r"\bretrospective(?:ly)?\b(?:,? [\w-]+){0,5},? (?:cohort|study|analysis|review|research|chart|observational|investigat\w+|evaluat\w+|analy[sz]ed|reviewed|collected)\b|\bhistorical cohort\b|\bretrospective research\b"), cue(r"回顾性(?:队列|研究|分析|收集|纳入)")),
    "prospective": (cue(r"\bprospective(?:ly)?\b(?:,? [\w-]+){0,5},? (?:cohort|study|observational|follow|investigat\w+|evaluat\w+|enrol\w+|included|recruited|collected)\b"), cue(r"前瞻性(?:队列|研究|观察|纳入|收集)")),
    "registry": (cue(r"\bregistry-based (?:cohort|study)|\bregister-based (?:cohort|study)|\b(?:nationwide|population-based) register (?:cohort|study)"), cue(r"登记(?:队列|研究)")),
    "cross_sectional_not_cohort": (cue(r"\bcross-?sectional (?:\w+ )?(?:study|survey|analysis|design)\b"), cue(r"横断面(?:研究|调查|分析)")),
}  # fmt: skip
PLANNED = cue(
    r"\b(?:will be|we will|we plan|we aim to recruit|will (?:randomly|receive|recruit|assess|include|take))\b"
)
RESULTS = cue(r"\b(?:was|were|had|showed|differed|improved|increased|decreased)\b|\bp ?[<=>]|\b95 ?% ?ci\b")
RESULTS_ZH = cue(r"结果|差异")
ETHICS = cue(
    r"\b(?:ethic\w* (?:\w+ ){0,4}?(?:committee|board|approv\w+|review|clearance)|institutional review board|\birb\b|review board|declaration of helsinki|helsinki declaration|committee (?:on|for) human research|ethically approved)\b"
)
ETHICS_ZH = cue(r"伦理(?:委员会|审查|批准)|赫尔辛基")
PROTOCOL_AT = cue(
    r"\bprotocol\b(?:(?! not )[^.;]){0,80}\b(?:published|available|registered|appendix|supplement\w*|described (?:elsewhere|previously)|online|found|additional file)\b|\b(?:published|available|additional file|supplementary)\b[^.;]{0,60}\bprotocol\b"
)
PROTOCOL_AT_ZH = cue(r"方案[^。；;]{0,20}(?:发表|公布|注册|附录)")
ELIGIBILITY = cue(
    r"\b(?:inclusion|exclusion|eligibility) criteri(?:a|on)\b|\b(?:were|was) (?:eligible|excluded) if\b|\beligible (?:patients|participants|women|subjects)\b|\b(?:patients|participants|women|subjects) were (?:eligible|excluded|included if)\b"
)
ELIGIBILITY_ZH = cue(r"(?:纳入|排除|入选)标准")
FLOW = cue(
    r"\bflow ?-?(?:chart|diagram)|\bCONSORT\b[^.;]{0,40}(?:diagram|flow)|\btrial profile|\bflow of (?:patients|participants|subjects)|\bassessed for eligibility\b|\bparticipant flow|\bstudy flow"
)
FLOW_ZH = cue(r"流程图")
BASELINE = cue(
    r"\bbaseline (?:\w+ ){0,4}?(?:characteristics|data|demographics?|features|values)|\bdemographic (?:\w+ ){0,3}?(?:characteristics|data|variables)|\bpatient characteristics\b|\bcharacteristics of the (?:patients|participants|subjects|study)|\bcharacteristics at baseline"
)
BASELINE_ZH = cue(r"基线(?:资料|特征|数据)|一般资料")
HARMS = cue(
    r"\badverse (?:\w+ )?(?:events?|effects?|reactions?)|\bside[- ]effects?|\bcomplications? (?:were|was|occurred)|\bharms\b|\bserious adverse|\bsafety (?:outcomes?|profile|endpoint)"
)
HARMS_ZH = cue(r"不良(?:反应|事件)|副作用|并发症")
MISSING = cue(
    r"\bmissing (?:data|values?|outcome|covariates?|observations?|information)\b|\bmultiple imputation\b|\bcomplete[- ]case\b|\blast observation carried forward\b|\bimput(?:ed|ation)\b"
)
MISSING_ZH = cue(r"缺失(?:值|数据)|(?:多重)?填补|末次观测")
REPORTED: dict[str, tuple[re.Pattern[str], ...]] = {
    "reports_registration": (cue(r"\bregist(?:ered|ration|ry)|\b(?:NCT|ISRCTN|ACTRN|ChiCTR|UMIN|DRKS|CTRI|EudraCT|[a-z]{3,8}[- ]?\d{6})"), cue(r"注册")),
    "reports_protocol": (PROTOCOL_AT, PROTOCOL_AT_ZH),
    "reports_funding": (cue(r"\b(?:fund(?:s|ed|ings?|ers?)|foundation|agency|ministry|council|institutes? of health|support(?:ed|ing)?|none|grants?|sponsor\w*|financ\w+|paid|donat\w+)\b"), cue(r"基金|资助|经费")),
    "reports_conflicts": (cue(r"\b(?:confl\w* ?i?ct\w*|compet\w+|disclos\w+|declar\w+|financial|duality|fees|grants?|honorari\w+|employee\w*|consultan\w+|shares|stocks?|none|nothing)\b"), cue(r"利益冲突")),
    "reports_ethics": (ETHICS, ETHICS_ZH),
    "reports_eligibility": (ELIGIBILITY, ELIGIBILITY_ZH),
    "reports_sample_size": (cue(r"\bsample size|\bpower\b|\bnumber of (?:patients|participants|subjects) (?:required|needed)"), cue(r"样本量")),
    "reports_flow": (FLOW, FLOW_ZH),
    "reports_baseline": (BASELINE, BASELINE_ZH),
    "reports_missing_data": (MISSING, MISSING_ZH),
    "reports_harms": (HARMS, HARMS_ZH),
    "reports_limitations": (cue(r"\blimit(?:ations?|ed)\b"), cue(r"局限|不足之处")),
}  # fmt: skip
TRIAL_KINDS: Cues = {
    "stepped_wedge": (STEPPED, STEPPED_ZH),
    "cluster": (CLUSTER, CLUSTER_ZH),
    "factorial": (FACTORIAL, FACTORIAL_ZH),
    "crossover": (CROSSOVER, CROSSOVER_ZH, WITHIN, WITHIN_ZH),
    "parallel": (PARALLEL, PARALLEL_ZH, TO_GROUPS, TO_GROUPS_ZH, GROUPS),
}
DIFFERENCE = cue(
    r"\b(?:increas|high|great|more\b|most\b|improv|long|larg|better|superior|fast|rise\b|rose|elevat|favou?r|gain|enhanc|decreas|low|reduc|less|fewer|short|small|worse|declin|fell\b|fall|drop|inferior|slow|poor|diminish|attenuat)"
)
DIFFERENCE_ZH = cue(r"高于|低于|升高|降低|增加|减少|优于|长于|短于")
NO_DIFFERENCE = cue(
    r"\bno (?:[\w-]+ ){0,5}?(?:differ\w*|effects?|change|benefit|improvement|advantage|association|impact|influence|evidence)|\b(?:not|n't|neither|nor) (?:[\w-]+ ){0,4}?(?:significan\w*|differ\w*|reach\w*|change|affect\w*|superior|improve|reduce|increase|decrease|influence)"
    r"|\b(?:similar|comparab)\w*|\b(?:non-?|in)significan\w*|\bunchanged|\bequal\w*|\bequivalent|\bthe same\b|\bboth\b|\bp ?[=>] ?0?\.(?:0[5-9]|[1-9])|\bns\b|\bwithout (?:\w+ ){0,3}differen"
)
NO_DIFFERENCE_ZH = cue(r"无(?:明显|显著|统计学)*(?:差异|差别)|差异无|相似|相当")
PARTS: dict[str, Cues] = {
    "role": {
        "experimental": (cue(r"\bexperimental\b|\bintervention\b|\bactive (?:drug|treatment)"), cue(r"试验组|干预组")),
        "active": (cue(r"\bactive (?:control|comparator)\b"), cue(r"阳性对照")),
        "placebo": (cue(r"\bplacebo\b|\bsham\b|\bdummy\b"), cue(r"安慰剂|假(?:针|手术)")),
        "usual_care": (cue(r"\b(?:usual|standard|routine|conventional) (?:\w+ )?(?:care|treatment|therapy|management)\b|\b(?:care|treatment) as usual\b"), cue(r"常规(?:治疗|护理)")),
        "no_treatment": (cue(r"\bno (?:\w+ )?(?:treatment|intervention|therapy)\b|\buntreated\b|\bwait(?:ing)?[- ]?list"), cue(r"空白对照|不治疗")),
    },
    "direction": {"up": (DIFFERENCE, DIFFERENCE_ZH), "down": (DIFFERENCE, DIFFERENCE_ZH), "no_difference": (NO_DIFFERENCE, NO_DIFFERENCE_ZH)},
}  # fmt: skip
"""Of parts of entries. Which way a difference goes hangs on which arm is named first."""
MAY_BE_UNSAID = {"role", "direction", "type"}
SEQUENCE, CONCEALMENT, POPULATION = trial_cues.SEQUENCE, trial_cues.CONCEALMENT, trial_cues.POPULATION
BY_CHANCE = tuple(each for way, patterns in SEQUENCE.items() if way != "nonrandom" for each in patterns)
OPAQUE = cue(r"\bopaque\b.*\benvelopes?\b|\benvelopes?\b.*\bopaque\b"), cue(r"不透[光明].*信封")
"""Envelopes that are merely sealed settle nothing."""
HIDDEN = (*CONCEALMENT["central"], *CONCEALMENT["pharmacy"], *OPAQUE)
AS_ASSIGNED = (*POPULATION["itt"], *POPULATION["mitt"])
OPENLY = trial_cues.MASKING["open"]
KNOWN_FROM: Cues = {
    "a": (cue(r"\b(?:outcomes?|events?|end ?points?|deaths?)\b[^.;]{0,80}? (?:were|was) (?:\w+ ){0,2}?(?:adjudicated|assessed|reviewed|classified|validated|confirmed) by [^.;]{0,80}?\b(?:blind(?:ed)?|masked|unaware)\b"),),
    "b": (cue(
        r"\b(?:outcomes?|deaths?|mortality|vital status|events?|incident \w+|cases of|diagnos[ei]s)\b[^.;]{0,120}? (?:ascertained|identified|obtained|confirmed|determined|defined|verified|retrieved|collected|captured) "
        r"[^.;]{0,80}?\b(?:record linkage|link(?:age|ed|ing) (?:to|with)|regist(?:ry|ries|ers?)|death certificates?|(?:medical|hospital|health|clinical|electronic) (?:\w+ )?records?|ICD-?\d+|claims)\b"
    ),),
    "c": (cue(r"\b(?:outcomes?|events?|diagnos[ei]s) (?:\w+ ){0,3}?(?:was|were) (?:\w+ )?self-reported\b"),),
}  # fmt: skip
ALL_FOLLOWED = cue(
    r"\b(?:no|none of the) (?:patients?|participants?|subjects?|one|individuals?|wom[ae]n|children) (?:was|were|had been) lost (?:to|during|for) follow|\bno loss(?:es)? (?:to|of) follow|\bfollow-?up (?:rate )?was (?:complete|100 ?%)|\b(?:complete|100 ?%) follow-?up (?:was|of all|for all)"
    r"|\ball (?:\w+ )?(?:patients|participants|subjects|individuals|women|children) (?:completed|were available for|had complete) (?:the )?follow-?up"
)


def _sure(yes: tuple[re.Pattern[str], ...], no: tuple[re.Pattern[str], ...]) -> Cues:
    """The words that answer a question with yes, or probably yes, and those that answer it with no."""
    return {"Y": yes, "PY": yes, "N": no, "PN": no}


QUESTIONS: dict[str, Cues] = {
    "rob_1_1": _sure(BY_CHANCE, SEQUENCE["nonrandom"]),
    "rob_1_2": _sure(HIDDEN, CONCEALMENT["open"]),
    "rob_2_1": _sure(OPENLY, ()),
    "rob_2_2": _sure(OPENLY, ()),
    "rob_2_6": _sure(AS_ASSIGNED, POPULATION["per_protocol"]),
    "nos_o1": KNOWN_FROM,
    "nos_o3": {"a": (ALL_FOLLOWED,)},
}
"""Questions on bias that one sentence settles. Who is said to have been masked did not know: `evidence/masked.py` reads that."""
ASKED_OF = {"rob_2_1": "participant", "rob_2_2": "provider", "rob_4_3": "assessor"}
"""Questions whether somebody knew the group, by role."""
CUES: dict[str, Cues] = {
    **trial_cues.CUES,
    **PARTS,
    **QUESTIONS,
    "report_type": {"protocol": (PROTOCOL, PROTOCOL_ZH, PLANNED), "secondary_analysis": (SECONDARY, SECONDARY_ZH), "pilot": (PILOT, PILOT_ZH), "results": (RESULTS, RESULTS_ZH)},
    "design": TRIAL_KINDS | COHORT_KINDS,
    "study_type_detected": {"rct": (RANDOMISED, RANDOMISED_ZH), "cohort": (COHORT, COHORT_ZH, *(each for kind in list(COHORT_KINDS.values())[:5] for each in kind))},
    **{name: {"true": patterns} for name, patterns in REPORTED.items()},
}  # fmt: skip
"""By the names of fields; a flag's choice is `true`."""
AS_SAID = (
    frozenset({("direction", way) for way in PARTS["direction"]})
    | frozenset({("report_type", kind) for kind in ("protocol", "secondary_analysis", "results")})
    | {
        (name, "true")
        for name in REPORTED.keys()
        - {"reports_registration", "reports_protocol", "reports_ethics", "reports_eligibility"}
    }
)
"""Choices of which a denial is no other: that there were no harms, that nobody paid, that nothing differed."""
