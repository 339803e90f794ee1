"""Somebody is told: each alarm is about a thing that is there, and says what to do on the page that one opens then."""

import json
import logging
from pathlib import Path

import pytest

from sheaf.protocol.provider_gate import LONGEST_MS
from tests.support import model_engines, stack_file
from tests.support.evaluating import embedded, metric, resolved
from tests.support.provider import serving

MADE = stack_file.load()
ALARMS = stack_file.resources(MADE, "AWS::CloudWatch::Alarm")
OPERATING = (Path(__file__).parents[2] / "docs" / "operating.md").read_text()
ALARM = "ProviderRefusesAccountAlarm"


def of(name):
    return MADE["Resources"][name]["Properties"]


@pytest.mark.parametrize("name", ALARMS)
def test_an_alarm_has_its_line_when_somebody_looks_it_up(name):
    assert f"| {name} |" in OPERATING
    assert of(name)["AlarmDescription"]


@pytest.mark.parametrize("name", ALARMS)
def test_an_alarm_rings_when_nothing_is_told_and_that_is_what_it_is_about(name):
    """What rings below a threshold is about silence, and silence is no figure; what rings above it is about figures."""
    about_silence = of(name)["ComparisonOperator"].startswith("LessThan")
    assert of(name)["TreatMissingData"] == ("breaching" if about_silence else "notBreaching")
    assert resolved(of(name)["Threshold"], stack_file.parameters(MADE)) >= (1 if about_silence else 0)


@pytest.mark.parametrize(
    ("act", "is_alarm"),
    [
        ("status:401::{}", True),
        ("status:402::{}", True),
        ("status:404::{}", True),
        ("status:429::{}", False),
        ("status:503::{}", False),
        ("blank", False),
    ],
)
def test_the_alarm_rings_when_the_account_is_refused_and_for_nothing_else(bench, caplog, monkeypatch, act, is_alarm):
    """The worker's own lines of its own log, as they are written."""
    monkeypatch.setenv("POWERTOOLS_SERVICE_NAME", "sheaf")
    with serving() as provider:
        model_engines.configure(bench, provider)
        provider.play(act)
        for number in range(4):
            bench.post([bench.paper(f"Paper {number}.", f"{number}.txt")], kind="extract_paper", engine="openai")
        bench.deliver()
    ours = logging.getLogger("sheaf").handlers[0]
    lines = [json.loads(ours.format(record)) for record in caplog.records if record.name == "sheaf"]
    measured = {point.name for line in lines for point in embedded(line, 0)}
    wanted = metric(of(ALARM), {})
    assert (wanted in measured) is is_alarm
    assert len(lines) > 4


def test_the_curve_of_dead_letters_shows_every_queue_of_them():
    """Nobody takes them out: what waits there is what died."""
    body = json.loads(of("Dashboard")["DashboardBody"]["Fn::Sub"])
    (curve,) = [each["properties"] for each in body["widgets"] if each["properties"]["title"] == "Dead letters"]
    named = {one[3] for one in curve["metrics"] if one[:2] == ["AWS/SQS", "ApproximateNumberOfMessagesVisible"]}
    queues = [name for name in stack_file.resources(MADE, "AWS::SQS::Queue") if name.endswith("DeadLetters")]
    assert named == {f"${{{name}.QueueName}}" for name in queues}
    assert len(queues) == 5


@pytest.mark.parametrize("queue", ["ExtractPaper", "ExportTable", "CleanSheet", "Intake", "Notice"])
def test_the_alarm_rings_as_long_as_a_dead_letter_waits(queue):
    """Mutation caught: what is received of it, which is nothing where nobody takes it out."""
    alarm = of(f"{queue}DeadLettersAlarm")
    assert (alarm["Namespace"], alarm["MetricName"]) == ("AWS/SQS", "ApproximateNumberOfMessagesVisible")
    assert alarm["Dimensions"] == [{"Name": "QueueName", "Value": {"Fn::GetAtt": [f"{queue}DeadLetters", "QueueName"]}}]
    assert (alarm["Statistic"], alarm["Threshold"], alarm["ComparisonOperator"]) == (
        "Maximum",
        0,
        "GreaterThanThreshold",
    )


def test_the_alarm_stays_until_the_account_is_mended_when_probes_are_far_apart():
    assert of(ALARM)["Period"] * of(ALARM)["EvaluationPeriods"] * 1000 > LONGEST_MS
