"""What a deployment says of its model engines: read and checked at the cold start. Pure."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import Any, Literal, NamedTuple, TypeAlias
from urllib.parse import urlsplit

_NUMBERS = ("window_tokens", "output_tokens", "call_seconds", "calls_per_minute")
_READERS: dict[str, Any] = {"extra": json.loads, **dict.fromkeys(_NUMBERS, int)}
Asks: TypeAlias = Literal["form", "questions"]  # the whole form at once, or a field at a time, for a small model
PRICE = re.compile(r"\A\d++(\.\d++)?(/\d++(\.\d++)?){2}")


@dataclass(frozen=True)
class EngineSettings:
    """A model engine: where it is, what it may take at once, what it costs where the price file does not say."""

    name: str
    model: str
    url: str = ""
    key: str = ""  # the ARN of the secret or parameter that holds the key; never the key
    window_tokens: int = 128_000
    output_tokens: int = 8_192
    call_seconds: int = 120
    calls_per_minute: int = 0  # 0 for as many as there are workers
    asks: Asks = "form"
    price: str = ""  # dollars per million tokens: "in/cached/out"
    extra: Mapping[str, Any] = field(default_factory=dict)  # laid over the request's body; null takes a name out


class Engines(NamedTuple):
    """Which engines this deployment has beside the rules, and which one a task gets that names none."""

    default: str
    models: Mapping[str, EngineSettings]

    @property
    def names(self) -> list[str]:
        return ["rules", *self.models]

    @classmethod
    def read(cls, text: str) -> "Engines":
        """From lines of `engine.setting=value`: those that have a model, and the default. Raises ValueError."""
        said: dict[str, dict[str, str]] = {}
        for line in text.splitlines():
            name, _, value = line.partition("=")
            engine, _, setting = name.partition(".")
            said.setdefault(engine, {})[setting] = value
        default = said.pop("default", {}).get("", "")
        models = {name: _engine(name, given) for name, given in said.items() if given["model"]}
        engines = cls(default, models)
        if default not in engines.names:
            raise ValueError(f"the default engine {default} is not configured")
        return engines


def _engine(name: str, given: Mapping[str, str]) -> EngineSettings:
    read = {setting: _READERS.get(setting, str)(value) for setting, value in given.items()}
    engine = EngineSettings(name, **read)
    if "url" in given and not _is_safe(engine.url):
        raise ValueError(f"{name} needs an address, and one beyond this network has to be https")
    if engine.price and not PRICE.fullmatch(engine.price):
        raise ValueError(f"the price of {name} is not in/cached/out, in dollars for a million tokens")
    return engine


def _is_safe(url: str) -> bool:
    """Whether a key and papers may go there: by https, or in the clear to a neighbour. No password in the address."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        return False
    if not host or "@" in parts.netloc:
        return False
    return parts.scheme == "https" or (parts.scheme == "http" and is_near(host))


def is_near(host: str) -> bool:
    """Whether it is a neighbour in this network: a private address, or a name that no public DNS has."""
    try:
        return ip_address(host).is_private
    except ValueError:
        return "." not in host or host.endswith((".internal", ".local"))
