"""Writes down what the model said, and what became of it, for `tests/integration/test_recorded.py`."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.real_model.serving import Said
from tests.support.recorded import CELLS, FOLDER, REPLIES, key


def write(said: Sequence[Said], groups: Mapping[str, Mapping[str, Any]]) -> None:
    FOLDER.mkdir(exist_ok=True)
    replies = {key(each.asked): each.replied for each in said}
    _lines(REPLIES, [{"asked": asked, **_kept(reply)} for asked, reply in sorted(replies.items())])
    rows = ((group, name, row) for group, found in groups.items() for name, row in sorted(found.items()))
    _lines(CELLS, [{"group": group, "paper": name, "cells": cells(row)} for group, name, row in rows])


def _kept(reply: Mapping[str, Any]) -> dict[str, Any]:
    (choice,) = reply["choices"]
    usage = {name: reply["usage"][name] for name in ("prompt_tokens", "completion_tokens")}
    return {"text": choice["message"]["content"], "stop": choice["finish_reason"], "usage": usage}


def cells(row: Mapping[str, Any]) -> dict[str, Any]:
    """What is compared: a cell's state, value and quote."""
    fields = (row["extractedData"] or {}).get("fields") or {}
    return {name: [value["state"], value["value"], value.get("quote")] for name, value in fields.items()}


def _lines(file: Path, told: Sequence[Any]) -> None:
    file.write_text("".join(json.dumps(each, ensure_ascii=False) + "\n" for each in told), "utf-8")
