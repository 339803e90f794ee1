"""CONTRIBUTING, "Your first change", done step by step in a copy of the tree: a field, and a kind of work."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from local.settings import ROOT

SECTION = (ROOT / "CONTRIBUTING.md").read_text().partition("\n## Your first change\n")[2].partition("\n## ")[0]
FIELD, KIND = SECTION.split("\n### ")[1:]
NOT_COPIED = (
    ".git",
    ".venv",
    ".sheaf",
    ".aws-sam",
    ".hypothesis",
    "node_modules",
    "__pycache__",
    ".*_cache",
    "site",
    "data",
)
TOOLS = Path(sys.executable).parent
MAKE_KIND = "make kind NAME="
TEST = ".venv/bin/pytest"

pytestmark = pytest.mark.long


@pytest.fixture
def tree(tmp_path) -> Path:
    return Path(shutil.copytree(ROOT, tmp_path / "tree", ignore=shutil.ignore_patterns(*NOT_COPIED)))


def blocks(text: str) -> list[tuple[str, str]]:
    return re.findall(r"^```(sh|diff)\n(.*?)^```$", text, re.M | re.S)


def run(tree: Path, line: str) -> subprocess.CompletedProcess[str]:
    """With the tools that run this test, because the copy has none; `make kind` as the Makefile has it."""
    if line.startswith(MAKE_KIND):
        line = f"{TOOLS}/python -m tests.support.new_kind {line.removeprefix(MAKE_KIND)}"
    line = line.replace(TEST, f"{TOOLS}/pytest -p no:cacheprovider")
    environment = {"PYTHONPATH": ".:layers/sheaf", "PATH": f"{TOOLS}:/usr/bin:/bin"}
    return subprocess.run(["sh", "-c", line], cwd=tree, env=environment, check=False, capture_output=True, text=True)


def change(tree: Path, diff: str) -> None:
    head, *lines = diff.splitlines()
    file = tree / head.removeprefix("+++ ")
    old, new = ("\n".join(line[1:] for line in lines if line[0] in f" {sign}") for sign in "-+")
    text = file.read_text()
    assert text.count(old) == 1, (file.name, old)
    file.write_text(text.replace(old, new))


def follow(tree: Path, text: str) -> None:
    for language, block in blocks(text):
        if language == "diff":
            change(tree, block)
            continue
        for line in block.splitlines():
            ended = run(tree, line)
            assert ended.returncode == 0, ended.stdout[-3000:] + ended.stderr


def test_a_field_is_there_when_the_steps_are_followed(tree):
    follow(tree, FIELD)
    asked = "from clinical import templates as t; print(t.find('cohort').pin, [f.name for f in t.find('cohort').fields][-2:])"
    assert run(tree, f'{TOOLS}/python -c "{asked}"').stdout == "cohort@2 ['data_sharing', 'limitations']\n"


def test_the_line_that_is_missing_is_told_when_a_version_has_no_digest_yet(tree):
    digest = next(block for _, block in blocks(FIELD) if "test_template_versions.py" in block and "+++" in block)
    follow(tree, FIELD.partition(f"```diff\n{digest}")[0])
    ended = run(tree, f"{TEST} -q tests/unit/test_template_versions.py")
    assert ended.returncode == 1
    assert digest.splitlines()[-1].removeprefix("+").strip() in ended.stdout


def test_a_kind_does_what_its_changed_test_says_when_the_steps_are_followed(tree):
    follow(tree, KIND)
    assert "letters" in (tree / "tests" / "kinds" / "count_letters.py").read_text()
