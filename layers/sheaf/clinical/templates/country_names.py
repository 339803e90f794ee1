"""Countries: their names, what else papers call them, and their people's names. Data only."""

import re
from pathlib import Path


def _pairs(lines: str) -> dict[str, str]:
    """What papers say, and the country that it means: the same, where no equals sign names another."""
    said = (line.partition("=") for line in lines.splitlines())
    return {name: country or name for name, _, country in said}


NAMES, PEOPLES = map(_pairs, Path(__file__).with_suffix(".txt").read_text("utf-8").split("\n\n"))
_LANGUAGES = "English|French|Spanish|German|Dutch|Portuguese|Chinese|Swedish|Italian|Danish|Finnish|Turkish"
_AMERICANS = "African|Asian|Mexican|Chinese|Japanese|Korean|Cuban|Indian|Vietnamese|Cambodian|Native"
ELSEWHERE = re.compile(
    r"\bNew (?:South )?(?:Wales|England|Mexico|Britain)\b|\b(?:East|West)(?:ern)? Azerbaijan\b|\bBritish Columbia\b"
    rf"|\b(?:{_LANGUAGES})[- ](?:speak\w*|language\w*|version\w*|translation\w*|proficien\w*)|\b(?:{_AMERICANS})[- ]Americans?\b|\bAmerican Indians?\b"
    r"|\bLebanon,? (?:NH|N\.H\.|New Hampshire|PA|Pennsylvania)\b|\bHolland,? (?:MI|Michigan)\b|\bStatistics Denmark\b"
    r"|\bUS[- ](?:guid\w+|exam\w*|scan\w*|imag\w+|findings|probes?|features|machine|elastograph\w+)|\bultraso\w+ \(US\)"
    r"|\b(?:[A-Z][\w.-]{1,60}+,? (?:and |& )?){1,4}(?:[Cc]linical |[Cc]ontrolled )?[Tt]rials?,? (?:Research )?(?:[Rr]egist\w+|Network|Unit)|\bRegist\w+ of (?:[A-Z]\w+ ){0,2}(?:Clinical )?Trials"
    r"|\b(?:Declaration of Helsinki|Helsinki),? \(?Finland\b"
)
"""Names with a country's in them that are none: a register of trials, a state, a language, a people elsewhere, ultrasound."""
