"""Calls any endpoint that speaks OpenAI's chat completions: DeepSeek, OpenAI, vLLM, llama.cpp. A thin client, no SDK."""

import json
import re
from collections.abc import Mapping
from typing import Any

from sheaf.engine_settings import EngineSettings
from sheaf.errors import AccountRefused, ProviderDown, TimedOut, Unavailable
from sheaf.model_calls import provider_errors
from sheaf.model_calls.model_api import Model, Reply, Request, Usage
from sheaf.outside import provider_keys
from sheaf.outside.needs import AsksModels

REPLY_MAX = 4_000_000
STOPS: dict[str, str] = provider_errors.WORDS["openai_stops"]  # anything else, or nothing, is taken to have ended
TOKENS_MAX = 100_000_000
THOUGHT = re.compile(r"\A\s*<think>.*?</think>", re.DOTALL)
DEEPSEEK = "deepseek.com"
OPENAI = "api.openai.com"


class Engine(Model):
    dialects = ("json_schema", "json_object")

    def __init__(self, world: AsksModels, settings: EngineSettings, _tries: int) -> None:
        self.world = world
        self.settings = settings
        self.name = f"openai/{settings.model}"
        self.endpoint = f"{settings.url} {settings.model}"

    def send(self, request: Request, dialect: str, seconds: float) -> Reply:
        """One call. Raises what `faults` makes of the answer."""
        body = json.dumps(self.body(request, dialect), ensure_ascii=False).encode(errors="replace")
        url = f"{self.settings.url.rstrip('/')}/chat/completions"
        try:
            answered = self.world.ask("POST", url, body, self._headers(), seconds, REPLY_MAX)
        except Unavailable as error:
            late = isinstance(error, TimedOut)
            raise ProviderDown("The provider did not answer in time, or cut the line.", timed_out=late) from error
        try:
            if answered.status < 300:  # noqa: PLR2004 - HTTP's own number
                return read(answered.body)
            after = provider_errors.seconds(answered.headers.get("retry-after"), self.world.now())
            raise provider_errors.of_http(answered.status, provider_errors.said(answered.body), after)
        except AccountRefused:
            provider_keys.forget(self.settings.key)
            raise

    def _headers(self) -> dict[str, str]:
        headers = {"Content-Type": "application/json", "Accept": "application/json", "User-Agent": "sheaf"}
        if self.settings.key:
            headers["Authorization"] = f"Bearer {provider_keys.read(self.world, self.settings.key)}"
        return headers

    def body(self, request: Request, dialect: str) -> dict[str, Any]:
        """The request as this endpoint wants it: thinking off where it is on by default, the operator's names last."""
        strict = {"name": "form", "strict": True, "schema": request.schema}
        form = {"json_schema": strict} if dialect == "json_schema" else {}
        openai, deepseek = OPENAI in self.settings.url, DEEPSEEK in self.settings.url
        fields: dict[str, Any] = {
            "model": self.settings.model,
            "messages": [
                {"role": "system", "content": request.system},
                *({"role": role, "content": text} for role, text in request.turns),
            ],
            "stream": False,
            "temperature": request.temperature,
            "max_completion_tokens" if openai else "max_tokens": request.output_tokens,
            "response_format": {"type": dialect, **form},
            **({"thinking": {"type": "disabled"}} if deepseek else {}),
        }
        fields |= self.settings.extra
        return {name: value for name, value in fields.items() if value is not None}


def read(body: bytes) -> Reply:
    """A reply of status 200, blanks before it. Raises ProviderDown for no reply, and what an error under this status means."""
    if len(body) > REPLY_MAX:
        return Reply("", "malformed", Usage())
    try:
        reply = json.loads(body.strip())
        if reply.get("error") and not reply.get("choices"):
            said = provider_errors.said(body)
            code = str(reply["error"].get("code")) if isinstance(reply["error"], Mapping) else ""
            raise provider_errors.of_http(provider_errors.status_of(code, said), said, None)
        choice = reply["choices"][0]
        message = choice["message"]
        stop = STOPS.get(choice.get("finish_reason") or "stop", "end")
        refused = bool(message.get("refusal"))
        text = _text(message.get("content"))
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError) as error:
        raise ProviderDown("What the provider sent is no reply.") from error
    return Reply(text, "refused" if refused else stop, usage(reply.get("usage")))


def _text(content: Any) -> str:
    """The words of a reply, also where they come in parts; what a model thought before it answered is none of them."""
    if isinstance(content, list):
        content = "".join(part["text"] for part in content if part.get("type") == "text")
    return THOUGHT.sub("", str(content or ""))


def usage(used: Any) -> Usage:
    if not isinstance(used, Mapping):
        return Usage()
    details = used.get("prompt_tokens_details")
    elsewhere = details.get("cached_tokens") if isinstance(details, Mapping) else None
    cached = _count(used.get("prompt_cache_hit_tokens") or elsewhere)
    return Usage(max(0, _count(used.get("prompt_tokens")) - cached), cached, 0, _count(used.get("completion_tokens")))


def _count(value: Any) -> int:
    return value if type(value) is int and 0 < value <= TOKENS_MAX else 0
