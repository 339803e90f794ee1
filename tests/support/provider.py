"""A model's provider that does what a test tells it: a real HTTP server on this machine, in OpenAI's and in Converse's shape.

`acts` are played one a call, the last one from then on; `replies` says what a model that was asked for a form answers.
"""

import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

USAGE = {"input": 1_000, "cached": 400, "output": 200}
"""What each call says that it used: 1,000 tokens in, of which 400 came from the cache, and 200 out."""
Form = dict[str, Any]


class Raw(str):
    """Words of a model that are sent as they are: a whole answer, or a value where JSON would have put them in quotes."""

    __slots__ = ()


def written(form: Form | Raw) -> str:
    """What the model writes."""
    if isinstance(form, Raw):
        return form
    told = json.dumps(form, ensure_ascii=False)
    for answer in form.values():
        for raw in (part for part in answer.values() if isinstance(part, Raw)):
            told = told.replace(json.dumps(raw), raw)
    return told


@dataclass
class Call:
    """One request as it came."""

    path: str
    body: dict[str, Any]
    headers: dict[str, str]

    @property
    def is_converse(self) -> bool:
        return self.path.endswith("/converse")

    @property
    def system(self) -> str:
        if self.is_converse:
            return str(self.body["system"][0]["text"])
        return str(self.body["messages"][0]["content"])

    @property
    def turns(self) -> list[str]:
        """What was said after the instructions."""
        if self.is_converse:
            return [message["content"][0]["text"] for message in self.body["messages"]]
        return [message["content"] for message in self.body["messages"][1:]]

    @property
    def empty_form(self) -> Form:
        """The form with nothing reported, as the instructions show it."""
        form: Form = json.loads(self.system.rpartition("\n")[2])
        return form


def nothing(call: Call) -> Form:
    """A model that finds nothing."""
    return call.empty_form


def reporting(**facts: tuple[Any, str, int]) -> Callable[[Call], Form]:
    """A model that reports these values, each with its quote and page, of the fields that it is asked for."""

    def reply(call: Call) -> Form:
        form = call.empty_form
        for name, (value, quote, page) in facts.items():
            if name in form:
                form[name] = {"state": "found", "value": value, "quote": quote, "page": page}
        return form

    return reply


