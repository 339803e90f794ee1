"""The locked tools, installed into .venv: what `make setup` runs. Standard library only, because nothing else is there yet."""

import os
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COMPILED = ("--no-deps", "--only-binary=:all:")  # wheels alone, for a machine or a Python that need not be this one
LOCKS = ROOT / "requirements"
OFFLINE = re.compile(
    r"establish a new connection|dns error|name resolution|not known|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENETUNREACH"
    r"|ETIMEDOUT|timed out|network is unreachable|error trying to connect|tcp connect error",
    re.IGNORECASE,
)
CERTIFICATE = re.compile(r"certificate|CERT_|UnknownIssuer", re.IGNORECASE)

Run = Callable[[Sequence[str], dict[str, str]], str | None]


def pip(verb: str, *more: str) -> list[str]:
    return [sys.executable, "-m", "pip", verb, "--quiet", "--disable-pip-version-check", "--require-hashes", *more]


def install(run: Run) -> str | None:
    """Install all that the locks name; None, or in words why not. `run` gives None too, or what a command printed."""
    printed = run(pip("install", "-r", str(LOCKS / "uv.txt")), {})
    if printed and why(printed):
        return why(printed)
    uv = (str(Path(sys.executable).with_name("uv")), "pip", "sync", "--quiet", "--python", sys.executable)
    with_uv = [*uv, "--require-hashes", str(LOCKS / "dev.txt")]
    with_pip = pip("install", "--no-deps", "-r", str(LOCKS / "dev.txt"))
    # uv trusts a list of its own; behind a proxy that inspects, the system's knows more, and pip's settings too.
    ways = [(with_pip, {})] if printed else [(with_uv, {}), (with_uv, {"UV_SYSTEM_CERTS": "1"}), (with_pip, {})]
    for command, more in ways:
        printed = run(command, more)
        if printed is None:
            return None
    return why(printed or "") or printed


def why(printed: str) -> str | None:
    """In words for people, where what a tool printed is of the network; else None."""
    # Certificates first: who does not trust one says as well that the connection came to nothing.
    if CERTIFICATE.search(printed):
        return (
            "A certificate was not accepted, as behind a proxy that inspects. Put the proxy's own into your system's store, "
            "or set SSL_CERT_FILE, PIP_CERT and NODE_EXTRA_CA_CERTS to its file; then the same command again."
        )
    if OFFLINE.search(printed):
        return (
            "No network: the tools cannot be fetched. They are needed once; connect (HTTPS_PROXY where a proxy leads out, "
            "PIP_INDEX_URL and UV_INDEX_URL for a mirror), then the same command again."
        )
    return None


def _run(words: Sequence[str], more: dict[str, str]) -> str | None:
    try:
        ended = subprocess.run(words, check=False, cwd=ROOT, env={**os.environ, **more}, capture_output=True, text=True)
    except OSError as trouble:
        return str(trouble)
    return None if ended.returncode == 0 else ended.stderr + ended.stdout


if __name__ == "__main__":
    sys.exit(install(_run))
