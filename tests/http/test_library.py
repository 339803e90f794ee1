"""The library over HTTP: every shape, every refusal, and nothing of anybody else's."""

import hashlib
from dataclasses import replace

import pytest

from clinical.library import file_names
from clinical.own_templates import copies
from sheaf.outside import wiring
from sheaf.settings import ApiSettings
from tests.http.front import Front
from tests.support.calls import aws_error

BASES, DOCUMENTS = "/pkb/knowledge-bases", "/pkb/documents"


@pytest.fixture
def base(front):
    answer = front.post(BASES, {"name": "Papers"})
    assert answer.status == 201
    return answer.body["knowledgeBaseId"]


def told(content=b"Some text.", filename="a.txt", **more):
    return {"filename": filename, "size": len(content), "sha256": hashlib.sha256(content).hexdigest(), **more}


def announce(front, base, *files):
    return front.post(f"{BASES}/{base}/documents", {"files": list(files) or [told()]})


def ready(bench, front, base, content=b"First page.\fSecond page.", filename="a.txt"):
    (upload,) = announce(front, base, told(content, filename)).body["uploads"]
    bench.arrive(upload["upload"]["fields"]["key"], content)
    bench.take_in()
    return upload["document"]["documentId"]


# ---------------------------------------------------------------------------------------------------- knowledge bases


def test_a_knowledge_base_is_listed_with_its_documents_when_it_was_made(bench, front, base):
    ready(bench, front, base)
    (shown,) = front.get(BASES).body["knowledgeBases"]
    assert (shown["knowledgeBaseId"], shown["name"], shown["documentCount"]) == (base, "Papers", 1)


def test_one_is_made_when_the_same_request_comes_twice_with_its_key(front):
    first = front.post(BASES, {"name": "Papers"}, headers={"idempotency-key": "k"})
    second = front.post(BASES, {"name": "Papers"}, headers={"idempotency-key": "k"})
    assert (first.status, second.status, second.headers["Idempotency-Replayed"]) == (201, 200, "true")
    assert first.body == second.body
    other = front.post(BASES, {"name": "Other"}, headers={"idempotency-key": "k"})
    assert (other.status, other.problem) == (409, "idempotency-key-reused")
    front.send("DELETE", f"{BASES}/{first.body['knowledgeBaseId']}")
    gone = front.post(BASES, {"name": "Papers"}, headers={"idempotency-key": "k"})
    assert (gone.status, gone.problem) == (409, "base-deleted")


@pytest.mark.parametrize(
    "body",
    [
        None,
        {},
        {"name": ""},
        {"name": " "},
        {"name": "\u0000\u200b"},
        {"name": 1},
        {"name": "x" * 121},
        {"name": "a", "b": 1},
        [],
    ],
)
def test_a_knowledge_base_is_refused_when_its_request_is_wrong(front, body):
    assert front.post(BASES, body).status == 400


def test_the_way_out_is_told_when_a_file_is_of_no_kind_that_is_read(front, base):
    answer = announce(front, base, told(filename="paper.docx"))
    assert "Save any other file as PDF" in answer.body["detail"]


def test_everything_of_a_base_is_gone_when_it_was_deleted(bench, front, base):
    document = ready(bench, front, base)
    assert front.send("DELETE", f"{BASES}/{base}").status == 204
    assert front.get(BASES).body["knowledgeBases"] == []
    for path in (f"{BASES}/{base}/documents", f"{DOCUMENTS}/{document}", f"{DOCUMENTS}/{document}/text"):
        assert front.get(path).status == 404
    assert front.send("DELETE", f"{BASES}/{base}").status == 404
    assert announce(front, base).status == 404


