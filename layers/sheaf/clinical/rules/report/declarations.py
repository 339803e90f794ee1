"""What authors declare: conflicts, limitations, an early end; and how the size and the analysis were chosen. Pure."""

import re

from clinical.rules.answers import Answer, Found, Spot, agreed, not_found, printed, reported, said, whole
from clinical.rules.text import Reading, any_case

LABEL = any_case(
    r"^(?:acknowledge?ments?|(?:sources? of )?funding(?: sources?| statement| information)?|financial (?:support|disclosure)(?: and sponsorship)?|(?:role of )?funding source|grant support)\b(?: ?[:.]| -)? (?=[A-Z])"
)
NONE_SAID = any_case(r"^(?:none(?! declared)|no funding|not applicable|nil|no external funding)\b")
CONFLICT = any_case(
    r"\b(?:compet\w+(?: financial)? interests?|confl\w* ?i?ct\w*(?: and duality)?(?: of|ing)? ?interests?|conflicting interests?|duality of interest|financial (?:disclosures?|interests?|relationships?)|"
    r"potential conflicts?|no disclosures|nothing to disclose|disclosed no|declaration of interests?)\b"
)
DECLARES = any_case(
    r"\b(?:declar\w+|report\w*|ha(?:ve|s|d) (?:no|any)|there (?:is|are|were) no|none|no (?:conflict|compet|potential|financial)|nothing|disclos\w+|stat\w+|conducted in the absence|employee|received|consult\w+|is the|owns|were)\b"
)
OF_OTHERS = ("terms of the", "conflict of interest policies")
CONFLICT_LABEL = any_case(
    r"^(?:(?:statement of |declaration of |potential )?(?:compet\w+|conflict\w*)(?: of)? ?interests?(?: statement)?|disclosures?)(?: ?[:.]| -)? ?$"
)
STOPPED = any_case(
    r"\b(?:trial|study|recruitment|enrol+ment|inclusion)\b[^.;]{0,80}?\b(?:was|were|had been|been) (?:\w+ )?(?:stopped|terminated|halted|discontinued|closed|ended|suspended)\b[^.;]{0,60}?\b(?:early|premature(?:ly)?|before|because|due to|after|owing|for futility|for benefit|slow)"
    r"|\b(?:early|premature) (?:termination|stopping|discontinuation|closure) of (?:the|this|our) (?:trial|study|recruitment)|\b(?:stopped|terminated|discontinued) (?:the )?(?:trial|study|recruitment) (?:early|premature)|\b(?:stopped|terminated|halted|closed) (?:early|prematurely)\b"
)
ENDINGS = ("stopp", "terminat", "halt", "discontinu", "clos", "ended", "suspend", "early", "premature")
CONDITIONAL = any_case(
    r"\b(?:if|would|could|rules?|criteri\w+|will|may|should|et al|previous|other|participants? (?:was|were)|patients? (?:was|were))\b"
)
LIMITATION = any_case(
    r"\b(?:limitations? (?:of|to|in) (?:this|our|the (?:present|current)?)|(?:this|our|the (?:present|current)) (?:study|trial|analysis|work) (?:has|had|also has|is|was) (?:\w+ ){0,4}?(?:limitations?|limited)|(?:several|some|important|few|main|major|potential|first|certain|number of|other|following) (?:\w+ )?limitations?|we (?:acknowledge|recogni[sz]e)[^.]{0,40}limitations?|"
    r"there (?:are|were|is) (?:\w+ ){0,4}?limitations?|^limitations?[:.]? (?:of|include|are) |(?:the|these|its|study|main|our) limitations? (?:include|are|is|should|must|need)|one limitation|a (?:possible |potential |further |major )?limitation of|main limitation)\b"
)
OTHER_LIMITS = any_case(r"et al\b|limitations of (?:previous|other)|similar stud")
SIZE = any_case(
    r"\bsample size|\bpower (?:analysis|calculation)|\bnumber of (?:patients|participants|subjects) (?:required|needed)|\b(?:80|85|90|95) ?% (?:statistical )?power|\bpower of (?:80|85|90|95|0\.[89])|\bpower ?(?:=|\(1)"
)
CALCULATED = any_case(
    r"\bcalculat|\bestimat|\bdetect|\bpower|\brequired|\bneeded|\bdetermin|\balpha\b|α|\bassum|\bbased on"
)
METHOD = any_case(
    r"\b(?:an(?:c|co)?ova|analys[ei]s of (?:co)?variance|(?:\w+ )?regressions?|t-? ?tests?|wilcoxon|mann[- –]?whitney|kruskal\w*|(?:chi|χ)[- ]?(?:squared?|2|²)|χ ?2|fisher\W?s?|mixed[- ](?:models?|effects?)|linear models?|cox |log-?rank|kaplan|generali[sz]ed (?:linear|estimating)|mcnemar|friedman|bayesian|permutation tests?|cochran\w*)"
)
TESTED = any_case(r"\b(?:analy[sz]ed|compar\w+|us(?:ed|ing)|performed|tested|test|assess\w*|estimated|fitted|conducted|evaluated|calculated|examined|applied|employed|done|based on|carried out|determined|inferred|investigat\w+)\b")
NO_METHOD = any_case(
    r"et al\b|sample size|\bpower\b|\bbaseline (?:characteristics|data|differences|variables|equivalence|comparab\w+)|characteristics|normality|normal distribution of|effect sizes?\b|drop-?outs?|retention|sensitivity|post[- ]hoc|secondary|adverse|harms|safety|(?:equality|equivalence|comparab\w+|similar\w*)[^.]{0,40} at baseline|predict|\bneed(?:ed)? to\b|assumptions|randomi[sz]ation (?:was|were)"
)
"""Of which a test may be without being the main one's."""
BETWEEN = any_case(r"between[- ](?:the )?(?:\w+ )?(?:groups?|arms|treatments?)|treatment effects?|effects? of|(?:two|study|treatment|intervention|three) (?:study |treatment )?(?:groups|arms)|outcomes?|changes?|differences|compar")
TEXT_MAX, GENERAL_MAX = 500, 120


