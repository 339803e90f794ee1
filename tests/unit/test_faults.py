"""One table: what a provider says, and what it means for the document, the account and the pace."""

import json

import pytest

from sheaf.errors import AccountRefused, Permanent, ProviderDown, Throttled, Walled
from sheaf.model_calls import provider_errors
from sheaf.model_calls.model_api import FormatRefused, TemperatureRefused, TooLong

NOW = 1_795_000_000_000
"""2026-11-18T11:06:40Z"""


def told(message, **more):
    return json.dumps({"error": {"message": message, **more}}).encode()


HTTP = [
    (400, b"{}", Permanent),
    (422, b"{}", Permanent),
    (414, b"{}", Permanent),
    (405, b"{}", AccountRefused),
    (418, b"{}", AccountRefused),
    (424, b"{}", ProviderDown),
    (400, told("This response_format type is unavailable now"), FormatRefused),
    (
        422,
        b'{"detail": [{"loc": ["body", "response_format", "type"], "msg": "Input should be json_object"}]}',
        FormatRefused,
    ),
    (500, told("json_schema is not supported"), FormatRefused),
    (400, told("Too long.", code="context_length_exceeded"), TooLong),
    (400, told("This model's maximum context length is 131072 tokens."), TooLong),
    (400, told("the request exceeds the available context size", type="exceed_context_size_error"), TooLong),
    # A real server, llama.cpp's of October 2026, asked on this machine; its source has the two after that.
    (400, told("request (12030 tokens) exceeds the available context size (8192 tokens), try increasing it"), TooLong),
    (
        400,
        told("Unable to generate parser for this template. [...] JSON schema error at #/properties/a"),
        FormatRefused,
    ),
    (400, told("Failed to parse grammar", type="invalid_request_error"), FormatRefused),
    (500, told("Context size has been exceeded.", type="server_error"), TooLong),
    (503, told("Loading model", type="unavailable_error"), ProviderDown),
    (413, b"<html>Request Entity Too Large</html>", TooLong),
    (400, told("<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 30720]"), TooLong),
    (400, told("Invalid request: Your request exceeded model token limit: 262144 (requested: 269030)"), TooLong),
    (400, told("input length and max_tokens exceed context limit: 90402 + 116650 > 204648"), TooLong),
    (400, told("Prompt exceeds max length", code="1261"), TooLong),
    (422, b'{"error": "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 32768."}', TooLong),
    (429, told("Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 30601."), TooLong),
    (400, told("Content Exists Risk"), Permanent),
    (400, told("Model Not Exist", type="invalid_request_error"), AccountRefused),
    (400, told("API key not valid. Please pass a valid API key."), AccountRefused),
    (400, b'{"code": "Arrearage", "message": "Access denied"}', AccountRefused),
    (401, b"", AccountRefused),
    (402, told("Insufficient Balance"), AccountRefused),
    (403, b"", AccountRefused),
    (403, told("This model requires moderation. Your input was flagged for violence.", code=403), Permanent),
    (403, told("Your paid balance is insufficient."), AccountRefused),
    (403, b"<html>blocked</html>", Walled),
    (403, b"\n <!DOCTYPE html><title>Attention Required!</title>", Walled),
    (401, b"<html>who are you?</html>", AccountRefused),
    (400, told("Unsupported value: 'temperature' does not support 0.5 with this model."), TemperatureRefused),
    (422, told("`temperature` is deprecated for this model."), TemperatureRefused),
    (429, told("余额不足或无可用资源包,请充值。", code="1113"), AccountRefused),
    (429, told("Insufficient balance or no resource package. Please recharge.", code="1113"), AccountRefused),
    (404, b"", AccountRefused),
    (301, b"", AccountRefused),
    (307, b"", AccountRefused),
    (429, b"{}", Throttled),
    (429, told("Rate limit reached"), Throttled),
    (429, told("You exceeded your current quota", code="insufficient_quota"), AccountRefused),
    (408, b"", ProviderDown),
    (409, b"", ProviderDown),
    (425, b"", ProviderDown),
    (500, b"", ProviderDown),
    (502, b"<html>Bad Gateway</html>", ProviderDown),
    (503, told("The server is overloaded"), ProviderDown),
    (504, b"", ProviderDown),
    (529, b"", ProviderDown),
    (599, b"", ProviderDown),
]


@pytest.mark.parametrize(("status", "body", "wanted"), HTTP)
def test_an_answer_has_its_class_when_it_is_no_reply(status, body, wanted):
    assert type(provider_errors.of_http(status, provider_errors.said(body), None)) is wanted


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("max_tokens is too large: 16384.", "(HTTP 400: max_tokens)"),
        ("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.", "(HTTP 400: max_tokens)"),
        ("Patient 17 of the paper is not valid.", "(HTTP 400)"),
    ],
)
def test_the_operator_is_told_what_of_the_request_was_refused_and_no_word_of_the_paper(words, shown):
    refused = provider_errors.of_http(400, provider_errors.said(told(words)), None)
    assert str(refused) == f"The provider refused the request {shown}."


