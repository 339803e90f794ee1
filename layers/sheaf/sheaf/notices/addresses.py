"""Where a webhook may lead: by https to the public network. `is_global` is not enough: multicast is global."""

import json
from ipaddress import ip_address, ip_network
from pathlib import Path
from urllib.parse import urlsplit

from sheaf.errors import InvalidRequest
from sheaf.outside.wiring import World
from sheaf.settings import ApiSettings, NoticeSettings

HTTPS = 443
UNICAST = ip_network("2000::/3")  # of IPv6 nothing else is public, nor IPv4 in other words, mapped or translated
NOT_PUBLIC = [ip_network(each) for each in json.loads(Path(__file__).with_name("not_public.json").read_text("utf-8"))]


def reach(world: World[ApiSettings] | World[NoticeSettings], url: str) -> str:
    """The address to connect to, looked up now. Raises InvalidRequest for one that is not allowed, Unavailable."""
    host, port = place(url)
    found, walled = world.resolve(host, port), world.settings.webhook_wall == "public"
    if walled and port != HTTPS:
        raise InvalidRequest("url", f"names port {port}; only {HTTPS} is allowed.")
    if walled and not all(map(is_public, found)):
        raise InvalidRequest("url", "leads to an address that is not on the public network.")
    return found[0]


def place(url: str) -> tuple[str, int]:
    """The name and port of an https address. Raises InvalidRequest."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", HTTPS if parts.port is None else parts.port
    except ValueError:
        raise InvalidRequest("url", "is no address.") from None
    if parts.scheme != "https" or not host:
        raise InvalidRequest("url", "is not an https address.")
    if "@" in parts.netloc:
        raise InvalidRequest("url", "holds a name or a password; the signature says who sends.")
    return host, port


def is_public(address: str) -> bool:
    ip = ip_address(address)
    return (ip.version == 4 or ip in UNICAST) and ip.is_global and not any(ip in each for each in NOT_PUBLIC)  # noqa: PLR2004 - IP's own number
