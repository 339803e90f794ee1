"""What a number in a sentence counts, by the words that stand nearest to it: people screened, randomised, lost; sites; women. Pure.

Texts come folded. A number's words are those up to the next number, or those before it where a comma or a bracket closes it.
"""

import re
from collections.abc import Mapping

from clinical.answered import Reason
from clinical.evidence.quantities.people_counts import ADJECTIVES, PEOPLE
from clinical.templates.choice_words import places

DONE = {
    "analysed": r"analy[sz]ed|(?:in|for) (?:the |our |this )?(?:[\w-]+ ){0,3}?analys[ei]s|complet(?:ed|ers)|evaluable|evaluated(?! for)|assessed(?! for)|followed|分析|完成",
    "screened": r"screen\w*|(?:assess|check|evaluat|examin)\w* for (?:\w+ ){0,2}?(?:eligib|inclusion|participation)\w*|eligib\w+|approached|contacted|invited|筛",
    "out": r"(?<!who )(?<!that )(?<!which )(?:were|was|had been|being|did|could|had) (?:not|never) \w+|no (?:\w+ ){0,3}?(?:data|information|consent)|exclu(?:ded|sions?|ding)|ineligible|not eligible|unwilling|turned (?:away|down)|not enrolled|fail(?:ed|ures?)|declin\w+|refus\w+|did not (?:\w+ )?(?:meet|consent|participate|attend|fulfil\w*|wish|want|agree)|排除|拒绝|不符合|未被?(?:随机|纳入|入组)",
    "lost": r"lost|loss to|losses|drop\w*[ -]?outs?|dropped|withdr[ae]w\w*|discontinu\w+|missing|left|moved|stopped|quit|unavailable|unreachable|attrition|absent|no-?shows?|(?:could|can|did|was|were) not (?:\w+ )?(?:complete\w*|return\w*|finish\w*|attend\w*|reach\w*|trac\w+|contact\w*|available|come|provide\w*|follow\w*)|failed to|gone|away|失访|脱落|退出|剔除",
    "planned": r"sample size|(?:be|is|are|was|were|been) (?:\w+ ){0,2}?(?:needed|required|necessary)|(?:needed|required|necessary) (?:to (?:detect|show|achieve|have|demonstrate|provide|find|obtain)|for|per|in (?:each|total)|[.,;)])|required (?:sample|number)"
    r"|plann\w+|(?:are|is) (?:being|to be)|aim(?:ed|s|ing)?|inten(?:d|ded|ds)|target\w*|to detect|(?:will|would|should|(?<!consented )(?<!agreed )(?<!eligible )(?<!willing )(?<!able )to) (?:\w+ly )?(?:be|recruit|enrol|include|randomi[sz]e|assign|allocate|need|require|give|provide|yield|have|allow)\b|样本量|(?:计划|拟|预计)(?:纳入|随机|招募|入组)?|需要?",
    "randomised": r"underwent (?:\d:\d )?randomi[sz]ation|randomi[sz](?:ed|ing|e)|randomly|allocated|assigned|enrol+(?:ed|ing|led)|includ(?:ed|ing)|recruit(?:ed|ing)|participated|entered|divided|(?:took|taking) part|studied|随机|纳入|入组|入选",
    "had": r"(?:seen|observed|noted|detected|recorded|diagnosed|found) (?:in|among)|occur\w*|affected|died|deaths?|dying|deceased|relaps\w+|respon(?:ded|ders?)|achiev\w+|experienc\w+|developed|suffer\w+|recover\w+|healed|cured|hospitali[sz]\w+|improved|reported|had|have|adverse|events?|required|needed|underwent"
    r"|smok\w+|pregnan\w+|(?:were|was) (?:wom[ae]n|m[ae]n|males?|females?|diabetic|obese|white|black)|死亡|发生|出现|有效|吸烟",
}  # fmt: skip
KINDS = re.compile("|".join(rf"(?P<{kind}>(?:\b|(?<=[^a-z])|^)(?:{words}))" for kind, words in DONE.items()))
OWN: Mapping[str, tuple[str, ...]] = {
    "n_randomised": ("randomised",),
    "n_screened": ("screened",),
    "n_eligible": ("screened",),
    "n_included": ("randomised", "analysed"),
    "n_analysed": ("analysed", "randomised"),
    "n_planned": ("planned",),
}
"""By what was done with them, whom a field's number counts."""
THINGS = {
    "n_sites": re.compile(rf"{places()}|(?:sites?|cent(?:er|re)|hospital|clinic|practice|institution\w*|unit|department|ward|universit\w+|facilit\w+|pharmacy|locations?)s?\b|(?:家|个)?(?:研究)?(?:中心|医院|机构)"),
    "n_clusters": re.compile(rf"{places()}|(?:clusters?|practice|village|school|class|ward|group|unit|famil\w+|physician|gp|team|cent(?:er|re)|hospital|clinic)s?\b|个?(?:群|整群|村|学校|社区)"),
}  # fmt: skip
"""What else is counted, and by which words."""
WOMEN = re.compile(
    r"(?P<own>\bwom[ae]n\b|\bfemales?\b|\bgirls?\b|\bmothers\b|女)|(?P<other>男|\b(?!(?:were|was|are|of|the|all|in|who|our|made|accounted|constituted|comprised|represented|formed|about|approximately|only|proportion|percentage|share|and|for|had"
    r"|them|whom|those|total|cases|percent|study|these|participants?|patients?|subjects?|children|adults|people|sample|being|identified|as)\b)[a-z]{3,})"
)
"""Whom a share is of: women, or by the next word that may be its subject others."""
AMONG = re.compile(r"\A\s?%?\)? ?(?:of|among) (?:the |all )?(?:\d+ )?(?:women|females?|girls|woman)\b")
AMONG_BEFORE = re.compile(r"\b(?:among|of|in) (?:the )?(?:wom[ae]n|females?|girls),? ?$")
ONE_GROUP = re.compile(r"\b(?:group|arm)\b(?! [\w ]{0,30}\b(?:groups|arms)\b)")
AFTERWARDS = re.compile(r"\b(?:had|has|gave|reached|retained|left) (?:us )?(?:only |an? |sufficient |enough |adequate |about )*(?:[\d.]+ ?% )?(?:statistical )?power|power (?:of|was|reached|turned)[^.;]{0,60}\b(?:with|given|for|from) (?:the|our|these)|with (?:the|our|these) \d+|in retrospect|after the (?:trial|study|fact|event)|post[- ]?hoc|afterwards?|retrospectiv\w+|(?:observed|achieved|actual|attained) power|number needed to|事后|\b(?:harm|adverse|complication|side effect)")  # fmt: skip
"""Of a power that was worked out when all was over, or of harms."""
NESTED = re.compile(r"\b(?:nested|sub-?(?:stud(?:y|ies)|trials?|samples?|sets?|groups?|cohorts?)|subset|ancillary|embedded|run-in|(?:pilot|feasibility|first|second|extension) (?:phase|stage|part|study))\b|亚组|子研究")  # fmt: skip
BOUND = re.compile(
    r"(?:\b(?:less|fewer|more|lower|greater) (?:\w+ )?than|\b(?:under|below|over|above|beyond|exceed\w*|in excess of|short of|not even|almost|nearly|close to|at most|at least|up to|(?:not|never) reach\w*|a (?:minimum|maximum) of))(?: (?:the|a|an|planned|about|total of))* ?$"
    r"|(?:不到|不足|少于|最多|至少|超过|将近|不超过)$"
)
PART = re.compile(
    r"(?:\b(?:of|among|including) (?:these|them|those|whom|which)\b|\bincluding\b|\bamong (?:those|the)\b|\bthe remaining\b|\banother\b|\bonly\b)[^.;\d]{0,40}$"
)
PART_BEFORE = re.compile(
    r"\b(?:group|arm)(?: [a-z]\b| [12])?(?: (?:had|has|comprised|included|consisted of|contained|was|of|with|received|numbered|counted))?(?: a total of| all)? ?[:,(]{0,2} ?(?:n ?= ?)?$|\beach (?:\w+ )?(?:group|arm)[^.;\d]{0,30}$|[^，。；两三各分入]组(?:随机|共|有|为|纳入|包括|患者| )*[(（]?(?:n ?= ?)?$"
    r"|\bamong (?:the )?(?!(?:all|eligible|patients|participants)\b)[a-z]+,? $|\b(?:of|in) (?:the )?(?:wom[ae]n|m[ae]n|males?|females?|boys|girls|(?:non-?)?smokers|diabetics|elderly|adolescents|responders|survivors|users|carriers),? $"
    r"|\b(?:of|among|in) (?:the |all )?(?:those|patients|participants|subjects|women|men|children|adults) (?!who (?:were |had )?(?:eligible|screened|assessed|approached|invited|consented|agreed|met))"
    r"(?:\w+ )?(?:over|under|above|below|aged|with|without|who|older|younger|from|on)\b[^.;\d]*(?:\d+[^.;\d]{0,12})?$"
)
PART_BEHIND = re.compile(
    r"\A[^.;\d]{0,40}?\b(?:per|(?:in|to|for|of) each)\b (?:\w+ ){0,2}?(?:group|arm|condition|treatment)|\A \w+ each\b"
    r"|\A (?:\w+ )?(?:of|among) (?:the|these|those|our|all)(?: \w+)? (?:randomi|includ|enrol|analy|recruit|patients|participants|women|men)"
    r"|\A[^.;,\d]{0,40}?\b(?:in|from|of) (?:the |this )?(?!(?:two|three|both|all|study|whole)\b)(?:[\w/-]+ ){1,4}?(?:group|arm)\b|\A (?:\w+ )?(?:received|had received|got|took) (?!(?:either|one of|the (?:study|trial)|at least|all|both|no)\b)"
)
"""What makes a number one of an arm or of a part: beside those that `is_of_one_arm` knows."""
THINGS_OF_NONE = re.compile(
    r"\A (?:(?!(?:the|an?|at|in|of|to|from|for|with|per|by|were|was|who|patients|participants|[a-z]+ed)\b)[\w-]+ |randomi[sz]ed |controlled |published ){0,2}?(?:arms?|groups?|sites?|cent(?:er|re)s?|hospitals?|countries|stud(?:y|ies)|trials?|articles|visits?|sessions?|doses?|times|tablets|treatments?|interventions?|conditions|questions|items|scales?|measures|measurements|occasions|reasons|types|kinds|parts|phases|stages"
    r"|steps|points|episodes|samples|specimens|lesions|investigators|observers|assessors|nurses|authors|reviewers|therapists|surgeons|questionnaires|outcomes|end-?points|models|variables|factors|strata|blocks|sequences|periods|categories|criteria|families of|lists?|envelopes|clusters|villages|schools|wards)\b(?! (?:of|with) )"
)
NOT_DONE = re.compile(r"(?:\b(?:not|never|nor|neither|without|before|until|rather than|instead of)(?: (?:be|being|been|yet|subsequently|further|finally))*|n't|未(?:被|能|予)?|[不没]) ?$")  # fmt: skip
JOINED = re.compile(r"(?:\band\b|\bthen\b|,)(?: \w+){0,3} $|(?:并|且)$")
RELATIVE = re.compile(r"\b(?:who|that|which|whose|whom|with|having)\b")
ATTRIBUTE = re.compile(rf" (?:\w+ ){{0,2}}{PEOPLE}")
HARD = re.compile(r"[;.。；\n](?!\d)")
NUMBER = re.compile(r"(?<![\d:])(?!(?:19|20)\d\d\b)(?!\d+:\d)\d")
PART_OF = re.compile(r"(?<=.{3})\b(?:of (?:whom|which|these|them)|some of)\b|其中")
BEFORE_NEXT = re.compile(r"(?:,|\band\b|\bbut\b|\bof (?:whom|these)\b)[^.;,\d]*$")
"""What goes with the next number: "and randomised 12"."""
SHARE = re.compile(r" ?[(\[](?:n ?= ?)?[\d.·, /]+%?[)\]]")
CLOSED = re.compile(r"\s?(?:[),.;:，。；\]]|$)")
DIRECT = re.compile(r"[\s%)\]]*(?:(?:were|was|are|is|being) )?")
NEAR, BEHIND = 8, 150


