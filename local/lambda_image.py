"""AWS's Python runtime as a container image, made of this machine's own parts, because no registry can be asked for it.

What `sam local` needs of an image is little: a shell with a few commands, `/var/runtime/bootstrap`, which starts
`awslambdaric` (AWS's own runtime client), and `/var/task`. The rest is a Python with its shared libraries. It is the
template's Python where this machine has that one, and the one that runs this otherwise.
"""

import hashlib
import json
import platform
import re
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterable
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import IO

from local import LocalError
from local.emulator import Say
from local.settings import ROOT

LOCK = ROOT / "requirements" / "containers.txt"
OWN = (ROOT / "local" / "image" / "bootstrap", ROOT / "local" / "relay.py")
# `sam` runs mv and chmod when it puts the emulator of the runtime into the image, cp and rm for a second layer.
COMMANDS = ("sh", "mv", "chmod", "cp", "rm")
LEFT_OUT = re.compile(r"^(test|idlelib|ensurepip|tkinter|turtledemo|lib2to3|site-packages|dist-packages|config-.*)$")
UNUSED = re.compile(r"^(_tkinter|_test|_ctypes_test|xxlimited)")
FOLDERS = ("opt", "tmp", "var/task", "etc")
CHANGES = (
    "ENV PATH=/var/lang/bin:/bin LANG=en_US.UTF-8 TZ=:UTC",
    "ENV LAMBDA_TASK_ROOT=/var/task LAMBDA_RUNTIME_DIR=/var/runtime",
    "WORKDIR /var/task",
)
ABOUT = """\
import json, os, sys, sysconfig
exact = getattr(sys, "_base_executable", None) or sys.executable
paths = {key: sysconfig.get_path(key, vars={"base": sys.base_prefix}) for key in ("stdlib", "platstdlib")}
print(json.dumps({"version": sys.version, "short": "%d.%d" % sys.version_info[:2], "prefix": sys.base_prefix,
                  "executable": os.path.realpath(exact), **paths}))
"""


class ImageError(LocalError):
    """The image could not be made; the message says what was missing."""


@dataclass(frozen=True)
class Interpreter:
    """A Python of this machine: where it is and what belongs to it."""

    version: str
    short: str
    prefix: Path
    executable: Path
    libraries: tuple[Path, ...]


