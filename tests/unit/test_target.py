"""Where a deploy goes and what it would undo, before it does: as SAM has it, from samconfig.toml."""

import pytest

from local import LocalError
from local.deploy import target

CONFIG = """version = 0.1
[default.deploy.parameters]
stack_name = "sheaf"
region = "eu-central-1"
parameter_overrides = "Concurrency=\\"10\\" Model=\\"\\""

[default.global.parameters]
region = "us-west-2"

[prod.deploy.parameters]
stack_name = "sheaf"

[dev.global.parameters]
region = "us-west-2"
[dev.deploy.parameters]
stack_name = "sheaf-dev"
"""


LATER = {"Concurrency": "50", "Model": "a-model"}


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "samconfig.toml").write_text(CONFIG)
    (tmp_path / "template.yaml").write_text("Parameters: {Concurrency: {Type: Number}, Model: {Type: String}}")
    return tmp_path


@pytest.mark.parametrize(
    ("section", "stack", "region"),
    [("default", "sheaf", "eu-central-1"), ("dev", "sheaf-dev", "us-west-2"), ("prod", "sheaf", "ap-south-1")],
)
def test_a_deploy_goes_where_sam_goes_when_sections_differ(folder, monkeypatch, section, stack, region):
    """Its own section and that section's `global`; of `default` nothing, or one region would be tested and another deployed."""
    monkeypatch.setenv("AWS_DEFAULT_REGION", "ap-south-1")
    found = target.find(section, folder)
    assert (found.stack, found.region) == (stack, region)


@pytest.mark.parametrize("section", ["prod", "no-such"])
def test_a_deploy_is_refused_when_nobody_says_where_it_goes(folder, monkeypatch, section):
    monkeypatch.delenv("AWS_DEFAULT_REGION")
    monkeypatch.setenv("AWS_CONFIG_FILE", str(folder / "none"))
    with pytest.raises(LocalError, match=r"No region|names no stack"):
        target.find(section, folder)


def test_nothing_is_undone_when_there_is_nothing_deployed(folder):
    said: list[str] = []
    target.settle(target.find("default", folder), {}, {}, said.append)
    assert said == []


def test_a_deploy_is_refused_when_it_would_undo_what_was_set_elsewhere(folder):
    """And the line that keeps it can be typed as it stands."""
    said: list[str] = []
    with pytest.raises(LocalError, match='make deploy ENV=default SET=\'Concurrency="50" Model="a-model"\''):
        target.settle(target.find("default", folder), {}, LATER, said.append)
    assert "  Concurrency: 50 is deployed, 10 would be sent" in said
    assert "  Model: a-model is deployed, nothing would be sent" in said
    assert (folder / "samconfig.toml").read_text() == CONFIG


def test_a_setting_is_written_beside_the_others_when_it_is_wanted(folder):
    target.settle(target.find("default", folder), {"Concurrency": "50"}, {"Concurrency": "10", "Model": ""}, print)
    assert target.find("default", folder).settings == {"Concurrency": "50", "Model": ""}
    assert target.find("prod", folder).settings == {}


def test_a_value_comes_back_as_it_was_when_it_has_quotes_and_blanks(folder):
    extra = '{"seed": 7, "stop": "a b"}'
    target.settle(target.find("default", folder), {"Model": extra}, {}, print)
    assert target.find("default", folder).settings["Model"] == extra


def test_a_setting_is_refused_when_it_is_misspelt(folder):
    with pytest.raises(LocalError, match="no parameter Concurency"):
        target.settle(target.find("default", folder), {"Concurency": "50"}, {}, print)
    assert (folder / "samconfig.toml").read_text() == CONFIG


def test_one_wanted_setting_undoes_no_other_when_both_were_made_elsewhere(folder):
    with pytest.raises(LocalError, match="SET='Model=\"a-model\"'"):
        target.settle(target.find("default", folder), {"Concurrency": "20"}, LATER, print)
