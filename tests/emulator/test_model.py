"""`make model`: one command, and papers are read by a model that the stack here did not have before."""

import pytest

from local import LocalError, model
from tests.support.deployed import TASKS
from tests.support.provider import serving

pytestmark = [pytest.mark.emulator, pytest.mark.slow]

TEXT = b"A trial of rest.\nWe randomised 120 participants to two groups."


@pytest.fixture
def provider():
    with serving() as made:
        yield made


def _engines(deployed):
    return set(deployed.ask("GET", "/me").body["engines"])


def test_papers_are_read_by_a_model_from_when_it_is_given_until_it_is_taken_away(deployed, provider):
    """With its key, which the worker reads where it is kept; a second key takes the first one's place."""
    home = deployed.emulator.folder
    for key in ("first-key", "second-key"):
        model.give(home, deployed.endpoint, model.parameters(provider.url, "a-model", ["ModelCallSeconds=20"]), key)
    deployed.deploy()
    try:
        assert _engines(deployed) == {"rules", "openai"}
        asked = {"templateId": "rct", "documentIds": deployed.papers([TEXT]), "engine": "openai"}
        opened = deployed.ask("POST", TASKS, asked)
        assert deployed.closed(opened.body["taskId"])["completedCount"] == 1
        (call, *_) = provider.calls
        assert (call.body["model"], call.headers["authorization"]) == ("a-model", "Bearer second-key")
    finally:
        model.give(home, deployed.endpoint, model.parameters("none", "", []), "")
        deployed.deploy()
    assert _engines(deployed) == {"rules"}


@pytest.mark.parametrize(
    ("url", "name", "more"),
    [("", "", []), ("http://127.0.0.1:1/v1", "", []), ("http://a", "b", ["c"]), ("http://a", "b", ["Nonsense=1"])],
)
def test_the_command_is_refused_with_what_is_missing_when_it_is_not_whole(url, name, more):
    with pytest.raises(LocalError, match=r"URL=|NAME=VALUE"):
        model.parameters(url, name, more)
