"""Where a paper's sections start, told by their headings. Pure.

A heading is a line of its own that says nothing but a known name, numbered or not; funding and conflicts may also
start a line. A structured abstract has headings of the same names: those belong to the abstract and are left out.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from clinical.papers import Page, Section
from clinical.papers.limits import LIMITS, Limits

NAMES: dict[str, str] = {
    "abstract": r"abstract|summary|a b s t r a c t|摘\s*要|【摘要】|synopsis",
    "introduction": r"introduction|background(?: and (?:aims?|objectives?|purpose|rationale))?|引\s*言|前\s*言|背\s*景",
    "methods": r"methods?(?: ?/ ?| and )(?:study )?design|(?:(?:materials?|patients?|subjects?|participants?|study design|design) (?:and|&) )?methods?"
    r"|methods? (?:and|&) (?:materials?|patients|design|analysis)|methodology|experimental section"
    r"|(?:subjects|patients|materials) and procedures?"
    r"|(?:资料|对象|材料|研究对象)(?:与|和)方法|方\s*法",
    "results": r"results?|findings|结\s*果",
    "discussion": r"discussions?|results? and discussions?|comment|讨\s*论",
    "conclusion": r"conclusions?|conclusions? and (?:perspectives?|recommendations?)|concluding remarks|interpretation|结\s*论",
    "references": r"references?|references and notes|bibliography|literature cited|works cited|参\s*考\s*文\s*献",
    "funding": r"funding(?: (?:sources?|information|statement|support))?|sources? of (?:funding|support)|financial (?:support|disclosures?)"
    r"|(?:the )?role of (?:the )?funding source|grants?(?: support)?|基金项目|资助",
    "conflicts": r"(?:competing|conflicts?(?: of)?|declarations? of|declarations? of (?:competing|conflicting)) interests?(?: statements?)?"
    r"|conflicts? of interests? disclosures?|disclosures?|duality of interest|利益冲突(?:声明)?",
    "other": r"acknowledge?ments?|author(?:s[’']?|[’']s?)? contributions?|contributors|abbreviations|data availability(?: statement)?"
    r"|availability of data and materials?|supplementary (?:materials?|data|information)|supporting information|appendix(?: \w)?"
    r"|ethics(?: approval| statement)?(?: and consent to participate)?|consent for publication|declarations|keywords|endnotes|footnotes",
}
# Spaces are taken once and for all (`*+`): a line of a million of them costs no more than its length.
NUMBER = r"(?:(?:\d{1,2}|[ivx]{1,4})(?:\.0|\.|[ \t]*+[|:)])?[ \t]++)?"
LINE = re.compile(
    rf"^[ \t■●•]*+{NUMBER}(?:"
    + "|".join(f"(?P<{kind}>{names})" for kind, names in NAMES.items())
    + r")[ \t]*+[:.：]?[ \t]*+$",
    re.I | re.M,
)
RUN_IN = re.compile(
    rf"^(?:(?P<funding>{NAMES['funding']})|(?P<conflicts>{NAMES['conflicts']}))(?:[:.：][ \t]++|[ \t]++(?=(?:The|This|None|No)\b))(?=\S)",
    re.I | re.M,
)
OPENING = re.compile(
    r"^(Abstract|ABSTRACT|Summary|Background|BACKGROUND|Objectives?|OBJECTIVES?|Aims?|Purpose|PURPOSE|Importance|IMPORTANCE|Context)[:.](?: |$)",
    re.M,
)
MID_SENTENCE = re.compile(r"\A[\W\d_]*+[a-z]")
"""A line of one word within a sentence looks like a heading, but is not written like one."""
BODY = ("introduction", "methods", "results")
ABSTRACT_PAGES = 3


def find(pages: Sequence[Page]) -> tuple[Section, ...]:
    """The sections in the order of the text."""
    found = _without_the_abstracts_own(list(islice(_headings(pages), LIMITS.sections)))
    if not any(section.kind == "abstract" for section in found):
        found = [*_unnamed_abstract(pages, found), *found]
    return shortly(found)


def shortly(found: Sequence[Section], limits: Limits = LIMITS) -> tuple[Section, ...]:
    """As many as are shown, with titles that can be."""
    return tuple(replace(each, title=each.title[: limits.title_characters]) for each in found[: limits.sections])


def _unnamed_abstract(pages: Sequence[Page], found: Sequence[Section]) -> Iterator[Section]:
    """An abstract that has no heading but begins as structured ones do, before any section does."""
    first = min(((section.page, section.start) for section in found), default=(ABSTRACT_PAGES, 0))
    for page in pages[: ABSTRACT_PAGES - 1]:
        match = OPENING.search(page.text)
        if match and (page.number, match.start()) < first:
            yield Section(match[1], "abstract", page.number, match.start())
            return


def kind_of(title: str) -> str:
    """The kind of a section that its XML names; what is not known is `other`."""
    match = LINE.match(title.strip())
    return (match.lastgroup if match else None) or "other"


def _headings(pages: Sequence[Page]) -> Iterator[Section]:
    for page in pages:
        found = [*LINE.finditer(page.text), *RUN_IN.finditer(page.text)]
        for match in sorted(found, key=lambda each: each.start()):
            title = match[0].strip().rstrip(":.：").strip()
            if not MID_SENTENCE.match(title):
                yield Section(title, match.lastgroup or "other", page.number, match.start())


def _without_the_abstracts_own(found: list[Section]) -> list[Section]:
    """Of two "Methods", the first is the abstract's when the second comes later in the paper; so is what lies between."""
    repeated = [
        at
        for at, section in enumerate(found)
        if section.kind in BODY
        and section.page <= ABSTRACT_PAGES
        and any(section.kind == later.kind for later in found[at + 1 :])
    ]
    if not repeated:
        return found
    first, last = repeated[0], repeated[-1]
    own = {at for at in range(first, min(last + 2, len(found))) if found[at].kind in {"conclusion", "other"}}
    return [section for at, section in enumerate(found) if at not in own.union(repeated)]
