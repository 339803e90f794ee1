"""What a paper is about, where that is no study of its own: a review; and halves of data, which are divided by chance too. Pure."""

from clinical.rules.text import Reading
from clinical.rules.wording import words_of

WORDS = words_of(__file__)


def divides_data(text: str) -> bool:
    """Whether a sentence divides data, to make a model with one part and try it on the other."""
    return WORDS.OF_DATA.search(text) is not None


def is_review(reading: Reading) -> bool:
    """Whether a paper is on other studies, or on having been in one: its title says so, or its abstract names two libraries or more."""
    titles = [each.text for each in reading.titles]
    if any(
        (WORDS.REVIEW.search(each) and not WORDS.A_TRIAL.search(each)) or WORDS.ON_A_TRIAL.search(each)
        for each in titles
    ):
        return True
    return any(
        len({each.lower() for each in WORDS.LIBRARY.findall(sentence.text)}) > 1 for sentence in reading.abstract
    )
