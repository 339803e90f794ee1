"""The arms and their sizes, where one place has both and they make up all who were randomised. Pure."""

import re
from collections.abc import Iterator

from clinical.evidence.quantities.people_counts import count
from clinical.patterns import Pattern
from clinical.rules.answers import Answer, Found, Row, Spot, not_found, quoted, tabled, tables
from clinical.rules.study.study_design import design, divides_data
from clinical.rules.text import Reading, Sentence, words_of
from clinical.rules.trial import enrolled
from clinical.rules.trial.n_randomised import n_randomised

WORDS = words_of(__file__)
ASSIGNED, SIZE = enrolled.WORDS.ASSIGNED, enrolled.WORDS.SIZE
NAME_MAX = 80


def arms(reading: Reading) -> Answer:
    if design(reading)["value"] in {"cluster", "stepped_wedge", "crossover"}:
        return not_found()
    total = n_randomised(reading)
    for found in (*_told(reading), *_tabled(reading)):
        names = {each.value["name"].lower() for each in found}
        if 1 < len(found) == len(names) and _are_all(found, total):
            return tabled(reading, found)
    return not_found()


def _are_all(found: list[Found], total: Answer) -> bool:
    made = sum(each.value["n_randomised"] for each in found)
    if total["state"] != "not_found":
        return bool(total["value"] == made)
    text = found[0].spot.sentence.text
    people = {count(match["n"]) for match in enrolled.WORDS.SO_MANY.finditer(text, 0, found[0].spot.end)}
    several = WORDS.SEVERAL.search(text)
    complete = several is None or count(several["k"]) == len(found)
    return ASSIGNED.search(text) is not None and complete and (not people or made in people)


def _told(reading: Reading) -> Iterator[list[Found]]:
    own = [each for each in reading.study if "|" not in each.text and re.search(r"\d", each.text)]
    for sentence in (each for each in own if not WORDS.BESIDE.search(each.text) and not divides_data(each.text)):
        assigned = ASSIGNED.search(sentence.text)
        if assigned:
            yield list(_named(sentence, enrolled.WORDS.SO_MANY_TO, 0))
            for pattern in (SIZE, WORDS.IN_BRACKETS, WORDS.PEOPLE_IN):
                yield list(_named(sentence, pattern, assigned.end()))
            yield _alike(reading, sentence)
        elif WORDS.GROUPED.search(sentence.text):
            yield list(_named(sentence, SIZE, 0))
            yield _alike(reading, sentence)


def _named(sentence: Sentence, pattern: Pattern, start: int) -> Iterator[Found]:
    for match in pattern.finditer(sentence.text, start):
        yield from _arm(WORDS.BEFORE_NAME.sub("", match["name"]), count(match["n"]), Spot.of(sentence, match))


def _arm(said: str, size: int, spot: Spot, **more: object) -> Iterator[Found]:
    name = WORDS.PEOPLE_OF.sub("", WORDS.LEADING.sub("", said.strip(" ,.-")).strip(" ,.-"))
    if name and len(name) <= NAME_MAX and not WORDS.NOT_AN_ARM.search(name):
        role = {"role": "placebo"} if WORDS.CONTROL.search(name) else {}
        yield Found({"name": name, "n_randomised": size, **role, **more}, spot)


def _alike(reading: Reading, sentence: Sentence) -> list[Found]:
    match = WORDS.ALIKE.search(sentence.text)
    if not match:
        return []
    told = [each for each in reading.study if each is sentence or ("group" in each.low and ASSIGNED.search(each.text))]
    lettered = [(each, found) for each in told for found in WORDS.LETTERED.finditer(each.text)]
    names = {found["name"]: Spot.of(each, found) for each, found in reversed(lettered)}
    size, said = count(match[match.lastgroup or 0]), quoted(reading, Spot.of(sentence, match))
    every = ((spot.text, [quoted(reading, spot), said], spot) for spot in reversed(names.values()))
    return [found for name, evidence, spot in every for found in _arm(name, size, spot, evidence=evidence)]


def _tabled(reading: Reading) -> Iterator[list[Found]]:
    assigned = " ".join(each.low for each in reading.study if "|" not in each.text and ASSIGNED.search(each.text))
    for found in _in_tables(reading):
        names = [each.value["name"].lower() for each in found]
        if any(map(WORDS.GROUPED.search, names)) or all(name in assigned for name in names):
            yield found


def _in_tables(reading: Reading) -> Iterator[list[Found]]:
    for table in tables(reading):
        yield from (list(_in_heads(row)) for row in table)
        even = [row for row in table if len(row) == len(table[0])]
        for heads, *rows in (even, list(zip(*even, strict=True))):
            yield from (list(_sized(reading, heads, row)) for row in rows if WORDS.COUNTED.match(row[0].text))


def _in_heads(row: Row) -> Iterator[Found]:
    seen: set[str] = set()
    for cell in row:
        match = WORDS.HEAD.match(cell.text)
        if match and match["name"] not in seen:
            seen.add(match["name"])
            yield from _arm(match["name"], count(match["n"]), cell)


def _sized(reading: Reading, heads: Row, row: Row) -> Iterator[Found]:
    for head, cell in zip(heads[1:], row[1:], strict=True):
        if WORDS.WHOLE.fullmatch(cell.text):
            lines = {id(spot.sentence): spot for spot in (row[0], head, cell)}
            evidence = [quoted(reading, spot) for spot in lines.values()]
            yield from _arm(head.text, int(cell.text.split()[0]), cell, evidence=evidence)
