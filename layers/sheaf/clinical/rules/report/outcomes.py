"""What was found: primary outcomes, and each estimate, interval and p value with its sentence. Pure."""

import re
from collections.abc import Iterator

from clinical.rules.answers import Answer, Found, Spot, not_found, printed, tabled
from clinical.rules.text import Reading, Sentence, any_case

NUM = r"-?\d{0,6}(?:\.\d{1,8}|\d)"
PRIMARY = any_case(
    r"\b(?:co-)?primary (?:\w+ ){0,2}?(?:outcomes?|end ?-?points?)(?: measures?| variables?| criteri\w+)?(?:,? [^.;:,]{0,40}?,)? ?"
    r"(?:of (?:the|this|our) (?:study|trial) )?(?:(?:was|were|is|are|will be) (?:defined as |assessed (?:as|by) |measured (?:as|by) )?|included |comprised |:|=|- )(?P<name>.{4,300})"
)
IS_PRIMARY = any_case(
    r"^(?P<name>.{4,200}?) (?:was|were|served as|is|will be) (?:defined as |chosen as |considered (?:as )?|used as |selected as )?(?:the|our|a) (?:co-)?primary (?:\w+ ){0,2}?(?:outcomes?|end ?-?points?)\b"
)
NOT_PRIMARY = any_case(
    r"for the (?:co-)?primary|et al\b|previous|no (?:significant )?differ|significant(?:ly)?\b|power|sample size|analy[sz]ed|analysis of|adjust|missing|compared using|p ?[<=]|not (?:met|reached|different|change)|similar|blind|imput"
)
STARTS_BADLY = any_case(
    r"^(?:analy|assessed|compar|tested|calculated|evaluated|available|obtained|also|not|similar|met|reached|based|missing|observed)"
)
CUT = any_case(
    r"[;]|\. |, (?:and )?(?:the )?secondary|\band secondary\b|\bsecondary (?:outcome|end)|, (?:whereas|while|which)\b"
)
CI = any_case(
    rf"(?:95|90|99)(?:\.0)? ?%,? ?(?:CI|C\.I\.|confidence intervals?)(?: ?\(?CI\)?)?[ :=,(\[]{{0,4}}(?:from |of |was |were )?(?P<low>{NUM}) ?%?(?: to | - |-|, ?|; ?|,| and )(?P<high>{NUM})"
)
MEASURE = re.compile(
    r"\b(?P<measure>adjusted (?:hazard|odds|risk|rate) ratio|hazard ratios?|odds ratios?|risk ratios?|relative risks?|rate ratios?|risk differences?|mean differences?|(?:between[- ]group |absolute |treatment )differences?|a?HR|a?OR|RR|IRR|SMD|MD|RD)\b"
    rf"(?P<gap>[^\d;.<>]{{0,40}}?)(?P<estimate>{NUM})(?![\d.]* ?%? ?(?:CI|confidence))",
)
P_VALUE = re.compile(
    r"\b(?:p|P)(?:-| )?(?:values?|trend|interaction)? ?(?:of |was |: ?)?(?P<p>[<>=≤≥] ?0?\.\d{1,8}|= ?1(?:\.0{1,3})?|[<>=≤≥] ?\d\.\d{1,2} ?[x×] ?10 ?-\d{1,2})"
)
THRESHOLD = any_case(
    r"consider\w*|significance level|level of significance|statistical(?:ly)? significan\w+ (?:was|is) (?:set|defined|accepted|taken)|set at|two-(?:sided|tailed) p|threshold|was (?:deemed|regarded|taken)|\*\s?p|sample size"
)
REACH = 90
RESULTS_MAX = 80
NAME_MIN, NAME_MAX = 4, 200


def primary_outcomes(reading: Reading) -> Answer:
    """What the paper calls primary, in its own words; the first sentence of the abstract or the methods that names it."""
    later = reading.within("front", "other", "introduction")
    for sentence in (*reading.abstract, *reading.within("methods"), *later):
        found = _named(reading, sentence) if sentence.has("primary") else None
        if found:
            return tabled(reading, [found])
    return not_found()


def results(reading: Reading) -> Answer:
    """Each interval with its estimate, and each p value, of the abstract and the results; with the sentence, not the outcome."""
    found: list[Found] = []
    for sentence in (*reading.abstract, *reading.within("results")):
        if sentence.has("%", "p", "ci") and not THRESHOLD.search(sentence.text):
            found += _values(sentence)
    return tabled(reading, found[:RESULTS_MAX])


def _named(reading: Reading, sentence: Sentence) -> Found | None:
    match = PRIMARY.search(sentence.text) or IS_PRIMARY.search(sentence.text)
    if not match or NOT_PRIMARY.search(sentence.text[: match.end()]):
        return None
    words = CUT.split(match["name"], maxsplit=1)[0]
    spot = Spot(sentence, match.start("name"), match.start("name") + min(len(words), NAME_MAX))
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
