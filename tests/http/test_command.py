"""The command `sheaf`, against the real front on a socket: each command happens, is refused, comes twice, is cut off."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from sheaf_client import api
from sheaf_client.commands import cli
from tests.support.served import CODE, NEW_PASSWORD, PASSWORD, USER, Served

BASES = "/api/v1/pkb/knowledge-bases"
TASKS = "/api/v1/asl/extraction/tasks"
TRIAL = (
    "Tea for thirsty men: a randomised controlled trial\n\nAbstract\n\nNinety patients were randomised to tea or to water "
    "in Norway. The trial was double-blind."
)
WELL = {
    "asOf": "2026-01-01T00:00:00.000Z",
    "sweep": {"lastAt": "2026-01-01T00:00:00.000Z", "detail": None},
    "kinds": [{"kind": "extract_paper", "waiting": 0, "hidden": 2, "deadLetters": 0, "detail": None}],
    "lastDay": {"tasks": 3, "closed": 2, "rowsCompleted": 40, "rowsFailed": 1, "failedBy": {"needs_ocr": 1}},
    "notMoving": [],
    "failedRows": [],
}


@pytest.fixture
def served(bench):
    made = Served(bench)
    yield made
    made.close()


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    """A folder of one's own, where no stack is, and none of whoever runs the tests."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    for name in ("SHEAF_API", "SHEAF_TOKEN", "SHEAF_PROFILE", "SHEAF_PROJECT"):
        monkeypatch.delenv(name, raising=False)
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    return here


def sheaf(*arguments, typed=""):
    """Run the command."""
    return CliRunner(mix_stderr=False).invoke(cli, arguments, input=typed)


def lines(ran):
    return [json.loads(line) for line in ran.stdout.splitlines()]


@pytest.fixture
def signed_in(served):
    """The one user of it, as the profile `default`."""
    ran = sheaf("login", served.address, "--username", USER, typed=f"{PASSWORD}\n")
    assert ran.exit_code == 0, ran.stderr
    return served


@pytest.fixture
def papers(home):
    files = [home / "tea.txt", home / "milk.txt"]
    for file in files:
        file.write_text(f"{TRIAL} It was {file.stem}.")
    return [str(file) for file in files]


@pytest.fixture
def task(signed_in, papers):
    """A task of two papers that has just been gathered."""
    assert sheaf("upload", *papers).exit_code == 0
    ran = sheaf("submit", "--template", "rct", "--base", "Papers")
    assert ran.exit_code == 0, ran.stderr
    signed_in.bench.sweep_once()
    return ran.stdout.strip()


# ---------------------------------------------------------------------------------------------------- login


def test_a_profile_is_kept_for_its_owner_alone_when_somebody_signs_in(served, tmp_path):
    ran = sheaf(
        "login", f"{served.address}/api/v1/", "--profile", "lab", "--project", "p1", typed=f"{USER}\n{PASSWORD}\n"
    )
    assert ran.exit_code == 0, ran.stderr
    assert f"{USER} is signed in at {served.address}/api/v1, as profile lab." in ran.stdout
    file = tmp_path / "config" / "sheaf" / "profiles.json"
    assert file.stat().st_mode & 0o777 == 0o600
    assert PASSWORD not in file.read_text()
    assert json.loads(file.read_text())["lab"]["refresh"] == "the-refresh-token"
    assert sheaf("login", served.address, "--username", USER, "--json", typed=f"{PASSWORD}\n").exit_code == 0
    assert set(json.loads(file.read_text())) == {"lab", "default"}


def test_a_new_password_and_a_code_are_asked_for_when_the_pool_wants_them(served):
    served.challenges = ["NEW_PASSWORD_REQUIRED", "SOFTWARE_TOKEN_MFA"]
    ran = sheaf("login", served.address, "--username", USER, typed=f"{PASSWORD}\n{NEW_PASSWORD}\n{CODE}\n")
    assert ran.exit_code == 0, ran.stderr
    assert served.password == NEW_PASSWORD
    assert NEW_PASSWORD not in ran.output


