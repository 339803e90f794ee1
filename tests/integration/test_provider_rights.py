"""A worker's rights follow the engines of its deployment: enough for each of them alone, and none for one that is gone."""

from dataclasses import replace

import pytest

from sheaf.engine_settings import Engines
from tests.support import model_engines, stack_file
from tests.support.model_engines import gate
from tests.support.policies import actions, may
from tests.support.provider import serving

PARAMETERS = {"openai": "OpenaiModel", "bedrock": "BedrockModel"}
THROTTLED = {"openai": "status:429::{}", "bedrock": "error:ThrottlingException:429:slow down"}

UPDATE_GATE = ("dynamodb:UpdateItem", "${GatesTable.Arn}")
NOT_WITHOUT = {"openai": {UPDATE_GATE}, "bedrock": {UPDATE_GATE, ("bedrock:InvokeModel", "BedrockModelArns")}}
"""What a deployment with the other engine alone forbids."""

engines = pytest.mark.parametrize("engine", model_engines.ENGINES)


@pytest.fixture
def provider():
    with serving() as made:
        yield made


def _open(bench, provider, engine):
    """A task of one paper, whose provider will throttle the first call."""
    provider.play(THROTTLED[engine], "ok")
    document = bench.paper("A trial of rest.\nWe randomised 120 participants to two groups.")
    status, task = bench.post([document], kind="extract_paper", engine=engine)
    assert status == 202, task


def _again(bench):
    """When its message is seen again."""
    (held,) = bench.held.values()
    bench.clock.now = max(bench.clock.now, held.visible_at)
    assert bench.deliver() == 1


@engines
def test_every_call_of_a_worker_is_allowed_to_it_when_its_engine_is_the_only_one(bench, provider, engine):
    """Its gate shut, probed, opened and paced: as a role of a deployment with that engine, and of no other."""
    model_engines.configure(bench, provider, calls_per_minute=600)
    _open(bench, provider, engine)
    with bench.calls.watch() as calls:
        bench.deliver()
        assert gate(bench, engine).state == "shut"
        _again(bench)
        made = list(calls.made)
    assert (bench.row().status, gate(bench, engine).state) == ("completed", "open")
    asked = [each for _, operation, arguments in made for each in actions(operation, arguments)]
    for name, parameter in PARAMETERS.items():
        deployed = stack_file.configured(stack_file.load(), **{parameter: "a-model"})
        denied = {each[:2] for each in asked if not may(deployed, "ExtractPaperFunction", *each)}
        assert denied == (set() if name == engine else NOT_WITHOUT[engine])


@engines
def test_the_row_ends_and_no_gate_is_written_when_its_engine_was_taken_away(bench, provider, engine):
    """The worker may not write that gate any more, so it does not knock: the row says why it cannot be done."""
    model_engines.configure(bench, provider)
    _open(bench, provider, engine)
    bench.deliver()
    before = gate(bench, engine).serialize()
    world = bench.worker_world()
    bench.worlds["ExtractPaperFunction"] = replace(
        world, settings=replace(world.settings, engines=Engines("rules", {}))
    )
    with bench.calls.watch() as calls:
        _again(bench)
        written = [arguments["TableName"] for _, name, arguments in calls.made if name == "UpdateItem"]
    assert set(written) == {"ResultsTable"}
    row = bench.row()
    assert (row.status, row.error_class) == ("error", "engine_gone")
    assert gate(bench, engine).serialize() == before
