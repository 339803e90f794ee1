"""Who took part and when: age and sex of all, dates of recruitment, how long they were followed. Pure."""

import re
from collections.abc import Iterable, Iterator

from clinical.evidence.quantities.number_words import NAMES, english
from clinical.evidence.quantities.units import CANONICAL
from clinical.rules.answers import Answer, Found, Spot, agreed, early, not_found, printed, reported
from clinical.rules.study.study_design import study_type
from clinical.rules.study.tables import tables
from clinical.rules.text import Reading, Sentence, any_case

NUM = r"\d{1,3}(?:\.\d{1,3})?"
SPREAD = rf"(?: ?(?:years? )?(?:\(? ?(?:±|\+/-|SD|standard deviation|IQR|interquartile range|range)?:?,? ?(?:=|of|:|±)? ?{NUM}(?: ?(?:-|to|,) ?{NUM})?(?: ?years?)? ?\)?|\[{NUM} ?(?:-|to|,) ?{NUM}\]))?"
AGE = any_case(
    rf"\b(?:mean|median|average)(?: \([^()]{{1,12}}\)| ± ?SD)?(?: (?:patient|participant|subject|maternal))? age(?: ±? ?\(?SD\)?)?(?: (?:of|for) (?:(?:all|the|our|these|whole|[\w-]+) ){{0,3}}?(?:patients|participants|subjects|women|men|children|sample|population|cohort|volunteers)(?: (?:in|at) [\w ]{{1,30}}?)?)? ?(?:was|is|:|=|,|of)? ?(?P<value>{NUM}{SPREAD}(?: ?(?:years?|y|yrs?|months?)\b)?)"
    rf"|\b(?:aged|age:?) (?P<also>{NUM} ?(?:±|\+/-) ?{NUM}(?: ?(?:years?|y|yrs?))?)"
)
PER_GROUP = any_case(
    r"\bgroups?\b|\barms?\b|\bvs\.?\b|\bversus\b|respectively|\bcontrols?\b|\bplacebo\b|\bcompared\b|\bintervention|\bcompleters|drop-?outs|\bwho (?:did|died|survived|completed|finished)\b|survivors|(?:younger|older) than those"
)
SEXES = any_case(r"\b(?:men|males?|sex|gender|boys|took part|participa\w+|patients|subjects)\b")
FEMALE = any_case(
    rf"(?<![\d.])(?P<a>{NUM}) ?%\)? ?(?:of (?:the |all )?(?:patients|participants|subjects|them|whom|sample|cohort|individuals|respondents|study population) ?)?(?:were |was |are )?(?:women|females?|girls)\b"
    rf"|\b(?:women|females?|girls)(?: sex| gender)? ?[(\[,:]? ?(?:\(?n ?= ?\d+ ?[,;(] ?|\d+ ?[\[(,;] ?|were |was |accounted for |constituted |of |gender of )?(?P<b>{NUM}) ?%"
)
TWO = any_case(rf" (?:in|for|among|of) [\w -]{{1,40}}?,? (?:and|vs\.?) {NUM}\b")
"""Behind a figure: another one of others."""
TOTAL = any_case(r"(?:total|all|overall|entire|whole)\b")
AGE_LINE = any_case(r"(?:mean |median )?age\b(?! (?:group|range|categor|class))(?:(?! of )[^%])*$")
AGE_CELL = any_case(rf"(?P<n>{NUM}(?: ?(?:±|\+/-|\[|\().*)?)$")
FEMALE_LINE = any_case(r"(?:sex|gender)?\W{0,10}(?:women|females?)\b")
FEMALE_CELL = any_case(rf"(?:\d{{1,6}} ?[(\[])?(?P<n>{NUM}) ?(?:%|\))")
"""In the column of all: the beginning of a line, and what its cell has to be."""
MALE = any_case(r"\bmales?\b(?:(?!\band\b)[^,;])*$")
"""A table row that has men and women in one line does not say whose percentage stands where."""
MONTH = r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|spring|summer|autumn|fall|winter)\.?"
DATE = rf"(?:\d{{1,2}}(?:st|nd|rd|th)? (?:of )?)?(?:the )?(?:{MONTH},? (?:\d{{1,2}}(?:st|nd|rd|th)?,? )?(?:of )?)?(?:19|20)\d\d"
DATE_OPEN = rf"(?:\d{{1,2}}(?:st|nd|rd|th)? (?:of )?)?{MONTH}(?:,? \d{{1,2}}(?:st|nd|rd|th)?)?(?:,? (?:19|20)\d\d)?|(?:19|20)\d\d"
PERIOD = any_case(
    rf"\b(?:between|from|during|in|over)?,? ?(?P<first>{DATE_OPEN}),? ?(?:and|to|until|till|through|-|up to) ?(?:the end of |end of )?(?P<last>{DATE})"
)
YEAR = re.compile(r"(?:19|20)\d\d")
RECRUITED = any_case(
    r"\b(?:recruit\w*|enrol\w*|randomi[sz]\w*|included|screened|eligib\w+|invited|entered|admitted|inclusion|conducted|performed|carried out|underwent|undergoing|diagnosed|consecutive|participated|study period|presenting|attend\w+|hospitali[sz]ed|registered)\b"
)
RECRUITED_STRONG = any_case(r"\b(?:recruit\w*|enrol\w*|randomi[sz]ed|randomly|screened|inclusion|included)\b")
NOT_DATES = any_case(
    r"et al\b|grant|fund|support|version|follow-?up (?:was|ended|until|period)|published|search\w*|guideline|prevalence|previous|data lock|analy[sz]ed between"
)
LENGTH = rf"(?:{NUM}|(?:{NAMES})(?:-(?:{NAMES}))?)"
FOLLOW_UP = any_case(
    rf"\bfollow(?:ed|ing)?[- ]?up(?: (?:period|time|duration|visits?|assessments?|data|interval))?(?: (?:was|were|of|is|for|at|lasted|lasting|to|after|until|over|up to|a|the|performed|conducted|mean|median|time|period|duration))*[ :]{{1,2}}(?P<a>{LENGTH}(?: ?(?:to|-|and) ?{NUM})?[- ]?(?:days?|weeks?|wks?|months?|years?|hours?))\b"
    rf"|(?P<b>{LENGTH}[- ](?:day|week|month|year|hour)s?)(?: of)?[- ]follow[- ]?up"
    rf"|\bfollowed(?: up)?(?: prospectively)? (?:for|over|until|to)(?: up to| at least| a (?:mean|median|total|period) (?:of )?)? ?(?P<c>{LENGTH} ?(?:days?|weeks?|months?|years?|hours?))\b"
)
AND_MORE = any_case(
    rf"(?:,| and|, and| or)(?: (?:at|after|for))? (?P<last>{LENGTH}[- ]?(?:days?|weeks?|wks?|months?|years?))\b"
)
MEDIAN_FOLLOW_UP = any_case(
    rf"\b(?:median|mean|average) (?:duration of |time of |length of |period of )?follow-?up(?: time| period| duration)?(?: (?:was|of|for|is|:))*[ :]{{1,2}}(?P<a>{NUM}{SPREAD} ?(?:days?|weeks?|months?|years?))|\b(?:median|mean|average) (?:of )?(?P<b>{NUM}[- ](?:day|week|month|year)s?)(?: of)? follow-?up|\bfollow(?:ed)?[- ]?up (?:for|was|of)?(?: a)? ?(?:\((?:median|mean)[,:)] ?|(?:median|mean) (?:of )?)(?P<c>{NUM} ?(?:days?|weeks?|months?|years?))"
)
NOT_FOLLOW_UP = any_case(
    r"et al\b|previous|other stud|future|longer|lost to|loss to|meta-analys|sample size|power|dropout|drop-out|attrition|assum"
)
LASTED = any_case(
    rf"(?P<a>{LENGTH}[- ](?:day|week|month|year)s?)(?: long)?[, ] ?(?:(?!(?:and|or|of|in|on|with|from|after|before|history)\b)[\w-]+,? ){{0,6}}?(?:trial|study|rct|intervention|treatment|program(?:me)?|supplementation|therapy|training)\b"
    rf"|\b(?:for|over|after|at|during)(?: a (?:total |period )?of| up to)?(?: the)?(?: first| next)?(?: baseline)?(?: (?:(?:and|to|or) )?{NUM},?(?: and| or| to)?){{0,6}} (?P<b>(?!\d+\.){LENGTH} ?(?:days|weeks|months|years|wk|mo))\b(?! (?:old|of age|ago|before|prior|earlier|preceding))"
)
"""How long a trial went on, where it does not speak of follow-up."""
OF_COURSE = ("random", "treat", "receiv", "interven", "baseline", "assess", "measur", "outcome", "evaluat", "trial")
OF_OUTCOMES = ("outcome", "assess", "measured", "evaluated", "collected")
NO_COURSE = any_case(
    r"\b(?:history|prior|previous\w*|past|last|at least|before|ago|aged?|old|every|each|born|gestation\w*|diagnos\w+|surviv\w+|inclusion|exclusion|eligib\w+|criteri\w+|recruit\w*|enrol\w*|recall|half-life|incidence|conducted|carried out|took place|study period|mean|median|differ\w+)\b|\bp ?[<=>]"
)
DAYS = {"hour": 1 / 24, "h": 1 / 24, "day": 1, "week": 7, "month": 365 / 12, "year": 365}
ALIKE = 1.02
"""A year is twelve months, and 52 weeks."""


