"""An audit never calls clean what could not be asked about, and a list of packages has all that the page is made of."""

import json
import os
import re
import subprocess

import pytest

from local.settings import ROOT

THERE = ("STAMP=Makefile", "SUPPLY=README.md")
"""All tools are there already."""
PIP_AUDIT, NPM_AUDIT = re.compile(r"\S+/pip-audit "), re.compile(r"\S+/node \S+ --prefix web audit \S+")


def recipe(name):
    """The lines that make would run."""
    return subprocess.run(["make", "-n", name, *THERE], cwd=ROOT, capture_output=True, text=True, check=True).stdout


def run(lines, **environment):
    told = os.environ | environment
    return subprocess.run(["bash", "-c", lines], cwd=ROOT, env=told, capture_output=True, text=True, check=False)


def test_nothing_is_called_clean_when_nobody_could_be_asked():
    """Alone, pip-audit calls a package that it skipped clean: "No known vulnerabilities found"."""
    assert "pip-audit --strict " in recipe("audit")
    (npm,) = NPM_AUDIT.findall(recipe("audit"))
    assert run(npm, npm_config_registry="http://127.0.0.1:9", npm_config_fetch_retries="0").returncode


@pytest.mark.parametrize("known", [None, "requirements/dev.txt", "npm"])
def test_every_lock_is_asked_about_and_it_fails_when_something_is_known_of_one(tmp_path, known):
    """Of every lock but that of what fetches the tools."""
    asked = tmp_path / "asked"
    tool = tmp_path / "tool"
    tool.write_text(f'#!/bin/sh\necho "$@" >> {asked}\ncase "$*" in *{known}) exit 1;; esac\n')
    tool.chmod(0o755)
    lines = NPM_AUDIT.sub(f"{tool} npm", PIP_AUDIT.sub(f"{tool} ", recipe("audit")))
    assert run(lines).returncode == (known is not None)
    locks = {str(file.relative_to(ROOT)) for of in ("layers/*/", "requirements/") for file in ROOT.glob(f"{of}*.txt")}
    assert {line.split()[-1] for line in asked.read_text().splitlines()} == locks - {"requirements/uv.txt"} | {"npm"}


def test_the_page_s_packages_are_listed_when_there_is_no_network_to_ask():
    """npm makes no list of a package that has no version, as ours had none."""
    (npm,) = [line.partition(" > ")[0] for line in recipe("sbom").splitlines() if "package-lock-only" in line]
    listed = json.loads(run(npm).stdout)
    there = {each["name"]: each["version"] for each in listed["components"]}
    wanted = json.loads((ROOT / "web" / "package.json").read_text())["dependencies"]
    assert listed["bomFormat"] == "CycloneDX"
    assert wanted.items() <= there.items()
    assert not {"typescript", "axe-core"} & set(there)
