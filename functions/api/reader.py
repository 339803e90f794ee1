"""The API's description for a reader: one section an operation, no script."""

import html
from typing import Any

import openapi
from routes import Operation

STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;color:#1b2733}"
    "h2{font:600 1rem/1.4 ui-monospace,monospace;margin:2rem 0 .25rem}code{background:#eef2f5;padding:.1em .3em}"
    "dt{font-family:ui-monospace,monospace}dd{margin:0 0 .3rem 1.5rem}"
)


def page() -> str:
    sections = "".join(section(item) for item in openapi.OPERATIONS)
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Sheaf API</title><style>{STYLE}</style>'
        "<h1>Sheaf API</h1><p>Sign in with Cognito and send the access token as <code>Authorization: Bearer …</code>. "
        f'The same for programs: <a href="openapi.json">openapi.json</a>.</p>{sections}</html>'
    )


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
