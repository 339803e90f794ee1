"""Countries: their names, what else papers call them, and their people's names. Data only."""

from pathlib import Path

from clinical.patterns import words_of


def _pairs(lines: str) -> dict[str, str]:
    said = (line.partition("=") for line in lines.splitlines())
    return {name: country or name for name, _, country in said}


NAMES, PEOPLES = map(_pairs, Path(__file__).with_suffix(".txt").read_text("utf-8").split("\n\n"))
WORDS = words_of(__file__)
ELSEWHERE = WORDS.ELSEWHERE
