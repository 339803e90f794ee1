"""An API that answers in the product's shapes out of this process, for what a real stack does not do when it is asked to:
fail, come late, get lost, be of an older count, judge in every possible way.

The page's files come from the real PageFunction; every other request of the browser is answered here. What the whole way
looks like, and whatever the deployed stack can be brought to, is tested there (deployed/), never against this.
"""

import base64
import json
import time
from collections import Counter
from collections.abc import Callable  # noqa: TC003 - as everywhere else here
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import serving
from clinical import risk_of_bias, templates
from clinical.answered import Reason, State, at_a_glance, cells
from clinical.templates import inputs
from clinical.templates.fields import section_labels
from sheaf.api.task_table import GLANCE_ROWS
from sheaf.settings import PageSettings
from tests.browser.decisions import Decisions
from tests.browser.workbooks import Workbooks

ORIGIN = "http://localhost:1"
SITE = Path(__file__).resolve().parents[2] / "functions" / "page" / "site"
PAGE_DOCUMENTS = 100
TEMPLATES = {name: templates.find(name) for name in templates.BUILT_IN}
USER, PASSWORD = "reader@sheaf.test", "right"
NOW = "2026-11-18T09:00:00.000Z"
TEXT = (
    "Methods. We randomly assigned 120 adults to duloxetine or placebo in a 1:1 ratio, in 4 centres. "
    "The trial was registered at ClinicalTrials.gov (NCT01234567).\n\nResults. Pain at 24 h was lower. "
    "Allocation was not stratified. Larger double-blind trials are needed. Smith et al. enrolled 94 adults in 2009. "
    "Sixty received placebo."
)
DOUBTS: dict[Reason, tuple[Any, str | None]] = {
    "no_quote": (120, None),
    "quote_not_found": (120, "nobody wrote this"),
    "quote_too_short": ("placebo", "placebo"),
    "number_not_in_quote": (121, "We randomly assigned 120 adults"),
    "cue_not_in_quote": ("open", "Pain at 24 h was lower"),
    "judged": ("high", "Pain at 24 h was lower"),
    "words_not_in_quote": ("a ratio of one to one", "in a 1:1 ratio"),
    "not_a_count": (24, "Pain at 24 h was lower"),
    "wrong_place": ("Smith", "Smith et al."),
    "denied": ("stratified", "Allocation was not stratified."),
    "future": ("double", "Larger double-blind trials are needed."),
    "other_study": (94, "Smith et al. enrolled 94 adults in 2009."),
    "other_group": (60, "Sixty received placebo."),
    "wrong_type": (None, "in 4 centres"),
    "not_an_option": (None, "in 4 centres"),
    "claimed": (None, "Results."),
}
"""For each reason a value of the paper above, and its quote."""
WITHOUT_VALUE: dict[str, State] = {"wrong_type": "not_found", "not_an_option": "not_found", "claimed": "not_reported"}


def token(seconds: float = 3600) -> str:
    claims = base64.urlsafe_b64encode(json.dumps({"exp": time.time() + seconds}).encode()).decode()
    return f"e30.{claims}.x"


def quoted(value: Any, quote: str, match: str = "exact") -> dict[str, Any]:
    start = TEXT.find(quote)
    found = (
        {"page": 1, "start": start, "end": start + len(quote)}
        if start >= 0
        else {"page": None, "start": None, "end": None}
    )
    told = {"value": value, "state": "found", "quote": quote, "match": match, **found}
    return told | {"state": "unsupported", "reason": "quote_not_found"} if match == "not_found" else told


def doubted(reason: Reason) -> dict[str, Any]:
    """A value as a row stores it for this reason."""
    value, quote = DOUBTS[reason]
    told = quoted(value, quote or "nobody wrote this", "exact" if reason != "quote_not_found" else "not_found")
    if quote is None or reason in {"wrong_type", "not_an_option"}:
        told |= {"quote": quote, "page": None, "start": None, "end": None, "match": None}
    return told | {"state": WITHOUT_VALUE.get(reason, "unsupported"), "reason": reason}


def contradictory(*told: dict[str, Any]) -> dict[str, Any]:
    """Two things that the paper says."""
    return {**told[0], "value": None, "state": "contradictory", "evidence": list(told)}


