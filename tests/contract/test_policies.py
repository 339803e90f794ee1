"""Rights that hang on what a call names: keys, attributes, prefixes. AWS enforces them; the emulator knows none of them.

So the policies of the template are judged here, by `tests/support/policies.py`, on calls as our functions make them
(test_roles.py sends a whole life's calls through the same judge). What no policy can say: which *value* a status gets.
That the aggregator writes no row `completed` is lifecycle.py's business; that it can give no row a result is IAM's.
"""

import re

import pytest

from clinical.library.library_items import Document
from sheaf.notices.webhook_items import Webhook
from tests.support import stack_file
from tests.support.life import a_whole_life
from tests.support.policies import actions, grants, may

MADE = stack_file.probed()
FUNCTIONS = sorted(stack_file.resources(MADE, "AWS::Serverless::Function"))
WORKERS = [name for name in FUNCTIONS if MADE["Resources"][name]["Properties"]["Handler"].startswith("worker.")]
RESULTS, GATES, BUCKET = "${ResultsTable.Arn}", "${GatesTable.Arn}", "${DataBucket.Arn}"
LIBRARY, REVIEWS = "${LibraryTable.Arn}", "${ReviewsTable.Arn}"
GATES_NOT_THE_API_S = ("task/p1/t", "sweeper", "queue/probe", "provider/bedrock", "tasks/p1/t", "")
ENGINES = {"openai": "OpenaiModel", "bedrock": "BedrockModel"}
"""Each engine, and the parameter without which there is none."""
EVERY_GATE = (
    "task/p1/t",
    "sweeper",
    "queue/probe",
    *(f"provider/{name}" for name in ENGINES),
    *(f"provider/{name}/p1" for name in ENGINES),
    "provider/openai2",
    "provider/openai2/p1",
    "provider/another",
    "provider/*",
    "provider/",
    "",
)
OTHER_GATES = {
    "ApiFunction": {"provider/openai2/p1", *(f"provider/{name}/p1" for name in ENGINES)},
    "AggregatorFunction": {"sweeper", "queue/probe"},
}


def writes(*attributes, key="p1/t/0000"):
    """What IAM knows of a write that names these attributes."""
    return {"dynamodb:LeadingKeys": [key], "dynamodb:Attributes": ["shard", "row", *attributes]}


def may_write(function, action, *attributes):
    return may(MADE, function, f"dynamodb:{action}", RESULTS, writes(*attributes))


@pytest.mark.parametrize("attribute", ["data_key", "summary", "token", "packed"])
@pytest.mark.parametrize("action", ["PutItem", "UpdateItem"])
def test_only_a_worker_can_give_a_row_its_result_or_claim_it_when_everybody_tries(action, attribute):
    """Mutation caught: any Deny taken away, or any new function that may write rows without one."""
    able = {name for name in FUNCTIONS if may_write(name, action, "status", attribute)}
    assert able == (set(WORKERS) if action == "UpdateItem" else set())


FILES = {"ExportTableFunction", "CleanSheetFunction"}
"""Whose results are files."""


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("key", ["p1/t/0000/data", "p1/t/0000", "p1/t/data", "data", ""])
def test_a_worker_puts_payloads_and_no_row_when_it_tries_both(function, key):
    """And what it has put it cannot take away. An export's payload is its file, and no item. Mutation caught: a condition taken away, or a wider pattern."""
    told = writes("claim", "packed", key=key)
    puts = function in WORKERS and function not in FILES and key == "p1/t/0000/data"
    assert may(MADE, function, "dynamodb:PutItem", RESULTS, told) == puts
    assert may(MADE, function, "dynamodb:DeleteItem", RESULTS, told) == (function == "JanitorFunction")


@pytest.mark.parametrize("action", ["PutItem", "UpdateItem", "DeleteItem"])
def test_only_the_api_writes_what_people_decided_when_everybody_tries(action):
    """Who reads papers or asks models can agree with nothing. Nobody changes a decision in its place."""
    told = {"dynamodb:LeadingKeys": ["p1/d1"], "dynamodb:Attributes": ["paper", "place"]}
    able = {name for name in FUNCTIONS if may(MADE, name, f"dynamodb:{action}", REVIEWS, told)}
    assert able == (set() if action == "UpdateItem" else {"ApiFunction"})


