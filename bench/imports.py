"""What a cold start imports: each function against boto3 with the same clients, fresh interpreters, interleaved.

    python -m bench.imports

adds the two libraries that the package brings to the three functions of `make bench`.
"""

import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

from bench.report import Line, paired

PAIRS = 15

ROOT = Path(__file__).resolve().parents[1]
FUNCTIONS = ("api", "worker", "aggregator", "dead_letter")
PATHS = [str(ROOT / "layers/sheaf"), *(str(ROOT / "functions" / name) for name in FUNCTIONS)]
ENVIRONMENT = {
    **os.environ,
    "PYTHONPATH": os.pathsep.join(PATHS),
    "AWS_DEFAULT_REGION": "us-east-1",
    "AWS_ACCESS_KEY_ID": "test",
    "AWS_SECRET_ACCESS_KEY": "test",
}
BARE = "import boto3"
CLIENTS = "".join(f"; boto3.client('{service}')" for service in ("dynamodb", "sqs", "s3"))
OURS = "; from sheaf import wiring" + "".join(f"; wiring.client('{service}')" for service in ("dynamodb", "sqs", "s3"))
WORKER = f"import worker, sheaf.kinds.extract_paper{OURS}"
MEASURES = {
    "import.pynamodb_over_boto3": ("import boto3, pynamodb.models, pynamodb.attributes", BARE),
    "import.powertools_logger_over_boto3": ("import boto3, aws_lambda_powertools", BARE),
    "cold.worker": (f"import worker, sheaf.kinds.extract_paper{OURS}", BARE + CLIENTS),
    "cold.aggregator": (f"import aggregator{OURS}", BARE + CLIENTS),
    "cold.engine.openai": (f"import worker, sheaf.kinds.extract_paper, sheaf.engines.openai{OURS}", WORKER),
    "cold.engine.bedrock": (f"import worker, sheaf.kinds.extract_paper, sheaf.engines.bedrock{OURS}", WORKER),
    "cold.api": (f"import api{OURS}", BARE + CLIENTS),
}


def seconds(code: str) -> float:
    """One fresh interpreter running this."""
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], env=ENVIRONMENT, check=True)
    return time.perf_counter() - start


def measure(name: str, pairs: int = PAIRS) -> Line:
    """Ours and the bare import in turn, each in a fresh interpreter, the disk warm."""
    ours, bare = MEASURES[name]
    seconds(ours), seconds(bare)
    return paired([(seconds(ours), seconds(bare)) for _ in range(pairs)], "s")


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
