"""Whom a study was of: the condition, and what let people in or kept them out. Pure."""

import re
from collections.abc import Iterator, Sequence

from clinical.evidence.disclaimed import disclaimed, is_denied
from clinical.rules.answers import Answer, Found, Spot, distinct, first, items_below, listed, not_found, printed, whole
from clinical.rules.text import Reading, Sentence, any_case, once

CRITERIA = r"(?:^|[.;:] |\bthe )\W{0,3}(?:(?:the|main|key|major|primary|other|study|additional|specific|general|following|\d+[.)]) ){0,3}(?:%s) (?:criteri(?:a|on)|requirements?)\b(?! and )[^.;:]{0,60}?(?:\b(?:was|were|are|is|includ\w+|compris\w+|consist\w+|involv\w+)\b(?: as follows)?|:)(?! (?:met|assess|check|confirm|the same|similar|identical|describ|publish|list|verif|appl|given|shown|defined in))"
WHO = r"(?:patients|participants|subjects|women|men|children|adults|adolescents|individuals|people|persons|infants|neonates|students|volunteers|mothers|parents|couples|residents|animals|dogs|rats|those|cases|they|we|who|studies|teeth|clusters|practices|schools)"
INCLUSION = any_case(
    CRITERIA
    % "inclusion|eligibility|entry|selection|enrol+ment|eligible"
    + rf"|\b{WHO}\b[^.;]{{0,80}}? (?:were|was|are|is|will be) (?:considered |deemed )?eligible (?:if|when|for (?:the|this|our) (?:study|trial)[^.;]{{0,20}}? if|provided|to (?:participate|enter|be)[^.;]{{0,40}} if)\b"
    rf"|^eligible {WHO} (?:were (?:aged|those|all|adults|older|at least|over|between|\d+)|(?:[a-z]+ ){{0,2}}?(?:children|adults|patients|men|women)|had|included|comprised|must)\b|\bto be (?:eligible|included)[^.;,]{{0,40}},"
    rf"|\b{WHO}\b[^.;]{{0,80}}? (?:were|was|are|is|will be) (?:included|enrol+ed|recruited)(?: in(?:to)? (?:the|this) (?:study|trial))? (?:if|when|provided)\b"
    rf"|^(?!.*\d [a-z]* ?were)[^.;]{{10,}}, were eligible\.?$"
)
EXCLUSION = any_case(
    CRITERIA
    % "exclusion|ineligibility"
    + rf"|\b{WHO}\b[^.;]{{0,80}}? (?:were|was|are|is|will be) (?:ineligible|not eligible|excluded)(?: from (?:the|this) (?:study|trial|participation))? (?:if|when|because of|for|in case|on the basis)\b"
    rf"|\b{WHO} (?:who|with|using|taking|receiving|under|in whom|having|already|aged|younger|older|below|lacking|requiring|undergoing)\b.{{3,}} (?:were|was|are|is|will be) (?:also )?(?:ineligible|not eligible|excluded|not (?:considered|enrol+ed|recruited))\b"
    rf"|\bwe (?:also |will )?excluded? {WHO} (?:who|with|if|using|taking|receiving|in whom|having|aged|younger|older)\b|^reasons for exclusion (?:were|included)\b"
)
TAKEN = any_case(
    rf"\b{WHO}(?:,? \(?[\w-]+\)?){{0,2}},? (?:with|aged|who|presenting|fulfilling|having|scheduled|undergoing|between|older|over|receiving|hospitali[sz]ed|admitted|referred|attending|enrolled in|registered|diagnosed)\b.{{3,}}?\b(?:were|was|will be) (?:\w+ ){{0,3}}?(?:enrol+ed|recruited|included|eligible|invited|selected|screened|approached)\b(?! (?:in|into) (?:the )?(?:\w+ )?(?:analys|group|arm))"
    rf"|\b(?:we|trial|study|sample|analysis) (?:\w+ )?(?:enrol+ed|recruited|included|investigated|studied|consisted of|of) [^.;]{{0,60}}?\b{WHO},? (?:aged|with|who|undergoing|scheduled|referred|presenting|\()"
    rf"|^(?:the |all |our |eligible |included ){{0,2}}(?:study )?(?:participants|subjects|patients|volunteers)(?: included in (?:the|this|our)(?: current| present)? (?:study|trial))? (?:were|comprised|consisted of) (?:[a-z-]+ ){{0,3}}?(?:students|adults|patients|children|adolescents|residents|workers|nurses|those who)\b"
)
"""Whom a study took, where it names no criteria."""
LATER = any_case(r"analy[sz]ed|analyses|analysis (?:\w+ )?included|preliminary|declined|refused|extension|maintenance|missing|complet|not (?:be )?included|previous study|data ?set")  # fmt: skip
FLOW = any_case(r"\b(?:me[et]t?(?:ing)?|satisf\w+|fulfil\w*|assess\w*|check\w*|confirm\w*|review\w*|verif\w*|apply\w*) (?:\w+ ){0,3}?(?:inclusion|eligibility|exclusion|selection|entry) (?![^.]*:)|^(?:after|of (?:the|these|those|all|\d)|a total|in (?:all|total)|none|data|trials)\b|\bexcluded from (?:the |all |any )?(?:\w+ )?analys|\b(?:excluded (?:because of|for|due to)|with|had) (?:missing|incomplete|technical)|\b(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve) (?:of the )?(?:eligible |other |more )?(?:patients|participants|subjects|women|men|children|individuals|people|infants|students|animals|dogs|rats)\b(?! (?:were|had) (?:eligible|aged)| or (?:more|older))|\bdropped? out\b|\bpreliminary\b|\bsame (?:inclusion|exclusion|eligibility)")  # fmt: skip
"""Who was left out afterwards, and how many: no criterion."""
PARTS = any_case(r"(?:[;,:.]? (?:and |or )?\(|[;,:.] (?:and |or )?)(?:\d{1,2}|[ivx]{1,4}|[a-j])\) ?(?=\S)|; (?:and |or )?|[•●▪] ?")  # fmt: skip
PART_MIN, CRITERIA_MAX = 4, 40
LISTED = re.compile(
    r"\W{0,20}+(?:[\w,-]{1,40}+ ){0,3}?(?P<what>inclusion|eligibility|exclusion) criteri(?:a|on)\b[^.;]{0,40}", re.I
)
"""A line that only says what the next ones are."""
PEOPLE = r"(?:patients|women|men|children|adults|adolescents|subjects|people|persons|individuals|infants|participants|outpatients|inpatients|survivors|girls|boys|youth|veterans|preterms|newborns|neonates)"
NAME = r"(?P<name>(?:[^\W\d_][\w'/-]*|2|1)(?:,? \(?[\w'/-]+\)?){0,7}?)"
END = r"(?=\s*(?:[.;:,()\[\]?]|$| - |: )|\s(?:and |or )?(?:in|at|during|after|before|by|with|who|whom|that|which|using|compared|versus|vs|treated|receiving|undergoing|undergo|submitted|from|to|on|over|and (?:its|their|the|in)|were|was|are|is|had|have|has|scheduled|admitted|under|through|through|among|presenting|within|starting|than|attending|as|for|aged|but|when|may|can|will|hospitali[sz]ed|randomi[sz]ed|between|whose|we|without|use[sd]?|associated|experience[sd]?|have|develop(?:ed)?|show(?:ed)?|require[sd]?|receive[sd]?|do|did|does|often|commonly|remains?|participat\w+|enrol\w+|recruited|included|attend)\b)"
WITH = any_case(
    rf"\b{PEOPLE}(?: \([^()]{{1,30}}\))?(?: (?:aged|of|and|or|age|over|years|old|adolescents|children|adults|older|than|initially|\d+) ?){{0,5}} ?(?:with|suffering from|diagnosed (?:with|as having)|affected by|who (?:initially )?(?:presented with|suffered? from)|undergoing|submitted to|scheduled for)"
    rf" (?:an? |the |previously |newly |clinically |confirmed |diagnosed |established |documented |symptoms of |signs of |a diagnosis of |diagnosis of |a history of |history of |concomitant ){{0,3}}{NAME}{END}"
)
OF = any_case(rf"\b(?:to (?:treat|prevent|relieve|manage)|(?:treatment|management|therapy|prevention|prophylaxis|relief|cure|repair|symptoms|conversion|eradication|diagnosis|incidence|risk) (?:of|for)) (?:the )?{NAME}{END}")  # fmt: skip
KIND = any_case(r"(?:^|\b(?:in|of|for|among|on|to|with|the|and) )(?P<name>(?:(?!(?:in|of|for|among|on|to|with|the|and|from|by)\b)[\w'-]+ ){1,5}?)(?:patients|subjects|sufferers|survivors|infants|newborns|women|children)\b(?! (?:and|or)\b)")  # fmt: skip
IN = any_case(rf"\b(?:in|for|against) (?:the )?{NAME}{END}")
BEGINS = any_case(rf"^(?P<name>(?:[\w'/-]+ ){{0,2}}?[\w'/-]+){END}")
HEALTHY = any_case(r"\b(?P<name>healthy (?:\w+ ){0,2}?(?:volunteers|subjects|participants|adults|men|women|people|individuals))\b(?! (?:and|or)\b)")  # fmt: skip
NO_NAME = any_case(r"^(?:an?|the|mean|median|average|available|missing|complete|at least|more|less|no|poor|good|inadequate|adequate|respect|response|(?:high|low)(?:er)? (?:levels?|risk|scores?|values?|bmi|body|income|education|blood)|similar|different|only|both|any|all|one|two|three|these|this|other|normal|regular|access|limited|prior|history|symptoms?|signs?|contraindic\w+|allerg\w+|ASA|body|bmi|age|written|their|his|its|increased|scores?|data|little|given|been|signed|received|completed|undergone|evidence|use|using|placebo|consecutive|eligible)\b(?!-)|^[\w-]+(?:ic|al|ive)$|\b(?:group|placebo|control|intervention|trial|stud(?:y|ies)|apoptosis|diagnosis|prognosis)\b")  # fmt: skip
"""What they may be with, and is no condition."""
DISEASE = any_case(r"\b(?:\w+(?:itis|osis|[a-z]a?emia|oma|omas|pathy|algia|pn(?:o)?ea|plegia|philia|uria|trophy|mentia|phrenia)|cancers?|diseases?|syndromes?|disorders?|failure|illness(?:es)?|infections?|hypertension|diabet\w+|obes\w+|strokes?|sepsis|septic|injur\w+|fractures?|infarction|asthma\w*|depress\w+|anxiety|pain|HIV|COPD|malformations?|fibrillation|malaria|autis\w+|migraine|epilep\w+|hernias?|pregnan\w+|preterms?|tumou?rs?|ulcers?|colic|insomnia|addiction|dependence|nausea|vomiting|deficiency|lesions?|carcinoma|hepatitis [a-e]|hydrocele\w*|goit(?:er|re)|\w+cephalus|pneumonia)\b")  # fmt: skip
"""Without such a word, what a title merely speaks of is none."""
SHORT = re.compile(r"[A-Z][A-Z0-9-]{1,8}")
EXCLUDED = any_case(r"exclu|ineligib|not eligible|without\b|contraindic|unable|controls\b")