class StandIn:
    """What a project holds. Tests change it before, or while, the page looks."""

    def __init__(self) -> None:
        self.site = serving.Site.read(
            SITE,
            PageSettings(
                sign_in={"endpoint": ORIGIN + "/cognito", "clientId": "c"}, bucket_origins=ORIGIN, samples="true"
            ),
        )
        self.bases: list[dict[str, Any]] = []
        self.documents: list[dict[str, Any]] = []
        self.tasks: dict[str, dict[str, Any]] = {}
        self.rows: dict[str, list[dict[str, Any]]] = {}
        self.asked: list[tuple[str, str]] = []
        self.keys: list[str | None] = []
        self.fails: Callable[[str, str], int | None] = lambda _method, _path: None
        self.refuses = ("try-again", "AWS is busy.")
        self.holds: Callable[[str, str], bool] = lambda _method, _path: False
        self.holds_rows = False
        """All of a table but what of it is drawn first."""
        self.held: list[Any] = []
        self.role = "editor"
        self.projects = ["lab"]
        self.engines = ["rules"]
        self.endpoints: list[dict[str, Any]] = []
        self.inside = False
        self.own: dict[str, list[dict[str, Any]]] = {}
        """A project's own templates: each version as it was saved."""
        self.template_refuses: dict[str, str] = {}
        """What the next version is refused with."""
        self.limits: dict[str, float] = {"rowsAtWorkPerTask": 10_000}
        self.wanted: list[dict[str, Any]] = []
        self.token_seconds = 3600.0
        self.refreshed = 0
        self.gone: dict[str, dict[str, Any]] = {}
        self.factor: str | None = None
        """SOFTWARE_TOKEN_MFA where the user has a second factor, MFA_SETUP where one has to be set up."""
        self.page_rows = 500
        self.decisions = Decisions(NOW)
        self.workbooks = Workbooks(NOW, ORIGIN)
        self.text = TEXT
        self.paper_file: dict[str, Any] | None = None
        """Each row's file, where it is no plain text."""
        self.file: dict[str, Any] = {}
        self.becomes: dict[str, Any] = {}
        """The export that was ordered, and what it is to become where that is not a file."""

    # ------------------------------------------------------------------ what there is

    def document(self, name: str, status: str = "ready", **more: Any) -> str:
        identity = f"d{len(self.documents)}"
        told: dict[str, Any] = {
            "documentId": identity, "knowledgeBaseId": "kb1", "filename": name, "status": status, "reason": None,
            "advice": None, "size": 412_000, "sha256": "0" * 64, "contentType": "application/pdf", "pageCount": 9,
            "label": None, "tags": [], "title": None, "firstAuthor": None, "year": None, "createdAt": NOW, "updatedAt": NOW, "replacement": None,
        }  # fmt: skip
        self.documents.append({**told, **more})
        return identity

    def task(self, identity: str, rows: list[dict[str, Any]], status: str = "completed", **more: Any) -> dict[str, Any]:
        self.rows[identity] = rows
        count = {
            name: sum(row["status"] == name for row in rows)
            for name in ("pending", "extracting", "completed", "error", "cancelled")
        }
        done = count["completed"] + count["error"] + count["cancelled"]
        self.tasks[identity] = {
            "taskId": identity, "projectId": "lab", "kind": "extract_paper", "name": None, "templateId": "rct", "templateVersion": 1,
            "knowledgeBaseId": "kb1", "status": status, "paused": False, "cancelRequested": False,
            "totalCount": len(rows), **{f"{name}Count": n for name, n in count.items()},
            "percent": 100 * done // max(len(rows), 1), "asOf": NOW, "stale": False, "createdAt": NOW,
            "completedAt": NOW if status != "processing" else None, "engine": "rules", "mostAtWork": None, **more,
        }  # fmt: skip
        return self.tasks[identity]

    def row(self, task: str, number: int, status: str = "completed", **more: Any) -> dict[str, Any]:
        done = status == "completed"
        return {
            "resultId": f"{task}-{number}", "taskId": task, "row": number, "documentId": f"d{number}",
            "snapshotStorageKey": "k", "snapshotVersion": "v", "snapshotFilename": f"paper-{number}.pdf", "status": status, "engine": "rules",
            "attempts": 1, "extractedData": data(number) if done else None,
            "summary": summary(number) if done else None,
            "errorClass": None, "errorMessage": None, "startedAt": None if status == "pending" else NOW, "askingSince": None,
            "dueAt": None, "updatedAt": NOW, **more,
        }  # fmt: skip

    def count(self, path: str, method: str = "GET") -> int:
        return sum(asked == (method, path) for asked in self.asked)

    # ------------------------------------------------------------------ what it answers

    def attach(self, context: Any) -> None:
        context.route(f"{ORIGIN}/**", self._route)

    def _route(self, route: Any) -> None:
        request = route.request
        parts = urlsplit(request.url)
        if not parts.path.startswith(("/api/", "/cognito", "/bucket")):
            answer = self.site.answer(parts.path, {})
            body = base64.b64decode(answer["body"])
            route.fulfill(status=answer["statusCode"], headers=answer["headers"], body=body)
            return
        is_whole = parts.path.endswith("/results") and "glance" not in parts.query
        if self.holds(request.method, parts.path) or (self.holds_rows and is_whole):
            self.held.append(route)
            return
        headers: dict[str, str] = {}
        status = self.fails(request.method, parts.path)
        if status == 0:
            route.abort("connectionfailed")
            return
        self.asked.append((request.method, parts.path))
        if status:
            problem, detail = self.refuses
            code, told = status, {"type": f"urn:sheaf:problem:{problem}", "detail": detail}
        else:
            code, told, headers = self._answer(request, parts)
        kept = {"Content-Type": "application/json", **headers}
        route.fulfill(status=code, headers=kept, body="" if code in {204, 304} else json.dumps(told))

    def let_go(self) -> None:
        """Answer what was held back, and hold back no more."""
        self.holds, self.holds_rows = lambda _method, _path: False, False
        while self.held:
            self._route(self.held.pop(0))

    def _answer(self, request: Any, parts: Any) -> tuple[int, Any, dict[str, str]]:  # noqa: PLR0911, PLR0912 - a table
        if parts.path.startswith("/cognito"):
            return self._sign_in(request.headers["x-amz-target"], json.loads(request.post_data or "{}"))
        if parts.path.startswith("/bucket"):
            is_file = request.method == "GET"
            return (200, [], {"Content-Disposition": "attachment"}) if is_file else (204, None, {})
        if not self._is_signed_in(request):
            return 401, {"message": "Unauthorized"}, {}
        steps = [unquote(step) for step in parts.path.removeprefix("/api/v1/").split("/")]
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        match [request.method, *steps]:
            case ["PUT", "pkb", "documents", name]:
                (told,) = (each for each in self.documents if each["documentId"] == name)
                told |= json.loads(request.post_data)
                return 200, told, {}
            case ["DELETE", "pkb", "documents", name]:
                (gone,) = (each for each in self.documents if each["documentId"] == name)
                self.documents.remove(gone)
                self.gone[name] = gone
                return 204, None, {}
            case ["POST", "pkb", "documents", name, "restore"]:
                self.documents.append(self.gone.pop(name))
                return 200, self.documents[-1], {}
            case ["GET", "me"]:
                return (
                    200,
                    {
                        "userId": "u",
                        "projects": [
                            {"projectId": name, "role": self.role, "textStaysInside": self.inside}
                            for name in self.projects
                        ],
                        "engines": self.engines,
                        "defaultEngine": self.engines[0],
                        "endpoints": self.endpoints,
                        "limits": self.limits,
                    },
                    {},
                )
            case [method, "dc", "sessions", *rest]:
                return *self.workbooks.answer(method, rest, query, request), {}
            case ["PUT", "asl", "settings"]:
                self.inside = json.loads(request.post_data)["textStaysInside"]
                return 200, {"textStaysInside": self.inside}, {}
            case ["GET", "pkb", "knowledge-bases"]:
                return 200, {"knowledgeBases": self.bases}, {}
            case ["POST", "pkb", "knowledge-bases"]:
                made = {"knowledgeBaseId": "kb1", "name": json.loads(request.post_data)["name"], "createdAt": NOW}
                self.bases = [made]
                return 201, made, {}
            case ["GET", "pkb", "knowledge-bases", _, "documents"]:
                start, end = int(query.get("cursor") or 0), int(query.get("cursor") or 0) + PAGE_DOCUMENTS
                more = str(end) if end < len(self.documents) else None
                return 200, {"documents": self.documents[start:end], "nextCursor": more}, {}
            case ["POST", "pkb", "knowledge-bases", _, "documents"]:
                return 201, {"uploads": [self._announced(file) for file in json.loads(request.post_data)["files"]]}, {}
            case ["GET", "asl", "extraction", "templates"]:
                shown = [{**_template(each), "fieldCount": len(each.fields)} for each in TEMPLATES.values()]
                return 200, {"templates": [*shown, *(_summary(each[-1]) for each in self.own.values())]}, {}
            case [method, "asl", "extraction", "templates", name, *verb]:
                return self._templated(method, name, verb, query, request)
            case ["GET", "asl", "extraction", "tasks", task, "template"]:
                name = self.tasks[task]["templateId"]
                return 200, self.own[name][-1] if name in self.own else whole_template(TEMPLATES[name]), {}
            case ["POST", "asl", "extraction", "tasks", "estimate"]:
                told = {
                    "engine": "rules",
                    "documents": 1,
                    "calls": 0,
                    "inputTokens": 0,
                    "outputTokens": 0,
                    "costUsd": 0,
                }
                return 200, {**told, "price": None}, {}
            case ["GET", "asl", "extraction", "tasks", _, "review"]:
                return 200, self.decisions.right, {}
            case [method, "asl", "extraction", "tasks", _, "exports", *_]:
                return self._export(method, request)
            case [method, "asl", "extraction", "tasks", *rest]:
                return self._task(method, rest, query, request)
            case ["GET", "asl", "extraction", "results", result, "text"]:
                page = {"number": int(query.get("page", 1)), "label": None, "text": self.text}
                return (
                    200,
                    {"documentId": result, "pageCount": 9, "pages": [page], "nextPage": None, "sections": []},
                    {},
                )
            case ["POST", "asl", "extraction", "results", result, "decisions"]:
                return *self.decisions.decide(result, json.loads(request.post_data)), {}
            case ["GET", "asl", "extraction", "results", result, "decisions"]:
                return 200, {"decisions": self.decisions.history.get(result, [])}, {}
            case ["GET", "asl", "extraction", "results", _, "file"]:
                link = {
                    "url": f"{ORIGIN}/bucket/paper.txt",
                    "expiresAt": NOW,
                    "contentType": "text/plain",
                    "filename": "paper.txt",
                }
                return 200, self.paper_file or link, {}
        return 404, {"type": "urn:sheaf:problem:not-found", "detail": "There is nothing at this address."}, {}

    def _templated(  # noqa: PLR0911 - a table
        self, method: str, name: str, verb: list[str], query: dict[str, str], request: Any
    ) -> tuple[int, Any, dict[str, str]]:
        versions = self.own.get(name, [])
        match [method, *verb]:
            case ["POST", "clone"]:
                whole = whole_template(TEMPLATES[name])
                more = {"templateId": f"{name}-copy", "builtIn": False, "label": f"{whole['label']} (copy)"}
                self.own[f"{name}-copy"] = [json.loads(json.dumps(whole | more))]
                return 201, self.own[f"{name}-copy"][0], {}
            case ["PUT"]:
                asked = json.loads(request.post_data)
                if self.template_refuses:
                    return 400, {"type": "urn:sheaf:problem:invalid-request", **self.template_refuses}, {}
                if asked["version"] != len(versions):
                    told = f"The template is at version {len(versions)} now."
                    return 409, {"type": "urn:sheaf:problem:template-changed", "detail": told}, {}
                labels = {each["section"]: each for each in versions[0]["fields"]}
                for field in asked["fields"]:
                    known = labels.get(field["section"])
                    field |= {"sectionLabel": known["sectionLabel"] if known else field["section"]}
                    field |= {"sectionLabelZh": known["sectionLabelZh"] if known else field["section"]}
                    field["labelZh"] = field["labelZh"] or field["label"]
                    parts = [
                        {"options": [], "optionsZh": {}, "fields": [], "cues": {}, **part}
                        for part in field.get("fields", [])
                    ]
                    field |= {
                        "options": field.get("options", []),
                        "optionsZh": field.get("optionsZh", {}),
                        "fields": parts,
                    }
                versions.append(versions[-1] | asked | {"version": len(versions) + 1})
                return 200, versions[-1], {}
            case ["DELETE"]:
                del self.own[name]
                return 204, None, {}
        if versions:
            return 200, versions[int(query.get("version") or len(versions)) - 1], {}
        return 200, whole_template(TEMPLATES[name]), {}

    def _task(  # noqa: PLR0911 - a table
        self, method: str, rest: list[str], query: dict[str, str], request: Any
    ) -> tuple[int, Any, dict[str, str]]:
        if method == "POST" and not rest:
            key = request.headers.get("idempotency-key")
            is_new = key not in self.keys
            self.keys.append(key)
            self.wanted.append(json.loads(request.post_data))
            wanted = self.wanted[-1]["documentIds"]
            if is_new:
                self.task("t1", [self.row("t1", number, "pending") for number in range(len(wanted))], "processing")
            return 202 if is_new else 200, self.tasks["t1"], {}
        if not rest:
            return 200, {"tasks": list(reversed(self.tasks.values())), "nextCursor": None}, {}
        task = self.tasks.get(rest[0])
        if task is None:
            return 404, {"type": "urn:sheaf:problem:not-found", "detail": "There is no such task."}, {}
        if rest[1:] == ["results"]:
            return self._results(rest[0], int(query.get("cursor") or 0), "glance" in query.get("view", ""))
        if method == "POST":
            return self._steered(task, rest[1], request)
        if method == "PUT":
            task |= json.loads(request.post_data)
        if method == "DELETE":
            del self.tasks[rest[0]]
            return 204, None, {}
        tag = f'W/"{hash(json.dumps(task))}"'
        return (304, None, {"ETag": tag}) if request.headers.get("if-none-match") == tag else (200, task, {"ETag": tag})

    def _results(self, task: str, start: int, is_glance: bool) -> tuple[int, Any, dict[str, str]]:  # noqa: FBT001 - one caller
        rows, end = self.rows[task], start + (GLANCE_ROWS if is_glance else self.page_rows)
        shown = [{**row, "review": self.decisions.review(row["resultId"])} for row in rows[start:end]]
        if is_glance:
            data = [row["extractedData"] and at_a_glance(row["extractedData"], row["review"]) for row in shown]
            shown = [{**row, "extractedData": each} for row, each in zip(shown, data, strict=True)]
        return 200, {"results": shown, "nextCursor": str(end) if end < len(rows) else None}, {}

    def _export(self, method: str, request: Any) -> tuple[int, Any, dict[str, str]]:
        """Ordered it waits; who looks finds it ready, or what a test has made of it."""
        if method == "POST":
            self.wanted.append(json.loads(request.post_data))
            self.file = {"exportId": "e1", "status": "waiting", "url": None, "filename": "rct-t1.xlsx"}
            return 202, self.file, {}
        self.file |= {"status": "ready", "url": f"{ORIGIN}/bucket/rct-t1.xlsx"} | self.becomes
        return 200, self.file, {}

    def _steered(self, task: dict[str, Any], verb: str, request: Any) -> tuple[int, Any, dict[str, str]]:
        asked = dict(json.loads(request.post_data or "{}"))
        if verb == "retry" and task.get("budgetReached") and "budgetUsd" not in asked:
            told = "Nothing is left of its budget of $2.00: say with budgetUsd what the retry may cost."
            return 409, {"type": "urn:sheaf:problem:budget-reached", "detail": told}, {}
        if verb == "retry":
            failed = [row for row in self.rows[task["taskId"]] if row["status"] in {"error", "cancelled"}]
            rows = [self.row("t2", number, "pending") for number in range(len(failed))]
            return 202, self.task("t2", rows, "processing", retryOf=task["taskId"], **asked), {}
        steered = {
            "pause": {"paused": True},
            "resume": {"paused": False},
            "cancel": {"cancelRequested": True},
            "budget": {**asked, "budgetReached": False},
            "limit": asked,
            "probe": {"waiting": None},
        }
        task |= steered[verb]
        return 202, task, {}

    def _announced(self, file: dict[str, Any]) -> dict[str, Any]:
        self.document(file["filename"], "reading", size=file["size"])
        return {"document": self.documents[-1], "upload": {"url": f"{ORIGIN}/bucket/", "fields": {"key": "k"}}}

    def _sign_in(self, target: str, asked: dict[str, Any]) -> tuple[int, Any, dict[str, str]]:
        given = asked.get("AuthParameters", {})
        verb = target.rpartition(".")[2]
        if verb == "ConfirmForgotPassword":
            is_right = asked["ConfirmationCode"] == "123456"
            return (200, {}, {}) if is_right else (400, {"__type": "CodeMismatchException", "message": "No."}, {})
        if verb != "InitiateAuth":
            return self._second_factor(verb, asked)
        if asked.get("AuthFlow") == "REFRESH_TOKEN_AUTH":
            self.refreshed += 1
        elif given.get("PASSWORD") != PASSWORD:
            return 400, {"__type": "NotAuthorizedException", "message": "Incorrect username or password."}, {}
        elif self.factor:
            return 200, {"ChallengeName": self.factor, "Session": "first"}, {}
        return 200, self._tokens(), {}

    def _tokens(self) -> dict[str, Any]:
        return {
            "AuthenticationResult": {
                "AccessToken": token(self.token_seconds),
                "ExpiresIn": 900,
                "RefreshToken": "r",
            }
        }

    def _second_factor(self, verb: str, asked: dict[str, Any]) -> tuple[int, Any, dict[str, str]]:
        """As Cognito does it: each answer has a session that the next one must name."""
        code = asked.get("UserCode") or asked.get("ChallengeResponses", {}).get("SOFTWARE_TOKEN_MFA_CODE")
        if code == "000000":
            return 400, {"__type": "NotAuthorizedException", "message": "Invalid session for the user."}, {}
        match verb, asked.get("Session"), code:
            case ("ForgotPassword", None, None):
                return 200, {"CodeDeliveryDetails": {"DeliveryMedium": "EMAIL"}}, {}
            case "AssociateSoftwareToken", "first", None:
                return 200, {"SecretCode": "KEYFORTHEAPP", "Session": "second"}, {}
            case "VerifySoftwareToken", "second", "123456":
                return 200, {"Status": "SUCCESS", "Session": "third"}, {}
            case ("RespondToAuthChallenge", "third", None) | ("RespondToAuthChallenge", "first", "123456"):
                assert asked["ChallengeName"] == self.factor
                return 200, self._tokens(), {}
        return 400, {"__type": "CodeMismatchException", "message": "Invalid code received for user"}, {}

    def _is_signed_in(self, request: Any) -> bool:
        claims = request.headers.get("authorization", "").removeprefix("Bearer ").split(".")
        return len(claims) == 3 and json.loads(base64.urlsafe_b64decode(claims[1] + "==="))["exp"] > time.time()


