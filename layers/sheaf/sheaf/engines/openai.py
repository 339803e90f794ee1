"""Any endpoint that speaks OpenAI's chat completions: DeepSeek, OpenAI, vLLM, llama.cpp. A thin client, no SDK."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sheaf import keys
from sheaf.engines import Answers, asking, faults
from sheaf.engines.provider import Reply, Request, Usage
from sheaf.errors import AccountRefused, Permanent, ProviderDown, Unavailable
from sheaf.kinds import Job
from sheaf.papers import Paper
from sheaf.settings import EngineSettings
from sheaf.templates import Template
from sheaf.wiring import Answered, World

REPLY_MAX = 4_000_000
STOPS = {
    "stop": "end",
    "length": "length",
    "content_filter": "filtered",
    "insufficient_system_resource": "busy",
    "tool_calls": "malformed",
}
DEEPSEEK = "deepseek.com"
OPENAI = "api.openai.com"


def answer(paper: Paper, template: Template, job: Job) -> Answers:
    """What the configured model says of this paper. Raises Permanent, Transient, Throttled."""
    return asking.answer(Chat(job.line.world, job.line.settings), paper, template, job)


@dataclass(frozen=True)
class Chat:
    """One model at one address."""

    world: World[Any]
    settings: EngineSettings

    @property
    def name(self) -> str:
        return f"openai/{self.settings.model}"

    @property
    def endpoint(self) -> str:
        return f"{self.settings.url} {self.settings.model}"

    @property
    def dialects(self) -> tuple[str, ...]:
        return ("json_schema", "json_object")

    def send(self, request: Request, dialect: str, seconds: float) -> Reply:
        """One call. Raises what `faults` makes of the answer."""
        body = json.dumps(self.body(request, dialect), ensure_ascii=False).encode(errors="replace")
        url = f"{self.settings.url.rstrip('/')}/chat/completions"
        try:
            answered = self.world.post(url, body, self._headers(), seconds, REPLY_MAX)
        except Unavailable as error:
            raise ProviderDown("The provider did not answer in time, or cut the line.") from error
        if answered.status >= 300:  # noqa: PLR2004 - HTTP's own number
            self._refuse(answered)
        return read(answered.body)

    def _refuse(self, answered: Answered) -> None:
        told = answered.body[:2_000].decode(errors="replace")
        found = faults.of_http(answered.status, told, faults.seconds(answered.headers.get("retry-after")))
        if isinstance(found, AccountRefused):
            keys.forget(self.world, self.settings.key)
        raise found

    def _headers(self) -> dict[str, str]:
        headers = {"Content-Type": "application/json", "Accept": "application/json", "User-Agent": "sheaf"}
        if self.settings.key:
            headers["Authorization"] = f"Bearer {keys.read(self.world, self.settings.key)}"
        return headers

    def body(self, request: Request, dialect: str) -> dict[str, Any]:
        """The request as this endpoint wants it: thinking off where it is on by default, the operator's names last."""
        openai, deepseek = OPENAI in self.settings.url, DEEPSEEK in self.settings.url
        told: dict[str, Any] = {
            "model": self.settings.model,
            "messages": [
                {"role": "system", "content": request.system},
                *({"role": role, "content": text} for role, text in request.turns),
            ],
            "stream": False,
            "temperature": request.temperature,
            "max_completion_tokens" if openai else "max_tokens": request.output_tokens,
            "response_format": _format(request, dialect),
            **({"thinking": {"type": "disabled"}} if deepseek else {}),
        }
        told |= self.settings.extra
        return {name: value for name, value in told.items() if value is not None}


def _format(request: Request, dialect: str) -> dict[str, Any]:
    if dialect == "json_object":
        return {"type": "json_object"}
    return {"type": "json_schema", "json_schema": {"name": "form", "strict": True, "schema": request.schema}}


def read(body: bytes) -> Reply:
    """A reply of status 200: blank lines before it are a queue's, and what is no reply at all is a model's fault."""
    if len(body) > REPLY_MAX:
        return Reply("", "malformed", Usage())
    try:
        told = json.loads(body.strip())
        choice = told["choices"][0]
        text = choice["message"].get("content") or ""
        stop = STOPS.get(choice.get("finish_reason") or "stop", "end")
        refusal = choice["message"].get("refusal")
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError):
        return Reply(body[:REPLY_MAX].decode(errors="replace").strip(), "malformed", Usage())
    if refusal:
        raise Permanent("The model refused to read this document.", "content_filtered")
    return Reply(str(text), stop, usage(told.get("usage")))


def usage(told: Any) -> Usage:
    """Tokens, in OpenAI's names and in DeepSeek's; none where they are not said."""
    if not isinstance(told, Mapping):
        return Usage()
    details = told.get("prompt_tokens_details") or {}
    cached = _count(told.get("prompt_cache_hit_tokens") or details.get("cached_tokens"))
    return Usage(max(0, _count(told.get("prompt_tokens")) - cached), cached, 0, _count(told.get("completion_tokens")))


def _count(told: Any) -> int:
    return told if type(told) is int and told > 0 else 0
