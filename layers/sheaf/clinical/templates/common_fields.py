"""Fields that a trial and a cohort study have in common. Pure."""

from clinical.templates.field_builders import count, number, text, texts, under
from clinical.templates.fields import Field

OPEN_SCIENCE = under("open_science",
    texts("registration_ids", "Registration", "注册号", "Identifiers of this study in a register: NCT, ISRCTN, ChiCTR, ACTRN, UMIN, EudraCT and the like."),
    text("funding", "Funding", "资助", "Who paid for the study, and what part they had in it."),
    text("conflicts", "Conflicts of interest", "利益冲突", "What the authors declare, or that they declare none."),
)  # fmt: skip
PLACES = under("participants",
    texts("countries", "Countries", "国家", "Countries in which participants were recruited."),
    count("n_sites", "Sites", "中心数", "How many centres recruited."),
    text("setting", "Setting", "场所", "Where: hospital, primary care, community, intensive care and so on."),
)  # fmt: skip


def citation(*more: Field) -> tuple[Field, ...]:
    return under("citation",
        text("title", "Title", "题目", "The paper's title as it is printed."),
        text("doi", "DOI", "DOI", "The paper's own DOI, not one of its references."),
        count("year", "Year", "年份", "Year of publication."),
        text("journal", "Journal", "期刊", "The journal's name as the paper gives it."),
        text("first_author", "First author", "第一作者", "Family name of the first author, with initials if given."),
        *more,
    )  # fmt: skip


def baseline(age: str) -> tuple[Field, ...]:
    return under("baseline",
        text(age, "Age", "年龄", "Mean or median age of all participants with its spread, as printed."),
        number("female_percent", "Female, %", "女性比例", "Share of women among all participants, in percent."),
        text("baseline_notes", "Baseline notes", "基线", "What else describes the participants at the start, or sets the groups apart."),
    )  # fmt: skip
