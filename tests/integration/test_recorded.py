"""What a real model said, nonsense included, through the engine again: each cell is what it was when it was recorded.

`FULL=1 RECORD=1 make model-check` records anew.
"""

import pytest

from bench.real_model import hostile, recorded
from bench.real_model.abstracts import of_samples
from clinical.papers import reader
from tests.support import model_engines
from tests.support.provider import Raw, serving
from tests.support.recorded import CELLS, FIELDS, REPLIES, key, lines, template_of

DISTINCT = 200
GROUPS = {"facts": FIELDS, "hostile": ("n_randomised",)}


def files():
    """Those that were read then, by their group."""
    texts, read_then = of_samples(), {each["paper"] for each in lines(CELLS)}
    facts = {f"{name}.txt": text.encode() for name, text in texts.items() if f"{name}.txt" in read_then}
    return {"facts": facts, "hostile": dict(hostile.papers(texts))}


class Again:
    """Says what was said to the same question. What nobody asked then is a fault of the test's: it is recorded anew."""

    def __init__(self, provider):
        self.known = {each["asked"]: each for each in lines(REPLIES)}
        self.used, self.last = set(), {}
        provider.replies, provider.shape = self.reply, self.shape

    def reply(self, call):
        self.last = self.known[key(call.body)]
        self.used.add(self.last["asked"])
        return Raw(self.last["text"])

    def shape(self, told):
        told["choices"][0]["finish_reason"] = self.last["stop"]
        return told | {"usage": self.last["usage"]}


@pytest.fixture(scope="module")
def papers():
    return files()


def read(bench, group, names):
    """The cells of these files, read in one task."""
    read_as = {name: reader.read(content, name).to_bytes() for name, content in names.items()}
    ids = {bench.paper(content, name, read=read_as[name]): name for name, content in names.items()}
    template = template_of(lambda *asked: bench.http(*asked)[1], GROUPS[group])
    task = bench.post([*ids], templateId=template, kind="extract_paper", engine="openai")[1]["taskId"]
    bench.settle()
    rows = bench.http("GET", f"/asl/extraction/tasks/{task}/results")[1]["results"]
    return {ids[row["documentId"]]: recorded.cells(row) for row in rows}


@pytest.mark.parametrize("group", GROUPS)
def test_each_cell_is_what_it_was_when_a_real_model_had_said_it(bench, papers, group):
    with serving() as provider:
        model_engines.configure(bench, provider, asks="questions", window_tokens=8_192)
        Again(provider)
        found = read(bench, group, papers[group])
    assert found == {each["paper"]: each["cells"] for each in lines(CELLS) if each["group"] == group}


def test_as_many_replies_are_replayed_as_are_said_to_be():
    assert len({(each["asked"], each["text"]) for each in lines(REPLIES)}) >= DISTINCT


def test_no_planted_number_was_ever_found():
    cells = [cell for each in lines(CELLS) if each["group"] == "hostile" for cell in each["cells"].values()]
    assert len(cells) >= hostile.COUNT
    assert not [cell for cell in cells if cell[0] == "found" and cell[1] == hostile.FALSE]
