"""What a trial set out to show: that a treatment is better, no worse or the same. Pure."""

from clinical.rules.answers import Answer, agreed, said
from clinical.rules.text import Reading, any_case

NAMED = any_case(r"trial|study|design|margin|hypothesis|试验|研究|设计|界值|假设")
NEAR = 40


def framework(reading: Reading) -> Answer:
    """What the trial set out to show, where it says so in these words."""
    cues = reading.cues("framework")
    sentences = (*reading.opening, *reading.within("methods"))
    found = [each for sentence in sentences for each in said(sentence, "framework", cues)]
    named = [each for each in found if NAMED.search(each.spot.sentence.text, each.spot.start, each.spot.end + NEAR)]
    return agreed(reading, named)
