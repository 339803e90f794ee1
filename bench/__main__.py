"""`make bench`, `make bench ONLY=name`: every figure of docs/performance.md, a JSON line each; exit 1 where one is missed.

ONLY takes one name, several with commas, or the beginning of names ("close."). BIG_RUNS=1 takes the 10,000 once, not
five times. DATA=/path names the folder of shared papers that the rules are measured on; without it, the samples.
"""

import os
import signal
import sys
import traceback
from collections.abc import Callable, Iterator
from typing import Any

from bench import (
    closing,
    draining,
    exporting,
    fairness,
    idling,
    imports,
    layout,
    limiting,
    meaning,
    opening,
    page,
    questioning,
    quoting,
    reading,
    reviewing,
    rules_quality,
    rules_true,
    sheets,
    speed,
    submitting,
    writing,
)
from bench.place import remove_all
from bench.report import Judge, Line, ratio_at_most, value_at_least, value_at_most, value_is


def _storming() -> Any:
    """These measures need moto; the others do not wait for its import."""
    from bench import storming  # noqa: PLC0415

    return storming


def _model(name: str) -> Line:
    """And a gigabyte of a language model, and an hour."""
    from bench.real_model import measuring  # noqa: PLC0415

    told = dict(measuring.measured(is_full=True)[name])
    return Line(told.pop("value"), "", more=told)


def _is_right(line: Line) -> bool:
    return line.value >= RIGHT_MIN and line.more["wrong_and_found"] <= WRONG_MAX


def _virtual() -> Any:
    """And these stand in for the product's reads and writes."""
    from bench import lagging  # noqa: PLC0415

    return lagging


def _watching() -> Any:
    """And these."""
    from bench import watching  # noqa: PLC0415

    return watching


