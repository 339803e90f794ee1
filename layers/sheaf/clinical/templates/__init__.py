"""What is read from a paper. Three templates are built in, each a module that is imported when first asked for.

A project's own copies are stored: that is `clinical.own_templates.copies`.
A built-in template is code, so it is there as soon as the code is: a second deploy of the same sources changes nothing.
"""

from functools import cache
from importlib import import_module

from clinical.templates.fields import Field, Template, section_labels

__all__ = ["BUILT_IN", "Field", "Template", "find", "pinned", "section_labels", "versions"]

BUILT_IN = ("rct", "cohort", "qc")


@cache
def versions(template_id: str) -> tuple[Template, ...]:
    """Every version of a built-in template, oldest first."""
    module = import_module(f"clinical.templates.{template_id}")
    found: tuple[Template, ...] = module.VERSIONS
    return found


def find(template_id: str) -> Template:
    """The current version of a built-in template."""
    return versions(template_id)[-1]


def pinned(pin: str) -> Template | None:
    """The built-in template that a row was started with; None for the pin of a copy."""
    template_id, _, version = pin.partition("@")
    if template_id not in BUILT_IN:
        return None
    return next((each for each in versions(template_id) if str(each.version) == version), None)
