"""Calls Amazon Bedrock by Converse: JSON by output schema where the model has it, by a strict tool or a tool where it has not."""

import json
from collections.abc import Mapping
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError, ParamValidationError, ReadTimeoutError
from botocore.parsers import ResponseParserError

from sheaf.engine_settings import EngineSettings
from sheaf.errors import Permanent, ProviderDown
from sheaf.model_calls import provider_errors
from sheaf.model_calls.model_api import FormatRefused, Model, Reply, Request, Usage
from sheaf.outside.needs import AsksModels

WAITS = (15, 30, 60, 120, 240, 480)  # seconds that a client may wait: few, because each is a client of its own
STOPS: dict[str, str] = provider_errors.WORDS["bedrock_stops"]
TOOL = "fill_in"
CACHE: dict[str, Any] = {"cachePoint": {"type": "default"}}
REPLY_MAX = 4_000_000


class Engine(Model):
    """The configured model, which fails a document for good at its second try where the model itself failed."""

    dialects = ("json_schema", "strict_tool", "tool", "plain")  # the last two without the mark for the cache

    def __init__(self, world: AsksModels, settings: EngineSettings, tries: int) -> None:
        self.world = world
        self.settings = settings
        self.tries = tries
        self.name = f"bedrock/{settings.model}"
        self.endpoint = settings.model

    def send(self, request: Request, dialect: str, seconds: float) -> Reply:
        """One call. Raises what `faults` makes of the answer."""
        wait = max([each for each in WAITS if each <= seconds], default=WAITS[0])
        try:
            reply = self.world.patient("bedrock-runtime", wait).converse(**self.body(request, dialect))
        except ParamValidationError as error:
            raise FormatRefused("this SDK does not know it") from error
        except ClientError as error:
            raise self._fault(error) from error
        except (BotoCoreError, ResponseParserError) as error:
            late = isinstance(error, ReadTimeoutError)
            raise ProviderDown("Bedrock did not answer in time, or cut the line.", timed_out=late) from error
        if "output" not in reply and "stopReason" not in reply:
            raise ProviderDown("What Bedrock sent is no reply.")
        return read(reply)

    def _fault(self, error: ClientError) -> Exception:
        said, reply = error.response["Error"], error.response.get("ResponseMetadata", {})
        code, status = said.get("Code", ""), reply.get("HTTPStatusCode", 0)
        if code == "ModelErrorException" and self.tries > 1:
            return Permanent("The model failed on this document, and this was not its first try.", "model_error")
        after = provider_errors.seconds(reply.get("HTTPHeaders", {}).get("retry-after"), self.world.now())
        return provider_errors.of_bedrock(code, status, said.get("Message", "")[: provider_errors.SAID_MAX], after)

    def body(self, request: Request, dialect: str) -> dict[str, Any]:
        """The request; the marks say up to where the provider may keep it for the next paper."""
        mark = [CACHE] if dialect in {"json_schema", "strict_tool"} else []
        writing = {"maxTokens": request.output_tokens, "temperature": request.temperature}
        fields: dict[str, Any] = {
            "modelId": self.settings.model,
            "system": [{"text": request.system}, *mark],
            "messages": [{"role": role, "content": [{"text": text}]} for role, text in request.turns],
            "inferenceConfig": {name: value for name, value in writing.items() if value is not None},
        }
        if dialect == "json_schema":
            schema = json.dumps(request.schema, sort_keys=True)
            structure = {"jsonSchema": {"schema": schema, "name": "form"}}
            fields["outputConfig"] = {"textFormat": {"type": "json_schema", "structure": structure}}
        elif dialect != "plain":
            spec = {"name": TOOL, "description": "Hand in the form.", "inputSchema": {"json": request.schema}}
            strict = {"strict": True} if dialect == "strict_tool" else {}
            fields["toolConfig"] = {"tools": [{"toolSpec": {**spec, **strict}}], "toolChoice": {"tool": {"name": TOOL}}}
        return {name: value for name, value in (fields | dict(self.settings.extra)).items() if value is not None}


def read(reply: Mapping[str, Any]) -> Reply:
    """The text of a reply, or what its one tool was given; any other tool's use is a model's fault."""
    stop = STOPS.get(reply.get("stopReason", "end_turn"), "malformed")
    blocks = ((reply.get("output") or {}).get("message") or {}).get("content") or []
    forms = [block["toolUse"] for block in blocks if "toolUse" in block]
    text = "".join(block.get("text", "") for block in blocks)
    if forms:
        text = json.dumps(forms[0].get("input"), ensure_ascii=False) if forms[0].get("name") == TOOL else ""
    if len(text) > REPLY_MAX:
        text, stop = "", "malformed"
    return Reply(text, stop, usage(reply.get("usage") or {}))


def usage(counted: Mapping[str, Any]) -> Usage:
    """Tokens in Converse's names: what was read from the cache is not in inputTokens."""
    names = ("inputTokens", "cacheReadInputTokens", "cacheWriteInputTokens", "outputTokens")
    return Usage(*(max(0, int(counted.get(name) or 0)) for name in names))
