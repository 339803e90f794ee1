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
    rf"(?:\b(?:not(?! only\b)(?! just\b)|never|without|lack(?:ed|ing|s)?(?: of)?|absence of|rather than|instead of|in place of|as opposed to|in lieu of|decid(?:ed|ing) against|abandon(?:ed|ing)|reject(?:ed|ing)|dispens(?:ed|ing) with|ruled out|avoid(?:ed|ing)?|refrain(?:ed|ing)? from|forgo|gave up|short of|dropped|no longer|hardly|preclud(?:ed|es|ing)|prevent(?:ed|s|ing)|underpowered (?:for|to)|not have|cannot|unable to|(?:impossible|infeasible|unfeasible|impractical) to"
    rf"|fail(?:ed|ure) to|except(?:ing)?(?: for)?|with the exception of|other than|apart from|excluding) (?:{TURN}{VERB}[\w'/-]+ ){{0,6}}|n't (?:{TURN}{VERB}[\w'/-]+ ){{0,6}}"
    rf"|\bno(?! less\b)(?! later\b)(?! more\b) (?:{TURN}[\w'/-]+ ){{0,7}}|\b(?:none of|neither|nor) (?:(?!but\b)[\w'/-]+,? ){{0,12}}|\b(?:non|un)-? ?)$",
    re.I,
)
WHAT = r"(?:conditions?|status|nature|randomi[sz]ation|allocation|assignment|concealment|design|procedures?|methods?|technique|approach|schedules?|lists?|tables?|sequences?|analys[ei]s|envelopes?)"
"""Of which the words before it may say the kind: it is the kind that is denied, as in "block randomisation was not used"."""
DONE = r"(?: be| been)?(?: considered| deemed| thought| found)?(?= (?:possible|feasible|practical|practicable|used|performed|done|applied|attempted|implemented|undertaken|achieved|carried out|conducted|run|necessary|needed|planned|adopted|appropriate|ethical|available|chosen|an option))"
"""What else may be not so of a trial is no denial of its kind: a double-blind trial that did not find a difference."""
HOLDS = r"(?: (?:open|broken|reveal|disclos|access|known|aware|visible|available to|told|inform|until|only|just|differ|significan|able|allow|chang|affect|violat|associat|blinded to|influence|alter|compromis|unmasked|unblinded)\w*)"
"""What may be not so of a thing that was done: sealed envelopes were not opened."""
AFTER = re.compile(
    rf"^[\w-]*(?P<trial> (?:trial|study))?(?: {WHAT}){{0,2}}(?: (?:of|for|in|to|with|among|at|from|by|on)(?: {TURN}{VERB}[\w'/-]+){{1,7}})?,? (?:(?:was|were|is|are|has|have|had|could|did|does|do|would|can|will|should)(?: been| be| therefore| thus| also| however| simply){{0,2}}"
    rf"(?: not| never| no longer|n't)(?(trial){DONE}|(?!{HOLDS}))"
    r"|cannot|can't|(?:(?:had|has|have) been|was|were|is|are|been|be|proved|proving|being|seemed)(?: therefore| thus| also| deemed| considered| thought| felt| found| judged| to be| both| too| logistically| technically| ethically){0,3} (?:impossible|unfeasible|infeasible|impractical|impracticable|unethical|omitted|abandoned|rejected|dropped|discarded"
    r"|avoided|ruled out|dispensed with|given up|considered (?:but|un|in|im|too)\w*|lacking|absent|unavailable|missing|unblinded|unmasked|difficult|costly|expensive|out of the question|beyond|inappropriate|unsuitable|unnecessary|unsuccessful|discontinued|refused|planned but|only planned|(?:considered|discussed|planned|intended|contemplated|envisaged|debated|tried|attempted|proposed),?(?: at first| initially)? (?:and|but|then|yet)|contemplated|envisaged|opted against|decided against)"
    r"|would (?:have|not|need|require)|failed|played no|formed no|had no (?:place|part|role))\b",
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
    r"|\b(?:an?|such|any|another|more|new|large|larger|well-designed|properly|adequately) (?:[\w-]+,? ){0,8}?(?:stud(?:y|ies)|trials?|rcts?|research|designs?|comparisons?|experiments?) (?:[\w,-]+ ){0,8}?(?:would|could|should|might|ought|must|may (?:be|help|answer)|can (?:answer|tell|settle|show)|(?:is|are) (?:still|now|called|the next|what|yet|worth|desirable|planned|being|under|ongoing|in pre)|remains?|has yet|have yet|seems?|deserves?|merits?|awaits?)\b"
    r"|\bwe (?:\w+ ){0,2}?(?:recommend|suggest|propose|hope|advocate|encourage|call for|look forward|urge|await|need)\b|\bwe are (?:now |currently )?(?:preparing|planning|designing|setting up)\b|\bin preparation\b|\b(?:future|further) (?:\w+ ){0,2}?(?:work|efforts?|projects?|investigators|researchers)\b|\b(?:next step|worthwhile|ideally|in (?:the )?future|the future|follow-?up (?:trial|study) (?:is|will)|(?:it is|high) time for|only an? (?:[\w-]+,? ){1,6}(?:trial|study|design) (?:can|will|could|would))\b"
    r"|\b(?:calls?|called|calling|needs?|needed|room|case|urgent need|plea|demand|wait(?:ing)?|await\w*) (?:for )?(?:an? |the )?(?:[\w-]+,? ){0,8}?(?:stud(?:y|ies)|trials?|rcts?|research)\b"
    r"|今后|未来|将来|日后|有待|[尚仍还]需|需要?(?:进一步|更多|更大|开展|大样本)",
    re.I,
)
OTHERS = re.compile(
    rf"\bet al\b|\band (?:colleagues|co-?workers)\b|\b(?:[Pp]revious|[Ee]arlier|[Pp]rior|[Oo]ther|[Aa]nother|[Ss]imilar|[Ss]everal|[Mm]any|[Mm]ost|[Ff]ew|[Pp]ublished|[Pp]ast|[Rr]ecent|[Ee]xisting)"
    rf"(?:,? (?!(?:of|in|for|to|at|by|the|this|our|and|or)\b)[\w-]+){{0,5}}? (?:stud(?:y|ies)|trials?|RCTs?|rcts?|reports?|meta-analys[ei]s|reviews?|literature|work){OF_A_STUDY}\b"
    r"|\b(?:[Ss]tud(?:y|ies)|[Tt]rials?|RCT|work|reports?|paper|series) (?:[\w-]+ ){0,3}?(?:by|from|of) (?:Dr\.? )?[A-Z][a-z]+(?: and [A-Z]| et|,? [\[(]\d)|\b(?:[Ss]tud(?:y|ies)|[Tt]rials?|RCT|work|reported|described|published|shown|done|used) by (?:Dr\.? )?[A-Z][a-z]+(?! (?:University|Hospital|Institute|Medical|Center|Centre|Company|Inc))"
    r"|\b[A-Z][a-z]+(?:,? (?:and|&) [A-Z][a-z]+)?'s (?:[\w-]+ ){0,4}?(?:trial|study|work|group)\b|\b[A-Z][a-z]+ (?:[\[(](?:\d{1,3}|(?:19|20)\d\d[a-z]?)[\])]|and [A-Z][a-z]+|& [A-Z][a-z]+),? (?:reported|found|showed|described|used|randomi[sz]ed|studied|observed|enrolled|recruited|included|compared|assigned|allocated|concealed|conducted|performed|published|blinded|masked|had)\b"
    r"|^(?!(?:The|This|That|We|They|It|He|She|Who|All|Each|Both|One|Two|None|Half|Most|Some|Every\w*|Nobody|Trial|Study|Group|Staff|Team|Software|Table|Figure|Women|Men|Children|People|Research|Cent(?:er|re)|Hospital|Protocol|Sample|Data|Method|These|Those|Here|Also|Then|No|Another|Other|Arm)\b)[A-Z][a-z]+(?<!s)(?<!ion)(?<!ment)(?<!ing)(?<!ed)(?<!ly)(?<!ity)(?<!ty)(?<!teen) (?:reported|found|showed|described|used|randomi[sz]ed|studied|observed|enrolled|recruited|included|compared|assigned|allocated|concealed|conducted|performed|published|blinded|masked|had)\b"
    r"|\b(?:in|of) (?:their|his|her|that|those) (?:[\w-]+,? ){0,4}?(?:trials?|stud(?:y|ies)|work|reports?|series)\b|\b[Tt]h(?:eir|at|ose) (?:[\w-]+ ){0,2}?(?:trials?|stud(?:y|ies))\b|\b(?:[Tt]hose|these) (?:authors|investigators|researchers)\b|\b(?:[Ll]andmark|[Pp]ivotal|[Ss]eminal|[Ss]ister|[Cc]ompanion|[Oo]lder|[Ss]ubsequent|[Oo]riginal|[Pp]arent) (?:[\w-]+ ){0,3}?(?:trials?|study)\b|\b[A-Z][A-Z\d-]{2,} [Ii]nvestigators\b|\b(?:investigators|authors|researchers) (?:reported|found|described|published|showed|concluded)\b|\b(?:[Tt]wo|[Tt]hree|[Ff]our|[Ff]ive|[Ss]ix|\d{1,2}) (?:[\w-]+,? ){0,4}?(?:trials|studies|RCTs)\b|^According to [A-Z][a-z]+,|\bby others\b|\b[Ss]imilar (?:results|findings|observations|effects|rates)\b|\b[Pp]ooled analys[ei]s|\bCochrane\b|\bpreviously (?:published|reported|conducted|performed|shown|demonstrated|found)\b|\b(?:[Ss]ystematic review|[Mm]eta-analys[ei]s|[Rr]eview of (?:\w+ )?(?:trials|studies)|[Rr]eviewed (?:\w+ )?(?:trials|studies))\b"
    r"|\bpart of (?:an?|the) (?:[\w-]+ ){0,2}?(?:larger|ongoing|parent|bigger)\b|\b[Uu]nlike\b|\b(?:[Ii]n contrast (?:to|with)|[Cc]omparable (?:to|with)|[Ss]imilar to) (?:[\w-]+ ){0,4}?(?:studies|trials|findings|results)\b"
    r"|(?:既往|以往|其他|另一项?|国外|国内|前期|先前)[^，。；]{0,8}?(?:研究|试验|文献|报道)|(?:^|[，,])有研究|[\u4e00-\u9fff]等\s?[\[［(（]?\d{0,3}[\]］)）]?(?:的?研究|报道|报告|发现)|(?:[A-Za-z]等|等人?\s?[\[［(（]\d{1,3}[\]］)）])[^，。；]{0,10}?(?:研究|试验|报道|报告|发现|随机)|文献报[道告]|荟萃分析|系统评价"
)
STOP = re.compile(r"(?<!\bal)(?<!\bvs)(?<!\b[Dd]r)(?<!e\.g)(?<!i\.e)[.!?]\s{1,9}|[。！？]")
ANOTHER = re.compile(
    r"^In an? (?:[\w-]+,? ){0,6}(?:trial|study|RCT) (?:from|by|published|reported|conducted|done|performed|carried out)\b"
    r"|^An? (?:[\w-]+,? ){0,5}?(?:trial|study|RCT) (?:in|from|by) (?:the )?[A-Z]\w+ (?:\w+ )?(?:had|found|showed|used|reported|included|enrolled|randomi[sz]ed|compared|tested|gave|observed|recruited|assigned|was|did)\b|^An? (?:[\w-]+,? ){0,5}?(?:trial|study|RCT)\b.*\[\d{1,3}(?:[,-] ?\d{1,3})*\]\W*$"
)
"""A sentence on a trial that is told of as one of many, unless it speaks of this one too."""
OURS = re.compile(
    r"(?<!unlike )(?<!than )(?<!than in )(?<!contrast to )(?<!from )\b(?:we|our|ours)\b|\b(?:this|the present|the current) (?:[\w-]+,? ){0,4}?(?:study|trial|rct|protocol)\b|本研究|本试验|我们",
    re.I,
)
"""A sentence on other studies may be on this one too: which of them a thing is said of is told by the clause it stands in."""
RETRACTION = re.compile(
    r"\W{0,20}+(?:(?:notice of )?retraction(?: (?:note|notice|statement))?(?: (?:to|for))?\W*(?:[:.\u2013\u2014-]|$)|retraction notice|notice of retraction|(?:retracted|withdrawn)(?: article)?\W*[:.\u2013\u2014-]|撤稿|撤回)",
    re.I,
)
"""What the title of a paper begins with that takes one back, or that was."""
BREAK = re.compile(r"[;；]|, (?:but|whereas|while|although|however|in contrast|unlike)\b|, ?we\b|，(?:但|而|本)", re.I)


def disclaimed(text: str, start: int, end: int) -> Reason | None:
    """Why text[start:end] is not said of this study: `denied`, `future` or `other_study`; None where it is."""
    return "denied" if is_denied(text, start, end) else not_ours(text, start, end)


def not_ours(text: str, start: int, end: int) -> Reason | None:
    """The same but for denials: `future` or `other_study`; by its sentence, where the text has several."""
    opened = max((found.end() for found in STOP.finditer(text, 0, start)), default=0)
    stop = STOP.search(text, end)
    text, start, end = text[opened : stop.start() + 1 if stop else None], start - opened, end - opened
    first, last = next(part for part in clauses(text) if part[1] >= end or part[0] > start)
    part = text[first:last]
    if FUTURE.search(part):
        return "future"
    is_another = ANOTHER.search(text) and not OURS.search(text)
    return "other_study" if is_another or _is_of_others(part, start - first) else None


def is_denied(text: str, start: int, end: int) -> bool:
    """Whether what stands just before or behind the words denies or excepts them."""
    before, after = text[max(0, start - CLAUSE) : start], text[end : end + CLAUSE]
    return bool(BEFORE.search(before) or AFTER.match(after) or WIDE_BEFORE.search(before) or WIDE_AFTER.match(after))


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
