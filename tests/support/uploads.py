"""Files on their way into the library, over HTTP and by their forms."""

import hashlib
from typing import Any

from tests.support.bench import Bench

BASES = "/pkb/knowledge-bases"


def told(content: bytes, name: str = "a.txt") -> dict[str, Any]:
    return {"filename": name, "size": len(content), "sha256": hashlib.sha256(content).hexdigest()}


def announced(bench: Bench, base: str, content: bytes = b"Some text.", name: str = "a.txt") -> Any:
    """A document whose bytes are awaited."""
    status, body = bench.http("POST", f"{BASES}/{base}/documents", {"files": [told(content, name)]})
    assert status == 201, body
    return body["uploads"][0]


def uploaded(
    bench: Bench, base: str, content: bytes = b"Some text.", *, name: str = "a.txt", notice: bool = True
) -> str:
    """A document whose bytes have come. Gives its id."""
    answer = announced(bench, base, content, name)
    bench.arrive(answer["upload"]["fields"]["key"], content, told=notice)
    return str(answer["document"]["documentId"])
