"""Units that stand after a number, each in one spelling, so that mg is never taken for g, nor mg for mg/kg. Pure.

Texts come folded (`quantities.folded`): in small letters, with "mu" for µ.
"""

import re

SPELLINGS = """
kg kgs kilogram kilograms 千克 公斤
g gm gram grams 克
mg milligram milligrams 毫克
ug mug mcg microgram micrograms 微克
ng nanogram nanograms 纳克
pg picogram picograms
l litre litres liter liters 升
ml cc millilitre millilitres milliliter milliliters 毫升
ul mul microlitre microlitres microliter microliters 微升
umol mumol
mosm mosmol
u unit units
mu miu
m metre metres meter meters 米
m2 m^2
cm centimetre centimetres centimeter centimeters 厘米
mm millimetre millimetres millimeter millimeters 毫米
um mum
% percent pct
ms msec
s sec secs second seconds 秒
min mins minute minutes 分钟
h hr hrs hour hours 小时
day d days 天 日
week wk wks weeks 周 星期
month mo mos months 个月 月
year y yr yrs years 年 岁
"""
"""A unit a line, first as it is told."""
ALWAYS_SO = "dl mol mmol nmol pmol meq iu km nm mmhg kpa cmh2o gy cgy kcal kj hz khz mhz ma mv w ‰"
CANONICAL = {word: line.split()[0] for line in (*SPELLINGS.splitlines(), *ALWAYS_SO.split()) for word in line.split()}
TIMES = {"ms", "s", "min", "h", "day", "week", "month", "year"}
WORDS = "|".join(sorted(map(re.escape, CANONICAL), key=len, reverse=True))
ENDS = r"(?:(?<=[^a-z0-9])|(?![a-z0-9]))"
"""A unit in Latin letters ends where a word does; one in Chinese needs no end."""
UNIT = re.compile(rf"\s?-?\s?({WORDS}){ENDS}")
PER = re.compile(rf"\s?(?:/|\bper\b)\s?({WORDS}){ENDS}|\s?[·.]?\s?({WORDS})\s?\^?-1(?!\d)")
STROKE = re.compile(rf"/\s?({WORDS}){ENDS}")
WORD = re.compile(r"[^\W\d_]{2,}|[%‰]|[千公毫微升克米秒分小天日周星个月年岁]+")
SHARE = re.compile(r"(?<![\d ])%|(?<!\d) %|(?<!\d)(?<!\d )\bpercent|\bpercentages?\b|百分")


def unit_at(text: str, place: int) -> str | None:
    """The unit that a number has which ends here: with what it is per, except per a time, which is how often."""
    found = UNIT.match(text, place)
    if not found:
        return None
    unit, per = CANONICAL[found[1]], PER.match(text, found.end())
    while per:
        below = CANONICAL[per[1] or per[2]]
        unit = unit if below in TIMES else f"{unit}/{below}"
        per = PER.match(text, per.end())
    return unit


def named(text: str) -> frozenset[str]:
    """Every unit that the text names anywhere, also away from a number: the head of a table's column."""
    strokes = {CANONICAL[unit] for unit in STROKE.findall(text)}
    return frozenset(strokes | {CANONICAL[word] for word in WORD.findall(text) if word in CANONICAL} - {"%"})


def speaks_of_shares(text: str) -> bool:
    """Whether a percent sign or word stands free of any one number, as over a column."""
    return SHARE.search(text) is not None
