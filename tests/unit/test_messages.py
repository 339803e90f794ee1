"""Messages carry ids only, stay small, and are hints: what cannot be read is nothing."""

import json
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sheaf.items import MESSAGE_MAX, shard_key, task_key
from sheaf.protocol.row_messages import decode, encode
from tests.support.items import a_row

PROJECTS = st.text(alphabet=string.ascii_lowercase + string.digits + "-", min_size=1, max_size=40)
TASKS = st.text(alphabet=string.ascii_letters + string.digits + "-_", min_size=1, max_size=40)
JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["v", "s", "r"]), inner, max_size=3),
    max_leaves=6,
)


@given(PROJECTS, TASKS, st.integers(0, 9_999), st.integers(0, 9_999))
def test_a_message_finds_its_row_again_when_it_is_read(project, task, shard, row):
    """What is encoded is decoded, project and task included."""
    key = task_key(project, task)
    written = a_row(shard=shard_key(key, shard), row=row)
    address = decode(encode(written))
    assert address is not None
    assert address.key == {"shard": written.shard, "row": row}
    assert address.task == key


def test_a_message_stays_under_200_bytes_when_its_ids_are_as_long_as_they_may_be():
    """40 letters for a project, 40 for a task, the last row of the last shard."""
    longest = a_row(shard=shard_key(task_key("p" * 40, "t" * 40), 9_999), row=999_999)
    assert len(encode(longest).encode()) < MESSAGE_MAX == 200


def test_a_message_is_not_made_when_it_would_carry_more_than_ids():
    """The assertion is the product's own: mutation caught: its removal."""
    beside_the_shard = len(encode(a_row(shard="")))
    assert len(encode(a_row(shard="s" * (MESSAGE_MAX - 1 - beside_the_shard)))) == MESSAGE_MAX - 1
    with pytest.raises(AssertionError):
        encode(a_row(shard="s" * (MESSAGE_MAX - beside_the_shard)))


@pytest.mark.parametrize(
    "body",
    [
        "",
        "{",
        "null",
        "7",
        "[]",
        '"text"',
        "{}",
        '{"v": 1}',
        '{"v": 1, "s": "p/t/0000"}',
        '{"v": 1, "r": 0}',
        '{"v": 2, "s": "p/t/0000", "r": 0}',
        '{"v": 1, "s": "p/t/0000", "r": "0"}',
        '{"v": 1, "s": "p/t/0000", "r": 0.5}',
        '{"v": 1, "s": "p/t/0000", "r": true}',
        '{"v": 1, "s": "p/t/0000", "r": null}',
        '{"v": 1, "s": 7, "r": 0}',
        '{"v": 1, "s": ["a/b/c"], "r": 0}',
        '{"v": 1, "s": "p/0000", "r": 0}',
        '{"v": 1, "s": "p/t/u/0000", "r": 0}',
        '{"v": 1, "s": "p/t/0000", "r": -1}',
        '{"v": 1, "s": "p/t/0000", "r": 1e3}',
        f'{{"v": 1, "s": "p/t/0000", "r": {10**40}}}',
        '{"v": 1, "s": "//", "r": 0}',
        '{"v": 1, "s": "p/t/", "r": 0}',
        r'{"v": 1, "s": "\ud800/t/0000", "r": 0}',
        f'{{"v": 1, "s": "p/{"t" * 3000}/0000", "r": 0}}',
        "[" * 100_000,
    ],
)
def test_a_message_is_nothing_when_it_cannot_be_read(body):
    """It is acknowledged: raising, here or at a key that DynamoDB refuses, would offer it again for days."""
    assert decode(body) is None


@given(st.one_of(st.text(), JSON.map(json.dumps)))
def test_a_message_names_a_usable_key_or_nothing_when_it_is_any_text(body):
    """Never an exception, and never a key that DynamoDB would choke on."""
    address = decode(body)
    if address is not None:
        assert type(address.row) is int
        assert address.shard.count("/") == 2
        address.shard.encode()
