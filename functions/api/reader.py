"""The API's description for a reader: one section an operation, no script."""

import html
from pathlib import Path
from string import Template
from typing import Any

import openapi
from routes import Operation

PAGE = Template(Path(__file__).with_suffix(".html").read_text("utf-8").rstrip("\n"))


def page() -> str:
    return PAGE.substitute(sections="".join(section(item) for item in openapi.OPERATIONS))


def section(item: Operation) -> str:
    shape = openapi.document()["components"]["schemas"].get(item.takes or "", {}).get("properties", {})
    fields = "".join(f"<dt>{name}</dt><dd>{html.escape(_said(value))}</dd>" for name, value in shape.items())
    asked = "".join(f"<dt>?{name}</dt><dd>{html.escape(each['description'])}</dd>" for name, each in item.asked.items())
    access = "open to all" if item.open_to_all else "signed in"
    return (
        f"<h2>{item.method} {html.escape(item.path)}</h2><p>{html.escape(item.summary)} Answers {item.status}, "
        f"{access}.</p><dl>{fields}{asked}</dl>"
    )


def _said(shape: dict[str, Any]) -> str:
    if "enum" in shape:
        return " or ".join(shape["enum"])
    kind = shape.get("type", "anything")
    return kind if isinstance(kind, str) else " or ".join(kind)
