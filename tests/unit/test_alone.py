"""A function alone in an interpreter: its answer, its error and its end are told as Lambda tells them."""

from types import SimpleNamespace

import pytest

from local.deploy import alone

CODE = """
import time

def handler(event, context):
    print("heard", event)
    if event == "raise":
        raise ValueError("no such thing")
    if event == "left":
        return context.get_remaining_time_in_millis()
    time.sleep(event)
    return event
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("function")
    (folder / "code_of_mine.py").write_text(CODE)
    function = SimpleNamespace(name="here", codeuri=str(folder), layers=[], handler="code_of_mine.handler")
    return lambda event, seconds=30.0: alone.run(function, [event], {}, seconds=seconds, online=True)


def test_the_answer_and_the_log_are_given_apart_when_a_function_answers(run):
    assert run(0) == ([0], "heard 0\n")


def test_the_error_is_named_with_its_line_when_a_function_raises(run):
    ((payload,), _) = run("raise")
    assert payload == {"errorType": "ValueError", "errorMessage": "no such thing (code_of_mine.py, line 7)"}
    assert alone.why(payload) == "ValueError: no such thing (code_of_mine.py, line 7)"


def test_the_time_that_is_left_is_the_functions_own_limit_when_it_asks(run):
    ((left,), _) = run("left", 20)
    assert 19_000 < left <= 20_000


def test_a_function_is_ended_with_its_log_when_its_time_is_over(run):
    ((payload,), log) = run(60, 2 - alone.INIT_SECONDS)
    assert payload["errorType"] == "Sandbox.Timedout"
    assert log == "heard 60\n"
