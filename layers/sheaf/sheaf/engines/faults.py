"""Every error of a provider and what it means for the document, the account and the pace. Pure."""

import re

from sheaf.engines.provider import FormatRefused, TooLong
from sheaf.errors import AccountRefused, Permanent, ProviderDown, SheafError, Throttled

RETRY_AFTER_MAX = 3600.0
ACCOUNT = {401, 402, 403, 404}
DOWN = {408, 409, 425}
THROTTLED = {429}
TOO_LARGE = 413
SERVER = 500
REDIRECT = range(300, 400)
WINDOW = re.compile(
    r"context_length|context length|maximum context|context window|too many (input )?tokens|input is too long|"
    r"prompt is too long|exceeds? the (model's )?(maximum|context)",
    re.IGNORECASE,
)
FORMAT = re.compile(
    r"response_format|json_schema|outputConfig|output_config|textFormat|structured output|\bstrict\b|toolChoice|schema",
    re.IGNORECASE,
)
FILTERED = re.compile(r"content exists risk|content_filter|content policy|data_inspection", re.IGNORECASE)
MONEY = re.compile(r"insufficient_quota|insufficient balance|billing|exceeded your current quota", re.IGNORECASE)


def of_http(status: int, told: str, retry_after: float | None) -> SheafError:
    """What an answer other than 2xx means; `told` is what the server said of it."""
    if status in ACCOUNT or status in REDIRECT or (status in THROTTLED and MONEY.search(told)):
        return AccountRefused(f"The provider refuses this account (HTTP {status}); the deployment has to mend it.")
    if status in THROTTLED:
        return Throttled("The provider asks for fewer calls.", retry_after)
    if FORMAT.search(told) and status in {400, 422, 500}:
        return FormatRefused(f"HTTP {status}")
    if status >= SERVER or status in DOWN:
        return ProviderDown(f"The provider cannot answer now (HTTP {status}).", retry_after)
    return of_request(status, told)


def of_request(status: int, told: str) -> SheafError:
    """What is wrong with the question itself."""
    if status == TOO_LARGE or WINDOW.search(told):
        return TooLong(f"HTTP {status}")
    if FILTERED.search(told):
        return Permanent("The provider's content filter refused this document.", "content_filtered")
    return Permanent(f"The provider refused the request (HTTP {status}).", "request_refused")


BEDROCK = {
    "ThrottlingException": 429,
    "TooManyRequestsException": 429,
    "ModelNotReadyException": 429,
    "ServiceQuotaExceededException": 429,
    "ServiceUnavailableException": 503,
    "InternalServerException": 500,
    "ModelTimeoutException": 408,
    "ValidationException": 400,
    "ModelErrorException": 424,
    "AccessDeniedException": 403,
    "UnrecognizedClientException": 403,
    "InvalidSignatureException": 403,
    "ExpiredTokenException": 403,
    "ResourceNotFoundException": 404,
}
MODEL_ERROR = 424


def of_bedrock(code: str, status: int, told: str, retry_after: float | None) -> SheafError:
    """The same for what boto3 raises; an unknown code goes by its HTTP status."""
    known = BEDROCK.get(code, status)
    if known == MODEL_ERROR:
        return ProviderDown("The model failed on this document (ModelErrorException).")
    return of_http(known, told, retry_after)


def seconds(retry_after: str | None) -> float | None:
    """The header Retry-After in seconds; a date or nonsense counts as none, and nobody waits longer than an hour."""
    try:
        asked = float(retry_after or "")
    except ValueError:
        return None
    return min(max(asked, 0.0), RETRY_AFTER_MAX) if asked == asked else None  # noqa: PLR0124 - not a number