def test_nobody_is_signed_in_when_something_is_wrong(served, tmp_path):
    for address, typed, code, words in (
        (served.address, "wrong\n", 5, "Incorrect username or password."),
        (f"{served.address}/nothing", "", 4, "There is no Sheaf at"),
        ("http://example.org", "", 4, "begins with https://"),
        ("ftp://127.0.0.1", "", 4, "begins with https://"),
    ):
        ran = sheaf("login", address, "--username", USER, typed=typed)
        assert (ran.exit_code, words in ran.stderr) == (code, True), ran.stderr
    assert not (tmp_path / "config").exists()


def test_the_page_is_named_when_the_pool_asks_for_what_only_it_can_do(served):
    served.challenges = ["MFA_SETUP"]
    ran = sheaf("login", served.address, "--username", USER, typed=f"{PASSWORD}\n")
    assert (ran.exit_code, "on the page" in ran.stderr) == (5, True)


def test_another_token_is_had_when_one_is_over(signed_in, task):
    """Within one command: the pool takes the first one back in between."""
    signed_in.tokens = {"somebody-else-s"}
    assert sheaf("watch", task).exit_code == 0


def test_words_say_what_to_do_when_nobody_is_signed_in(served, monkeypatch):
    ran = sheaf("watch", "any")
    assert (ran.exit_code, "`sheaf login ADDRESS`" in ran.stderr) == (5, True)
    monkeypatch.setenv("SHEAF_API", f"{served.address}/api/v1")
    assert sheaf("watch", "any").exit_code == 5
    monkeypatch.setenv("SHEAF_TOKEN", served.token())
    assert sheaf("watch", "any").exit_code == 3


def test_the_stack_here_is_asked_without_login_when_its_folder_is_above(served, home, monkeypatch):
    places = {
        "api": f"{served.address}/api/v1",
        "endpoint": f"{served.address}/pool",
        "clientId": "c",
        "projectId": "p1",
    }
    (home / ".sheaf").mkdir()
    local = home / ".sheaf" / "local.json"
    local.write_text(json.dumps({**places, "username": USER, "password": PASSWORD}))
    (home / "deep" / "er").mkdir(parents=True)
    monkeypatch.chdir(home / "deep" / "er")
    assert sheaf("watch", "nothing").exit_code == 3
    for elsewhere in (
        {"api": "https://example.org/api/v1"},
        {"api": "https://localhost:x@example.org/api/v1"},
        {"endpoint": "https://example.org"},
    ):
        local.write_text(json.dumps({**places, **elsewhere, "username": USER, "password": PASSWORD}))
        assert sheaf("watch", "nothing").exit_code == 5, elsewhere


def test_it_is_said_so_when_nobody_answers(served, monkeypatch):
    monkeypatch.setenv("SHEAF_API", "http://127.0.0.1:9/api/v1")
    ran = sheaf("watch", "any")
    assert (ran.exit_code, "cannot be reached. Is the stack up" in ran.stderr) == (4, True)
    monkeypatch.setenv("SHEAF_API", served.address)
    monkeypatch.setenv("SHEAF_TOKEN", "any")
    ran = sheaf("watch", "any")
    assert (ran.exit_code, "no API of Sheaf" in ran.stderr) == (4, True)


# ---------------------------------------------------------------------------------------------------- upload


def test_files_are_read_and_nothing_is_sent_again_when_they_are_uploaded_twice(signed_in, papers):
    first = sheaf("upload", *papers, "--json")
    assert (first.exit_code, [each["status"] for each in lines(first)]) == (0, ["ready", "ready"])
    sent = signed_in.asked.count("POST /s3/")
    second = sheaf("upload", *papers, "--json")
    assert [each["documentId"] for each in lines(second)] == [each["documentId"] for each in lines(first)]
    assert (signed_in.asked.count("POST /s3/"), sent) == (2, 2)


