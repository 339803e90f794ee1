"""The first author of a paper whose file does not name its authors: from the line of names below its title. Pure.

A title or an affiliation has capitals and commas too: something else than its names has to say that a line is a byline.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from clinical.evidence.letters import FLAT
from clinical.papers.stretches import INSTITUTION, PARTICLES, SAID
from clinical.patterns import Pattern
from clinical.rules.answers import Answer, Found, Spot, not_found, printed, reported, unclear
from clinical.rules.text import Reading, Sentence, words_of
from clinical.templates.country_names import NAMES as COUNTRIES

WORDS_MIN, WORDS_MAX = 2, 6  # words of a full name
LINES_MAX, LINE_MAX = 40, 500  # lines of the first page, and characters of one, that are looked at
HEAD, TITLE_MAX = 20_000, 1_000  # characters of the first page, and of a title, that are looked at
HEAD_LINES, PAGES_MAX = 3, 12  # lines at a page's top that may be its running head, and the pages that are looked at
WORDS = words_of(__file__, PARTICLES=PARTICLES)
NO_NAMES = frozenset(Path(__file__).with_name("no_names.txt").read_text("utf-8").split())


def of_byline(reading: Reading) -> Answer:
    owners = list(_naming(WORDS.OWNED, _front(reading, 0))) if reading.flat else []
    running = _running(reading)
    heads = {each.value.casefold() for each in (*owners, *running)}
    found = _byline(reading, heads) if reading.flat else None
    if found and heads and found.value.casefold() not in heads:
        return unclear()
    told = found or ((*owners, *running)[0] if len(heads) == 1 else None)
    return reported(reading, printed(reading, told.spot), told.spot) if told else not_found()


def _byline(reading: Reading, heads: set[str]) -> Found | None:
    page = reading.flat[0]
    title = on_first_page(reading, reading.title)
    titled = title.end() if title else 0
    lines = list(_front(reading, 0, titled))
    for number, line in enumerate(lines):
        names = _people(line.text)
        family = WORDS.FAMILY.search(names[0]) if names else None
        if not family:
            continue
        below = titled > 0 and not page[titled : line.start].strip()
        known = below or family.group().casefold() in heads
        goes_on = number > 0 and not known and _may_list(lines[number - 1].text)
        signs = _is_marked(line.text), len(names) > 1, known or _followed(lines[number + 1 :])
        if not goes_on and sum(signs) > 1:
            start = line.text.find(family.group())
            return Found(family.group(), Spot(line, start, start + len(family.group())))
    return None


def _may_list(above: str) -> bool:
    if ":" in WORDS.EMAIL.sub("", above):
        return False
    parts = [part.strip() for part in WORDS.BETWEEN.split(above) if part.strip()]
    listed = len(parts) > 1 and all(part[0].isupper() for part in parts)
    return listed or _is_marked(above) or above.endswith((",", ";", "&", " and"))


def _is_marked(line: str) -> bool:
    return bool(WORDS.MARKED.search(line) or WORDS.EMAIL.search(line))


def _followed(after: list[Sentence]) -> bool:
    below = next((line.text for line in after if not _people(line.text)), "")
    return bool(WORDS.FOLLOWS.match(below))


def _people(line: str) -> list[str]:
    told = WORDS.GROUP.sub("", WORDS.EMAIL.sub(",", line))
    if INSTITUTION.search(told) or SAID.search(told):
        return []
    parts = [each for part in WORDS.BETWEEN.split(told) if (each := WORDS.ORCID.sub("", part.strip()))]
    names = [name for part in parts if (name := _name(part))]
    rest = [part for part in parts if not _name(part)]
    if rest and rest[-1] == parts[-1] and len(names) > 1 and WORDS.WORD.fullmatch(rest[-1]):
        rest.pop()
    odd = any(not WORDS.DEGREE.fullmatch(part) for part in rest)
    if odd or not parts or not _name(parts[0]) or _lettered(line, names):
        return []
    return names


def _lettered(line: str, names: list[str]) -> bool:
    """Whether the names may end with letters that are marks: "Smitha, Leeb" may be Smith and Lee."""
    return not WORDS.NUMBERED.search(line) and len(names) > 1 and all(name[-1] in "abcdefgh" for name in names)


def _name(part: str) -> str:
    words = part.split()
    while len(words) > 1 and WORDS.DEGREE.fullmatch(words[-1]):
        words.pop()
    if not WORDS_MIN <= len(words) <= WORDS_MAX or " ".join(words) in COUNTRIES or not _is_word(words[-1]):
        return ""
    first = _is_word(words[0]) or WORDS.INITIALS.fullmatch(words[0])
    particles = (word for word in words[1:-1] if not (_is_word(word) or WORDS.INITIALS.fullmatch(word)))
    middle = all(re.fullmatch(PARTICLES, f"{word} ") for word in particles)
    return " ".join(words) if first and middle else ""


def _is_word(word: str) -> bool:
    return bool(WORDS.WORD.fullmatch(word)) and not word.isupper() and word.casefold() not in NO_NAMES


def on_first_page(reading: Reading, words: str) -> re.Match[str] | None:
    wanted = r"\s{1,3}".join(map(re.escape, words[:TITLE_MAX].translate(FLAT).split()))
    return re.search(wanted, reading.flat[0][:HEAD], re.I) if wanted and reading.flat else None


def _front(reading: Reading, number: int, start: int = 0) -> Iterator[Sentence]:
    count = 0
    for text in reading.paper.pages[number].text[start : start + LINES_MAX * LINE_MAX].split("\n"):
        printed = reading.flat[number][start : start + len(text)]
        flat = printed.strip()
        if flat:
            count += 1
            if count > LINES_MAX or WORDS.BODY.match(flat):
                return
            if len(flat) <= LINE_MAX:
                yield Sentence(number, start + printed.find(flat), flat, "front", "")
        start += len(text) + 1


def _running(reading: Reading) -> list[Found]:
    pages = range(min(PAGES_MAX, len(reading.flat)))
    found = [each for page in pages for each in _naming(WORDS.RUNNING, islice(_front(reading, page), HEAD_LINES))]
    often = Counter(name for name, _ in {(each.value, each.spot.sentence.page) for each in found})
    return [each for each in found if often[each.value] > 1]


def _naming(pattern: Pattern, lines: Iterable[Sentence]) -> Iterator[Found]:
    for line in lines:
        match = pattern.match(line.text)
        if match:
            yield Found(match["name"], Spot.of(line, match, "name"))
