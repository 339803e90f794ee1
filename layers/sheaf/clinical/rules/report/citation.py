"""What the paper is: title, DOI, year, journal, first author. What merely occurs is another's. Pure."""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice

from clinical.answered import Answer
from clinical.patterns import Pattern
from clinical.rules.answers import Found, Spot, agreed, contradictory, first, not_found, reported, unclear, whole
from clinical.rules.report.byline import of_byline, on_first_page
from clinical.rules.text import Reading, Sentence, words_of

WORDS = words_of(__file__)
BESIDE = 100
OWN_PAGES = 2  # pages of a PDF, from its start and its end, on which it says who published it
WHOLE = 1 << 30
LOOKS = (
    (WORDS.CITED_AS, 2, WHOLE), (WORDS.PUBLISHED, 1, 3_000), (WORDS.PUBLISHED, 1, WHOLE), (WORDS.PUBLISHED, 0, WHOLE),
    (WORDS.ACCEPTED, 1, WHOLE),
)  # fmt: skip
"""Where a paper says when it was published, the surest first: a pattern, first pages (0: all), first characters of a page."""


def doi(reading: Reading) -> Answer:
    if told := _detail(reading, "doi"):
        return told
    found = list(_dois(reading)) or list(_cited_as(reading))
    if len({each.value.lower() for each in found}) <= 1:
        return first(reading, found)
    early = [each for each in found if each.spot.sentence.page < OWN_PAGES and each.spot.sentence.is_early]
    times = Counter(each.value.lower() for each in found)
    repeated = [each for each in found if times[each.value.lower()] > len(found) // 2]
    return first(reading, early or repeated) if early or repeated else contradictory(reading, found)


def year(reading: Reading) -> Answer:
    if told := _detail(reading, "year"):
        return told
    for pattern, pages, room in LOOKS:
        found = [each for each in _years(reading, pattern, pages) if each.spot.sentence.start <= room]
        if found:
            answer = _one_year(reading, found, running=pattern is WORDS.CITED_AS)
            return unclear() if pattern is not WORDS.CITED_AS and _disputed(reading, answer["value"]) else answer
    return not_found()


def _disputed(reading: Reading, year: int | None) -> bool:
    dated = WORDS.DATED_DOI.search(doi(reading)["value"] or "")
    return dated is not None and year is not None and int(dated[1]) != year - 2000


def _one_year(reading: Reading, found: list[Found], *, running: bool) -> Answer:
    """Of the years said alike: the one there is. A running title is repeated; what a page cites is not."""
    most, times = Counter(each.value for each in found).most_common(1)[0]
    if times < len(found) and not (running and times > len(found) // 2):
        return contradictory(reading, found)
    return first(reading, [each for each in found if each.value == most])


def title(reading: Reading) -> Answer:
    return _detail(reading, "title") or not_found()


def journal(reading: Reading) -> Answer:
    told = _detail(reading, "journal")
    if told or reading.paper.format == "jats":
        return told or not_found()
    running = ((line, WORDS.JOURNAL_OF_PDF.match(line.text)) for line in _lines(reading, OWN_PAGES))
    return agreed(reading, [Found(match["name"].strip(), line) for line, match in running if match])


def first_author(reading: Reading) -> Answer:
    authors, family = reading.paper.details.get("authors"), reading.paper.details.get("surname")
    if not isinstance(authors, list | tuple) or not authors:
        return not_found() if reading.paper.format == "jats" else of_byline(reading)
    return (_said(reading, str(authors[0]), family) if isinstance(family, str) else None) or not_found()


def _detail(reading: Reading, name: str) -> Answer | None:
    told = reading.paper.details.get(name)
    if name == "year" and told is not None and str(told).isdigit():
        alone = re.compile(rf"(?<![\d./-]){int(told)}(?!\d|[./]\d)")
        lines = [line for line in _lines(reading, 1) if alone.search(line.text)]
        lines.sort(key=lambda line: not WORDS.PUBLISHED.search(line.text))
        return reported(reading, int(told), lines[0]) if lines else None
    return _said(reading, told) if isinstance(told, str) and told.strip() else None


def _said(reading: Reading, words: str, value: str = "") -> Answer | None:
    match = on_first_page(reading, words)
    if not match:
        return None
    sentence = Sentence(0, match.start(), match.group(), "front", "")
    return reported(reading, value or words, whole(sentence))


def _dois(reading: Reading) -> Iterator[Found]:
    for number, first_part in enumerate(reading.sentences):
        if "10." in first_part.text:
            goes_on = WORDS.PREFIX.search(first_part.text) and number + 1 < len(reading.sentences)
            sentence = reading.joined(first_part, reading.sentences[number + 1]) if goes_on else first_part
            if WORDS.OTHERS.search(sentence.text):
                continue
            for match in WORDS.DOI.finditer(sentence.text):
                name = _trim(match.group())
                yield Found(name.replace(" ", ""), Spot(sentence, match.start(), match.start() + len(name)))


def _cited_as(reading: Reading) -> Iterator[Found]:
    for number, page in enumerate(reading.flat):
        at = page.find("Cite this article as")
        every = WORDS.DOI.finditer(page, max(0, at - BESIDE), at + 4 * BESIDE) if at >= 0 else ()
        for match in islice((each for each in every if each.end() >= at - 2), 1):
            sentence = Sentence(number, match.start(), page[match.start() : match.end()], "references", "")
            yield Found(_trim(match.group()), whole(sentence))


def _trim(name: str) -> str:
    name = re.split(r"[;,](?=https?:|doi|$)|(?<=.{8})(?:https?:|doi(?:\.org|:)|10\.\d{4,9}/)", name)[0].rstrip(".,;:*†")
    return name[:-1] if name.endswith(")") and name.count("(") < name.count(")") else name


def _years(reading: Reading, pattern: Pattern, pages: int) -> Iterator[Found]:
    for line in _lines(reading, pages or len(reading.paper.pages)):
        match = pattern.match(line.text) if pattern is WORDS.CITED_AS else pattern.search(line.text)
        if match:
            yield Found(int(next(filter(None, match.groups()))), line)


def _lines(reading: Reading, pages: int) -> Iterator[Spot]:
    for sentence in reading.sentences:
        if sentence.page >= pages:
            continue
        page = reading.paper.pages[sentence.page].text
        start = 0
        for line in page[sentence.start : sentence.start + len(sentence.text)].split("\n"):
            flat = sentence.text[start : start + len(line)]
            yield Spot(sentence, start + len(flat) - len(flat.lstrip()), start + len(flat.rstrip()))
            start += len(line) + 1
