"""The client is small, and its types are what the API says of itself."""

import pytest

import openapi
from sheaf_client import api, transport
from sheaf_client.commands import cli
from tests.support import client_shapes
from tests.support.stack_file import ROOT

AT_MOST = 250
CLIENT = sorted((ROOT / "client" / "sheaf_client").glob("*.py"))
NAMED = ("login", "upload", "submit", "watch", "results", "export", "cancel", "retry", "doctor")
SCHEMAS = openapi.document()["components"]["schemas"]


def test_the_types_are_those_of_the_description_when_it_has_changed():
    made = client_shapes.text(SCHEMAS)
    assert client_shapes.FILE.read_text() == made, "python -m tests.support.client_shapes writes them anew"


@pytest.mark.parametrize(
    ("changed", "line"),
    [
        ({"type": "boolean"}, "    filename: bool\n"),
        ({"type": ["string", "null"]}, "    filename: str | None\n"),
        ({"enum": ["a", None]}, '    filename: Literal["a"] | None\n'),
        ({"type": "array", "items": {"type": "number"}}, "    filename: list[float]\n"),
        ({"type": "object"}, "    filename: dict[str, Any]\n"),
        ({"anyOf": [{"$ref": "#/components/schemas/Expected"}, {"type": "null"}]}, "    filename: Expected | None\n"),
        ({}, "    filename: Any\n"),
    ],
)
def test_a_type_is_another_when_a_field_s_schema_is(changed, line):
    file = SCHEMAS["File"]
    other = {**SCHEMAS, "File": {**file, "properties": {**file["properties"], "filename": changed}}}
    assert line in client_shapes.text(other)
    assert line not in client_shapes.text(SCHEMAS).partition("class File")[2].partition("class ")[0]


def test_every_file_that_can_be_exported_has_its_choice():
    assert list(api.FORMATS) == SCHEMAS["NewExport"]["properties"]["format"]["enum"]


@pytest.mark.parametrize("path", CLIENT, ids=lambda path: path.name)
def test_a_module_of_the_client_is_of_a_size_that_can_be_read(path):
    assert len(path.read_text().splitlines()) <= AT_MOST


def test_the_commands_are_those_that_the_docs_name():
    assert set(cli.commands) == set(NAMED)
    for page in ("README.md", "docs/command.md"):
        text = (ROOT / page).read_text()
        assert [name for name in NAMED if f"sheaf {name}" not in text] == [], page


@pytest.mark.parametrize("name", NAMED)
def test_every_command_answers_in_json_and_asks_whom_it_is_told_to(name):
    options = {word for option in cli.commands[name].params for word in option.opts}
    assert {"--json", "--profile", "--project"} <= options


def test_every_exit_code_is_in_the_help_when_a_command_can_end_with_it():
    codes = {transport.SheafError.code, *(kind.code for kind in transport.SheafError.__subclasses__())}
    assert codes == {1, 3, 4, 5}
    text = " ".join((cli.help or "").split())
    for code in codes | {0, 2, 130}:
        assert f"{code} " in text.partition("Exit codes:")[2]
