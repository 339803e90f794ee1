"""`python -m local.deploy STEP`: what `make deploy` and `make aws-check` call before `sam` and after."""

import argparse

from local import command
from local.deploy import aws_check, smoke, target

STEPS = {
    "settings": target.show,
    "before": smoke.check_build,
    "after": smoke.after_or_back,
    "account": aws_check.ask_account,
    "changes": aws_check.ask_changes,
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m local.deploy", description=__doc__)
    parser.add_argument("step", choices=STEPS)
    parser.add_argument("--config-env", default="default", help="of samconfig.toml: says which stack")
    asked = parser.parse_args()
    STEPS[asked.step](target.find(asked.config_env))


if __name__ == "__main__":
    command.end(main)
