"""Saved queries of Logs Insights: each reads logs of this template, and fields that a line of ours may have."""

import re

import pytest

from sheaf import logs
from tests.support import stack_file
from tests.support.stack_file import ROOT

MADE = stack_file.load()
QUERIES = stack_file.resources(MADE, "AWS::Logs::QueryDefinition")
OF_INSIGHTS = {
    *("filter", "fields", "stats", "sort", "limit", "by", "as", "and", "or", "desc", "asc"),
    *("sum", "max", "min", "count", "bin", "timestamp", "h", "message"),
}
LINES = {
    word
    for folder in ("layers", "functions")
    for path in (ROOT / folder).rglob("*.py")
    for word in re.findall(r'say(?:_\w+)?\(\s*"(\w+)"', path.read_text())
}


@pytest.mark.parametrize("name", QUERIES)
def test_a_saved_query_reads_logs_of_this_template_when_it_is_run(name):
    """Mutation caught: a group that is not there, or of a function that never says such a line."""
    groups = {group["Ref"] for group in QUERIES[name]["Properties"]["LogGroupNames"]}
    assert groups
    assert groups <= stack_file.resources(MADE, "AWS::Logs::LogGroup").keys()


@pytest.mark.parametrize("name", QUERIES)
def test_a_saved_query_names_fields_and_lines_that_we_log_when_it_is_run(name):
    """Mutation caught: `errorClass` for `error_class`, a line under its old name."""
    text = QUERIES[name]["Properties"]["QueryString"]
    quoted = set(re.findall(r'"([^"]*)"', text))
    assert {word for word in quoted if word.islower()} <= LINES | {"error"}
    words = set(re.findall(r"[a-z_]+", re.sub(r'"[^"]*"', "", text)))
    made = set(re.findall(r" as (\w+)", text))
    assert words - made - OF_INSIGHTS <= logs.FIELDS
    assert words & logs.FIELDS


def test_queue_failures_stuck_rows_tasks_and_documents_have_their_saved_query():
    titles = [body["Properties"]["Name"]["Fn::Sub"] for body in QUERIES.values()]
    assert all(title.startswith("${AWS::StackName}/") for title in titles)
    for word in ("queue health", "failed rows", "stuck", "one task", "one document"):
        assert sum(word in title for title in titles) == 1, word
