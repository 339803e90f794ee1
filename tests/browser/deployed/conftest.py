"""One deployed stack for all of these tests, with a scripted model for those that want one; a project of their own for each."""

import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from tests.browser.conftest import signed_in
from tests.support.deployed import TASKS, Deployed
from tests.support.provider import Provider, nothing, serving

MODEL = "deepseek-flash"
"""A model whose price is known, by its name; who answers is the script."""
PATIENCE = {"ExtractPaperTimeoutSeconds": "180", "ExtractPaperVisibilitySeconds": "1080"}
"""A test may keep a worker waiting for its model while it looks at the page."""


@pytest.fixture(scope="session")
def provider_of_all() -> Iterator[Provider]:
    with serving() as made:
        yield made


@pytest.fixture(scope="session")
def deployed(built, provider_of_all, tmp_path_factory):
    folder = tmp_path_factory.mktemp("stack")
    made = Deployed(folder, "sheaf-browser", **PATIENCE, OpenaiUrl=provider_of_all.url, OpenaiModel=MODEL)
    yield made
    made.remove()


@pytest.fixture
def provider(provider_of_all: Provider) -> Provider:
    """The model, which finds nothing until a test says what it finds."""
    provider_of_all.play("ok")
    provider_of_all.replies = nothing
    return provider_of_all


@dataclass(frozen=True)
class Project:
    """A project that nobody else uses, and its one editor."""

    deployed: Deployed
    id: str
    who: str

    def address(self, step: str = "tasks") -> str:
        return f"{self.deployed.stack.page}#/{self.id}/{step}"

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        answer = self.deployed.ask(method, path, body, who=self.who)
        assert answer.status < 300, answer
        return answer.body

    def shelf(self, *texts: str, name: str = "Pain") -> tuple[str, list[str]]:
        """A knowledge base with these papers in it, ready: its id and theirs."""
        base = self.ask("POST", "/pkb/knowledge-bases", {"name": name})["knowledgeBaseId"]
        papers = [
            document
            for number, text in enumerate(texts, 1)
            for document in self.deployed.papers(
                [text.encode()], project=self.id, base=base, name=f"paper-{number}.txt"
            )
        ]
        return base, papers

    def start(self, documents: list[str], template: str = "rct", **more: Any) -> str:
        """A new task over these; its id."""
        told = {"templateId": template, "documentIds": documents, **more}
        return str(self.ask("POST", TASKS, told)["taskId"])

    def tasks(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.ask("GET", TASKS)["tasks"]
        return found

    def closed(self, task: str) -> str:
        self.deployed.closed(task, within=120, who=self.who)
        return task


@pytest.fixture
def project(deployed) -> Project:
    name = f"lab-{secrets.token_hex(3)}"
    return Project(deployed, name, deployed.newcomer(name))


@pytest.fixture
def new_tab(deployed, new_context):
    """Opens the page in a browser of its own and signs this user in."""

    def make(who: str, **more: Any) -> Any:
        email, password = deployed.login(who)
        return signed_in(new_context(**more).new_page(), deployed.stack.page, email, password)

    return make


@pytest.fixture
def page(project, new_tab):
    """A tab in which the project's editor is signed in."""
    return new_tab(project.who)
