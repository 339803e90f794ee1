"""Whether a sentence that has the words of a thing says that it is not so, or not of this study. Pure.

The one reader of denials, exceptions, calls for the future and other studies: evidence asks it of a choice's quote, and the
rules of what they find. It looks within one clause for what denies, within one sentence for the rest.
"""

import re
from collections.abc import Iterator

from clinical.answered import Reason

Span = tuple[int, int]
CLAUSE = 90
"""Characters before the words, and behind them, in which they are denied."""
TURN = (
    r"(?!(?:and|but|however|although|though|whereas|while|because|since|which|that|who|only|then|until|before|after)\b)"
)
VERB = r"(?!(?:was|were|is|are|had|has|have)\b)"
BEFORE = re.compile(
    rf"(?:\b(?:not(?! only\b)(?! just\b)|never|without|lack(?:ed|ing|s)?(?: of)?|absence of|rather than|instead of|cannot|unable to|(?:impossible|infeasible|unfeasible|impractical) to"
    rf"|fail(?:ed|ure) to|except(?:ing)?(?: for)?|with the exception of|other than|apart from|excluding) (?:{TURN}{VERB}[\w'/-]+ ){{0,6}}|n't (?:{TURN}{VERB}[\w'/-]+ ){{0,6}}"
    rf"|\bno(?! less\b)(?! later\b)(?! more\b) (?:{TURN}[\w'/-]+ ){{0,7}}|\b(?:none of|neither|nor) (?:(?!but\b)[\w'/-]+,? ){{0,12}}|\b(?:non|un)-? ?)$",
    re.I,
)
WHAT = r"(?:randomi[sz]ation|allocation|assignment|concealment|design|trial|study|procedures?|methods?|technique|approach|schedules?|lists?|tables?|sequences?|analys[ei]s|envelopes?)"
"""Of which the words before it may say the kind: it is the kind that is denied, as in "block randomisation was not used"."""
AFTER = re.compile(
    rf"^\w*(?: {WHAT})?(?: (?:of|for|in|to|with|among|at|from)(?: {TURN}{VERB}[\w'/-]+){{1,5}})? (?:(?:was|were|is|are|has|have|had|could|did|does|do|would|can)(?: been| be| therefore| thus| also){{0,2}}"
    r"(?: not|n't)(?: be| been)?(?: considered| deemed| thought| found)? (?:possible|feasible|practical|practicable|used|performed|done|applied|attempted|implemented|employed|undertaken|achieved|maintained"
    r"|carried out|conducted|necessary|needed|planned|adopted|appropriate|ethical|applicable|guaranteed|randomi[sz]ed|blinded|masked|stratified|concealed)"
    r"|(?:was|were|is|are|been|be)(?: therefore| thus| also| deemed| considered| thought| felt| found){0,2} (?:impossible|unfeasible|infeasible|impractical|impracticable|unethical|omitted|abandoned|rejected|considered but|lacking|absent|unblinded|unmasked))\b",
    re.I,
)
WIDE_BEFORE = re.compile(
    r"(?:[未没沒]|无(?!论|关|锡|创|菌|痛)|不(?!同|仅|但|良|论|断|足)|非(?!常|劣|随机)|缺乏|缺少|除)[^\s，。；;,.：:、]{0,10}$"
)
WIDE_AFTER = re.compile(
    r"[^\s，。；;,.：:]{0,6}?(?:不可行|不可能|无法|未能|未(?:采用|使用|实施|进行)|没有(?:采用|使用|实施|进行)|除外|以外|之外)"
)
OF_A_STUDY = r"(?! (?:personnel|staff|team|members?|drugs?|medications?|treatments?|products?|procedures?|groups?|arms?|sites?|cent\w+|visits?|investigators?|physicians?|nurses?|coordinat\w+|participants?|subjects|patients|protocol|roles?|involvement|records?|day|end))"
FUTURE = re.compile(
    rf"\b(?:further|future|additional|more(?! than)|confirmatory|(?<!of a )(?<!in a )(?<!from a )(?<!the )larger) (?:[\w-]+,? ){{0,7}}?(?:stud(?:y|ies)|trials?|rcts?|research|investigations?){OF_A_STUDY}\b"
    r"|\b(?:is|are|remains?|would be|will be|seems?) (?:\w+ ){0,2}?(?:needed|required|warranted|necessary|awaited|desirable|underway|recommended|lacking)\b|\bwarranted\b"
    r"|\b(?:calls?|need) for (?:an? )?(?:[\w-]+,? ){0,8}?(?:stud(?:y|ies)|trials?|rcts?|research)\b|\b(?:should|needs? to|must|remains? to) be (?:\w+ ){0,2}?(?:confirmed|tested|evaluated|verified|examined|investigated|replicated|explored)\b"
    r"|\b(?:stud(?:y|ies)|trials?|research) (?:should|must|needs? to)\b|\b(?:before|prior to) a (?:larger|full|definitive)\b"
    r"|今后|未来|将来|日后|有待|[尚仍还]需|需要?(?:进一步|更多|更大|开展|大样本)",
    re.I,
)
OTHERS = re.compile(
    rf"\bet al\b|\band (?:colleagues|co-?workers)\b|\b(?:[Pp]revious|[Ee]arlier|[Pp]rior|[Oo]ther|[Aa]nother|[Ss]imilar|[Ss]everal|[Mm]any|[Mm]ost|[Ff]ew|[Pp]ublished|[Pp]ast|[Rr]ecent|[Ee]xisting)"
    rf"(?:,? (?!(?:of|in|for|to|at|by|the|this|our|and|or)\b)[\w-]+){{0,5}}? (?:stud(?:y|ies)|trials?|RCTs?|rcts?|reports?|meta-analys[ei]s|reviews?|literature|work){OF_A_STUDY}\b"
    r"|\b(?:[Ss]tud(?:y|ies)|[Tt]rials?) (?:by|from|of) [A-Z][a-z]+(?: and [A-Z]| et|,? [\[(]\d)|\bpreviously (?:published|reported|conducted|performed|shown|demonstrated|found)\b|\b(?:[Ss]ystematic review|[Mm]eta-analys[ei]s)\b"
    r"|\bpart of (?:an?|the) (?:[\w-]+ ){0,2}?(?:larger|ongoing|parent|bigger)\b|\b[Uu]nlike\b|\b(?:[Ii]n contrast (?:to|with)|[Cc]omparable (?:to|with)|[Ss]imilar to) (?:[\w-]+ ){0,4}?(?:studies|trials|findings|results)\b"
    r"|(?:既往|以往|其他|另一项?|国外|国内|前期|先前)(?:的|类似|相关)?(?:研究|试验|文献|报道)|(?:^|[，,])有研究|[\u4e00-\u9fff]等\s?[\[［(（]?\d{0,3}[\]］)）]?(?:的?研究|报道|报告|发现)|文献报[道告]|荟萃分析|系统评价"
)
OURS = re.compile(
    r"\b(?:we|our|ours)\b|\b(?:this|the present|the current) (?:[\w-]+,? ){0,4}?(?:study|trial|rct|protocol)\b|本研究|本试验|我们",
    re.I,
)
"""A sentence on other studies may be on this one too: which of them a thing is said of is told by the clause it stands in."""
RETRACTION = re.compile(
    r"\W*(?:(?:notice of )?retraction(?: (?:note|notice|statement))?(?: (?:to|for))?\W*(?:[:.\u2013\u2014-]|$)|retraction notice|notice of retraction|(?:retracted|withdrawn)(?: article)?\W*[:.\u2013\u2014-]|撤稿|撤回)",
    re.I,
)
"""What the title of a paper begins with that takes one back, or that was."""
BREAK = re.compile(r"[;；]|, (?:but|whereas|while|although|however|in contrast|unlike)\b|, ?we\b|，(?:但|而|本)", re.I)


