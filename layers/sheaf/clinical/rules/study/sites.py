"""How many places a study had, and of what kind. Pure."""

import re
from collections.abc import Iterator

from clinical.evidence.quantities.number_words import SINGLE
from clinical.evidence.quantities.people_counts import count, is_count
from clinical.rules.answers import Answer, Found, Spot, agreed, early, not_found, printed, reported
from clinical.rules.study import places
from clinical.rules.text import Reading, Sentence
from clinical.rules.wording import words_of

WORDS = words_of(__file__)
NAMED = ("hospitals", "centers", "centres", "sites", "clinics", "practices", "institutions",
         "units", "departments", "homes")  # fmt: skip
"""One of them is in each sentence that counts sites."""
HOLDING = ("conducted", "carried out", "performed", "recruit", "enrol", "undertaken", "took place", "setting",
           "screened", "invited", "admitted", "attending", "referred")  # fmt: skip


def n_sites(reading: Reading) -> Answer:
    """How many centres, where one sentence says it and no other says otherwise."""
    found = []
    for sentence in reading.study:
        if sentence.has("single", "mono", "one"):
            singles = () if WORDS.NO_SITES.search(sentence.text) else SINGLE.finditer(sentence.text)
            found += [Found(1, Spot.of(sentence, match)) for match in singles]
        if sentence.has(*NAMED):
            found += _sites(sentence)
    return agreed(reading, early(found))


def setting(reading: Reading) -> Answer:
    """The kind of place, as the sentence that says where the study was done puts it."""
    for sentence in (*reading.opening, *reading.within("methods")):
        other = any(
            pattern.search(sentence.text) for pattern in (WORDS.OF_OTHERS, places.WORDS.MAKERS, places.WORDS.ETHICS)
        )
        held = places.WORDS.HELD.search(sentence.text) if sentence.has(*HOLDING) and not other else None
        match = WORDS.SETTING.search(sentence.text, held.start()) if held else None
        if match and places.WORDS.PLACE.search(sentence.text[max(0, match.start() - 60) : match.start()]):
            spot = Spot.of(sentence, match)
            return reported(reading, printed(reading, spot), spot)
    return not_found()


def _sites(sentence: Sentence) -> Iterator[Found]:
    if not WORDS.SITE_SIGNS.search(sentence.text) or WORDS.NO_SITES.search(sentence.text):
        return
    matches = list(WORDS.SITES.finditer(sentence.text))
    if len(matches) == 1 and not re.search(r"\d[\w ,-]{0,40}\band $", sentence.text[: matches[0].start()]):
        number = count(matches[0]["n"])
        if number and is_count(sentence.text, *matches[0].span("n")):
            yield Found(number, Spot.of(sentence, matches[0]))
