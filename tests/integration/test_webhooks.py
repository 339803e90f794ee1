"""A project's webhook is told of a close: signed, again until it is taken, and never where it may not lead."""

from datetime import UTC, datetime
from unittest.mock import ANY

import pytest
from standardwebhooks import Webhook

from sheaf.errors import OutOfTime, TimedOut, Unavailable
from sheaf.notices import deliver, webhook_items
from sheaf.outside.store import Refused
from tests.support.calls import Killed, aws_error
from tests.support.receivers import PUBLIC, URL


@pytest.fixture
def secret(bench):
    """Of the project's webhook, which is set up."""
    return set_up(bench)


def set_up(bench, *, new_secret=False):
    _, made = webhook_items.set_up(bench.api_world, "p1", hook(bench), URL, "u1", new_secret=new_secret)
    return made


def hook(bench):
    return webhook_items.stored(bench.api_world, "p1")


def close(bench):
    """A task that has closed, its notice sent."""
    task = bench.probes("ok")
    bench.settle("probe")
    return task


def is_signed(sent, secret):
    """As the specification's own library has it; by the hour that the sender says it is."""
    at = datetime.fromtimestamp(int(sent.headers["webhook-timestamp"]), UTC)
    signed = Webhook(secret).sign(sent.headers["webhook-id"], at, sent.body.decode())
    return signed in sent.headers["webhook-signature"].split(" ")


def test_the_receiver_gets_what_a_listener_needs_when_a_task_closes(bench, secret):
    """Ids, counts and a link: no name of a file, no word of a document."""
    task = close(bench)
    assert bench.tell() == []
    (sent,) = bench.receivers.sent
    data = {
        "taskId": task, "projectId": "p1", "status": "completed", "totalCount": 1, "completedCount": 1, "errorCount": 0, "cancelledCount": 0,
        "link": sent.said["data"]["link"],
    }  # fmt: skip
    assert sent.said == {"type": "task.closed", "timestamp": sent.said["timestamp"], "data": data}
    assert data["link"].endswith(f"/#/p1/tasks/{task}/results")
    assert (sent.url, sent.address, sent.headers["webhook-id"]) == (URL, PUBLIC, f"p1/{task}/closed")
    assert is_signed(sent, secret)
    assert hook(bench).last["state"] == "delivered"


def test_the_signature_is_the_specifications_own_when_its_example_is_signed():
    secret, body = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", b'{"test": 2432232314}'
    signed = deliver.sign(secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, body)
    assert signed == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_both_secrets_sign_for_a_day_when_there_is_a_new_one(bench, secret):
    newer = set_up(bench, new_secret=True)
    close(bench)
    bench.tell()
    assert newer != secret
    assert [is_signed(bench.receivers.sent[0], each) for each in (newer, secret)] == [True, True]
    bench.pass_time(hours=25)
    close(bench)
    bench.tell()
    assert [is_signed(bench.receivers.sent[1], each) for each in (newer, secret)] == [True, False]


def test_nobody_is_asked_when_a_project_has_no_webhook(bench):
    close(bench)
    assert (bench.queued("notice"), len(bench.notices)) == ([], 1)


def test_nobody_is_told_when_the_webhook_was_removed_meanwhile(bench, secret):
    close(bench)
    webhook_items.remove(bench.api_world, "p1", hook(bench), "u1")
    assert (bench.tell(), bench.receivers.sent) == ([], [])
    assert hook(bench).attribute_values.keys() == {"entry", "opening", "changed_at", "changed_by"} | (
        {"v"} & hook(bench).attribute_values.keys()
    )


def test_nobody_is_told_when_an_export_closes(bench, secret):
    task = bench.open([bench.paper("No trial.", "none.txt", read=b"{}")])
    bench.settle()
    bench.tell()
    assert bench.http("POST", f"/asl/extraction/tasks/{task}/exports", {"format": "csv"})[0] == 202
    bench.settle("export_table")
    assert (bench.queued("notice"), len(bench.receivers.sent)) == ([], 1)
    assert [each["isExport"] for each in bench.notices] == [False, True]


