"""A stranger whose file takes the reader over wants the intake's credentials, its memory, its next events, and to stay.

The wall is `sheaf.apart.wall`. It stands round the reader of every kind of file, and does not hang on who the user is.
"""

import json
import os
import subprocess
import sys

from sheaf.apart import wall
from tests.support.stack_file import ROOT

KINDS = ("pdf", "jats", "text")
# An interpreter in root's own folder is out of nobody's reach, so this nobody may look into folders; he may nothing else.
AS_NOBODY = [
    "setpriv",
    "--reuid=65534",
    "--regid=65534",
    "--clear-groups",
    "--no-new-privs",
    "--bounding-set=-all,+dac_read_search",
    "--inh-caps=-all,+dac_read_search",
    "--ambient-caps=-all,+dac_read_search",
]


def attack(walls):
    return [f"{taken} ({kind})" for kind in KINDS for taken in taken_by(kind, wall.REQUIRED if walls else wall.NONE)]


def taken_by(kind, walled, *, as_root=False):
    """What the payload gets in a file of this kind."""
    told = run("-m", "tests.attacks._victim", kind, walled, as_root=as_root)
    assert told.returncode == 0, told.stderr
    return json.loads(told.stdout)


def run(*words, as_root=False):
    """Python with a secret in its environment; as on Lambda it is nobody's, unless root's is asked for."""
    environment = {
        "AWS_SECRET_ACCESS_KEY": "the intake's secret",
        "PATH": os.environ["PATH"],
        "PYTHONPATH": f"{ROOT}:{ROOT / 'layers' / 'sheaf'}",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    user = AS_NOBODY if os.geteuid() == 0 and not as_root else []
    command = [*user, sys.executable, *words]
    return subprocess.run(command, env=environment, cwd="/", capture_output=True, text=True, check=False, timeout=60)
