"""What a count is, as papers write one, and what none is: a year, a time, a dose, an age, a range, the number of a table. Pure."""

import re

from clinical.evidence.quantities.number_words import NAMES, spelled
from clinical.evidence.quantities.units import unit_at

DIGITS = r"\d{1,3}(?:[, ]\d{3}){1,3}(?![\d.])|\d{1,8}(?![\d]|[.,]\d)"
COUNT = rf"(?<![\w.,/=<>:±%+-])(?:{DIGITS}|(?:{NAMES})(?:(?:(?<=hundred) and |(?<=thousand) and |(?<=hundred)-and-|- |[ -])(?:{NAMES})){{0,7}}(?![\w-]))"
"""A whole number that stands for itself. It is no part of a decimal, a ratio, a range or a comparison."""
PEOPLE = (
    r"(?:patients?|participants?|subjects?|volunteers?|wom[ae]n|m[ae]n|males?|females?|adults?|children|adolescents?|"
    r"infants?|newborns?|neonates?|boys?|girls?|mothers?|individuals?|persons?|people|students?|pupils?|residents?|"
    r"couples?|parents?|players?|athletes?|nurses?|veterans?|smokers?|workers?|parturients?|pregnancies|cases|controls|"
    r"respondents?|employees|eyes|teeth|knees|hips|households|families|dyads|candidates|recruits|outpatients?|inpatients?|survivors?|caregivers?|users|"
    r"physicians|recipients?|donors?|men and women|runners|cyclists|soldiers|toddlers|"
    r"animals|rats|mice|rabbits|dogs|pigs|piglets|sheep|goats|cows|calves|horses|cats)\b"
)
ADJECTIVES = r"(?:(?!(?:of|were|was|and|per|in|at|from|for|with|to|or|by|on|years?|months?|weeks?|days?|hours?|mg|ml|kg)\b)[^\W\d_][\w/'()-]*,? ){0,6}?"
CLASS = r"(?:(?:ASA|American Society of Ana?esthesi\w+)\b[^.;:()]{0,60}? )?"
"""An anaesthetist's class of patients, which has "of" and "and" in it."""
GROUP = rf"(?P<n>{COUNT}) {CLASS}{ADJECTIVES}{PEOPLE}"
"""So many patients."""
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
YEAR = re.compile(r"(?:19|20)\d\d")
DATED = re.compile(
    rf"(?:\b(?:{'|'.join(MONTHS)})[a-z]{{0,6}}\.?(?: \d{{1,2}}(?:st|nd|rd|th)?)?|\b(?:in|since|until|during|years?|from|between|of|and|to|[-/]))[ ,.]{{1,2}}$"
    r"|\d[-/]$|©|\($",
    re.I,
)
NAMED_BY = re.compile(
    r"(?i:\b(?:phase|stage|grade|type|class|level|scores?|tables?|figures?|fig\.?|refs?\.?|box|section|chapter|appendix|days?|weeks?|months?"
    r"|visits?|versions?|steps?|items?|rooms?|wards?|beds?|grants?|numbers?|no\.|articles?|pages?|lines?|questions?|codes?|protocols?) $|\bage[ds]?(?: (?:was|of|is|at|between|from|over|under|above|below|about))* ?[=:]? ?$)"
    r"|[<>≥≤⩾⩽~×] ?$|\d ?[xX] ?$|\b[A-Z]{3,}[A-RT-Z] $"
)
NO_PEOPLE = re.compile(
    r"[ -]?(?:times\b|-?fold\b|points?\b|°|℃|tablets?\b|capsules?\b|puffs?\b|drops?\b|per ?cent\b|片|粒|次|%)"
)
LEFT_OPEN = re.compile(r"(?<![\d.,])(\d{1,8}) ?(?:-|to|至|~) ?$")
BETWEEN = re.compile(r"\bbetween \d[\d,]{0,8} and $")
RIGHT_OPEN = re.compile(r" ?(?:-|to|至|~) ?(\d{1,8})(?![\d.,]*\d)")
PEOPLES_LETTERS = {None, "u", "m"}
"""What stands behind a count, in spite of what it would be of a quantity: units of a hospital, M for men."""
OF_A_PART = re.compile(
    r"(?i:\b(?:in|of|from|within|among|for|at|into) (?:the |this |that |each |one )?(?:[\w-]+ ){0,3}?"
    r"(?:(?<!age )(?<!this )(?<!that )(?<!the )(?<!whole )(?<!total )(?<!eligible )(?<!remaining )group|sub-?group|arm|subset|sub-?sample|stratum|sub-?study"
    r"|(?:first|second|third|fourth|initial|later|pilot|feasibility) (?:phase|stage|part|period|step)))"
    r"(?: (?:[A-Z]|\d{1,2}|I{1,3}|one|two|three))?(?: \([^()]*\))?,? (?:a total of |all )?$"
    r"|(?i:\b(?:in|at|from|of) (?:the )?(?:cent(?:re|er)|site|hospital|country|cohort|group|arm|part|stage|phase)) (?:[A-Z]|\d{1,2}|I{1,3}|one|two|three),? (?:a total of )?$"
)
"""Before a count, nothing between: the part of the trial that it is of."""
ONE_ARM = re.compile(
    r"^(?: ?\(?\d ?: ?\d\)?)? ?(?:(?:in)?to (?!(?:the |study |trial )?(?:treatments?|interventions?|therapy)(?:[.,;:(]|$| \())(?!(?:the |this |our )?(?:trial|study|rct)\b)(?:receive |the |a |an |undergo |have |get |take )?|in (?:the )?[\w -]{1,40}\b(?:group|arm)\b)",
    re.I,
)
SEVERAL = re.compile(
    r"\b(?:either|or|groups|arms|one of|versus|vs|between|conditions|sequences?|treatments|interventions|orders?)\b|[:;]|\bn ?="
    r"|\band (?:an? |the )?[\w /+-]{1,60}\b(?:group|arm)\b",
    re.I,
)
TO_ARM = re.compile(
    r"(?: [^\W\d_][\w'-]*){0,4}? (?:(?:were|was) )?(?P<verb>(?:randomi[sz]ed |randomly |assigned |allocated ){1,2})(?=to\b|into\b|in\b)|(?: [^\W\d_][\w'-]*){0,2} (?=(?:in)?to |in the )",
    re.I,
)
"""Behind a count, up to the arm that it is in."""
EACH_TO = re.compile(r"\d (?:\w+ ){0,2}?to [^.;]{1,80}?\d (?:\w+ ){0,2}?to ")
"""Where no verb says that people were assigned: so many to this, so many to that."""
BEFORE_MAX, BEHIND_MAX, CHOICE_MAX = 120, 24, 250


