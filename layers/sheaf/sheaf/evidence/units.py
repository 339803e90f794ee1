"""Units that stand after a number, each in one spelling, so that mg is never taken for g. Pure."""

import re

SPELLINGS = {
    "kg": "kg kilogram kilograms",
    "g": "g gram grams",
    "mg": "mg milligram milligrams",
    "ug": "ug µg μg mcg microgram micrograms",
    "ng": "ng nanogram nanograms",
    "pg": "pg",
    "l": "l litre litres liter liters",
    "dl": "dl",
    "ml": "ml millilitre millilitres milliliter milliliters",
    "ul": "ul µl μl",
    "mol": "mol",
    "mmol": "mmol",
    "umol": "umol µmol μmol",
    "nmol": "nmol",
    "iu": "iu",
    "km": "km",
    "m": "m metre metres meter meters",
    "cm": "cm",
    "mm": "mm",
    "mmhg": "mmhg",
    "kcal": "kcal",
    "%": "% percent ％",
    "s": "s sec secs second seconds",
    "min": "min mins minute minutes",
    "h": "h hr hrs hour hours",
    "day": "d day days",
    "week": "wk wks week weeks",
    "month": "mo month months",
    "year": "y yr yrs year years",
}
CANONICAL = {spelling: unit for unit, spellings in SPELLINGS.items() for spelling in spellings.split()}
AFTER_NUMBER = re.compile(
    rf"\d\s?-?\s?({'|'.join(sorted(map(re.escape, CANONICAL), key=len, reverse=True))})(?![^\W\d_])", re.I
)
PER = re.compile(rf"/\s?({'|'.join(sorted(map(re.escape, CANONICAL), key=len, reverse=True))})(?![^\W\d_])", re.I)


def units_in(text: str) -> set[str]:
    """Every unit after a number or a stroke."""
    found = [*AFTER_NUMBER.findall(text), *PER.findall(text)]
    return {CANONICAL[unit.lower()] for unit in found}


def units_named(text: str) -> set[str]:
    """Every unit that the text names anywhere; a single letter is one only after a number or a stroke."""
    words = {word for word in re.findall(r"[^\W\d_]{2,}|%", text.lower()) if word in CANONICAL}
    return {CANONICAL[word] for word in words} | units_in(text)
