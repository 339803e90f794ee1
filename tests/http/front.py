"""A caller of the HTTP front: one request through the real handler, its answer held to what the API says of itself."""

import base64
import copy
import gzip
import hashlib
import json
import re
from dataclasses import dataclass, replace
from functools import cache
from typing import Any
from urllib.parse import urljoin, urlsplit

import jsonschema  # type: ignore[import-untyped]  # comes with cfn-lint and moto

import api
import janitor
import openapi
import problems
from sheaf.items import Row, Task, task_key
from sheaf.outside import wiring
from sheaf.settings import ApiSettings
from tests.support.bench import EVENTS, PROJECT, Bench
from tests.support.clients import client

ROOT = "/api/v1"
TASKS = "/asl/extraction/tasks"
RESULTS = "/asl/extraction/results"
LAMBDA_ANSWER_MAX = 6_291_556
NO_BODY = {204, 304}
PROMISED = {"ETag", "Idempotency-Replayed", "Location", "Retry-After"}
"""Headers that an answer has only where its description names them."""
BUSY = "ThrottlingException"
PROBLEM = re.compile(r"urn:sheaf:problem:[a-z-]+")
Stored = dict[str, Any]


@dataclass(frozen=True)
class Answer:
    """What API Gateway would be given."""

    status: int
    headers: dict[str, str]
    text: str

    @property
    def body(self) -> Any:
        return json.loads(self.text)

    @property
    def problem(self) -> str:
        """The last word of a problem's type."""
        return str(self.body["type"]).removeprefix("urn:sheaf:problem:")


class Front:
    """One signed-in person, unless told otherwise. Every answer is checked before it is given."""

    def __init__(self, bench: Bench, project: str = PROJECT) -> None:
        self.bench = bench
        self.project = project

    def send(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        query: dict[str, str] | None = None,
        headers: dict[str, str] | None = None,
        groups: Any = None,
        use: str = "access",
        encoded: bool = False,
    ) -> Answer:
        """A request; a body that is no text is sent as JSON. `groups` is the token's claim as API Gateway tells it."""
        event = copy.deepcopy(EVENTS["api-create-task"])
        event["rawPath"] = event["requestContext"]["http"]["path"] = f"{ROOT}{path}"
        event["requestContext"]["http"]["method"] = method
        claims = event["requestContext"]["authorizer"]["jwt"]["claims"]
        claims["cognito:groups"] = f"[{self.project}]" if groups is None else groups
        claims["token_use"] = use
        event["queryStringParameters"] = query or {}
        event["headers"] = {"content-type": "application/json", **(headers or {})}
        event["body"] = body if body is None or isinstance(body, str) else json.dumps(body)
        event["isBase64Encoded"] = encoded
        return self.handle(event)

    def handle(self, event: dict[str, Any]) -> Answer:
        """An event as it is."""
        reply = api.lambda_handler(event, self.bench.context(29))
        assert len(json.dumps(reply, ensure_ascii=False).encode()) < LAMBDA_ANSWER_MAX
        many = {name: values[0] for name, values in reply.get("multiValueHeaders", {}).items()}
        headers = {**reply.get("headers", {}), **many}
        answer = Answer(reply["statusCode"], headers, unpacked(reply, headers))
        method = event["requestContext"]["http"]["method"].upper()
        well_formed(answer, method)
        if method not in {"HEAD", "OPTIONS"}:
            fits(answer, method, event["rawPath"])
            leads_somewhere(answer, event["rawPath"])
        return answer

    def get(self, path: str, **more: Any) -> Answer:
        return self.send("GET", path, **more)

    def post(self, path: str, body: Any = None, **more: Any) -> Answer:
        return self.send("POST", path, body, **more)

    def start(self, documents: list[str], *, key: str | None = None, **more: Any) -> Answer:
        """Ask for a task of probes, with the key in the header."""
        body = {"templateId": "rct", "documentIds": documents, "kind": "probe", **more}
        return self.post(TASKS, body, headers={"idempotency-key": key} if key is not None else None)

    def started(self, documents: list[str], **more: Any) -> str:
        """The id of a task that has just been opened."""
        answer = self.start(documents, **more)
        assert answer.status == 202, answer.text
        return str(answer.body["taskId"])

    def task(self, task_id: str) -> dict[str, Any]:
        return dict(self.get(f"{TASKS}/{task_id}").body)

    def verb(self, verb: str, task_id: str, body: Any = None, **more: Any) -> Answer:
        """cancel, pause, resume, retry; get, results, delete."""
        match verb:
            case "get":
                return self.get(f"{TASKS}/{task_id}", **more)
            case "results":
                return self.get(f"{TASKS}/{task_id}/results", **more)
            case "delete":
                return self.send("DELETE", f"{TASKS}/{task_id}", **more)
            case _:
                return self.post(f"{TASKS}/{task_id}/{verb}", body, **more)

    def pages(self, path: str, of: str, **query: str) -> list[list[Any]]:
        """Every page of a list, in order. Raises AssertionError where it does not end."""
        found, cursor = [], ""
        for _ in range(200):
            page = self.get(path, query={**query, **({"cursor": cursor} if cursor else {})}).body
            found.append(page[of])
            if page["nextCursor"] is None:
                return found
            cursor = page["nextCursor"]
        raise AssertionError("the pages never end")

    def table(self, task_id: str, **query: str) -> list[dict[str, Any]]:
        """Every row of a task."""
        return [row for page in self.pages(f"{TASKS}/{task_id}/results", "results", **query) for row in page]


