"""Every error of a provider and what it means for the document, the account and the pace. Pure."""

import json
import math
import re
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any

from sheaf.errors import AccountRefused, Permanent, ProviderDown, SheafError, Throttled, Walled
from sheaf.model_calls.model_api import FormatRefused, TemperatureRefused, TooLong

RETRY_AFTER_MAX = 3600.0
PAYMENT, FORBIDDEN, TOO_LARGE, MODEL_ERROR, THROTTLED = 402, 403, 413, 424, 429
SERVER, BAD_GATEWAY = 500, 502
DOWN = {408, 409, 424, 425}
LATE = {408, 504, 524}  # said by who waited for the model: it was asked, and may have worked all the same
QUESTION = {400, TOO_LARGE, 414, 422}  # may be wrong with one document; any other 4xx, or a redirect, with all alike
WORDS = json.loads(Path(__file__).with_name("provider_words.json").read_text("utf-8"))
_NAMES = ("window", "format", "filtered", "money", "fewer", "unusable")
WINDOW, FORMAT, FILTERED, MONEY, FEWER, UNUSABLE = (re.compile("|".join(WORDS[name]), re.I) for name in _NAMES)
"""`UNUSABLE`: what some providers say with 400 though it is the account's or the configuration's, and so every document's."""
BEDROCK: dict[str, int] = WORDS["bedrock_codes"]  # what comes with another status than its own, at times or always
SAID = ("code", "type", "status", "message", "msg", "detail")
SAID_MAX = 300
DATE = re.compile(r"[a-z]{3} \d{4} ", re.IGNORECASE)
OURS = re.compile(r"\b(max_completion_tokens|max_tokens|maxTokens|temperature|thinking|cachePoint|messages|system)\b")
"""What a request of ours names: an operator who is told which of them was refused can leave it out. Never a document's words."""
TEMPERATURE = re.compile(r"\btemperature\b")

OF_ONE = {403: FILTERED, THROTTLED: re.compile(r"request too large", re.IGNORECASE)}
ACCOUNT_WORDS = {400: UNUSABLE, 422: UNUSABLE, 429: MONEY}
NEVER = re.compile(r"(?!)")


def said(body: bytes) -> str:
    """What an error says of itself, and little of it: a server may repeat the question, and the paper with it."""
    text = body[:20_000].decode(errors="replace")
    try:
        reply: Any = json.loads(text)
    except (ValueError, RecursionError):
        return text[:SAID_MAX]
    error = reply.get("error", reply) if isinstance(reply, dict) else reply
    if not isinstance(error, dict):
        return str(error)[:SAID_MAX]
    return " ".join(str(error[name])[:SAID_MAX] for name in SAID if name in error)


def of_http(status: int, words: str, retry_after: float | None) -> SheafError:
    if OF_ONE.get(status, NEVER).search(words):
        # Said in the words of a refused account or of a full one, and meant of this document: no other has to wait for it.
        return of_request(status, words)
    is_down = status in DOWN or status >= SERVER
    one_document = status in QUESTION or is_down
    if ACCOUNT_WORDS.get(status, NEVER).search(words) or not (one_document or status == THROTTLED):
        return _of_account(status, words)
    if status == THROTTLED:
        return Throttled("The provider asks for fewer calls.", retry_after)
    if of_way := _of_way(status, words):
        return of_way
    if is_down:
        return ProviderDown(f"The provider cannot answer now (HTTP {status}).", retry_after, timed_out=status in LATE)
    return of_request(status, words)


def _of_account(status: int, words: str) -> AccountRefused:
    if status == FORBIDDEN and words.lstrip().startswith("<"):
        # A page for people is no provider's.
        return Walled(f"Something before the provider refuses the request (HTTP {status}).")
    return AccountRefused(f"The provider refuses this account (HTTP {status}); the deployment has to mend it.")


def _of_way(status: int, words: str) -> SheafError | None:
    if status in {400, 422} and TEMPERATURE.search(words):
        return TemperatureRefused(f"HTTP {status}: temperature")
    if status == SERVER and WINDOW.search(words):
        return TooLong(f"HTTP {status}")
    return FormatRefused(f"HTTP {status}") if status in {400, 422, SERVER} and FORMAT.search(words) else None


def status_of(code: str, words: str) -> int:
    """Of an error under a status that says otherwise: its own number, or the one that its words stand for."""
    if re.fullmatch(r"[45]\d\d", code):
        return int(code)
    if MONEY.search(words) or UNUSABLE.search(words):
        return PAYMENT
    return THROTTLED if FEWER.search(words) else BAD_GATEWAY


def of_request(status: int, words: str) -> SheafError:
    if status == TOO_LARGE or WINDOW.search(words):
        return TooLong(f"HTTP {status}")
    if FILTERED.search(words):
        return Permanent("The provider's content filter refused this document.", "content_filtered")
    named = OURS.search(words)
    about = f": {named[1]}" if named else ""
    return Permanent(f"The provider refused the request (HTTP {status}{about}).", "request_refused")


def of_bedrock(code: str, status: int, words: str, retry_after: float | None) -> SheafError:
    """The same for what boto3 raises; an unknown code goes by its HTTP status."""
    known = BEDROCK.get(code, status)
    if known == MODEL_ERROR:
        return ProviderDown("The model failed on this document (ModelErrorException).")
    return of_http(known, words, retry_after)


def seconds(retry_after: str | None, now: int) -> float | None:
    """The header Retry-After in seconds, of a number or a date; None for nonsense. An hour at most, and never less than 0."""
    text = (retry_after or "").strip()
    try:
        asked = float(text) if DATE.search(text) is None else parsedate_to_datetime(text).timestamp() - now / 1000
    except (ValueError, TypeError, OverflowError):
        return None
    return None if math.isnan(asked) else min(max(asked, 0.0), RETRY_AFTER_MAX)
