"""From a file on somebody's disk to a row of the finished table, on the deployed stack: form, S3's notice, intake, task.

And after: the document deleted, replaced, its knowledge base taken away. A task works on what it was opened with.
"""

import json
import secrets
import urllib.error
import urllib.request

import pytest

from sheaf_client import api as client
from sheaf_client.api import Sheaf
from sheaf_client.transport import Refused
from tests.support.deployed import TASKS, eventually

pytestmark = pytest.mark.emulator

TEXT = "Trial of something\nhttps://doi.org/10.1371/journal.pone.{}\nPublished in 2015.\n\fIts second page."


@pytest.fixture(scope="module")
def api(deployed):
    """The editor, as `make papers` is one."""
    return Sheaf(deployed.stack.api, deployed.token("editor"))


@pytest.fixture(scope="module")
def base(api):
    return api.new_knowledge_base("Library test")["knowledgeBaseId"]


@pytest.fixture
def file(tmp_path):
    """Files with text that no other test has."""

    def write(name="trial.txt", content=None):
        path = tmp_path / name
        text = TEXT.format(secrets.token_hex(4)) if content is None else content
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


def shelved(api, base, *files):
    return [api.read(api.upload(base, each)["documentId"]) for each in files]


def form_of(api, base, content: bytes, name="trial.txt"):
    new = client.announced(name, content)
    (answer,) = api.ask("POST", f"/pkb/knowledge-bases/{base}/documents", {"files": [new]})["uploads"]
    return answer


def get(url):
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(url, timeout=30) as answer:
        return answer.read()


def test_a_file_is_uploaded_read_and_becomes_a_row_with_its_text_and_its_file(deployed, api, base, file):
    """The whole way, as a client goes it."""
    paper = file("试验 2015.txt")
    (document,) = shelved(api, base, paper)
    assert (document["status"], document["pageCount"], document["filename"]) == ("ready", 2, "试验 2015.txt")
    task = deployed.open([document["documentId"]], kind="extract_paper")
    assert deployed.closed(task["taskId"])["completedCount"] == 1
    (row,) = deployed.table(task["taskId"])
    assert row["extractedData"]["fields"]["doi"]["value"].startswith("10.1371/journal.pone.")
    text = api.ask("GET", f"/asl/extraction/results/{row['resultId']}/text")
    assert [page["text"] for page in text["pages"]] == paper.read_text().split("\f")
    link = api.ask("GET", f"/asl/extraction/results/{row['resultId']}/file")
    assert get(link["url"]) == paper.read_bytes()
    # Part of what was signed. (The emulator does not act on it; S3 does.)
    assert "response-content-disposition=attachment" in link["url"]
    assert (
        api.ask("GET", f"/pkb/documents/{document['documentId']}/text?page=2")["pages"][0]["text"] == "Its second page."
    )


def test_the_same_bytes_are_one_document_and_are_not_wanted_twice(api, base, file):
    paper = file()
    (first,) = shelved(api, base, paper)
    again = form_of(api, base, paper.read_bytes(), "another name.txt")
    assert (again["upload"], again["document"]["documentId"]) == (None, first["documentId"])


@pytest.mark.parametrize("what", ["more bytes", "another type", "another key"])
def test_the_form_takes_nothing_but_what_was_announced(api, base, file, what):
    """Type, size and place are part of what was signed."""
    content = file().read_bytes()
    form = form_of(api, base, content)["upload"]
    match what:
        case "more bytes":
            content += b"!"
        case "another type":
            form["fields"]["Content-Type"] = "text/html"
        case "another key":
            form["fields"]["key"] = form["fields"]["key"].replace("documents/", "texts/")
    with pytest.raises(Refused):
        client.send(form, content)


def test_other_bytes_than_the_announced_ones_are_unreadable_with_advice(api, base, file):
    """The hash is the client's word, held against what came; the way out is to upload again, which works."""
    paper = file()
    right = paper.read_bytes()
    wrong = right.replace(b"second", b"sEcond")
    answer = form_of(api, base, right)
    client.send(answer["upload"], wrong)
    ended = api.read(answer["document"]["documentId"])
    assert (ended["status"], ended["advice"]) == ("unreadable", "Upload the file again.")
    (mended,) = shelved(api, base, paper)
    assert (mended["status"], mended["documentId"]) == ("ready", ended["documentId"])


def test_a_file_without_text_is_unreadable_and_says_why(api, base, file):
    (ended,) = shelved(api, base, file("empty.txt", b""))
    assert ended["status"] == "unreadable"
    assert ended["reason"]
    assert ended["advice"]