def test_a_limit_that_stands_is_a_conflict_and_no_reason_to_wait(bench, front, base):
    """Bases, documents, templates: only who deletes one can have another, so nobody is told to ask again later."""
    limit(bench, knowledge_bases_per_project=1, library_documents_per_project=0)
    for _ in range(copies.COPIES_MAX):
        front.post("/asl/extraction/templates/rct/clone")
    refused = (
        front.post(BASES, {"name": "One more"}),
        announce(front, base),
        front.post("/asl/extraction/templates/rct/clone"),
    )
    for answer in refused:
        assert (answer.status, answer.problem) == (409, "limit-reached")
        assert "Retry-After" not in answer.headers
        assert "Delete" in answer.body["detail"]


def test_a_base_is_shown_by_itself_when_it_is_asked_for(bench, front, base):
    """Where its Location says, with how many documents it has."""
    made = front.post(BASES, {"name": "B"})
    shown = front.get(f"/pkb/{made.headers['Location']}")
    assert (shown.status, shown.body) == (200, {**made.body, "documentCount": 0})
    ready(bench, front, base)
    assert front.get(f"{BASES}/{base}").body["documentCount"] == 1
    assert front.get(f"{BASES}/nothing").status == 404


def test_a_base_has_another_name_when_it_was_renamed(front, base):
    """Once or twice; it is the same base, with the same documents, for everybody."""
    for _ in "12":
        answer = front.send("PUT", f"{BASES}/{base}", {"name": " New\u200b\u202e  name "})
        assert (answer.status, answer.body["name"]) == (200, "New name")
    assert front.get(f"{BASES}/{base}").body["name"] == "New name"
    assert [each["name"] for each in front.get(BASES).body["knowledgeBases"]] == ["New name"]


def test_a_rename_is_refused_when_the_base_is_gone_or_the_caller_may_only_look(front, base):
    assert front.send("PUT", f"{BASES}/{base}", {"name": "N"}, groups="[p1:viewer]").status == 403
    front.send("DELETE", f"{BASES}/{base}")
    assert front.send("PUT", f"{BASES}/{base}", {"name": "N"}).status == 404


def test_a_rename_is_done_when_its_reply_was_lost(bench, front, base):
    with bench.calls.watch() as calls:
        calls.lose_reply_of = 1
        answer = front.send("PUT", f"{BASES}/{base}", {"name": "N"})
    assert (answer.status, calls.operations) == (200, ["GetItem", "UpdateItem"])
    assert front.get(f"{BASES}/{base}").body["name"] == "N"
    assert front.send("PUT", f"{BASES}/{base}", {"name": "N"}).status == 200


def test_the_making_of_a_base_can_be_repeated_when_it_was_renamed_since(front):
    """The key is known by what was asked, not by what the base is called now."""
    first = front.post(BASES, {"name": "A", "idempotencyKey": "k"})
    base = first.body["knowledgeBaseId"]
    front.send("PUT", f"{BASES}/{base}", {"name": "B"})
    again = front.post(BASES, {"name": "A", "idempotencyKey": "k"})
    assert (again.status, again.body["knowledgeBaseId"], again.body["name"]) == (200, base, "B")
    assert front.post(BASES, {"name": "B", "idempotencyKey": "k"}).status == 409


# ---------------------------------------------------------------------------------------------------- uploads


def test_a_form_is_given_for_each_file_and_is_bound_to_it(front, base):
    answer = announce(front, base, told(b"one", "一.PDF"), told(b"two", "b.nxml"))
    assert answer.status == 201
    one, two = answer.body["uploads"]
    assert (one["document"]["status"], one["document"]["filename"]) == ("uploading", "一.PDF")
    assert one["upload"]["fields"]["key"].endswith(f"{told(b'one')['sha256'][:20]}.pdf")
    assert [each["upload"]["fields"]["Content-Type"] for each in (one, two)] == ["application/pdf", "application/xml"]
    assert two["document"]["contentType"] == "application/xml"


