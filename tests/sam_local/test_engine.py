"""Where no container engine can be had, that is said with what to do; where one can, nothing is."""

import os

from local.sam_local import engine
from local.settings import tool_environment


def test_the_reason_names_what_is_missing_when_no_engine_can_be_had(monkeypatch, tmp_path):
    """A machine with neither Docker nor Debian's tools."""
    monkeypatch.setenv("PATH", str(tmp_path))
    reason = engine.obstacle({"PATH": str(tmp_path)})
    assert reason is not None
    assert "without apt-get, dpkg, ip, setpriv" in reason
    assert "docs/sam-local.md" in reason


def test_the_reason_is_the_user_when_it_is_not_root(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    for tool in engine.TOOLS:
        place = tmp_path / tool
        place.touch()
        place.chmod(0o755)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    reason = engine.obstacle(tool_environment("http://127.0.0.1:9", tmp_path))
    assert reason is not None
    assert "by another user than root" in reason
