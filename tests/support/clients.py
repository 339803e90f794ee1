"""Clients of moto's AWS, made once a process: reading botocore's service models takes longer than a test."""

from functools import cache
from typing import Any

from boto3.session import Session
from botocore.config import Config

from tests.support import quick_moto

SIGNED = Config(signature_version="s3v4", s3={"addressing_style": "virtual", "us_east_1_regional_endpoint": "regional"})
OTHER = {"s3": SIGNED}
"""As in `wiring`, so that forms and links are signed as the product's are."""

quick_moto.use()


@cache
def _session() -> Session:
    return Session(aws_access_key_id="test", aws_secret_access_key="test", region_name="us-east-1")


@cache
def client(service: str) -> Any:
    """One service. Good in any `mock_aws`, because moto intercepts what botocore sends and not how it was made."""
    return _session().client(service, config=OTHER.get(service))  # type: ignore[call-overload]
