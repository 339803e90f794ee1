"""`sam build`, but only when something that goes into the build has changed."""

import json
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from local import command, files, tools, web
from local.command import Say
from local.settings import ROOT, tool_environment

SAMCONFIG = ROOT / "samconfig.toml"
WHEELS = Path(sys.prefix) / "wheels"
PLATFORMS = (
    ("sheaf", "any", "--implementation", "py", "--abi", "none"),
    ("tables", "any", "--implementation", "py", "--abi", "none"),
    ("papers", "manylinux2014_x86_64"),
    ("papers", "manylinux2014_aarch64"),
    ("sheets", "manylinux2014_x86_64"),
    ("sheets", "manylinux2014_aarch64"),
)  # for which each layer's Makefile installs its packages


def fingerprint(template: Path, say: Say) -> str:
    """One hash of everything that a build reads: the template, and the folders beside it, with the page as `web/` has it now."""
    folder = template.parent
    if folder.resolve() == ROOT:
        web.build(say)
    return files.fingerprint(folder, template, folder / "functions", folder / "layers")


def build(template: Path, folder: Path, endpoint: str, say: Say) -> Path:
    """The built template of these sources, built now or before. Raises LocalError."""
    built, record = folder / "build", folder / "build.json"
    wanted = {"sources": fingerprint(template, say)}
    if built.exists() and files.read(record) == wanted:
        return built / "template.yaml"
    found = wheels(template.parent / "layers", say)
    say("Building the functions and their layer (about 4 s).")
    shutil.rmtree(built, ignore_errors=True)
    source = template.resolve()
    where = ("--template-file", str(source), "--base-dir", str(source.parent), "--build-dir", str(built.resolve()))
    sam(("build", *where), folder, endpoint, {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(found)})
    record.write_text(json.dumps(wanted) + "\n")
    return built / "template.yaml"


def wheels(layers: Path, say: Say) -> Path:
    """The layers' packages, fetched now or before, so that a build needs no network. Raises LocalError."""
    locks = {name: layers / name / "requirements.txt" for name, *_ in PLATFORMS}
    found = WHEELS / files.fingerprint(layers, *locks.values())[:16]
    if found.exists():
        return found
    say("Fetching the layers' packages (about 5 s).")
    WHEELS.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=WHEELS) as made:
        for name, *platform in PLATFORMS:
            wanted = ("--python-version", "3.13", "--platform", *platform, "--dest", made, "-r", str(locks[name]))
            command.run(tools.pip("download", *tools.COMPILED, *wanted), WHEELS / "pip.log", fetches=True)
        # Another process may have been quicker: then its folder is as good.
        with suppress(OSError):
            Path(made).rename(found)
        Path(made).mkdir(exist_ok=True)
    found.chmod(0o755)
    return found


def sam(arguments: Sequence[str], folder: Path, endpoint: str, more: dict[str, str] | None = None) -> None:
    """Run one sam command with the `local` configuration. Raises LocalError."""
    environment = tool_environment(endpoint, scratch(folder.resolve() / "sam")) | dict(more or {})
    configuration = ("--config-file", str(SAMCONFIG), "--config-env", "local")
    command.run(["sam", *arguments, *configuration], folder / f"sam-{arguments[0]}.log", cwd=ROOT, env=environment)


def scratch(folder: Path) -> Path:
    """A fresh folder for what `sam` keeps for itself: asked just now, or it would ask PyPI for its newest version."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    (folder / "metadata.json").write_text(json.dumps({"lastVersionCheck": time.time()}))
    return folder
