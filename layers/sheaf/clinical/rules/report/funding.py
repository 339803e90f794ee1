"""Who paid for the study, as its authors declare it; an author's own grants and fees are not that. Pure."""

import re

from clinical.evidence.disclaimed import OTHERS
from clinical.rules.answers import Answer, Spot, in_words, not_found, whole
from clinical.rules.text import Reading, Sentence, any_case

NONE_SAID = any_case(r"^(?:none(?! declared)|no funding|not applicable|nil|no external funding)\b")
FUNDED = any_case(
    r"\b(?:(?:was|were|is|are|been|being)(?: \w+){0,3} (?:funded|supported|sponsored|financed|made possible) (?:\w+ ){0,3}?(?:by|from|through|under|with)|(?:fund(?:s|ing)|support|grants?|assistance|money)\b[^.;]{0,60}? (?:was|were|is|has been) (?:\w+ )?provided|(?:funded|supported|sponsored|financed) (?:\w+ )?by|"
    r"funding (?:for|was|from|by|came|sources?:)|(?:no|any) (?:\w+ ){0,3}?(?:funding|financial support|support or funding)|received (?:no |partial )?(?:\w+ ){0,3}?(?:funding|support|grant|financial)|(?:research|project|study|educational|unrestricted) grants?|"
    r"grants? (?:from|number|no|#|of the)|financial(?:ly)? support(?:ed)?|sponsor(?:ed|ing)? (?:by|was)|acknowledge (?:the )?(?:\w+ )?(?:financial|funding|support)|self-?funded|not (?:externally )?funded|without (?:any )?funding)\b"
)
LABELLED = any_case(r"^(?:(?:sources? of |study )?(?:funding(?:/support)?|financial support|grant support|support|sponsor(?:ship)?)(?: and sponsorship)?(?: sources?| statement| information| disclosure)?(?: ?[:.]| -|(?= (?:the|this|none|no|supported|funded|work|[A-Z][a-z]+ [A-Z]))) ?)(?P<said>\S.{3,})")  # fmt: skip
OWN = r"\b(?:this|the|our|present|these) (?:\w+ ){0,2}?(?:study|studies|trial|work|project|research|manuscript|paper|article|investigation|publication|programme|program|survey|results)\b|\bwe |authors? (?:received|have no support|acknowledge|thank)"
OURS_NAMED, STUDY = any_case(OWN), any_case(rf"{OWN}|\bfunding\b|financial support")
SILENT = any_case(r"\b(?:no|not|without|neither)\b[^.;]{0,40}\b(?:fund|grant|support|sponsor|financ)")
PERSONAL = any_case(
    r"\bspeaker|\bhonorari|\b(?:member of|on|serv\w+|participat\w+|attend\w+) (?:[\w-]+ ){0,4}?advisory board|\badvisory boards|\badvisory board (?:for|of|fee|member|meeting|and)|\badvisory board[,;]|\bconsult(?:ing|ancy|ant)|\bpersonal fees|\bemployee of|\bshareholder|\bstock|travel grant|\bequity|\blecture|"
    r"clinical research fellow|career award|\bgrants to\b|outside the submitted|open access (?:funding|publication|charge)|page charges|(?:cost|fee|charge)s? (?:of|for) publication|(?:publication|processing) (?:fee|charge|cost)s?\b|received (?:research )?grants? (?:and|from [A-Z]\w+(?:,| and))[^.]{0,60}(?:fees|pharma)|previous (?:study|trial)|applicants?\b"
)
NOT_BY = any_case(r"\bnot (?:\w+ ){0,4}?(?:funded|supported|sponsored) by any (?:\w+ )?compan|\bno (?:\w+ ){0,3}?from (?:any )?(?:drug|pharma|commerc|industr)\w*")  # fmt: skip
"""Who did not pay, where somebody else may have."""
ROLE = any_case(r"role of the fund|had no role|no role in")
BEGINS = any_case(r"^\(?(?:funded|supported|sponsored) by\b")
"""A sentence that is nothing else, as abstracts end."""
OURS = any_case(
    r"\bthis (?:study|research|work|trial|project|investigation)(?: \([^()]{1,60}\))? (?:was|is|has been|received) (?:\w+ ){0,3}?"
    r"(?:funded|sponsored|financed|financially supported|no (?:\w+ ){0,2}?(?:funding|grants?|financial support)"
    r"|supported (?:\w+ ){0,2}?by (?:an? |the )?(?:[\w-]+ ){0,6}?(?:grants?|funds?|foundation|council|institutes?|ministry|university|programme|program)\b)"
)
"""What may stand at the end of a discussion that no heading ends."""
IN_METHODS = any_case(
    r"\b(?:this|our|the(?: present| current)?) (?:(?!study\b)[\w-]+ ){0,2}?(?:study|trial|research|work|project|survey|investigation)(?: \([^()]{1,60}\))? "
    r"(?:was|is|has been) (?:[\w-]+,? (?:and )?){0,4}?(?:funded|supported|sponsored|financed) (?:[\w-]+ ){0,3}?(?:by|from|through)\b"
    r"|^(?:it|we) (?:was|is|were) (?:[\w-]+ ){0,2}?(?:funded|sponsored|financed) by\b"
    r"|\b(?:funding|financial support) (?:for (?:this|the) (?:study|trial|research|project) )?(?:was|were) (?:\w+ )?(?:provided|obtained|received|granted)\b"
    r"|\bprovided (?:the )?(?:\w+ )?(?:funding|financial support) for (?:this|the|our) (?:study|trial|research|project)\b"
    r"|\b(?:funded|sponsored|financed) (?:this|the|our) (?:study|trial)\b|\bsponsor (?:of (?:this|the) (?:study|trial) )?(?:was|is)\b"
    r"|^(?:sources? of )?funding(?: sources?)? ?[:.]"
)
"""Where a paper tells its methods, it must say so in plain words: whom it was done on may have money of their own."""
HEADING = re.compile(r"(?:sources? of |study )?(?:funding(?:/support)?|financial support|grant support)(?: and sponsorship)?(?: sources?| statement| information)?[:.]?")  # fmt: skip
ABOUT_ROLE = any_case(r"\brole\b|study design|data collection|decision to|responsib|author|interest|consent")
LABEL_MAX = 25