def unpacked(reply: dict[str, Any], headers: dict[str, str]) -> str:
    """The body as a client reads it: API Gateway undoes the base64, the client the compression."""
    body = str(reply["body"] or "")
    if not reply["isBase64Encoded"]:
        return body
    content = base64.b64decode(body, validate=True)
    return (gzip.decompress(content) if headers.get("Content-Encoding") == "gzip" else content).decode()


def well_formed(answer: Answer, method: str = "GET") -> None:
    """What is true of every answer."""
    for name, value in problems.SECURITY_HEADERS.items():
        assert answer.headers.get(name) == value, (name, answer)
    answer.text.encode()
    assert (answer.text == "") is (answer.status in NO_BODY or method == "HEAD"), answer
    assert ("Allow" in answer.headers) is (answer.status == 405 or (method == "OPTIONS" and answer.status == 204)), (
        answer
    )
    assert ("Retry-After" in answer.headers) is (answer.status in {429, 503}), answer
    if answer.status >= 400 and method != "HEAD":
        assert answer.headers["Content-Type"] == "application/problem+json", answer
        assert PROBLEM.fullmatch(answer.body["type"]), answer
        assert answer.body["status"] == answer.status, answer
        assert answer.body["title"], answer
        assert answer.body["detail"], answer


def fits(answer: Answer, method: str, path: str) -> None:
    """The answer is one that the API's description has for this operation, and has the shape it has there."""
    operation = described(method, path)
    if operation is None:
        there = any(described(each, path) for each in ("GET", "POST", "PUT", "DELETE"))
        assert answer.problem == ("method-not-allowed" if there else "not-found"), answer
        return
    response = operation["responses"].get(str(answer.status))
    assert response is not None, f"{method} {path} is not said to answer {answer.status}"
    assert ("content" in response) is (answer.status not in NO_BODY), (method, path, answer.status)
    assert PROMISED & answer.headers.keys() <= response.get("headers", {}).keys(), (method, path, answer)
    for kind, content in response.get("content", {}).items():
        assert answer.headers["Content-Type"] == kind, answer
        shown = answer.text if kind == "text/html" else answer.body
        validator(content["schema"]["$ref"]).validate(shown)


def leads_somewhere(answer: Answer, path: str) -> None:
    """A Location can be followed, also behind a stage's own path."""
    if "Location" in answer.headers:
        stage = "/_aws/execute-api/a1b2c3d4"
        there = urljoin(f"https://api.example{stage}{path}", answer.headers["Location"])
        assert described("GET", urlsplit(there).path.removeprefix(stage)), (path, there)


def described(method: str, path: str) -> dict[str, Any] | None:
    """The operation that this request is of."""
    asked = path.split("/")
    for shape, methods in openapi.document()["paths"].items():
        parts = shape.split("/")
        if len(parts) == len(asked) and all(
            (part[:1] == "{" and word) or part == word for part, word in zip(parts, asked, strict=True)
        ):
            found: dict[str, Any] | None = methods.get(method.lower())
            return found
    return None


