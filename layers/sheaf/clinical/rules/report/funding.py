"""Who paid for the study, as its authors declare it; an author's own grants and fees are not that. Pure."""

from clinical.evidence.disclaimed import OTHERS
from clinical.rules.answers import Answer, Spot, in_words, not_found, whole
from clinical.rules.text import Reading, Sentence
from clinical.rules.wording import words_of

WORDS = words_of(__file__)
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
    told = [each for each in sentences if WORDS.NONE_SAID.match(each.text) or WORDS.FUNDED.search(each.text)]
    first = [each for each in every[:1] if len(each.text) > LABEL_MAX and not WORDS.ABOUT_ROLE.search(each.text)]
    return [whole(sentence) for sentence in told or first if sentence in sentences]


def _labelled(reading: Reading) -> list[Spot]:
    """A line that begins with "Funding:", or the line after one that is nothing else."""
    found = []
    sentences = [each for each in reading.sentences if each.section not in {"introduction", "methods", "results"}]
    for sentence, following in zip(sentences, (*sentences[1:], None), strict=False):
        match = WORDS.LABELLED.match(sentence.text)
        if WORDS.HEADING.fullmatch(sentence.low):
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
        return WORDS.OURS.search(sentence.text) is not None
    if sentence.section == "methods":
        return WORDS.IN_METHODS.search(sentence.text) is not None
    paid = WORDS.FUNDED.search(sentence.text) and WORDS.STUDY.search(sentence.text)
    return bool((paid and _is_ours(sentence.text)) or WORDS.BEGINS.search(sentence.text))


def _is_ours(text: str) -> bool:
    """Whether it is on this study: that nobody paid is so only where it says of what."""
    return bool(WORDS.OURS_NAMED.search(text)) or not (WORDS.SILENT.search(text) or OTHERS.search(text))


def _is_personal(text: str) -> bool:
    """Whether it is on one author's money, or on what the funder did; who paid may stand before the latter."""
    role = WORDS.ROLE.search(text)
    late = role and not WORDS.FUNDED.search(text, 0, role.start())
    return bool(late or WORDS.PERSONAL.search(text) or WORDS.NOT_BY.search(text))
