"""`make dashboard [MINUTES=5]`: the dashboard of the stack on this machine, drawn from a run: .sheaf/dashboard.html and .png.

The body and the alarms are read from the emulator's CloudWatch, where the deploy put them. Own metrics come out of the functions'
log lines. AWS's are derived: Lambda's from the REPORT lines, SQS's by asking the queues each second. Nothing else is drawn.
"""

import json
import re
import shutil
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

import boto3
import urllib3

from bench import drawing
from local.settings import CREDENTIALS, HOME, REGION, ROOT
from tests.support.evaluating import Point, embedded

STEP_MS = 10_000
TASK_EVERY_S, EXPORT_EVERY_S = 30, 40
CLOSING_S = 5
"""So that something is open when it is drawn."""
WIDE, HIGH, SCALE = 1368, 2040, 0.8
REPORT = re.compile(r"^REPORT RequestId: \S+\tDuration: ([\d.]+) ms")
TASKS = "/asl/extraction/tasks"
COUNTERS = ("ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible")


class Here:
    """The stack on this machine: its API as the demo user has it, its AWS as its owner."""

    def __init__(self) -> None:
        self.places = json.loads((HOME / "local.json").read_text())
        self.token = _local("token").strip()

    def aws(self, service: str) -> Any:
        keys = {name.lower(): value for name, value in CREDENTIALS.items()}
        return boto3.client(service, endpoint_url=self.places["endpoint"], region_name=REGION, **keys)  # type: ignore[call-overload]

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        answer = urllib3.request(method, self.places["api"] + path, headers=headers, json=body, timeout=60)
        assert answer.status < 300, answer.data  # noqa: PLR2004 - whatever is no success
        return answer.json()


def _local(command: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "local", command], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True
    )
    return done.stdout


def _work(here: Here, seconds: float) -> list[Point]:
    """The samples as task after task, a file now and then; the queues are looked at each second."""
    documents = _documents(here)
    looks, began = [], time.monotonic()
    tasks: list[str] = []
    exported = 0
    while (passed := time.monotonic() - began) < seconds + CLOSING_S:
        if passed >= len(tasks) * TASK_EVERY_S:
            opened = here.ask("POST", TASKS, {"templateId": "rct", "documentIds": documents})
            tasks.append(opened["taskId"])
        if passed < seconds and passed >= (exported + 1) * EXPORT_EVERY_S:
            here.ask(
                "POST",
                f"{TASKS}/{tasks[0]}/exports",
                {"format": ("csv", "jsonl", "xlsx", "csv-long")[exported % 4], "language": "en"},
            )
            exported += 1
        looks += _queues(here)
        time.sleep(1)
    return looks


def _documents(here: Here) -> list[str]:
    bases = here.ask("GET", "/pkb/knowledge-bases")["knowledgeBases"]
    found = [
        each
        for base in bases
        for each in here.ask("GET", f"/pkb/knowledge-bases/{base['knowledgeBaseId']}/documents")["documents"]
    ]
    return [each["documentId"] for each in found if each["status"] == "ready"]


def _queues(here: Here) -> list[Point]:
    sqs, now = here.aws("sqs"), int(time.time() * 1000)
    points = []
    for url in sqs.list_queues().get("QueueUrls", []):
        numbers = sqs.get_queue_attributes(QueueUrl=url, AttributeNames=list(COUNTERS))["Attributes"]
        by = frozenset({("QueueName", url.rpartition("/")[2])})
        for name, published in zip(COUNTERS, ("Visible", "NotVisible"), strict=True):
            points.append(Point(now, ("AWS/SQS", f"ApproximateNumberOfMessages{published}", by), float(numbers[name])))
    return points


def _seen(here: Here, began: int, looks: list[Point]) -> drawing.Run:
    """What the logs say of the run, and the queues said meanwhile."""
    logs, points = here.aws("logs"), list(looks)
    lines: dict[str, list[tuple[int, dict[str, Any]]]] = defaultdict(list)
    functions = {each["FunctionName"] for each in here.aws("lambda").list_functions()["Functions"]}
    for group in [each["logGroupName"] for each in logs.describe_log_groups()["logGroups"]]:
        part = group.rpartition("/")[2].removesuffix("Log")
        name = next((each for each in functions if f"-{part}Function-" in each), "")
        pages = logs.get_paginator("filter_log_events").paginate(logGroupName=group, startTime=began)
        for event in (event for page in pages for event in page["events"]):
            points += _lambda(name, event)
            line = _json(event["message"])
            lines[group].append((event["timestamp"], line))
            points += embedded(line, event["timestamp"])
    every: dict[Any, list[Point]] = defaultdict(list)
    for point in points:
        every[point.name].append(point)
    alarms = here.aws("cloudwatch").describe_alarms()["MetricAlarms"]
    return drawing.Run(every, lines, alarms, min(point.at for point in points), int(time.time() * 1000), STEP_MS)


def _lambda(name: str, event: dict[str, Any]) -> list[Point]:
    """An invocation for each REPORT line; an error for each traceback."""
    by, at, report = frozenset({("FunctionName", name)}), event["timestamp"], REPORT.match(event["message"])
    told = [("Invocations", 1.0), ("Duration", float(report[1])), ("Errors", 0.0)] if report else []
    told += [("Errors", 1.0)] if "Traceback (most recent call last)" in event["message"] else []
    return [Point(at, ("AWS/Lambda", metric, by), value) for metric, value in told]


def _json(message: str) -> dict[str, Any]:
    try:
        line = json.loads(message)
    except ValueError:
        return {}
    return line if isinstance(line, dict) else {}


def picture(file: Path) -> str:
    """The page as an image beside it. Gives what to say of it."""
    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if browser is None:
        return "No picture: Chromium is not there."
    image = file.with_suffix(".png")
    flags = (
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--hide-scrollbars",
        f"--window-size={WIDE},{HIGH}",
        f"--force-device-scale-factor={SCALE}",
    )
    subprocess.run([browser, *flags, f"--screenshot={image}", file.as_uri()], capture_output=True, check=True)
    return f"Picture: {image.relative_to(ROOT)}, {image.stat().st_size // 1000} kB."


def main() -> None:
    minutes = float(next((word.removeprefix("MINUTES=") for word in sys.argv[1:]), "") or 5)
    began = int(time.time() * 1000)
    _local("run")
    here = Here()
    looks = _work(here, 60 * minutes)
    run = _seen(here, began, looks)
    board = here.aws("cloudwatch")
    (entry,) = [
        each
        for each in board.list_dashboards()["DashboardEntries"]
        if each["DashboardName"].startswith(here.places["stack"])
    ]
    body = board.get_dashboard(DashboardName=entry["DashboardName"])["DashboardBody"]
    none = ", ".join(sorted(drawing.missing(body, run)))
    about = f"Drawn by make dashboard from {minutes:g} minutes on a laptop's stack; a point is {STEP_MS // 1000} s. Not there to draw: {none}."
    file = HOME / "dashboard.html"
    file.write_text(drawing.page(body, run, about))
    print(f"{about}\nPage: {file.relative_to(ROOT)}. {picture(file)}")


if __name__ == "__main__":
    main()
