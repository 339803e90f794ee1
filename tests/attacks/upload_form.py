"""Somebody who was given one upload form posts by it again and again, other bytes too, to keep everybody's intake busy.

Two walls: the form holds the hash of the bytes, so that S3 takes no others; and whatever arrives by it is read at most
`IntakeMaxTries` times. Without them (a storage that computes no hash, tries without end) ten posts are ten readings.
"""

import tempfile
import time
from dataclasses import replace
from pathlib import Path

from sheaf.outside import wiring
from sheaf.settings import IntakeSettings
from tests.simulation import forms
from tests.support.bench import Bench, stack
from tests.support.uploads import announced

POSTS = 10
TRIES = 3
UNREADABLE = b"\x00\x01\x02"


def attack(*, walls: bool) -> list[str]:
    """Other bytes that were stored, and readings beyond those that one announcement is worth."""
    with tempfile.TemporaryDirectory() as folder, stack(Path(folder) / "probe.log") as bench:
        if not walls:
            world = bench.worlds["IntakeFunction"]
            wiring.worlds[IntakeSettings] = replace(world, settings=replace(world.settings, intake_max_tries=100))
        return _post(bench, hashes=walls)


def _post(bench: Bench, *, hashes: bool) -> list[str]:
    base = bench.http("POST", "/pkb/knowledge-bases", {"name": "Papers"})[1]["knowledgeBaseId"]
    told = announced(bench, base, UNREADABLE)
    form, stored = told["upload"], 0
    for number in range(POSTS):
        for content in (UNREADABLE, bytes([0, 1, 3 + number])):
            if forms.takes(form, content, int(time.time() * 1000), hashes=hashes):
                stored += content != UNREADABLE
                bench.arrive(form["fields"]["key"], content)
                bench.take_in()
    read = int(bench.document(told["document"]["documentId"]).attempt)
    taken = [f"{stored} times other bytes stored"] if stored else []
    return taken + ([f"{read} readings of one announcement"] if read > TRIES else [])
