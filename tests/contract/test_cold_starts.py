"""What a cold start pays for is what the function uses. Asked of fresh interpreters; pyproject.toml has the contracts of imports."""

import json
import os
import subprocess
import sys

import pytest

from tests.support.syntax import FUNCTIONS, PACKAGE

OFTEN = ["api", "worker", "aggregator", "intake"]
"""Those that somebody waits for."""
CODE = """
import gc, json, sys
gc.collect()
before = [each["collections"] for each in gc.get_stats()]
import {name}
after = [each["collections"] for each in gc.get_stats()]
print(json.dumps([before, after, gc.isenabled(), gc.get_freeze_count(), sorted(sys.modules)]))
"""


@pytest.fixture(scope="module", params=OFTEN)
def imported(request):
    """A function, and what a fresh interpreter says when it has imported it."""
    paths = [str(PACKAGE.parent), str(FUNCTIONS / request.param)]
    code = CODE.format(name=request.param)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    ended = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    return request.param, *json.loads(ended.stdout)


def test_nothing_is_collected_when_a_function_is_imported(imported):
    """Nor right after it: what was imported is set aside before the collector is back. Mutation caught: no `gc.freeze`."""
    _name, before, after, is_back, set_aside, _modules = imported
    assert after == before
    assert is_back
    assert set_aside > 10_000


def test_no_library_is_imported_when_the_function_does_not_use_it(imported):
    """Powertools' event handler is the API's; what reads PDFs, and the models' engines, are imported when they are needed."""
    name, *_, modules = imported
    others = {"aws_lambda_powertools.event_handler", "asyncio"} if name != "api" else set()
    late = {"pypdfium2", "sheaf.engines.openai", "sheaf.engines.bedrock", "sheaf.rules", "sheaf.papers.pdf"}
    assert not set(modules) & (others | late)