def test_the_same_bytes_are_one_document_however_they_are_named(bench, front, base):
    document = ready(bench, front, base, b"text")
    again = announce(front, base, told(b"text", "other.txt"), told(b"new"), told(b"new", "twice.txt")).body["uploads"]
    assert (again[0]["document"]["documentId"], again[0]["upload"]) == (document, None)
    assert again[1]["document"]["documentId"] == again[2]["document"]["documentId"]
    other = front.post(BASES, {"name": "Other"}).body["knowledgeBaseId"]
    assert announce(front, other, told(b"text")).body["uploads"][0]["document"]["documentId"] != document


def test_bytes_that_were_deleted_or_replaced_are_a_new_document_when_they_come_again(bench, front, base):
    document = ready(bench, front, base, b"text")
    front.send("DELETE", f"{DOCUMENTS}/{document}")
    second = ready(bench, front, base, b"text")
    assert second != document
    version = front.post(f"{DOCUMENTS}/{second}/versions", told(b"newer")).body
    bench.arrive(version["upload"]["fields"]["key"], b"newer")
    bench.take_in()
    assert ready(bench, front, base, b"text") not in {document, second}


def replaced(bench, front, document, content):
    version = front.post(f"{DOCUMENTS}/{document}/versions", told(content)).body
    bench.arrive(version["upload"]["fields"]["key"], content)
    bench.take_in()


def test_bytes_that_replaced_others_are_the_same_document_when_they_come_again(bench, front, base):
    """As long as they are its newest version; and their upload that never came can be begun anew."""
    document = ready(bench, front, base, b"older")
    (upload,) = announce(front, base, told(b"newer")).body["uploads"]
    front.send("DELETE", f"{DOCUMENTS}/{upload['document']['documentId']}")
    front.post(f"{DOCUMENTS}/{document}/versions", told(b"newer"))
    (awaited,) = announce(front, base, told(b"newer")).body["uploads"]
    assert awaited["document"]["documentId"] == document
    bench.arrive(awaited["upload"]["fields"]["key"], b"newer")
    bench.take_in()
    (there,) = announce(front, base, told(b"newer", "again.txt")).body["uploads"]
    assert (there["document"]["documentId"], there["upload"]) == (document, None)
    other = front.post(BASES, {"name": "Other"}).body["knowledgeBaseId"]
    assert announce(front, other, told(b"newer")).body["uploads"][0]["document"]["documentId"] != document


@pytest.mark.parametrize("meanwhile", ["replaced again", "deleted"])
def test_bytes_that_replaced_others_are_a_new_document_when_they_are_gone_from_it(bench, front, base, meanwhile):
    document = ready(bench, front, base, b"older")
    replaced(bench, front, document, b"newer")
    if meanwhile == "deleted":
        front.send("DELETE", f"{DOCUMENTS}/{document}")
    else:
        replaced(bench, front, document, b"newest")
    (upload,) = announce(front, base, told(b"newer")).body["uploads"]
    assert upload["document"]["documentId"] != document
    assert upload["upload"]


@pytest.mark.parametrize(
    ("file", "field"),
    [
        (told(filename="a.docx"), "filename"),
        (told(filename="noending"), "filename"),
        (told(filename=""), "filename"),
        (told(filename="a" * 2001 + ".txt"), "filename"),
        (told(filename=1), "filename"),
        (told(size=-1), "size"),
        (told(size=50_000_001), "size"),
        (told(size=True), "size"),
        (told(size="1"), "size"),
        (told(sha256="0" * 63), "sha256"),
        (told(sha256="A" * 64), "sha256"),
        (told(more=1), "more"),
        ("a.txt", None),
    ],
)
def test_a_file_is_refused_by_name_when_it_is_told_wrongly(bench, front, base, file, field):
    """Nothing of the request is done."""
    answer = announce(front, base, told(b"fine"), file)
    assert answer.status == 400
    assert answer.body["field"] == (f"files[1].{field}" if field else "files[1]")
    assert front.get(f"{BASES}/{base}/documents").body["documents"] == []