@dataclass
class Provider:
    """The server, what it does next, and what it was asked."""

    acts: list[str] = field(default_factory=lambda: ["ok"])
    replies: Callable[[Call], Form | Raw] = nothing
    choose: Callable[[Call], str] | None = None
    """The act for each call, where it is the question's."""
    shape: Callable[[dict[str, Any]], Any] = field(default=lambda told: told)
    """What a whole reply is made into before it is sent."""
    calls: list[Call] = field(default_factory=list)
    answered: int = 0
    url: str = ""
    lock: threading.Lock = field(default_factory=threading.Lock)

    def play(self, *acts: str) -> None:
        """From now on."""
        self.acts = list(acts)

    def next_act(self, call: Call) -> str:
        with self.lock:
            self.calls.append(call)
            if self.choose:
                return self.choose(call)
            return self.acts.pop(0) if len(self.acts) > 1 else self.acts[0]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    provider: Provider

    def log_message(self, *_: Any) -> None:
        """Not on the terminal."""

    def do_POST(self) -> None:
        content = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        headers = {name.lower(): value for name, value in self.headers.items()}
        call = Call(self.path, json.loads(content), headers)
        name, _, argument = self.provider.next_act(call).partition(":")
        getattr(self, f"act_{name}")(call, argument)

    # ------------------------------------------------------------------ answers

    def act_ok(self, call: Call, _: str) -> None:
        self._form(call, written(self.provider.replies(call)))

    def act_fenced(self, call: Call, _: str) -> None:
        self._form(call, f"```json\n{written(self.provider.replies(call))}\n```")

    def act_says(self, call: Call, text: str) -> None:
        self._form(call, text)

    def _answer(self, call: Call) -> Form:
        """To be changed before it is sent."""
        told = self.provider.replies(call)
        assert isinstance(told, dict)
        return dict(told)

    def act_blank(self, call: Call, _: str) -> None:
        self._form(call, "   \n  ")

    def act_missing(self, call: Call, name: str) -> None:
        """A form without one of its fields."""
        form = self._answer(call)
        form.pop(name or next(iter(form)))
        self._form(call, json.dumps(form))

    def act_more(self, call: Call, _: str) -> None:
        """A form with a field that nobody asked for."""
        self._form(call, json.dumps({**self._answer(call), "admin_notes": {"state": "found"}}))

    def act_cut(self, call: Call, at: str) -> None:
        """The first so many characters, and no word of its having been cut."""
        self._form(call, written(self.provider.replies(call))[: int(at)])

    def act_truncated(self, call: Call, _: str) -> None:
        stop = "max_tokens" if call.is_converse else "length"
        self._form(call, written(self.provider.replies(call))[:200], stop)

    def act_long(self, call: Call, most: str) -> None:
        """Truncated whenever more fields than this are asked for."""
        if len(call.empty_form) > int(most):
            self.act_truncated(call, "")
        else:
            self.act_ok(call, "")

    def act_stop(self, call: Call, reason: str) -> None:
        self._form(call, "", reason)

    def act_status(self, call: Call, told: str) -> None:
        """status:429:7:{body} - the status, Retry-After if any, and the body."""
        status, _, rest = told.partition(":")
        after, _, body = rest.partition(":")
        self._send(int(status), body or "{}", {"Retry-After": after} if after else {})

    def act_error(self, call: Call, told: str) -> None:
        """error:ThrottlingException:429:message - as AWS says it."""
        code, _, rest = told.partition(":")
        status, _, message = rest.partition(":")
        self._send(int(status or 400), json.dumps({"message": message}), {"x-amzn-ErrorType": code})

    def act_fits(self, call: Call, most: str) -> None:
        """A window of so many characters of paper; both say in their own words that it is not wide enough."""
        if len(call.turns[0]) <= int(most):
            self.act_ok(call, "")
        elif call.is_converse:
            self.act_error(call, "ValidationException:400:Input is too long for requested model.")
        else:
            self.act_status(call, '400::{"error": {"code": "context_length_exceeded", "message": "Too long."}}')

    def act_no_schema(self, call: Call, status: str) -> None:
        """An endpoint that knows only the plainest way of asking for JSON."""
        if call.is_converse:
            plain = "outputConfig" not in call.body and "toolConfig" not in call.body
            refusal = json.dumps({"message": "The field outputConfig or toolConfig is not supported"})
            kind = {"x-amzn-ErrorType": "ValidationException"}
        else:
            plain = call.body["response_format"]["type"] == "json_object"
            refusal, kind = '{"error": {"message": "This response_format type is unavailable now"}}', {}
        if plain:
            self.act_ok(call, "")
        else:
            self._send(int(status or 400), refusal, kind)

    def act_slow(self, call: Call, seconds: str) -> None:
        time.sleep(float(seconds))
        self.act_ok(call, "")

    def act_hang(self, _call: Call, seconds: str) -> None:
        """No answer, and the line cut in the end."""
        time.sleep(float(seconds or 5))
        self.close_connection = True

    def act_reset(self, _call: Call, _: str) -> None:
        self.close_connection = True
        self.connection.close()

    def act_half(self, _call: Call, _: str) -> None:
        """A body that ends before its length."""
        self.send_response(200)
        self.send_header("Content-Length", "1000")
        self.end_headers()
        self.wfile.write(b'{"choices": [')
        self.close_connection = True

    def act_lines(self, call: Call, told: str) -> None:
        """lines:3:0.1 - so many empty lines while the request is queued, as DeepSeek sends them, and then the reply.

        lines:3:0.1:nothing - or no reply, as when it was not begun within ten minutes.
        """
        count, _, rest = told.partition(":")
        pause, _, nothing = rest.partition(":")
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Connection", "close")
        self.end_headers()
        for _ in range(int(count)):
            self.wfile.write(b"\n")
            time.sleep(float(pause or 0))
        if not nothing:
            self.wfile.write(self._shaped(call, written(self.provider.replies(call)), None).encode())
        self.close_connection = True

    def act_huge(self, call: Call, megabytes: str) -> None:
        self._form(call, "x" * int(float(megabytes or 10) * 1_000_000))

    def act_tool(self, call: Call, name: str) -> None:
        """A model that uses a tool it was not given."""
        use = {"toolUse": {"toolUseId": "t", "name": name, "input": {"url": "http://example.org"}}}
        message = {"message": {"role": "assistant", "content": [use]}}
        usage = {"inputTokens": 1, "outputTokens": 1, "totalTokens": 2}
        self._send(200, json.dumps({"output": message, "stopReason": "tool_use", "usage": usage}))

    # ------------------------------------------------------------------ shapes

    def _form(self, call: Call, text: str, stop: str | None = None) -> None:
        self._send(200, self._shaped(call, text, stop))

    def _shaped(self, call: Call, text: str, stop: str | None) -> str:
        self.provider.answered += 1
        if call.is_converse:
            return json.dumps(self.provider.shape(_converse(call, text, stop)))
        message = {"role": "assistant", "content": text}
        choice = {"index": 0, "message": message, "finish_reason": stop or "stop"}
        usage = {
            "prompt_tokens": USAGE["input"],
            "completion_tokens": USAGE["output"],
            "prompt_cache_hit_tokens": USAGE["cached"],
        }
        told = {"id": "c", "object": "chat.completion", "choices": [choice], "usage": usage}
        return json.dumps(self.provider.shape(told))

    def _send(self, status: int, body: str, headers: dict[str, str] | None = None) -> None:
        content = body.encode()
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


def _converse(call: Call, text: str, stop: str | None) -> dict[str, Any]:
    """Text, or the tool's input where the form was asked for by a tool."""
    content: list[dict[str, Any]] = [{"text": text}]
    tools = call.body.get("toolConfig", {}).get("tools")
    if tools and re.match(r"\s*{", text) and stop is None:
        try:
            name = tools[0]["toolSpec"]["name"]
            content = [{"toolUse": {"toolUseId": "t", "name": name, "input": json.loads(text)}}]
        except ValueError:
            pass
    usage = {
        "inputTokens": USAGE["input"] - USAGE["cached"],
        "cacheReadInputTokens": USAGE["cached"],
        "outputTokens": USAGE["output"],
        "totalTokens": USAGE["input"] + USAGE["output"],
    }
    message = {"role": "assistant", "content": content}
    return {
        "output": {"message": message},
        "stopReason": stop or "end_turn",
        "usage": usage,
        "metrics": {"latencyMs": 1},
    }


@contextmanager
def serving() -> Iterator[Provider]:
    """A provider at an address of its own, on this machine only."""
    provider = Provider()
    handler = type("Handler", (_Handler,), {"provider": provider})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    provider.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield provider
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
