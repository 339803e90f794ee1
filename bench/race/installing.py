"""The peers, from the registries into `.venv/race`: Python's and their servers by pip, pg-boss by the page's own npm."""

import hashlib
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from local import web
from local.settings import ROOT, node_environment

HERE = Path(__file__).parent
FOLDER = ROOT / ".venv" / "race"
PYTHON = FOLDER / "python" / "bin" / "python"
MODULES = FOLDER / "node"
NODE_HOME = web.node_home()
NODE = NODE_HOME / "bin" / "node"
NPM = NODE_HOME / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
PIP = ("-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes", "-r")


class NotInstalled(Exception):
    """A peer cannot be had on this machine: it is left out, and the table says so."""


def with_pip() -> None:
    """Celery, Dramatiq, procrastinate, Redis and PostgreSQL. Raises NotInstalled."""
    lock = HERE / "requirements.txt"
    if not _is_there(PYTHON.parents[1], lock):
        _run([sys.executable, "-m", "venv", "--clear", str(PYTHON.parents[1])])
        _run([str(PYTHON), *PIP, str(lock)])
        _stamp(PYTHON.parents[1], lock)


def with_npm() -> None:
    """pg-boss. Raises NotInstalled."""
    lock = HERE / "package-lock.json"
    if not _is_there(MODULES, lock):
        shutil.rmtree(MODULES, ignore_errors=True)
        MODULES.mkdir(parents=True)
        for name in ("package.json", lock.name):
            shutil.copy2(HERE / name, MODULES)
        _run([str(NODE), str(NPM), "ci", "--ignore-scripts", "--no-audit", "--no-fund"], cwd=MODULES)
        _stamp(MODULES, lock)


def program(name: str) -> Path:
    """A server's program, wherever its wheel has put it; of PostgreSQL's two, the newer."""
    found = sorted((FOLDER / "python" / "lib").rglob(f"bin/{name}"))
    if not found:
        raise NotInstalled(f"no {name} in the wheels for this machine")
    return found[-1]


def versions(packages: Sequence[str]) -> str:
    """As the locks have them."""
    locked = dict(re.findall(r"^([\w-]+)==(\S+)", (HERE / "requirements.txt").read_text(), re.MULTILINE))
    locked |= json.loads((HERE / "package.json").read_text())["dependencies"]
    return ", ".join(f"{name} {locked[name]}" for name in packages)


def _is_there(folder: Path, lock: Path) -> bool:
    stamp = folder / ".installed"
    return stamp.exists() and stamp.read_text() == _digest(lock)


def _stamp(folder: Path, lock: Path) -> None:
    (folder / ".installed").write_text(_digest(lock))


def _digest(lock: Path) -> str:
    return hashlib.sha256(lock.read_bytes()).hexdigest()


def _run(command: Sequence[str], cwd: Path = ROOT) -> None:
    ended = subprocess.run(command, check=False, cwd=cwd, env=node_environment(), capture_output=True, text=True)
    if ended.returncode:
        raise NotInstalled((ended.stderr or ended.stdout).strip()[-300:])
