"""The built-in templates: every field that a review asks for, whole in two languages; and a copy's JSON, there and back."""

import json
import re
import subprocess
import sys
from dataclasses import replace

import pytest

from clinical import templates
from clinical.own_templates import stored_versions, template_json
from clinical.risk_of_bias import nos, rob2
from clinical.templates import inputs
from clinical.templates.fields import LISTS, TYPES, restored, sections, version_of
from sheaf.errors import InvalidRequest
from tests.support.stack_file import ROOT

RCT = """title doi year journal first_author report_type registration_ids funding conflicts design framework
allocation_ratio countries n_sites setting recruitment_start recruitment_end condition inclusion exclusion arms n_screened
n_randomised n_analysed n_planned n_clusters age_mean_or_median female_percent baseline_notes sequence_generation restriction
allocation_concealment masking masked_roles primary_outcomes secondary_outcomes follow_up sample_size_calculation
analysis_population statistical_method results adverse_events early_stopping limitations conclusion"""
COHORT = """title doi year journal first_author registration_ids funding conflicts countries n_sites setting design data_source
enrolment_period follow_up_median person_years population inclusion exclusion matching n_eligible n_included n_exposed
n_unexposed n_lost n_analysed age female_percent baseline_notes exposures comparator outcomes confounders adjustment_method
missing_data sensitivity_analyses associations subgroups limitations conclusion"""
PARTS = {
    (
        "rct",
        "arms",
    ): """name role description dose frequency route duration n_randomised n_received n_analysed n_lost""",
    ("rct", "primary_outcomes"): "name measure timepoint type",
    ("rct", "secondary_outcomes"): "name measure timepoint type",
    (
        "rct",
        "results",
    ): """outcome arm comparator timepoint events n mean sd effect_measure estimate ci_low ci_high p_value
        direction""",
    ("rct", "adverse_events"): "name arm events n serious",
    ("cohort", "exposures"): "name definition measurement levels n",
    ("cohort", "outcomes"): "name definition ascertainment timepoint events",
    (
        "cohort",
        "associations",
    ): """exposure level reference outcome measure crude estimate ci_low ci_high p_value model n
        events""",
}
TYPED = {
    "rct": {
        "integer": "year n_sites n_screened n_randomised n_analysed n_planned n_clusters",
        "number": "female_percent",
        "[string]": "registration_ids countries inclusion exclusion masked_roles",
        "[object]": "arms primary_outcomes secondary_outcomes results adverse_events",
    },
    "cohort": {
        "integer": "year n_sites n_eligible n_included n_exposed n_unexposed n_lost n_analysed",
        "number": "person_years female_percent",
        "[string]": "registration_ids countries inclusion exclusion confounders sensitivity_analyses subgroups",
        "[object]": "exposures outcomes associations",
    },
}
"""Types that are neither a text nor a choice."""
CHOICES = {
    "rct": {
        "report_type": "results protocol secondary_analysis pilot",
        "design": "parallel crossover cluster factorial stepped_wedge other",
        "framework": "superiority noninferiority equivalence exploratory",
        "arms.role": "experimental active placebo usual_care no_treatment",
        "sequence_generation": "computer table minimisation coin nonrandom not_reported",
        "restriction": "simple block stratified minimisation",
        "allocation_concealment": "central sealed_envelope pharmacy open not_reported",
        "masking": "open single double triple not_reported",
        "masked_roles": "participant provider assessor analyst",
        "primary_outcomes.type": "binary continuous time_to_event count",
        "secondary_outcomes.type": "binary continuous time_to_event count",
        "analysis_population": "itt mitt per_protocol other",
        "results.direction": "up down no_difference",
    },
    "cohort": {
        "design": "prospective retrospective ambispective nested_case_control registry cross_sectional_not_cohort",
        "associations.measure": "HR RR OR IRR MD beta",
    },
}
PART_TYPES = {
    "integer": {"n_randomised", "n_received", "n_analysed", "n_lost", "events", "n"},
    "number": {"mean", "sd", "estimate", "ci_low", "ci_high"},
    "boolean": {"serious", "crude"},
}
DETAILS = {f"{name}_detail" for name in ("sequence_generation", "restriction", "allocation_concealment")}
"""Choices that have words beside them."""
every = pytest.mark.parametrize("template", [each for name in templates.BUILT_IN for each in templates.versions(name)])


