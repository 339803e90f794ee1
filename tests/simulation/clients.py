"""AWS enters here: the product's own boto3 clients, and botocore's one way to every API call replaced.

Whoever makes a call, and with whichever client, it is the running process's: a point where others may come first and
where things go wrong. Arguments are held against the service's model by botocore, as they are before anything is sent.
Forms and links are no calls: botocore signs them in the process, here by the process's clock.

What botocore does after that (endpoints, signing, writing and reading HTTP) is not run: it takes four times as long as all
the rest of a run. That the model's answers are the real client's is shown by test_calibration.
"""

from datetime import UTC, datetime
from functools import cache
from typing import Any

import boto3
import botocore.auth
import botocore.signers
from botocore import xform_name
from botocore.client import BaseClient
from botocore.exceptions import ParamValidationError
from botocore.validate import ParamValidator

from tests.simulation.kernel import Kernel, Process

SERVICES = ("dynamodb", "s3", "sqs", "events", "lambda")
valid: set[Any] = set()
"""Operations with outlines of arguments that were found good."""


class Nobody(Exception):
    """An AWS call while no process runs: it is nobody's, and nothing could go wrong with it."""


@cache
def prepare() -> None:
    """Credentials that open nothing, and the services' models read, before the processes part: it takes a tenth of a second."""
    boto3.setup_default_session(aws_access_key_id="test", aws_secret_access_key="test", region_name="us-east-1")
    for service in SERVICES:
        boto3.client(service)  # type: ignore[call-overload]


def install() -> None:
    """From here on, in this process, no client reaches anything but the simulation."""
    prepare()
    BaseClient._make_api_call = make_api_call  # type: ignore[attr-defined]
    botocore.auth.get_current_datetime = botocore.signers.get_current_datetime = clock  # type: ignore[attr-defined]


def make_api_call(client: Any, operation: str, arguments: dict[str, Any]) -> Any:
    """In the place of botocore's. Raises ParamValidationError, Nobody, and what the call raises."""
    model = client.meta.service_model
    if hasattr(arguments.get("Body"), "read"):
        # From where it stands: whatever is sent again later, botocore sends the same.
        arguments = {**arguments, "Body": arguments["Body"].read()}
    seen = model.service_name, operation, outline(arguments)
    if seen not in valid:
        report = ParamValidator().validate(arguments, model.operation_model(operation).input_shape)
        if report.has_errors():
            raise ParamValidationError(report=report.generate_report())
        valid.add(seen)
    return running(operation).call(model.service_name, xform_name(operation), arguments)


def outline(value: Any) -> Any:
    """All of an argument that botocore's validation looks at: names, types, numbers, and whether a text is empty.

    Arguments of one outline are all good or all bad. Most calls of a run repeat one, and this takes a fifth of the time.
    """
    kind = type(value)
    if kind is str:
        return "text" if value else ""
    if kind is dict:
        return tuple([(name, outline(inner)) for name, inner in value.items()])
    if kind is list:
        return (list, *map(outline, value))
    return (kind, value) if kind in (int, float) else kind


def clock(*, remove_tzinfo: bool = True) -> datetime:
    """In the place of botocore's, which signs."""
    now = datetime.fromtimestamp(running("sign").clock() / 1000, UTC)
    return now.replace(tzinfo=None) if remove_tzinfo else now


def running(operation: str) -> Any:
    process: Process | None = Kernel.latest.current
    if process is None:
        raise Nobody(operation)
    return process
