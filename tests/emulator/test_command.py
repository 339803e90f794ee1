"""The command `sheaf` on the deployed stack, as whoever has installed it types it: from signing in to the table as a file."""

import json
import secrets

import pytest
from click.testing import CliRunner

from sheaf_client.commands import cli

pytestmark = pytest.mark.emulator

TRIAL = "Tea for thirsty men\n\nAbstract\n\nNinety patients were randomised to tea or to water in Norway ({})."


@pytest.fixture
def sheaf(tmp_path, monkeypatch):
    """Run a command that is to end with 0; gives what it prints."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.chdir(tmp_path)

    def run(*arguments, typed=""):
        ran = CliRunner(mix_stderr=False).invoke(cli, arguments, input=typed)
        assert ran.exit_code == 0, (arguments, ran.stderr, ran.exception)
        return ran.stdout

    return run


def test_two_files_become_a_table_as_a_file_when_each_command_is_typed(deployed, sheaf, tmp_path):
    username, password = deployed.login("editor")
    sheaf("login", deployed.stack.page, "--username", username, typed=f"{password}\n")
    files = [tmp_path / f"{name}.txt" for name in ("tea", "milk")]
    for file in files:
        file.write_text(TRIAL.format(secrets.token_hex(8)))
    base = f"Typed {secrets.token_hex(4)}"
    assert sheaf("upload", *map(str, files), "--base", base).count("ready ") == 2
    task = sheaf("submit", "--template", "rct", "--base", base).strip()
    assert "is completed: 2 of 2 papers" in sheaf("watch", task)
    rows = [json.loads(line) for line in sheaf("results", task, "--json").splitlines()]
    assert {row["extractedData"]["fields"]["n_randomised"]["value"] for row in rows} == {90}
    assert "90 (p." in sheaf("results", task)
    sheaf("export", task, "--format", "csv", "-o", "table.csv")
    assert (tmp_path / "table.csv").read_text(encoding="utf-8-sig").count("90") >= 2
