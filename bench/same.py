"""Whether a change of how papers are read left every row as it was: each paper in each built-in template, letter by letter.

    git archive COMMIT layers/sheaf | tar -x -C OLD
    DATA=/path/to/shared/data PYTHONPATH=layers/sheaf:client:functions/page python -m bench.same OLD/layers/sheaf

The samples, and every paper in the folder that DATA names. Both commits are given the text that this one reads.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from bench import papers
from bench.place import ROOT
from clinical.papers import reader

FORMS = {".nxml", ".xml", ".pdf", ".txt"}
ROWS = """
import json, sys
from pathlib import Path
from types import SimpleNamespace
from clinical.extract_paper.work import work
from sheaf.work_budget import Budget
for path in sorted(Path(sys.argv[1]).iterdir()):
    for pin in ("rct@1", "cohort@1", "qc@1"):
        job = SimpleNamespace(read=path.read_bytes, options={"template": pin}, project="", stored=None, ask=None, budget=Budget())
        print(json.dumps([path.name, pin, work(job).data]))
"""


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        _read_all(Path(folder))
        ours, theirs = (
            _rows(packages, folder) for packages in (ROOT / "layers" / "sheaf", Path(sys.argv[1]).resolve())
        )
    others = [mine[:60] for mine, other in zip(ours, theirs, strict=True) if mine != other]
    print(f"{len(ours) - len(others)} of {len(ours)} rows are the same.", *others, sep="\n")
    return 1 if others else 0


def _read_all(folder: Path) -> None:
    shared = papers.data()
    found = [*(ROOT / "samples").iterdir(), *(shared.rglob("*") if shared else ())]
    for number, path in enumerate(
        sorted(path for path in found if path.suffix in FORMS and "LICENSE" not in path.name)
    ):
        (folder / f"{number:03}-{path.name}").write_bytes(reader.read(path.read_bytes(), path.name).to_bytes())


def _rows(packages: Path, folder: str) -> list[str]:
    told = subprocess.run(
        [sys.executable, "-c", ROWS, folder],
        env={**os.environ, "PYTHONPATH": str(packages)},
        capture_output=True,
        check=True,
    )
    return told.stdout.decode().splitlines()


if __name__ == "__main__":
    sys.exit(main())