def ensure(docker: dict[str, str], cache: Path, say: Say) -> str:
    """The image's name, in the engine that `docker` speaks to. Raises ImageError."""
    if platform.system() != "Linux":
        message = "The image is made of this machine's own parts, and those have to be Linux's. See docs/sam-local.md."
        raise ImageError(message)
    python = interpreter(runtime(ROOT / "template.yaml"))
    name = f"localhost/lambda-python{python.short}:{_key(python)}"
    if _run(["docker", "image", "inspect", name], docker, check=False) is not None:
        return name
    say(f"Making the image of Python {python.short} (about 10 s).")
    client = packages(python, cache, say)
    command = ["docker", "import", *(word for change in CHANGES for word in ("--change", change)), "-", name]
    with subprocess.Popen(command, env=dict(docker), stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as importing:
        assert importing.stdin is not None
        _write(importing.stdin, python, client)
        importing.stdin.close()
    if importing.returncode:
        message = f"`docker import` failed with status {importing.returncode}."
        raise ImageError(message)
    return name


def runtime(template: Path) -> str:
    """The Python that the template asks AWS for, as in `python3.13`."""
    found = re.search(r"^\s+Runtime: (python3\.\d+)$", template.read_text(), re.MULTILINE)
    return found[1] if found else "python3"


def interpreter(wanted: str) -> Interpreter:
    """That Python, from the PATH or from pyenv, or else the one that runs this."""
    candidates = [shutil.which(wanted), *_from_pyenv(wanted), sys.executable]
    for candidate in filter(None, candidates):
        told = _output([candidate, "-I", "-c", ABOUT])
        if told:
            about = json.loads(told)
            libraries = tuple(sorted({Path(about["stdlib"]), Path(about["platstdlib"])}))
            return Interpreter(
                about["version"], about["short"], Path(about["prefix"]), Path(about["executable"]), libraries
            )
    message = f"No Python answers: {candidates}."
    raise ImageError(message)


def architecture() -> str:
    """The instruction set of this machine, as the template's parameter `Architecture` calls it."""
    return {"aarch64": "arm64", "arm64": "arm64"}.get(platform.machine(), "x86_64")


def _from_pyenv(wanted: str) -> list[str]:
    prefix = _output(["pyenv", "prefix", wanted.removeprefix("python")]) if shutil.which("pyenv") else None
    return [str(Path(prefix.strip()) / "bin" / wanted)] if prefix else []


def _key(python: Interpreter) -> str:
    """One hash of all that the image is made of."""
    total = hashlib.sha256(f"{python.version} {python.executable}".encode())
    for file in (LOCK, *OWN, Path(__file__)):
        total.update(file.read_bytes())
    return total.hexdigest()[:12]


def packages(python: Interpreter, cache: Path, say: Say) -> Path:
    """A folder with the runtime client and boto3, for that Python, compiled. Raises ImageError."""
    folder = cache / f"runtime-{_key(python)}"
    if (folder / "ready").exists():
        return folder
    say(f"Fetching AWS's runtime client for Python {python.short}.")
    for older in cache.glob("runtime-*"):
        shutil.rmtree(older, ignore_errors=True)
    machine = platform.machine()
    platforms = [f"manylinux2014_{machine}", f"manylinux_2_28_{machine}", f"musllinux_1_2_{machine}"]
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
    command += ["--require-hashes", "--only-binary=:all:", "--implementation", "cp", "--python-version", python.short]
    command += [word for name in platforms for word in ("--platform", name)]
    ended = subprocess.run(
        [*command, "--target", str(folder), "-r", str(LOCK)], check=False, capture_output=True, text=True
    )
    if ended.returncode:
        message = f"The packages of {LOCK.name} could not be installed:\n{ended.stderr[-2000:]}"
        raise ImageError(message)
    # Checked against nothing at import, as AWS's are: a cold start reads them and compiles no more.
    compiling = ["-m", "compileall", "-q", "--invalidation-mode", "unchecked-hash", str(folder)]
    _output([str(python.executable), *compiling])
    (folder / "ready").touch()
    return folder


def _write(out: IO[bytes], python: Interpreter, client: Path) -> None:
    """The image's files as one tar stream."""
    commands = _commands()
    with tarfile.open(fileobj=out, mode="w|") as tar:
        for name in FOLDERS:
            folder = tarfile.TarInfo(name)
            folder.type, folder.mode = tarfile.DIRTYPE, 0o1777
            tar.addfile(folder)
        _text(tar, "etc/passwd", "root:x:0:0::/root:/bin/sh\n")
        for place, name in _places(python, client, commands):
            tar.add(place, name, filter=_trimmed if place in python.libraries else _plain)
        for alias in ("python3", "python"):
            _link(tar, f"var/lang/bin/{alias}", f"python{python.short}")
        modules = [client, *(library / "lib-dynload" for library in python.libraries)]
        compiled = [file for folder in modules for file in folder.rglob("*.so")]
        used = (file for file in compiled if not UNUSED.match(file.name))
        for library in shared_libraries([python.executable, *commands.values(), *used]):
            tar.add(library.resolve(), str(library).lstrip("/"), filter=_plain)


def _places(python: Interpreter, client: Path, commands: dict[str, Path]) -> list[tuple[Path, str]]:
    """What goes where in the image."""
    return [
        (client, "var/runtime"),
        *((own, f"var/runtime/{own.name}") for own in OWN),
        (python.executable, f"var/lang/bin/python{python.short}"),
        *((library, f"var/lang/{library.relative_to(python.prefix)}") for library in python.libraries),
        *((place, f"bin/{name}") for name, place in commands.items()),
    ]


def shared_libraries(files: Iterable[Path]) -> list[Path]:
    """Every shared library that these programs and modules need, where the dynamic linker finds it."""
    told = subprocess.run(["ldd", *map(str, files)], check=False, capture_output=True, text=True).stdout
    return [Path(place) for place in sorted(set(re.findall(r"(?:=> |^\s+)(/\S+) \(0x", told, re.MULTILINE)))]


def _commands() -> dict[str, Path]:
    found = {name: shutil.which(name) for name in COMMANDS}
    missing = [name for name, place in found.items() if place is None]
    if missing:
        message = f"Not on the PATH, but needed in the image: {', '.join(missing)}."
        raise ImageError(message)
    return {name: Path(str(place)).resolve() for name, place in found.items()}


def _plain(info: tarfile.TarInfo) -> tarfile.TarInfo | None:
    info.uid = info.gid = 0
    info.uname = info.gname = ""
    return info


def _trimmed(info: tarfile.TarInfo) -> tarfile.TarInfo | None:
    """Without what no function imports: three quarters of the files of a Python installation."""
    path = Path(info.name)
    if LEFT_OUT.match(path.name) or UNUSED.match(path.name) or path.suffix == ".a":
        return None
    return _plain(info)


def _text(tar: tarfile.TarFile, name: str, content: str) -> None:
    info = tarfile.TarInfo(name)
    info.size = len(content.encode())
    tar.addfile(info, BytesIO(content.encode()))


def _link(tar: tarfile.TarFile, name: str, target: str) -> None:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = tarfile.SYMTYPE, target
    tar.addfile(info)


def _output(command: list[str]) -> str | None:
    return _run(command, None, check=False)


def _run(command: list[str], environment: dict[str, str] | None, *, check: bool) -> str | None:
    """What a command printed, or None where it failed or cannot be started."""
    try:
        ended = subprocess.run(
            command, check=check, capture_output=True, text=True, env=dict(environment) if environment else None
        )
    except OSError:
        return None
    return None if ended.returncode else ended.stdout
