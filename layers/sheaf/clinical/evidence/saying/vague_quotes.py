"""Words that any paper has, many times: they are there, and they point nowhere. Pure."""

import re
from collections.abc import Sequence

from clinical.evidence.letters import is_wide
from clinical.evidence.normal_form import normal
from clinical.evidence.pages import Pages
from clinical.evidence.values import Typed

WORDS_MAX = 3
STEM = 5
NAME = 3
"""Letters that a word of a value has at least; "Y" and "a" stand in everything."""
STRICT = (False, "", False)
WORD = re.compile(r"[^\W\d_]+")


def points_nowhere(quote: str, values: Sequence[Typed], pages: Pages) -> bool:
    """Whether a quote of a few words stands in several places of the paper and says nothing of the values.

    "intention to treat" may stand in ten places and says what it says; "of the patients" bears out nothing.
    """
    if len(quote.split()) > WORDS_MAX or any(map(is_wide, quote)) or any(_says(value, quote) for value in values):
        return False
    wanted = normal(quote).text
    return sum(pages.text(page, STRICT).count(wanted) for page in pages.paper.pages) > 1


def _says(value: Typed, quote: str) -> bool:
    """A number was looked for before: here, whether there is more than the number. A text shares a word, or its initials."""
    if isinstance(value, bool):
        return False
    words = [word.casefold() for word in WORD.findall(quote)]
    told = [word.casefold() for word in WORD.findall(str(value).replace("_", " "))]
    if not told:
        return bool(words)
    named = [word for word in told if len(word) >= NAME]
    initials = "".join(word[0] for word in words)
    return initials in named or any(word[:STEM] == other[:STEM] for word in words for other in named)
