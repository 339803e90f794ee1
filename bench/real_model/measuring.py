"""What a real model's answers are worth, through the engine `openai` of a whole deployed stack, one question at a time."""

import json
import os
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench import papers
from bench.real_model import abstracts, hostile, recorded, serving
from local import demo, stack
from local.ministack import emulator
from sheaf_client import following
from tests.support.recorded import FIELDS, template_of

if TYPE_CHECKING:
    from sheaf_client.api import Sheaf

EMULATOR_PORT = 4735
FEW_PAPERS, FEW_HOSTILE = int(os.environ.get("PAPERS") or 12), 5
FULL_FACTS = 7  # papers that are asked for many fields: half an hour for more would tell little more
FEW_FIELDS = ("n_randomised", "design", "masking", "countries", "registration_ids")
COUNT = ("n_randomised",)
Rows = dict[str, dict[str, Any]]


class Reading:
    """The deployed stack, asked by its API as everybody asks it."""

    def __init__(self, folder: Path, url: str) -> None:
        self.folder = folder
        given = {"OpenaiUrl": url, "OpenaiModel": serving.MODEL, "ModelAsks": "questions", "OpenaiWindowTokens": "8192"}
        given |= {"ModelCallSeconds": "600", "ExtractPaperTimeoutSeconds": "900", "OpenaiPrice": "0/0/0"}
        emulator.start(folder / "home", port=EMULATOR_PORT, say=_quiet)
        stack.deploy(folder=folder / "home", parameters=given, name="model", say=_quiet)
        self.api: Sheaf = demo.user(folder / "home")
        self.base = self.api.new_knowledge_base("Read by a real model")["knowledgeBaseId"]

    def rows(self, files: Mapping[str, bytes], fields: tuple[str, ...]) -> Rows:
        """What was read of each file."""
        paths = [self.folder / name for name in files]
        for path in paths:
            path.write_bytes(files[path.name])
        sent = following.put(self.api, self.base, paths)
        ids = {
            each["documentId"]: path.name for each, path in zip(sent, paths, strict=True) if following.is_ready(each)
        }
        if len(ids) < len(files):
            print(f"{len(files) - len(ids)} files could not be read.", file=sys.stderr)
        template = template_of(self.api.ask, fields)
        asked: Any = {"templateId": template, "documentIds": list(ids), "engine": "openai", "mostAtWork": 1}
        following.follow(self.api, (task := self.api.submit(asked)["taskId"]))
        found: Any = self.api.results(task)
        return {ids[row["documentId"]]: row for row in found}


def _quiet(_line: str) -> None:
    """What the deployment says is not what is measured."""


def cells(rows: Rows) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for name, row in rows.items():
        for field, value in ((row["extractedData"] or {}).get("fields") or {}).items():
            yield name, field, value


def counted(rows: Rows, gold: Mapping[str, Any]) -> dict[str, Any]:
    """Of those whose count is known."""
    known = [(value, gold[name]) for name, field, value in cells(rows) if field == COUNT[0] and gold.get(name)]
    answered = [(value, wanted) for value, wanted in known if value["value"] is not None]
    right = sum(_is(value["value"], wanted) for value, wanted in answered)
    found = [(value, wanted) for value, wanted in answered if value["state"] == "found"]
    wrong = sum(not _is(value["value"], wanted) for value, wanted in found)
    share = {"value": right / max(1, len(answered)), "wrong_and_found": wrong / max(1, len(known))}
    return {
        **share,
        "papers": len(known),
        "answered": len(answered),
        "right": right,
        "borne_out": len(found),
        "of_those_wrong": wrong,
    }


def _is(value: Any, wanted: Any) -> bool:
    return value in wanted if isinstance(wanted, list) else value == wanted


def spent(rows: Rows, model: serving.Served) -> dict[str, Any]:
    used = [row["extractedData"]["usage"] for row in rows.values() if row["extractedData"]]
    calls = sum(each["calls"] for each in used)
    timed = [each.replied["timings"] for each in model.said if "timings" in each.replied]
    speeds = {name: _median([each[f"{name}_per_second"] for each in timed]) for name in ("prompt", "predicted")}
    tokens = sum(each["inputTokens"] + each["outputTokens"] + each["cachedTokens"] for each in used)
    per = {"calls_a_paper": calls / max(1, len(used)), "tokens_a_paper": tokens / max(1, len(used))}
    return {"value": calls, **per, **{f"{name}_tokens_per_second": speed for name, speed in speeds.items()}}


def _median(values: list[float]) -> float:
    return sorted(values)[len(values) // 2] if values else 0.0


@cache
def measured(*, is_full: bool) -> dict[str, dict[str, Any]]:
    """Each figure by its name; printed as soon as it is known."""
    figures: dict[str, dict[str, Any]] = {}

    def tell(name: str, told: Mapping[str, Any]) -> None:
        figures[name] = {key: round(value, 4) if isinstance(value, float) else value for key, value in told.items()}
        print(json.dumps({"name": name} | figures[name]), file=sys.stderr, flush=True)

    shared = papers.known() if papers.data() and is_full else []
    texts = abstracts.of_samples()
    samples = {f"{name}.txt": text.encode() for name, text in [*texts.items()][: FULL_FACTS if is_full else FEW_PAPERS]}
    gold = {f"{each.name}.txt": each.answers.get(COUNT[0]) for each in [*papers.samples(), *shared]}
    planted = dict(hostile.papers(texts))
    if not is_full:
        planted = dict([*planted.items()][:: hostile.COUNT // FEW_HOSTILE])
    folder = Path(tempfile.mkdtemp(prefix="sheaf-model-"))
    try:
        with serving.served() as model:
            reading = Reading(folder, model.url)
            facts = reading.rows(samples, FIELDS if is_full else FEW_FIELDS)
            tell("model.facts", counted(facts, gold) | Counter(value["state"] for *_, value in cells(facts)))
            tell("model.calls", spent(facts, model))
            misled = reading.rows(planted, COUNT)
            told = [(name, value) for name, _, value in cells(misled)]
            false = [name for name, value in told if value["state"] == "found" and value["value"] == hostile.FALSE]
            states = Counter(value["state"] for _, value in told)
            tell("model.injection", {"value": len(false), "papers": len(misled), "false": false, **states})
            if os.environ.get("RECORD"):
                recorded.write(model.said, {"facts": facts, "hostile": misled})
            for side, name in (("development", "model.development"), ("held", "model.n_randomised")):
                some = [each for each in shared if each.side == side and each.answers.get(COUNT[0])]
                if some:
                    files = {f"{each.name}.txt": abstracts.of(each).encode() for each in some}
                    tell(name, counted(reading.rows(files, COUNT), gold))
    finally:
        emulator.stop(folder / "home", seconds=60)
        shutil.rmtree(folder)
    return figures
