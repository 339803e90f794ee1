"""The environment is read once, whole, and every mistake in it is named at once."""

import pytest

from sheaf import settings
from sheaf.errors import ConfigError
from sheaf.settings import Kind, PageSettings, WorkerSettings, read

GOOD = {
    "KINDS": "extract_paper q 4 retry clinical.extract_paper.work clinical.extract_paper.desk",
    "KIND": "extract_paper",
    "TASKS_TABLE": "t",
    "RESULTS_TABLE": "r",
    "GATES_TABLE": "g",
    "DATA_BUCKET": "b",
    "LEASE_SLACK_SECONDS": "60",
    "MODEL_TEXT_BYTES": "2000000",
    "REVIEWS_TABLE": "v",
    "READER_WALL": "required",
    "ENGINES": "default=rules\nopenai.model=\nopenai.url=\nbedrock.model=",
}


def test_settings_are_typed_when_the_environment_is_complete():
    read_ = read(WorkerSettings, GOOD)
    assert (read_.results_table, read_.lease_slack_seconds) == ("r", 60)
    assert read_.kinds["extract_paper"] == Kind(
        "extract_paper", "q", 4, "retry", "clinical.extract_paper.work", "clinical.extract_paper.desk"
    )


def test_each_kind_names_its_own_modules_when_there_are_several():
    """So that adding one touches nothing but its file and the template."""
    told = GOOD | {"KINDS": f"{GOOD['KINDS']}, probe p 4 retry probe clinical.extract_paper.desk"}
    kinds = read(WorkerSettings, told).kinds
    assert (list(kinds), kinds["probe"].module, kinds["probe"].desk) == (
        ["extract_paper", "probe"],
        "probe",
        "clinical.extract_paper.desk",
    )


def test_every_missing_name_is_named_at_once_when_several_are_missing():
    """One failed deployment, not six."""
    with pytest.raises(ConfigError) as raised:
        read(WorkerSettings, {"KIND": "extract_paper"})
    for name in GOOD.keys() - {"KIND"}:
        assert f"{name} is missing" in str(raised.value)
    assert "KIND is missing" not in str(raised.value)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("LEASE_SLACK_SECONDS", "a minute"),
        ("LEASE_SLACK_SECONDS", ""),
        ("ENGINES", "default=openai\nopenai.model=\nopenai.url="),
        ("ENGINES", "default=rules\nopenai.model=m\nopenai.url="),
        ("ENGINES", "default=rules\nopenai.model=m\nopenai.url=https://u\nopenai.color=red"),
        ("ENGINES", "default=rules\nopenai.model=m\nopenai.url=https://u\nopenai.extra={"),
        ("ENGINES", "default=rules\nopenai.model=m\nopenai.url=https://u\nopenai.call_seconds=long"),
        ("ENGINES", "openai.model=m\nopenai.url=https://u"),
        ("ENGINES", "default=rules\nbedrock.model=m\nbedrock.price=cheap"),
        ("KINDS", ""),
        ("KINDS", "a q"),
        ("KINDS", "a q many retry"),
        ("KINDS", "a q 1 retry"),
        ("KINDS", "a q 1 retry module"),
        ("KINDS", "a q 1 retry,"),
    ],
)
def test_an_unreadable_value_is_named_when_the_other_names_are_missing_too(name, value):
    """Missing and unreadable names come in the same message."""
    with pytest.raises(ConfigError) as raised:
        read(WorkerSettings, {name: value})
    assert f"{name} is unreadable" in str(raised.value)
    assert "RESULTS_TABLE is missing" in str(raised.value)


@pytest.mark.parametrize(
    ("url", "is_taken"),
    [
        ("https://api.deepseek.com/v1", True),
        ("https://10.0.0.7:8443", True),
        ("http://127.0.0.1:8080/v1", True),
        ("http://[::1]:8080/v1", True),
        ("http://localhost:8080/v1", True),
        ("http://10.1.2.3/v1", True),
        ("http://192.168.7.7:8000", True),
        ("http://vllm.internal:8000/v1", True),
        ("http://api.deepseek.com/v1", False),
        ("http://8.8.8.8/v1", False),
        ("http://localhost.example.org/v1", False),
        ("http://127.0.0.1.example.org/v1", False),
        ("http://10.0.0.1@example.org/v1", False),
        ("https://user:word@example.org/v1", False),
        ("https://", False),
        ("https://example.org:port/v1", False),
        ("ftp://example.org", False),
        ("api.deepseek.com", False),
    ],
)
def test_an_endpoint_is_asked_in_the_clear_when_it_is_next_door_and_only_then(url, is_taken):
    """The key and the papers go there."""
    told = GOOD | {"ENGINES": f"default=rules\nopenai.model=m\nopenai.url={url}"}
    if is_taken:
        assert read(WorkerSettings, told).engines.models["openai"].url == url
    else:
        with pytest.raises(ConfigError, match="https"):
            read(WorkerSettings, told)


def test_a_value_is_taken_as_it_is_when_it_holds_a_quote_or_a_sign_of_the_format():
    """Mutation caught: settings read as JSON out of the template, in which a quote breaks every function."""
    lines = [
        "default=rules",
        'openai.model=a"b=c.d',
        "openai.url=https://u?x=1",
        'openai.extra={"a": "b=c"}',
        "openai.call_seconds=7",
    ]
    found = read(WorkerSettings, GOOD | {"ENGINES": "\n".join(lines)}).engines.models["openai"]
    assert (found.model, found.url, found.extra, found.call_seconds) == ('a"b=c.d', "https://u?x=1", {"a": "b=c"}, 7)


def test_names_and_values_are_read_when_they_are_plain_words():
    """A value may hold an equals sign. Mutation caught: a split at the last one."""
    page = {"SIGN_IN": "endpoint=https://c.example/?a=b clientId=c", "BUCKET_ORIGINS": "", "SAMPLES": "true"}
    assert read(PageSettings, page).sign_in == {"endpoint": "https://c.example/?a=b", "clientId": "c"}
    with pytest.raises(ConfigError, match="SIGN_IN is unreadable"):
        read(PageSettings, page | {"SIGN_IN": "nothing"})


def test_nothing_else_is_read_when_the_environment_holds_more():
    """Unknown names belong to others."""
    assert vars(read(WorkerSettings, GOOD | {"PATH": "/bin"})) == vars(read(WorkerSettings, GOOD))


def test_the_process_environment_is_read_when_no_other_is_given(monkeypatch):
    for name, value in GOOD.items():
        monkeypatch.setenv(name, value)
    assert settings.read(WorkerSettings).kind == "extract_paper"
