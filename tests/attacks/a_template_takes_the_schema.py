"""An editor of one project wants another project's papers to be read worse: a template that the provider refuses by schema,
so that all are asked in a plainer way from then on. The wall: what was found out is known of one project's template.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

from tests.support import model_engines
from tests.support.bench import stack
from tests.support.provider import serving
from tests.support.two_projects import (
    EVIL,
    LAB,
    formats,
    good,
    opened,
    own_template,
    refusing_wide_schemas,
    take_turns,
)


def attack(*, walls: bool) -> list[str]:
    """In which plainer way another's paper is asked for; without the wall, one of the same project and template."""
    victim = LAB if walls else EVIL
    with TemporaryDirectory() as folder, stack(Path(folder) / "calls") as bench, serving() as provider:
        model_engines.configure(bench, provider)
        provider.choose = refusing_wide_schemas
        template = own_template(bench, EVIL, 30)
        opened(bench, EVIL, good(1), templateId=template)
        take_turns(bench)
        before = len(provider.calls)
        opened(bench, victim, ["A paper."], templateId="rct" if walls else template)
        take_turns(bench)
        asked = formats(provider)[before:]
    return [way for way in asked if way != "json_schema"]
