"""What a paper is about, where that is no study of its own: a review; and halves of data, which are divided by chance too. Pure."""

from clinical.rules.text import Reading, any_case

REVIEW = any_case(
    r"\b(?:systematic|scoping|umbrella|narrative|literature|rapid|integrative|critical|comprehensive|evidence) "
    r"(?:\w+ ){0,2}?(?:reviews?|overview)\b|\bmeta-?analy[st]\w*|\bmeta-?regression\b|\bpooled analys[ei]s\b"
    r"|\b(?:consensus|position) (?:document|statement|paper)\b|\bpractice guidelines?\b|[:-] ?an? (?!(?:retro|pro)spective|single|multi|chart|record|medical)(?:\w+ ){0,2}?(?<!chart )(?<!record )review\b"
)
ON_A_TRIAL = any_case(
    r"\b(?:survey|interviews?|focus groups?|qualitative (?:\w+ ){0,2}?(?:study|evaluation|research|analysis)|process evaluation|questionnaire study)\b[^.]{0,120}\b(?:trial|rct)\b"
)
"""A title of what those said who had been in a trial."""
A_TRIAL = any_case(
    r"\b(?:trial|rct|cohort study)\b(?![^.]{0,60}\b(?:data|level) (?:systematic|meta))|\bstudy protocol\b"
)
"""A title in the singular that names a study too: "a randomised trial and updated meta-analysis"."""
LIBRARY = any_case(
    r"\b(?:pubmed|medline|embase|scopus|web of science|cinahl|psycinfo|cochrane (?:\w+ ){0,6}?(?:library|register|central|database))\b"
)
OF_DATA = any_case(
    r"\b(?:training|development|derivation|validation|testing|discovery)[ -](?:\w+ )?(?:sets?|data ?sets?|cohorts?|subsets?|samples?)\b"
    r"|\btest (?:sets?|data ?sets?|cohorts?)\b|\bvalidation groups?\b|\btraining (?:\([^()]{0,40}\) )?and (?:validation|test)"
)
"""A sentence that divides data, to make a model with one part and try it on the other."""


def is_review(reading: Reading) -> bool:
    """Whether a paper is on other studies, or on having been in one: its title says so, or its abstract names two libraries or more."""
    titles = [each.text for each in reading.titles]
    if any((REVIEW.search(each) and not A_TRIAL.search(each)) or ON_A_TRIAL.search(each) for each in titles):
        return True
    return any(len({each.lower() for each in LIBRARY.findall(sentence.text)}) > 1 for sentence in reading.abstract)
