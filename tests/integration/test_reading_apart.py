"""Files that nobody vouches for, each read in a process of its own: a hostile one costs that process and nothing else."""

import codecs
import json
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

import pytest

from clinical.papers.limits import Limits
from clinical.papers.read_paper import read_apart
from clinical.papers.reader import read
from sheaf.apart import isolation, wall
from sheaf.apart.reader_errors import NeedsOcr, ReaderBroken, Unreadable
from tests.attacks import _payload, reader_taken_over
from tests.support import mutating
from tests.support.hostile import CASES, NEEDS_OCR, READY, UNREADABLE, declared_as, forms, outside
from tests.support.pdfs import body, paper
from tests.support.processes import children
from tests.support.stack_file import ROOT

SMALL = Limits(cpu_seconds=8, wall_seconds=60)
FILES = [*(ROOT / "samples").iterdir(), *(ROOT / "tests" / "data").rglob("*")]
SAMPLES = sorted(path for path in FILES if path.suffix in {".pdf", ".xml", ".nxml", ".txt"})
MUTANTS, BATCH = 500, 125
linux = pytest.mark.skipif(sys.platform != "linux", reason="the wall is Linux's")


def outcome(content, filename, limits=SMALL):
    try:
        read_apart(content, filename, limits)
    except Unreadable as refused:
        return UNREADABLE if refused.reason.endswith(".") and refused.advice.endswith(".") else "without words"
    except NeedsOcr:
        return NEEDS_OCR
    return READY


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_hostile_file_ends_in_its_state(case):
    """Told in words, within the limits; nothing else is raised."""
    assert outcome(case.make(), case.filename) == case.state


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)
def test_a_paper_is_the_same_when_it_is_read_apart(path):
    assert read_apart(path.read_bytes(), path.name) == read(path.read_bytes(), path.name)


@pytest.mark.parametrize("mark", [b"", codecs.BOM_UTF8])
@pytest.mark.parametrize("encoding", ["koi8-r", "ISO_8859-15", "cp437", "gbk", "utf-16", "no-such", "rot13", "idna"])
def test_an_article_is_the_same_when_it_is_read_apart_whatever_characters_it_names(encoding, mark):
    """Behind the wall no codec can be loaded. Mutation caught: one that is not loaded before."""
    article = declared_as("ascii", "We counted, \x1a.").replace(b"\x1a", b"caf\xe9")
    content = mark + article.replace(b"ascii", encoding.encode())

    def told(reader):
        try:
            return reader(content, "")
        except Unreadable as refused:
            return refused.reason

    assert told(read_apart) == told(read)


@linux
@pytest.mark.parametrize(("refused", "stands"), [(("prctl",), True), (("prctl", "seccomp"), False)])
def test_the_wall_is_put_up_when_a_sandbox_refuses_to_be_asked_for_less(refused, stands):
    """As Lambda's is said to: a process that is under a filter already may set another without `prctl`."""
    script = f"""
import ctypes, platform, struct
from clinical.papers import read_paper
from sheaf.apart import wall
column, _, seccomp = wall.MACHINES[platform.machine()]
numbers = {{"prctl": (157, 167)[column], "seccomp": seccomp}}
checks = [(wall.EQUALS, 0, 1, numbers[name]) for name in {refused!r}]
steps = [(wall.LOAD, 0, 0, wall.NUMBER)]
for check in checks:
    steps += [check, (wall.RETURN, 0, 0, wall.REFUSE)]
code = b"".join(struct.pack("HBBI", *step) for step in [*steps, (wall.RETURN, 0, 0, wall.ALLOW)])
wall._set(wall.SET_NO_NEW_PRIVILEGES, 1)
assert ctypes.CDLL(None).syscall(seccomp, 1, 0, ctypes.byref(wall._Program(len(code) // 8, code))) == 0
print(read_paper.has_wall())
"""
    assert reader_taken_over.run("-c", script).stdout == f"{stands}\n"


