"""By which words a paper says how a trial was made: for each choice of a field its patterns, in English and Chinese. Pure.

A built-in template's version never changes, and these are beside it: they are how code reads a paper, like the rest of the
evidence, and no word that a reader or a model is told (docs/adr/0042). Fields are known by name, so a copy has them too.
"""

import re
from functools import partial

cue = partial(re.compile, flags=re.I)
Cues = dict[str, tuple[re.Pattern[str], ...]]
"""Of a field: for each choice the patterns of which one has to stand in its quote; those in Chinese by themselves, so that English waits for none."""

MINIMISATION = cue(r"\bminimi[sz]ation\b|\bminimi[sz]e the (?:differences?|imbalances?) between")
MINIMISATION_ZH = cue(r"最小化法?")
SEQUENCE: Cues = {
    "minimisation": (MINIMISATION, MINIMISATION_ZH),
    "table": (cue(r"\b(?:random[- ]?(?:ised |ized )?numbers? tables?|tables? of (?:computer-generated )?random|random tables?|randomi[sz]ation tables?)\b"), cue(r"随机数字?表")),
    "coin": (cue(r"\bcoin(?:[- ]toss| flip)?\b|\bdrawing (?:of )?lots\b|\blots were drawn\b|\bdice\b|\bshuffl"), cue(r"抛硬币|掷硬币|抽签|掷骰")),
    "nonrandom": (cue(
        r"\b(?:odd|even)(?: and even| or odd)? ?-?(?:numbers?|numbered|days)\b|\balternat(?:e|ing|ely) (?:allocation|assign|patients|days|weeks|order)"
        r"|\b(?:date of birth|birth ?date|day of admission|hospital (?:record|file) number|last digits?)\b|\bquasi-?random"
), cue(r"(?:入院|就诊)(?:先后)?(?:顺序|单双)|单双号|奇偶|出生日期|半随机|(?:住院|病历|就诊)号")),
    "computer": (cue(
        r"\bcomputer\w*[- ](?:generated|based|determined|produced|derived|assisted|aided)?,? ?(?:\w+[- ]){0,3}?"
        r"(?:random|alloc|sequence|schedule|list|algorithm|system)"
        r"|\b(?:random\w*|alloc\w*|sequence|assign\w*)\b[^.;]{0,80}?\b(?:by|using|with|via|from|through|in|of|help of) (?:a |an |the )?"
        r"(?:\w+[- ]){0,3}?(?:computers?|computer[- ]generated|computeri[sz]ed|software|SAS|SPSS|stata|nquery|excel|randlist"
        r"|(?:web|internet|online)[- ]based (?:randomi|alloc|system|service|program))"
        r"|\brandom[- ]number generat\w+|\brandomi[sz]er\b|\brandomi[sz]ation\.com|\brandlist\b"
        r"|\bsoftware\b(?:[^.;]|\.(?=\d)){0,60}\brandomi[sz]ation sequence|\bonline random"
), cue(r"(?:计算机|电脑|软件|SAS|SPSS|Excel)[^。；;，,]{0,20}(?:随机|序列|分配)|随机[^。；;，,]{0,20}(?:计算机|电脑|软件)")),
}  # fmt: skip
RESTRICTION: Cues = {
    "minimisation": (MINIMISATION, MINIMISATION_ZH),
    "stratified": (cue(r"\bstratif(?:ied|ication|ying)\b|\bstrata\b|\bstratum\b"), cue(r"分层(?!抽样)")),
    "block": (cue(r"\bblock(?:s|ed)?[- ](?:randomi|of|size|length|allocation|design)|\bpermuted[- ]blocks?\b|\b(?:in|by|random|variable|balanced|within|randomi[sz]ed|fixed) blocks?\b|\bblock(?:ed)? randomi|\brandomi[sz]ed[- ]blocks?\b"), cue(r"区组")),
    "simple": (cue(r"\b(?:simple|complete|unrestricted) (?:un(?:restricted|stratified) )?randomi[sz]ation\b|\bsimple random (?:alloc|assign)"), cue(r"(?:简单|完全)随机(?!抽样)")),
}  # fmt: skip
CONCEALMENT: Cues = {
    "sealed_envelope": (cue(r"\benvelopes?\b"), cue(r"信封")),
    "central": (cue(
        r"\bcentral(?:i[sz]ed|ly)?\b[^.;]{0,50}\b(?:random|alloc|telephone|computer|system|service|office|web)|\b(?:random|alloc)\w*[^.;]{0,60}\bcentral(?:i[sz]ed|ly)\b"
        r"|\b(?:telephone|phone|internet|interactive voice|interactive web)(?:-| )?(?:based |response )?[^.;]{0,30}\b(?:random|alloc|system|response|service)"
        r"|\bIVRS\b|\bIWRS\b|\bIXRS\b|\bweb-based (?:randomi|alloc|system)|\bvia a central\b"), cue(r"中央随机|中心随机|(?:电话|网络|交互)[^。；;，,]{0,10}随机")),
    "pharmacy": (cue(r"\bpharmac(?:y|ist|ists)\b"), cue(r"药房|药剂师")),
    "open": (cue(r"\b(?:allocation|assignment|sequence) was not concealed|\bwithout (?:allocation )?concealment|\bno (?:allocation )?concealment|\bopen (?:random )?(?:list|allocation schedule)"), cue(r"(?:未|没有)[^。；;，,]{0,6}(?:分配)?隐藏")),
}  # fmt: skip
OPEN_TRIAL = cue(
    r"\bopen(?:-label)?,? blinded[- ]end-?points?\b|\bopen(?:-| )?label(?!l?ed (?:extension|phase|follow))|\bopen,? (?:(?:randomi[sz]ed|controlled|prospective|clinical|multi-?cent\w+|single-?cent\w+|parallel(?:[- ]group)?|comparative|pilot|pragmatic|blinded[- ]end-?point|non-?inferiority|superiority|two-arm|phase \w+),? ){0,4}(?:trial|study|design)\b|\b(?:un(?:blinded|masked)|non-?blind(?:ed)?|not (?:blind|mask)ed) (?:\w+ ){0,4}(?:trial|study|design|rct)|\b(?:trial|study) was (?:un(?:blinded|masked)|non-?blinded|not blinded)|\bnon-?masked\b"
)
OPEN_TRIAL_ZH = cue(r"开放(?:标签|性|式)|(?:非盲|未设盲|未采用盲法)")
UNMASKED = cue(
    r"\b(?:blinding|masking)(?: (?:of|for) [\w ,]{3,60}?)? (?:was|were) (?:therefore |thus |deemed |considered )?(?:not (?:possible|feasible|used|performed|done|attempted|applied)|impossible|unfeasible|infeasible)"
    r"|\b(?:patients|participants|subjects|women)(?:,? and| or|,) [\w ,]{3,60}? (?:were|was) (?:not (?:blinded|masked)|unblinded|aware of (?:the |their )?(?:study )?(?:treatment|group|allocation|assignment|intervention|drug))"
    r"|\b(?:no|without) (?:blinding|masking)\b(?! of)"
)
UNMASKED_ZH = cue(r"无法(?:实施|采用|进行)?(?:设盲|盲法)")
"""Of a trial that nobody was masked in, where nothing else is said."""
MASKING: Cues = {
    "triple": (cue(r"\b(?:triple|quadruple|treble)(?:-| )?(?:blind|mask)"), cue(r"三盲")),
    "double": (cue(r"\bdoubl[ey](?:-| )?(?:blind|mask)"), cue(r"双盲")),
    "single": (cue(
        r"\bsingle(?:-| )?(?:blind|mask)|\b(?:observer|assessor|evaluator|investigator|rater|examiner|outcome|participant|patient)s?(?:-| )(?:blind|mask)(?!ing)"), cue(r"单盲")),
    "open": (OPEN_TRIAL, OPEN_TRIAL_ZH, UNMASKED, UNMASKED_ZH),
}  # fmt: skip
ROLES: Cues = {
    "participant": (cue(r"\b(?:patients?|participants?|subjects?|volunteers?|women|mothers|parents|children|individuals|students|people|both sides)\b(?!['’]?s?['’]? (?:(?:group|treatment|study) )?(?:allocations?|assignments?|groups?|groupings|treatments?|arms?|data|identit\w+|randomi[sz]ation)\b)"), cue(r"受试者|患者|病人|参与者")),
    "provider": (cue(r"\b(?:investigators?|physicians?|clinicians?|surgeons?|therapists?|nurses?|care ?givers?|providers?|(?:study|trial|medical|nursing|hospital) (?:staff|personnel|team)|anaesthetists?|an(?:a)?esthesiologists?|doctors?|treating \w+|practitioners?|midwives|researchers?|experimenters?|physio-?therapists?|an(?:a)?esthetists?)\b"), cue(r"研究者|研究人员|医[生师]|护士|治疗者|施术者")),
    "assessor": (cue(r"\b(?:(?:outcome |data )?assessors?|evaluators?|raters?|observers?|examiners?|interviewers?|radiologists?|neuroradiologists?|pathologists?|neurologists?|data collectors?|research (?:assistants?|workers?|personnel)|adjudicat\w+|assessments? (?:was|were)|laboratory (?:staff|personnel|technicians?)|readers?|outcome measurements?)\b"), cue(r"(?:评估|评价|测评|观察)(?:者|人员|员)")),
    "analyst": (cue(r"\b(?:statisticians?|(?:data )?analysts?|data analysis|statistical analys\w+)\b"), cue(r"统计(?:分析)?(?:者|人员|师|学家)|数据分析(?:者|人员)")),
}  # fmt: skip
FRAMEWORK: Cues = {
    "noninferiority": (cue(r"\bnon-?inferiority\b"), cue(r"非劣效?性?")),
    "equivalence": (cue(r"\bequivalence (?:of|trial|study|margin|design|bounds?|limits?)\b"), cue(r"等效性(?:试验|研究|检验|界值)")),
    "superiority": (cue(r"\bsuperiority (?:trial|study|design|hypothesis|margin|framework|of)\b"), cue(r"优效性?")),
    "exploratory": (cue(r"\b(?:exploratory|hypothesis[- ]generating) (?:\w+[- ]){0,3}(?:trial|study)\b|\bexploratory,? (?:randomi|phase)"), cue(r"探索性(?:试验|研究)")),
}  # fmt: skip
POPULATION: Cues = {
    "mitt": (cue(r"\bmodified intent(?:ion)?[- ]to[- ]treat|\bm-?ITT\b"), cue(r"(?:改良|修正)的?意向性?")),
    "itt": (re.compile(r"(?<!modified )\b[Ii]ntent(?:ion)?[- ]to[- ][Tt]reat|(?<!m)\bITT\b"), cue(r"(?<!改良)(?<!修正)(?<!良的)(?<!正的)意向性(?:治疗|分析)")),
    "per_protocol": (cue(r"\bper[- ]protocol (?:analys|population|set|principle|basis)|\banaly[sz]ed per[- ]protocol"), cue(r"符合方案(?:集|分析|人群)")),
}  # fmt: skip
CUES: dict[str, Cues] = {
    "sequence_generation": SEQUENCE,
    "restriction": RESTRICTION,
    "allocation_concealment": CONCEALMENT,
    "masking": MASKING,
    "masked_roles": ROLES,
    "framework": FRAMEWORK,
    "analysis_population": POPULATION,
}
