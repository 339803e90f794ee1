"""Which modules are the core's: import-linter holds that none of them knows papers; here none is forgotten."""

import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "layers/sheaf/sheaf"


def test_a_module_is_the_core_s_or_the_clinical_product_s_when_there_is_one():
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    contract = next(each for each in contracts if each["name"] == "The core knows no papers")
    core, clinical = set(contract["source_modules"]), set(contract["forbidden_modules"])
    there = {f"sheaf.{path.stem}" for path in PACKAGE.iterdir() if path.stem not in {"__init__", "__pycache__"}}
    assert core | clinical == there
    assert not core & clinical
