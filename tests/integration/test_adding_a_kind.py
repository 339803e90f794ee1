"""docs/adding-a-kind.md, followed in a copy of the tree: four files, short, nothing else touched, and all that takes a kind takes it."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from local import web
from local.settings import ROOT
from tests.support import new_kind

RECIPE = (ROOT / "docs" / "adding-a-kind.md").read_text()
NAME = "page_lengths"
NOT_COPIED = (".git", ".venv", ".sheaf", ".aws-sam", "node_modules", "__pycache__", ".*_cache")
LINES = 120


def files(folder: Path) -> dict[str, bytes]:
    """What there is, but for what running leaves behind."""
    left = {"__pycache__", ".pytest_cache", ".hypothesis", ".sheaf"}
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and not left & set(path.parts)
    }


def run(tree: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {"PYTHONPATH": ".:layers/sheaf", "PATH": str(Path(sys.executable).parent) + ":/usr/bin:/bin"}
    return subprocess.run(words, cwd=tree, env=environment, check=False, capture_output=True, text=True)


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """With the page as it is built here, because Node is not in the copy."""
    web.build(lambda _line: None)
    made = tmp_path_factory.mktemp("copy") / "tree"
    return Path(shutil.copytree(ROOT, made, ignore=shutil.ignore_patterns(*NOT_COPIED)))


@pytest.fixture(scope="module")
def added(tree):
    """The recipe's first command, as the Makefile runs it; what there was before and after."""
    (asked,) = re.findall(r"^    make kind NAME=(\w+)$", RECIPE, re.M)
    assert asked == NAME
    before = files(tree)
    ended = run(tree, sys.executable, "-m", "tests.support.new_kind", asked)
    assert ended.returncode == 0, ended.stderr
    return before, files(tree)


def test_four_short_files_are_written_and_no_other_is_touched_when_a_kind_is_made(added):
    before, after = added
    assert {name: after[name] for name in before} == before
    new = {name: content for name, content in after.items() if name not in before}
    assert set(new) == {f"tests/kinds/{each.format(NAME)}" for each in new_kind.FILES}
    assert sum(len(content.splitlines()) for content in new.values()) <= LINES
    assert not [name for name, content in new.items() if b"count_words" in content or b"CountWords" in content]


@pytest.mark.usefixtures("added")
def test_every_test_that_the_recipe_names_passes_when_a_kind_was_made(tree):
    named = re.findall(r"\btests/[\w/]+\.py", RECIPE)
    assert len(set(named)) == 4
    words = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", f"{NAME} or words or page", *dict.fromkeys(named)]
    ended = run(tree, sys.executable, *words)
    assert ended.returncode == 0, ended.stdout[-3000:]
    assert int(re.findall(r"(\d+) passed", ended.stdout)[0]) > 30


@pytest.mark.usefixtures("added")
def test_a_folder_that_sam_can_build_is_staged_when_the_recipe_s_command_is_run(tree, tmp_path):
    (words,) = re.findall(r"^    PYTHONPATH=\S+ \.venv/bin/python (-m \S+) \.\./staged (\S+)$", RECIPE, re.M)
    staged = tmp_path / "staged"
    ended = run(tree, sys.executable, *words[0].split(), str(staged), words[1])
    assert ended.returncode == 0, ended.stderr
    assert (staged / "functions" / NAME / f"{NAME}.py").exists()
    assert (staged / "functions" / "api" / f"{NAME}.py").exists()
    checked = run(tree, "cfn-lint", str(staged / "template.yaml"))
    assert checked.returncode == 0, checked.stdout


@pytest.mark.usefixtures("added")
@pytest.mark.parametrize("name", [NAME, "Page", "page lengths", "../page", ""])
def test_a_kind_is_refused_in_words_when_its_name_is_taken_or_is_none(tree, name):
    before = files(tree)
    ended = run(tree, sys.executable, "-m", "tests.support.new_kind", name)
    assert ended.returncode == 1
    assert "Traceback" not in ended.stderr
    assert files(tree) == before
