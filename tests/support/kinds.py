"""Kinds of work laid over template.yaml: a block says what its kind has otherwise than `extract_paper`, whose block it gets.

ADR 32 says why; `tests/support/staging.py` makes of it what `sam` takes.
"""

import json
from pathlib import Path
from typing import Any

from local.settings import ROOT

BLOCKS = ROOT / "tests" / "kinds"
NAMES = sorted(path.stem for path in BLOCKS.glob("*.yaml"))
Tree = dict[str, Any]
KNOWN = ("ExtractPaper", "extract_paper", "extract-paper")
NOT_SHARED = tuple(f"ExtractPaper{part}" for part in ("Openai", "OpenaiKey", "Bedrock", "Inputs"))
"""What another kind does without, or says for itself."""


def block(name: str) -> Path:
    """Where a kind says what it has of its own."""
    return BLOCKS / f"{name}.yaml"


def laid(base: Tree, own: Tree) -> Tree:
    """The template with one more kind."""
    made: Tree = json.loads(json.dumps(base))
    kind = own["Kind"]
    for part in ("Parameters", "Resources"):
        kit = {name: each for name, each in made[part].items() if name.startswith(KNOWN[0]) and name not in NOT_SHARED}
        made[part] = merged(made[part], merged(_named(kit, kind), own.get(part, {})))
    line = made["Globals"]["Function"]["Environment"]["Variables"]["KINDS"]
    told = line["Fn::Sub"].split(", ")[0].rsplit(" ", 2)[0]
    line["Fn::Sub"] += f", {_named(told, kind)} {kind} {own.get('Desk', kind)}"
    mappings = made["Resources"]["ApiFunction"]["Properties"]["Environment"]["Variables"]["MAPPINGS"]
    mappings["Fn::Sub"] += f" {_named(mappings['Fn::Sub'].split()[0], kind)}"
    body = made["Resources"]["Dashboard"]["Properties"]["DashboardBody"]
    board = json.loads(body["Fn::Sub"])
    shown = [widget["properties"].get(part, []) for widget in board["widgets"] for part in ("metrics", "alarms")]
    for lines in shown:
        lines += [_named(line, kind) for line in lines if any(known in json.dumps(line) for known in KNOWN)]
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
