"""axe-core over what a tab shows: what it finds, in words."""

from pathlib import Path
from typing import Any

SOURCE = Path(__file__).resolve().parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


def violations(page: Any) -> list[str]:
    """Each violation with where it is; an empty list is what is wanted."""
    page.evaluate(SOURCE.read_text() + "; void 0")
    found = page.evaluate(
        "rules => axe.run(document, {runOnly: {type: 'tag', values: rules}}).then(r => r.violations.map(v =>"
        " `${v.id}: ${v.help} (${v.nodes.map(n => n.target.join(' ')).slice(0, 4).join(' | ')})`))",
        RULES,
    )
    return list(found)
