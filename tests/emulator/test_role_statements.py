"""What each role may do, word for word: a change of rights is a change of the file beside this one, to be read."""

from pathlib import Path

from tests.support import roles, stack_file

FOR_ENGINES = (
    "provider/",
    "BatchGetItem on GatesTable",
    "replies/*",
    "templates/*",
    "secretsmanager:",
    "bedrock:",
    "VPC",
    "ec2:",
)
SNAPSHOT = Path(__file__).with_name("roles.txt")


def test_every_role_is_as_it_was_reviewed_when_the_template_is_read():
    """If the change is meant: `python -m tests.support.roles > tests/emulator/roles.txt`, and say why in the commit."""
    assert roles.described(stack_file.load()).splitlines() == SNAPSHOT.read_text().splitlines()


def test_the_probe_s_worker_may_do_what_a_real_worker_may_when_the_overlay_is_laid_on():
    """Otherwise what the probe shows on the emulator would say nothing about a paper's worker."""
    blocks = {block.partition("\n")[0]: block for block in roles.described(stack_file.probed()).split("\n\n")}
    mine = set(blocks["ProbeFunctionRole"].replace("Probe", "ExtractPaper").splitlines())
    theirs = set(blocks["ExtractPaperFunctionRole"].splitlines())
    assert mine <= theirs
    # What is left belongs to engines, templates and a network of one's own, which the probe has none of.
    assert all(any(word in line for word in FOR_ENGINES) for line in theirs - mine)
