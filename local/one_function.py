"""One built function in an interpreter that has nothing but what Lambda has: run by local/smoke.py, one JSON in, one out.

Standard library only until the paths are set. No AWS is reached: a call that is ready to be sent ends as it would where
there is no network, and that is as far as a smoke event has to come.
"""

import importlib
import json
import os
import sys
import traceback
from types import SimpleNamespace
from typing import Any

ENOUGH_MS = 30_000
DEFECT = 500


def main() -> None:
    asked = json.load(sys.stdin)
    sys.path[:0] = asked["paths"]
    os.environ.clear()
    os.environ.update(asked["environment"])
    said, sys.stdout = sys.stdout, sys.stderr
    try:
        answer: dict[str, Any] = {"payloads": _run(asked["handler"], asked["events"])}
    except BaseException as error:  # noqa: BLE001 - whatever it is, it is the answer
        answer = {"error": _told(error)}
    said.write(json.dumps(answer, default=str))
    said.flush()
    os._exit(0)


def _run(handler: str, events: list[Any]) -> list[Any]:
    without_network()
    module, _, name = handler.partition(".")
    function = getattr(importlib.import_module(module), name)
    payloads = [_send(function, event) for event in events]
    if any(isinstance(payload, dict) and payload.get("statusCode") == DEFECT for payload in payloads):
        raise RuntimeError("it answers 500")
    return payloads


def _send(function: Any, event: Any) -> Any:
    from botocore.exceptions import EndpointConnectionError  # noqa: PLC0415 - not before the paths are set

    context = SimpleNamespace(
        function_name="smoke",
        memory_limit_in_mb=128,
        invoked_function_arn="arn:aws:lambda:us-east-1:000000000000:function:smoke",
        aws_request_id="smoke",
        get_remaining_time_in_millis=lambda: ENOUGH_MS,
    )
    try:
        return function(event, context)
    except Exception as error:
        cause: BaseException | None = error
        while cause is not None:
            if isinstance(cause, EndpointConnectionError):
                return "AWS would be asked now"
            cause = cause.__cause__ or cause.__context__
        raise


def without_network() -> None:
    """Everything of botocore runs but the sending."""
    endpoint = importlib.import_module("botocore.endpoint")
    exceptions = importlib.import_module("botocore.exceptions")

    def make_request(_self: Any, _operation: Any, _request: Any) -> Any:
        raise exceptions.EndpointConnectionError(endpoint_url="a smoke test has no AWS")

    endpoint.Endpoint.make_request = make_request


def _told(error: BaseException) -> str:
    """The exception and the last line of ours on its way."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename != __file__]
    ours = [frame for frame in frames if not frame.filename.startswith(("<", sys.base_prefix))]
    where = f" ({os.path.basename(ours[-1].filename)}, line {ours[-1].lineno})" if ours else ""  # noqa: PTH119 - as the rest
    return f"{type(error).__name__}: {error}{where}"


if __name__ == "__main__":
    main()
