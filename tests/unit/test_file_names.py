"""A file's name on a row: short, because rows are read at every sweep, and still telling."""

from hypothesis import given
from hypothesis import strategies as st

from sheaf.items import FILENAME_MAX
from sheaf.protocol.manifest import cut


def test_a_name_stays_as_it_is_when_it_is_short_enough():
    name = "a" * (FILENAME_MAX - 4) + ".txt"
    assert cut(name) == name


def test_a_name_keeps_its_start_and_its_type_when_it_is_cut():
    """The end says what it is, the start which one."""
    short = cut("Attia 2017 " + "x" * 200 + ".txt")
    assert short.startswith("Attia 2017 ")
    assert short.endswith(".txt")
    assert "…" in short


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=300))
def test_a_name_is_never_longer_than_allowed_when_its_letters_take_several_bytes(name):
    """Bytes count; no letter is cut into halves; what is short is untouched."""
    short = cut(name)
    assert len(short.encode()) <= FILENAME_MAX
    assert (short == name) == (len(name.encode()) <= FILENAME_MAX)
    assert "\ufffd" not in short or "\ufffd" in name
