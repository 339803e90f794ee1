"""Each alarm of the template rings over a run that has its fault, and all are silent over a run without one."""

import pytest

from sheaf.notices import webhook_items
from tests.support import alarms, model_engines, stack_file
from tests.support.bench import TASKS
from tests.support.provider import serving
from tests.support.receivers import URL
from tests.support.uploads import BASES, uploaded
from tests.support.workbooks import announcement, registry

DECLARED = sorted(stack_file.resources(stack_file.load(), "AWS::CloudWatch::Alarm"))
DAY = 24 * 60


@pytest.fixture
def watched(bench, monkeypatch):
    monkeypatch.setenv("POWERTOOLS_SERVICE_NAME", "sheaf")
    with alarms.watching(bench) as made:
        yield made


def killed(watched, kind, times):
    """So often its process dies at its first call: a worker that cannot start."""
    bench = watched.bench
    deliver = {"intake": bench.invoke_intake, "notice": lambda _: bench.tell()}.get(kind, bench.invoke_worker)
    for _ in range(times):
        with bench.calls.watch() as calls:
            calls.die_when = lambda *_: True
            (held,) = [each for each in bench.held.values() if each.kind == kind]
            deliver(held)
        bench.pass_time(minutes=7)
    watched.minutes(8)


def asked_for_an_export(watched):
    bench = watched.bench
    task = bench.open([bench.paper("A trial of tea.")])
    bench.settle()
    status, body = watched.ask("POST", f"{TASKS}/{task}/exports", {"format": "csv", "language": "en"})
    assert status == 202, body


def no_probe_can_start(watched):
    watched.bench.probes("ok")
    killed(watched, "probe", 100)


def no_export_can_start(watched):
    asked_for_an_export(watched)
    killed(watched, "export_table", 100)


def a_workbook_came(watched):
    content = registry()
    status, body = watched.ask("POST", "/dc/sessions", announcement(content))
    assert status == 201, body
    watched.bench.lose_messages("clean_sheet")
    watched.bench.arrive(body["upload"]["fields"]["key"], content)


def no_workbook_can_be_read(watched):
    a_workbook_came(watched)
    killed(watched, "clean_sheet", 100)


def nobody_reads_workbooks(watched):
    a_workbook_came(watched)
    watched.minutes(80)


def no_notice_can_be_sent(watched):
    bench = watched.bench
    webhook_items.set_up(bench.api_world, "p1", webhook_items.stored(bench.api_world, "p1"), URL, "u1", new_secret=True)
    bench.probes("ok")
    bench.settle("probe")
    killed(watched, "notice", 100)


def came(watched):
    """An upload, and S3's notice of it."""
    uploaded(watched.bench, watched.bench.http("POST", BASES, {"name": "Papers"})[1]["knowledgeBaseId"])


def no_file_can_be_read(watched):
    came(watched)
    killed(watched, "intake", 100)


def the_mapping_is_disabled(watched, minutes=36, step=1):
    watched.bench.probes("ok", count=3)
    watched.minutes(minutes, step=step)


def the_mapping_is_disabled_for_a_day(watched):
    the_mapping_is_disabled(watched, DAY + 120, 60)


def nobody_writes_exports(watched):
    asked_for_an_export(watched)
    watched.minutes(36)


def every_document_fails_once(watched):
    watched.bench.probes("transient", "ok", count=20)
    watched.minutes(22, work="probe", at_most=2)


def workers_are_killed_at_work(watched):
    bench = watched.bench
    bench.probes("ok", count=11)
    for held in list(bench.held.values()):
        with bench.calls.watch() as calls:
            calls.die_when = lambda operation, _: operation == "GetObject"
            bench.invoke_worker(held)
    watched.minutes(15)


def asked(watched, act, *, minutes, **more):
    bench = watched.bench
    with serving() as provider:
        model_engines.configure(bench, provider, **more)
        provider.play(act)
        for number in range(4):
            bench.post([bench.paper(f"Paper {number}.", f"{number}.txt")], kind="extract_paper", engine="openai")
        watched.minutes(minutes, work="extract_paper")


def the_provider_is_down(watched):
    asked(watched, "status:503::{}", minutes=25)


def the_account_is_refused(watched):
    asked(watched, "status:401::{}", minutes=10)


def the_model_is_dear(watched):
    asked(watched, "blank", minutes=10, price="1000/100/4000")


def the_schedule_is_off(watched):
    watched.minutes(10, sweeping=False)


