"""`make attack`: run every attack and print what it took. Ends with 1 if any took something."""

import os
import sys
from importlib import import_module
from pkgutil import iter_modules

import tests.attacks

NAMES = sorted(module.name for module in iter_modules(tests.attacks.__path__) if not module.name.startswith("_"))


def main(wanted: list[str]) -> int:
    os.environ.update(AWS_ACCESS_KEY_ID="test", AWS_SECRET_ACCESS_KEY="test", AWS_DEFAULT_REGION="us-east-1")
    # What the product logs on the way would hide the answers.
    os.environ["POWERTOOLS_LOG_LEVEL"] = "CRITICAL"
    taken = 0
    for name in wanted or NAMES:
        got = import_module(f"tests.attacks.{name}").attack(walls=True)
        taken += len(got)
        print(f"{name}: {'; '.join(got) or 'nothing'}")
    return 1 if taken else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
