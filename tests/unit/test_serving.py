"""The page's files as answers: what is said with each, what is compressed, and that there is no way out of the folder."""

import base64
import gzip
import json
from dataclasses import replace

import pytest

import serving
from sheaf.settings import PageSettings

ENDPOINT = "https://cognito-idp.eu-central-1.amazonaws.com"
TOLD = PageSettings(
    sign_in={"endpoint": f"{ENDPOINT}/", "clientId": "c"},
    bucket_origins="https://b.example https://a.example",
    samples="true",
)
SCRIPT = b"console.log(1)" * 100


@pytest.fixture
def site(tmp_path):
    folder = tmp_path / "site"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_bytes(b"<!doctype html>")
    (folder / "assets" / "page-X.js").write_bytes(SCRIPT)
    (folder / "assets" / "page-X.js.gz").write_bytes(gzip.compress(SCRIPT))
    (folder / "assets" / "page-X.js.br").write_bytes(b"brotli")
    (folder / "files.json").write_text(json.dumps({"index.html": "aaa", "assets/page-X.js": "bbb"}))
    (tmp_path / "secret.txt").write_text("secret")
    return serving.Site.read(folder, TOLD)


def body(answer):
    return base64.b64decode(answer["body"])


def test_the_index_is_answered_and_asked_about_each_time_when_the_root_is_asked_for(site):
    answer = site.answer("/", {})
    assert (answer["statusCode"], body(answer)) == (200, b"<!doctype html>")
    assert answer["headers"]["Cache-Control"] == "public, no-cache"
    assert answer["headers"]["Content-Type"] == "text/html; charset=utf-8"


def test_an_asset_is_kept_for_ever_when_its_name_has_its_hash(site):
    answer = site.answer("/assets/page-X.js", {})
    assert answer["headers"]["Cache-Control"] == "public, max-age=31536000, immutable"
    assert body(answer) == SCRIPT


@pytest.mark.parametrize(
    ("accepted", "encoding"), [("gzip, deflate, br", "br"), ("gzip;q=1.0", "gzip"), ("identity", None), ("", None)]
)
def test_the_smallest_form_is_sent_that_the_browser_understands_when_it_says_so(site, accepted, encoding):
    answer = site.answer("/assets/page-X.js", {"accept-encoding": accepted})
    assert answer["headers"].get("Content-Encoding") == encoding
    assert answer["headers"]["Vary"] == "Accept-Encoding"


def test_nothing_is_sent_again_when_the_browser_has_it(site):
    tag = site.answer("/", {})["headers"]["ETag"]
    answer = site.answer("/", {"if-none-match": tag})
    assert (answer["statusCode"], body(answer)) == (304, b"")
    assert site.answer("/", {"if-none-match": 'W/"other"'})["statusCode"] == 200


@pytest.mark.parametrize(
    "path",
    [
        "/../secret.txt",
        "/assets/../../secret.txt",
        "/%2e%2e/secret.txt",
        "/files.json",
        "/assets/",
        "/assets/page-X.js.br",
        "//etc/passwd",
    ],
)
def test_there_is_nothing_when_a_name_was_not_built(site, path):
    """Mutation caught: a path joined to the folder without asking the list."""
    assert site.answer(path, {})["statusCode"] == 404


def test_the_config_says_where_to_sign_in_and_is_never_kept_when_asked_for(site):
    answer = site.answer("/config.json", {})
    assert json.loads(body(answer)) == {"signIn": TOLD.sign_in, "samples": True}
    assert answer["headers"]["Cache-Control"] == "no-store"


@pytest.mark.parametrize("path", ["/", "/config.json", "/assets/page-X.js", "/nothing"])
def test_every_answer_carries_the_policy_when_it_is_sent(site, path):
    headers = site.answer(path, {})["headers"]
    assert headers["Strict-Transport-Security"] == "max-age=31536000"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    policy = dict(part.split(" ", 1) for part in headers["Content-Security-Policy"].split("; "))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["worker-src"] == "'self'"
    assert policy["connect-src"] == f"'self' https://a.example https://b.example {ENDPOINT}"
    assert "unsafe" not in headers["Content-Security-Policy"]
    assert "*" not in headers["Content-Security-Policy"]


@pytest.mark.parametrize(("samples", "status"), [("true", 200), ("false", 404)])
def test_samples_are_given_to_nobody_when_this_deployment_has_none(tmp_path, samples, status):
    """Anybody may ask for them, and each is a megabyte that somebody pays for."""
    (tmp_path / "samples").mkdir()
    (tmp_path / "samples" / "a.txt").write_text("a")
    (tmp_path / "files.json").write_text('{"samples/a.txt": "1"}')
    site = serving.Site.read(tmp_path, replace(TOLD, samples=samples))
    assert site.answer("/samples/a.txt", {})["statusCode"] == status
    assert json.loads(body(site.answer("/config.json", {})))["samples"] is (status == 200)


@pytest.mark.parametrize("path", ["/", "/assets/page-X.js", "/config.json", "/nothing"])
def test_head_is_answered_as_get_is_but_for_the_content(site, path):
    whole, head = site.answer(path, {}), site.answer(path, {}, "HEAD")
    assert (head["statusCode"], head["headers"], head["body"]) == (whole["statusCode"], whole["headers"], "")


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS"])
def test_a_file_of_the_page_is_only_read_when_another_method_is_tried(site, method):
    answer = site.answer("/", {}, method)
    assert (answer["statusCode"], answer["headers"]["Allow"]) == (405, "GET, HEAD")
