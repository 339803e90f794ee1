"""The rules against those of the commit that the bound is from: papers a second of one core, by turns in one run.

Each turn is a process of its own that reads the papers, answers once unmeasured, and then measures: the other commit's packages
are taken out of git into a folder that goes again.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

from bench import papers
from bench.place import ROOT
from bench.report import Line, paired

SINCE = "817f235e4df0e8266579b5e04d42aebd9c0ac25d"
"""Before the rules had an index of a paper's words (docs/adr/0054)."""
RATIO_MIN, PAPERS_MIN = 2.0, 28
"""Against that commit; and a second on a quiet machine."""
TURNS = 5
TIMED = """
import sys, time
from pathlib import Path
from clinical import rules
from clinical.papers import reader
read = [reader.read(Path(each).read_bytes(), Path(each).name) for each in sys.argv[1:]]
for paper in read:
    rules.answer(paper, list(rules.RULES))
begun = time.process_time()
for paper in read:
    rules.answer(paper, list(rules.RULES))
print(len(read) / (time.process_time() - begun))
"""


def papers_per_second() -> Line:
    """Ours and theirs; the ratio is the median of neighbouring pairs."""
    named = [str(known.path) for known in papers.known()]
    with tempfile.TemporaryDirectory() as folder:
        packed = subprocess.run(["git", "archive", SINCE, "layers/sheaf"], cwd=ROOT, capture_output=True, check=True)  # noqa: S607
        subprocess.run(["tar", "-x", "-C", folder], input=packed.stdout, check=True)  # noqa: S607
        then = Path(folder) / "layers" / "sheaf"
        pairs = [(_turn(ROOT / "layers" / "sheaf", named), _turn(then, named)) for _ in range(TURNS)]
    return paired(pairs, "papers/s", papers=len(named), since=SINCE[:7])


def is_fast(line: Line) -> bool:
    return line.ratio is not None and line.ratio >= RATIO_MIN and line.value >= PAPERS_MIN


def _turn(packages: Path, named: list[str]) -> float:
    told = subprocess.run(
        [sys.executable, "-c", TIMED, *named], env={"PYTHONPATH": str(packages)}, capture_output=True, check=True
    )
    return float(told.stdout)