REASONS = ["arms:fewer_than_stated", "n_analysed:more_than_n_randomised", "paper:truncated", "paper:retraction"]


def data(number: int) -> dict[str, Any]:
    """A finished row's payload: every field of the template, in every kind of standing."""
    fields: dict[str, Any] = {}
    for place, field in enumerate(TEMPLATES["rct"].fields):
        fields[field.name] = _value(field, number, place)
    return {
        "v": 1, "engine": "rules", "template": "rct@1", "studyId": f"Author{number} 2017",
        "doubts": REASONS if number % 11 == 5 else [], "fields": fields, "usage": {},
    }  # fmt: skip


def summary(number: int) -> dict[str, Any]:
    """What a finished row says of itself beside its payload."""
    counted = Counter(value["state"] for value in data(number)["fields"].values())
    return {"cells": cells(counted), "doubts": len(data(number)["doubts"]), "study": f"Author{number} 2017"}


def quality(number: int) -> dict[str, Any]:
    """A finished row's payload of `qc`: a trial, a cohort, one of unknown kind, one that answers nothing; judged as a worker does."""
    kind = ["rct", "cohort", None, "rct"][number % 4]
    fields: dict[str, Any] = {}
    for place, field in enumerate(TEMPLATES["qc"].fields):
        is_question = field.name.startswith(("rob_", "nos_"))
        if number % 4 == 3 and is_question:
            fields[field.name] = {"value": None, "state": "not_attempted", "quote": None, "match": None}
        elif is_question:
            fields[field.name] = _answered(field, number, place)
        else:
            fields[field.name] = _value(field, number, place)
    fields["study_type_detected"] = quoted(kind, "randomly assigned 120 adults", "exact" if kind else "not_found")
    told = data(number) | {"template": "qc@1", "fields": fields}
    return told | {"judgements": risk_of_bias.judge(TEMPLATES["qc"], fields)}