def test_a_child_is_stopped_when_it_takes_too_long():
    """By its own clock, and by ours when it does not work but wait."""
    endless = forms()
    with pytest.raises(Unreadable, match="more time"):
        read_apart(endless, "", Limits(cpu_seconds=1, memory_bytes=4_000_000_000))
    started = time.monotonic()
    with pytest.raises(Unreadable, match="more time"):
        read_apart(endless, "", Limits(wall_seconds=0.3, memory_bytes=4_000_000_000))
    assert time.monotonic() - started < 60


def test_a_child_is_given_no_more_memory_than_its_limit():
    """An interpreter with nothing but a large file in it, which is within the limits of a file."""
    with pytest.raises(Unreadable, match="memory") as refused:
        read_apart(b"word " * 16_000_000, "large.txt", Limits(memory_bytes=150_000_000, text_bytes=90_000_000))
    assert "viewer" not in refused.value.advice, "what to do with a text is not what to do with a PDF"


def test_a_file_of_the_server_is_not_in_the_text(tmp_path):
    """Even where an article says that it belongs there; and nothing is fetched."""
    secret = tmp_path / "secret"
    secret.write_text("canary")
    with pytest.raises(Unreadable) as refused:
        read_apart(outside(secret.as_uri()), "paper.xml")
    assert "canary" not in str(refused.value)


