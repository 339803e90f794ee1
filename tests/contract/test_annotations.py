"""What a signature says: few of the product's annotations say nothing, and no verb gets a world that says nothing. ADR 39."""

import ast

import pytest

from tests.support import annotations
from tests.support.syntax import everywhere, tree

SAY_NOTHING = 6.0
"""Of a hundred annotations."""


def test_few_annotations_say_nothing_when_all_of_the_product_are_counted():
    found = annotations.everywhere()
    share = annotations.share(found)
    assert share <= SAY_NOTHING, f"{share:.1f} %: `python -m tests.support.annotations --all` lists them"


@everywhere
def test_a_verb_is_given_no_world_of_just_any_settings(path):
    arguments = [node for node in ast.walk(tree(path)) if isinstance(node, ast.arg)]
    assert not [node.lineno for node in arguments if node.annotation and "World[Any]" in ast.unparse(node.annotation)]


@pytest.mark.parametrize(
    ("annotation", "says_nothing"),
    [
        ("Any", True),
        ("object", True),
        ("list[dict[str, Any]] | None", True),
        ("Mapping[str, int]", True),
        ("Callable[[Any], int]", True),
        ("'Mapping[str, int]'", True),
        ("Found", True),
        ("list[Found]", True),
        ("Deep", True),
        ("dict[str, int]", False),
        ("Mapping[int, str]", False),
        ("Literal['any']", False),
        ("Plain", False),
    ],
)
def test_an_annotation_says_nothing_when_any_part_of_it_says_nothing(annotation, says_nothing):
    source = f"Found = dict[str, Any]\nDeep: TypeAlias = list[Found]\nPlain = dict[str, int]\ndef read(told: {annotation}): ...\n"
    assert [each.empty for each in annotations.of({"a.py": source})] == [says_nothing]


def test_a_name_for_a_type_counts_where_it_is_imported_and_nowhere_else():
    files = {
        "a.py": "Found = dict[str, Any]\n",
        "b.py": "from a import Found\ndef read(told: Found): ...\n",
        "c.py": "class Found: ...\ndef read(told: Found): ...\n",
        "d.py": "import a\ndef read(*told: a.Found) -> None: ...\n",
    }
    assert [each.empty for each in annotations.of(files)] == [True, False, True, False]