@pytest.mark.parametrize("body", [None, {}, {"files": []}, {"files": {}}, {"files": [told()] * 101}])
def test_an_upload_is_refused_when_it_has_no_files_or_too_many(front, base, body):
    assert front.post(f"{BASES}/{base}/documents", body).status == 400


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("../../etc/passwd.txt", "passwd.txt"),
        ("C:\\papers\\a.txt", "a.txt"),
        ("a\x00b\x1f\u202egnp.txt", "abgnp.txt"),
        ("  two\t words .txt", "two words .txt"),
        ("试" * 85 + ".txt", "试" * 73 + "…" + "试" * 9 + ".txt"),
    ],
)
def test_a_name_is_cleaned_for_people_and_is_in_no_key(front, base, given, shown):
    (upload,) = announce(front, base, told(filename=given)).body["uploads"]
    assert upload["document"]["filename"] == shown
    assert len(shown.encode()) <= file_names.SHOWN_BYTES
    assert file_names.arrived(upload["upload"]["fields"]["key"])


def test_an_upload_is_refused_when_the_project_has_as_many_documents_as_it_may(bench, front, base):
    """What came within the last minute is counted twice at most: the index may not show it yet."""
    ready(bench, front, base)
    limit(bench, library_documents_per_project=2)
    bench.pass_time(seconds=61)
    assert announce(front, base, told(b"a"), told(b"b")).status == 409
    assert announce(front, base, told(b"a")).status == 201
    assert announce(front, base, told(b"b")).status == 409


def test_a_busy_table_is_said_when_documents_are_announced(bench, front, base):
    with bench.calls.watch() as calls:
        calls.fail("PutItem", aws_error("ThrottlingException"))
        assert announce(front, base).status == 503
    assert announce(front, base).status == 201


# ---------------------------------------------------------------------------------------------------- documents


def test_a_documents_text_is_shown_page_by_page(bench, front, base):
    document = ready(bench, front, base)
    whole = front.get(f"{DOCUMENTS}/{document}/text").body
    assert [page["text"] for page in whole["pages"]] == ["First page.", "Second page."]
    second = front.get(f"{DOCUMENTS}/{document}/text", query={"page": "2"}).body
    assert ([page["number"] for page in second["pages"]], second["pageCount"]) == ([2], 2)
    behind = front.get(f"{DOCUMENTS}/{document}/text", query={"page": "3"})
    assert (behind.status, behind.body["reason"]) == (400, "is behind the end; the text has 2 pages.")
    assert front.get(f"{DOCUMENTS}/{document}/text", query={"page": "0"}).status == 400


def test_a_long_text_is_cut_where_an_answer_ends_and_says_where_to_go_on(bench, front, base):
    document = ready(bench, front, base, "\f".join("\n" * 900_000 + f"page {n}" for n in range(1, 5)).encode())
    first = front.get(f"{DOCUMENTS}/{document}/text").body
    assert [page["number"] for page in first["pages"]] == [1]
    assert first["nextPage"] == 2


def test_a_documents_file_is_a_link_for_a_quarter_of_an_hour(bench, front, base):
    document = ready(bench, front, base, filename="试验.txt")
    link = front.get(f"{DOCUMENTS}/{document}/file").body
    assert "X-Amz-Expires=900" in link["url"]
    assert "versionId=" in link["url"]
    assert (link["filename"], link["contentType"]) == ("试验.txt", "text/plain")


def test_a_text_is_refused_when_there_is_none_yet(front, base):
    (upload,) = announce(front, base).body["uploads"]
    document = upload["document"]["documentId"]
    assert front.get(f"{DOCUMENTS}/{document}/text").problem == "documents-not-ready"
    assert front.get(f"{DOCUMENTS}/{document}/file").problem == "document-not-there"


