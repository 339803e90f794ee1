"""A container engine while it is needed: the machine's own, or Debian's packages, unpacked and started here."""

import fcntl
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from local import LocalError, command
from local.command import Say
from local.settings import ROOT

PACKAGES = ("docker.io", "containerd", "runc", "tini", "iptables")
TOOLS = ("apt-get", "dpkg", "ip", "setpriv")
START_SECONDS = 120
STOP_SECONDS = 20
# One private engine at a time on a machine: they would share the bridge.
LOCK = Path("/run/lock/sheaf-engine")
BRIDGE = "docker0"
QUIET = ROOT / "local" / "image" / "daemon.json"  # no rules for a firewall, and nothing forwarded


def obstacle(environment: dict[str, str]) -> str | None:
    """Why no engine can be had here, or None."""
    if _answers(environment):
        return None
    lacking = [tool for tool in TOOLS if shutil.which(tool) is None]
    if os.geteuid() == 0 and not lacking:
        return None
    why = f"without {', '.join(lacking)}" if lacking else "by another user than root"
    return (
        "`sam local` needs a container engine. `docker info` finds none, and one from Debian's packages cannot be set "
        f"up {why}. Start Docker, or add BARE=1 for none: docs/sam-local.md."
    )


@contextmanager
def engine(cache: Path, environment: dict[str, str], say: Say) -> Iterator[dict[str, str]]:
    """The environment in which `docker` and `sam` find an engine. Raises LocalError."""
    if _answers(environment):
        yield dict(environment)
        return
    if reason := obstacle(environment):
        raise LocalError(reason)
    with LOCK.open("w") as lock:
        _alone(lock.fileno(), say)
        root = _unpacked(cache, say)
        path = os.pathsep.join((*(str(root / "usr" / name) for name in ("bin", "sbin")), environment["PATH"]))
        with _daemon(root, cache, {**environment, "PATH": path}) as socket:
            yield {**environment, "PATH": path, "DOCKER_HOST": f"unix://{socket}"}


def _answers(environment: dict[str, str]) -> bool:
    return command.output(["docker", "info", "--format", "{{.ServerVersion}}"], environment) is not None


def _alone(lock: int, say: Say) -> None:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        say("Waiting for another engine on this machine to end.")
        fcntl.flock(lock, fcntl.LOCK_EX)


def _unpacked(cache: Path, say: Say) -> Path:
    root, fresh = cache / "engine", cache / "engine.new"
    if root.exists():
        return root
    say("Fetching a container engine from Debian's packages (65 MB, about 10 s).")
    shutil.rmtree(fresh, ignore_errors=True)
    packages = fresh / "packages"
    packages.mkdir(parents=True)
    (packages / "lists").mkdir()
    # Package lists of our own: the machine's may be too old, or gone.
    own = ["apt-get", "-o", f"Dir::State::lists={packages / 'lists'}"]
    for words in ("update",), ("download", *PACKAGES):
        command.run([*own, *words], cache / "apt-get.log", cwd=packages)
    for package in sorted(packages.glob("*.deb")):
        subprocess.run(["dpkg", "-x", package.name, ".."], check=True, cwd=packages)
    shutil.rmtree(packages)
    # iptables is asked for its version even where it is to write nothing.
    for name in ("iptables", "ip6tables"):
        (fresh / "usr" / "sbin" / name).unlink(missing_ok=True)
        (fresh / "usr" / "sbin" / name).symlink_to("xtables-nft-multi")
    fresh.rename(root)
    return root


@contextmanager
def _daemon(root: Path, cache: Path, environment: dict[str, str]) -> Iterator[Path]:
    log, ours = cache / "engine.log", cache / "bridge"
    # A bridge of somebody else's stays; ours may have been left behind by an engine that was killed.
    if not Path("/sys/class/net", BRIDGE).exists():
        ours.touch()
    # Short, because sockets are made below it, and a socket's name may have 107 bytes.
    with tempfile.TemporaryDirectory(prefix="sheaf-", ignore_cleanup_errors=True) as run, log.open("w") as output:
        socket = Path(run) / "docker.sock"
        command = _command(root, cache.resolve(), Path(run))
        daemon = subprocess.Popen(command, env=environment, stdout=output, stderr=output)
        try:
            _wait(daemon, {**environment, "DOCKER_HOST": f"unix://{socket}"}, log)
            yield socket
        finally:
            daemon.terminate()
            try:
                daemon.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
            if ours.exists():
                subprocess.run(["ip", "link", "del", BRIDGE], check=False, capture_output=True)
                ours.unlink()


def _command(root: Path, cache: Path, run: Path) -> list[str]:
    return [
        # An engine whose starter was killed ends by itself.
        *("setpriv", "--pdeathsig", "TERM", "--"),
        str(root.resolve() / "usr" / "sbin" / "dockerd"),
        *("--data-root", str(cache / "images")),
        *("--exec-root", str(run / "run")),
        *("--pidfile", str(run / "pid")),
        *("--host", f"unix://{run / 'docker.sock'}"),
        *("--userland-proxy-path", str(root.resolve() / "usr" / "sbin" / "docker-proxy")),
        *("--config-file", str(QUIET)),
    ]


def _wait(daemon: subprocess.Popen[bytes], environment: dict[str, str], log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while not _answers(environment):
        if daemon.poll() is not None or time.monotonic() > deadline:
            raise LocalError(f"The container engine did not start. The end of {log}:\n{command.tail(log, 8)}")
        time.sleep(0.1)
