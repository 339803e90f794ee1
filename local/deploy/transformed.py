"""The template after SAM's transform, as CloudFormation gets it: cfn-lint sees nothing of what SAM makes until then."""

import json
import sys
from pathlib import Path

from cfnlint.decode import decode
from cfnlint.template.transforms._sam import Transform

from local import LocalError
from local.settings import REGION, ROOT


def text(path: Path) -> str:
    """As JSON, by cfn-lint's own transformer, which knows SAM's managed policies. Raises LocalError."""
    source, wrong = decode(str(path))
    made = Transform(str(path), source, REGION)
    wrong = wrong or made.transform_template()
    if wrong:
        raise LocalError("\n".join(str(match) for match in wrong))
    return json.dumps(made.template(), indent=1)


if __name__ == "__main__":
    sys.stdout.write(text(ROOT / "template.yaml"))