def test_the_list_is_cut_into_pages_newest_first_and_can_be_asked_by_state(bench, front, base, monkeypatch):
    monkeypatch.setattr("clinical.library.documents.PAGE_DOCUMENTS", 2)
    made = []
    for number in range(5):
        bench.pass_time(seconds=1)
        made.append(ready(bench, front, base, f"{number}".encode()))
    announce(front, base, told(b"waits"))
    pages = front.pages(f"{BASES}/{base}/documents", "documents")
    assert [item["documentId"] for page in pages for item in page][1:] == made[::-1]
    found = front.pages(f"{BASES}/{base}/documents", "documents", status="uploading")
    assert [item["status"] for page in found for item in page] == ["uploading"]
    assert front.get(f"{BASES}/{base}/documents", query={"status": "deleted"}).status == 400


@pytest.mark.parametrize("cursor", ["x", "1", "-d1", "1-", "1-../x", "9" * 15 + "-d1", "１-d1"])
def test_a_strange_cursor_is_refused(front, base, cursor):
    assert front.get(f"{BASES}/{base}/documents", query={"cursor": cursor}).status == 400


def test_a_newer_version_is_shown_beside_the_usable_one_until_it_is_read(bench, front, base):
    document = ready(bench, front, base, b"older")
    answer = front.post(f"{DOCUMENTS}/{document}/versions", told(b"newer", "newer.txt"))
    assert answer.status == 201
    shown = answer.body["document"]
    assert (shown["status"], shown["filename"], shown["replacement"]["status"]) == ("ready", "a.txt", "uploading")
    assert front.start([document], kind="extract_paper").status == 202
    bench.arrive(answer.body["upload"]["fields"]["key"], b"newer")
    bench.take_in()
    shown = front.get(f"{DOCUMENTS}/{document}").body
    assert (shown["filename"], shown["sha256"], shown["replacement"]) == ("newer.txt", told(b"newer")["sha256"], None)


def test_the_usable_version_stays_when_a_newer_one_cannot_be_read(bench, front, base):
    document = ready(bench, front, base, b"older")
    form = front.post(f"{DOCUMENTS}/{document}/versions", told(b"\x00\x01\x02")).body["upload"]
    bench.arrive(form["fields"]["key"], b"\x00\x01\x02")
    bench.take_in()
    shown = front.get(f"{DOCUMENTS}/{document}").body
    assert (shown["status"], shown["replacement"]["status"]) == ("ready", "unreadable")
    assert front.get(f"{DOCUMENTS}/{document}/text").body["pages"][0]["text"] == "older"


def test_the_same_bytes_are_no_newer_version(bench, front, base):
    document = ready(bench, front, base, b"text")
    answer = front.post(f"{DOCUMENTS}/{document}/versions", told(b"text"))
    assert (answer.status, answer.body["upload"]) == (201, None)


def test_an_unreadable_document_is_read_again_when_that_is_asked_for(bench, front, base):
    document = ready(bench, front, base, b"\x00\x01\x02")
    answer = front.post(f"{DOCUMENTS}/{document}/reread")
    assert (answer.status, answer.body["status"]) == (202, "reading")
    assert bench.take_in() == 1
    assert front.get(f"{DOCUMENTS}/{document}").body["status"] == "unreadable"
    assert front.post(f"{DOCUMENTS}/{ready(bench, front, base)}/reread").problem == "document-under-way"


def test_nothing_is_read_again_that_never_came(bench, front, base):
    (upload,) = announce(front, base).body["uploads"]
    for _ in range(75):
        bench.pass_time(minutes=1)
        bench.sweep_once()
    document = upload["document"]["documentId"]
    assert front.post(f"{DOCUMENTS}/{document}/reread").problem == "document-not-there"
    assert announce(front, base).body["uploads"][0]["upload"]


def test_a_documents_etag_stays_while_nothing_changes(bench, front, base):
    document = ready(bench, front, base)
    tag = front.get(f"{DOCUMENTS}/{document}").headers["ETag"]
    assert front.get(f"{DOCUMENTS}/{document}", headers={"if-none-match": tag}).status == 304


# ---------------------------------------------------------------------------------------------------- who may


