"""An intake that dies in mid-document, on the deployed stack: SIGKILL for it and for the process in which it read the file."""

import json

import pytest

from clinical.library.document_lifecycle import State
from tests.support.deployed import eventually

pytestmark = [pytest.mark.emulator, pytest.mark.slow]


@pytest.fixture(scope="module")
def ended(deployed, killed_intake):
    """The document, once nobody is at it any more."""
    left = killed_intake.left

    def at_rest():
        found = deployed.document(left.document)
        return found if found.state != State.READING else None

    return eventually(at_rest, "its second reading", within=420)


def test_the_document_is_claimed_and_half_done_when_its_intake_dies(killed_intake):
    """Claimed for its function's 60 seconds and the slack of 60; nothing of it can be used."""
    left = killed_intake.left
    assert (left.state, left.attempt, left.tries, left.usable) == (State.READING, 1, 1, None)
    assert 60_000 < left.lease_until - left.updated_at <= 120_000


def test_the_document_is_ready_when_the_lease_of_the_dead_intake_is_over(killed_intake, ended):
    """The sweep repeats it, not earlier: one attempt and one try more, by another claim."""
    left = killed_intake.left
    assert (ended.state, ended.attempt, ended.tries) == (State.READY, 2, 2)
    assert ended.token != left.token
    assert ended.updated_at > left.lease_until


def test_the_text_is_whole_when_the_document_was_read_a_second_time(deployed, killed_intake, ended):
    """And what the first reading may have left is not what is pointed at: the key holds the attempt."""
    usable = ended.usable
    stored = deployed.client("s3").get_object(
        Bucket=deployed.physical("DataBucket"), Key=usable["text_key"], VersionId=usable["text_version"]
    )
    pages = json.loads(stored["Body"].read())["pages"]
    assert "\f".join(page["text"] for page in pages).strip() == killed_intake.content.decode().strip()
