"""Whom a count of the randomised is about: all of them, or some: those of a centre, a stage, an analysis, or a bracket's arm. Pure."""

from clinical.evidence.quantities.people_counts import COUNT, OF_A_PART, PEOPLE
from clinical.rules.text import any_case, any_cases

BEFORE = any_cases(
    r"\b(?:every|each|first|last|next|another|further|additional|other|about|approximately|around|nearly|almost|over|more than|at least|up to|fewer than|less than|roughly|a maximum of|a minimum of) (?:the )?$",
    r"\b(?:drawn|sampled|selected|recruited|chosen|invited|taken|identified|enrol+ed|samples?|specimens) (?:\w+ )?from (?:among )?(?:all )?(?:of )?(?:the |our |these )?$",
)
"""Before a count: it is a round number, or not the first of its kind; or of a trial that had been, from which these were taken."""
OF_ANALYSIS = any_case(
    r"\b(?:(?:available|(?<!consent )(?<!consent was )(?<!consents were )obtained|complete|missing) (?:for|from|in|on)|data (?:from|for|of|on)|(?:per[- ]protocol|safety|efficacy|evaluable|completers?'?|on-treatment|as-treated|m?ITT|PP|FAS|(?:modified )?(?:intention|intent)[- ]to[- ]treat|full) (?:analysis )?(?:population|sets?|samples?|groups?|cohort|analys[ei]s)|(?:interim|final|primary|main) (?:\w+ )?analys[ei]s|analys[ei]s(?: sets?| population| sample)? (?:included|of|comprised|was|were|consisted))\b[^.;]{0,60}$"
)
"""Before a count: those who were analysed, or whose data there are. All the randomised may be among them."""
ALL = any_case(r"\ball (?:of )?(?:the |our |these )?$")
AFTER = any_cases(
    r"^,? ?(?:(?:but|and|who|that|which) )?(?:(?:then|later|subsequently|however,?) )?(?:did not|never|could not|withdr[ae]w|dropped|discontinued|refused|declined|failed to|died\b|(?:was|were) (?:lost|withdrawn|excluded|not\b|found to be ineligible|later|subsequently))",
    r"^ (?:in error|by mistake|in violation|as (?:one|a) block|late\b|too late|twice|per |(?:in)?to each|in each)",
)
"""Behind the verb: what happened to some of the randomised."""
BETWEEN = any_cases(
    r"\b(?:in|of|from) the (?!age )(?:[\w/+-]+ ){0,4}?(?:group|arm)\b",
    rf"\b(?:leaving|remaining|thus|therefore|hence|so that|consequently),? (?:the |a total of )?(?:{COUNT})|(?:,|\band|\bwhom|\bwhich|\bbut) (?:a total of |the remaining |only |finally )?(?:{COUNT}) (?:{PEOPLE} )?(?:were|was|had been) (?:\w+ )?$",
)
"""Between a count and its verb: one arm's people, or another count, to which the verb belongs."""
GONE = any_case(
    r"\b(?:exclu\w+|ineligible|refus\w+|declin\w+|screen\w+|approach\w+|invited|lost|withdr\w+|not (?:eligible|meet\w*|met|randomi\w+)|retrospectiv\w+)\b"
)
"""Who make up a total together with those who stayed are no arms of it."""
NEAR = 120


def is_of_some(before: str, between: str, after: str) -> bool:
    """Whether a count, by what stands before it, between it and its verb, and behind the verb, is of some of the randomised."""
    near = before[-NEAR:]
    if OF_ANALYSIS.search(near) and not ALL.search(near):
        return True
    told = ((near, (*BEFORE, OF_A_PART)), (after, AFTER), (between, BETWEEN))
    return any(pattern.search(text) for text, patterns in told for pattern in patterns)