def miscounted(name: str, text: str, start: int, end: int) -> Reason | None:
    """Why text[start:end] counts something else than the field of this name, as a word; None where it does, or nothing tells."""
    if name in THINGS:
        return None if _counts(THINGS[name], text, start, end) else "not_a_count"
    if name == "female_percent":
        return None if _is_of_women(text, start, end) else "other_group"
    return _other_people(OWN[name], text, start, end) if name in OWN else None


def _other_people(own: tuple[str, ...], text: str, start: int, end: int) -> Reason | None:
    first, last = _sentence(text, start, end)
    before, after = _around(text, start, end)
    kind = _kind(own, before, after)
    if own == ("planned",):
        told = text[first:last] if kind is None else before
        is_plan = kind == "planned" or any(each.lastgroup == "planned" for each in KINDS.finditer(told))
        return None if is_plan and not AFTERWARDS.search(text[first:last]) else "other_group"
    if kind and kind not in own:
        return "future" if kind == "planned" else "other_group"
    if BOUND.search(text, first, start) or THINGS_OF_NONE.match(after):
        return "not_a_count"
    is_part = (
        NESTED.search(text, first, last) or PART_BEFORE.search(text, 0, start) or PART_BEHIND.match(text[end:last])
    )
    return "other_group" if is_part or (kind is None and PART.search(before)) else None


