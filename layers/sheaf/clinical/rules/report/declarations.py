"""What authors declare: conflicts, limitations, an early end; and how the size and the analysis were chosen. Pure."""

import re
from itertools import takewhile

from clinical.evidence.disclaimed import disclaimed
from clinical.rules.answers import QUOTE_MAX, Answer, Found, agreed, in_words, is_heading, not_found, said, whole
from clinical.rules.report.funding import NONE_SAID, PERSONAL
from clinical.rules.text import Reading, Sentence, any_case

CONFLICT = any_case(
    r"\b(?:compet\w+(?: financial)? interests?|confl\w* ?i?ct\w*(?: and duality)?(?: of|ing)? ?interests?|conflicting interests?|duality of interest|financial (?:disclosures?|interests?|relationships?)|"
    r"potential conflicts?|no disclosures|nothing to disclose|disclosed no|declaration of interests?)\b"
)
DECLARES = any_case(r"\b(?:declar\w+|report\w*|ha(?:ve|s|d) (?:no|any)|there (?:is|are|were) no|none|no (?:conflict|compet|potential|financial)|nothing|disclos\w+|stat\w+|conducted in the absence|employee|received|consult\w+|is the|owns|were)\b")  # fmt: skip
OF_OTHERS = ("terms of the", "conflict of interest policies")
OF_THE_REST = any_case(r"\b(?:other|remaining|rest of the|all others?)(?: \w+)? authors?\b")
"""Whoever says so has said before what some of them have."""
PAID = any_case(r"\b(?:fees|royalt\w+|patents?|salary|shares|paid|grants? from)\b")
CONFLICT_LABEL = any_case(r"^(?:(?:statement of |declaration of |potential )?(?:compet\w+|conflict\w*)(?: of)? ?interests?(?: statement)?|disclosures?)(?: ?[:.]| -)? ?$")  # fmt: skip
STOPPED = any_case(
    r"\b(?:trial|study|recruitment|enrol+ment|inclusion)\b[^.;]{0,80}?\b(?:was|were|had been|been) (?:\w+ )?(?:stopped|terminated|halted|discontinued|closed|ended|suspended)\b[^.;]{0,60}?\b(?:early|premature(?:ly)?|before|because|due to|after|owing|for futility|for benefit|slow)"
    r"|\b(?:early|premature) (?:termination|stopping|discontinuation|closure) of (?:the|this|our) (?:trial|study|recruitment)|\b(?:stopped|terminated|discontinued) (?:the )?(?:trial|study|recruitment) (?:early|premature)|\b(?:stopped|terminated|halted|closed) (?:early|prematurely)\b"
)
ENDINGS = ("stopp", "terminat", "halt", "discontinu", "clos", "ended", "suspend", "early", "premature")
CONDITIONAL = any_case(r"\b(?:if|would|could|rules?|criteri\w+|will|may|should|participants? (?:was|were)|patients? (?:was|were))\b")  # fmt: skip
LIMITATION = any_case(
    r"\b(?:limitations? (?:of|to|in) (?:this|our|the (?:present|current)?)|(?:this|our|the (?:present|current)) (?:study|trial|analysis|work) (?:has|had|also has|is|was) (?:\w+ ){0,4}?(?:limitations?|limited)|(?:several|some|important|few|main|major|potential|first|certain|number of|other|following) (?:\w+ )?limitations?|we (?:acknowledge|recogni[sz]e)[^.]{0,40}limitations?|"
    r"there (?:are|were|is) (?:\w+ ){0,4}?limitations?|^limitations?[:.]? (?:of|include|are) |(?:the|these|its|study|main|our) limitations? (?:include|are|is|should|must|need)|one limitation|a (?:possible |potential |further |major )?limitation of|main limitation)\b"
)
LIMITS_HEAD = any_case(r"\W{0,20}+(?:\d[\d.]{0,3} )?(?:(?:study|main|potential) )?limitations?(?: of (?:(?:the|this|our|present|current) ){0,2}(?:study|trial))?\W*")  # fmt: skip
POINTS = any_case(r"(?:this|these|that|those|which|it|both)\b(?! (?:study|trial|analysis|work|paper|research|has|had))")
SIZE = any_case(r"\bsample size|\bpower (?:analysis|calculation)|\bnumber of (?:patients|participants|subjects) (?:required|needed)|\b(?:80|85|90|95) ?% (?:statistical )?power|\bpower of (?:80|85|90|95|0\.[89])|\bpower ?(?:=|\(1)")  # fmt: skip
CALCULATED = any_case(r"\bcalculat|\bestimat|\bdetect|\bpower|\brequired|\bneeded|\bdetermin|\balpha\b|α|\bassum|\bbased on")  # fmt: skip
METHOD = any_case(r"\b(?:an(?:c|co)?ovas?|analys[ei]s of (?:co)?variance|(?:\w+ )?regressions?|t-? ?tests?|wilcoxon|mann[- –]?whitney|kruskal\w*|(?:chi|χ)[- ]?(?:squared?|2|²)|χ ?2|fisher\W?s?|mixed[- ](?:models?|effects?)|linear models?|cox |log-?rank|kaplan|generali[sz]ed (?:linear|estimating)|mcnemar|friedman|bayesian|permutation tests?|cochran\w*)")  # fmt: skip
TESTED = any_case(r"\b(?:analy[sz]ed|compar\w+|us(?:ed|ing)|performed|tested|test|assess\w*|estimated|fitted|conducted|evaluated|calculated|examined|applied|employed|done|based on|carried out|determined|inferred|dependent variables?|investigat\w+)\b")  # fmt: skip
NO_METHOD = any_case(r"et al\b|sample size|\bpower\b|\bbaseline (?:characteristics|data|differences|variables|equivalence|comparab\w+)|characteristics|normality|normal distribution of|effect sizes?\b|drop-?outs?|retention|sensitivity|post[- ]hoc|(?<!primary and )secondary|adverse|harms|safety|(?:equality|equivalence|comparab\w{1,9}+|similar\w{0,9}+)[^.]{0,40} at baseline|predict|\bneed(?:ed)? to\b|assumptions|randomi[sz]ation (?:was|were)")  # fmt: skip
"""Of which a test may be without being the main one's."""
BETWEEN = any_case(r"between[- ](?:the )?(?:\w+ )?(?:groups?|arms|treatments?)|treatment effects?|effects? of|(?:two|study|treatment|intervention|three) (?:study |treatment )?(?:groups|arms)|outcomes?|changes?|differences|compar")  # fmt: skip
ABOVE_MAX, GENERAL_MAX = 6, 120


