"""`make pictures`: the pictures of the tour, off a stack of their own with the sample papers, in both themes and languages.

They lie in .sheaf/pictures/{language}-{theme}/ afterwards. Look at each, and copy those of the tour to docs/tour/.
"""

import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import escape
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import urllib3
from playwright.sync_api import Page, expect, sync_playwright
from python_calamine import CalamineWorkbook

from local import web
from tests.browser.conftest import FLAGS, FOUND, NEEDED, SAMPLES, signed_in
from tests.support.deployed import TASKS, Deployed, eventually

OUT = Path(__file__).resolve().parents[2] / ".sheaf" / "pictures"
SIZE = {"width": 1360, "height": 850}
PATIENCE_MS = 120_000
QUALITY = 75
LOOKS = [(language, theme) for language in ("en", "zh") for theme in ("light", "dark")]
NAME = "Adults, first screening"
TEMPLATES, RESULTS = "/asl/extraction/templates", "/asl/extraction/results"
OURS = {
    "name": "setting_kind", "type": "enum", "label": "Kind of setting", "labelZh": "场所类型", "section": "design",
    "description": "Where the participants were treated, as the paper says it.",
    "options": ["hospital", "primary care", "community"],
    "optionsZh": {"hospital": "医院", "primary care": "基层医疗", "community": "社区"},
    "cues": {"hospital": ["hospital*", "医院"], "primary care": ["general practice*", "primary care"]},
}  # fmt: skip
SHEET = """<!doctype html><meta charset=utf-8><style>
  body {{ margin: 0; font: 13px system-ui, "WenQuanYi Micro Hei", sans-serif; color-scheme: {scheme}; background: {back}; color: {ink} }}
  p {{ margin: 0; padding: 10px 14px; font-weight: 600 }}
  div {{ height: 770px; overflow: hidden }} table {{ border-collapse: collapse }}
  td {{ height: 29px; padding: 2px 8px; border: 1px solid {line} }}
  td span {{ display: block; max-width: 330px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap }} tr:first-child td {{ font-weight: 600; background: {head} }}
  nav span {{ display: inline-block; padding: 7px 16px; border-right: 1px solid {line} }} nav .on {{ font-weight: 600; background: {head} }}
</style><p>{name}</p><div><table>{rows}</table></div><nav>{sheets}</nav>"""
COLOURS = {
    "light": {"back": "#fff", "ink": "#1c2326", "line": "#d5dadb", "head": "#eef1f1"},
    "dark": {"back": "#16191b", "ink": "#e3e7e8", "line": "#343b3e", "head": "#23292c"},
}


class Tour:
    """One stack, and a tab for each language and theme."""

    def __init__(self, stack: Deployed, browser: Any) -> None:
        self.stack = stack
        self.tabs = {look: self._tab(browser, *look) for look in LOOKS}
        self.driver = self.tabs["en", "light"]
        self.project = urlsplit(self.driver.url).fragment.split("/")[1]

    def _tab(self, browser: Any, language: str, theme: str) -> Page:
        context = browser.new_context(viewport=SIZE, locale="en-GB", color_scheme=theme)
        context.set_default_timeout(PATIENCE_MS)
        tab = signed_in(context.new_page(), self.stack.stack.page, *self.stack.login("editor"))
        if language == "zh":
            tab.get_by_role("button", name="中文").click()
        return tab

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        answer = self.stack.ask(method, path, body)
        assert answer.status < 300, answer.text
        return answer.body

    def address(self, step: str) -> str:
        return f"{self.stack.stack.page}#/{self.project}/{step}"

    def take(self, name: str, step: str, ready: Callable[[Page], object]) -> None:
        for (language, theme), tab in self.tabs.items():
            tab.goto("about:blank")
            tab.goto(self.address(step))
            ready(tab)
            tab.mouse.move(0, 0)
            tab.wait_for_timeout(600)
            self.keep(tab, name, language, theme)

    def keep(self, tab: Page, name: str, language: str, theme: str) -> None:
        place = OUT / f"{language}-{theme}" / f"{name}.jpg"
        place.parent.mkdir(parents=True, exist_ok=True)
        tab.screenshot(path=place, type="jpeg", quality=QUALITY)


def first(tab: Page, css: str) -> None:
    tab.locator(css).first.wait_for()


def press(tab: Page, css: str, then: str) -> None:
    tab.locator(css).first.click()
    first(tab, then)


def uploaded(tour: Tour) -> tuple[str, dict[str, str]]:
    """A knowledge base with the sample papers, as a person uploads them; its id, and theirs by file."""
    files = sorted(each for each in SAMPLES.iterdir() if each.suffix in {".pdf", ".nxml"})
    tab = tour.driver
    tab.goto(tour.address("library"))
    tab.get_by_label("Name").fill("Trials of delirium and more")
    tab.get_by_role("button", name="Create").click()
    tab.get_by_role("heading", name="This knowledge base is empty").wait_for()
    tab.locator("input[type=file]").first.set_input_files([str(file) for file in files])
    expect(tab.locator(".badge.ready")).to_have_count(len(files), timeout=PATIENCE_MS)
    (base,) = tour.ask("GET", "/pkb/knowledge-bases")["knowledgeBases"]
    path = f"/pkb/knowledge-bases/{base['knowledgeBaseId']}/documents"
    found = {each["filename"]: each["documentId"] for each in tour.ask("GET", path)["documents"]}
    for number, document in enumerate(sorted(found.values())):
        if number % 3 == 0:
            tour.ask("PUT", f"/pkb/documents/{document}", {"tags": ["pilot" if number % 2 else "full text"]})
    return base["knowledgeBaseId"], found