@pytest.mark.parametrize(
    ("code", "words", "status"),
    [
        ("402", "no", 402),
        ("invalid_request_error", "Insufficient Balance", 402),
        ("insufficient_quota", "insufficient_quota You exceeded your current quota", 402),
        ("", "Invalid API key", 402),
        ("rate_limit_exceeded", "rate_limit_exceeded Rate limit reached", 429),
        ("upstream_error", "It failed", 502),
        ("200", "It failed", 502),
    ],
)
def test_an_error_under_another_status_goes_by_its_number_or_by_its_words(code, words, status):
    assert provider_errors.status_of(code, words) == status


BEDROCK = [
    ("ThrottlingException", 400, "Too many tokens, please wait before trying again.", Throttled),
    ("TooManyRequestsException", 429, "", Throttled),
    ("ModelNotReadyException", 429, "", Throttled),
    ("ServiceQuotaExceededException", 400, "", Throttled),
    ("ServiceUnavailableException", 503, "", ProviderDown),
    ("InternalServerException", 500, "", ProviderDown),
    ("ModelTimeoutException", 408, "", ProviderDown),
    ("ModelErrorException", 424, "", ProviderDown),
    ("ModelStreamErrorException", 424, "", ProviderDown),
    ("ValidationException", 400, "The maxTokens value is invalid.", Permanent),
    ("ValidationException", 400, "Input is too long for requested model.", TooLong),
    ("ValidationException", 400, "Number of input tokens exceeds maximum length. Please update the input.", TooLong),
    ("ValidationException", 400, "prompt is too long: 210000 tokens > 200000 maximum", TooLong),
    ("ValidationException", 400, "This model doesn't support outputConfig.", FormatRefused),
    ("ValidationException", 400, "The provided model identifier is invalid.", AccountRefused),
    (
        "ValidationException",
        400,
        "Invocation of model ID x with on-demand throughput isn't supported. Retry with an inference profile.",
        AccountRefused,
    ),
    ("AccessDeniedException", 403, "", AccountRefused),
    ("ResourceNotFoundException", 404, "", AccountRefused),
    ("UnrecognizedClientException", 400, "", AccountRefused),
    ("ExpiredTokenException", 400, "", AccountRefused),
    ("SomethingNewException", 400, "", Permanent),
    ("SomethingNewException", 403, "", AccountRefused),
    ("SomethingNewException", 429, "", Throttled),
    ("SomethingNewException", 500, "", ProviderDown),
]


@pytest.mark.parametrize(("code", "status", "message", "wanted"), BEDROCK)
def test_an_error_of_bedrock_has_its_class_whatever_status_it_comes_with(code, status, message, wanted):
    assert type(provider_errors.of_bedrock(code, status, message, None)) is wanted


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        (None, None),
        ("", None),
        ("soon", None),
        ("nan", None),
        ("0", 0),
        ("-5", 0),
        ("2.5", 2.5),
        (" 30 ", 30),
        ("3600", 3600),
        ("31536000", 3600),
        ("inf", 3600),
        ("1e999", 3600),
        ("Wed, 18 Nov 2026 11:08:10 GMT", 90),
        ("Wed, 18 Nov 2026 11:00:00 GMT", 0),
        ("Wed, 18 Nov 2099 11:00:00 GMT", 3600),
        ("Wed, 99 Nov 2026 11:00:00 GMT", None),
        ("Wed, 18 Nov 99999 11:00:00 GMT", None),
    ],
)
def test_nobody_waits_for_nonsense_or_longer_than_an_hour_when_retry_after_says_so(header, seconds):
    assert provider_errors.seconds(header, NOW) == seconds


@pytest.mark.parametrize(
    "words", ["insufficient_quota", "context_length_exceeded", "response_format", "Model Not Exist"]
)
def test_a_paper_repeated_in_an_error_does_not_say_what_the_error_is(words):
    """A document could shut the gate for everybody otherwise."""
    body = told("Invalid request.", input=f"{'x' * 500} {words}", param=words)
    assert type(provider_errors.of_http(400, provider_errors.said(body), None)) is Permanent
    body = told(f"Invalid value: {'x' * 500} {words}")
    assert type(provider_errors.of_http(400, provider_errors.said(body), None)) is Permanent


@pytest.mark.parametrize(
    "body", [b"", b"[", b"\xff\xfe\xff", b"[]", b"null", b'{"error": []}', b'{"error": "no"}', b"[" * 20_000]
)
def test_an_error_in_any_form_is_an_error(body):
    assert type(provider_errors.of_http(400, provider_errors.said(body), None)) is Permanent
