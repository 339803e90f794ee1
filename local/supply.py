"""`make audit` and `make sbom`: what is known against the packages in the locks, and a list of them (CycloneDX).

An audit asks PyPI and the npm registry what they know today; a package that they could not be asked about was not audited, and
that is said, and not called clean.
"""

import json
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from local import LocalError, web
from local.settings import HOME, ROOT, node_environment

TOOLS = ROOT / ".venv" / "supply" / "bin"
SHIPPED = ("layers/sheaf/requirements.txt", "layers/papers/requirements.txt", "layers/tables/requirements.txt")
LOCKS = (*SHIPPED, "requirements/dev.txt", "requirements/containers.txt", "requirements/supply.txt")
PAGE = "web/package-lock.json"
LIST = ("sbom", "--sbom-format", "cyclonedx", "--package-lock-only", "--omit", "dev")
OFFLINE = "NOT AUDITED: could not be asked about (is there a network?)"

Found = dict[str, list[str]]
"""What is known against each package, or that it could not be asked about; nothing of one against which nothing is."""


def audit() -> int:
    """0 where nothing is known against any package, 1 where something is, 2 where some could not be asked about."""
    tool = [str(TOOLS / "pip-audit"), "--disable-pip", "--require-hashes", "-f", "json", "-r"]
    found = {lock: pip_says(_run([*tool, lock])) for lock in LOCKS}
    found[PAGE] = npm_says(_run(web.npm("audit", "--package-lock-only", "--json")))
    said = [line for lock, each in found.items() for line in _lines(lock, each)]
    last = f"{len(said) or 'No'} lines to read, asked on {datetime.now(UTC):%Y-%m-%d}."
    sys.stdout.writelines(f"{line}\n" for line in (*said, last))
    return 0 if not said else 2 if all(OFFLINE in line for line in said) else 1


def _lines(lock: str, found: Found) -> list[str]:
    lines = [f"{lock}: {package}: {', '.join(known)}" for package, known in found.items() if known != [OFFLINE]]
    skipped = [package for package, known in found.items() if known == [OFFLINE]]
    return lines + ([f"{lock}: {', '.join(skipped[:3])}{' …' * (len(skipped) > 3)} {OFFLINE}"] if skipped else [])  # noqa: PLR2004


def pip_says(text: str) -> Found:
    """What `pip-audit -f json` found."""
    deps = _read(text).get("dependencies")
    if deps is None:
        return {"every package": [OFFLINE]}
    found = {each["name"]: [OFFLINE] if "skip_reason" in each else [it["id"] for it in each["vulns"]] for each in deps}
    return {name: known for name, known in found.items() if known}


def npm_says(text: str) -> Found:
    """What `npm audit --json` found."""
    found = _read(text).get("vulnerabilities")
    return {"every package": [OFFLINE]} if found is None else {name: [each["severity"]] for name, each in found.items()}


def sbom() -> None:
    """What is deployed, package by package: a file a lock. Raises LocalError."""
    folder = HOME / "sbom"
    folder.mkdir(parents=True, exist_ok=True)
    asked = {lock: [str(TOOLS / "cyclonedx-py"), "requirements", lock, "--of", "JSON", "-o", "-"] for lock in SHIPPED}
    asked[PAGE] = web.npm(*LIST)
    for lock, listing in asked.items():
        listed = _read(_run(listing))
        if "components" not in listed:
            raise LocalError(f"No list could be made of {lock}.")
        place = folder / f"{lock.split('/')[-2]}.cdx.json"
        place.write_text(json.dumps(listed, indent=1) + "\n")
        sys.stdout.write(f"{place.relative_to(ROOT)}: {len(listed['components'])} packages of {lock}\n")


def _run(asking: Sequence[str]) -> str:
    folder = web.WEB if asking[0].endswith("node") else ROOT
    ended = subprocess.run(asking, check=False, cwd=folder, env=node_environment(), capture_output=True, text=True)
    return ended.stdout


def _read(text: str) -> dict[str, Any]:
    """JSON, or nothing where a tool had nothing to say."""
    with suppress(ValueError):
        if isinstance(content := json.loads(text), dict):
            return content
    return {}