def condition(reading: Reading) -> Answer:
    """What participants had, as the title names it, else the abstract, else who could take part."""
    titles = [reading.joined(reading.titles[0], reading.titles[-1])] if reading.titles else []
    who = _criteria(reading, INCLUSION) or _criteria(reading, TAKEN)
    told = (*reading.abstract, *(each.spot.sentence for each in who))
    for sentences, patterns in ((titles, (WITH, OF, KIND, IN, BEGINS, HEALTHY)), (told, (WITH, KIND, HEALTHY, OF))):
        for pattern in patterns:
            found = [each for sentence in sentences for each in _conditions(reading, sentence, pattern)]
            if found:
                return first(reading, [each for each in found if not SHORT.fullmatch(each.value)] or found)
    return not_found()


def inclusion(reading: Reading) -> Answer:
    """Each criterion for taking part, as listed; else the sentences that say who could."""
    return listed(reading, distinct(_criteria(reading, INCLUSION) or _criteria(reading, TAKEN)))


def exclusion(reading: Reading) -> Answer:
    return listed(reading, distinct(_criteria(reading, EXCLUSION)))


def _conditions(reading: Reading, sentence: Sentence, pattern: re.Pattern[str]) -> Iterator[Found]:
    for match in pattern.finditer(sentence.text):
        spot = Spot.of(sentence, match, "name")
        told = printed(reading, spot)
        is_none = NO_NAME.search(told) or (
            pattern not in {WITH, HEALTHY} and (not DISEASE.search(told) or " of " in told)
        )
        if not is_none and not EXCLUDED.search(sentence.text) and not disclaimed(sentence.text, spot.start, spot.end):
            yield Found(told, spot)


