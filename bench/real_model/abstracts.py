"""The abstracts that a small model reads: of the samples, and of the papers in DATA."""

from bench import papers
from bench.papers import Known
from clinical.engines import splitting

CHARS = 2_500


def of(paper: Known) -> str:
    return "\n".join(page.text for page in splitting.abstract(paper.read(), CHARS))


def of_samples() -> dict[str, str]:
    return {each.name: of(each) for each in papers.samples()}
