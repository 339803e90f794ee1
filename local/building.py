"""`sam build`, but only when something that goes into the build has changed."""

import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from local import LocalError, tools, web
from local.emulator import Say
from local.settings import ROOT, tool_environment

SAMCONFIG = ROOT / "samconfig.toml"
WHEELS = Path(sys.prefix) / "wheels"
PLATFORMS = {
    "sheaf": (("any", "--implementation", "py", "--abi", "none"),),
    "papers": (("manylinux2014_x86_64",), ("manylinux2014_aarch64",)),
}
"""For which each layer's Makefile installs its packages."""


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
    found = wheels(template.parent / "layers", say)
    say("Building the functions and their layer (about 4 s).")
    shutil.rmtree(built, ignore_errors=True)
    source = template.resolve()
    where = ("--template-file", str(source), "--base-dir", str(source.parent), "--build-dir", str(built.resolve()))
    sam(("build", *where), folder, endpoint, {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(found)})
    record.write_text(json.dumps(wanted) + "\n")
    return built / "template.yaml"


def wheels(layers: Path, say: Say) -> Path:
    """The layers' packages, fetched now or before, so that a build needs no network. Raises SamError."""
    locks = {name: layers / name / "requirements.txt" for name in PLATFORMS}
    found = WHEELS / hashlib.sha256(b"".join(lock.read_bytes() for lock in locks.values())).hexdigest()[:16]
    if found.exists():
        return found
    say("Fetching the layers' packages (about 5 s).")
    WHEELS.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=WHEELS) as made:
        for name, lock in locks.items():
            for platform in PLATFORMS[name]:
                _download(Path(made), lock, platform)
        # Another process may have been quicker: then its folder is as good.
        with suppress(OSError):
            Path(made).rename(found)
        Path(made).mkdir(exist_ok=True)
    found.chmod(0o755)
    return found


def _download(folder: Path, lock: Path, platform: Sequence[str]) -> None:
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    command += ["--require-hashes", "--only-binary=:all:", "--python-version", "3.13", "--platform", *platform]
    ended = subprocess.run(
        [*command, "--dest", str(folder), "-r", str(lock)], check=False, capture_output=True, text=True
    )
    if ended.returncode:
        raise SamError(tools.why(ended.stderr) or f"The layers' packages could not be fetched:\n{ended.stderr[-2000:]}")


def sam(arguments: Sequence[str], folder: Path, endpoint: str, more: dict[str, str] | None = None) -> None:
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
            env=tool_environment(endpoint, scratch) | dict(more or {}),
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
