"""One built function in a bare interpreter, run by alone.py. Standard library only until the paths are set."""

import importlib
import json
import os
import sys
import time
import traceback
from functools import partial
from types import SimpleNamespace
from typing import Any


def main() -> None:
    asked = json.load(sys.stdin)
    sys.path[:0] = asked["paths"]
    os.environ.clear()
    os.environ.update(asked["environment"])
    said, sys.stdout = sys.stdout, sys.stderr
    try:
        if not asked["online"]:
            without_network()
        module, _, name = asked["handler"].partition(".")
        function = getattr(importlib.import_module(module), name)
        send = function if asked["online"] else partial(_as_far_as_aws, function)
        answers = [send(event, _context(time.monotonic() + asked["seconds"])) for event in asked["events"]]
    except BaseException as error:  # noqa: BLE001 - whatever it is, it is the answer
        answers = [{"errorType": type(error).__name__, "errorMessage": f"{error}{_place(error)}"}]
    said.write(json.dumps(answers, default=str))
    said.flush()
    sys.stderr.flush()
    os._exit(0)


def _context(deadline: float) -> Any:
    return SimpleNamespace(
        function_name="here",
        memory_limit_in_mb=128,
        invoked_function_arn="arn:aws:lambda:us-east-1:000000000000:function:here",
        aws_request_id="here",
        get_remaining_time_in_millis=lambda: int((deadline - time.monotonic()) * 1000),
    )


def _as_far_as_aws(function: Any, event: Any, context: Any) -> Any:
    from botocore.exceptions import EndpointConnectionError  # noqa: PLC0415 - not before the paths are set

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


def _place(error: BaseException) -> str:
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename != __file__]
    ours = [frame for frame in frames if not frame.filename.startswith(("<", sys.base_prefix))]
    return f" ({os.path.basename(ours[-1].filename)}, line {ours[-1].lineno})" if ours else ""  # noqa: PTH119 - as the rest


if __name__ == "__main__":
    main()
