"""Conditions of several parts: from a case in which all hold, each part alone is turned, and that alone decides."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from xml.etree.ElementTree import fromstring

import pytest

from clinical.intake import document_sweep, erase_files
from clinical.library.library_items import Usable
from clinical.papers import file_types
from clinical.papers.jats import front_matter
from clinical.rules.text import Reading
from sheaf.aggregator.decide_row import PROBE_AGAIN_MS, PROBE_WAIT_MS, probing
from sheaf.apart.reader_errors import Unreadable
from sheaf.items import ProviderGate
from sheaf.janitor.task_objects import Stored
from sheaf.protocol.lifecycle import GateState
from tests.support.items import DAY, HOUR, MAX_TRIES, NOW, a_row, facts
from tests.support.papers import one, plain
from tests.support.shelf import a_document, usable


@dataclass(frozen=True)
class Condition:
    """What is asked, of parts that can be told one by one; the answer while all are `right`; and what each turns it to."""

    ask: Callable[..., Any]
    right: Mapping[str, Any]
    answer: Any
    alone: tuple[tuple[Mapping[str, Any], Any], ...]


def probes(**told: Any) -> int:
    gate: dict[str, Any] = {"state": "shut", "since": NOW - HOUR, "shut_until": NOW - PROBE_WAIT_MS}
    gate |= {name: told[name] for name in ("state", "shut_until", "asked_at", "probe_until") if name in told}
    row = {name: told[name] for name in ("status", "not_before", "sent_at", "tries") if name in told}
    known = facts(
        gate=told["task"], provider=ProviderGate(gate="provider/openai/p1", **gate) if told["provider"] else None
    )
    return len(probing([a_row(**row)], known))


def mends(**told: Any) -> str:
    return str(document_sweep.decide(a_document("p1", "kb", "d1", **told), NOW, MAX_TRIES).value)


def study(**told: str) -> Any:
    found = one("study_type_detected", front=told["title"], abstract=told["abstract"], details={"title": told["title"]})
    return found["value"] or found["state"]


def roles(**told: str) -> Any:
    return one("masked_roles", methods="{who}{by}{said} to {what}{after}.".format(**told))["value"]


def place(**told: str) -> Any:
    return one("setting", methods="{what} was {held} {where} {more}.".format(**told))["value"]


def file(**told: bytes) -> str:
    try:
        return file_types.kind(told["before"] + told["mark"] + told["rest"], told.get("name", b"").decode())
    except Unreadable as error:
        return error.reason.split(",")[0]


def cited(**told: str) -> str:
    parts = "{start}<name><surname>Wu</surname></name>{between}<year>2014</year>{end}"
    return next(
        front_matter.references(
            fromstring(f"<l><ref><element-citation>{parts.format(**told)}</element-citation></ref></l>")
        )
    )


def cuts(**told: str) -> list[str]:
    read = plain("Tea for\nthirsty men\n{heading}\nWe served tea.\nIt was\ngood.".format(**told))
    return [each.text for each in Reading(read).sentences if each.page == 0][:1]


def recruited(**told: str) -> Any:
    return one("recruitment_start", methods="{who} {were} between May 2010 and June 2011{more}.".format(**told))[
        "value"
    ]


def needed(**told: Any) -> str:
    """Whether the library needs an old object of a document that is there, unless told otherwise."""
    document = {name: told[name] for name in ("state", "deleted_at", "key", "key_version", "usable") if name in told}
    item = a_document("p1", "kb", "d1", **{"key": FILE, "key_version": "v1", **document}) if told["there"] else None
    stored = Stored(told["at"], told.get("version", "v1"), told.get("written_at", LONG_AGO))
    return "kept" if erase_files.is_needed(item, stored, WEEK, NOW) else "free"


WEEK, LONG_AGO = 7 * DAY, NOW - 30 * DAY
FILE, TEXT, REPLY = "documents/p1/d1/0.txt", "texts/p1/d1/0-1.json", "replies/p1/d1/a.json"
USABLE = Usable(**usable("a.txt", TEXT, "t1"))._asdict() | {"key": FILE, "version": "v1"}
HEAD = b"x" * file_types.PDF_WITHIN
UPLOADING = {"state": "uploading", "due_at": NOW}
READING = {"state": "reading", "due_at": NOW, "lease_until": NOW - 1, "tries": 0}
COHORT, ASSIGNED = "A prospective cohort study of tea", "Patients were randomly assigned to tea or water."
FOLLOWED = "A prospective observational study of tea"
CONDITIONS = {
    "a row may try its provider": Condition(
        probes, {"task": GateState.OPEN, "provider": True}, 1,
        (
            ({"provider": False}, 0),
            ({"task": GateState.PAUSED}, 0),
            ({"task": GateState.BUDGET}, 0),
            ({"task": GateState.CANCELLED}, 0),
            ({"state": "open"}, 0),
            ({"shut_until": NOW + 1}, 0),
            ({"shut_until": NOW - PROBE_WAIT_MS + 1}, 0),
            ({"shut_until": NOW, "asked_at": NOW}, 1),
            ({"shut_until": NOW, "asked_at": NOW - 1}, 0),
            ({"probe_until": NOW}, 0),
            ({"probe_until": NOW - 1}, 1),
            ({"status": "extracting"}, 0),
            ({"not_before": NOW + 1}, 0),
            ({"tries": MAX_TRIES}, 0),
            ({"tries": MAX_TRIES - 1}, 1),
            ({"sent_at": NOW - PROBE_WAIT_MS - 1}, 1),
            ({"sent_at": NOW - PROBE_WAIT_MS}, 0),
            ({"sent_at": NOW}, 0),
            ({"shut_until": NOW - HOUR, "sent_at": NOW - PROBE_AGAIN_MS}, 0),
            ({"shut_until": NOW - HOUR, "sent_at": NOW - PROBE_AGAIN_MS - 1}, 1),
        ),
    ),
    "an upload is looked for": Condition(
        mends, UPLOADING, "look",
        (({"due_at": None}, "leave"), ({"due_at": NOW + 1}, "leave"), ({"state": "ready"}, "leave")),
    ),
    "a reading is begun again": Condition(
        mends, READING, "send",
        (
            ({"due_at": None}, "leave"),
            ({"due_at": NOW + 1}, "leave"),
            ({"lease_until": NOW}, "leave"),
            ({"lease_until": None}, "send"),
            ({"tries": MAX_TRIES}, "give_up"),
            ({"tries": MAX_TRIES - 1}, "send"),
            ({"state": "unreadable"}, "leave"),
        ),
    ),
    "an object of a document under way": Condition(
        needed, {"there": True, "state": "reading", "at": FILE}, "kept",
        (
            ({"there": False}, "free"),
            ({"state": "ready"}, "free"),
            ({"at": "documents/p1/d1/1.txt"}, "free"),
            ({"version": "v0"}, "free"),
            ({"key_version": None}, "kept"),
            ({"there": False, "written_at": NOW - DAY}, "kept"),
            ({"there": False, "written_at": NOW - DAY - 1}, "free"),
        ),
    ),
    "a text that tasks may take": Condition(
        needed, {"there": True, "state": "ready", "usable": USABLE, "at": TEXT, "version": "t1"}, "kept",
        (
            ({"version": "t2"}, "free"),
            ({"at": FILE, "version": "v1"}, "kept"),
            ({"at": FILE, "version": "t1"}, "free"),
            ({"usable": None}, "free"),
            ({"state": "unreadable"}, "kept"),
            ({"there": False}, "free"),
        ),
    ),
    "an object of a deleted document": Condition(
        needed, {"there": True, "state": "deleted", "deleted_at": NOW - WEEK - erase_files.GRACE_MS, "at": FILE}, "kept",
        (
            ({"deleted_at": NOW - WEEK - erase_files.GRACE_MS - 1}, "free"),
            ({"deleted_at": NOW - WEEK - erase_files.GRACE_MS - 1, "written_at": NOW}, "free"),
            ({"at": REPLY}, "kept"),
            ({"version": "v0"}, "kept"),
        ),
    ),
    "what a model said": Condition(
        needed, {"there": True, "at": REPLY}, "kept",
        (({"there": False}, "free"), ({"there": False, "written_at": NOW - DAY}, "kept")),
    ),
    "a title that is merely prospective": Condition(
        study, {"title": FOLLOWED, "abstract": ASSIGNED}, "rct",
        (
            ({"title": COHORT}, "cohort"),
            ({"title": "A retrospective observational study of tea"}, "cohort"),
            ({"title": "A prospective registry-based study of tea"}, "cohort"),
            ({"abstract": "Tea was served."}, "cohort"),
            ({"title": "Tea for thirst"}, "rct"),
        ),
    ),
    "an abstract that is merely prospective": Condition(
        study, {"title": "Tea for thirst", "abstract": f"{FOLLOWED}."}, "cohort",
        (({"abstract": f"{FOLLOWED}. {ASSIGNED}"}, "rct"), ({"abstract": "Tea was served."}, "not_found")),
    ),
    "who was masked": Condition(
        roles,
        {"who": "Scans", "by": " were read by staff who", "said": " were blinded", "what": "treatment", "after": ", two radiologists"},
        ["assessor"],
        (
            ({"by": " and staff"}, None),
            ({"by": " of patients and staff"}, ["participant"]),
            ({"after": ""}, None),
            ({"said": " were not blinded"}, None),
            ({"what": "colour"}, None),
            ({"after": ", two radiologists (Lee et al)"}, None),
        ),
    ),
    "nobody knew": Condition(
        roles,
        {"who": "Neither patients ", "by": "nor nurses", "said": " had any knowledge", "what": "treatment groups", "after": ""},
        ["participant", "provider"],
        (
            ({"by": "nor cooks"}, None),
            ({"what": "tea"}, None),
            ({"after": ", as in earlier work"}, None),
        ),
    ),
    "where it was done": Condition(
        place, {"what": "The trial", "held": "conducted", "where": "in", "more": "a university hospital"},
        "university hospital",
        (
            *(({"what": f"The trial with {word}"}, None) for word in ("serum", "samples", "plasma")),
            ({"held": "thought of"}, None),
            ({"what": "The tea"}, None),
            ({"where": "beside"}, None),
            ({"more": "a university hospital and funded"}, None),
            ({"more": "a university hospital with approval"}, None),
            ({"more": "a garden"}, None),
        ),
    ),
    "a PDF by its mark": Condition(
        file, {"before": b"", "mark": b"%PDF-1.7", "rest": b" tea"}, "pdf",
        (
            ({"mark": b"tea"}, "text"),
            ({"before": HEAD[:-5]}, "pdf"),
            ({"before": HEAD}, "text"),
            ({"before": HEAD, "rest": b" startxref"}, "pdf"),
            ({"before": HEAD, "mark": b"tea", "rest": b" startxref"}, "text"),
            ({"before": b"x" * file_types.HEAD, "rest": b" startxref"}, "text"),
        ),
    ),
    "a text": Condition(
        file, {"before": b"", "mark": b"tea", "rest": b"", "name": b"a.txt"}, "text",
        (
            ({"mark": b""}, "This file is empty."),
            ({"rest": b"\x00"}, "This file is no PDF"),
            ({"rest": b"\x00", "name": b"a.PDF"}, "This file is called a PDF but is none."),
            ({"before": b"\xff\xfe", "mark": b"t\x00"}, "text"),
            ({"before": b"\xfe\xff", "mark": b"\x00t"}, "text"),
        ),
    ),
    "a citation in parts": Condition(
        cited, {"start": "", "between": "", "end": ""}, "Wu. 2014",
        (
            ({"start": " ", "between": ". "}, "Wu. 2014"),
            ({"start": "See "}, "See Wu 2014"),
            ({"between": " in "}, "Wu in 2014"),
            ({"end": " again"}, "Wu 2014 again"),
            ({"between": " in ", "end": "."}, "Wu in 2014."),
        ),
    ),
    "lines before an abstract": Condition(
        cuts, {"heading": "\nAbstract"}, ["Tea for"],
        (({"heading": ""}, ["Tea for thirsty men"]), ({"heading": "\nMethods"}, ["Tea for thirsty men"])),
    ),
    "a period of recruitment": Condition(
        recruited, {"who": "Patients", "were": "were recruited", "more": ""}, "May 2010",
        (
            ({"were": "were well"}, None),
            ({"were": "will be recruited"}, None),
            ({"more": ", funded by a fund"}, None),
            ({"who": "Lee et al said that patients"}, None),
            ({"were": "were conducted"}, "May 2010"),
        ),
    ),
}  # fmt: skip


def rows() -> Iterator[Any]:
    for name, condition in CONDITIONS.items():
        yield pytest.param(condition, {}, condition.answer, id=name)
        for number, (turned, answer) in enumerate(condition.alone, 1):
            told = f"{name}, {number}: {' and '.join(turned)}"
            yield pytest.param(condition, turned, answer, id=told)


@pytest.mark.parametrize(("condition", "turned", "answer"), list(rows()))
def test_a_part_of_a_condition_decides_when_it_alone_is_turned(condition, turned, answer):
    assert condition.ask(**{**condition.right, **turned}) == answer
