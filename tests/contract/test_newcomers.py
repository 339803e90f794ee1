"""What a newcomer is given says what holds: notices, hooks, the workflow, forms."""

import json
import re
from importlib import metadata

import pytest
import yaml

from tests.support.stack_file import ROOT

NOTICES = (ROOT / "THIRD_PARTY.md").read_text()
ROWS = {row[0]: row for row in re.findall(r"^\| (\S+) \| ([\d.]+) \| ([^|]+) \| (?:`([\w/]+)` \|)?", NOTICES, re.M)}
PYTHON = {
    name: (version, lock.parent.name)
    for lock in sorted(ROOT.glob("layers/*/requirements.txt"))
    for name, version in re.findall(r"^([\w.-]+)==(\S+)", lock.read_text(), re.M)
}
LOCKED = json.loads((ROOT / "web" / "package-lock.json").read_text())["packages"]
PAGE = {
    place.removeprefix("node_modules/"): told
    for place, told in LOCKED.items()
    if place and not told.get("dev") and not told.get("optional") and place != "node_modules/esbuild"
}
MAKE = (ROOT / "Makefile").read_text()
MATRIX = yaml.safe_load((ROOT / ".github" / "workflows" / "check.yml").read_text())["jobs"]["check"]
HOOKS = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"]
FORMS = [path for path in sorted((ROOT / ".github" / "ISSUE_TEMPLATE").iterdir()) if path.name != "config.yml"]


def test_a_library_stands_among_the_notices_when_it_is_shipped():
    assert {*PYTHON, *PAGE} == {*ROWS}


@pytest.mark.parametrize("name", PYTHON)
def test_a_layer_s_library_has_its_version_and_licence_when_it_is_named(name):
    version, layer = PYTHON[name]
    assert metadata.version(name) == version
    said = metadata.metadata(name)
    assert ROWS[name] == (name, version, said["License-Expression"] or said["License"], f"layers/{layer}")


@pytest.mark.parametrize("name", PAGE)
def test_the_page_s_library_has_its_version_and_licence_when_it_is_named(name):
    assert ROWS[name] == (name, PAGE[name]["version"], PAGE[name]["license"], "")


def test_a_function_brings_no_library_when_it_is_deployed():
    assert not [*ROOT.glob("functions/**/requirements*.txt")]


def test_a_hook_fetches_nothing_and_calls_what_lint_calls():
    lint = MAKE.partition("\nlint:")[2].partition("\n\n")[0].replace("$(BIN)", ".venv/bin")
    for each in HOOKS:
        assert each["repo"] == "local"
        assert {hook["language"] for hook in each["hooks"]} == {"system"}
        entries = [hook["entry"] for hook in each["hooks"]]
        assert "make lint" in entries
        assert all(f"@{entry}\n" in lint for entry in entries if entry != "make lint")


def test_the_workflow_checks_every_python_that_is_promised():
    pythons = MATRIX["strategy"]["matrix"]["python"]
    (least,) = re.findall(r'requires-python = ">=([\d.]+)"', (ROOT / "pyproject.toml").read_text())
    tried = re.findall(r"python(3\.\d+)", MAKE.partition("PYTHON ?=")[2].partition("\n")[0])
    assert pythons[0] == least
    assert set(pythons) == set(tried)
    assert {system.partition("-")[0] for system in MATRIX["strategy"]["matrix"]["os"]} == {"ubuntu", "macos"}
    assert MATRIX["steps"][-1] == {"run": "make check"}


@pytest.mark.parametrize("form", FORMS, ids=lambda path: path.stem)
def test_a_form_has_what_github_asks_of_one(form):
    told = yaml.safe_load(form.read_text())
    assert {"name", "description", "body"} <= told.keys()
    fields = [each for each in told["body"] if each["type"] != "markdown"]
    assert all(each["attributes"]["label"] for each in fields)
    assert len({each["id"] for each in fields}) == len(fields)
