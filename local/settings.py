"""The only reader of the environment here, so that nobody's AWS profile is ever used by accident."""

import os
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
HOME: Final = ROOT / ".sheaf"
REGION: Final = "us-east-1"
# MiniStack's own root. It is not a secret: the emulator listens on the loopback only.
CREDENTIALS: Final = {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test"}

# Functions on the emulator inherit its environment, so it gets no more than a process needs.
_KEPT = ("HOME", "LANG", "LC_ALL", "SHEAF_POOL", "SSL_CERT_FILE", "SSL_CERT_DIR", "TERM")
_DROPPED = ("AWS_", "PYTHON")
_NO_FILES = dict.fromkeys(("AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE"), os.devnull)
_NO_PROFILE = {**_NO_FILES, "AWS_EC2_METADATA_DISABLED": "true"}


def emulator_environment() -> dict[str, str]:
    """A small environment without anything of AWS, proxies or Python in it."""
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    return kept | {"PATH": _search_path(), "NO_PROXY": "127.0.0.1,localhost", **_NO_PROFILE, **CREDENTIALS}


def node_environment() -> dict[str, str]:
    return _inherited() | {"NO_UPDATE_NOTIFIER": "1"}


def tool_environment(endpoint: str, scratch: Path) -> dict[str, str]:
    """The environment in which `sam` reaches the emulator and nothing but the emulator."""
    return _inherited("AWS_CA_BUNDLE") | {
        "NO_PROXY": ",".join(filter(None, (os.environ.get("NO_PROXY", ""), "127.0.0.1,localhost"))),
        "AWS_ENDPOINT_URL": endpoint,
        "AWS_DEFAULT_REGION": REGION,
        "SAM_CLI_TELEMETRY": "0",
        "__SAM_CLI_APP_DIR": str(scratch),
        "TMPDIR": str(scratch),
        **_NO_PROFILE,
        **CREDENTIALS,
    }


def given(name: str) -> str:
    return os.environ.get(name, "")


def _inherited(*more: str) -> dict[str, str]:
    mine = {name: value for name, value in os.environ.items() if name in more or not name.startswith(_DROPPED)}
    return mine | {"PATH": _search_path()}


def _search_path() -> str:
    return os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)))
