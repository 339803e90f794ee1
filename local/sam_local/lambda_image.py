"""AWS's Python runtime as a container image, made of this machine's own parts: no registry can be asked for it.

It has a shell, `/var/runtime/bootstrap`, which starts `awslambdaric`, `/var/task`, and a Python, the template's if possible.
"""

import hashlib
import json
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import NamedTuple

from local import LocalError, command, files, tools
from local.command import Say
from local.settings import ROOT

LOCK = ROOT / "requirements" / "containers.txt"
OWN = (ROOT / "local" / "image" / "bootstrap", ROOT / "local" / "sam_local" / "relay.py")
# `sam` runs mv and chmod when it puts the emulator of the runtime into the image, cp and rm for a second layer.
COMMANDS = ("sh", "mv", "chmod", "cp", "rm")
# What no function imports: three quarters of the files of a Python installation.
LEFT_OUT = shutil.ignore_patterns(
    *("test", "idlelib", "ensurepip", "tkinter", "turtledemo", "lib2to3", "site-packages", "dist-packages", "config-*"),
    *("*.a", "_tkinter*", "_test*", "_ctypes_test*", "xxlimited*"),
)
FOLDERS = ("opt", "tmp", "var/task", "etc", "bin", "var/runtime", "var/lang/bin")
CHANGES = ROOT / "local" / "image" / "changes"
ABOUT = """\
import json, os, sys, sysconfig
exact = getattr(sys, "_base_executable", None) or sys.executable
paths = {sysconfig.get_path(key, vars={"base": sys.base_prefix}) for key in ("stdlib", "platstdlib")}
print(json.dumps([sys.version, "%d.%d" % sys.version_info[:2], sys.base_prefix, os.path.realpath(exact), sorted(paths)]))
"""


class Interpreter(NamedTuple):
    version: str
    short: str
    prefix: Path
    executable: Path
    libraries: tuple[Path, ...]


def ensure(docker: dict[str, str], cache: Path, say: Say) -> str:
    """The image's name, in the engine that `docker` speaks to. Raises LocalError."""
    if platform.system() != "Linux":
        why = "and those have to be Linux's. See docs/sam-local.md."
        raise LocalError(f"The image is made of this machine's own parts, {why}")
    python = interpreter()
    made_of = f"{python.version} {python.executable} {files.fingerprint(ROOT, LOCK, *OWN, CHANGES, Path(__file__))}"
    name = f"localhost/lambda-python{python.short}:{hashlib.sha256(made_of.encode()).hexdigest()[:12]}"
    if command.output(["docker", "image", "inspect", name], docker) is not None:
        return name
    say(f"Making the image of Python {python.short} (about 15 s).")
    with tempfile.TemporaryDirectory(prefix="sheaf-") as made:
        _fill(Path(made, "root"), python, cache)
        packed = shutil.make_archive(str(Path(made, "image")), "tar", Path(made, "root"), owner="root", group="root")
        changes = [word for change in CHANGES.read_text().splitlines() for word in ("--change", change)]
        command.run(["docker", "import", *changes, packed, name], cache / "import.log", env=docker)
    return name


@cache
def interpreter() -> Interpreter:
    """The Python that the template asks AWS for, from the PATH or from pyenv, or else the one that runs this."""
    wanted, *_ = re.findall(r"^\s+Runtime: (python3\.\d+)$", (ROOT / "template.yaml").read_text(), re.MULTILINE)
    found = command.output(["pyenv", "prefix", wanted.removeprefix("python")]) if shutil.which("pyenv") else None
    pyenv = found and str(Path(found.strip()) / "bin" / wanted)
    candidates = filter(None, (shutil.which(wanted), pyenv, sys.executable))
    answer = next(filter(None, (command.output([each, "-I", "-c", ABOUT]) for each in candidates)))
    version, short, prefix, executable, libraries = json.loads(answer)
    return Interpreter(version, short, Path(prefix), Path(executable), tuple(map(Path, libraries)))


def _fill(root: Path, python: Interpreter, cache: Path) -> None:
    for name in FOLDERS:
        (root / name).mkdir(parents=True)
        (root / name).chmod(0o1777)
    (root / "etc" / "passwd").write_text("root:x:0:0::/root:/bin/sh\n")
    _fetch_client(root / "var" / "runtime", python, cache)
    for own in OWN:
        shutil.copy2(own, root / "var" / "runtime")
    commands = {name: Path(str(shutil.which(name))).resolve() for name in COMMANDS}
    for name, place in commands.items():
        shutil.copy2(place, root / "bin" / name)
    shutil.copy2(python.executable, root / "var" / "lang" / "bin" / "python3")
    for folder in python.libraries:
        there = root / "var" / "lang" / folder.relative_to(python.prefix)
        shutil.copytree(folder, there, symlinks=True, ignore=LEFT_OUT, dirs_exist_ok=True)
    for library in shared_libraries([python.executable, *commands.values(), *root.rglob("*.so")]):
        there = root / str(library).lstrip("/")
        there.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(library, there)


def _fetch_client(folder: Path, python: Interpreter, cache: Path) -> None:
    machine = platform.machine()
    platforms = (f"manylinux2014_{machine}", f"manylinux_2_28_{machine}", f"musllinux_1_2_{machine}")
    wanted = [word for name in platforms for word in ("--platform", name)]
    wanted += ["--implementation", "cp", "--python-version", python.short, "--target", str(folder), "-r", str(LOCK)]
    command.run(tools.pip("install", *tools.COMPILED, *wanted), cache / "pip.log", fetches=True)
    # Checked against nothing at import, as AWS's are: a cold start reads them and compiles no more.
    compiling = ("-m", "compileall", "-q", "--invalidation-mode", "unchecked-hash")
    command.output([str(python.executable), *compiling, str(folder)])


def shared_libraries(files: Iterable[Path]) -> list[Path]:
    listed = subprocess.run(["ldd", *map(str, files)], check=False, capture_output=True, text=True).stdout
    return [Path(place) for place in sorted(set(re.findall(r"(?:=> |^\s+)(/\S+) \(0x", listed, re.MULTILINE)))]