def paths(base, document):
    yield "GET", f"{BASES}/{base}/documents", None
    yield "POST", f"{BASES}/{base}/documents", {"files": [told(b"x")]}
    yield "DELETE", f"{BASES}/{base}", None
    for part in ("", "/text", "/file"):
        yield "GET", f"{DOCUMENTS}/{document}{part}", None
    yield "POST", f"{DOCUMENTS}/{document}/versions", told(b"x")
    yield "POST", f"{DOCUMENTS}/{document}/reread", None
    yield "DELETE", f"{DOCUMENTS}/{document}", None


def test_another_projects_library_is_as_if_it_were_not_there(bench, front, base):
    """The same words as for none, in every path."""
    document, stranger = ready(bench, front, base), Front(bench, "p2")
    for (method, path, body), (_, nothing, _) in zip(paths(base, document), paths("knone", "dnone"), strict=True):
        theirs, none = stranger.send(method, path, body), stranger.send(method, nothing, body)
        assert (theirs.status, theirs.body) == (404, none.body), path
    assert stranger.get(BASES).body["knowledgeBases"] == []
    assert front.get(f"{DOCUMENTS}/{document}").status == 200


def test_a_viewer_looks_and_changes_nothing(bench, front, base):
    document = ready(bench, front, base)
    for method, path, body in paths(base, document):
        wanted = {200} if method == "GET" else {403}
        assert front.send(method, path, body, groups="[p1:viewer]").status in wanted, path
    assert front.post(BASES, {"name": "x"}, groups="[p1:viewer]").status == 403


def test_a_rows_text_and_file_are_those_that_it_pinned(bench, front, base):
    document = ready(bench, front, base, b"https://doi.org/10.1000/own")
    task = front.started([document], kind="extract_paper")
    bench.settle()
    front.send("DELETE", f"{DOCUMENTS}/{document}")
    result = f"/asl/extraction/results/{task}-0"
    assert front.get(f"{result}/text").body["pages"][0]["text"] == "https://doi.org/10.1000/own"
    assert "X-Amz-Signature" in front.get(f"{result}/file").body["url"]
    assert Front(bench, "p2").get(f"{result}/text").status == 404


def limit(bench, **numbers):
    world = bench.api_world
    wiring.worlds[ApiSettings] = bench.worlds["ApiFunction"] = replace(
        world, settings=replace(world.settings, **numbers)
    )


def test_a_document_is_called_what_somebody_says_when_its_label_is_set(front, bench):
    """Whatever is read of it; null takes it away. What is hidden is left out."""
    name = bench.paper("A trial.")
    path = f"/pkb/documents/{name}"
    assert front.get(path).body["label"] is None
    assert front.send("PUT", path, {"label": " Wu\u200b  2015"}).body["label"] == "Wu 2015"
    assert front.get(path).body["label"] == "Wu 2015"
    assert front.send("PUT", path, {"label": "x" * 121}).body["field"] == "label"
    assert front.send("PUT", path, {"label": None}).body["label"] is None
    front.send("DELETE", path)
    assert front.send("PUT", path, {"label": "Wu"}).status == 404


def test_a_document_has_the_tags_that_it_was_given_when_it_is_tagged(front, bench):
    """In order, each once, as they can be seen; the label stays. Mutation caught: tags that take the label away."""
    path = f"/pkb/documents/{bench.probe()}"
    assert front.get(path).body["tags"] == []
    front.send("PUT", path, {"label": "Wu 2015"})
    tagged = front.send("PUT", path, {"tags": ["pilot", " in\u200b ", "pilot", "\u200b"]}).body
    assert (tagged["label"], tagged["tags"]) == ("Wu 2015", ["in", "pilot"])
    assert front.send("PUT", path, {"tags": ["x" * 41]}).body["field"] == "tags[0]"
    assert front.send("PUT", path, {"tags": [str(number) for number in range(21)]}).body["field"] == "tags"
    assert front.send("PUT", path, {}).body == tagged
    assert front.send("PUT", path, {"label": None, "tags": []}).body["tags"] == []