def test_one_file_fails_by_itself_when_it_is_wrong(signed_in, papers, home):
    wrong, empty = home / "paper.docx", home / "empty.txt"
    wrong.write_text("no paper")
    empty.write_text("")
    ran = sheaf("upload", papers[0], str(wrong), str(empty), papers[1])
    assert ran.exit_code == 1
    good, refused, unread, also_good = ran.stdout.splitlines()
    assert (good[:6], also_good[:6]) == ("ready ", "ready ")
    assert "Save any other file as PDF" in refused
    assert unread.startswith("unreadable  empty.txt")


def test_an_upload_goes_on_when_it_was_cut(signed_in, papers):
    signed_in.cut = "POST /s3/"
    cut = sheaf("upload", *papers)
    assert cut.exit_code == 4
    signed_in.cut = None
    ran = sheaf("upload", *papers, "--json")
    assert (ran.exit_code, [each["status"] for each in lines(ran)]) == (0, ["ready", "ready"])
    assert len(signed_in.front.get("/pkb/knowledge-bases").body["knowledgeBases"]) == 1


def test_a_file_arrives_whole_when_the_storage_s_answer_is_lost(signed_in, papers):
    """It is sent again from its beginning."""
    signed_in.lost = ["POST /s3/"]
    ran = sheaf("upload", papers[0], "--json")
    assert ([each["status"] for each in lines(ran)], signed_in.asked.count("POST /s3/")) == (["ready"], 2)


def test_a_name_steers_no_terminal_when_somebody_has_put_that_into_it(signed_in, home):
    """Mutations caught: what is shown, what is refused, and JSON, each as it came."""
    name = "tea\x1b]0;mine\x07\x9b2J\u202e"
    file = home / f"{name}.txt"
    file.write_text(TRIAL)
    shown, refused = sheaf("upload", str(file)).stdout, sheaf("login", f"http:{name}").stderr
    for said in (shown, refused):
        assert "tea\ufffd]0;mine\ufffd\ufffd2J\ufffd" in said
        assert not {"\x1b", "\x07", "\x9b", "\u202e"} & set(said)
    signed_in.doctor = WELL | {"sweep": {"lastAt": None, "detail": name}}
    assert sheaf("doctor", "--json").stdout.isascii()


# ---------------------------------------------------------------------------------------------------- tasks


def test_a_task_is_watched_to_its_end_when_it_was_submitted(task):
    ran = sheaf("watch", task)
    assert (ran.exit_code, ran.stdout) == (0, f"Task {task} is completed: 2 of 2 papers.\n")
    (again,) = lines(sheaf("watch", task, "--json"))
    assert (again["taskId"], again["completedCount"]) == (task, 2)


def test_an_estimate_comes_before_the_task_when_one_is_submitted(signed_in, task, papers):
    documents = [each["documentId"] for each in lines(sheaf("upload", *papers, "--json"))]
    ran = sheaf("submit", "--template", "rct", "--wait", "--json", *documents)
    assert ran.stderr.startswith("2 papers by rules: about 0.00 USD.\n")
    (closed,) = lines(ran)
    assert (ran.exit_code, closed["status"], closed["totalCount"]) == (0, "completed", 2)
    none_at_once = sheaf("submit", "--template", "rct", "--most-at-work", "0", *documents)
    assert (none_at_once.exit_code, "mostAtWork" in none_at_once.stderr) == (3, True), none_at_once.stderr
    costly = sheaf("submit", "--template", "rct", "--engine", "rules", "--budget", "1", *documents)
    assert (costly.exit_code, "budgetUsd" in costly.stderr) == (3, True), costly.stderr


def test_one_task_is_opened_when_the_answer_is_lost(signed_in, papers):
    sheaf("upload", *papers)
    signed_in.lost = [f"POST {TASKS} "]
    ran = sheaf("submit", "--template", "rct", "--base", "Papers")
    assert ran.exit_code == 0, ran.stderr
    assert signed_in.asked.count(f"POST {TASKS}") == 2
    assert [each["taskId"] for each in signed_in.front.get("/asl/extraction/tasks").body["tasks"]] == [
        ran.stdout.strip()
    ]


