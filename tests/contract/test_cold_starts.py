"""What a cold start pays for is what the function uses. Asked of fresh interpreters; pyproject.toml has the contracts of imports."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import stack_file
from tests.support.syntax import FUNCTIONS, PACKAGE

LAYER = PACKAGE.parent
UNCHECKED = 0b01
"""In bytecode's flags (PEP 552): known by a hash, which is not looked at."""

OFTEN = ["api", "worker", "aggregator", "intake"]
"""Those that somebody waits for."""
CODE = """
import gc, json, sys
collected = []
def look(phase, _about):
    # Compiling the function's own file comes before its first line, and may set the collector off.
    if phase == "start" and not {{"aws_lambda_powertools", "sheaf", "clinical"}}.isdisjoint(sys.modules):
        collected.append(len(sys.modules))
gc.callbacks.append(look)
import {name}
gc.callbacks.clear()
print(json.dumps([collected, gc.isenabled(), gc.get_freeze_count(), list(sys.modules)]))
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
    _name, collected, is_back, set_aside, _modules = imported
    assert not collected
    assert is_back
    assert set_aside > 10_000


def test_no_library_is_imported_when_the_function_does_not_use_it(imported):
    """Powertools' event handler is the API's; what reads PDFs, and the models' engines, are imported when they are needed."""
    name, *_, modules = imported
    others = {"aws_lambda_powertools.event_handler", "asyncio"} if name != "api" else {"asyncio.events"}
    late = {
        "pypdfium2",
        "sheaf.model_calls.openai",
        "sheaf.model_calls.bedrock",
        "clinical.rules",
        "clinical.papers.pdf.pdf_text",
    }
    assert not set(modules) & (others | late)


def test_a_module_that_was_put_off_is_there_when_somebody_needs_it():
    code = "import unread; unread.put_off('asyncio'); import asyncio; print(asyncio.run(asyncio.sleep(0, 'slept')))"
    environment = {**os.environ, "PYTHONPATH": str(FUNCTIONS / "api")}
    ended = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert ended.stdout == "slept\n"


def test_boto3_is_imported_in_the_midst_of_few_others_when_a_function_starts(imported):
    """CPython compiles its libraries' patterns 15 ms slower from deep within. Mutation caught: the import in `sheaf.outside` gone."""
    *_, modules = imported
    begun = [name for name in modules if name.split(".")[0] in {"pynamodb", "boto3"}]
    assert begun[0].startswith("boto3")


def built(folder: Path, runtime: str, dated: int = 0) -> dict[str, bytes]:
    """What the layer's makefile adds to a source of this date, with this Python as the runtime's."""
    source = folder / "python" / "sheaf" / "errors.py"
    source.parent.mkdir(parents=True)
    shutil.copy(PACKAGE / "errors.py", source)
    os.utime(source, (dated, dated))
    command = ["make", "-s", "-C", str(LAYER), "bytecode", f"ARTIFACTS_DIR={folder}", f"RUNTIME={runtime}"]
    subprocess.run(command, check=True)
    return {path.name: path.read_bytes() for path in source.parent.rglob("*.pyc")}


def test_the_layer_brings_the_same_bytecode_each_time_when_the_runtimes_python_is_there(tmp_path):
    """Another build of the same sources must be the same layer. Mutation caught: bytecode with the source's date in it."""
    first = built(tmp_path / "first", sys.executable)
    assert first == built(tmp_path / "second", sys.executable, dated=1_000_000)
    (bytecode,) = first.values()
    assert int.from_bytes(bytecode[4:8], "little") == UNCHECKED
    assert str(tmp_path).encode() not in bytecode


def test_the_layer_is_its_sources_alone_when_the_runtimes_python_is_not_there(tmp_path):
    assert built(tmp_path, "python3.0") == {}


def test_the_layer_is_built_for_the_python_that_the_template_asks_for():
    """A layer's bytecode for another one is ignored without a word."""
    asked = stack_file.load()["Globals"]["Function"]["Runtime"]
    makefile = (LAYER / "Makefile").read_text()
    assert f"RUNTIME ?= {asked}\n" in makefile
    assert set(re.findall(r"3\.\d+", makefile)) == {asked.removeprefix("python")}