def count(text: str) -> int:
    """The number that a count says; 0 for words that are none, or several."""
    if text[0].isdigit():
        return int(re.sub(r"[, ]", "", text))
    said = [number for number, *_ in spelled(text)]
    return int(said[0]) if len(said) == 1 else 0


def is_count(text: str, start: int, end: int) -> bool:
    """Whether text[start:end] counts people or things: it names nothing, and is no date, time, dose, age, share or range."""
    before, behind = text[max(0, start - BEHIND_MAX) : start], text[end : end + BEHIND_MAX].lower()
    dated = YEAR.fullmatch(text, start, end) and DATED.search(before)
    if dated or NAMED_BY.search(before) or NO_PEOPLE.match(behind):
        return False
    if BETWEEN.search(before) or (before.endswith("between ") and re.match(r" and \d", behind)):
        return False
    lower, upper = LEFT_OPEN.search(before), RIGHT_OPEN.match(behind)
    if lower or upper:
        number = count(text[start:end])
        if (lower and int(lower[1]) < number) or (upper and number < int(upper[1])):
            return False
    return unit_at(behind, 0) in PEOPLES_LETTERS


def is_of_one_arm(text: str, start: int, end: int) -> bool:
    """Whether a count, by what stands beside it, is of one arm or part: "in the tea group, 40", "40 were assigned to tea"."""
    if OF_A_PART.search(text[max(0, start - BEFORE_MAX) : start]):
        return True
    verb = TO_ARM.match(text, end)
    if not verb or not (verb["verb"] or text.startswith("in ", verb.end()) or EACH_TO.search(text)):
        return False
    after = text[verb.end() :][:CHOICE_MAX]
    return bool(ONE_ARM.match(after)) and not SEVERAL.search(after)