def test_the_same_task_is_found_when_it_is_submitted_twice_with_a_key(signed_in, papers):
    sheaf("upload", *papers)
    order = ("submit", "--template", "rct", "--base", "Papers", "--key", "k")
    assert sheaf(*order).stdout == sheaf(*order).stdout


def test_the_key_is_named_when_nobody_answers_whether_a_task_was_opened(signed_in, papers):
    sheaf("upload", *papers)
    signed_in.cut = f"POST {TASKS} "
    ran = sheaf("submit", "--template", "rct", "--base", "Papers", "--key", "mine")
    assert (ran.exit_code, "The same with --key mine finds the task" in ran.stderr) == (4, True)
    signed_in.cut = f"POST {TASKS}/any/retry "
    ran = sheaf("retry", "any", "--key", "mine")
    assert (ran.exit_code, "The same with --key mine finds the task" in ran.stderr) == (4, True)


def test_it_is_refused_in_the_api_s_own_words_when_it_cannot_be(signed_in):
    for order, code, words in (
        (("submit", "--template", "rct"), 2, "Name documents, or a knowledge base with --base."),
        (("submit", "--template", "rct", "--base", "a", "b"), 2, "Name documents, or a knowledge base with --base."),
        (("submit", "--template", "rct", "--base", "No such"), 2, "there is no knowledge base 'No such'"),
        (("submit", "--template", "none", "any"), 3, "templateId"),
        (("submit", "any"), 2, "--template"),
        (("watch", "../me"), 3, "nothing at this address"),
        (("watch", "none"), 3, "no such task"),
        (("results", "none"), 3, "no such task"),
        (("export", "none"), 3, "no such task"),
        (("export", "none", "--format", "pdf"), 2, "--format"),
        (("cancel", "none"), 3, "no such task"),
        (("retry", "none"), 3, "no such task"),
        (("upload", "no-such-file.txt"), 2, "no-such-file.txt"),
    ):
        ran = sheaf(*order)
        assert (ran.exit_code, words in ran.stderr, ran.stdout) == (code, True, ""), (order, ran.stderr)


def test_nothing_is_lost_when_somebody_interrupts(signed_in, task, monkeypatch):
    def interrupt(_seconds):
        raise KeyboardInterrupt

    signed_in.is_at_work = False
    monkeypatch.setattr("time.sleep", interrupt)
    ran = sheaf("watch", task)
    assert (ran.exit_code, "What was sent goes on" in ran.stderr) == (130, True)
    assert "0 of 2 papers" in ran.stderr


def test_it_says_why_it_does_not_move_when_it_is_watched(signed_in, task, monkeypatch):
    signed_in.front.post(f"/asl/extraction/tasks/{task}/pause")
    signed_in.is_at_work = False
    monkeypatch.setattr("time.sleep", lambda _seconds: signed_in.front.post(f"/asl/extraction/tasks/{task}/cancel"))
    signed_in.is_at_work = True
    ran = sheaf("watch", task)
    assert ran.exit_code == 1
    assert ran.stderr.count("Paused by ") == 1
    assert "is cancelled: 2 of 2 papers, 2 cancelled" in ran.stdout


def test_what_did_not_succeed_is_tried_again_when_a_task_was_cancelled(signed_in, task):
    """Cancelled twice is cancelled once; and what is closed is refused."""
    for _ in range(2):
        ran = sheaf("cancel", task)
        assert (ran.exit_code, f"Task {task} stops" in ran.stdout) == (0, True), ran.stderr
    assert sheaf("watch", task).exit_code == 1
    assert sheaf("cancel", task).exit_code == 3
    signed_in.lost = [f"POST {TASKS}/{task}/retry"]
    again = sheaf("retry", task, "--wait", "--json")
    (closed,) = lines(again)
    assert (again.exit_code, closed["retryOf"], closed["completedCount"]) == (0, task, 2)
    assert len(signed_in.front.get("/asl/extraction/tasks").body["tasks"]) == 2
    assert [row["status"] for row in lines(sheaf("results", task, "--json"))] == ["cancelled", "cancelled"]
    assert [row["status"] for row in lines(sheaf("results", task, "--json", "--latest"))] == ["completed", "completed"]


