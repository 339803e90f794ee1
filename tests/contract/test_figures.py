"""A figure that stands twice is one figure: what the docs say of a number, held against the template and the code."""

import re

import pytest

from clinical.evidence.pages import KEPT_BYTES
from clinical.intake import text_recognition
from clinical.library.library_shapes import FILE_BYTES_MAX
from clinical.papers.jats import safe_xml
from clinical.papers.limits import LIMITS, MB
from sheaf.aggregator.sweeper_lease import LEASE_MS
from sheaf.api import bodies
from sheaf.protocol.provider_gate import LONGEST_MS
from sheaf.work_budget import WORK_MAX
from tests.support import stack_file

MADE = stack_file.load()
TOLD = stack_file.parameters(MADE)
PAGES = {
    str(path.relative_to(stack_file.ROOT)): path.read_text()
    for path in sorted(
        [
            *(stack_file.ROOT / page for page in ("README.md", "CONTRIBUTING.md")),
            *(stack_file.ROOT / "docs").glob("*.md"),
            *(stack_file.ROOT / "docs" / "guide").glob("*.md"),
        ]
    )
}
WORDS = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
]
N = rf"(\d[\d,]*|{'|'.join(WORDS)})"
DAY = 86_400


def page(module, name):
    """Seconds that the page waits, out of its source."""
    (found,) = re.findall(rf"const {name} = ([\d_]+);", (stack_file.ROOT / "web" / "src" / module).read_text())
    return int(found) // 1000


SAMPLES = [path for path in (stack_file.ROOT / "samples").iterdir() if path.suffix in {".txt", ".pdf", ".xml", ".nxml"}]
FIGURES = {
    rf"{N} sample papers": len(SAMPLES),
    rf"{N} papers into the project": len(SAMPLES),
    rf"rules read {N} papers": len(SAMPLES),
    rf"{N} alarms": len(stack_file.resources(MADE, "AWS::CloudWatch::Alarm")),
    rf"a file(?: is at most|:) {N} MB": FILE_BYTES_MAX // MB,
    rf"{N} MB(?:,| and) [\d,]+ pages": LIMITS.file_bytes // MB,
    rf"MB(?:,| and) {N} pages": LIMITS.pages,
    rf"{N} MB of text and": LIMITS.text_bytes // MB,
    rf"of text and {N} MB of it a page": LIMITS.page_bytes // MB,
    rf"{N} MB as an answer holds it": LIMITS.sent_bytes // MB,
    rf"{N} sections; ": LIMITS.sections,
    rf"{N} characters of a title": LIMITS.title_characters,
    rf"{N} million units": WORK_MAX // MB,
    rf"for one job, {N} MB of them": KEPT_BYTES // MB,
    rf"`text_too_large`; up to {N} MB": MADE["Parameters"]["ModelTextBytes"]["MaxValue"] // MB,
    rf"{N} MB of memory": LIMITS.memory_bytes // MB,
    rf"{N} s of processor time": LIMITS.cpu_seconds,
    rf"processor time, {N} s in all": int(LIMITS.wall_seconds),
    rf"{N} levels,": safe_xml.DEPTH_MAX,
    rf"levels, {N} elements": safe_xml.ELEMENTS_MAX,
    rf"the child's and has {N} MB": TOLD["IntakeMemoryMb"],
    rf"{N} documents a task": bodies.DOCUMENTS_MAX,
    rf"{N} MB a request": bodies.BODY_MAX // MB,
    rf"{N} open tasks and": TOLD["OpenTasksPerProject"],
    rf"{N} documents under way a project": TOLD["DocumentsPerProject"],
    rf"at\s+most {N} days for a provider": TOLD["RowDeadlineSeconds"] // DAY,
    rf"Messages wait for {N} days": TOLD["QueueRetentionSeconds"] // DAY,
    rf"messages {N}\s+days, dead": TOLD["QueueRetentionSeconds"] // DAY,
    rf"dead letters {N}, logs": TOLD["DeadLetterRetentionSeconds"] // DAY,
    rf"letters \d+, logs {N} days": TOLD["LogRetentionDays"],
    rf"looks for the result every {N} s": text_recognition.LOOK_SECONDS,
    rf"later every {N} minutes, for": text_recognition.LOOK_MAX_SECONDS // 60,
    rf"minutes, for {N} hours, holding": text_recognition.PATIENCE_MS // 3_600_000,
    rf"sent again after {N} minutes, or after two": TOLD["StallWindowSeconds"] // 60,
    rf"window that starts at {N} minutes": TOLD["StallWindowSeconds"] // 60,
    rf"at most {N} minutes later, opens each project": LONGEST_MS // 60_000,
    rf"is a lease of {N} s": LEASE_MS // 1000,
    rf"then every {N} s, one request": page("queries.ts", "POLL_MS"),
    rf"given up after {N} s and made": page("api.ts", "LOST_MS"),
    rf"every write after {N} s": page("api.ts", "GATEWAY_MS"),
    rf"asked again every {N} s, and": page("queries.ts", "RECOVER_MS"),
    rf"the gateway gives up\s+after {N}\)": MADE["Parameters"]["ApiTimeoutSeconds"]["MaxValue"],
}
"""Each figure of the docs, by the words around it, and what it is."""


def number(text):
    return WORDS.index(text) if text in WORDS else int(text.replace(",", ""))


@pytest.mark.parametrize("pattern", FIGURES)
def test_a_figure_is_what_the_template_or_the_code_has_when_the_docs_say_it(pattern):
    said = [(page, number(found)) for page, text in PAGES.items() for found in re.findall(pattern, text)]
    assert said, "nobody says this any more: take the line away"
    assert {value for _, value in said} == {FIGURES[pattern]}, said


def test_a_parameter_s_default_is_the_template_s_when_a_page_names_both():
    """`Name` (30) and `Name` of 10, wherever they stand."""
    said = [
        (page, name, number(value))
        for page, text in PAGES.items()
        for name, value in re.findall(rf"`([A-Z]\w+)`\s+(?:\(|of ){N}\b(?! times)", text)
        if name in TOLD
    ]
    assert len(said) > 2
    assert [each for each in said if TOLD[each[1]] != each[2]] == []


def test_what_is_taken_over_http_is_what_the_reader_takes_when_a_file_is_large():
    """One of them refused what the other let through: 50 MB here, 100 there."""
    assert LIMITS.file_bytes == FILE_BYTES_MAX


def test_a_parameter_or_resource_is_there_when_a_page_names_it():
    """A name in a page of operation that nothing bears sends its reader looking."""
    text = PAGES["docs/operating.md"] + PAGES["README.md"]
    named = set(re.findall(r"`([A-Z][a-z]+(?:[A-Z][a-z]+)+)(?:=[^`]*)?`", text))
    assert named
    assert named - set(TOLD) - set(MADE["Resources"]) == set()