def funding(reading: Reading) -> Answer:
    """Who paid, in the paper's own words, or that nobody did."""
    for found in (_in_section(reading.within("funding")), _labelled(reading), _funded(reading)):
        if found:
            return in_words(reading, found[0])
    return not_found()


def _in_section(every: tuple[Sentence, ...]) -> list[Spot]:
    """What a section on funding says of it; failing all signs, what stands first in it."""
    sentences = [sentence for sentence in every if not _is_personal(sentence.text)]
    told = [each for each in sentences if NONE_SAID.match(each.text) or FUNDED.search(each.text)]
    first = [each for each in every[:1] if len(each.text) > LABEL_MAX and not ABOUT_ROLE.search(each.text)]
    return [whole(sentence) for sentence in told or first if sentence in sentences]


def _labelled(reading: Reading) -> list[Spot]:
    """A line that begins with "Funding:", or the line after one that is nothing else."""
    found = []
    sentences = [each for each in reading.sentences if each.section not in {"introduction", "methods", "results"}]
    for sentence, following in zip(sentences, (*sentences[1:], None), strict=False):
        match = LABELLED.match(sentence.text)
        if HEADING.fullmatch(sentence.low):
            if following and not _is_personal(following.text):
                found.append(whole(following))
        elif match and not _is_personal(sentence.text):
            found.append(Spot(sentence, match.start("said"), len(sentence.text)))
    return found


def _funded(reading: Reading) -> list[Spot]:
    about = (each for each in reading.sentences if each.has("fund", "grant", "support", "sponsor", "financ"))
    return [whole(each) for each in about if _pays(each) and not _is_personal(each.text)]


def _pays(sentence: Sentence) -> bool:
    """Whether it is on who paid for the study; in the paper's body it must say so in plain words."""
    if sentence.section == "introduction":
        return False
    if sentence.section in {"results", "discussion"}:
        return OURS.search(sentence.text) is not None
    if sentence.section == "methods":
        return IN_METHODS.search(sentence.text) is not None
    paid = FUNDED.search(sentence.text) and STUDY.search(sentence.text)
    return bool((paid and _is_ours(sentence.text)) or BEGINS.search(sentence.text))


def _is_ours(text: str) -> bool:
    """Whether it is on this study: that nobody paid is so only where it says of what."""
    return bool(OURS_NAMED.search(text)) or not (SILENT.search(text) or OTHERS.search(text))


def _is_personal(text: str) -> bool:
    """Whether it is on one author's money, or on what the funder did; who paid may stand before the latter."""
    role = ROLE.search(text)
    late = role and not FUNDED.search(text, 0, role.start())
    return bool(late or PERSONAL.search(text) or NOT_BY.search(text))