def age(reading: Reading) -> Answer:
    """Mean or median age of all, as printed; a group's age is not that."""
    found = early(_overall(reading, AGE, ("age",)))
    return agreed(reading, found or list(_of_total(reading, AGE_LINE, AGE_CELL)))


def female_percent(reading: Reading) -> Answer:
    """Percentage of women among all, where it is printed; it is not worked out from that of men."""
    every = _overall(reading, FEMALE, ("women", "female", "girls"))
    found = [each for each in early(every) if _is_of_all(each.spot)] or [*_of_total(reading, FEMALE_LINE, FEMALE_CELL)]
    return agreed(reading, [Found(float(each.value), each.spot) for each in found])


def _of_total(reading: Reading, line: re.Pattern[str], cell: re.Pattern[str]) -> Iterator[Found]:
    """What tables have in the column that is of all, in the lines that begin so."""
    for heads, *rows in tables(reading):
        column = next((at for at, head in enumerate(heads) if TOTAL.match(head.text)), 0)
        for row in rows if column else ():
            match = line.match(row[0].text) and len(row) == len(heads) and cell.match(row[column].text)
            if match and (cell is AGE_CELL or "%" in row[0].sentence.text):
                spot = Spot(row[0].sentence, row[column].start + match.start("n"), row[column].start + match.end("n"))
                yield Found(spot.text, spot)


