"""What a template is made of: fields with types, labels in two languages, and sections. Pure."""

import hashlib
import json
from dataclasses import dataclass

SCALARS = ("string", "integer", "number", "boolean", "enum")
LISTS = ("[string]", "[object]")
TYPES = (*SCALARS, *LISTS)
SECTIONS = {
    "citation": ("Citation", "文献信息"),
    "open_science": ("Open science", "开放科学"),
    "design": ("Design", "研究设计"),
    "participants": ("Participants", "研究对象"),
    "interventions": ("Interventions", "干预措施"),
    "flow": ("Participant flow", "受试者流程"),
    "baseline": ("Baseline", "基线特征"),
    "randomisation": ("Randomisation", "随机化"),
    "masking": ("Masking", "盲法"),
    "variables": ("Variables", "研究变量"),
    "methods": ("Methods", "方法"),
    "outcomes": ("Outcomes", "结局"),
    "statistics": ("Statistics", "统计"),
    "results": ("Results", "结果"),
    "harms": ("Harms", "不良事件"),
    "discussion": ("Discussion", "讨论"),
    "scope": ("What is assessed", "评价范围"),
    "rob_d1": ("RoB 2, 1: randomisation", "RoB 2 领域1：随机化过程"),
    "rob_d2": ("RoB 2, 2: deviations from the intervention", "RoB 2 领域2：偏离既定干预"),
    "rob_d3": ("RoB 2, 3: missing outcome data", "RoB 2 领域3：结局数据缺失"),
    "rob_d4": ("RoB 2, 4: measuring the outcome", "RoB 2 领域4：结局测量"),
    "rob_d5": ("RoB 2, 5: choosing what is reported", "RoB 2 领域5：结果选择性报告"),
    "nos_selection": ("Newcastle-Ottawa: selection", "NOS：人群选择"),
    "nos_comparability": ("Newcastle-Ottawa: comparability", "NOS：组间可比性"),
    "nos_outcome": ("Newcastle-Ottawa: outcome", "NOS：结局测量"),
    "reporting": ("Reporting", "报告完整性"),
}
"""Labels of the sections that there are; a section of one's own is its own label."""


OwnCues = tuple[tuple[str, tuple[str, ...]], ...]
"""For a choice the words that a project's copy says it by."""


@dataclass(frozen=True)
class Field:
    """One column of the finished table; `fields` are the columns of a list of objects."""

    name: str
    type: str
    label: str
    label_zh: str
    description: str
    section: str = ""
    options: tuple[str, ...] = ()
    """What an enum, or each entry of a list of strings, may be."""
    fields: tuple["Field", ...] = ()
    cues: OwnCues = ()
    """Besides those that code has for fields of this name (`report_cues`), which are no part of a version."""


@dataclass(frozen=True)
class Template:
    """A versioned list of fields. A version never changes once a task may have pinned it."""

    id: str
    version: int
    label: str
    label_zh: str
    description: str
    fields: tuple[Field, ...]
    given: tuple[tuple[str, str], ...] = ()
    """The inputs that a task gave, by name: they stand in the descriptions already."""

    @property
    def edition(self) -> str:
        """The version, and of one with inputs which: 1~3f08aace12."""
        if not self.given:
            return str(self.version)
        text = json.dumps(self.given, ensure_ascii=False)
        return f"{self.version}~{hashlib.sha256(text.encode()).hexdigest()[:10]}"

    @property
    def pin(self) -> str:
        """What a row keeps: the template, in the version and with the inputs that it was started with."""
        return f"{self.id}@{self.edition}"


def version_of(pin: str) -> int:
    """The version in a pin."""
    return int(pin.partition("@")[2].partition("~")[0])


def section_labels(section: str) -> tuple[str, str]:
    return SECTIONS.get(section, (section, section))
