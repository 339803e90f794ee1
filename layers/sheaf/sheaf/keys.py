"""A provider's key, read from Secrets Manager or from SSM when first needed, kept for as long as the process lives.

The deployment names it by its ARN, so the key is in no template, environment, log or row.
"""

import json
from typing import Any

from botocore.exceptions import ClientError

from sheaf.errors import AccountRefused, ProviderDown, Unavailable
from sheaf.store import call
from sheaf.wiring import World

KEEP_MS = 15 * 60 * 1000
_kept: dict[str, tuple[str, int]] = {}


def read(world: World[Any], arn: str) -> str:
    """The key: the secret's whole text, or its member "key" where it is JSON. Raises AccountRefused, ProviderDown."""
    kept = _kept.get(arn)
    if kept is None or world.now() - kept[1] > KEEP_MS:
        kept = _kept[arn] = (_read(world, arn), world.now())
    return kept[0]


def forget(_world: World[Any], arn: str) -> None:
    """It was refused: the next call reads it anew, in case it was changed."""
    _kept.pop(arn, None)


def _read(world: World[Any], arn: str) -> str:
    try:
        if ":secretsmanager:" in arn:
            text = str(call(world, "secretsmanager", "get_secret_value", SecretId=arn)["SecretString"])
        else:
            text = str(call(world, "ssm", "get_parameter", Name=_name(arn), WithDecryption=True)["Parameter"]["Value"])
    except Unavailable as error:
        raise ProviderDown("The store of the provider's key did not answer.") from error
    except ClientError as error:
        code = error.response["Error"]["Code"]
        raise AccountRefused(f"The provider's key cannot be read ({code}); the deployment has to mend it.") from error
    return _plain(text)


def _name(arn: str) -> str:
    return f"/{arn.partition(':parameter/')[2]}" if ":parameter/" in arn else arn


def _plain(text: str) -> str:
    try:
        told = json.loads(text)
    except ValueError:
        return text.strip()
    return str(told["key"]).strip() if isinstance(told, dict) and "key" in told else text.strip()
