"""A CloudWatch dashboard's body as a page of its own: curves, numbers, tables and alarms, out of points and log lines.

It knows what the template's dashboard uses and says beneath each widget what it could not draw.
"""

import html
import json
import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from sheaf.schemas import instant
from tests.support.evaluating import Point, is_alarm, statistic

CELL_X, CELL_Y, GAP = 56, 44, 8
COLOURS = ("#2563a8", "#c2571a", "#3c8d40", "#a33b6f", "#7a6a00", "#0f7f86", "#6b4fa0", "#8a3a2a", "#52606d", "#b8860b")
QUERY = re.compile(
    r"SOURCE '(?P<source>[^']+)' \| filter message = '(?P<event>\w+)' \| stats (?P<stats>.+) by (?P<by>\w+)(?: \| .*)?"
)
STAT = re.compile(r"(?P<what>\w+)\((?P<field>[@*\w]+)\) as (?P<name>\w+)")
STYLE = """body{margin:0;background:#f3f4f6;font:12px/1.35 system-ui,sans-serif;color:#1b2733}
.board{position:relative;margin:8px}.w{position:absolute;background:#fff;border:1px solid #d6dbe1;border-radius:4px;
box-sizing:border-box;padding:6px 8px;overflow:hidden}.w h2{font-size:12px;margin:0 0 4px}.no{color:#8a94a0;font-size:10px}
table{border-collapse:collapse;width:100%;font-size:11px}td,th{text-align:left;padding:1px 6px;border-bottom:1px solid #edf0f3}
.n{display:inline-block;margin:0 18px 4px 0}.n b{display:block;font-size:19px;font-weight:600}.a{display:inline-block;margin:0 6px 5px 0;
padding:2px 7px;border-radius:3px;background:#dcefdc;color:#1d5a24}.a.rings{background:#b3261e;color:#fff}
.key{font-size:10px}.key i{display:inline-block;width:9px;height:3px;margin:0 3px 2px 8px}p{margin:8px 12px}"""


class Run(NamedTuple):
    """What was seen of a run: instants in milliseconds."""

    points: Mapping[tuple[str, str, frozenset[tuple[str, str]]], Sequence[Point]]
    lines: Mapping[str, Sequence[tuple[int, dict[str, Any]]]]
    """By log group."""
    alarms: Sequence[dict[str, Any]]
    began: int
    ended: int
    step: int
    """What a point of a curve stands for."""


class Curve(NamedTuple):
    label: str
    values: list[tuple[int, float]]


def page(body: str, run: Run, about: str) -> str:
    """The whole dashboard."""
    widgets = json.loads(body)["widgets"]
    height = max(each["y"] + each["height"] for each in widgets) * CELL_Y
    drawn = "\n".join(_widget(each, run) for each in widgets)
    head = (
        f"<!doctype html><meta charset=utf-8><title>Dashboard</title><style>{STYLE}</style><p>{html.escape(about)}</p>"
    )
    return f'{head}<div class=board style="width:{24 * CELL_X}px;height:{height}px">{drawn}</div>'


def _widget(widget: dict[str, Any], run: Run) -> str:
    told = widget["properties"]
    draw: dict[str, Callable[[dict[str, Any], Run, int, int], str]] = {
        "alarm": _alarms,
        "log": _table,
        "metric": _metric,
    }
    wide, high = widget["width"] * CELL_X - GAP, widget["height"] * CELL_Y - GAP
    place = f"left:{widget['x'] * CELL_X}px;top:{widget['y'] * CELL_Y}px;width:{wide}px;height:{high}px"
    inside = draw[widget["type"]](told, run, wide, high)
    return f'<div class=w style="{place}"><h2>{html.escape(told["title"])}</h2>{inside}</div>'


def _alarms(told: dict[str, Any], run: Run, _wide: int, _high: int) -> str:
    known = {each["AlarmArn"]: each for each in run.alarms}
    shown = []
    for arn in told["alarms"]:
        alarm = known[arn]
        rings = is_alarm(alarm, {}, {name: list(each) for name, each in run.points.items()}, run.ended)
        name = alarm["AlarmName"].split("-")[1].removesuffix("Alarm")
        shown.append(f'<span class="a{" rings" if rings else ""}">{name}</span>')
    return "".join(shown)


