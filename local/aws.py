"""AWS clients that can reach nothing but the emulator, whatever ~/.aws and the environment say."""

import os

import boto3
import botocore.session
from botocore.config import Config

from local.settings import CREDENTIALS, REGION

# Straight to the loopback, also where a proxy is configured.
DIRECT = Config(proxies={}, retries={"mode": "standard", "total_max_attempts": 3})


def session() -> boto3.Session:
    """A session that has read no profile, no configuration file and no environment variable."""
    nothing = (None, None, None, None)
    nowhere = (None, None, os.devnull, None)
    blank = botocore.session.Session({"profile": nothing, "config_file": nowhere, "credentials_file": nowhere})
    credentials = {name.lower(): value for name, value in CREDENTIALS.items()}
    return boto3.Session(**credentials, region_name=REGION, botocore_session=blank)