def conflicts(reading: Reading) -> Answer:
    """What the authors declare, or that they declare nothing."""
    for sentence in reading.sentences:
        declared = CONFLICT.search(sentence.text) and DECLARES.search(sentence.text)
        elsewhere = sentence.section in {"introduction", "methods"} or sentence.has(*OF_OTHERS)
        if declared and not elsewhere:
            return in_words(reading, whole(sentence))
    for sentence in reading.within("conflicts"):
        declared = NONE_SAID.match(sentence.text) or DECLARES.search(sentence.text)
        if declared and not CONFLICT_LABEL.match(sentence.text):
            return in_words(reading, whole(sentence))
    return not_found()


def early_stopping(reading: Reading) -> Answer:
    """The sentence that says that the trial ended early."""
    for sentence in (*reading.study, *reading.within("discussion")):
        if sentence.has(*ENDINGS) and STOPPED.search(sentence.text) and not CONDITIONAL.search(sentence.text):
            return in_words(reading, whole(sentence))
    return not_found()


def limitations(reading: Reading) -> Answer:
    """The sentence in which the discussion names limitations, with the next where it only says that there are some."""
    sentences = (*reading.within("discussion", "conclusion"), *reading.within("other"))
    for sentence, following in zip(sentences, (*sentences[1:], None), strict=False):
        if sentence.has("limit") and LIMITATION.search(sentence.text) and not OTHER_LIMITS.search(sentence.text):
            both = reading.joined(sentence, following)
            fits = len(sentence.text) <= GENERAL_MAX and len(both.text) <= TEXT_MAX
            return in_words(reading, whole(both if fits else sentence))
    return not_found()


def analysis_population(reading: Reading) -> Answer:
    """Whom the main analysis counts; where the paper has two such analyses, the one that it calls primary."""
    found: list[Found] = []
    cues = reading.cues("analysis_population")
    for sentence in (*reading.abstract, *reading.within("methods", "results", "other")):
        if sentence.has("treat", "protocol", "itt", "意向", "方案"):
            found += said(sentence, "analysis_population", cues)
    primary = [each for each in found if each.spot.sentence.has("primary", "main analys", "principal")]
    if {each.value for each in found} == {"itt", "per_protocol"} and len({each.value for each in primary}) != 1:
        primary = []
    return agreed(reading, primary or found)


def sample_size_calculation(reading: Reading) -> Answer:
    """The sentence on how the size came about that says the most of it."""
    found = [
        sentence
        for sentence in reading.within("methods", "other")
        if SIZE.search(sentence.text) and CALCULATED.search(sentence.text) and not sentence.has("et al", "small sample")
    ]
    best = max(
        found,
        key=lambda sentence: (len(re.findall(r"\d+", sentence.text)) > 1, sentence.has("power"), -sentence.start),
        default=None,
    )
    return in_words(reading, whole(best)) if best else not_found()


def statistical_method(reading: Reading) -> Answer:
    """The sentence of the methods on the main analysis; failing that, the first on how groups were compared."""
    found = [each for each in reading.within("methods", "other") if METHOD.search(each.text) and TESTED.search(each.text)]
    ours = [each for each in found if not NO_METHOD.search(each.text)]
    best = max(ours, key=lambda each: (each.has("primary"), BETWEEN.search(each.text) is not None, -each.page, -each.start), default=None)
    return in_words(reading, whole(best)) if best else not_found()


def in_words(reading: Reading, spot: Spot) -> Answer:
    """The spot's own words as a value, and its sentence as the quote."""
    answer = reported(reading, None, spot)
    said = LABEL.sub("", printed(reading, spot))
    return {**answer, "value": said if len(said) <= TEXT_MAX else " ".join(str(answer["quote"]).split())}
