"""The bench is run seldom: what would stop it is noticed here."""

import pytest

from bench.place import FROZEN
from tests.support import kinds, stack_file
from tests.support.policies import may

ROOT = stack_file.ROOT


@pytest.mark.parametrize("function", ["ProbeFunction", "BareFunction"])
def test_both_workers_may_read_the_document_when_they_are_compared(function):
    """Mutation caught: the document moves to another prefix, and the bare worker waits for it for ever."""
    made = kinds.merged(stack_file.probed(), stack_file.load(ROOT / "bench" / "overlay.yaml"))
    key = FROZEN.format(project="demo", sleep=50)
    assert may(made, function, "s3:GetObject", "${DataBucket.Arn}/" + key, {})
