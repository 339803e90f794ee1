"""What was found: primary outcomes, and each estimate, interval and p value with its sentence. Pure."""

import re
from collections.abc import Iterator, Sequence

from clinical.rules.answers import Answer, Found, Spot, items_below, not_found, printed, tabled
from clinical.rules.text import Reading, Sentence, any_case

NUM = r"-?\d{0,6}(?:\.\d{1,8}|\d)"
NAMED = (
    r"\b%s (?:\w+ ){0,2}?(?:outcomes?|end ?-?points?|variables?)(?: measures?| variables?| criteri\w+)?(?:,? [^.;:,]{0,40}?,)? ?"
    r"(?:(?:of|for) (?:the|this|our) (?:study|trial|child|mother) )?(?:(?:was|were|is|are|will be) (?:as follows: ?|defined as |designated as |assessed (?:as|by) |measured (?:as|by) )?|included? |comprised |encompassed |:|=|- )(?P<name>.{4,600})"
)
IS_NAMED = r"^(?P<name>.{4,200}?) (?:was|were|served as|is|are|will be) (?:defined as |chosen as |considered (?:as )?|used as |selected as |designated as )?(?:the |our |a )?%s (?:\w+ ){0,2}?(?:outcomes?|end ?-?points?)\b"
RANKS = {
    rank: (any_case(NAMED % words), any_case(IS_NAMED % words))
    for rank, words in (("primary", "(?:co-)?primary"), ("secondary", "(?:(?:key|other|main) )?secondary"))
}
NOT_PRIMARY = any_case(r"(?:for the|\ball(?: the)?) (?:co-)?(?:primary|secondary)|et al\b|previous|no (?:significant )?differ|significant(?:ly)?\b|power|sample size|analy[sz]ed|analysis of|adjust|missing|compared using|p ?[<=]|not (?:met|reached|different|change)|similar|blind|imput")  # fmt: skip
STARTS_BADLY = any_case(r"^(?:as follows|analy|assessed|compar|tested|calculated|evaluated|available|obtained|also|not|similar|met|reached|based|missing|observed)")  # fmt: skip
SECONDARIES = any_case(r"\bsecondary (?:\w+ ){0,2}?(?:outcomes?|end ?-?points?|variables?)\b[^.;]{0,120}:$")
CUT = {
    "primary": any_case(r"[;]|(?<!\d)\. |, (?:and )?(?:the )?secondary|\band secondary\b|\bsecondary (?:outcome|end)|, (?:whereas|while|which)\b"),
    "secondary": any_case(r"(?<!\d)\. |,? and (?:the )?primary\b|, (?:the )?primary\b|\bprimary (?:outcome|end)|, (?:whereas|while)\b"),
}  # fmt: skip
CI = any_case(rf"(?:95|90|99)(?:\.0)? ?%,? ?(?:CI|C\.I\.|confidence intervals?)(?: ?\(?CI\)?)?[ :=,(\[]{{0,4}}(?:from |of |was |were )?(?P<low>{NUM}) ?%?(?: to | - |-|, ?|; ?|,| and )(?P<high>{NUM})")  # fmt: skip
MEASURE = re.compile(
    r"\b(?P<measure>adjusted (?:hazard|odds|risk|rate) ratio|hazard ratios?|odds ratios?|risk ratios?|relative risks?|rate ratios?|risk differences?|mean differences?|(?:between[- ]group |absolute |treatment )differences?|a?HR|a?OR|RR|IRR|SMD|MD|RD)\b"
    rf"(?P<gap>[^\d;.<>]{{0,40}}?)(?P<estimate>{NUM})(?![\d.]* ?%? ?(?:CI|confidence))",
)
P_VALUE = re.compile(r"\b(?:p|P)(?:-| )?(?:values?|trend|interaction)? ?(?:of |was |: ?)?(?P<p>[<>=≤≥] ?0?\.\d{1,8}|= ?1(?:\.0{1,3})?|[<>=≤≥] ?\d\.\d{1,2} ?[x×] ?10 ?-\d{1,2})")  # fmt: skip
THRESHOLD = any_case(r"consider\w*|significance level|level of significance|statistical(?:ly)? significan\w+ (?:was|is) (?:set|defined|accepted|taken)|set at|two-(?:sided|tailed) p|threshold|was (?:deemed|regarded|taken)|\*\s?p|sample size")  # fmt: skip
REACH = 90
RESULTS_MAX = 80
NAME_MIN, NAME_MAX = 4, 400


