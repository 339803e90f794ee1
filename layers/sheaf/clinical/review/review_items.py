"""Items of the Reviews table and their keys; the project comes first in every one. No verbs, no calls."""

from typing import Any

from pynamodb.attributes import BooleanAttribute, UnicodeAttribute

from sheaf.items import CompactJson, Int, Item

Key = dict[str, Any]


def paper_of(project: str, document: str) -> str:
    """Where all lies that was ever decided on a paper, whatever task and template it was read by."""
    return f"{project}/{document}"


def head_key(project: str, document: str, template: str) -> Key:
    return {"paper": paper_of(project, document), "place": f"{template}/head"}


def decision_key(project: str, document: str, template: str, identifier: str) -> Key:
    return {"paper": paper_of(project, document), "place": f"{template}/decision/{identifier}"}


def counts_key(task: str) -> Key:
    project, _, task_id = task.partition("/")
    return {"paper": f"{project}/task/{task_id}", "place": "checked"}


def ever_key(project: str) -> Key:
    return {"paper": project, "place": "decided"}


def heads_list(project: str, template: str) -> str:
    return f"{project}/{template}"


class Reviewed(Item):
    setting = "reviews_table"

    paper = UnicodeAttribute(hash_key=True)
    place = UnicodeAttribute(range_key=True)


class Head(Reviewed):
    """What holds on a paper read by one template: of each decided cell the decision in force. Written with each decision, in one transaction."""

    listed_in = UnicodeAttribute(attr_name="list")
    at = Int()  # when it was last written: later than each time before, whatever the clocks say
    task = UnicodeAttribute(null=True)  # on which task's table that was; none where decisions were erased
    version = Int()  # how often it was written
    cells = CompactJson()  # by address: verb, value, quote, comment, who, when; `of`: the engine's value, as a digest
    erased_by = UnicodeAttribute(null=True)


class Decision(Reviewed):
    """One decision, as it was made: written once and never changed. Its id is its maker's, so made twice it is one."""

    at = Int()
    asked = UnicodeAttribute()  # the digest of what was asked for: the same id for something else is refused
    made = CompactJson()
    replaced = CompactJson(null=True)  # what the head had at this address before: taking it back puts that there again


class EverDecided(Reviewed):
    """That anybody of a project has ever decided on anything: written once. Who finds none of it reads no heads."""


class Checked(Reviewed):
    """How much of a task's table is checked, and how right its engine was. What it says can be counted again."""

    version = Int()
    as_of = Int(default=0)  # when it was counted; decisions made on this task since are added as they are made
    elsewhere = UnicodeAttribute(null=True)
    """What was known then of decisions on other tasks' tables: where that is another by now, it is to be counted again."""
    closed = BooleanAttribute(default=False)  # whether the task had closed by then
    tallies = CompactJson(null=True)  # by field. None where it has to be counted first
