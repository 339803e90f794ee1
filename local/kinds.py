"""`python -m local.kinds FOLDER tests/kinds/count_words.yaml …`: template.yaml with more kinds of work, its sources beside it.

The folder is what `sam build`, `sam local invoke` and `sam deploy` take. A kind's block says what it has otherwise than
`extract_paper`, whose block it gets under its own name (ADR 32).
"""

import json
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from samcli.yamlhelper import yaml_parse

from local.settings import ROOT

Tree = dict[str, Any]
KNOWN = ("ExtractPaper", "extract_paper", "extract-paper")
NOT_SHARED = tuple(f"ExtractPaper{part}" for part in ("Openai", "OpenaiKey", "Bedrock", "Inputs"))
"""What another kind does without, or says for itself."""


def stage(folder: Path, blocks: Sequence[Path]) -> Path:
    """Fill an empty folder, each kind's module beside a worker and beside the API. Gives the template."""
    template = yaml_parse((ROOT / "template.yaml").read_text())
    for name in ("functions", "layers"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for path in blocks:
        template = laid(template, yaml_parse(path.read_text()))
        worker = shutil.copytree(folder / "functions" / "worker", folder / "functions" / path.stem)
        for place in (worker, folder / "functions" / "api"):
            shutil.copy2(path.with_suffix(".py"), place)
    staged = folder / "template.yaml"
    staged.write_text(json.dumps(template, indent=1))
    return staged


def laid(base: Tree, block: Tree) -> Tree:
    """The template with one more kind."""
    made: Tree = json.loads(json.dumps(base))
    kind = block["Kind"]
    for part in ("Parameters", "Resources"):
        kit = {name: each for name, each in made[part].items() if name.startswith(KNOWN[0]) and name not in NOT_SHARED}
        made[part] = merged(made[part], merged(_named(kit, kind), block.get(part, {})))
    line = made["Globals"]["Function"]["Environment"]["Variables"]["KINDS"]
    line["Fn::Sub"] += f", {_named(line['Fn::Sub'].split(', ')[0], kind)} {kind} {block.get('Desk', kind)}"
    body = made["Resources"]["Dashboard"]["Properties"]["DashboardBody"]
    board = json.loads(body["Fn::Sub"])
    for curves in (widget["properties"].get("metrics", []) for widget in board["widgets"]):
        curves += [_named(curve, kind) for curve in curves if KNOWN[0] in json.dumps(curve)]
    body["Fn::Sub"] = json.dumps(board)
    return made


def merged(base: Tree, more: Tree) -> Tree:
    """The base with the other laid over it, dictionary by dictionary."""
    deeper = {name: merged(base[name], each) for name, each in more.items() if isinstance(base.get(name), dict)}
    return {**base, **more, **deeper}


def _named(part: Any, kind: str) -> Any:
    """The same for another kind."""
    text = json.dumps(part).replace("functions/worker/", f"functions/{kind}/")
    for known, new in zip(KNOWN, names(kind), strict=True):
        text = text.replace(known, new)
    return json.loads(text)


def names(kind: str) -> tuple[str, str, str]:
    """A kind as resources, code and policies name it."""
    return kind.title().replace("_", ""), kind, kind.replace("_", "-")


if __name__ == "__main__":
    sys.stdout.write(f"{stage(Path(sys.argv[1]), [Path(each) for each in sys.argv[2:]])}\n")