@pytest.mark.parametrize("action", ["PutItem", "UpdateItem"])
def test_the_aggregator_can_still_write_what_a_sweep_writes_when_results_are_denied_to_it(action):
    """The denials are of names and not of everything."""
    assert may_write(
        "AggregatorFunction", action, "status", "error_class", "error_message", "updated_at", "lease_until"
    )


def test_the_intake_writes_documents_and_of_them_what_it_finds_when_it_tries_all(bench):
    """It reads what strangers made: who takes it over can neither bury, rename nor move a document, nor announce bytes.

    Mutation caught: an attribute of a document that the intake never names, and may write.
    """
    named = {
        attribute
        for _, operation, arguments in a_whole_life(bench)["IntakeFunction"]
        if operation == "UpdateItem"
        for _, _, context in actions(operation, arguments)
        for attribute in context["dynamodb:Attributes"]
    }
    for attribute in {told.attr_name for told in Document.get_attributes().values()} | {"name"}:
        told = {"dynamodb:LeadingKeys": ["p1/document/d"], "dynamodb:Attributes": ["entry", attribute]}
        assert may(MADE, "IntakeFunction", "dynamodb:UpdateItem", LIBRARY, told) == (attribute in named), attribute
    for key in ("p1/kb/k", "p1/bytes/d", "p1/kbs", ""):
        told = {"dynamodb:LeadingKeys": [key], "dynamodb:Attributes": ["entry", "state"]}
        assert not may(MADE, "IntakeFunction", "dynamodb:UpdateItem", LIBRARY, told), key
        assert not may(MADE, "IntakeFunction", "dynamodb:GetItem", LIBRARY, told), key


def test_the_notices_function_notes_what_came_of_a_delivery_and_nothing_else_when_it_tries_all():
    """Servers of strangers' choice answer it: who takes it over leads no notice elsewhere, and has no paper and no task.

    Mutation caught: an attribute of a webhook that an editor sets, and that the function may write.
    """
    noted = {"entry", "opening", "last", "undelivered"}
    for attribute in {each.attr_name for each in Webhook.get_attributes().values()} | {"list", "active"}:
        told = {"dynamodb:LeadingKeys": ["p1/webhook"], "dynamodb:Attributes": ["entry", attribute]}
        assert may(MADE, "NoticeFunction", "dynamodb:UpdateItem", LIBRARY, told) == (attribute in noted), attribute
    for key in ("p1/document/d", "p1/kb/k", "p1/template/t", ""):
        told = {"dynamodb:LeadingKeys": [key], "dynamodb:Attributes": ["entry", "last"]}
        assert not may(MADE, "NoticeFunction", "dynamodb:UpdateItem", LIBRARY, told), key
        assert not may(MADE, "NoticeFunction", "dynamodb:GetItem", LIBRARY, told), key
    reached = {grant.resource for grant in grants(MADE, "NoticeFunction")}
    assert reached == {LIBRARY, "${NoticeQueue.Arn}"}


@pytest.mark.parametrize("function", [name for name in WORKERS if name != "ExportTableFunction"])
def test_a_worker_reads_of_a_task_nothing_but_its_gate_when_it_tries_more(function):
    """Mutation caught: the condition taken away, an attribute more in it, or the whole item asked for."""
    for attributes, select, able in (
        (["task", "gate", "front"], "SPECIFIC_ATTRIBUTES", True),
        (["task", "gate", "front", "created_by"], "SPECIFIC_ATTRIBUTES", False),
        (["task"], "ALL_ATTRIBUTES", False),
    ):
        told = {"dynamodb:LeadingKeys": ["p1/t"], "dynamodb:Attributes": attributes, "dynamodb:Select": [select]}
        assert may(MADE, function, "dynamodb:GetItem", "${TasksTable.Arn}", told) == able, attributes


