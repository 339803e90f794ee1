"""What a function is told by the template is what its settings ask for: nothing missing, nothing for nobody."""

import re
from dataclasses import fields
from typing import Any

import pytest

from sheaf import settings
from tests.support import kinds, stack_file, syntax
from tests.support.syntax import FUNCTIONS

TEMPLATES = {"template.yaml": stack_file.load(), **{f"with {name}": stack_file.with_kind(name) for name in kinds.NAMES}}
FOR_OTHERS = {"POWERTOOLS_SERVICE_NAME", "PROBE_LOG"}
"""Read by what measures, and by the probe itself."""
OF_LAMBDA = {"AWS_LAMBDA_FUNCTION_NAME"}
"""Told by Lambda to every function."""
EVERY = [
    pytest.param(made, name, id=f"{name}, {which}")
    for which, made in TEMPLATES.items()
    for name in stack_file.resources(made, "AWS::Serverless::Function")
]


def module(body):
    """The file that a function's handler lives in."""
    name = body["Properties"]["Handler"].partition(".")[0]
    return FUNCTIONS / name / f"{name}.py"


def asked(path) -> Any:
    """The settings that a handler connects with, wherever in its folder it does."""
    calls = [call for file in path.parent.glob("*.py") for call in syntax.calls(file)]
    (name,) = {syntax.dotted(node.args[0]) for called, node in calls if called in {"wiring.connect", "settings.read"}}
    return getattr(settings, name)


def told(made, name):
    own = made["Resources"][name]["Properties"].get("Environment", {}).get("Variables", {})
    return {**made["Globals"]["Function"]["Environment"]["Variables"], **own}


@pytest.mark.parametrize(("made", "name"), EVERY)
def test_a_function_is_told_what_its_settings_ask_for_and_nothing_else(made, name):
    wanted = {field.name.upper() for field in fields(asked(module(made["Resources"][name])))} - OF_LAMBDA
    given = set(told(made, name)) - FOR_OTHERS
    assert wanted - given == set(), "missing in the template"
    assert given - wanted - {"KINDS", "ENGINES"} == set(), "told, and read by nobody"


@pytest.mark.parametrize(("made", "name"), EVERY)
def test_a_functions_handler_exists_where_the_template_says(made, name):
    body = made["Resources"][name]["Properties"]
    path, _, verb = body["Handler"].partition(".")
    assert verb == "lambda_handler"
    assert syntax.function(FUNCTIONS / path / f"{path}.py", verb) is not None
    folder = body["CodeUri"].strip("/")
    staged = {f"functions/{kind}" for kind in kinds.NAMES}
    own = {"ExtractPaperFunction", "ExportTableFunction", "CleanSheetFunction"}
    assert folder in (staged if path == "worker" and name not in own else {f"functions/{path}"})


@pytest.mark.parametrize(("made", "name"), EVERY)
def test_a_number_that_code_needs_is_a_parameter_and_typed_once(made, name):
    """Mutation caught: a literal in the template, which a parameter then silently contradicts."""
    for variable, value in told(made, name).items():
        asked_for = {field.name.upper(): field.type for field in fields(asked(module(made["Resources"][name])))}
        if asked_for.get(variable) is int:
            assert value.keys() == {"Ref"}, variable
            assert value["Ref"] in made["Parameters"], variable
    assert set(made["Resources"][name]["Properties"]["Timeout"]) == {"Ref"}


@pytest.mark.parametrize("which", TEMPLATES)
def test_every_kinds_numbers_are_parameters_when_they_are_told(which):
    text = TEMPLATES[which]["Globals"]["Function"]["Environment"]["Variables"]["KINDS"]["Fn::Sub"]
    told = [kind.split() for kind in text.split(",")]
    assert {each[2] for each in told} == {"${MaxTries}"}
    assert all(each[1].startswith("${") for each in told)


@pytest.mark.parametrize("which", TEMPLATES)
def test_every_reference_names_something_there_is(which):
    """A misspelt name deploys as a failure, an hour later."""
    made = TEMPLATES[which]
    there = set(made["Parameters"]) | set(made["Resources"])
    roles = {f"{name}Role" for name in stack_file.resources(made, "AWS::Serverless::Function")}
    named = set(references(made["Resources"])) | set(references(made["Outputs"]))
    assert {name for name in named if not name.startswith("AWS::")} <= there | roles


@pytest.mark.parametrize("which", TEMPLATES)
def test_every_parameter_is_used_when_there_is_one(which):
    made = TEMPLATES[which]
    used = set(references({part: made.get(part, {}) for part in ("Resources", "Globals", "Conditions", "Outputs")}))
    assert set(made["Parameters"]) <= used


def references(node):
    if isinstance(node, dict):
        for key, value in node.items():
            if key == "Ref":
                yield value
            elif key == "Fn::GetAtt":
                yield value[0]
            elif key == "Fn::Sub":
                text, own = value if isinstance(value, list) else (value, {})
                yield from (name.partition(".")[0] for name in re.findall(r"\$\{([^!}]+)\}", text) if name not in own)
                yield from references(own)
            else:
                yield from references(value)
    elif isinstance(node, list):
        for item in node:
            yield from references(item)
