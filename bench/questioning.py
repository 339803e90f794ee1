"""`model.asking`: what questions cost beside forms on long papers. `model.replayed`: a real model's own words, through the engine again."""

import subprocess
import sys
from statistics import mean

from bench import papers
from bench.place import ROOT
from bench.report import Line
from clinical import evidence
from clinical.engines import prompts, reply_schema, splitting
from clinical.engines.field_by_field import Reading
from clinical.papers import Paper
from clinical.templates import Field, find
from sheaf.engine_settings import EngineSettings
from sheaf.model_calls.model_api import Request
from sheaf.model_calls.prices import BYTES_PER_TOKEN
from tests.support.recorded import REPLIES, lines

FEW = 5
USUAL = EngineSettings("openai", "any", window_tokens=64_000)


def asking() -> Line:
    """Tokens of questions for those of the form, over the samples' whole texts, where no passage answers: the most that it can be."""
    read, fields = [each.read() for each in papers.samples()], find("rct").fields
    few = fields[:FEW]
    told = {"few_fields": _ratio(read, few), "calls": mean(len(_questions(each, fields)) for each in read)}
    told["form_calls"] = mean(len(_forms(each, fields)) for each in read)
    return Line(_ratio(read, fields), "tokens for the form's", more=told)


def _ratio(read: list[Paper], fields: tuple[Field, ...]) -> float:
    asked, form = (sum(_tokens(ask(each, fields)) for each in read) for ask in (_questions, _forms))
    return asked / form


def _questions(paper: Paper, fields: tuple[Field, ...]) -> list[Request]:
    asked: list[Request] = []

    def nothing(request: Request) -> dict[str, object]:
        asked.append(request)
        value = request.schema["properties"]["value"]
        empty = value["enum"][0] if "enum" in value else reply_schema.EMPTY.get(value["type"])
        return {"value": empty} if value["type"] == "array" else {"quote": "", "value": empty}

    Reading(nothing, paper, evidence.Pages(paper), 1_000, USUAL.window_tokens).answers(fields)
    return asked


def _forms(paper: Paper, fields: tuple[Field, ...]) -> list[Request]:
    room = int((USUAL.window_tokens - USUAL.output_tokens) * splitting.CHARS_PER_TOKEN) - len(prompts.system(fields))
    return [prompts.first(fields, part, USUAL.output_tokens) for part in splitting.parts(paper, room)]


def _tokens(asked: list[Request]) -> float:
    return sum(len((each.system + each.turns[0][1]).encode()) for each in asked) / BYTES_PER_TOKEN


def replayed() -> Line:
    """Distinct replies; none where a cell is another than when they were recorded."""
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "tests/integration/test_recorded.py"]
    is_same = subprocess.run(command, cwd=ROOT, capture_output=True, check=False).returncode == 0
    return Line(len({(each["asked"], each["text"]) for each in lines(REPLIES)}) * is_same, "replies")
