"""Counts of people, as papers write them. Pure."""

from clinical.evidence.quantities.counts import COUNT

PEOPLE = (
    r"(?:patients?|participants?|subjects?|volunteers?|wom[ae]n|m[ae]n|males?|females?|adults?|children|adolescents?|"
    r"infants?|newborns?|neonates?|boys?|girls?|mothers?|individuals?|persons?|people|students?|pupils?|residents?|"
    r"couples?|parents?|players?|athletes?|nurses?|veterans?|smokers?|workers?|parturients?|pregnancies|cases|controls|"
    r"respondents?|employees|eyes|teeth|knees|hips|households|families|dyads|candidates|recruits|outpatients?|inpatients?|survivors?|caregivers?|users|"
    r"physicians|recipients?|donors?|men and women|runners|cyclists|soldiers|toddlers|"
    r"animals|rats|mice|rabbits|dogs|pigs|piglets|sheep|goats|cows|calves|horses|cats)\b"
)
ADJECTIVES = r"(?:(?!(?:of|were|was|and|per|in|at|from|for|with|to|or|by|on|years?|months?|weeks?|days?|hours?|mg|ml|kg)\b)[^\W\d_][\w/'()-]*,? ){0,6}?"
CLASS = r"(?:(?:ASA|American Society of Ana?esthesi\w+)\b[^.;:()]{0,60}? )?"
"""An anaesthetist's class of patients, which has "of" and "and" in it."""
GROUP = rf"(?P<n>{COUNT}) {CLASS}{ADJECTIVES}{PEOPLE}"
"""So many patients."""
