"""A reference model of S3 with versions, and of the two small services beside it: event bus and asynchronous invoke."""

import io
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from tests.simulation.dynamo import refused
from tests.simulation.expressions import Unknown


@dataclass
class Version:
    id: str
    content: bytes | None
    """None is a delete marker."""
    at: int
    by: Any = None
    """The process that wrote it."""


class S3:
    """One bucket, versioned."""

    def __init__(self) -> None:
        self.objects: dict[str, list[Version]] = {}
        self.made = 0
        self.page = 1000

    def put_object(self, ctx: Any, *, Bucket: str, Key: str, Body: bytes, ContentType: str) -> dict[str, Any]:
        self.made += 1
        version = Version(f"v{self.made}", bytes(Body), ctx.kernel.now, ctx)
        self.objects.setdefault(Key, []).append(version)
        return {"VersionId": version.id}

    def get_object(self, ctx: Any, *, Bucket: str, Key: str, VersionId: str | None = None) -> dict[str, Any]:
        found = self.find(Key, VersionId)
        if found is None:
            raise refused("NoSuchVersion" if VersionId and Key in self.objects else "NoSuchKey", "GetObject", 404)
        if found.content is None:
            raise refused("MethodNotAllowed" if VersionId else "NoSuchKey", "GetObject", 405 if VersionId else 404)
        return {"Body": io.BytesIO(found.content), "VersionId": found.id}

    def head_object(self, ctx: Any, *, Bucket: str, Key: str) -> dict[str, Any]:
        found = self.find(Key)
        if found is None or found.content is None:
            raise refused("404", "HeadObject", 404)
        return {"VersionId": found.id, "ContentLength": len(found.content)}

    def find(self, key: str, version: str | None = None) -> Version | None:
        versions = self.objects.get(key, [])
        if version is None:
            return versions[-1] if versions else None
        return next((found for found in versions if found.id == version), None)

    def delete_object(self, ctx: Any, *, Bucket: str, Key: str, VersionId: str | None = None) -> dict[str, Any]:
        if VersionId is None:
            self.made += 1
            self.objects.setdefault(Key, []).append(Version(f"v{self.made}", None, ctx.kernel.now))
            return {"DeleteMarker": True}
        left = [found for found in self.objects.get(Key, []) if found.id != VersionId]
        self.objects[Key] = left
        if not left:
            del self.objects[Key]
        return {}

    def list_objects_v2(
        self, ctx: Any, *, Bucket: str, Prefix: str, Delimiter: str, ContinuationToken: str = ""
    ) -> dict[str, Any]:
        current = [
            key for key in sorted(self.objects) if key.startswith(Prefix) and self.objects[key][-1].content is not None
        ]
        if any(Delimiter not in key[len(Prefix) :] for key in current):
            raise Unknown("only common prefixes are modelled")
        below = sorted({Prefix + key[len(Prefix) :].partition(Delimiter)[0] + Delimiter for key in current})
        left = [prefix for prefix in below if prefix > ContinuationToken]
        page = left[: self.page]
        more = (
            {"IsTruncated": True, "NextContinuationToken": page[-1]}
            if len(left) > len(page)
            else {"IsTruncated": False}
        )
        return {"CommonPrefixes": [{"Prefix": prefix} for prefix in page], **more}

    def list_object_versions(
        self, ctx: Any, *, Bucket: str, Prefix: str, KeyMarker: str = "", VersionIdMarker: str = ""
    ) -> dict[str, Any]:
        every = [
            (key, found)
            for key in sorted(self.objects)
            if key.startswith(Prefix)
            for found in reversed(self.objects[key])
        ]
        start = next(
            (n + 1 for n, (key, found) in enumerate(every) if (key, found.id) == (KeyMarker, VersionIdMarker)), 0
        )
        page = every[start : start + self.page]
        shown = [
            (
                found.content is None,
                {"Key": key, "VersionId": found.id, "LastModified": datetime.fromtimestamp(found.at / 1000, UTC)},
            )
            for key, found in page
        ]
        reply: dict[str, Any] = {
            "Versions": [entry for marker, entry in shown if not marker],
            "IsTruncated": start + len(page) < len(every),
        }
        reply["DeleteMarkers"] = [entry for marker, entry in shown if marker]
        if reply["IsTruncated"]:
            reply |= {"NextKeyMarker": page[-1][0], "NextVersionIdMarker": page[-1][1].id}
        return reply


class Bus:
    """EventBridge's default bus: what was put is kept."""

    def __init__(self) -> None:
        self.entries: list[dict[str, Any]] = []

    def put_events(self, ctx: Any, *, Entries: list[dict[str, Any]]) -> dict[str, Any]:
        failed = [ctx.leaves_out() for _ in Entries]
        self.entries += [entry for entry, left in zip(Entries, failed, strict=True) if not left]
        return {"FailedEntryCount": sum(failed)}


class Invoker:
    """Lambda's asynchronous invoke: accepted at once, arriving late, twice or never. Its mappings are always enabled."""

    def get_event_source_mapping(self, ctx: Any, *, UUID: str) -> dict[str, Any]:
        most = ctx.world.mappings[UUID.rstrip(".")].concurrency
        return {"UUID": UUID, "State": "Enabled", "ScalingConfig": {"MaximumConcurrency": most}}

    def invoke(self, ctx: Any, *, FunctionName: str, InvocationType: str, Payload: bytes) -> dict[str, Any]:
        if InvocationType != "Event" or FunctionName not in ("aggregator", "janitor"):
            raise Unknown(f"{FunctionName} {InvocationType}")
        ctx.world.nudged(FunctionName, Payload)
        return {"StatusCode": 202}
