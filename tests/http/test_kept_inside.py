"""A project whose texts stay inside: the switch, who turns it, and what it refuses."""

from dataclasses import replace

import pytest

from sheaf.engine_settings import Engines, EngineSettings
from sheaf.model_calls import kept_inside
from tests.http import front as fronts
from tests.http.front import TASKS, Front, stored

SETTINGS = "/asl/settings"
OUTSIDE = EngineSettings("openai", "m", url="https://api.example.com/v1")


@pytest.fixture
def engines(bench):
    """The rules, a model here and one elsewhere."""
    models = {"bedrock": EngineSettings("bedrock", "b"), "openai": OUTSIDE}
    fronts.limit(bench, engines=Engines("rules", models))


def test_an_engine_outside_is_refused_in_words_when_the_projects_texts_stay_inside(bench, front, engines):
    """Also a retry's; others' projects, and engines here, go on."""
    papers, other = [bench.paper("A trial.")], Front(bench, "p2")
    assert front.send("PUT", SETTINGS, {"textStaysInside": True}).body == {"textStaysInside": True}
    before = stored(bench)
    refused = front.start(papers, kind="extract_paper", templateId="rct", engine="openai")
    assert (refused.status, refused.problem) == (409, "text-stays-inside")
    assert "api.example.com" in refused.body["detail"]
    assert stored(bench) == before
    for engine in ("rules", "bedrock"):
        assert front.start(papers, kind="extract_paper", templateId="rct", engine=engine).status == 202
    theirs = [bench.paper("A trial.", project="p2")]
    assert other.start(theirs, kind="extract_paper", templateId="rct", engine="openai").status == 202
    front.send("PUT", SETTINGS, {"textStaysInside": False})
    assert front.start(papers, kind="extract_paper", templateId="rct", engine="openai").status == 202


def test_me_says_where_texts_go_when_there_are_models(front, engines):
    front.send("PUT", SETTINGS, {"textStaysInside": True})
    told = front.send("GET", "/me", groups="[p1 p2:viewer]").body
    assert [(each["projectId"], each["textStaysInside"]) for each in told["projects"]] == [("p1", True), ("p2", False)]
    assert told["endpoints"] == [
        {"engine": "bedrock", "host": None, "outside": False},
        {"engine": "openai", "host": "api.example.com", "outside": True},
    ]


def test_a_viewer_does_not_decide_when_texts_stay_inside(front):
    assert front.send("PUT", SETTINGS, {"textStaysInside": False}, groups="[p1:viewer]").status == 403


@pytest.mark.parametrize(
    ("url", "outside"),
    [("http://10.1.2.3:8080/v1", False), ("http://vllm:8000", False), ("https://llm.internal/v1", False), ("https://10.0.0.1.example.com", True)],
)  # fmt: skip
def test_a_neighbour_is_inside_when_its_address_says_so(url, outside):
    assert kept_inside.endpoint(replace(OUTSIDE, url=url))["outside"] is outside


def test_a_task_is_called_what_its_request_says_when_it_has_a_name(bench, front):
    """Without what is hidden; another name is another request; a retry is called the same."""
    papers = [bench.probe("permanent")]
    named = front.start(papers, key="k", name=" Delirium,\u200b first\tpass ").body
    assert named["name"] == "Delirium, first pass"
    assert front.start(papers, key="k", name="Another").problem == "idempotency-key-reused"
    assert front.start(papers, name="").body["name"] is None
    assert front.start(papers, name="x" * 81).body["field"] == "name"
    bench.settle("probe")
    assert front.verb("retry", named["taskId"]).body["name"] == "Delirium, first pass"
    assert "Delirium, first pass" in [each["name"] for each in front.get(TASKS).body["tasks"]]
