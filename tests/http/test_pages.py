"""docs/http.md and docs/problems.md say what the API does, no less and no more."""

import ast
import re
import shutil
import subprocess
from typing import Any

import pytest

import openapi
from tests.http.front import ROOT
from tests.support.stack_file import ROOT as FOLDER

SESSION = FOLDER / "docs" / "http.md"
CATALOGUE = FOLDER / "docs" / "problems.md"
SOURCES = [*(FOLDER / "functions" / "api").glob("*.py"), *(FOLDER / "layers" / "sheaf").rglob("*.py")]
WORD = re.compile(r"[a-z]+(-[a-z]+)+|forbidden|internal")


def raised() -> dict[str, set[int]]:
    """Every problem type that the code can answer, and with which status: from the calls that name it."""
    found: dict[str, set[int]] = {}
    for source in SOURCES:
        for node in ast.walk(ast.parse(source.read_text())):
            if not isinstance(node, ast.Call):
                continue
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            told: list[Any] = [argument.value for argument in node.args if isinstance(argument, ast.Constant)]
            if name == "Conflict":
                found.setdefault(told[0], set()).add(409)
            elif name == "answer" and len(told) > 1:
                found.setdefault(told[1], set()).add(told[0])
    return found


def test_every_problem_is_in_the_catalogue_with_its_status_when_the_code_can_answer_it():
    """And the reverse: what is in the catalogue can happen. Each says when and what to do."""
    page = CATALOGUE.read_text()
    sections = re.findall(
        r"^## urn:sheaf:problem:([a-z-]+)\n\n\*\*(\d+)\.\*\* (.+?)\n\n\*Do:\* (.+?)\n(?=\n## )", page, re.M | re.S
    )
    assert {name: {int(status)} for name, status, _, _ in sections} == raised()
    assert len(sections) == page.count("## urn:") == len(raised()) > 10
    assert all(WORD.fullmatch(name) for name in raised())


def test_every_problem_is_known_by_one_word_when_it_is_raised():
    """A type made at run time could not be catalogued: the first argument is always written out."""
    for source in SOURCES:
        for node in ast.walk(ast.parse(source.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Conflict":
                assert isinstance(node.args[0], ast.Constant), source


def session() -> str:
    """The shell of the session, as CI runs it."""
    page = SESSION.read_text()
    inside = page.partition("<!-- session -->")[2].partition("<!-- /session -->")[0]
    return "set -eu\n" + "\n".join(re.findall(r"^```sh\n(.*?)^```$", inside, re.M | re.S))


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash to read it")
def test_the_session_is_shell_when_it_is_read():
    subprocess.run(["bash", "-n"], input=session().encode(), check=True, timeout=30)


def test_the_session_goes_through_all_that_can_be_done_when_it_is_run():
    """Every operation on tasks and rows but a few, and the way of a paper from upload to text; nothing that is not there."""
    text = re.sub(r"\$[A-Z]+", "{id}", session())
    asked = {
        (method, re.sub(r"{id}(-0)?|\$1", "{}", path).split("?")[0])
        for method, path in re.findall(r"api (GET|POST|PUT|DELETE) \"?(/[^\s\")]*)", text)
    }
    offered = {
        (item.method, re.sub(r"{\w+}", "{}", item.path.removeprefix(ROOT)))
        for item in openapi.OPERATIONS
        if not item.open_to_all
    }
    assert asked <= offered
    of_tasks = {each for each in offered if re.search(r"/(tasks|results)(/{})?(/[a-z]+)?$", each[1])}
    beside = {
        ("POST", f"/asl/extraction/tasks/{name}")
        for name in ("{}/resume", "{}/probe", "{}/budget", "{}/limit", "{}/notice", "estimate")
    }
    beside.add(("PUT", "/asl/extraction/tasks/{}"))
    decided = {("GET", "/asl/extraction/tasks/{}/review")}
    decided |= {(method, "/asl/extraction/results/{}/decisions") for method in ("GET", "POST")}
    shown_on_the_page = {("GET", f"/asl/extraction/results/{{}}/{name}") for name in ("text", "file")}
    assert of_tasks - asked == beside | shown_on_the_page | decided
    way_in = {
        ("POST", "/pkb/knowledge-bases"),
        ("POST", "/pkb/knowledge-bases/{}/documents"),
        ("GET", "/pkb/documents/{}/text"),
    }
    assert way_in <= asked


def test_the_page_says_the_numbers_of_the_code_when_it_says_any():
    """Bounds that people write programs against."""
    page = SESSION.read_text()
    for said in ("10,000", "128\nprintable", "500 rows and 5.5 MB", "1 MB to start a task, 64 KB elsewhere"):
        assert said in page, said
