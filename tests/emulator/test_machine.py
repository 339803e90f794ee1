"""What the local stack does to the machine it runs on."""

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

from local.aws import DIRECT, session
from local.ministack import emulator
from tests.support import processes
from tests.support.deployed import _free_port, eventually

pytestmark = [
    pytest.mark.emulator,
    pytest.mark.skipif(not Path("/proc/self/net/tcp").exists(), reason="sockets are listed by Linux's /proc"),
]

SLEEPER = "import time; time.sleep(60)"
PARENT = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {SLEEPER!r}]).wait()"
POOL = 10 + 2 + 4 + 8
"""What the probe's queue, the papers' and the intake's may have at work together, and room."""
LISTENING = "0A"
LOOPBACK = {"0100007F", "00000000000000000000000001000000"}


def _listening(pid):
    """Address and port of every socket at which a process listens."""
    sockets, found = set(), set()
    for link in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(FileNotFoundError):  # closed in the meantime
            sockets.add(str(link.readlink()))
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/{pid}/net/{table}").read_text().splitlines()[1:]:
            _, local, _, state, *_, inode = line.split()[:10]
            if state == LISTENING and f"socket:[{inode}]" in sockets:
                address, _, port = local.partition(":")
                found.add((address, int(port, 16)))
    return found


def _of_functions(deployed):
    """The same of every process of two functions that does not end while it is looked at."""
    found = []
    for pid in (pid for name in ("ApiFunction", "ProbeFunction") for pid in deployed.workers(name)):
        with suppress(FileNotFoundError, ProcessLookupError):
            found.append(_listening(pid))
    return found


def test_one_port_of_the_loopback_is_open_when_the_stack_is_up(deployed):
    """Nobody on the network reaches the emulator, whose root password is known to all."""
    deployed.closed(deployed.open(deployed.probes([{}]))["taskId"])
    sockets = _listening(deployed.emulator.pid)
    assert {port for _, port in sockets} == {deployed.emulator.port}
    assert {address for address, _ in sockets} <= LOOPBACK
    of_functions = _of_functions(deployed)
    assert of_functions
    assert set().union(*of_functions) == set()


def test_a_process_has_no_children_when_it_has_ended_meanwhile():
    """Functions' processes end at any moment, also while somebody lists them to kill one: that is no error."""

    def children():
        return [pid for pid, command in processes.children(parent.pid).items() if SLEEPER in command]

    with subprocess.Popen([sys.executable, "-c", PARENT]) as parent:
        found = eventually(children, "its child", every=0.01)
        parent.kill()
    for pid in found:
        os.kill(pid, signal.SIGKILL)
    assert processes.children(parent.pid) == {}


@pytest.fixture
def alone(tmp_path):
    """An emulator of the test's own, with nothing deployed: what `start` said comes with it."""
    said: list[str] = []

    def start():
        said.clear()
        return emulator.start(tmp_path, port=_free_port(), say=said.append), said

    yield start
    emulator.stop(tmp_path)


def _queue(host, **more):
    sqs = session().client("sqs", endpoint_url=host.endpoint, config=DIRECT)
    return sqs, sqs.create_queue(QueueName="work", **more)["QueueUrl"]


def _kill(host):
    os.kill(host.pid, signal.SIGKILL)
    eventually(lambda: not emulator.running(host.folder), "the emulator's end")


def test_the_next_start_says_what_is_lost_when_the_stack_was_killed(alone):
    host, said = alone()
    assert said == []
    emulator.stop(host.folder)
    host, said = alone()
    assert said == [], "it was stopped as it should be"
    saved = time.localtime(max(file.stat().st_mtime for file in (host.folder / "state").glob("*.json")))
    _kill(host)
    host, said = alone()
    (told,) = said
    assert f"stopped uncleanly (killed, or the power went); what came after {time.strftime('%H:%M', saved)} is" in told
    emulator.stop(host.folder)
    _, said = alone()
    assert said == [], "that was told once"


def test_the_next_start_says_that_all_is_lost_when_the_stack_was_killed_before_it_was_ever_stopped(alone):
    host, _ = alone()
    _kill(host)
    _, said = alone()
    assert ["all that was in it is lost" in line for line in said] == [True]


def test_a_message_is_received_at_once_when_the_stack_was_stopped_with_it_in_flight(alone):
    """The row of a message that stays out of sight waits for it, and its task for the row."""
    host, _ = alone()
    sqs, queue = _queue(host, Attributes={"VisibilityTimeout": "1800"})
    sqs.send_message(QueueUrl=queue, MessageBody="at work")
    assert sqs.receive_message(QueueUrl=queue)["Messages"][0]["Body"] == "at work"
    sqs.send_message(QueueUrl=queue, MessageBody="sent for later", DelaySeconds=900)
    emulator.stop(host.folder)
    host, _ = alone()
    sqs, queue = _queue(host)
    found = sqs.receive_message(QueueUrl=queue, MaxNumberOfMessages=10)
    assert [each["Body"] for each in found["Messages"]] == ["at work"]


def test_work_at_hand_is_done_once_when_the_stack_is_stopped_as_make_down_does(deployed):
    """Ended by force it would be done again, when its lease is over."""
    task = deployed.open(deployed.probes([{"sleep_ms": 2000}]))["taskId"]
    eventually(lambda: deployed.calls(task), "its work")
    emulator.stop(deployed.emulator.folder, patiently=True)
    deployed.stack = deployed.start()
    deployed.closed(task)
    assert deployed.call_counts(task) == [1]


def test_every_request_is_answered_by_few_processes_when_fifty_come_at_once_to_a_cold_api(deployed):
    api = deployed.physical("ApiFunction")
    # MiniStack ends a function's processes when it is told its environment, be it the same.
    told = {"Variables": deployed.told("ApiFunction")}
    deployed.client("lambda").update_function_configuration(FunctionName=api, Environment=told)
    eventually(lambda: not deployed.workers("ApiFunction"), "the end of the warm ones")
    token, most = deployed.token("editor"), 0
    with ThreadPoolExecutor(50) as callers:
        asked = [callers.submit(deployed.ask, "GET", "/me", token=token) for _ in range(50)]
        while not all(answer.done() for answer in asked):
            most = max(most, len(deployed.workers("ApiFunction")))
            time.sleep(0.05)
    assert {answer.result().status for answer in asked} == {200}
    assert 0 < most <= POOL