@once
def _criteria(reading: Reading, pattern: re.Pattern[str]) -> list[Found]:
    """What the methods say of it, in the order of the paper; failing that, what stands before them."""
    for sentences in (reading.within("methods", "other"), reading.opening):
        found = [each for number in range(len(sentences)) for each in _told(reading, sentences, number, pattern)]
        if found:
            return found[:CRITERIA_MAX]
    return []


def _told(reading: Reading, sentences: Sequence[Sentence], number: int, pattern: re.Pattern[str]) -> Iterator[Found]:
    sentence = sentences[number]
    signs = ("criteri", "eligib", "exclu", "includ", "enrol", "recruit", "require", "not considered")
    if pattern is not TAKEN and not sentence.has(*signs):
        return
    heads = LISTED.fullmatch(sentence.text)
    if heads:
        is_out = heads["what"].lower() == "exclusion"
        for spot in items_below(sentences[number + 1 :]) if is_out == (pattern is EXCLUSION) else ():
            yield Found(printed(reading, spot), spot)
        return
    other = (LATER if pattern is TAKEN else FLOW).search(sentence.text)
    match = None if other else pattern.search(sentence.text)
    if match and "et al" not in sentence.low and not is_denied(sentence.text, *match.span()):
        yield from _parts(reading, sentence, match.end())


def _parts(reading: Reading, sentence: Sentence, start: int) -> Iterator[Found]:
    """The criteria that a sentence lists by numbers or semicolons; the whole of one that does not."""
    cuts = [(start, start), *(match.span() for match in PARTS.finditer(sentence.text, start))]
    if len(cuts) > 1 and ")" in sentence.text[slice(*cuts[1])]:
        cuts = cuts[1:]
    ends = [*(first for first, _ in cuts[1:]), len(sentence.text)]
    spots = [Spot(sentence, last, end) for (_, last), end in zip(cuts, ends, strict=True) if end - last >= PART_MIN]
    for spot in spots if len(spots) > 1 else [whole(sentence)]:
        yield Found(printed(reading, spot).strip(".;:, "), spot)