@pytest.mark.parametrize("when", ["before", "after"])
def test_the_receiver_is_told_when_the_sweeper_died_around_the_message(bench, secret, when):
    """At least once, with the same id. Mutation caught: `notified_at` before the message."""
    task = bench.probes("ok")
    bench.deliver("probe")
    with bench.calls.watch() as calls:
        seen = []

        def die(operation, arguments):
            seen.append((operation, arguments.get("QueueUrl")))
            at = ("SendMessageBatch", bench.notice_queue)
            return seen[-1] == at if when == "before" else seen[-2:-1] == [at]

        calls.die_when = die
        with pytest.raises(Killed):
            bench.sweep()
    assert bench.task(task).active == "0"
    bench.pass_time(minutes=1)
    bench.sweep()
    bench.tell()
    ids = [each.headers["webhook-id"] for each in bench.receivers.sent]
    assert ids == [f"p1/{task}/closed"] * (1 if when == "before" else 2)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (500, "It answered 500."),
        (429, "It answered 429."),
        (302, "It answered 302."),
        (TimedOut("late"), "It did not answer within 10 seconds."),
        (OutOfTime("a handshake that drips"), "It did not answer within 10 seconds."),
        (Unavailable("post: ConnectionRefusedError"), "It could not be reached."),
    ],
)
def test_the_receiver_is_told_again_when_it_did_not_take_the_notice(bench, secret, answer, words):
    """Nothing of what it answered is kept but the status."""
    task = close(bench)
    bench.receivers.answers = [answer, 200]
    assert len(bench.tell()) == 1
    assert hook(bench).last == {
        "id": f"p1/{task}/closed", "at": bench.clock.now, "state": "waiting", "words": words,
    }  # fmt: skip
    bench.pass_time(seconds=29)
    assert len(bench.tell()) == 1
    bench.pass_time(seconds=5)
    assert bench.tell() == []
    first, second = bench.receivers.sent
    assert (first.body, first.headers["webhook-id"]) == (second.body, second.headers["webhook-id"])
    assert first.headers["webhook-signature"] != second.headers["webhook-signature"]
    assert hook(bench).last["state"] == "delivered"


def test_it_is_tried_for_a_day_and_then_the_owner_sees_it_when_a_receiver_stays_away(bench, secret):
    """With fewer receives than make a dead letter where those are fewest; and a replay is a notice as the first."""
    task = close(bench)
    bench.receivers.answers = [503]
    started = bench.clock.now
    while bench.tell():
        assert hook(bench).undelivered is None
        bench.pass_time(seconds=next(iter(bench.held.values())).visible_at / 1000 - bench.clock.now / 1000)
    assert 24 <= (bench.clock.now - started) / 3_600_000 <= 30
    assert len(bench.receivers.sent) == 10
    assert (hook(bench).last["state"], hook(bench).undelivered) == ("given_up", {task})
    bench.receivers.answers = [200]
    assert bench.http("POST", f"/asl/extraction/tasks/{task}/notice")[0] == 202
    assert bench.tell() == []
    assert (hook(bench).last["state"], hook(bench).undelivered) == ("delivered", None)
    assert bench.receivers.sent[-1].body == bench.receivers.sent[0].body


def test_it_is_not_tried_again_when_the_receiver_is_gone(bench, secret):
    task = close(bench)
    bench.receivers.answers = [410]
    assert bench.tell() == []
    assert (hook(bench).last["state"], hook(bench).undelivered) == ("given_up", {task})


@pytest.mark.parametrize("found", [["10.0.0.1"], ["169.254.169.254"], ["::1"], [PUBLIC, "127.0.0.1"]])
def test_nobody_is_asked_when_the_name_leads_to_a_private_address_by_now(bench, secret, found):
    """It was public when the webhook was set up. Mutation caught: looking at the first address, or only at the beginning."""
    close(bench)
    bench.receivers.names["hooks.example.org"] = found
    assert len(bench.tell()) == 1
    assert bench.receivers.sent == []
    assert hook(bench).last["words"] == "Its address leads to an address that is not on the public network."


def test_the_function_forgets_nothing_when_it_died_or_its_note_was_refused(bench, secret):
    """A second delivery with the same id, never none."""
    task = close(bench)
    with bench.calls.watch() as calls:
        calls.die_when = lambda operation, _: operation == "UpdateItem"
        bench.tell()
    bench.pass_time(minutes=7)
    with bench.calls.watch() as calls:
        calls.fail("UpdateItem", aws_error("InternalServerError", 500))
        assert len(bench.tell()) == 1
    bench.pass_time(minutes=7)
    assert bench.tell() == []
    assert [each.headers["webhook-id"] for each in bench.receivers.sent] == [f"p1/{task}/closed"] * 3


def test_a_change_is_refused_when_another_came_first_and_counts_when_its_own_reply_was_lost(bench, secret):
    before = hook(bench)
    world = bench.api_world
    refused, _ = webhook_items.set_up(world, "p1", None, URL, "u1", new_secret=False)
    assert refused == Refused(ANY)
    assert hook(bench).opening == before.opening
    with bench.calls.watch() as calls:
        calls.lose_reply_of = 1
        written, newer = webhook_items.set_up(world, "p1", before, f"{URL}/2", "u2", new_secret=True)
    assert isinstance(written, webhook_items.Webhook)
    assert (written.receiver, written.secret, written.before) == (f"{URL}/2", newer, secret)
    assert webhook_items.remove(world, "p1", before, "u1") == Refused(ANY)
    assert hook(bench).receiver == f"{URL}/2"


def test_what_came_of_a_delivery_is_not_written_when_the_webhook_is_another_by_now(bench, secret):
    before = hook(bench)
    webhook_items.remove(bench.api_world, "p1", before, "u1")
    webhook_items.note(bench.api_world, "p1", before, {"state": "given_up"}, "t")
    assert (hook(bench).last, hook(bench).undelivered) == (None, None)


def test_a_message_is_done_with_when_nobody_can_read_it(bench, secret):
    for body in ("", "[]", "{}", "[1,2]", "null", '"text"'):
        bench.message(body, "notice")
    assert (bench.tell(), bench.receivers.sent) == ([], [])
