"""Objects in the data bucket: manifests, payloads, pinned documents."""

import json
from base64 import b64encode
from typing import IO, Any, TypedDict
from urllib.parse import quote

from botocore.exceptions import ClientError, HTTPClientError, IncompleteReadError

from sheaf.errors import SheafError, Unavailable
from sheaf.outside.needs import HasBucket, Objects, TimedAws
from sheaf.outside.store import call
from sheaf.plain_json import Json
from sheaf.schemas import Instant, instant

CHECKSUM = "x-amz-checksum-sha256"
LINK_SECONDS = 900  # how long an address is good that gives an object to whoever has it
GONE = {"NoSuchKey", "NoSuchVersion", "404", "MethodNotAllowed"}


class UploadFormView(TypedDict):
    """A form: POST its fields and then the file, as `file`, to its url, within `secondsPerUpload`."""

    url: str
    fields: dict[str, str]


class FileLinkView(TypedDict):
    url: str
    expiresAt: Instant
    contentType: str
    filename: str


class ObjectGone(SheafError):
    """There is no such object, or not in that version."""


def put(world: Objects, key: str, content: bytes | IO[bytes], **conditions: str) -> str | None:
    request = {"Bucket": world.settings.data_bucket, "Key": key, "ContentType": "application/json", **conditions}
    version: str | None = call(world, "s3", "put_object", Body=content, **request).get("VersionId")
    return version


def put_json(world: Objects, key: str, content: Any, **conditions: str) -> str | None:
    return put(world, key, json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode(), **conditions)


def put_once(world: Objects, key: str, content: Json) -> bool:
    """Write JSON where there is nothing yet; False where there is something. For what never changes once it is there."""
    try:
        put_json(world, key, content, IfNoneMatch="*")
    except ClientError as error:
        code = error.response["Error"]["Code"]
        if code == "PreconditionFailed":
            return False
        if code == "ConditionalRequestConflict":
            raise Unavailable("s3.put_object: another write was in the way") from error
        raise
    return True


def latest(world: Objects, key: str) -> str | None:
    """The current version of an object; None where there is no object, "" where there are no versions."""
    found = stored(world, key)
    return None if found is None else found[0]


def stored(world: Objects, key: str) -> tuple[str, int] | None:
    """The same, and how many bytes it has."""
    try:
        reply = call(world, "s3", "head_object", Bucket=world.settings.data_bucket, Key=key)
    except ClientError as error:
        if error.response["Error"]["Code"] in GONE:
            return None
        raise
    return str(reply.get("VersionId") or ""), int(reply["ContentLength"])


def upload_form(world: Objects, key: str, *, content_type: str, size: int, sha256: str, seconds: int) -> UploadFormView:
    """A form that puts exactly the bytes of this hash at exactly this key, for a while. S3 computes the hash itself."""
    fields = {"Content-Type": content_type, CHECKSUM: b64encode(bytes.fromhex(sha256)).decode()}
    conditions = [*({name: value} for name, value in fields.items()), ["content-length-range", size, size]]
    request = {"Bucket": world.settings.data_bucket, "Key": key, "Fields": fields, "Conditions": conditions}
    form: dict[str, Any] = call(world, "s3", "generate_presigned_post", ExpiresIn=seconds, **request)
    return {"url": form["url"], "fields": form["fields"]}


def link(world: Objects, key: str, version: str | None, *, filename: str, content_type: str) -> str:
    params = {
        "Bucket": world.settings.data_bucket,
        "Key": key,
        "ResponseContentDisposition": f"attachment; filename*=UTF-8''{quote(filename, safe='')}",
        "ResponseContentType": content_type,
        **({"VersionId": version} if version else {}),
    }
    request = {"ClientMethod": "get_object", "Params": params, "ExpiresIn": LINK_SECONDS}
    return str(call(world, "s3", "generate_presigned_url", **request))


def file_link(
    world: TimedAws[HasBucket], key: str, version: str | None, *, filename: str, content_type: str
) -> FileLinkView:
    until = world.now() + LINK_SECONDS * 1000
    url = link(world, key, version, filename=filename, content_type=content_type)
    return {"url": url, "expiresAt": instant(until), "contentType": content_type, "filename": filename}


def get(world: Objects, key: str, version: str | None = None, part: tuple[int, int] | None = None) -> bytes:
    """Read an object, in this version if one is named, or these bytes of it. Raises ObjectGone, Unavailable."""
    pinned = {"VersionId": version} if version else {}
    pinned |= {"Range": f"bytes={part[0]}-{part[1] - 1}"} if part else {}
    try:
        reply = call(world, "s3", "get_object", Bucket=world.settings.data_bucket, Key=key, **pinned)
        return bytes(reply["Body"].read())
    except ClientError as error:
        if error.response["Error"]["Code"] in GONE:
            raise ObjectGone(key) from error
        raise
    except (HTTPClientError, IncompleteReadError) as error:
        raise Unavailable(f"s3.get_object: {type(error).__name__}") from error
