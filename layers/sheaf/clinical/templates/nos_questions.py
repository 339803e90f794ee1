"""The items of the Newcastle-Ottawa scale for cohorts, in our own words, each with its choices. Pure.

After Wells et al., Ottawa Hospital Research Institute, which is to be cited. Stars follow in `clinical.risk_of_bias.nos`.
"""

from collections.abc import Iterator

from clinical.templates.field_builders import one_of, under
from clinical.templates.fields import Field

ASKED = {
    "nos_selection": (
        ("nos_s1", "a b c d", "S1 Representativeness", "S1 暴露队列代表性",
         "Exposed people stand for the average in the community: a wholly, b fairly, c a special group, d not said."),
        ("nos_s2", "a b c", "S2 Unexposed people", "S2 非暴露队列选择",
         "Unexposed people come from: a the same community, b elsewhere, c not said."),
        ("nos_s3", "a b c d", "S3 Exposure known from", "S3 暴露确定",
         "a reliable records, b a structured interview, c what people wrote of themselves, d not said."),
        ("nos_s4", "a b", "S4 Outcome absent at start", "S4 起始无结局",
         "Shown that nobody had the outcome at the start: a yes, b no."),
    ),
    "nos_comparability": (
        ("nos_c1", "a b", "C1 Main confounder", "C1 控制最重要因素",
         "The most important confounder was controlled for: a yes, b no."),
        ("nos_c2", "a b", "C2 Further confounder", "C2 控制其他因素",
         "A further confounder was controlled for: a yes, b no."),
    ),
    "nos_outcome": (
        ("nos_o1", "a b c d", "O1 Outcome known from", "O1 结局评估",
         "a an independent, masked assessment, b record linkage, c what people said of themselves, d not said."),
        ("nos_o2", "a b", "O2 Long enough", "O2 随访足够",
         "Followed for long enough for the outcome to occur: a yes, b no."),
        ("nos_o3", "a b c d", "O3 Complete", "O3 随访完整",
         "a everybody followed up, b few lost and unlikely to matter, c many lost, d not said."),
    ),
}  # fmt: skip


def items() -> Iterator[Field]:
    """All nine, group by group."""
    for section, asked in ASKED.items():
        yield from under(section, *(one_of(*each) for each in asked))