# ---------------------------------------------------------------------------------------------------- its table


def test_the_table_is_shown_when_its_task_has_closed(task):
    ran = sheaf("results", task)
    assert "study             randomised" in ran.stdout
    assert "90 (p." in ran.stdout
    rows = lines(sheaf("results", task, "--json"))
    assert [row["extractedData"]["fields"]["n_randomised"]["value"] for row in rows] == [90, 90]


def test_a_file_is_there_whole_when_a_table_is_exported(task, home):
    sheaf("watch", task)
    for form in api.FORMATS:
        ran = sheaf("export", task, "--format", form, "-o", "table")
        assert (ran.exit_code, ran.stdout) == (0, "table\n"), ran.stderr
        content = (home / "table").read_bytes()
        assert content.startswith(b"PK") if form == "xlsx" else b"tea.txt" in content
    (again,) = lines(sheaf("export", task, "--format", form, "--json"))
    assert Path(again["file"]).read_bytes() == content
    assert not list(home.glob("*.part"))


def test_no_file_is_left_when_it_does_not_come_whole(signed_in, task, home):
    sheaf("watch", task)
    signed_in.cut = "GET /s3/"
    ran = sheaf("export", task, "-o", "table.xlsx")
    assert ran.exit_code == 4
    assert not (home / "table.xlsx").exists()


# ---------------------------------------------------------------------------------------------------- doctor


def test_the_doctor_is_content_when_all_is_well(signed_in):
    signed_in.doctor = WELL
    ran = sheaf("doctor")
    assert ran.exit_code == 0
    assert ran.stdout.splitlines() == [
        "extract_paper: 0 waiting, 2 at work, 0 dead letters.",
        "Last 24 hours: 3 tasks, 2 closed; 40 rows done, 1 failed, 1 needs_ocr.",
        "Nothing is wrong.",
    ]
    assert lines(sheaf("doctor", "--json")) == [WELL]


def test_the_doctor_says_what_is_wrong_and_what_to_do_when_something_is(signed_in):
    stuck = {
        "taskId": "t1",
        "kind": "extract_paper",
        "reason": "paused",
        "since": "2026-01-01T00:00:00.000Z",
        "detail": "Paused.",
        "advice": "Resume it.",
        "rows": 4,
    }
    row = {
        "taskId": "t2",
        "resultId": "t2-0",
        "documentId": "d",
        "errorClass": "needs_ocr",
        "errorMessage": "Pages are pictures.",
        "advice": "Upload it with text.",
    }
    sick = {"lastAt": None, "detail": "No sweep has come."}
    signed_in.doctor = WELL | {"notMoving": [stuck], "failedRows": [row], "sweep": sick}
    ran = sheaf("doctor")
    assert ran.exit_code == 1
    assert ran.stdout.splitlines()[2:] == [
        "No sweep has come.",
        "Task t1, 4 rows since 2026-01-01T00:00:00.000Z: Paused. Resume it.",
        "Row t2-0, needs_ocr: Pages are pictures. Upload it with text.",
    ]
    assert "Task t1" not in sheaf("doctor", "t2").stdout
    assert "Row t2-0" in sheaf("doctor", "t2").stdout
    signed_in.doctor = WELL | {"notMoving": [stuck]}
    assert sheaf("doctor", "t3").exit_code == 0


def test_the_doctor_says_so_when_the_clock_here_is_off(signed_in):
    signed_in.doctor = WELL
    signed_in.behind_seconds = 600
    ran = sheaf("doctor")
    assert (ran.exit_code, "The clock of this machine is off by +60" in ran.stdout) == (1, True)
