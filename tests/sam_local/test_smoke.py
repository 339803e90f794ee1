"""A build that cannot run is not deployed, and a deployed stack is asked whether it answers: `make deploy`."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from botocore.exceptions import ClientError, ReadTimeoutError

from local import LocalError, building, web
from local.aws import DIRECT, session
from local.deploy import smoke
from local.ministack import emulator
from local.settings import ROOT, tool_environment
from tests.support.deployed import _free_port

# SAM warns of a function of its own.
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore:.*is deprecated:DeprecationWarning")]

REPOSITORY = (
    "Makefile",
    "samconfig.toml",
    "template.yaml",
    "events",
    "functions",
    "layers",
    "local",
    "client",
    "requirements",
    "samples",
    "web",
)


@pytest.fixture(scope="module")
def build(tmp_path_factory):
    """The real functions, built."""
    web.build(print)
    folder = tmp_path_factory.mktemp("built")
    return building.build(ROOT / "template.yaml", folder, "http://127.0.0.1:9", print).parent


def test_nothing_is_said_against_a_build_when_it_is_whole(build):
    said: list[str] = []
    smoke.before(build, said.append)
    (line,) = said
    assert "9 functions start" in line


def test_every_broken_function_is_named_when_a_build_is_not_whole(build, tmp_path):
    """With the exception and its line: a missing module, a missing name, a missing setting, a broken kind of work."""
    broken = shutil.copytree(build, tmp_path / "build")
    template = broken / "template.yaml"
    template.write_text(template.read_text().replace("ROW_DEADLINE_SECONDS", "ROW_DEADLINE"))
    (broken / "ApiFunction" / "api.py").write_text("def handler(event, context): ...\n")
    (broken / "IntakeFunction" / "intake.py").write_text("\nimport no_such_module\n")
    (broken / "JanitorFunction" / "janitor.py").write_text("def lambda_handler(event, context): event[\n")
    (broken / "SheafLayer" / "python" / "clinical" / "extract_paper" / "work.py").write_text("import torch\n")
    with pytest.raises(smoke.SmokeError) as refusal:
        smoke.before(broken, print)
    first, *rest = str(refusal.value).splitlines()
    said = dict(line.strip().split(": ", 1) for line in rest)
    assert first.startswith("Not deployed")
    assert said["IntakeFunction"] == "ModuleNotFoundError: No module named 'no_such_module' (intake.py, line 2)"
    assert said["ApiFunction"].startswith("AttributeError: module 'api' has no attribute 'lambda_handler'")
    assert "ROW_DEADLINE_SECONDS is missing" in said["AggregatorFunction"]
    assert said["JanitorFunction"].startswith("SyntaxError")
    assert said["ExtractPaperFunction"].startswith("ModuleNotFoundError: No module named 'torch'")
    assert len(said) == 5


def test_a_path_that_would_answer_500_is_named_with_its_place_when_a_build_is_not_whole(build, tmp_path):
    """The answer itself has no details; the log that comes with it has the line."""
    broken = shutil.copytree(build, tmp_path / "build")
    reading = broken / "SheafLayer" / "python" / "sheaf" / "api" / "tasks.py"
    reading.write_text(reading.read_text() + "\n\ndef find(world, caller, task_id):\n    return no_such_name\n")
    with pytest.raises(smoke.SmokeError) as refusal:
        smoke.before(broken, print)
    _, said = str(refusal.value).splitlines()
    assert "ApiFunction: it answers 500" in said
    assert "NameError" in said
    assert "tasks.py:" in said


class Silent:
    """A deployed function that does not answer, as boto3 tells of it."""

    def __init__(self, handler):
        self.handler = handler

    def get_function_configuration(self, **_named):
        return {"Handler": self.handler}

    def invoke(self, **_told):
        raise ReadTimeoutError(endpoint_url="")


@pytest.mark.parametrize("name", ["api", "worker", "intake", "notice", "page", "janitor"])
def test_a_function_is_broken_when_it_does_not_answer(name):
    assert "no answer within" in str(smoke._deployed(Silent(f"{name}.lambda_handler"), name))


def test_the_aggregator_is_well_when_it_sweeps_instead_of_answering():
    assert smoke._deployed(Silent("aggregator.lambda_handler"), "aggregator") is None


class Busy(Silent):
    """An account all of whose executions are taken."""

    exceptions = session().client("lambda").exceptions

    def invoke(self, **_told):
        raise self.exceptions.TooManyRequestsException({"Error": {"Code": "TooManyRequestsException"}}, "Invoke")


def test_nothing_is_said_against_a_deploy_and_nothing_put_back_when_the_account_is_busy():
    """Another kind of trouble than a broken function, which is what is put back."""
    with pytest.raises(LocalError, match="Deployed, but not asked") as refusal:
        smoke._deployed(Busy("api.lambda_handler"), "api")
    assert not isinstance(refusal.value, smoke.SmokeError)


@pytest.mark.emulator
@pytest.mark.usefixtures("build")
def test_a_deploy_stops_before_traffic_when_the_worker_cannot_be_imported(tmp_path):
    """`make deploy` itself, in a copy of the repository: refused, then mended, deployed and asked."""
    for name in REPOSITORY:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("node_modules"))
        else:
            shutil.copy2(ROOT / name, tmp_path / name)
    (tmp_path / ".venv").symlink_to(ROOT / ".venv")
    worker = tmp_path / "functions" / "worker" / "worker.py"
    good = worker.read_text()
    host = emulator.start(tmp_path / "home", port=_free_port(), say=print)
    try:
        cloud = session().client("cloudformation", endpoint_url=host.endpoint, config=DIRECT)
        worker.write_text("import no_such_module\n" + good)
        refused = _make_deploy(tmp_path, host.endpoint)
        assert refused.returncode != 0
        assert "ExtractPaperFunction: ModuleNotFoundError: No module named 'no_such_module'" in refused.stderr
        with pytest.raises(ClientError, match="does not exist"):
            cloud.describe_stacks(StackName="sheaf")

        worker.write_text(good)
        deployed = _make_deploy(tmp_path, host.endpoint)
        assert deployed.returncode == 0, deployed.stdout + deployed.stderr
        assert "Smoke test of sheaf: 9 functions answer." in deployed.stderr
        assert cloud.describe_stacks(StackName="sheaf")["Stacks"][0]["StackStatus"] == "CREATE_COMPLETE"
        _is_undone_when_it_does_not_answer(tmp_path, host.endpoint)
    finally:
        emulator.stop(tmp_path / "home", seconds=120)


def _is_undone_when_it_does_not_answer(folder, endpoint):
    """What no build shows: functions that start, and find no table. What ran before runs again, parameters and all."""
    template = folder / "template.yaml"
    template.write_text(template.read_text().replace("TASKS_TABLE: !Ref TasksTable", "TASKS_TABLE: no-such-table"))
    undone = _make_deploy(folder, endpoint)
    assert undone.returncode != 0
    assert "ApiFunction" in undone.stderr
    assert "it answers 500" in undone.stderr
    assert "Smoke test of sheaf: 9 functions answer." in undone.stderr
    assert "The deploy of sheaf was undone; what ran before it runs again." in undone.stderr
    functions = session().client("lambda", endpoint_url=endpoint, config=DIRECT)
    told = [each["Environment"]["Variables"] for each in functions.list_functions()["Functions"]]
    assert "no-such-table" not in json.dumps(told)


def _make_deploy(folder: Path, endpoint: str) -> subprocess.CompletedProcess[str]:
    scratch = folder / "scratch"
    scratch.mkdir(exist_ok=True)
    # The tools are there already, so the stamp that says so is not looked for.
    command = ["make", "deploy", "ENV=local", "STAMP=.venv/bin/python"]
    return subprocess.run(
        command, check=False, cwd=folder, env=tool_environment(endpoint, scratch), capture_output=True, text=True
    )
