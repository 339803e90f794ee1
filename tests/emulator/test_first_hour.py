"""README's way to AWS, as it stands, with Enter at every prompt: a fresh clone ends with papers read and a user signed in.

Its blocks stand between `<!-- deploy -->` and `<!-- /deploy -->`. Two things of it cannot hold here: the emulator has no TLS, and
its gateway has an address of its own.
"""

import re
import shutil
import subprocess
import sys
from typing import Any

import pytest
from botocore.exceptions import ClientError

from local import stack
from local.aws import DIRECT, session
from local.ministack import emulator
from local.settings import ROOT, tool_environment
from tests.support.deployed import _free_port

pytestmark = [pytest.mark.emulator, pytest.mark.slow]

DEPLOY = re.compile(r"<!-- deploy -->(.*?)<!-- /deploy -->", re.S)
BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.S | re.M)
NOT_CLONED = (
    ".git",
    ".venv",
    ".sheaf",
    ".aws-sam",
    "node_modules",
    "site",
    "site.json",
    "made",
    "__pycache__",
    ".*_cache",
)
ENTER = "\n" * 200
TLS = 'TlsOnly:\n    Type: String\n    Default: "true"'


@pytest.fixture
def clone(tmp_path):
    """The sources as git has them, and the tools as `make setup` makes them; nothing built."""
    folder = shutil.copytree(ROOT, tmp_path / "clone", ignore=shutil.ignore_patterns(*NOT_CLONED))
    (folder / ".venv").symlink_to(ROOT / ".venv")
    template = folder / "template.yaml"
    assert TLS in template.read_text()
    template.write_text(template.read_text().replace(TLS, TLS.replace("true", "false")))
    aws = folder / ".aws-cli" / "aws"
    aws.parent.mkdir()
    aws.write_text(f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" -m tests.support.aws_cli "$@"\n')
    aws.chmod(0o755)
    return folder


@pytest.fixture
def host(tmp_path):
    started = emulator.start(tmp_path / "home", port=_free_port(), say=print)
    yield started
    emulator.stop(tmp_path / "home", seconds=120)


def shell(clone, host, script, **more):
    """The script in a shell that stops at the first failure, with somebody at it who presses Enter."""
    environment = tool_environment(host.endpoint, clone / ".aws-cli") | {"PASSWORD": "Emulator-2026", **more}
    environment["PATH"] = f"{clone / '.aws-cli'}:{environment['PATH']}"
    command = ["bash", "-e", "-u", "-o", "pipefail", "-c", script]
    return subprocess.run(
        command, check=False, cwd=clone, env=environment, input=ENTER, capture_output=True, text=True, timeout=900
    )


def test_readme_s_lines_end_with_papers_read_and_later_deploys_undo_nothing_when_they_are_typed_as_they_stand(
    clone, host
):
    deploy, use = BLOCK.findall(DEPLOY.findall((clone / "README.md").read_text())[0])
    ran = shell(clone, host, deploy)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    cloud = session().client("cloudformation", endpoint_url=host.endpoint, config=DIRECT)
    assert cloud.describe_stacks(StackName="sheaf")["Stacks"][0]["StackStatus"] == "CREATE_COMPLETE"
    # What only this emulator needs (see there).
    stack._mend_concurrency(session().client("lambda", endpoint_url=host.endpoint, config=DIRECT))

    assert "API=$(output Api)" in use
    address = f"API={host.endpoint}/_aws/execute-api/$(output ApiId)/api/v1"
    ran = shell(clone, host, use.replace("API=$(output Api)", address))
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert (ran.stdout + ran.stderr).count("ready") >= 2, ran.stdout + ran.stderr

    _settings_stay(clone, host, cloud)
    _another_bucket_is_refused(host, cloud)


def _settings_stay(clone, host, cloud):
    """What `--guided` saved is older than what was set since: `make deploy` says so, and sends it only when it is told to."""

    def concurrency():
        told = cloud.describe_stacks(StackName="sheaf")["Stacks"][0]["Parameters"]
        return {each["ParameterKey"]: each["ParameterValue"] for each in told}["ExtractPaperConcurrency"]

    assert 'ExtractPaperConcurrency=\\"10\\"' in (clone / "samconfig.toml").read_text()
    set_ = shell(clone, host, "sam deploy --parameter-overrides ExtractPaperConcurrency=3")
    assert (set_.returncode, concurrency()) == (0, "3"), set_.stderr
    refused = shell(clone, host, "make deploy")
    assert refused.returncode != 0
    assert "Account 000000000000, us-east-1, stack sheaf." in refused.stderr
    assert "ExtractPaperConcurrency: 3 is deployed, 10 would be sent" in refused.stderr
    assert concurrency() == "3"
    (again,) = re.findall(r"^  (make deploy .*)$", refused.stderr, re.M)
    kept = shell(clone, host, again)
    assert (kept.returncode, concurrency()) == (0, "3"), kept.stderr
    assert shell(clone, host, "sam deploy").returncode == 0
    assert concurrency() == "3"


def _another_bucket_is_refused(host, cloud):
    """S3 asks the queue before it takes the notification, as on AWS; our own bucket's it took."""
    told = cloud.describe_stack_resource(StackName="sheaf", LogicalResourceId="IntakeQueue")["StackResourceDetail"]
    arn = f"arn:aws:sqs:us-east-1:000000000000:{told['PhysicalResourceId'].rpartition('/')[2]}"
    s3 = session().client("s3", endpoint_url=host.endpoint, config=DIRECT)
    s3.create_bucket(Bucket="somebody-else")
    wanted: Any = {"QueueConfigurations": [{"QueueArn": arn, "Events": ["s3:ObjectCreated:*"]}]}
    with pytest.raises(ClientError, match="Unable to validate"):
        s3.put_bucket_notification_configuration(Bucket="somebody-else", NotificationConfiguration=wanted)
