"""How many places a study had, and of what kind. Pure."""

import re
from collections.abc import Iterator

from clinical.evidence.quantities.number_words import SINGLE
from clinical.evidence.quantities.people_counts import COUNT, count, is_count
from clinical.rules.answers import Answer, Found, Spot, agreed, early, not_found, printed, reported
from clinical.rules.study.places import ETHICS, HELD, MAKERS, PLACE
from clinical.rules.text import Reading, Sentence, any_case

SITES = any_case(
    rf"(?P<n>{COUNT}) (?:(?!(?:of|were|and|to|in|or|at|from|for|with|per)\b)[\w/'-]+,? ){{0,5}}?(?:hospitals|cent(?:er|re)s|sites|clinics|practices|institutions|"
    r"trial sites|departments|units|maternity hospitals|nursing homes)\b"
)
SITE_SIGNS = any_case(
    r"\b(?:conducted|recruit\w*|enrol\w*|undertaken|took place|multi-?cent\w+|trial|study|participat\w+|single)\b"
)
NO_SITES = any_case(
    r"stratif|previous|et al|other|surveyed|approached|declined|median|mean number|per (?:site|cent)|of the \d+"
)
NAMED = ("hospitals", "centers", "centres", "sites", "clinics", "practices", "institutions",
         "units", "departments", "homes")  # fmt: skip
"""One of them is in each sentence that counts sites."""
HOLDING = ("conducted", "carried out", "performed", "recruit", "enrol", "undertaken", "took place", "setting",
           "screened", "invited", "admitted", "attending", "referred")  # fmt: skip
SETTING = any_case(
    r"\b(?:(?:tertiary|secondary|primary|university|teaching|general|district|community|referral|academic|public|private|military|urban|rural|regional|"
    r"pa?ediatric|maternity|adult|medical|surgical|neonatal|cardiac|mixed|acute|psychiatric|children's|care|health|affiliated|university-affiliated|level) ?-?){0,4}"
    r"(?:hospitals?|intensive care units?|emergency (?:departments?|rooms?)|outpatient (?:clinics?|departments?)|primary (?:health )?care(?: (?:clinics?|practices|cent(?:er|re)s))?|"
    r"general practices?|nursing homes?|medical cent(?:er|re)s?|health cent(?:er|re)s?|(?<=[a-z] )clinics?(?! (?:blood|systolic|visit|measure))|schools?|universities)\b(?! (?:staff|physicians|doctors|nurses|personnel|records))"
)
OF_OTHERS = any_case(
    r"\b(?:serum|samples?|plasma|scans?|images?|slides|laborator(?:y|ies)|analy[sz]ed (?:at|in|by)|adjust\w*|exclu\w+|ineligible|previous(?:ly)?|ranging from|level of education|educat(?:ed|ional level)|employed|worked|trained (?:at|in)|staff (?:at|of|from))\b"
)
"""Where something else was done, or where others were; not where the study was."""


def n_sites(reading: Reading) -> Answer:
    """How many centres, where one sentence says it and no other says otherwise."""
    found = []
    for sentence in reading.study:
        if sentence.has("single", "mono", "one"):
            singles = () if NO_SITES.search(sentence.text) else SINGLE.finditer(sentence.text)
            found += [Found(1, Spot.of(sentence, match)) for match in singles]
        if sentence.has(*NAMED):
            found += _sites(sentence)
    return agreed(reading, early(found))


def setting(reading: Reading) -> Answer:
    """The kind of place, as the sentence that says where the study was done puts it."""
    for sentence in (*reading.opening, *reading.within("methods")):
        other = any(pattern.search(sentence.text) for pattern in (OF_OTHERS, MAKERS, ETHICS))
        held = HELD.search(sentence.text) if sentence.has(*HOLDING) and not other else None
        match = SETTING.search(sentence.text, held.start()) if held else None
        if match and PLACE.search(sentence.text[max(0, match.start() - 60) : match.start()]):
            spot = Spot.of(sentence, match)
            return reported(reading, printed(reading, spot), spot)
    return not_found()


def _sites(sentence: Sentence) -> Iterator[Found]:
    if not SITE_SIGNS.search(sentence.text) or NO_SITES.search(sentence.text):
        return
    matches = list(SITES.finditer(sentence.text))
    if len(matches) == 1 and not re.search(r"\d[\w ,-]{0,40}\band $", sentence.text[: matches[0].start()]):
        number = count(matches[0]["n"])
        if number and is_count(sentence.text, *matches[0].span("n")):
            yield Found(number, Spot.of(sentence, matches[0]))
