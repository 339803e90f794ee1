"""A provider's key, read by ARN from Secrets Manager or SSM when needed, kept as long as the process lives."""

import json

from botocore.exceptions import ClientError

from sheaf.errors import AccountRefused, ProviderDown, Unavailable
from sheaf.outside.needs import Tables, TimedTables
from sheaf.outside.store import call

KEEP_MS = 15 * 60 * 1000
_kept: dict[str, tuple[str, int]] = {}


def read(world: TimedTables, arn: str) -> str:
    """The key: the secret's whole text, or its member "key" where it is JSON. Raises AccountRefused, ProviderDown."""
    kept = _kept.get(arn)
    if kept is None or world.now() - kept[1] > KEEP_MS:
        kept = _kept[arn] = (_plain(_read(world, arn)), world.now())
    return kept[0]


def forget(arn: str) -> None:
    """It was refused: the next call reads it anew, in case it was changed."""
    _kept.pop(arn, None)


def _read(world: Tables, arn: str) -> str:
    try:
        if ":secretsmanager:" in arn:
            return str(call(world, "secretsmanager", "get_secret_value", SecretId=arn).get("SecretString", ""))
        return str(call(world, "ssm", "get_parameter", Name=arn, WithDecryption=True)["Parameter"]["Value"])
    except Unavailable as error:
        raise ProviderDown("The store of the provider's key did not answer.") from error
    except ClientError as error:
        code = error.response["Error"]["Code"]
        raise AccountRefused(f"The provider's key cannot be read ({code}); the deployment has to mend it.") from error


def _plain(text: str) -> str:
    """Raises AccountRefused for what cannot be sent as a key, without saying what it is."""
    try:
        secret = json.loads(text)
    except ValueError:
        secret = text
    key = str(secret.get("key", "") if isinstance(secret, dict) else text).strip()
    if not key or not key.isascii() or not key.isprintable():
        reason = 'The provider\'s key is not one line of text, nor JSON with such a line as "key"'
        raise AccountRefused(f"{reason}; the deployment has to mend it.")
    return key