@pytest.mark.parametrize("key", GATES_NOT_THE_API_S)
def test_the_api_writes_gates_of_projects_only_when_it_tries_others(key):
    """Not the sweeper's lease, and no provider's pace."""
    assert may(MADE, "ApiFunction", "dynamodb:UpdateItem", GATES, writes("state", key="provider/openai/p1"))
    assert not may(MADE, "ApiFunction", "dynamodb:UpdateItem", GATES, writes("state", key=key))


@pytest.mark.parametrize("engines", [(), ("openai",), ("bedrock",), ("openai", "bedrock")])
def test_each_gate_is_written_by_those_whose_it_is_when_everybody_tries_all_of_them(engines):
    """A worker writes the gates of the engines that this deployment has, each by its whole name: with none, no gate at
    all. One that could open its task's gate, or take the sweeper's lease, could undo a cancel.

    Mutation caught: a pattern for a name, a condition taken away, the right given to another function or another kind.
    """
    made = stack_file.configured(MADE, **{ENGINES[name]: "a-model" for name in engines})
    for function in FUNCTIONS:
        for action in ("PutItem", "UpdateItem", "DeleteItem"):
            writes_them = {
                key for key in EVERY_GATE if may(made, function, f"dynamodb:{action}", GATES, writes("state", key=key))
            }
            wanted = OTHER_GATES.get(function, set())
            if function == "ExtractPaperFunction":
                wanted = {key for name in engines for key in (f"provider/{name}", f"provider/{name}/p1")}
            assert writes_them == (wanted if action == "UpdateItem" else set()), (function, action)


def test_every_engine_has_its_line_in_the_table_when_another_is_built_in():
    """So that the table above cannot fall behind: the engines that a deployment may have, by the template itself."""
    told = MADE["Globals"]["Function"]["Environment"]["Variables"]["ENGINES"]["Fn::Sub"]
    assert set(re.findall(r"(?m)^(\w+)\.", told)) == set(ENGINES)
    assert all(f"${{{parameter}}}" in told for parameter in ENGINES.values())


@pytest.mark.parametrize("function", [name for name in FUNCTIONS if name not in WORKERS])
def test_nobody_but_a_worker_reads_or_writes_replies_when_everybody_tries(function):
    """A model's raw reply is between a worker and its provider; the janitor may only take it away."""
    for action in ("GetObject", "GetObjectVersion", "PutObject"):
        assert not may(MADE, function, f"s3:{action}", f"{BUCKET}/replies/p1/abc.json", {})


def test_the_janitor_lists_nothing_outside_of_what_it_tidies_when_it_tries():
    for action in ("ListBucket", "ListBucketVersions"):
        assert may(MADE, "JanitorFunction", f"s3:{action}", BUCKET, {"s3:prefix": ["tasks/p1/t/"]})
        assert not may(MADE, "JanitorFunction", f"s3:{action}", BUCKET, {"s3:prefix": ["templates/p1/"]})
        assert not may(MADE, "JanitorFunction", f"s3:{action}", BUCKET, {"s3:prefix": ["templates/p1/"]})
        assert not may(MADE, "JanitorFunction", f"s3:{action}", BUCKET, {})


def test_every_real_write_of_a_result_comes_from_a_worker_when_a_task_lives(bench):
    """On the calls that were made: the attributes that IAM denies to others are those that completing writes."""
    named = {
        (function, attribute)
        for function, calls in a_whole_life(bench).items()
        for _, operation, arguments in calls
        if operation in {"UpdateItem", "PutItem", "TransactWriteItems"}
        for action, resource, context in actions(operation, arguments)
        if resource == RESULTS
        for attribute in context["dynamodb:Attributes"]
    }
    results = ("data_key", "summary", "token", "packed")
    workers = {"ProbeFunction", *FILES}
    assert {name for name, attribute in named if attribute in results} == workers
    assert {("ProbeFunction", each) for each in results} <= named