def a_task_is_poison(watched):
    """Of a kind that this deployment has no more."""
    bench = watched.bench
    task = bench.probes("ok")
    bench.api_world.client("dynamodb").update_item(
        TableName="TasksTable",
        Key={"task": {"S": f"{bench.tasks()[0].project}/{task}"}},
        UpdateExpression="SET kind = :k",
        ExpressionAttributeValues={":k": {"S": "gone"}},
    )
    watched.minutes(8)


def aws_does_not_answer(watched):
    with watched.bench.calls.watch() as calls:
        calls.fail("GetItem", RuntimeError("a defect"))
        assert watched.ask("GET", f"{TASKS}/{'a' * 20}")[0] == 500
    watched.minutes(8)


def reading_stops_at_a_defect(watched):
    came(watched)
    with watched.bench.calls.watch() as calls:
        calls.fail("GetObject", ZeroDivisionError())
        watched.invoke("IntakeFunction", watched.bench.take_in)
    watched.minutes(8)


def the_janitor_has_a_defect(watched):
    with watched.bench.calls.watch() as calls:
        calls.fail("ListObjectsV2", ZeroDivisionError())
        watched.invoke("JanitorFunction", watched.bench.tidy)
    watched.minutes(8)


def the_janitor_is_not_there_when_a_task_is_deleted(watched):
    bench = watched.bench
    task = bench.probes("ok")
    bench.settle("probe")
    bench.nudges.clear()
    assert watched.ask("DELETE", f"{TASKS}/{task}")[0] == 204
    with bench.calls.watch() as calls:
        calls.fail("ListObjectsV2", ZeroDivisionError(), times=3)
        watched.erase()
    watched.minutes(8)


FAULTS = {
    "AggregatorFailingAlarm": a_task_is_poison,
    "AggregatorSilentAlarm": the_schedule_is_off,
    "ApiFailingAlarm": aws_does_not_answer,
    "CleanSheetDeadLettersAlarm": no_workbook_can_be_read,
    "CleanSheetStuckAlarm": nobody_reads_workbooks,
    "ExportTableDeadLettersAlarm": no_export_can_start,
    "ExportTableStuckAlarm": nobody_writes_exports,
    "ExtractPaperCallsAlarm": every_document_fails_once,
    "ExtractPaperDeadLettersAlarm": no_probe_can_start,
    "ExtractPaperHeldAlarm": the_provider_is_down,
    "ExtractPaperLateAlarm": the_mapping_is_disabled_for_a_day,
    "ExtractPaperReclaimAlarm": workers_are_killed_at_work,
    "ExtractPaperSpendAlarm": the_model_is_dear,
    "ExtractPaperStuckAlarm": the_mapping_is_disabled,
    "IntakeDeadLettersAlarm": no_file_can_be_read,
    "IntakeFailingAlarm": reading_stops_at_a_defect,
    "JanitorDroppedAlarm": the_janitor_is_not_there_when_a_task_is_deleted,
    "JanitorFailingAlarm": the_janitor_has_a_defect,
    "NoticeDeadLettersAlarm": no_notice_can_be_sent,
    "ProviderRefusesAccountAlarm": the_account_is_refused,
}
ASKS_A_MODEL = {"ExtractPaperHeldAlarm", "ExtractPaperSpendAlarm"}
"""The others of this kind are shown by the probe, whose alarms are the same under its name."""


@pytest.mark.parametrize("name", DECLARED)
def test_an_alarm_rings_when_its_fault_is_there(watched, name):
    FAULTS[name](watched)
    wanted = name if name in ASKS_A_MODEL else name.replace("ExtractPaper", "Probe")
    assert watched.rang(wanted, AlarmUsdPerDay=5) == {wanted}


def test_no_alarm_rings_when_nothing_is_wrong(watched):
    """Sixty documents are worked on once each while others wait, a file is exported, a task is deleted, people read."""
    bench = watched.bench
    task = bench.probes("ok", count=60)
    watched.minutes(18, work="probe", at_most=4)
    asked_for_an_export(watched)
    watched.minutes(5, work="export_table")
    assert watched.ask("GET", f"{TASKS}/{task}")[0] == 200
    bench.nudges.clear()
    assert watched.ask("DELETE", f"{TASKS}/{task}")[0] == 204
    watched.erase()
    watched.minutes(15)
    assert watched.rang() == set()
    assert {point.name[1] for point in watched.points} >= {
        "RowsCompleted",
        "TasksClosed",
        "QuietSeconds",
        "Invocations",
    }
