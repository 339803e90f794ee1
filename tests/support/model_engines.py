"""A stack whose model engines are a scripted provider's."""

import json
from dataclasses import replace
from functools import cache
from typing import Any

from boto3.session import Session
from botocore.config import Config

from sheaf.engine_settings import Engines, EngineSettings
from sheaf.items import ProviderGate, provider_gate
from sheaf.outside import wiring
from sheaf.settings import ApiSettings
from tests.support.bench import PROJECT, Bench
from tests.support.provider import Provider

OPENAI, BEDROCK = "openai", "bedrock"
ENGINES = (OPENAI, BEDROCK)
PRICE = "1/0.1/4"
COST = 600 * 1 + 400 * 0.1 + 200 * 4
"""Of one of the provider's calls at that price, in millionths of a dollar."""


@cache
def patient(url: str, seconds: int) -> Any:
    """What wiring makes, but at the scripted provider's address."""
    session = Session(aws_access_key_id="test", aws_secret_access_key="test", region_name="us-east-1")
    config = Config(connect_timeout=5, read_timeout=seconds, retries={"mode": "standard", "total_max_attempts": 1})
    return session.client("bedrock-runtime", endpoint_url=url, config=config)


def configure(bench: Bench, provider: Provider, *, default: str = "rules", **more: Any) -> None:
    """Both engines, at this provider, in the worker's and the API's settings."""
    told = {"window_tokens": 64_000, "output_tokens": 4_000, "call_seconds": 30, "price": PRICE, **more}
    models = {
        OPENAI: EngineSettings(OPENAI, "scripted-chat", url=provider.url, **told),
        BEDROCK: EngineSettings(BEDROCK, "scripted.converse-v1", **told),
    }
    waits = told["call_seconds"]
    for function, world in {**bench.worlds, "ExtractPaperFunction": bench.worker_world()}.items():
        if hasattr(world.settings, "engines"):
            settings = replace(world.settings, engines=Engines(default, models))
            bench.worlds[function] = replace(
                world, settings=settings, patient=lambda _service, seconds: patient(provider.url, min(seconds, waits))
            )
    wiring.worlds[ApiSettings] = bench.worlds["ApiFunction"]


def gate(bench: Bench, engine: str) -> ProviderGate:
    """The gate of the bench's project as it is stored."""
    found = bench.gate(provider_gate(engine, PROJECT))
    assert isinstance(found, ProviderGate)
    return found


def replies(bench: Bench) -> dict[str, Any]:
    """Every raw reply that is kept, by its key."""
    s3, bucket = bench.api_world.client("s3"), bench.api_world.settings.data_bucket
    found = s3.list_objects_v2(Bucket=bucket, Prefix="replies/").get("Contents", [])
    return {item["Key"]: json.loads(s3.get_object(Bucket=bucket, Key=item["Key"])["Body"].read()) for item in found}