def test_the_child_has_no_variable_of_ours(monkeypatch):
    """No credentials: what a child does not have cannot be taken from it."""
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "canary")
    monkeypatch.setenv("LIBRARY_TABLE", "canary")
    told = subprocess.run(
        [sys.executable, "-S", "-c", "import os, json; print(json.dumps(dict(os.environ)))"],
        env=isolation.environment(), capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert set(json.loads(told.stdout)) <= {"PYTHONPATH", "LD_LIBRARY_PATH", "LANG", "LC_CTYPE"}
    assert "canary" not in told.stdout


def test_a_file_is_not_blamed_when_the_reader_is_not_there(monkeypatch):
    """A layer that was forgotten must not end every PDF as damaged for good."""
    monkeypatch.setattr(sys, "path", [str(ROOT / "layers" / "sheaf")])
    with pytest.raises(ReaderBroken, match="ModuleNotFoundError"):
        read_apart(paper(body()), "")
    monkeypatch.setattr(sys, "path", ["/nowhere"])
    with pytest.raises(ReaderBroken, match="status 1"):
        read_apart(paper(body()), "")


def test_neither_file_nor_process_is_left_behind(tmp_path, monkeypatch):
    """After a paper, and after a child that was killed."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    opened, there = _open_files(), children(os.getpid(), ended=True)
    outcome(paper(body()), "")
    outcome(forms(), "", Limits(wall_seconds=0.3))
    assert list(tmp_path.iterdir()) == []
    assert _open_files() == opened
    assert children(os.getpid(), ended=True) == there


def test_papers_are_not_mixed_up_when_many_are_read_at_once():
    """From threads, as a warm function or a test may."""
    texts = [f"Paper number {number}" for number in range(12)]
    with ThreadPoolExecutor(4) as threads:
        read_papers = list(threads.map(lambda text: read_apart(paper(body(text)), text), texts))
    assert [each.pages[0].text.split("\n")[0] for each in read_papers] == texts


@pytest.mark.parametrize("first", range(0, MUTANTS, BATCH))
def test_damaged_pdfs_neither_crash_nor_hang_nor_leak(first):
    """Many in one process, a clean paper between any two, so that what one leaves behind shows in the next.

    A crash of PDFium itself is not excluded: then the file has to end as unreadable when it is read as the product does.
    """
    at, ended = first, []
    while at < first + BATCH:
        lines, crashed = _batch(at, first + BATCH - at)
        assert all(line[1] == "kept" for line in lines), lines
        ended += [line[2] for line in lines]
        at += len(lines)
        if crashed:
            assert outcome(mutating.mutant(at), "mutant.pdf") == UNREADABLE, at
            at += 1
    assert {READY, UNREADABLE} <= set(ended)


def _open_files():
    """How many this process has; 0 where there is no way to see it."""
    there = Path("/proc/self/fd")
    return len(list(there.iterdir())) if there.exists() else 0


def _batch(first, count):
    """The driver's lines, and whether it ended before it had done all."""
    ended = subprocess.run(
        [sys.executable, "-m", "tests.support.mutating", str(first), str(count)],
        env={"PYTHONPATH": f"{ROOT / 'layers' / 'sheaf'}:{ROOT}"}, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    lines = [line.split() for line in ended.stdout.splitlines()]
    assert ended.returncode <= 0, ended.stderr
    return lines, len(lines) < count


def has_yama():
    """Some distributions keep a process's memory from its children by themselves."""
    there = Path("/proc/sys/kernel/yama/ptrace_scope")
    return there.exists() and there.read_text().strip() != "0"


@pytest.fixture(scope="module")
def taken():
    """What the attacker's payload gets behind the wall, and where there is none; per kind of file and user."""

    @cache
    def asked(kind, walled, *, as_root):
        return reader_taken_over.taken_by(kind, walled, as_root=as_root)

    return asked


@linux
@pytest.mark.parametrize("theft", _payload.EVERYTHING)
@pytest.mark.parametrize("kind", reader_taken_over.KINDS)
def test_who_takes_a_reader_over_is_refused_each_thing_when_the_wall_stands(taken, kind, theft):
    """And gets it where there is none: a theft that never succeeds shows nothing about a wall."""
    assert theft not in taken(kind, wall.REQUIRED, as_root=False)
    if has_yama() and theft in {"the parent's memory", "a hold on the parent"}:
        pytest.skip("this kernel keeps that from every child")
    assert theft in taken(kind, wall.NONE, as_root=False)


@linux
@pytest.mark.skipif(os.geteuid() != 0, reason="the local stack's functions run as whoever started it")
def test_the_wall_holds_when_the_reader_runs_as_root(taken):
    assert [taken(kind, wall.REQUIRED, as_root=True) for kind in reader_taken_over.KINDS] == [[], [], []]


@linux
@pytest.mark.parametrize(("first", "seen"), [("wall.hide()", ""), ("pass", "True\n")])
def test_the_parents_environment_is_closed_to_its_children_when_it_hides(first, seen):
    """Beside the wall, and for a child that has none."""
    peep = "import os; print('secret' in open(f'/proc/{os.getppid()}/environ').read())"
    script = f"import subprocess, sys; from sheaf.apart import wall; {first}; subprocess.run([sys.executable, '-c', {peep!r}])"
    assert reader_taken_over.run("-c", script).stdout == seen


@linux
def test_nothing_is_read_when_a_wall_is_required_and_cannot_be_put_up():
    """Told of a machine that the wall does not know, as `setarch i686` tells it; a kernel without filters is no other."""
    script = (
        "import ctypes, sys; ctypes.CDLL(None).personality(8); from clinical.papers.read_paper import has_wall, read_apart\n"
        "print(has_wall(), read_apart(b'A paper.', '', walled=sys.argv[1]).pages[0].text)"
    )
    refused, allowed = (reader_taken_over.run("-c", script, walled) for walled in ("required", "where_possible"))
    assert refused.stderr.splitlines()[-1].endswith(isolation.NO_WALL)
    assert allowed.stdout == "False A paper.\n"


@pytest.mark.parametrize("lie", ["done:[]", 'done:{"', "[" * 100_000, '{"broken":"A paper. at read:7"}', "{}", "7"])
def test_an_answer_that_no_child_of_ours_gives_is_a_defect_when_it_comes(lie, tmp_path, monkeypatch):
    """What has taken a child over may say anything; nothing of it comes into a log."""
    liar = "import os, sys\ndef prepare(content, name): os.write(1, content[3:]); os._exit(content.startswith(b'{\"b', 3))\n"
    (tmp_path / "liar.py").write_text(liar)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ReaderBroken) as broken:
        read_apart(b"   " + lie.encode(), "", reader="liar")
    assert "A paper" not in str(broken.value)
