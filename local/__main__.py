"""`python -m local up|down|clean|token|run|fetch|web|web-types`: what the Makefile calls."""

import argparse
import json
import shutil
import sys
from collections.abc import Callable

from local import LocalError, building, emulator, people, stack, web
from local.settings import HOME, ROOT


def up() -> None:
    deployed = stack.deploy(say=_say)
    _say(f"Up, with the demo user filled in: {deployed.page}")
    _say(f"API {deployed.api}   log {deployed.emulator.log.relative_to(ROOT)}")
    _tell_of_wall()


def build_page() -> None:
    _say(f"The page is built: {web.build(_say).relative_to(ROOT)}")


def fetch() -> None:
    """All that comes over a network, so that everything else goes without one."""
    building.wheels(ROOT / "layers", _say)
    web.install(_say)


def check_page() -> None:
    web.types()


def down() -> None:
    _say("Stopped; the state is kept." if emulator.stop(HOME, patiently=True) else "Nothing was running.")


def clean() -> None:
    emulator.stop(HOME)
    for folder in (HOME, ROOT / ".aws-sam", web.SITE):
        shutil.rmtree(folder, ignore_errors=True)
    _say("Removed the emulator's state and the build output.")


def token() -> None:
    places = HOME / "local.json"
    if not emulator.running(HOME) or not places.exists():
        message = "The stack is not up. Start it with `make up`."
        raise LocalError(message)
    sys.stdout.write(people.token(json.loads(places.read_text())) + "\n")


def run() -> None:
    from local import demo  # noqa: PLC0415 - needs `sheaf`, which `make down` must not

    demo.run(stack.deploy(say=_say), HOME)
    _tell_of_wall()


def _tell_of_wall() -> None:
    from sheaf.papers.isolation import has_wall  # noqa: PLC0415 - likewise

    if not has_wall():
        _say("No wall can be put up here round the process that reads papers (SECURITY.md): upload such as you trust.")


COMMANDS: dict[str, Callable[[], None]] = {
    "up": up,
    "down": down,
    "clean": clean,
    "token": token,
    "run": run,
    "fetch": fetch,
    "web": build_page,
    "web-types": check_page,
}


def _say(line: str) -> None:
    sys.stderr.write(line + "\n")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m local", description=__doc__)
    parser.add_argument("command", choices=COMMANDS)
    command = COMMANDS[parser.parse_args().command]
    try:
        command()
    except LocalError as trouble:
        _say(str(trouble))
        return 1
    except KeyboardInterrupt:
        _say("Interrupted. The stack stays up; `make down` stops it.")
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