def primary_outcomes(reading: Reading) -> Answer:
    """What the paper calls primary, in its own words; the first sentence of the abstract or the methods that names it."""
    later = reading.within("front", "other", "introduction")
    found = (_named(reading, each, "primary") for each in (*reading.abstract, *reading.within("methods"), *later))
    return tabled(reading, [*filter(None, found)][:1])


def secondary_outcomes(reading: Reading) -> Answer:
    """What the methods call secondary, sentence by sentence; failing that, the abstract."""
    for sentences in (reading.within("methods", "other"), reading.opening):
        found = [each for number in range(len(sentences)) for each in _secondary(reading, sentences, number)]
        if found:
            return tabled(reading, found)
    return not_found()


def _secondary(reading: Reading, sentences: Sequence[Sentence], number: int) -> Iterator[Found]:
    if SECONDARIES.search(sentences[number].text):
        for spot in items_below(sentences[number + 1 :]):
            yield Found({"name": printed(reading, spot)[:NAME_MAX].rstrip(" .,;")}, spot)
    elif found := _named(reading, sentences[number], "secondary"):
        yield found


def results(reading: Reading) -> Answer:
    """Each interval with its estimate, and each p value, of the abstract and the results; with the sentence, not the outcome."""
    found: list[Found] = []
    for sentence in (*reading.abstract, *reading.within("results")):
        if sentence.has("%", "p", "ci") and not THRESHOLD.search(sentence.text):
            found += _values(sentence)
    return tabled(reading, found[:RESULTS_MAX])


def _named(reading: Reading, sentence: Sentence, rank: str) -> Found | None:
    patterns = RANKS[rank] if sentence.has(rank) else ()
    match = next(filter(None, (pattern.search(sentence.text) for pattern in patterns)), None)
    if not match or NOT_PRIMARY.search(sentence.text[: match.end()]):
        return None
    words = CUT[rank].split(match["name"], maxsplit=1)[0]
    words = words if len(words) <= NAME_MAX else words[:NAME_MAX].rpartition(" ")[0]
    spot = Spot(sentence, match.start("name"), match.start("name") + len(words))
    name = printed(reading, spot).strip(" .,:")
    if len(name) < NAME_MIN or STARTS_BADLY.search(name):
        return None
    return Found({"name": name}, spot)


def _values(sentence: Sentence) -> Iterator[Found]:
    taken = 0
    for interval in CI.finditer(sentence.text):
        told: dict[str, str | float] = {"ci_low": float(interval["low"]), "ci_high": float(interval["high"])}
        before = list(MEASURE.finditer(sentence.text, max(taken, interval.start() - REACH), interval.start()))
        if before:
            told |= {"effect_measure": before[-1]["measure"], "estimate": float(before[-1]["estimate"])}
        after = P_VALUE.search(sentence.text, interval.end(), interval.end() + REACH // 2)
        if after:
            told["p_value"] = _p(after)
        start, taken = before[-1].start() if before else interval.start(), after.end() if after else interval.end()
        yield Found(told, Spot(sentence, start, taken))
    for p_value in P_VALUE.finditer(sentence.text, taken):
        yield Found({"p_value": _p(p_value)}, Spot.of(sentence, p_value))


def _p(match: re.Match[str]) -> str:
    """As printed, but with a nought before the point."""
    return re.sub(r"(?<!\d)\.", "0.", match["p"].replace(" ", "")).removeprefix("=")