@cache
def validator(reference: str) -> Any:
    """Stricter than what is published: of ours, an answer has nothing that is not described."""
    schemas = {name: _closed(name, shape) for name, shape in openapi.document()["components"]["schemas"].items()}
    return jsonschema.Draft202012Validator({"$ref": reference, "components": {"schemas": schemas}})


def _closed(name: str, shape: dict[str, Any]) -> dict[str, Any]:
    """A problem's further members, and the description itself, are open on purpose. What a row holds is the probe's own."""
    if name == "Result":
        shape = {**shape, "properties": {**shape["properties"], "extractedData": {}, "summary": {}}}
    return (
        shape
        if name in {"Problem", "OpenApi"} or "properties" not in shape
        else {**shape, "additionalProperties": False}
    )


# ---------------------------------------------------------------------------------------------------- what is stored


def stored(bench: Bench) -> Stored:
    """Everything there is, to compare before and after: items, every version of every object, messages, nudges."""
    return {
        **bench.raw(),
        "LibraryTable": sorted(bench._scan("LibraryTable"), key=json.dumps),
        "objects": sorted(objects(bench)),
        "messages": bench.queued("probe"),
        "nudges": list(bench.nudges),
    }


def objects(bench: Bench, prefix: str = "") -> list[tuple[str, str]]:
    """Key and version of every object."""
    with bench.calls.unwatched():
        found = client("s3").list_object_versions(Bucket="databucket", Prefix=prefix)
    return [(item["Key"], item["VersionId"]) for item in found.get("Versions", []) + found.get("DeleteMarkers", [])]


def change_entry(bench: Bench, document: str, project: str = PROJECT, **changes: str) -> None:
    """What somebody did to a document of the library meanwhile; in another state it has no usable version."""
    with bench.calls.unwatched():
        client("dynamodb").update_item(
            TableName="LibraryTable",
            Key={"entry": {"S": f"{project}/document/{document}"}},
            UpdateExpression="SET "
            + ", ".join(f"#{name} = :{name}" for name in changes)
            + (" REMOVE usable" if "state" in changes else ""),
            ExpressionAttributeNames={f"#{name}": name for name in changes},
            ExpressionAttributeValues={f":{name}": {"S": value} for name, value in changes.items()},
        )


def replace_document(bench: Bench, document: str, script: dict[str, Any], project: str = PROJECT) -> str:
    """A new version of what was read of a document; gives the version."""
    usable = bench.document(document, project).pinned
    assert usable
    content = json.dumps(script).encode()
    with bench.calls.unwatched():
        put = client("s3").put_object(Bucket="databucket", Key=usable.text_key, Body=content)
    newer = usable._replace(text_version=put["VersionId"], text_sha256=hashlib.sha256(content).hexdigest())
    change_entry(bench, document, project, usable=json.dumps(newer._asdict()))
    return str(put["VersionId"])


def remove_entry(bench: Bench, document: str, project: str = PROJECT) -> None:
    """A document is not in the library any more."""
    with bench.calls.unwatched():
        key = {"entry": {"S": f"{project}/document/{document}"}}
        client("dynamodb").delete_item(TableName="LibraryTable", Key=key)


def lay_down(bench: Bench, task: Task, rows: list[Row]) -> None:
    """A task with its rows, as they are: no product code, no condition."""
    bench.put(task)
    puts = [{"PutRequest": {"Item": row.serialize()}} for row in rows]
    with bench.calls.unwatched():
        for at in range(0, len(puts), 25):
            client("dynamodb").batch_write_item(RequestItems={"ResultsTable": puts[at : at + 25]})


def key_of(task_id: str, project: str = PROJECT) -> str:
    return task_key(project, task_id)


def limit(bench: Bench, **numbers: Any) -> None:
    """The deployment as it would be with other numbers for its projects, or another setting."""
    world = bench.api_world
    wiring.worlds[ApiSettings] = bench.worlds["ApiFunction"] = replace(
        world, settings=replace(world.settings, **numbers)
    )


def erase(bench: Bench) -> int:
    """The janitor, as the API has just called it. Gives how many objects it deleted."""
    with bench.calls.unwatched():
        return int(janitor.lambda_handler(bench.nudges.pop(), bench.context(900))["deleted"])
