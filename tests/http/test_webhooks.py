"""A project's webhook over HTTP: set up, shown without its secret, tried, changed, removed, and refused in words."""

import pytest

from sheaf.notices import webhook_items
from tests.http.front import TASKS, stored
from tests.support.receivers import URL

WEBHOOK = "/asl/webhook"


@pytest.fixture
def secret(front):
    return front.send("PUT", WEBHOOK, {"url": URL}).body["secret"]


def test_the_secret_is_shown_once_when_a_webhook_is_set_up(front, heard):
    made = front.send("PUT", WEBHOOK, {"url": URL})
    assert (made.status, made.body["url"], made.body["secret"][:6]) == (200, URL, "whsec_")
    shown = front.get(WEBHOOK)
    assert (shown.status, shown.body["secret"], shown.body["lastDelivery"], shown.body["undelivered"]) == (
        200,
        None,
        None,
        [],
    )
    again = front.send("PUT", WEBHOOK, {"url": f"{URL}/other"})
    assert (again.body["url"], again.body["secret"]) == (f"{URL}/other", None)
    assert not [line for line in heard if made.body["secret"] in line]


def test_there_is_another_secret_when_one_is_asked_for(front, secret):
    changed = front.send("PUT", WEBHOOK, {"url": URL, "newSecret": True}).body["secret"]
    assert changed[:6] == "whsec_"
    assert changed != secret


def test_a_new_secret_is_made_when_the_webhook_had_been_removed(front, secret):
    assert front.send("DELETE", WEBHOOK).status == 204
    assert (front.get(WEBHOOK).status, front.send("DELETE", WEBHOOK).status) == (404, 404)
    assert front.post(f"{WEBHOOK}/test").status == 404
    assert front.send("PUT", WEBHOOK, {"url": URL}).body["secret"] not in {None, secret}


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://hooks.example.org/", "is not an https address."),
        ("https://hooks.example.org/ x", "is not an https address."),
        ("https://u:p@hooks.example.org/", "holds a name or a password; the signature says who sends."),
        ("https://hooks.example.org:8080/", "names port 8080; only 443 is allowed."),
        ("https://hooks.example.org:0/", "names port 0; only 443 is allowed."),
        ("https://nowhere.example.org/", "has a name that leads nowhere."),
        ("https://169.254.169.254/latest/meta-data/", "leads to an address that is not on the public network."),
        ("https://inside.example.org/", "leads to an address that is not on the public network."),
        ("https://both.example.org/", "leads to an address that is not on the public network."),
    ],
)
def test_an_address_is_refused_in_words_when_it_may_not_be_led_to(bench, front, url, reason):
    bench.receivers.names |= {
        "169.254.169.254": ["169.254.169.254"],
        "inside.example.org": ["10.1.2.3"],
        "both.example.org": ["93.184.216.34", "fd00:ec2::254"],
    }
    before = stored(bench)
    refused = front.send("PUT", WEBHOOK, {"url": url})
    assert (refused.status, refused.body["field"], refused.body["reason"]) == (400, "url", reason)
    assert stored(bench) == before


@pytest.mark.parametrize(("method", "path"), [("GET", ""), ("PUT", ""), ("DELETE", ""), ("POST", "/test")])
def test_a_viewer_is_refused_when_it_asks_for_anything_of_the_webhook(front, secret, method, path):
    """Its address may hold a secret of the receiver's."""
    body = {"url": URL} if method == "PUT" else None
    assert front.send(method, f"{WEBHOOK}{path}", body, groups="[p1:viewer]").status == 403


def test_a_test_is_a_notice_that_is_tried_once_and_seen(bench, front, secret):
    bench.receivers.answers = [500]
    assert front.post(f"{WEBHOOK}/test").status == 202
    assert bench.tell() == []
    (sent,) = bench.receivers.sent
    assert sent.said["type"] == "webhook.test"
    last = front.get(WEBHOOK).body["lastDelivery"]
    assert (last["noticeId"], last["state"], last["outcome"]) == (
        sent.headers["webhook-id"],
        "given_up",
        "It answered 500.",
    )
    assert front.get(WEBHOOK).body["undelivered"] == []


def test_a_close_is_told_again_under_its_id_when_it_is_replayed(bench, front, secret):
    task = front.started([bench.probe()])
    early = front.post(f"{TASKS}/{task}/notice")
    assert (early.status, early.problem, bench.queued("notice")) == (409, "task-open", [])
    bench.settle("probe")
    bench.tell()
    assert front.post(f"{TASKS}/{task}/notice").status == 202
    bench.tell()
    first, second = bench.receivers.sent
    assert (first.body, first.headers["webhook-id"]) == (second.body, second.headers["webhook-id"])


def test_one_change_counts_when_two_come_between_each_others_calls(bench, front, secret):
    """The later is asked to try again. Mutation caught: a change without the `opening` that was seen."""
    with bench.calls.watch() as calls:

        def other(_number, operation, _arguments):
            if operation == "UpdateItem":
                calls.on_call = None
                if seen := webhook_items.find(bench.api_world, "p1"):
                    webhook_items.remove(bench.api_world, "p1", seen, "u2")

        calls.on_call = other
        assert front.send("PUT", WEBHOOK, {"url": f"{URL}/second"}).status == 503
    assert front.get(WEBHOOK).status == 404