def _kind(own: tuple[str, ...], before: str, after: str) -> str | None:
    """What was done with them: the nearest words behind the number, or those of the field that go on from these; else before it."""
    there = [*KINDS.finditer(PART_OF.split(after)[0])]
    behind = [each for each in there if each.lastgroup not in own or not NOT_DONE.search(after[: each.start()])]
    ahead = [each for each in KINDS.finditer(before) if not NOT_DONE.search(before[: each.start()])]
    first, last = (behind[0].lastgroup if behind else None), (ahead[-1].lastgroup if ahead else None)
    goes_on = behind and (RELATIVE.search(after, 0, behind[0].start()) or ATTRIBUTE.match(after, behind[0].end()))
    for found in behind:
        if found.lastgroup in own and (found is behind[0] or goes_on or JOINED.search(after[: found.start()])):
            return found.lastgroup
    return (last or first) if CLOSED.match(after) else (first or last)


def _counts(thing: re.Pattern[str], text: str, start: int, end: int) -> bool:
    things = rf" ?-?(?:\(\w+\) )?(?:of (?:the |our )?(?:\d+ )?)?{ADJECTIVES}(?:{thing.pattern})"
    listed = rf"(?:{thing.pattern})[^\w]{{0,3}}(?:(?:was|were|is|n) ?)?[=:(]? ?$"
    is_within = thing.search(text[start:end]) or re.match(things, text[end : end + BEHIND])
    return bool(is_within or re.search(listed, _around(text, start, end)[0]))