@pytest.mark.parametrize(("name", "wanted"), [("rct", RCT), ("cohort", COHORT)])
def test_a_template_asks_for_everything_that_a_review_needs(name, wanted):
    """What DOMAIN section 6 lists; more is welcome, less is a defect."""
    assert {field.name for field in templates.find(name).fields} >= set(wanted.split())


@pytest.mark.parametrize("name", TYPED)
def test_a_field_has_the_type_and_the_choices_that_a_review_needs(name):
    """Every field, and every part of a table."""
    kinds = {field: kind for kind, names in TYPED[name].items() for field in names.split()}
    parts = {part: kind for kind, names in PART_TYPES.items() for part in names}
    choices: dict[str, str] = {}
    for field in templates.find(name).fields:
        for place, each in ((field.name, field), *((f"{field.name}.{part.name}", part) for part in field.fields)):
            expected = (kinds if each is field else parts).get(each.name, "enum" if each.options else "string")
            assert each.type == expected, place
            if each.options:
                choices[place] = " ".join(each.options)
    assert choices == CHOICES[name]


@pytest.mark.parametrize("name", templates.BUILT_IN)
def test_the_docs_count_the_fields_of_the_newest_version(name):
    counted = re.findall(rf"^\| `{name}` \| [^|]+ \| (\d+) \|", (ROOT / "docs" / "templates.md").read_text(), re.M)
    assert counted == [str(len(templates.find(name).fields))]


def test_a_choice_has_words_beside_it_where_a_review_needs_both():
    assert {field.name for field in templates.find("rct").fields} >= DETAILS


@pytest.mark.parametrize(("place", "wanted"), PARTS.items())
def test_a_table_has_every_part_that_a_review_needs(place, wanted):
    (table,) = [field for field in templates.find(place[0]).fields if field.name == place[1]]
    assert [part.name for part in table.fields] == wanted.split()


def test_quality_asks_every_question_that_a_judgement_hangs_on():
    names = {field.name for field in templates.find("qc").fields}
    assert names >= {*rob2.QUESTIONS, *nos.STARS, "study_type_detected"}
    assert len(rob2.QUESTIONS) == 22


@every
def test_a_field_is_whole_when_it_is_built_in(template):
    """Names that an own copy may have, labels in both languages, a description, a section with labels, a known type."""
    fields = [*template.fields, *(part for field in template.fields for part in field.fields)]
    for field in fields:
        assert template_json.NAME.fullmatch(field.name)
        assert field.name not in template_json.RESERVED
        assert field.type in TYPES
        assert field.label
        assert field.description.endswith(".")
        assert not field.label_zh.isascii() or field.label_zh in {"DOI", "P", "N"}, field
        assert bool(field.fields) == (field.type == "[object]")
        assert len(field.options) > 1 or field.type != "enum"
    assert all(field.section in sections() for field in template.fields)
    assert all(part.type not in LISTS for field in template.fields for part in field.fields)


@every
def test_a_template_is_the_same_when_it_was_stored_and_read_again(template):
    assert restored(template_json.stored(template)) == template


@every
def test_a_built_in_template_could_be_anybodys_copy_when_its_own_json_is_sent(template):
    """What is shown can be sent back as it is: the page has nothing to take out."""
    told = template_json.shown(template, built_in=True)
    again = template_json.changed(
        template, {name: told[name] for name in ("label", "labelZh", "description", "fields")}
    )
    assert again.fields == template.fields
    assert again.version == template.version + 1


GIVEN = {"mainConfounder": "age {at} entry.", "adequateFollowUp": "5 years"}


