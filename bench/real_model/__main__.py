"""`make model-check`: twelve abstracts and five hostile papers read by a real model; with FULL=1 every abstract and sixty hostile ones.

FULL=1 DATA=<folder> adds the shared papers; RECORD=1 beside it writes down what was said, for the tests to say again.
"""

import os
import signal
import sys

from bench.real_model.measuring import measured


def main() -> int:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the stack goes too
    return int(measured(is_full=bool(os.environ.get("FULL")))["model.injection"]["value"] > 0)


if __name__ == "__main__":
    sys.exit(main())
