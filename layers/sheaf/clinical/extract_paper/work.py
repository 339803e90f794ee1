"""Read one paper: its text in, one row of values out, each held against the text before it is stored."""

from collections import Counter
from importlib import import_module

from clinical import evidence, risk_of_bias
from clinical.answered import PaperData, PaperSummary, Values, cells, is_found
from clinical.extract_paper.doubts import doubts
from clinical.own_templates import stored_versions
from clinical.papers import Paper
from sheaf.errors import Permanent
from sheaf.jobs import Done, Job

VERSION, STUDY_MAX = 1, 80


def work(job: Job) -> Done:
    """The fields of the job's template, answered by its engine. Raises Permanent, Transient, Throttled."""
    paper = _paper(job.read())
    template = stored_versions.of_job(job, job.options["template"])
    engine = import_module(f"clinical.engines.{'rules' if job.ask is None else 'asking'}")
    told = engine.answer(paper, template, job)
    pages = evidence.Pages(paper, job.budget)
    values = {field.name: evidence.check(field, told.fields.get(field.name), pages) for field in template.fields}
    doubted = doubts(values, paper)
    judged = risk_of_bias.judge(template, values)
    study = study_id(values)
    engine, pin, usage = told.engine, template.pin, dict(told.usage)
    data = PaperData(v=VERSION, engine=engine, template=pin, studyId=study, doubts=doubted, fields=values, usage=usage)
    if judged:
        data["judgements"] = judged
    counted = Counter[str](value["state"] for value in values.values())
    return Done({**data}, {**PaperSummary(cells=cells(counted), doubts=len(doubted), study=study)}, {**counted})


def study_id(values: Values) -> str | None:
    """First author, and the year if it is found too; None without an author, because a year alone names no study."""
    author, year = (values.get(name) for name in ("first_author", "year"))
    if author is None or not is_found(author):
        return None
    known = [author, year] if year is not None and is_found(year) else [author]
    return " ".join(str(value["value"]) for value in known)[:STUDY_MAX]


def _paper(content: bytes) -> Paper:
    try:
        return Paper.from_json(content)
    except (ValueError, KeyError, TypeError) as error:
        raise Permanent("The document's text is not in a form that can be read.", "unreadable") from error