def _is_of_all(spot: Spot) -> bool:
    """Whether a share of women stands beside that of men or the word sex, or before the word; not in a table's row."""
    text = spot.sentence.text
    after = text[spot.end :].lstrip(" %)")
    row = after[:1].isdigit()
    return not row and (SEXES.search(text) is not None or after.startswith(("wom", "fem", "of", "were", "girl")))


def follow_up(reading: Reading) -> Answer:
    """How long participants were followed: the longest that the abstract says, or else the methods and results."""
    told = _followed(reading, FOLLOW_UP, (*reading.within("methods"), *reading.within("results")), longest=True)
    return _lasted(reading) if told["state"] == "not_found" and study_type(reading)["value"] == "rct" else told


def _lasted(reading: Reading) -> Answer:
    """How long the abstract, or else the methods, say that people were treated or looked at: the longest."""
    for sentences, words in ((reading.opening, OF_COURSE), (reading.within("methods"), OF_OUTCOMES)):
        own = (each for each in sentences if each.has(*words) and not NO_COURSE.search(each.text))
        spots = [Spot.of(each, match, match.lastgroup or 0) for each in own for match in LASTED.finditer(each.text)]
        if spots:
            longest = max(spots, key=lambda spot: _days(spot.text))
            return reported(reading, printed(reading, longest), longest)
    return not_found()