def test_what_a_task_gives_stands_in_the_questions_that_hang_on_it():
    """And nowhere else; the template itself is as it was."""
    qc = templates.find("qc")
    filled = inputs.filled(qc, GIVEN)
    told = {field.name: field.description for field in filled.fields}
    changed = {field.name for field, other in zip(filled.fields, qc.fields, strict=True) if field != other}
    assert changed == {"nos_c1", "nos_c2", "nos_o2"}
    assert told["nos_c1"].endswith("This review holds the most important confounder to be: age {at} entry.")
    assert told["nos_o2"].endswith("For this review long enough is: 5 years.")
    assert templates.find("qc") is qc


def test_every_question_that_an_input_speaks_of_is_in_the_template():
    names = {field.name for field in templates.find("qc").fields}
    for each in inputs.of(templates.find("qc")):
        assert names >= set(each.fields)
        assert each.label_zh
        assert not each.label_zh.isascii()


def test_a_pin_has_the_inputs_in_it_and_is_the_same_for_the_same_ones():
    qc = templates.find("qc")
    pins = [
        inputs.filled(qc, given).pin for given in (GIVEN, dict(reversed(GIVEN.items())), {"mainConfounder": "sex"}, {})
    ]
    assert pins[0] == pins[1]
    assert len(set(pins)) == 3
    assert pins[3] == "qc@1"
    assert version_of(pins[0]) == 1
    assert stored_versions.EDITION.fullmatch(pins[0].partition("@")[2])
    assert templates.pinned(pins[0]) is None


def test_a_template_with_inputs_is_the_same_when_it_was_stored_and_read_again():
    filled = inputs.filled(templates.find("qc"), GIVEN)
    assert restored(json.loads(json.dumps(template_json.stored(filled)))) == filled


@pytest.mark.parametrize(
    ("name", "given", "says"), [("rct", GIVEN, "it takes none"), ("qc", {"dose": "5"}, "mainConfounder")]
)
def test_an_input_that_a_template_does_not_take_is_refused_by_its_name(name, given, says):
    with pytest.raises(InvalidRequest, match=says) as refused:
        inputs.filled(templates.find(name), given)
    assert refused.value.field == f"templateInputs.{min(given)}"


def test_a_copy_takes_the_inputs_of_the_questions_that_it_kept():
    qc = templates.find("qc")
    less = replace(qc, id="qc-3f08aace12", fields=tuple(field for field in qc.fields if field.name != "nos_o2"))
    assert [each.name for each in inputs.of(less)] == ["assessedOutcome", "mainConfounder"]


def test_a_pin_finds_its_version_and_nothing_else():
    assert templates.pinned("rct@1") is templates.versions("rct")[0]
    assert templates.pinned("rct@7") is None
    assert templates.pinned("rct-0123456789@1") is None


def test_versions_are_numbered_from_one_when_there_are_several():
    for name in templates.BUILT_IN:
        assert [each.version for each in templates.versions(name)] == list(range(1, len(templates.versions(name)) + 1))


def test_no_template_is_loaded_when_the_package_is_imported():
    """A cold start pays for what it uses."""
    code = "import sys, clinical.templates; print(sorted(name for name in sys.modules if name.startswith('clinical.templates')))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT / "layers" / "sheaf", capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "['clinical.templates', 'clinical.templates.fields']"


def test_nothing_that_is_secret_or_random_goes_into_a_built_in_template():
    """Two deploys of the same sources have the same templates: loaded in two processes, they are equal."""
    code = (
        "import json; from clinical import templates; from clinical.own_templates import template_json as editing;"
        "print(json.dumps([editing.stored(templates.find(name)) for name in templates.BUILT_IN]))"
    )
    runs = {
        subprocess.run(
            [sys.executable, "-c", code], cwd=ROOT / "layers" / "sheaf", capture_output=True, check=True
        ).stdout
        for _ in range(2)
    }
    assert len(runs) == 1
