"""The real world's edge: the alarm that interrupts, threads that report, clients that do not retry behind our back."""

import signal
import time
from typing import Any

import boto3
import pytest

from sheaf.errors import OutOfTime
from sheaf.outside import wiring
from sheaf.settings import PageSettings
from tests.support import stack_file


def test_work_is_interrupted_when_its_time_is_over():
    """By a real SIGALRM, in the middle of a sleep, as a hanging call would be."""
    begun = time.monotonic()
    with pytest.raises(OutOfTime), wiring.alarm(0.05):
        time.sleep(120)
    assert time.monotonic() - begun < 60


def test_work_is_interrupted_at_once_when_there_was_no_time_left():
    """A negative limit is not `no limit`, which is what zero means to setitimer."""
    with pytest.raises(OutOfTime), wiring.alarm(-3):
        time.sleep(120)


@pytest.mark.parametrize("seconds", [0.05, 60])
def test_nothing_interrupts_any_more_when_the_work_has_ended(seconds):
    """The timer is off and the handler is the one of before, so that a warm function starts clean."""
    before = signal.getsignal(signal.SIGALRM)
    with wiring.alarm(seconds):
        pass
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    assert signal.getsignal(signal.SIGALRM) is before
    time.sleep(0.1)


def test_the_timer_is_off_when_the_work_raised():
    with pytest.raises(ZeroDivisionError), wiring.alarm(0.05):
        raise ZeroDivisionError
    time.sleep(0.1)


@pytest.mark.parametrize("count", [0, 1, 2, 50])
def test_results_keep_their_order_when_threads_made_them(count):
    assert wiring.in_threads(lambda number: number * 2, range(count)) == [number * 2 for number in range(count)]


def test_a_failure_is_raised_when_one_of_many_fails_and_the_others_still_ran():
    """A message that was not sent is heard of; the rows beside it are not left half done."""
    done = []

    def work(number):
        if number == 3:
            raise ZeroDivisionError
        done.append(number)

    with pytest.raises(ZeroDivisionError):
        wiring.in_threads(work, range(20))
    assert sorted(done) == [number for number in range(20) if number != 3]


def test_a_token_is_new_when_the_same_message_is_handled_again(monkeypatch):
    """◆ The token is random per handling and never derived from anything: mutation caught: any constant or hash."""
    monkeypatch.setattr("boto3.client", lambda *_, **__: pytest.fail("no client is made before it is needed"))
    world = wiring.World(PageSettings(sign_in={}, bucket_origins="", samples=""))
    assert len({world.token() for _ in range(1000)}) == 1000
    assert all(0 <= world.chance() < 1 for _ in range(1000))
    assert abs(world.now() - time.time() * 1000) < 1000


def test_no_call_outlives_a_lease_when_aws_is_slow():
    """Every attempt of the SDK together is shorter than the least slack of a lease, 60 s."""
    config: Any = wiring.AWS_CONFIG
    once = config.connect_timeout + config.read_timeout
    assert config.retries["total_max_attempts"] * once < 60


@pytest.mark.parametrize("region", ["us-east-1", "eu-central-1", "ap-east-1", "me-central-1", "cn-north-1"])
def test_forms_and_links_go_to_the_region_s_own_host_when_they_are_signed(region):
    """The one host that the page may call. S3's global one redirects, for good where a region is of 2019 or later."""
    signing = boto3.client("s3", region_name=region, config=wiring.CONFIGS["s3"])
    form = signing.generate_presigned_post("bucket", "key")["url"]
    link = signing.generate_presigned_url("get_object", Params={"Bucket": "bucket", "Key": "key"})
    suffix = "amazonaws.com.cn" if region.startswith("cn-") else "amazonaws.com"
    host = f"https://bucket.s3.{region}.{suffix}/"
    assert (form, link.partition("?")[0]) == (host, f"{host}key")
    told = stack_file.load()["Resources"]["PageFunction"]["Properties"]["Environment"]["Variables"]["BUCKET_ORIGINS"]
    filled = told["Fn::Sub"].replace("${DataBucket}", "bucket").replace("${AWS::Region}", region)
    assert f"{filled.replace('${AWS::URLSuffix}', suffix)}/" == host
