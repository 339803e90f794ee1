"""The page's own files: one request in, one file out. It has no right to anything in AWS."""

from functools import cache
from pathlib import Path
from typing import Any

import serving
from sheaf import settings
from sheaf.settings import PageSettings

SITE = Path(__file__).parent / "site"


@cache
def site() -> serving.Site:
    """What `make web` built, and the headers that this deployment wants. Raises ConfigError."""
    return serving.Site.read(SITE, settings.read(PageSettings))


def lambda_handler(event: dict[str, Any], _context: Any) -> dict[str, Any]:
    headers = {name.lower(): value for name, value in (event.get("headers") or {}).items()}
    return site().answer(event["rawPath"], headers, event["requestContext"]["http"]["method"])
