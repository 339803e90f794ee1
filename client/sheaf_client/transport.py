"""HTTP, sent again where that may help, and what may come of it instead of an answer: in words, with the command's exit code."""

from functools import cache
from typing import Any, Final
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import urllib3
from urllib3 import BaseHTTPResponse, PoolManager

OWN: Final = {"127.0.0.1", "localhost"}
TOGETHER = 4  # requests at the same time
TRIES: Final = urllib3.Retry(
    3,
    backoff_factor=0.5,
    backoff_jitter=0.5,
    retry_after_max=20,
    status_forcelist=[429, 500, 502, 503, 504],
    allowed_methods=None,
    raise_on_status=False,
)
TIMEOUT: Final = urllib3.Timeout(connect=10, read=60)


class SheafError(Exception):
    code = 1


class Refused(SheafError):
    code = 3


class Unreachable(SheafError):
    """Nobody answers, or somebody else."""

    code = 4


class SignedOut(SheafError):
    code = 5


def sent(method: str, url: str, **more: Any) -> BaseHTTPResponse:
    """The answer to a request that may be sent twice, whatever its status. Raises Unreachable."""
    try:
        return _pool(*urlsplit(url)[:2]).request(method, url, retries=TRIES, redirect=False, timeout=TIMEOUT, **more)
    except urllib3.exceptions.HTTPError as trouble:
        host = urlsplit(url).netloc
        advice = " Is the stack up (`make up`)?" if is_own(url) else ""
        raise Unreachable(f"{host} cannot be reached.{advice} ({getattr(trouble, 'reason', trouble)})") from trouble


@cache
def _pool(scheme: str, host: str) -> PoolManager:
    """By the proxy that the environment names; to this machine always directly."""
    proxy = None if is_own(f"//{host}") or proxy_bypass(host) else getproxies().get(scheme)
    return urllib3.ProxyManager(proxy, maxsize=TOGETHER) if proxy else PoolManager(maxsize=TOGETHER)


def is_own(url: str) -> bool:
    """Whether it leads to this machine, so that nobody reads along on the way; as what connects reads it."""
    parts = urlsplit(url)
    return parts.hostname in OWN and "@" not in parts.netloc
