"""What a cold start imports: each function against boto3 with the same clients, fresh interpreters, interleaved.

    python -m bench.imports

adds the two libraries that the package brings to the three functions of `make bench`, and the first paper that a worker reads. Taken is the time that the
interpreter's process has the processor: importing waits for nothing, and the machine's other work does not count.
"""

import os
import resource
import statistics
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

from bench.report import Line, paired
from local.settings import HOME
from tests.support import stack_file

PAIRS = 15

ROOT = Path(__file__).resolve().parents[1]
FUNCTIONS = ("api", "worker", "aggregator")
PATHS = [str(ROOT / "layers/sheaf"), *(str(ROOT / "functions" / name) for name in FUNCTIONS)]
# With bytecode, as on AWS, wherever it is measured: what compiles its sources each time measures the compiler.
ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"},
    "PYTHONPYCACHEPREFIX": str(HOME / "pycache"),
    "PYTHONPATH": os.pathsep.join(PATHS),
    "AWS_DEFAULT_REGION": "us-east-1",
    "AWS_ACCESS_KEY_ID": "test",
    "AWS_SECRET_ACCESS_KEY": "test",
}
END = "; import os; os._exit(0)"
"""Lambda tears down no interpreter."""
BARE = "import boto3"
CLIENTS = "".join(f"; boto3.client('{service}')" for service in ("dynamodb", "sqs", "s3"))
OURS = "; from sheaf.outside import wiring" + "".join(
    f"; wiring.client('{service}')" for service in ("dynamodb", "sqs", "s3")
)
WORKER = f"import worker, clinical.extract_paper.work{OURS}"
RULES = "import clinical.engines.rules; from clinical import templates; templates.find('rct')"
"""What a worker's first paper imports and reads beside the kind's module; no pattern is compiled before there is a text."""
PAPER = (
    "from clinical import papers, rules; from pathlib import Path; "
    f"text = Path({str(ROOT / 'tests/data/joo-2015.txt')!r}).read_text(); "
    "rules.answer(papers.Paper('text', (papers.Page(1, text),)), [*rules.RULES])"
)
"""The first paper, with the patterns that are compiled for it."""
MEASURES = {
    "import.pynamodb_over_boto3": ("import boto3, pynamodb.models, pynamodb.attributes", BARE),
    "import.powertools_logger_over_boto3": ("import boto3, aws_lambda_powertools", BARE),
    "cold.worker": (f"{WORKER}; {RULES}", BARE + CLIENTS),
    "cold.aggregator": (f"import aggregator{OURS}", BARE + CLIENTS),
    "cold.engine.openai": (
        f"import worker, clinical.extract_paper.work, clinical.engines.asking, sheaf.model_calls.openai{OURS}",
        WORKER,
    ),
    "cold.engine.bedrock": (
        f"import worker, clinical.extract_paper.work, clinical.engines.asking, sheaf.model_calls.bedrock{OURS}",
        WORKER,
    ),
    "cold.api": (f"import api{OURS}", BARE + CLIENTS),
    "cold.first_paper": (f"{WORKER}; {RULES}; {PAPER}", f"{WORKER}; {RULES}"),
}


MEMORY = {"cold.worker": "ExtractPaperMemoryMb", "cold.aggregator": "AggregatorMemoryMb", "cold.api": "ApiMemoryMb"}
CORE_MB = 1_769
"""Memory with which a function has one core. Its seconds on AWS are arithmetic: this processor's time over its share of a core."""


def seconds(code: str) -> float:
    """Processor time of one fresh interpreter running this."""
    before = _children()
    subprocess.run([sys.executable, "-c", code + END], env=ENVIRONMENT, check=True)
    return _children() - before


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measure(name: str, pairs: int = PAIRS) -> Line:
    """Ours and the bare import in turn, each in a fresh interpreter, the disk warm."""
    ours, bare = MEASURES[name]
    seconds(ours), seconds(bare)
    line = paired([(seconds(ours), seconds(bare)) for _ in range(pairs)], "s")
    if name not in MEMORY:
        return line
    share = stack_file.parameters(stack_file.load())[MEMORY[name]] / CORE_MB
    return replace(line, more=line.more | {"core_on_aws": share, "seconds_on_aws": line.value / share})


def engine() -> Line:
    """Milliseconds that an engine's module adds to the worker's import: the slower of the two."""
    added = {}
    for name in ("openai", "bedrock"):
        ours, bare = MEASURES[f"cold.engine.{name}"]
        seconds(ours), seconds(bare)
        added[name] = statistics.median(1000 * (seconds(ours) - seconds(bare)) for _ in range(PAIRS))
    return Line(max(added.values()), "ms", more=added)


if __name__ == "__main__":
    for each in MEASURES:
        print(measure(each).shown(each, ok=True), flush=True)
