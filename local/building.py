"""`sam build`, but only when something that goes into the build has changed."""

import hashlib
import json
import shutil
import subprocess
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from local import LocalError, web
from local.emulator import Say
from local.settings import ROOT, tool_environment

SAMCONFIG = ROOT / "samconfig.toml"


class SamError(LocalError):
    """`sam` failed; the message ends with what it printed last."""


def fingerprint(template: Path, say: Say) -> str:
    """One hash of everything that a build reads: the template, and the folders beside it, with the page as `web/` has it now."""
    if template.parent.resolve() == ROOT:
        web.build(say)
    total = hashlib.sha256()
    for path in (template, *_sources(template.parent)):
        total.update(f"{path.relative_to(template.parent)}\0".encode())
        total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


def build(template: Path, folder: Path, endpoint: str, say: Say) -> Path:
    """The built template of these sources, built now or before. Raises SamError."""
    built, record = folder / "build", folder / "build.json"
    wanted = {"sources": fingerprint(template, say)}
    if built.exists() and _read(record) == wanted:
        return built / "template.yaml"
    say("Building the functions and their layer (about 4 s).")
    shutil.rmtree(built, ignore_errors=True)
    source = template.resolve()
    where = ("--template-file", str(source), "--base-dir", str(source.parent), "--build-dir", str(built.resolve()))
    sam(("build", *where), folder, endpoint)
    record.write_text(json.dumps(wanted) + "\n")
    return built / "template.yaml"


def sam(arguments: Sequence[str], folder: Path, endpoint: str) -> None:
    """Run one sam command with the `local` configuration. Raises SamError."""
    log = folder / f"sam-{arguments[0]}.log"
    configuration = ("--config-file", str(SAMCONFIG), "--config-env", "local")
    scratch = folder.resolve() / "sam"
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir()
    # Checked just now: otherwise sam would ask PyPI for its newest version.
    (scratch / "metadata.json").write_text(json.dumps({"lastVersionCheck": time.time()}))
    with log.open("w") as output:
        ended = subprocess.run(
            ["sam", *arguments, *configuration],
            check=False,
            cwd=ROOT,
            env=tool_environment(endpoint, scratch),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    if ended.returncode:
        tail = "\n".join(log.read_text(errors="replace").splitlines()[-25:])
        message = f"`sam {arguments[0]}` failed ({log} has all of it):\n{tail}"
        raise SamError(message)


def _sources(root: Path) -> Iterator[Path]:
    for folder in ("functions", "layers"):
        for path in sorted((root / folder).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                yield path


def _read(record: Path) -> object:
    return json.loads(record.read_text()) if record.exists() else None
