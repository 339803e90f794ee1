"""Every number that cuts a list, made one: the same is found, page by page and look by look."""

from importlib import import_module

import pytest

from clinical.library import documents
from tests.http.front import TASKS
from tests.http.test_listing import ids, lay_tasks
from tests.support.items import NOW
from tests.support.syntax import CLINICAL, LAYER, PACKAGE
from tests.support.uploads import BASES, uploaded

CUTS = (
    ("sheaf.api.tasks", "PAGE_TASKS"),
    ("sheaf.api.task_table", "PAGE_ROWS"),
    ("clinical.library.documents", "PAGE_DOCUMENTS"),
    ("clinical.library.deleted_bases", "TOGETHER"),
    ("clinical.intake.document_sweep", "TOGETHER"),
)
OF_BYTES_OR_LOOKS = {("sheaf.api.task_table", "PAGE_BYTES"), ("clinical.library.documents", "PAGE_LOOKS")}
DAYS = 24


@pytest.fixture(autouse=True)
def ones(monkeypatch):
    for module, name in CUTS:
        monkeypatch.setattr(import_module(module), name, 1)


@pytest.fixture
def base(front):
    return str(front.post(BASES, {"name": "Papers"}).body["knowledgeBaseId"])


def laid(bench, base, *states: str) -> list[str]:
    """A document of each of these states; gives their ids, the newest first."""
    made = []
    for number, state in enumerate(states):
        bench.pass_time(seconds=1)
        made.append(uploaded(bench, base, f"Paper {number}.".encode(), notice=state == "ready"))
        bench.take_in()
    return made[::-1]


def test_every_number_that_cuts_a_list_is_one_here():
    """Mutation caught: another such number, with which only lists of one page are tried."""
    found = set()
    for path in sorted([*PACKAGE.rglob("*.py"), *CLINICAL.rglob("*.py")]):
        module = ".".join(path.relative_to(LAYER).with_suffix("").parts)
        for line in path.read_text().splitlines():
            name = line.partition(" = ")[0]
            if name == "TOGETHER" or name.startswith("PAGE_"):
                found.add((module, name))
    assert found == {*CUTS, *OF_BYTES_OR_LOOKS}


def test_each_task_is_a_page_when_a_page_is_of_one(bench, front):
    expected = lay_tasks(bench, 5)
    pages = front.pages(TASKS, "tasks")
    assert sorted(id_ for page in pages for id_ in ids(page)) == sorted(expected)
    assert [len(page) for page in pages[:5]] == [1] * 5


def test_each_row_is_a_page_when_a_page_is_of_one(bench, front):
    task = front.started([bench.probe() for _ in range(4)])
    bench.settle("probe")
    pages = front.pages(f"{TASKS}/{task}/results", "results")
    assert [[row["resultId"] for row in page] for page in pages] == [[f"{task}-{number}"] for number in range(4)]


def test_each_document_is_a_page_when_a_page_is_of_one(bench, front, base):
    expected = laid(bench, base, "ready", "uploading", "ready")
    pages = front.pages(f"{BASES}/{base}/documents", "documents")
    assert [[each["documentId"] for each in page] for page in pages if page] == [[each] for each in expected]


def test_no_page_is_empty_when_those_of_one_state_stand_among_others(bench, front, base):
    """It looks on until something is found: an empty page that says "more" would be all that a reader sees."""
    made = laid(bench, base, "ready", *["uploading"] * 4, "ready", "uploading")
    pages = front.pages(f"{BASES}/{base}/documents", "documents", status="ready")
    assert [[each["documentId"] for each in page] for page in pages[:2]] == [[made[1]], [made[6]]]
    assert pages[2:] in ([], [[]])


@pytest.mark.parametrize("looks", [1, 2, 3])
def test_a_page_ends_after_so_many_looks_when_nothing_was_found(bench, front, base, monkeypatch, looks):
    monkeypatch.setattr(documents, "PAGE_LOOKS", looks)
    made = laid(bench, base, "ready", *["uploading"] * 3)
    pages = front.pages(f"{BASES}/{base}/documents", "documents", status="ready")
    assert [each["documentId"] for page in pages for each in page] == [made[3]]
    assert [len(page) for page in pages].index(1) == 3 // looks


def test_what_any_task_pins_is_kept_when_every_task_is_a_page_of_its_own(bench, front, base):
    """Mutation caught: only the first page of tasks is asked which objects are pinned."""
    made = laid(bench, base, *["ready"] * 3)
    tasks = [bench.open([document]) for document in made]
    bench.settle()
    for document in made:
        assert front.send("DELETE", f"/pkb/documents/{document}").status == 204
    bench.pass_time(hours=8 * DAYS)
    assert bench.tidy() == 0
    assert [front.get(f"/asl/extraction/results/{task}-0/text").status for task in tasks] == [200] * 3


def test_every_document_goes_and_comes_back_with_its_base_when_one_is_looked_at_a_time(bench, front, base):
    made = laid(bench, base, "ready", "ready", "uploading")
    front.send("DELETE", f"{BASES}/{base}")
    assert {bench.document(each).state for each in made} == {"deleted"}
    assert front.post(f"{BASES}/{base}/restore").status == 200
    assert [bench.document(each).state for each in made] == ["uploading", "ready", "ready"]


def test_every_forgotten_upload_is_found_when_the_sweep_looks_at_one_a_round(bench, front, base):
    made = laid(bench, base, *["uploading"] * 3)
    for _ in made:
        bench.pass_time(minutes=3)
        bench.sweep_once()
        bench.take_in()
    assert {bench.document(each).state for each in made} == {"ready"}
    assert bench.clock.now > NOW
