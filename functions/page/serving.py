"""A folder of files as HTTP answers. Only names that the build wrote down are served: no path leads out of it."""

import base64
import gzip
import json
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

from sheaf.settings import PageSettings

_WORDS: dict[str, dict[str, str]] = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
KINDS, ALWAYS, POLICY = _WORDS["kinds"], _WORDS["headers"], _WORDS["policy"]
SAID = {"Content-Type": KINDS[".txt"], "Cache-Control": "no-store"}
ENCODINGS = {"br": ".br", "gzip": ".gz"}


def policy(connects: list[str]) -> str:
    rules = {**POLICY, "connect-src": " ".join((POLICY["connect-src"], *connects))}
    return "; ".join(f"{name} {sources}" for name, sources in rules.items())


class Site(NamedTuple):
    folder: Path
    tags: dict[str, str]
    headers: dict[str, str]
    config: bytes

    @classmethod
    def read(cls, folder: Path, settings: PageSettings) -> "Site":
        endpoint = urlsplit(settings.sign_in["endpoint"])
        connects = [f"{endpoint.scheme}://{endpoint.netloc}", *settings.bucket_origins.split()]
        headers = {**ALWAYS, "Content-Security-Policy": policy(sorted(set(connects)))}
        has_samples = settings.samples == "true"
        config = json.dumps({"signIn": settings.sign_in, "samples": has_samples}).encode()
        tags = json.loads((folder / "files.json").read_text())
        offered = {name: tag for name, tag in tags.items() if has_samples or not name.startswith("samples/")}
        return cls(folder, offered, headers, config)

    def answer(self, path: str, headers: dict[str, str], method: str = "GET") -> dict[str, Any]:
        """The file at this path, for HEAD without its content; 405 for any other method than these two."""
        if method not in {"GET", "HEAD"}:
            return self._sent(405, b"The page's files are only read.", {**SAID, "Allow": "GET, HEAD"})
        found = self._file(path, headers)
        return {**found, "body": ""} if method == "HEAD" else found

    def _file(self, path: str, headers: dict[str, str]) -> dict[str, Any]:
        name = unquote(path).strip("/") or "index.html"
        if name == "config.json":
            return self._sent(200, self.config, {**SAID, "Content-Type": KINDS[".json"]})
        if name not in self.tags:
            return self._sent(404, b"There is nothing at this address.", SAID)
        tag = f'W/"{self.tags[name]}"'
        kept = "public, max-age=31536000, immutable" if name.startswith("assets/") else "public, no-cache"
        caching = {"ETag": tag, "Cache-Control": kept, "Vary": "Accept-Encoding"}
        if tag in headers.get("if-none-match", ""):
            return self._sent(304, b"", caching)
        content, encoding = self._content(name, headers.get("accept-encoding", ""))
        kind = KINDS.get(Path(name).suffix, "application/octet-stream")
        return self._sent(200, content, {**caching, **encoding, "Content-Type": kind})

    def _content(self, name: str, accepted: str) -> tuple[bytes, dict[str, str]]:
        wanted = {each.partition(";")[0].strip() for each in accepted.split(",")}
        for encoding, suffix in ENCODINGS.items():
            packed = self.folder / (name + suffix)
            if encoding in wanted and packed.exists():
                return packed.read_bytes(), {"Content-Encoding": encoding}
        plain = self.folder / name
        if plain.exists():
            return plain.read_bytes(), {}
        return gzip.decompress((self.folder / f"{name}.gz").read_bytes()), {}

    def _sent(self, status: int, content: bytes, headers: dict[str, str]) -> dict[str, Any]:
        body = base64.b64encode(content).decode()
        return {"statusCode": status, "headers": {**self.headers, **headers}, "body": body, "isBase64Encoded": True}
