"""The API's own description, without a server: for the page's types."""

import json
import sys

from local.settings import ROOT


def text() -> str:
    """What GET /api/v1/openapi.json answers."""
    sys.path[:0] = [str(ROOT / "layers" / "sheaf"), str(ROOT / "functions" / "api")]
    import api  # noqa: F401, PLC0415 - makes the routes
    import openapi  # noqa: PLC0415

    return json.dumps(openapi.document(), indent=1)
