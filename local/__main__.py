"""`python -m local COMMAND`: what the Makefile calls. What else it is told stands in the environment, where make puts it."""

import argparse
import shutil
import sys
from collections.abc import Callable
from pkgutil import resolve_name

from local import LocalError, building, command, demo, stack, web
from local.command import say
from local.ministack import emulator
from local.settings import HOME, ROOT
from sheaf_client import profiles


def up() -> None:
    deployed = stack.deploy(say=say)
    say(f"Up, with the demo user filled in: {deployed.page}")
    say(f"API {deployed.api}   log {deployed.emulator.log.relative_to(ROOT)}")
    _tell_of_wall()


def build_page() -> None:
    say(f"The page is built: {web.build(say).relative_to(ROOT)}")


def fetch() -> None:
    building.wheels(ROOT / "layers", say)
    web.install(say)


def down() -> None:
    say("Stopped; the state is kept." if emulator.stop(HOME, patiently=True) else "Nothing was running.")


def clean() -> None:
    emulator.stop(HOME)
    for folder in (HOME, ROOT / ".aws-sam", web.SITE):
        shutil.rmtree(folder, ignore_errors=True)
    say("Removed the emulator's state and the build output.")


def token() -> None:
    if not emulator.running(HOME):
        raise LocalError("The stack is not up. Start it with `make up`.")
    sys.stdout.write(profiles.token(profiles.local(HOME / "local.json")) + "\n")


def run() -> None:
    demo.run(stack.deploy(say=say))
    _tell_of_wall()


def _tell_of_wall() -> None:
    from clinical.papers.read_paper import has_wall  # noqa: PLC0415 - which `make down` must not need

    if not has_wall():
        say("No wall can be put up here round the process that reads papers (SECURITY.md): upload such as you trust.")


# By its place is named what imports much: `make down` need not wait for it.
COMMANDS: dict[str, Callable[[], int | None] | str] = {
    **{each.__name__: each for each in (up, down, clean, token, run, fetch)},
    "web": build_page,
    "model": "local.model:change",
    "invoke": "local.sam_local.containers:ask",
    "deploy-settings": "local.deploy.target:show",
    "deploy-before": "local.deploy.smoke:check_build",
    "deploy-after": "local.deploy.smoke:after_or_back",
    "account": "local.deploy.aws_check:ask_account",
    "changes": "local.deploy.aws_check:ask_changes",
}


def main() -> int | None:
    parser = argparse.ArgumentParser(prog="python -m local", description=__doc__)
    parser.add_argument("command", choices=COMMANDS)
    verb = COMMANDS[parser.parse_args().command]
    ended: int | None = (resolve_name(verb) if isinstance(verb, str) else verb)()
    return ended


if __name__ == "__main__":
    command.end(main)