def _metric(told: dict[str, Any], run: Run, wide: int, high: int) -> str:
    curves = [_curve(each, told["stat"], run) for each in told["metrics"]]
    there = [each for each in curves if each.values]
    missing = [each.label for each in curves if not each.values]
    none = f"<div class=no>No value in this run: {html.escape(', '.join(missing))}.</div>" if missing else ""
    return (_numbers(there) if told.get("view") == "singleValue" else _chart(there, run, wide, high)) + none


def _curve(metric: list[Any], stat: str, run: Run) -> Curve:
    *names, about = metric
    wanted = (names[0], names[1], frozenset(zip(names[2::2], names[3::2], strict=True)))
    bins: dict[int, list[float]] = defaultdict(list)
    for point in run.points.get(wanted, ()):
        bins[(point.at - run.began) // run.step].append(point.value)
    every = {"p95": lambda found: sorted(found)[-(-len(found) * 95 // 100) - 1]}
    of = every.get(stat) or (lambda found: statistic(stat, found) or 0.0)
    return Curve(about["label"], [(run.began + number * run.step, of(found)) for number, found in sorted(bins.items())])


def _numbers(curves: Sequence[Curve]) -> str:
    return "".join(f"<span class=n><b>{each.values[-1][1]:g}</b>{html.escape(each.label)}</span>" for each in curves)


def _chart(curves: Sequence[Curve], run: Run, wide: int, high: int) -> str:
    """Lines from zero up; time from left to right."""
    width, height = wide - 60, high - 92
    most = max((value for each in curves for _, value in each.values), default=0) or 1
    drawn = []
    for colour, each in zip(COLOURS * 3, curves, strict=False):
        places = [
            (36 + (at - run.began) / (run.ended - run.began) * width, 4 + (1 - value / most) * height)
            for at, value in each.values
        ]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        drawn.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
        drawn += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="1.8" fill="{colour}"/>' for x, y in places]
    axis = f'<path d="M36 4V{height + 4}H{width + 36}" fill="none" stroke="#aab4be"/>'
    marks = f'<text x="32" y="12" text-anchor="end">{most:.4g}</text><text x="32" y="{height + 4}" text-anchor="end">0</text>'
    key = "".join(
        f'<i style="background:{colour}"></i>{html.escape(each.label)}'
        for colour, each in zip(COLOURS * 3, curves, strict=False)
    )
    minutes = (run.ended - run.began) / 60_000
    ends = f'<text x="36" y="{height + 16}">0</text><text x="{width + 36}" y="{height + 16}" text-anchor="end">{minutes:.0f} min</text>'
    return f'<svg width="{wide - 18}" height="{height + 20}" font-size="9" fill="#52606d">{axis}{marks}{ends}{"".join(drawn)}</svg><div class=key>{key}</div>'


def _table(told: dict[str, Any], run: Run, _wide: int, _high: int) -> str:
    """A query of the kind that the dashboard has. Raises AssertionError for another."""
    query = QUERY.fullmatch(told["query"])
    assert query, f"no drawing for {told['query']}"
    stats = [STAT.fullmatch(part.strip()) for part in query["stats"].split(", ")]
    groups: dict[str, list[tuple[int, dict[str, Any]]]] = defaultdict(list)
    for at, line in run.lines.get(query["source"], ()):
        if line.get("message") == query["event"]:
            groups[str(line.get(query["by"]))].append((at, line))
    newest = sorted(groups.items(), key=lambda group: -group[1][-1][0])
    names = [query["by"], *(stat["name"] for stat in stats if stat)]
    rows = [[name, *(_told(stat, found) for stat in stats if stat)] for name, found in newest]
    return f"<table>{''.join(_row(row, 'td' if number else 'th') for number, row in enumerate([names, *rows]))}</table>"


def _told(stat: re.Match[str], found: Sequence[tuple[int, dict[str, Any]]]) -> str:
    if stat["what"] == "count":
        return str(len(found))
    if stat["field"] == "@timestamp":
        return instant(found[-1][0])
    return str(next((line[stat["field"]] for _, line in reversed(found) if stat["field"] in line), ""))


def _row(cells: Sequence[str], tag: str) -> str:
    return "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells) + "</tr>"


def missing(body: str, run: Run) -> set[str]:
    """What AWS would publish and this run has nothing of, whosever it is."""
    metrics = [each for widget in json.loads(body)["widgets"] for each in widget["properties"].get("metrics", [])]
    aws = {(each[0], each[1]) for each in metrics if each[0].startswith("AWS/")}
    return {" ".join(name) for name in aws - {name[:2] for name in run.points}}