COLD_WORKER_MAX, COLD_AGGREGATOR_MAX, COLD_API_MAX = 1.25, 1.10, 1.20
GENUINE_MIN = 0.99
RIGHT_MIN, WRONG_MAX, REPLAYED_MIN = 0.75, 0.02, 200
IDLE_MAX, METRIC_BYTES_MAX = 300, 1_000
MEASURES: dict[str, tuple[Callable[[], Line], Judge]] = {
    "cold.worker": (lambda: imports.measure("cold.worker"), ratio_at_most(COLD_WORKER_MAX)),
    "cold.aggregator": (lambda: imports.measure("cold.aggregator"), ratio_at_most(COLD_AGGREGATOR_MAX)),
    "cold.api": (lambda: imports.measure("cold.api"), ratio_at_most(COLD_API_MAX)),
    "evidence.verified": (quoting.verified, value_is(wanted=1.0)),
    "evidence.planted": (quoting.planted, value_is(wanted=1.0)),
    "evidence.genuine": (quoting.genuine, value_at_least(GENUINE_MIN)),
    "evidence.semantic": (meaning.semantic, meaning.is_caught),
    "evidence.meaning": (meaning.meaning, meaning.is_accepted),
    "evidence.layout": (layout.layout, layout.is_whole),
    "row.wru": (writing.row, value_at_most(8)),
    "results.requests": (writing.requests, writing.are_few),
    "results.page": (reviewing.page, reviewing.page_is_small),
    "review.decide": (reviewing.decide, value_at_most(0.4)),
    "review.races": (reviewing.races, value_is(wanted=0)),
    "submit.requests_per_100": (submitting.requests_per_100, value_at_most(25)),
    "submit.overhead": (submitting.overhead, ratio_at_most(1.15)),
    "submit.100": (lambda: submitting.seconds(100), value_at_most(0.2)),
    "submit.1000": (lambda: submitting.seconds(1_000), value_at_most(0.5)),
    "submit.10000": (lambda: submitting.seconds(10_000), value_at_most(1.5)),
    "submit.100000": (lambda: submitting.by_reference(100_000), value_at_most(1)),
    "scatter.10000": (lambda: submitting.scattered(10_000), value_at_most(6)),
    "drain.overhead": (draining.overhead, ratio_at_most(1.08)),
    "work.calls_per_document": (draining.calls_per_document, value_is(wanted=1.0)),
    "close.lag_p95": (closing.lag_p95, value_at_most(1)),
    "close.lag_1000": (lambda: _virtual().lag_1000(), value_at_most(5)),
    "resend.idle": (lambda: _virtual().resent_idle(), value_at_most(0.01)),
    "resend.lost": (lambda: _virtual().resent_lost(), value_at_most(0.05)),
    "status.requests": (closing.status_requests, value_is(wanted=1)),
    "live.concurrency": (limiting.concurrency, value_at_most(15)),
    "fair.small": (fairness.small, lambda _line: True),
    "idle.invocations_per_minute": (idling.invocations_per_minute, value_at_most(1)),
    "idle.requests": (lambda: _watching().idle(), value_at_most(IDLE_MAX)),
    "metrics.cost": (lambda: _watching().metrics(), value_at_most(METRIC_BYTES_MAX)),
    "big.task": (closing.task, value_is(wanted=True)),
    "close.lag_big": (closing.lag_big, value_at_most(10)),
    "cold.engine": (imports.engine, value_at_most(60)),
    "provider.storm_calls": (lambda: _storming().storm_calls(), value_at_most(1.02)),
    "provider.outage_extra": (lambda: _storming().outage_extra(), value_at_most(22)),
    "provider.lost": (lambda: _storming().lost(), value_is(wanted=0)),
    "provider.sdk_retries": (lambda: _storming().sdk_retries(), value_is(wanted=1)),
    "sweep.rru_per_document": (closing.rru_per_document, value_at_most(1)),
    "pdf.overhead": (reading.overhead, ratio_at_most(1.5)),
    "pdf.recall5": (reading.recall5, value_at_least(0.90)),
    "intake.memory": (reading.memory, value_at_most(300)),
    "intake.wall": (reading.walled, ratio_at_most(1.05)),
    "intake.bombs": (reading.bombs, value_is(wanted=1.0)),
    "rules.precision": (rules_true.precision, rules_true.is_precise),
    "rules.recall": (rules_true.recall, rules_true.is_complete),
    "rules.text": (rules_true.text, rules_true.fits_text),
    "rules.speed": (speed.papers_per_second, speed.is_fast),
    "rules.registration": (rules_quality.registration, rules_quality.right_and_complete),
    "rules.doi": (rules_quality.doi, rules_quality.right_and_complete),
    "rules.year": (rules_quality.year, rules_quality.right_and_complete),
    "rules.n_randomised": (rules_quality.n_randomised, rules_quality.counts_right),
    "rules.design": (rules_quality.design, rules_quality.mostly_right),
    "rules.masking": (rules_quality.masking, rules_quality.mostly_right),
    "rules.countries": (rules_quality.countries, rules_quality.mostly_right),
    "rules.funding": (rules_quality.funding, rules_quality.mostly_right),
    "rules.papers_per_second": (rules_quality.papers_per_second, lambda _line: True),
    "model.asking": (questioning.asking, lambda _line: True),
    "model.replayed": (questioning.replayed, value_at_least(REPLAYED_MIN)),
    "export.xlsx_1000": (exporting.xlsx_1000, value_at_most(5)),
    "export.memory": (exporting.memory, value_at_most(300)),
    "export.formulas": (exporting.formulas, value_is(wanted=1.0)),
    "export.back": (exporting.back, value_is(wanted=1.0)),
    "sheet.answer": (sheets.answer, sheets.answers_at_once),
    "sheet.parse": (sheets.parse, ratio_at_most(5)),
    "sheet.preview": (sheets.preview, sheets.is_small_and_quick),
    "sheet.memory": (sheets.memory, value_at_most(300)),
    "sheet.truth": (sheets.truth, value_at_least(0.99)),
    "page.weight": (page.weight, value_at_most(100)),
    "page.ready": (page.ready, value_at_most(1.5)),
    "page.rows1000": (page.rows1000, page.is_smooth),
    "page.rows10000": (opening.rows10000, opening.is_light),
    "page.slow": (opening.slow, value_at_most(3)),
    "page.marks": (opening.marks, value_is(wanted=0)),
    "page.axe": (page.violations, value_at_most(0)),
    "page.polls": (page.polls, page.is_polite),
}

ON_DEMAND: dict[str, tuple[Callable[[], Line], Judge]] = {
    "model.n_randomised": (lambda: _model("model.n_randomised"), _is_right),
    "model.injection": (lambda: _model("model.injection"), value_is(wanted=0)),
}
"""Taken when they are named alone."""


def _chosen(asked: str) -> Iterator[str]:
    wanted = [name for name in asked.replace(" ", "").split(",") if name]
    unknown = [each for each in wanted if not any(name.startswith(each) for name in MEASURES | ON_DEMAND)]
    if unknown:
        sys.exit(f"There is no measure {', '.join(unknown)}. There are: {', '.join(MEASURES | ON_DEMAND)}.")
    yield from (name for name in MEASURES if not wanted or any(name.startswith(each) for each in wanted))
    yield from (name for name in ON_DEMAND if name in wanted)


def _take(name: str) -> bool:
    """Measure, print, judge. False where the bound is missed, and where it could not be measured: the others go on."""
    measure, judge = (MEASURES | ON_DEMAND)[name]
    try:
        line = measure()
    except Exception:  # noqa: BLE001 - whatever it was, it is told, and the run ends with 1
        print(f"{name} could not be measured:\n{traceback.format_exc()}", file=sys.stderr, flush=True)
        return False
    ok = judge(line)
    print(line.shown(name, ok=ok), flush=True)
    return ok


def main() -> int:
    given = [word.removeprefix("ONLY=") for word in sys.argv[1:]]
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the stack goes too
    try:
        missed = [name for name in _chosen(",".join(given) or os.environ.get("ONLY", "")) if not _take(name)]
    finally:
        remove_all()
    if missed:
        print(f"Not as it must be: {', '.join(missed)}.", file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