def follow_up_median(reading: Reading) -> Answer:
    """Median or mean follow-up, as printed."""
    return _followed(reading, MEDIAN_FOLLOW_UP, reading.within("results", "methods"))


def _overall(reading: Reading, pattern: re.Pattern[str], words: tuple[str, ...]) -> list[Found]:
    found = []
    for sentence in (*reading.opening, *reading.within("results", "methods")):
        if not sentence.has(*words) or PER_GROUP.search(sentence.text) or NOT_FOLLOW_UP.search(sentence.text):
            continue
        match = pattern.search(sentence.text)
        male = match and MALE.search(sentence.text[max(0, match.start() - 30) : match.start()])
        if match and not male and not TWO.match(sentence.text, match.end()):
            spot = Spot.of(sentence, match, match.lastgroup or 0)
            found.append(Found(printed(reading, spot).strip(" ,"), spot))
    return found


def recruited(reading: Reading, first: str, last: str) -> Answer:
    """The dates of the first sentence on recruitment; else those of one on the study's conduct, where all agree."""
    every = [(sentence, match) for sentence in reading.study for match in _periods(sentence)]
    strong = [(sentence, match) for sentence, match in every if RECRUITED_STRONG.search(sentence.text)]
    found = []
    for sentence, match in strong or every:
        spot = Spot(sentence, match.start(first), match.end(last))
        said = printed(reading, spot)
        # "June to July 2005": a beginning without a year has that of the end.
        found.append(Found(said if YEAR.search(said) else f"{said} {match['last'][-4:]}", spot))
    alike = {each.value.lower().replace(",", "") for each in found}
    return reported(reading, found[0].value, found[0].spot) if len(alike) == 1 else agreed(reading, found)


def _periods(sentence: Sentence) -> Iterator[re.Match[str]]:
    if not sentence.has("19", "20") or NOT_DATES.search(sentence.text) or sentence.has(" will "):
        return
    if RECRUITED.search(sentence.text):
        yield from PERIOD.finditer(sentence.text)


def _followed(
    reading: Reading, pattern: re.Pattern[str], later: Iterable[Sentence], *, longest: bool = False
) -> Answer:
    """What the opening says; where it says nothing, what later sentences do: one length in whatever unit, or the longest."""
    for sentences in (reading.opening, later):
        found = [each for sentence in sentences for each in _lengths(reading, sentence, pattern, longest=longest)]
        days = [_days(each.value) for each in found]
        if found and (longest or max(days) <= ALIKE * min(days)):
            most = found[days.index(max(days))]
            return reported(reading, most.value, most.spot)
        if found:
            return agreed(reading, found)
    return not_found()


def _days(said: str) -> float:
    """How long that is, by its first number and its unit."""
    *words, unit = re.findall(r"\d+(?:\.\d+)?|[a-z]+", said.lower())
    number = float(words[0]) if words[0][0].isdigit() else float(next(english(" ".join(words))))
    return number * DAYS[CANONICAL[unit]]


def _lengths(reading: Reading, sentence: Sentence, pattern: re.Pattern[str], *, longest: bool) -> Iterator[Found]:
    """The length that a sentence says; of visits in a row the last, where that is asked for. None of a bare list."""
    match = pattern.search(sentence.text) if sentence.has("follow") else None
    if not match or NOT_FOLLOW_UP.search(sentence.text):
        return
    spot = Spot.of(sentence, match, match.lastgroup or 0)
    more = AND_MORE.match(sentence.text, spot.end) if longest else None
    while more:
        spot = Spot.of(sentence, more, "last")
        more = AND_MORE.match(sentence.text, spot.end)
    if not re.match(r",? (?:and|or|,) ?\d", sentence.text[spot.end :]):
        yield Found(printed(reading, spot), spot)
