"""The dashboard and the alarms are about what there is: metrics that code emits or AWS publishes, under their dimensions."""

import ast
import json
import re

import pytest

from sheaf.logs import METRICS, NAMESPACE
from tests.support import stack_file, syntax
from tests.support.syntax import PRODUCT

MADE = stack_file.load()
RESOURCES = MADE["Resources"]
ALARMS = stack_file.resources(MADE, "AWS::CloudWatch::Alarm")
WIDGETS = json.loads(RESOURCES["Dashboard"]["Properties"]["DashboardBody"]["Fn::Sub"])["widgets"]
PUBLISHED = {
    "AWS/Lambda": (
        "FunctionName",
        "AWS::Serverless::Function",
        {"Invocations", "Errors", "Throttles", "Duration", "AsyncEventsDropped"},
    ),
    "AWS/SQS": (
        "QueueName",
        "AWS::SQS::Queue",
        {"ApproximateNumberOfMessagesVisible", "ApproximateNumberOfMessagesNotVisible"},
    ),
    "AWS/ApiGateway": ("ApiId", "AWS::ApiGatewayV2::Api", {"4xx", "5xx"}),
}
"""What AWS says it publishes for each: its dimension, and whose."""
KINDS, PROVIDERS = {"extract_paper", "export_table", "clean_sheet"}, {"openai", "bedrock"}


def curves():
    for widget in WIDGETS:
        for curve in widget["properties"].get("metrics", []):
            *names, _label = curve
            yield names[0], names[1], dict(zip(names[2::2], names[3::2], strict=True))


def watched(body):
    """What an alarm looks at."""
    return body["Namespace"], body["MetricName"], {one["Name"]: called(one["Value"]) for one in body["Dimensions"]}


def called(value):
    """As the dashboard's text names it."""
    if not isinstance(value, dict):
        return value
    return f"${{{value['Ref']}}}" if "Ref" in value else f"${{{'.'.join(value['Fn::GetAtt'])}}}"


EVERY = [*curves(), *(watched(body["Properties"]) for body in ALARMS.values())]


@pytest.mark.parametrize(("namespace", "name", "by"), EVERY, ids=lambda each: str(each)[:60])
def test_a_metric_is_emitted_or_published_when_it_is_shown_or_rings(namespace, name, by):
    """Mutations caught: a metric that is misspelt, of a resource that is gone, or by a dimension that it has not."""
    if namespace == NAMESPACE:
        known = {"kind": KINDS, "provider": PROVIDERS, None: set()}
        assert by.pop("service") == "${AWS::StackName}"
        assert set(by) == {METRICS[name].by} - {None}
        assert set(by.values()) <= known[METRICS[name].by]
        return
    dimension, of_type, names = PUBLISHED[namespace]
    assert name in names
    ((said, value),) = by.items()
    resource = re.fullmatch(r"\$\{(\w+)(?:\.QueueName)?\}", value)
    assert said == dimension
    assert resource
    assert RESOURCES[resource[1]]["Type"] == of_type


@pytest.mark.parametrize("name", METRICS)
def test_a_metric_is_emitted_somewhere_when_it_is_on_the_list(name):
    """By its name as a key of what is measured; and somebody sees it."""
    said = {path.name for path in PRODUCT if f'"{name}"' in path.read_text()}
    assert said
    assert any(name == shown for namespace, shown, _ in EVERY if namespace == NAMESPACE) or name in UNSEEN


UNSEEN = {"AttemptsEnded", "TasksClosed"}
"""For questions of one's own."""


def test_everything_is_on_the_dashboard_when_somebody_opens_it():
    """Every function, every queue and every alarm."""
    text = json.dumps(WIDGETS)
    for of_type, suffix in (("AWS::Serverless::Function", ""), ("AWS::SQS::Queue", ".QueueName")):
        for name in stack_file.resources(MADE, of_type):
            assert f"${{{name}{suffix}}}" in text, name
    (strip,) = [widget for widget in WIDGETS if widget["type"] == "alarm"]
    assert sorted(strip["properties"]["alarms"]) == sorted(f"${{{name}.Arn}}" for name in ALARMS)


def test_what_is_stuck_is_seen_first_when_somebody_opens_it():
    """What is open and every alarm above all else, then progress; and no widget covers another."""
    by_height = sorted(WIDGETS, key=lambda widget: (widget["y"], widget["x"]))
    assert [widget["type"] for widget in by_height[:3]] == ["metric", "alarm", "log"]
    cells = [
        (x, y)
        for widget in WIDGETS
        for x in range(widget["x"], widget["x"] + widget["width"])
        for y in range(widget["y"], widget["y"] + widget["height"])
    ]
    assert len(cells) == len(set(cells))
    assert max(x for x, _ in cells) < 24


def test_no_line_s_dimension_is_whose_it_is_when_it_is_measured():
    """Few, and none of a project, a task or a document: each value of a dimension is paid for by the month."""
    assert {metric.by for metric in METRICS.values()} == {"kind", "provider", None}


@pytest.mark.parametrize("function", ["aggregator", "api", "intake", "janitor", "worker"])
def test_each_line_says_its_invocation_when_a_handler_is_called(function):
    (handler,) = [
        node
        for node in ast.walk(syntax.tree(syntax.FUNCTIONS / function / f"{function}.py"))
        if isinstance(node, ast.FunctionDef) and node.name == "lambda_handler"
    ]
    assert [getattr(each, "id", None) for each in handler.decorator_list] == ["invoked"]
