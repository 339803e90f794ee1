"""Papers with known answers: the samples in this repository, and those in the folder that DATA names.

A paper is in the development half or the held half by a hash of its name, so that nobody chose; the rules were made with
the first half alone. Who knew the answers: publishers (DOI, year), annotators (group sizes), and a machine that read the
papers (everything in bench/gold; a disagreement with it is to be looked at, not counted blindly).
"""

import hashlib
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.place import ROOT
from clinical.papers import Paper, reader

GOLD = ROOT / "bench" / "gold"


@dataclass(frozen=True)
class Known:
    """A paper, and what is known of it."""

    name: str
    path: Path
    side: str
    answers: dict[str, Any] = field(default_factory=dict)
    groups: tuple[tuple[int, int], ...] = ()
    """Sizes of the two groups of each result that annotators took down."""

    def read(self) -> Paper:
        return reader.read(self.path.read_bytes(), self.path.name)


def side(name: str) -> str:
    """Which half a paper is in, by its name without the ending."""
    return "held" if int(hashlib.sha256(name.encode()).hexdigest(), 16) % 2 else "development"


def data() -> Path | None:
    """The folder with the shared papers; None where none is named."""
    named = os.environ.get("DATA")
    return Path(named) if named else None


def known() -> list[Known]:
    """All papers there are: with DATA the shared ones, else the samples."""
    folder = data()
    return list(_shared(folder)) if folder else list(samples())


def samples() -> Iterator[Known]:
    for told in _lines(GOLD / "samples.jsonl"):
        (path,) = (ROOT / "samples").glob(f"{told['paper']}.*")
        yield Known(told["paper"], path, "samples", told)


def _shared(folder: Path) -> Iterator[Known]:
    read = {told["paper"]: told for name in ("development", "held") for told in _lines(GOLD / f"{name}.jsonl")}
    groups = _groups(folder)
    for told in json.loads((folder / "rct_jats" / "metadata_from_jats.json").read_text()):
        name = told["pmcid"]
        ids = [*told["registration_regex_abstract"], *told["registration_regex_body"]]
        published = {"doi": told["doi"], "year": int(told["year"]), "registration_ids": list(dict.fromkeys(ids))}
        path = folder / "rct_jats" / "nxml" / f"{name}.nxml"
        yield Known(name, path, side(name), published | read.get(name, {}), groups.get(name, ()))
    for told in json.loads((folder / "pdf" / "gold_ai_read.json").read_text())["documents"]:
        name = Path(told["file"]).stem
        ids = [each.removeprefix("EudraCT ") for each in told["registration_ids"]]
        by_reading = {"doi": told["doi"], "year": told["year"], "registration_ids": ids}
        counted = {"n_randomised": told.get("n_randomised")}
        yield Known(name, folder / told["file"], side(name), by_reading | read.get(name, {}) | counted)


def _groups(folder: Path) -> dict[str, tuple[tuple[int, int], ...]]:
    found: dict[str, list[tuple[int, int]]] = {}
    for told in _lines(folder / "rct_jats" / "numeric_results.jsonl"):
        sizes = told["intervention_group_size"], told["comparator_group_size"]
        if all(isinstance(size, int) for size in sizes):
            found.setdefault(f"PMC{told['pmcid']}", []).append(sizes)
    return {name: tuple(sizes) for name, sizes in found.items()}


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