ANSWERS = {
    "rob_1_1": "Y", "rob_1_2": "PY", "rob_1_3": "N", "rob_2_1": "Y", "rob_2_2": "Y", "rob_2_3": "PN", "rob_2_6": "Y",
    "rob_3_1": "N", "rob_3_2": "N", "rob_3_3": "PY", "rob_3_4": "PY", "rob_5_1": "Y", "rob_5_2": "N", "rob_5_3": "N",
    "nos_o2": "b",
}  # fmt: skip
DOUBTED = {"rob_5_2", "nos_s3"}
"""Answered with a quote that no paper has."""


def _answered(field: Any, number: int, place: int) -> dict[str, Any]:
    if field.name in DOUBTED:
        return quoted(ANSWERS.get(field.name, "a"), "nobody wrote this", "not_found")
    if field.name.startswith("rob_4") or (field.name == "nos_o3" and number):
        return {**_value(field, number, 4), "state": "not_found"}
    return quoted(ANSWERS.get(field.name, "a"), ["NCT01234567", "in a 1:1 ratio, in 4 centres"][place % 2])


def _value(field: Any, number: int, place: int) -> dict[str, Any]:
    if field.type == "[object]":
        entry = {part.name: f"{part.name} {number}" for part in field.fields[:3]}
        quote = {key: value for key, value in quoted(None, "120 adults").items() if key not in {"value", "state"}}
        return {"value": [{"value": entry, "state": "found", **quote, "evidence": [quote]}], "state": "found", **quote}
    if place % 5 == 4:
        return {
            "value": None,
            "state": "not_found",
            "quote": None,
            "page": None,
            "start": None,
            "end": None,
            "match": None,
        }
    if place == 2 and number % 7 == 3:
        return quoted("a claim of no paper", "nobody wrote this", "not_found")
    if field.type == "integer":
        return quoted(1990 + (number * 7) % 36, "120 adults")
    return quoted(
        ["NCT01234567"] if field.type == "[string]" else f"value {number % 13} of {field.name}", "NCT01234567"
    )