def template(tour: Tour) -> str:
    """A project's own, with a field that the built-in one has not."""
    own = tour.ask("POST", f"{TEMPLATES}/rct/clone", {"label": "Our trials", "labelZh": "我们的试验"})
    change = {"version": 1, "fields": [OURS, *(each for each in own["fields"] if each["name"] != "setting")]}
    return str(tour.ask("PUT", f"{TEMPLATES}/{own['templateId']}", change)["templateId"])


def checked(tour: Tour, task: str) -> None:
    """The first papers' cells decided one by one, as people do: mostly agreed with, some corrected, a few not there."""
    rows = tour.ask("GET", f"{TASKS}/{task}/results?view=values")["results"]
    for row in rows[:6]:
        fields = row["extractedData"]["fields"]
        plain = [
            name for name, each in fields.items() if each["state"] == "found" and not isinstance(each["value"], list)
        ]
        said = [{"id": f"tour-{name}", "address": name, "verb": "agree", "before": None} for name in plain[:16]]
        if row is rows[1]:
            said[-1] |= {"verb": "correct", "value": fields[plain[:16][-1]]["value"]}
        lost = [name for name, each in fields.items() if each["state"] == "not_found"][:2]
        said += [{"id": f"tour-{name}", "address": name, "verb": "absent", "before": None} for name in lost]
        tour.ask("POST", f"{RESULTS}/{row['resultId']}/decisions", {"decisions": said})
    tour.ask("GET", f"{TASKS}/{task}/review")


EVIDENCE = 5
"""Its sheet, from the last: then come what went wrong, decisions, how right, about."""


def _plain(value: object) -> str:
    return str(int(value) if isinstance(value, float) and value.is_integer() else value)


def workbook(tour: Tour, task: str) -> None:
    """What the file holds, drawn as a spreadsheet does."""
    for (language, theme), tab in tour.tabs.items():
        path = f"{TASKS}/{task}/exports"
        order = tour.ask("POST", path, {"format": "xlsx", "language": language})["exportId"]
        seen: dict[str, Any] = {}

        def ready(order: str = order, seen: dict[str, Any] = seen, path: str = path) -> bool:
            seen |= tour.ask("GET", f"{path}/{order}")
            return bool(seen["status"] == "ready")

        eventually(ready, "the workbook is written", every=1)
        book = CalamineWorkbook.from_filelike(BytesIO(urllib3.request("GET", seen["url"]).data))
        table = book.get_sheet_by_index(len(book.sheet_names) - EVIDENCE)
        rows = [[_plain(each) for each in row] for row in table.to_python()[:23]]
        cells = "".join(
            f"<tr>{''.join(f'<td><span>{escape(each)}</span></td>' for each in row[:8])}</tr>" for row in rows
        )
        sheets = "".join(
            f"<span class={'on' if name == table.name else 'off'}>{escape(name)}</span>" for name in book.sheet_names
        )
        tab.goto("about:blank")
        tab.set_content(
            SHEET.format(scheme=theme, name=escape(seen["filename"]), rows=cells, sheets=sheets, **COLOURS[theme])
        )
        tour.keep(tab, "9-workbook", language, theme)


@contextmanager
def toured() -> Iterator[Tour]:
    assert FOUND, NEEDED
    web.build(lambda _line: None)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        stack = Deployed(Path(folder), "sheaf-pictures")
        browser = driver.chromium.launch(executable_path=FOUND, args=FLAGS)
        try:
            yield Tour(stack, browser)
        finally:
            browser.close()
            stack.remove()


def main() -> None:
    with toured() as tour:
        base, papers = uploaded(tour)
        tour.take("1-library", "library", lambda tab: first(tab, ".boxed li"))
        new = f"new?kb={base}&name={NAME}"
        tour.take("2-set-up", new, lambda tab: press(tab, ".setup .toolbar > button", ".papers.pick input:checked"))
        own = template(tour)
        tour.take("3-template", f"template?id={own}", lambda tab: press(tab, ".editor-field", ".choices"))
        order = {"templateId": "rct", "knowledgeBaseId": base, "documentIds": [*papers.values()], "name": NAME}
        task = tour.ask("POST", TASKS, {**order, "mostAtWork": 2})["taskId"]
        eventually(lambda: tour.ask("GET", f"{TASKS}/{task}")["completedCount"] > 3, "some are read")
        with tour.stack.nobody_reads("ExtractPaperFunction"):
            tour.take("4-watch", f"tasks/{task}", lambda tab: first(tab, ".rows .paper"))
        tour.stack.closed(task)
        checked(tour, task)
        results = f"tasks/{task}/results"
        tour.take("5-table", results, lambda tab: first(tab, ".check"))
        row = {each["documentId"]: each["resultId"] for each in tour.ask("GET", f"{TASKS}/{task}/results")["results"]}
        pdf, text = row[papers["giraf-2022.pdf"]], row[papers["PMC4439020.nxml"]]
        tour.take(
            "6-evidence",
            f"{results}?row={pdf}&field=n_sites",
            lambda tab: first(tab, ".sheet[data-drawn=true] .marked"),
        )
        tour.take(
            "7-correct",
            f"{results}?row={text}&field=arms",
            lambda tab: press(tab, ".verbs button:nth-child(2)", ".decide-form"),
        )
        tour.take("8-right", results, lambda tab: press(tab, ".check .plain", "dialog.right table"))
        workbook(tour, task)
    sys.stdout.write(f"The pictures are in {OUT}.\n")


if __name__ == "__main__":
    main()