def disclaimed(text: str, start: int, end: int) -> Reason | None:
    """Why text[start:end] is not said of this study: `denied`, `future` or `other_study`; None where it is."""
    if is_denied(text, start, end):
        return "denied"
    first, last = next(part for part in clauses(text) if part[1] >= end or part[0] > start)
    part = text[first:last]
    if FUTURE.search(part):
        return "future"
    return "other_study" if _is_of_others(part, start - first) else None


def is_denied(text: str, start: int, end: int) -> bool:
    """Whether what stands just before or behind the words denies or excepts them."""
    before, after = text[max(0, start - CLAUSE) : start], text[end : end + CLAUSE]
    return any(
        pattern.search(before) if pattern in {BEFORE, WIDE_BEFORE} else pattern.match(after)
        for pattern in (BEFORE, AFTER, WIDE_BEFORE, WIDE_AFTER)
    )


def _is_of_others(part: str, at: int) -> bool:
    """Whether it names other studies and not, nearer to the words, this one."""
    ours = [found.span() for found in OURS.finditer(part)]
    others = [found.start() for found in OTHERS.finditer(part)]
    others = [place for place in others if not any(first <= place < last for first, last in ours)]
    return min((abs(at - place) for place in others), default=at + len(part)) < min(
        (abs(at - first) for first, _ in ours), default=at + len(part)
    )


def clauses(text: str) -> Iterator[Span]:
    """The parts of a sentence between semicolons, "but" and the like."""
    ends = [found.span() for found in BREAK.finditer(text)]
    yield from zip([0, *(last for _, last in ends)], [*(first for first, _ in ends), len(text)], strict=True)