@pytest.mark.parametrize("meanwhile", ["deleted", "replaced", "its knowledge base deleted"])
def test_the_frozen_bytes_are_worked_on_whatever_becomes_of_the_document(deployed, api, file, meanwhile):
    """Key, version and hash are pinned when the task is opened; paused, so that what happens comes before the work."""
    own = api.new_knowledge_base("To be changed")["knowledgeBaseId"]
    paper = file()
    (document,) = shelved(api, own, paper)
    name = document["documentId"]
    task = deployed.open([name], kind="extract_paper")["taskId"]
    deployed.ask("POST", f"{TASKS}/{task}/pause")
    match meanwhile:
        case "deleted":
            assert deployed.ask("DELETE", f"/pkb/documents/{name}").status == 204
        case "its knowledge base deleted":
            assert deployed.ask("DELETE", f"/pkb/knowledge-bases/{own}").status == 204
        case "replaced":
            other = file("newer.txt")
            told = client.announced(other.name, other.read_bytes())
            answer = api.ask("POST", f"/pkb/documents/{name}/versions", told)
            assert answer["document"]["status"] == "ready"
            client.send(answer["upload"], other.read_bytes())
            eventually(
                lambda: api.ask("GET", f"/pkb/documents/{name}")["sha256"] == told["sha256"], "the newer version"
            )
    deployed.ask("POST", f"{TASKS}/{task}/resume")
    assert deployed.closed(task)["completedCount"] == 1
    (row,) = deployed.table(task)
    doi = row["extractedData"]["fields"]["doi"]["value"]
    assert doi in paper.read_text()
    assert get(api.ask("GET", f"/asl/extraction/results/{row['resultId']}/file")["url"]) == paper.read_bytes()
    if meanwhile != "replaced":
        assert deployed.ask("GET", f"/pkb/documents/{name}").status == 404


def test_a_viewer_may_look_and_nothing_else(deployed, api, base, file):
    (document,) = shelved(api, base, file())
    name = document["documentId"]
    for path in ("/pkb/knowledge-bases", f"/pkb/knowledge-bases/{base}/documents", f"/pkb/documents/{name}/text"):
        assert deployed.ask("GET", path, who="viewer").status == 200
        assert name not in deployed.ask("GET", path, who="outsider").text
    told = {"filename": "a.txt", "size": 1, "sha256": "0" * 64}
    for method, path, body in (
        ("POST", "/pkb/knowledge-bases", {"name": "x"}),
        ("POST", f"/pkb/knowledge-bases/{base}/documents", {"files": [told]}),
        ("POST", f"/pkb/documents/{name}/versions", told),
        ("POST", f"/pkb/documents/{name}/reread", None),
        ("DELETE", f"/pkb/documents/{name}", None),
        ("DELETE", f"/pkb/knowledge-bases/{base}", None),
    ):
        assert deployed.ask(method, path, body, who="viewer").status == 403, path
        assert deployed.ask(method, path, body, who="outsider").status in {201, 404}, path


def test_an_upload_whose_notice_was_lost_is_found_by_the_sweep(deployed, api, base, file):
    """S3's notices are switched off for one upload: two minutes later the schedule's tick looks, and sends a message."""
    bucket, s3 = deployed.physical("DataBucket"), deployed.client("s3")
    told = s3.get_bucket_notification_configuration(Bucket=bucket)
    told.pop("ResponseMetadata")
    paper = file()
    s3.put_bucket_notification_configuration(Bucket=bucket, NotificationConfiguration={})
    try:
        document = api.upload(base, paper)
    finally:
        s3.put_bucket_notification_configuration(Bucket=bucket, NotificationConfiguration=told)
    key = {"entry": {"S": f"demo/document/{document['documentId']}"}}
    deployed.client("dynamodb").update_item(
        TableName=deployed.physical("LibraryTable"),
        Key=key,
        UpdateExpression="SET due_at = :now",
        ExpressionAttributeValues={":now": {"N": "1"}},
    )
    eventually(lambda: api.ask("GET", f"/pkb/documents/{document['documentId']}")["status"] == "ready", "its text")


def test_no_word_of_a_document_is_in_the_log_when_it_was_uploaded_and_read(deployed, api, base, file):
    canary = f"canary{secrets.token_hex(8)}"
    (document,) = shelved(api, base, file(f"{canary}.txt", f"{canary} in the text"))
    assert json.dumps(document).count(canary) >= 1
    assert canary not in deployed.emulator.log.read_text(errors="replace")