def _is_of_women(text: str, start: int, end: int) -> bool:
    first, last = _sentence(text, start, end)
    before, after = _around(text, start, end)
    if AMONG.match(after) or AMONG_BEFORE.search(before) or ONE_GROUP.search(text, first, last):
        return False
    behind, ahead = WOMEN.search(after), [*WOMEN.finditer(before)]
    if behind and behind["own"] and DIRECT.fullmatch(after[: behind.start()]):
        return True
    is_near = ahead and ahead[-1]["own"] and len(before) - ahead[-1].end() < NEAR
    nearest = ahead[-1] if ahead and (is_near or not behind or CLOSED.match(after.lstrip(" %"))) else behind
    return nearest is not None and nearest.lastgroup == "own"


def _around(text: str, start: int, end: int) -> tuple[str, str]:
    """The words of a number: from the number before it, or the sentence's beginning, and up to the next."""
    first, last = _sentence(text, start, end)
    before, after = text[first:start], SHARE.sub("", text[end:last])
    earlier = [found.end() for found in NUMBER.finditer(before) if re.search(r"[^\W\d_]", before[found.end() :])]
    later = NUMBER.search(after)
    return before[earlier[-1] if earlier else 0 :], BEFORE_NEXT.sub("", after[: later.start()]) if later else after


def _sentence(text: str, start: int, end: int) -> tuple[int, int]:
    stops = [found.end() for found in HARD.finditer(text, 0, start)]
    stop = HARD.search(text, end)
    return stops[-1] if stops else 0, stop.start() if stop else len(text)
