"""An audit says what is known, and never calls clean what could not be asked about."""

import json

import pytest

from local import supply, web
from local.supply import OFFLINE, npm_says, pip_says

CLEAN = {"name": "a", "version": "1", "vulns": []}
KNOWN = {"name": "b", "version": "1", "vulns": [{"id": "PYSEC-1", "fix_versions": ["2"]}]}
SKIPPED = {"name": "c", "skip_reason": "Dependency not found on PyPI and could not be audited: c (1)"}


@pytest.mark.parametrize(
    ("told", "found"),
    [
        ([CLEAN], {}),
        ([CLEAN, KNOWN], {"b": ["PYSEC-1"]}),
        ([CLEAN, KNOWN, SKIPPED], {"b": ["PYSEC-1"], "c": [OFFLINE]}),
    ],
)
def test_each_package_of_a_python_lock_is_clean_known_or_not_audited_when_pip_audit_answers(told, found):
    """Alone, pip-audit calls one that it skipped clean: "No known vulnerabilities found"."""
    assert pip_says(json.dumps({"dependencies": told, "fixes": []})) == found


@pytest.mark.parametrize("text", ["", "ERROR:pip_audit: Failed to connect", "[]", "{}"])
def test_nothing_is_called_clean_when_nobody_could_be_asked(text):
    assert pip_says(text) == npm_says(text) == {"every package": [OFFLINE]}


def test_a_package_of_the_page_is_named_with_how_bad_it_is_when_npm_knows():
    told = {"auditReportVersion": 2, "vulnerabilities": {"esbuild": {"name": "esbuild", "severity": "moderate"}}}
    assert npm_says(json.dumps(told)) == {"esbuild": ["moderate"]}
    assert npm_says(json.dumps({"auditReportVersion": 2, "vulnerabilities": {}})) == {}


def test_the_page_s_packages_are_listed_when_there_is_no_network_to_ask():
    """npm makes no list of a package that has no version, as ours had none."""
    listed = json.loads(supply._run(web.npm(*supply.LIST)))
    there = {each["name"]: each["version"] for each in listed["components"]}
    wanted = json.loads((web.WEB / "package.json").read_text())["dependencies"]
    assert listed["bomFormat"] == "CycloneDX"
    assert wanted.items() <= there.items()
    assert not {"typescript", "axe-core"} & set(there)
