"""What a real model said, once, to questions about the samples: replayed where CI wants a model's own words."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from clinical.own_templates import template_json
from clinical.templates import find

FOLDER = Path(__file__).parents[1] / "data" / "recorded"
REPLIES, CELLS = FOLDER / "replies.jsonl", FOLDER / "cells.jsonl"
FIELDS = (
    "n_randomised", "design", "framework", "masking", "masked_roles", "countries", "n_sites", "setting", "condition",
    "registration_ids", "n_analysed", "female_percent", "follow_up", "conclusion",
)  # fmt: skip
CLONE, TEMPLATES = "/asl/extraction/templates/rct/clone", "/asl/extraction/templates"


def key(body: dict[str, Any]) -> str:
    """Of a request: what was said to the model, and with how much chance."""
    asked = json.dumps([body["messages"], body.get("temperature")], ensure_ascii=False)
    return hashlib.sha256(asked.encode(errors="replace")).hexdigest()[:32]


def template_of(ask: Callable[..., Any], fields: tuple[str, ...]) -> str:
    """A copy of the trials' template with these fields alone."""
    made = ask("POST", CLONE, {"label": "For a real model"})
    shown: Any = template_json.shown(find("rct"), built_in=True)["fields"]
    names = ("name", "type", "label", "labelZh", "description", "section", "options", "fields")
    chosen = [{name: each[name] for name in names if each.get(name)} for each in shown if each["name"] in fields]
    change = {"version": made["version"], "fields": chosen}
    return str(ask("PUT", f"{TEMPLATES}/{made['templateId']}", change)["templateId"])


def lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]
