"""What AWS gets is linted, and not only what we wrote: SAM makes the roles, the versions and the event settings."""

import subprocess

from local.deploy import transformed
from tests.support import stack_file


def lint(folder, text):
    made = folder / "as-aws-gets-it.json"
    made.write_text(text)
    return subprocess.run(["cfn-lint", str(made)], check=False, capture_output=True, text=True)


def test_a_value_that_aws_refuses_is_found_when_sam_makes_the_resource(tmp_path):
    """Twelve seconds are too few for an asynchronous event; `cfn-lint template.yaml` does not see it."""
    source = stack_file.ROOT.joinpath("template.yaml").read_text()
    (tmp_path / "template.yaml").write_text(
        source.replace("MaximumEventAgeInSeconds: 120}", "MaximumEventAgeInSeconds: 12}")
    )
    found = lint(tmp_path, transformed.text(tmp_path / "template.yaml"))
    assert found.returncode != 0
    assert "E3034" in found.stdout


def test_what_aws_gets_has_every_function_with_its_role_when_it_is_made(tmp_path):
    made = transformed.text(stack_file.ROOT / "template.yaml")
    for name in stack_file.resources(stack_file.load(), "AWS::Serverless::Function"):
        assert f'"{name}Role"' in made
