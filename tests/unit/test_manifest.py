"""The manifest in its parts, and the rows that are made of it."""

import json
import zlib
from typing import Any

import pytest

from sheaf.items import Row
from sheaf.outside.objects import ObjectGone
from sheaf.protocol import manifest, scatter
from sheaf.protocol.manifest import PinnedItem
from tests.support.items import NOW, a_task

READY = PinnedItem("d0", "texts/p1/d0/0-1.json", "v1", "0" * 64, "a paper.pdf", size=7)
REFUSED = PinnedItem("d1", "", None, None, "b.pdf", "The document was not ready to be read (reading).")
LONG = READY._replace(name="d2", version=None, filename="é" * 300 + ".pdf")


@pytest.fixture
def parts_of_two(monkeypatch):
    monkeypatch.setattr(manifest, "PART", 2)


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5])
def test_a_manifest_gives_its_rows_in_their_order_when_it_is_read_part_by_part(parts_of_two, count):
    rows = [READY, REFUSED, LONG, READY, REFUSED][:count]
    where, found = manifest.written("p1/t1", rows)
    assert list(found) == [f"{where}/{number:04d}" for number in range(-(-count // 2))]
    task = a_task(total=count, manifest_key=where)
    assert manifest.keys(task) == list(found)
    assert list(manifest.rows(task, list(found.values()))) == rows


def test_a_manifest_has_another_place_when_anything_of_it_is_another(parts_of_two):
    """The same content has the same place: a repetition overwrites it with itself."""
    rows = [READY, REFUSED, LONG]
    assert manifest.written("p1/t1", rows) == manifest.written("p1/t1", list(rows))
    others = [manifest.written("p1/t1", changed)[0] for changed in ([READY, LONG, REFUSED], rows[:2], [*rows, READY])]
    assert len({manifest.written("p1/t1", rows)[0], *others}) == 4


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{}",
        zlib.compress(b"{}"),
        zlib.compress(b"[[1]]"),
        zlib.compress(b"[1, 2]"),
        zlib.compress(b"["),
        manifest.packed([READY]),
    ],
)
def test_a_part_is_gone_when_what_lies_there_is_no_such_part(parts_of_two, content):
    """Made by hand, cut, or of another task: its rows are not those that were accepted."""
    with pytest.raises(ObjectGone):
        manifest.part(a_task(total=3, manifest_key="here"), 0, content)


@pytest.mark.parametrize(
    ("first", "count", "parts"),
    [(0, 0, []), (0, 1, [0]), (0, 2, [0]), (0, 3, [0, 1]), (1, 2, [0, 1]), (2, 2, [1]), (3, 4, [1, 2, 3])],
)
def test_the_parts_of_some_rows_are_all_that_hold_one_of_them_when_counted(parts_of_two, first, count, parts):
    assert list(manifest.parts(first, count)) == parts


@pytest.mark.parametrize("gate", ["open", "paused", "cancelled"])
@pytest.mark.parametrize("provider", [None, "openai"])
def test_a_new_row_is_what_its_model_would_be_when_it_is_made_without_one(gate, provider):
    """Two ways to the same item: the quick one must not forget what the model gains."""
    task = a_task(shard_rows=2, gate=gate, provider=provider, row_options={"template": "rct@1", "fresh": True})
    ended: dict[str, Any] = {"status": "error", "error_class": "not_ready", "error_message": REFUSED.refusal}
    status: dict[str, Any] = {"status": "cancelled" if gate == "cancelled" else "pending"}
    for number, (pinned, more) in enumerate([(READY, status), (REFUSED, ended), (LONG, status)]):
        (made,) = scatter.new_rows(task, 5 + number, [pinned], NOW)
        model = Row(
            shard=f"p1/t1/{(5 + number) // 2:04d}", row=5 + number, document=pinned.name, options=task.row_options,
            pinned_key=pinned.key, pinned_version=pinned.version, pinned_sha256=pinned.sha256, provider=provider,
            filename=manifest.cut(pinned.filename), created_at=NOW, updated_at=NOW, **more,
        )  # fmt: skip
        assert made == model.serialize()


def test_a_part_of_a_manifest_is_small_when_it_is_stored():
    """Arrays and not objects, packed: a hundred thousand rows are some megabytes, read a part at a time."""
    rows = [READY._replace(name=f"d{number:019d}", sha256=f"{number:064x}") for number in range(manifest.PART)]
    (content,) = manifest.written("p1/t1", rows)[1].values()
    assert len(content) < 60 * manifest.PART
    assert json.loads(zlib.decompress(content))[1][0] == "d0000000000000000001"