def _template(template: Any) -> dict[str, Any]:
    return {
        "templateId": template.id, "version": template.version, "builtIn": True, "label": template.label,
        "labelZh": template.label_zh, "description": template.description,
    }  # fmt: skip


def _summary(whole: dict[str, Any]) -> dict[str, Any]:
    return {
        "fieldCount": len(whole["fields"]), **{name: told for name, told in whole.items() if name not in {"fields", "inputs"}}
    }  # fmt: skip


def whole_template(template: Any) -> dict[str, Any]:
    fields = [_field(each) for each in template.fields]
    return {**_template(template), "fields": fields, "inputs": _inputs(template)}


def _inputs(template: Any) -> list[dict[str, Any]]:
    return [
        {"name": each.name, "label": each.label, "labelZh": each.label_zh, "description": each.description}
        for each in inputs.of(template)
    ]


def _field(field: Any) -> dict[str, Any]:
    english, chinese = section_labels(field.section)
    return {
        "name": field.name, "type": field.type, "label": field.label, "labelZh": field.label_zh,
        "description": field.description, "section": field.section, "sectionLabel": english, "sectionLabelZh": chinese,
        "options": list(field.options), "optionsZh": dict(field.options_zh), "cues": {}, "fields": [_field(part) for part in field.fields],
    }  # fmt: skip