def conflicts(reading: Reading) -> Answer:
    """What the authors declare, or that they declare nothing; what "the other authors" do is only the end of that."""
    declared = [each for each in reading.sentences if _declares(each) and CONFLICT.search(each.text)]
    for sentence in (*declared, *filter(_declares, reading.within("conflicts"))):
        told = _with_the_first(reading, sentence) if OF_THE_REST.search(sentence.text) else sentence
        if told:
            return in_words(reading, whole(told))
    return not_found()


def _declares(sentence: Sentence) -> bool:
    """Whether it may be a declaration; outside a section on conflicts it has to say of what."""
    if sentence.section in {"introduction", "methods"} or sentence.has(*OF_OTHERS) or sentence.text.endswith(":"):
        return False
    told = DECLARES.search(sentence.text) and not CONFLICT_LABEL.match(sentence.text)
    if sentence.section == "conflicts":
        return bool(told or NONE_SAID.match(sentence.text))
    return bool(told and CONFLICT.search(sentence.text))


def _with_the_first(reading: Reading, sentence: Sentence) -> Sentence | None:
    """The sentence with those above it on what some of the authors have; None where they are not there."""
    above = reading.sentences[: reading.sentences.index(sentence)][-ABOVE_MAX:]
    some = list(takewhile(lambda each: each.title == sentence.title and _is_of_some(each), reversed(above)))
    return reading.joined(some[-1], sentence) if some else None


def _is_of_some(sentence: Sentence) -> bool:
    own = sentence.section == "conflicts" and not is_heading(sentence)
    return bool(own or PERSONAL.search(sentence.text) or PAID.search(sentence.text))


def early_stopping(reading: Reading) -> Answer:
    """The sentence that says that the trial ended early."""
    for sentence in (*reading.study, *reading.within("discussion")):
        match = (
            STOPPED.search(sentence.text) if sentence.has(*ENDINGS) and not CONDITIONAL.search(sentence.text) else None
        )
        if match and not disclaimed(sentence.text, *match.span()):
            return in_words(reading, whole(sentence))
    return not_found()


def limitations(reading: Reading) -> Answer:
    """The sentence in which the discussion names limitations, or the first below that heading, with what it points at."""
    sentences = (*reading.within("discussion", "conclusion"), *reading.within("other"))
    for before, sentence, following in zip((None, *sentences), sentences, (*sentences[1:], None), strict=False):
        headed = before is not None and LIMITS_HEAD.fullmatch(before.text)
        names = sentence.has("limit") and _limits(sentence)
        if is_heading(sentence) or not (headed or names):
            continue
        points = before and not headed and POINTS.match(sentence.text)
        both = reading.joined(before, sentence) if before and points else reading.joined(sentence, following)
        fits = (points or (names and len(sentence.text) <= GENERAL_MAX)) and len(both.text) <= QUOTE_MAX
        return in_words(reading, whole(both if fits else sentence))
    return not_found()


def _limits(sentence: Sentence) -> bool:
    """Whether it names limitations of this study, and not strengths before them."""
    match = None if sentence.has("strength", "et al") else LIMITATION.search(sentence.text)
    return match is not None and disclaimed(sentence.text, *match.span()) != "other_study"


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
        if SIZE.search(sentence.text)
        and CALCULATED.search(sentence.text)
        and not (is_heading(sentence) or sentence.text.startswith("where ") or sentence.has("et al", "small sample"))
    ]
    best = max(
        found,
        key=lambda sentence: (len(re.findall(r"\d+", sentence.text)) > 1, sentence.has("power"), -sentence.start),
        default=None,
    )
    return in_words(reading, whole(best)) if best else not_found()


def statistical_method(reading: Reading) -> Answer:
    """The sentence of the methods on the main analysis; failing that, the first on how groups were compared."""
    found = [
        each for each in reading.within("methods", "other") if METHOD.search(each.text) and TESTED.search(each.text)
    ]
    ours = [each for each in found if not NO_METHOD.search(each.text)]
    best = max(
        ours,
        key=lambda each: (each.has("primary"), BETWEEN.search(each.text) is not None, -each.page, -each.start),
        default=None,
    )
    return in_words(reading, whole(best)) if best else not_found()
