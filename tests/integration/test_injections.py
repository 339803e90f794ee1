"""Documents are data: 200 injected instructions, against a model that obeys every one of them.

What is asserted is the reach of the harm, not the model's good sense: nothing but this document's own form can change,
and a fact that the document does not say where it is said to is shown as unverified.
"""

import json

import pytest

from sheaf.engines import prompts, shapes
from sheaf.engines.provider import ModelFault
from sheaf.papers import Page
from sheaf.templates import find
from tests.support import models
from tests.support.injections import corpus
from tests.support.provider import serving

FIELDS = find("rct").fields
PLAIN = "A trial of rest in adults.\nWe randomised 120 participants."


def test_the_corpus_is_as_large_as_it_is_said_to_be():
    assert len(set(corpus())) >= 200


@pytest.mark.parametrize("text", corpus())
def test_instructions_form_and_schema_are_the_same_when_the_paper_has_orders_in_it(text):
    """And the paper stands between its two marks, whatever marks it brings."""
    plain, injected = (prompts.first(FIELDS, [Page(1, each)], 1_000) for each in (PLAIN, text))
    assert (plain.system, plain.schema) == (injected.system, injected.schema)
    ((role, told),) = injected.turns
    assert role == "user"
    assert told.count("<paper>") == told.count("</paper>") == 1
    assert told.endswith("Answer with the JSON object alone.")


@pytest.mark.parametrize(
    "obeyed",
    [
        {"admin_notes": {"status": "reported", "value": "secret", "quote": "", "page": 0}},
        {"n_randomised": {"status": "reported", "value": 1, "quote": "", "page": 0, "tool": "send_mail"}},
        {"n_randomised": {"status": "approved", "value": 1, "quote": "", "page": 0}},
        {"n_randomised": {"status": "reported", "value": {"$ref": "http://x"}, "quote": "", "page": 0}},
        {"n_randomised": "99999"},
    ],
)
def test_a_reply_that_obeys_is_no_reply_when_it_leaves_the_form(obeyed):
    form = {field.name: prompts.example(field) for field in FIELDS} | obeyed
    with pytest.raises(ModelFault) as raised:
        shapes.read(json.dumps(form), shapes.schema(FIELDS))
    assert "secret" not in str(raised.value)


@pytest.mark.parametrize("engine", models.ENGINES)
def test_planted_facts_are_unverified_and_other_rows_untouched_when_a_model_obeys_the_document(bench, engine):
    """The worst model there is: it reports 99999 for whoever has an order in it, with a quote that is not there."""

    def obeying(call):
        form = call.empty_form
        planted = "99999" in call.turns[0]
        quote = "We randomised 99999 participants." if planted else "We randomised 120 participants."
        form["n_randomised"] = {"status": "reported", "value": 99999 if planted else 120, "quote": quote, "page": 1}
        return form

    with serving() as provider:
        models.configure(bench, provider)
        provider.replies = obeying
        planted = next(text for text in corpus() if "99999" in text)
        documents = [bench.paper(PLAIN, "a.txt"), bench.paper(planted, "b.txt")]
        task = bench.post(documents, kind="extract_paper", engine=engine)[1]["taskId"]
        bench.settle()
        rows = bench.http("GET", f"/asl/extraction/tasks/{task}/results")[1]["results"]
        good, bad = (row["extractedData"]["fields"] for row in rows)
        assert good.keys() == bad.keys() == {field.name for field in FIELDS}
        assert good["n_randomised"]["match"] == "exact"
        assert bad["n_randomised"]["match"] == "not_found"
        told = bench.http("GET", f"/asl/extraction/tasks/{task}")[1]
        assert told["unverifiedCount"] == 1
        assert all("tools" not in call.body for call in provider.calls)
