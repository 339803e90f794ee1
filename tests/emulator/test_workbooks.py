"""A workbook on the deployed stack: announced, uploaded by its form, read because it came, saved by two at once, deleted."""

import gzip
import json
import os
import signal
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier
from typing import Any

import pytest

from sheaf_client.api import send
from tests.support.deployed import eventually
from tests.support.workbooks import announcement, registry, xlsx

pytestmark = pytest.mark.emulator

SESSIONS = "/dc/sessions"
ROUNDS = 5


def uploaded(deployed, content: bytes, name: str = "registry.xlsx") -> str:
    """A session whose file has come. Nobody tells of it but S3."""
    opened = deployed.ask("POST", SESSIONS, announcement(content, name))
    assert opened.status == 201, opened
    send(opened.body["upload"], content)
    return str(opened.body["session"]["sessionId"])


def status(deployed, session: str) -> Any:
    return deployed.ask("GET", f"{SESSIONS}/{session}/status").body


def newer(deployed, session: str, than: int) -> int:
    """The version that is shown, where it is a newer one."""
    version = int(status(deployed, session)["version"])
    return version if version > than else 0


def ended(deployed, session: str) -> Any:
    return eventually(lambda: (found := status(deployed, session))["status"] != "processing" and found, "its end")


@pytest.fixture(scope="module")
def ready(deployed) -> str:
    session = uploaded(deployed, registry())
    assert ended(deployed, session)["status"] == "ready"
    return session


def test_the_table_is_there_and_both_its_files_when_the_workbook_has_come(deployed, ready):
    rows = deployed.ask("GET", f"{SESSIONS}/{ready}/preview").body["rows"]
    assert rows[0] == ["001", 61, "F", "2024-01-09", "<0.5", True]
    links = deployed.ask("GET", f"{SESSIONS}/{ready}/data").body
    clean, original = (urllib.request.urlopen(links[name]["url"]).read() for name in ("clean", "original"))
    assert [json.loads(line) for line in gzip.decompress(clean).splitlines()][1:] == rows
    assert original == registry()


def test_a_file_that_is_no_workbook_ends_in_words_and_the_next_one_is_read(deployed):
    bad = uploaded(deployed, b"%PDF-1.7 not a table", "table.xlsx")
    good = uploaded(deployed, xlsx(("Next", [["a", "b"], ["x", 1], ["y", 2]])), "next.xlsx")
    assert "not a workbook" in ended(deployed, bad)["errorMessage"]
    assert ended(deployed, good)["status"] == "ready"


def test_one_of_two_wins_and_nothing_is_mixed_when_both_save_at_once(deployed):
    """Round after round, each over the version that both see."""
    session = uploaded(deployed, registry([["001", 1, "F", None, 1, "yes"], ["002", 2, "M", None, 2, "no"]]))
    version = ended(deployed, session)["version"]
    for _ in range(ROUNDS):
        at_once = Barrier(2)

        def save(value, version=version, at_once=at_once):
            cells = [{"row": row, "column": 1, "value": value} for row in (0, 1)]
            at_once.wait()
            return deployed.ask("PUT", f"{SESSIONS}/{session}/data", {"version": version, "cells": cells}).status

        with ThreadPoolExecutor(2) as people:
            answers = list(people.map(save, (10 * version, 10 * version + 1)))
        assert sorted(answers) == [202, 409]
        won = 10 * version + answers.index(202)
        version = eventually(partial(newer, deployed, session, version), "the save")
        rows = deployed.ask("GET", f"{SESSIONS}/{session}/preview").body["rows"]
        assert [row[1] for row in rows] == [won, won]


def test_nobody_finds_it_again_when_it_is_deleted(deployed):
    session = uploaded(deployed, registry())
    assert deployed.ask("DELETE", f"{SESSIONS}/{session}").status == 204
    assert deployed.ask("GET", f"{SESSIONS}/{session}").status == 404


@pytest.mark.chaos
def test_it_is_read_by_another_when_its_worker_is_killed(deployed):
    """The sweep finds the lease over and sends the row again."""
    rows = [[f"{number:04}", *range(60)] for number in range(3_000)]
    session = uploaded(deployed, xlsx(("Large", [["id", *(f"v{n}" for n in range(60))], *rows])), "large.xlsx")
    pids = eventually(lambda: deployed.workers("CleanSheetFunction"), "its worker", every=0.02)
    eventually(lambda: status(deployed, session)["step"] == "reading", "its reading", every=0.02)
    for pid in pids:
        os.kill(pid, signal.SIGKILL)
    found = eventually(lambda: (now := status(deployed, session))["status"] == "ready" and now, "its end", within=900)
    assert found["version"] == 1
