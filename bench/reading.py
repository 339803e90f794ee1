"""What reading a paper costs, how much of it is found, and what becomes of hostile files.

    python -m bench.reading FOLDER

measures the recall over another folder of pairs: NAME.pdf and NAME.xml (or .nxml) of the same article.
"""

import json
import re
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from xml.etree import ElementTree as ET

import pypdfium2

from bench.report import Line, paired
from clinical.papers import read_paper, reader
from sheaf.apart import wall
from sheaf.apart.isolation import environment
from sheaf.apart.reader_errors import NeedsOcr, Unreadable

ROOT = Path(__file__).resolve().parents[1]
SAMPLES, OTHERS = ROOT / "samples", ROOT / "tests" / "data"
PAIRS, ROUNDS, RUN = OTHERS / "pairs", 15, 5
TRUTH = ("./front/article-meta/abstract", "./body")
SILENT = {"tex-math", "graphic", "object-id", "label"}
ENDS = {"p", "title", "td", "th", "label", "caption", "list-item"}
# The child's own peak, not that of the process that starts it: an interpreter that starts nothing but one child.
PEAK = """
import resource, sys
from clinical.papers.read_paper import read_apart
read_apart(open(sys.argv[1], "rb").read(), sys.argv[1])
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def bare(content: bytes) -> list[str]:
    """Each page's text as PDFium gives it: the least that any reader with this library does."""
    with closing(pypdfium2.PdfDocument(content)) as document:
        texts = []
        for number in range(len(document)):
            with closing(document[number]) as page, closing(page.get_textpage()) as text:
                texts.append(text.get_text_range())
        return texts


def overhead() -> Line:
    """All sample PDFs, mended, with sections and checks, over their bare text; turn by turn, in processor time: it waits for nothing."""
    papers = [path.read_bytes() for path in _files(".pdf")]

    def seconds(work: Callable[[bytes], object]) -> float:
        start = time.process_time()
        for content in papers:
            work(content)
        return time.process_time() - start

    ours: Callable[[bytes], object] = lambda content: reader.read(content, "")  # noqa: E731 - a name for a column
    seconds(bare), seconds(ours)
    return paired([(seconds(ours), seconds(bare)) for _ in range(ROUNDS)], "s", papers=len(papers))


def recall5(folder: Path = PAIRS) -> Line:
    """The publisher's 5-word runs (abstract and body with its tables) that our text of the PDF has."""
    found, bare_found, asked = 0, 0, 0
    each = {}
    for pdf in sorted(folder.glob("*.pdf")):
        xml = next(path for path in (pdf.with_suffix(".xml"), pdf.with_suffix(".nxml")) if path.exists())
        truth = [run for block in _blocks(xml.read_bytes()) for run in _runs(block)]
        ours = set(_runs(" ".join(page.text for page in reader.read(pdf.read_bytes(), pdf.name).pages)))
        plain = set(_runs(" ".join(bare(pdf.read_bytes()))))
        here = sum(run in ours for run in truth)
        each[pdf.stem] = here / len(truth)
        found, asked, bare_found = found + here, asked + len(truth), bare_found + sum(run in plain for run in truth)
    return Line(found / asked, "share", bare_found / asked, more={"runs": asked, "papers": list(each.values())})


def memory() -> Line:
    """Peak resident memory of the child for the sample that takes the most of the three largest."""
    largest = sorted(_files(".pdf", ".nxml", ".xml"), key=lambda path: path.stat().st_size)[-3:]
    return Line(max(_peak(path) for path in largest), "MB", more={"largest": largest[-1].stat().st_size})


def walled() -> Line:
    """Reading one sample of each kind apart, behind the wall, over the same without it; in processor time, the child's included."""
    papers = [_files(suffix)[0].read_bytes() for suffix in (".pdf", ".nxml", ".txt")]

    def seconds(how: str) -> float:
        start = _processor()
        for content in papers:
            read_paper.read_apart(content, "", walled=how)
        return _processor() - start

    seconds(wall.NONE), seconds(wall.REQUIRED)
    return paired([(seconds(wall.REQUIRED), seconds(wall.NONE)) for _ in range(ROUNDS)], "s", papers=len(papers))


def bombs() -> Line:
    """The share of hostile files that ended in the state they must end in, each read apart."""
    from tests.support.hostile import CASES  # noqa: PLC0415

    ended = {case.name: _state(case.make(), case.filename) == case.state for case in CASES}
    wrong = [name for name, right in ended.items() if not right]
    return Line(sum(ended.values()) / len(ended), "share", more={"files": len(ended), "wrong": wrong})


def _files(*suffixes: str) -> list[Path]:
    return sorted(path for folder in (SAMPLES, OTHERS) for path in folder.rglob("*") if path.suffix in suffixes)


def _processor() -> float:
    """Seconds that this process and its children have worked."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in used)


def _peak(path: Path) -> float:
    command = [sys.executable, "-c", PEAK, str(path)]
    told = subprocess.run(command, env=environment(), capture_output=True, text=True, check=True)
    return int(told.stdout) / (1_000_000 if sys.platform == "darwin" else 1_000)


def _state(content: bytes, filename: str) -> str:
    try:
        read_paper.read_apart(content, filename)
    except Unreadable:
        return "unreadable"
    except NeedsOcr:
        return "needs_ocr"
    return "ready"


def _blocks(xml: bytes) -> Iterator[str]:
    """The publisher's text, taken from the XML by other means than ours: paragraphs, titles and rows."""
    article = ET.fromstring(xml)  # noqa: S314 - our own samples
    for path in TRUTH:
        for part in article.findall(path):
            for block in part.iter():
                if block.tag in {"p", "title", "tr"}:
                    yield "".join(_texts(block))


def _texts(element: ET.Element) -> Iterator[str]:
    yield element.text or ""
    for child in element:
        if child.tag not in SILENT:
            yield from _texts(child)
        yield " " if child.tag in ENDS else ""
        yield child.tail or ""


def _runs(text: str) -> list[tuple[str, ...]]:
    words: Sequence[str] = re.findall(r"[^\W_]+", text.lower())
    return [tuple(words[at : at + RUN]) for at in range(len(words) - RUN + 1)]


if __name__ == "__main__":
    print(json.dumps({"folder": sys.argv[1]}))
    print(recall5(Path(sys.argv[1])).shown("pdf.recall5", ok=True))
