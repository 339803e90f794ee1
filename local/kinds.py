"""More kinds of work than template.yaml has, without a change to it: each is a block laid over `extract_paper`'s.

    python -m local.kinds FOLDER tests/kinds/count_words.yaml …

fills a folder with what `sam build`, `sam local invoke` and `sam deploy` take: a template, and the sources beside it.
"""

import json
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from samcli.yamlhelper import yaml_parse

from local.settings import ROOT

Template = dict[str, Any]
KNOWN: Final = "extract_paper"
NOT_SHARED: Final = ("Openai", "OpenaiKey", "Bedrock", "Inputs")
"""Parts of that kind's block that another kind does without, or says for itself."""


def load(path: Path) -> Template:
    """A template or a block as plain data, with the long names of CloudFormation's functions."""
    found: Template = json.loads(json.dumps(yaml_parse(path.read_text())))
    return found


def pascal(kind: str) -> str:
    return "".join(part.title() for part in kind.split("_"))


def laid(base: Template, block: Mapping[str, Any]) -> Template:
    """The template with one more kind: the known one's block under its name, changed as its own block says."""
    kind, prefix = block["Kind"], pascal(KNOWN)
    left = {f"{prefix}{part}" for part in NOT_SHARED}
    parts = {
        part: {name: body for name, body in base[part].items() if name.startswith(prefix) and name not in left}
        for part in ("Parameters", "Resources")
    }
    made = merged(merged(base, _named(parts, kind)), {name: block[name] for name in parts if name in block})
    resources = made["Resources"]
    resources[f"{pascal(kind)}Function"]["Properties"]["CodeUri"] = f"functions/{kind}/"
    variables = made["Globals"]["Function"]["Environment"]["Variables"]
    line = _named(variables["KINDS"]["Fn::Sub"].split(", ")[0], kind)
    told = f"{variables['KINDS']['Fn::Sub']}, {line} {kind} {block.get('Desk', kind)}"
    boards = {name: body for name, body in resources.items() if body["Type"] == "AWS::CloudWatch::Dashboard"}
    shown = {name: {"Properties": {"DashboardBody": _watched(body, kind)}} for name, body in boards.items()}
    env = {"Function": {"Environment": {"Variables": {"KINDS": {"Fn::Sub": told}}}}}
    return merged(made, {"Globals": env, "Resources": shown})


def merged(base: Template, more: Mapping[str, Any]) -> Template:
    """The base with the other laid over it, dictionary by dictionary."""
    out = dict(base)
    for name, value in more.items():
        out[name] = merged(out[name], value) if isinstance(value, dict) and isinstance(out.get(name), dict) else value
    return out


def _named(part: Any, kind: str) -> Any:
    """The same for another kind."""
    text = json.dumps(part)
    for known, new in (
        (pascal(KNOWN), pascal(kind)),
        (KNOWN, kind),
        (KNOWN.replace("_", "-"), kind.replace("_", "-")),
    ):
        text = text.replace(known, new)
    return json.loads(text)


def _watched(dashboard: Mapping[str, Any], kind: str) -> dict[str, str]:
    """Its body with a curve of this kind for each of the known one's."""
    body = json.loads(dashboard["Properties"]["DashboardBody"]["Fn::Sub"])
    for widget in body["widgets"]:
        curves = widget["properties"].get("metrics", [])
        curves += [_named(curve, kind) for curve in curves if KNOWN in json.dumps(curve)]
    return {"Fn::Sub": json.dumps(body)}


def stage(folder: Path, blocks: Sequence[Path]) -> Path:
    """Fill an empty folder with the template and its sources, each kind's module beside a worker and the API. Gives the template."""
    template = load(ROOT / "template.yaml")
    for name in ("functions", "layers"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for path in blocks:
        block = load(path)
        template = laid(template, block)
        worker = shutil.copytree(folder / "functions" / "worker", folder / "functions" / block["Kind"])
        for place in (worker, folder / "functions" / "api"):
            shutil.copy2(path.with_suffix(".py"), place)
    staged = folder / "template.yaml"
    staged.write_text(json.dumps(template, indent=1))
    return staged


if __name__ == "__main__":
    sys.stdout.write(f"{stage(Path(sys.argv[1]), [Path(each) for each in sys.argv[2:]])}\n")
