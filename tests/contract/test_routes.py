"""Every path but the three open ones asks for a token, and every path leads to the one function that knows them."""

import json
import re

import pytest

import api  # noqa: F401 - makes its routes as it is imported
import front
import openapi
from tests.support import stack_file

MADE = stack_file.load()
ROUTES = stack_file.resources(MADE, "AWS::ApiGatewayV2::Route")
OPEN = {"ANY /api/v1/health", "ANY /api/v1/openapi.json", "ANY /api/v1/docs"}
PREFLIGHT = "OPTIONS /api/v1/{path+}"
SIGNED_IN = "ANY /api/v1/{path+}"
PAGE = {"ANY /", "ANY /config.json", "ANY /assets/{path+}", "ANY /samples/{path+}"}


@pytest.mark.parametrize("name", ROUTES)
def test_a_route_asks_for_a_token_unless_it_is_open_to_all(name):
    route = ROUTES[name]["Properties"]
    if route["RouteKey"] in OPEN | PAGE | {PREFLIGHT}:
        assert route["AuthorizationType"] == "NONE"
    else:
        assert (route["AuthorizationType"], route["AuthorizerId"]) == ("JWT", {"Ref": "HttpAuthorizer"})
        assert not route["RouteKey"].startswith("$default")


@pytest.mark.parametrize("name", ROUTES)
def test_a_route_leads_to_the_api_function_or_is_a_file_of_the_page(name):
    route = ROUTES[name]["Properties"]
    which, function = ("Page", "PageFunction") if route["RouteKey"] in PAGE else ("Http", "ApiFunction")
    assert route["Target"] == {"Fn::Sub": f"integrations/${{{which}Integration}}"}
    integration = MADE["Resources"][f"{which}Integration"]["Properties"]
    assert integration["IntegrationUri"] == {"Fn::GetAtt": [function, "Arn"]}
    assert integration["PayloadFormatVersion"] == "2.0"


def test_everything_signed_in_is_one_route_so_that_paths_stand_in_the_code_alone():
    keys = {route["Properties"]["RouteKey"] for route in ROUTES.values()}
    assert keys - OPEN - PAGE == {SIGNED_IN, PREFLIGHT}
    assert not [key for key in PAGE if key.partition(" /")[2].startswith("api")], "no file may take a path of the API's"


def chosen(method: str, path: str) -> str | None:
    """The route that an HTTP API takes: the most exact path, and of two the one that names the method before ANY."""

    def rank(key: str) -> tuple[bool, bool]:
        return "{path+}" not in key, not key.startswith("ANY ")

    keys = [route["Properties"]["RouteKey"] for route in ROUTES.values()]
    return max((key for key in keys if takes(key, method, path)), key=rank, default=None)


def takes(key: str, method: str, path: str) -> bool:
    named, _, shape = key.partition(" ")
    start, greedy, _ = shape.partition("{path+}")
    there = path.startswith(start) and len(path) > len(start) if greedy else path == shape
    return there and named in {"ANY", method}


def through(method: str, path: str, *, token: bool) -> int | None:
    """What the gateway answers by itself, the authorizer before the integration; None where the function is asked."""
    key = chosen(method, path)
    if key is None:
        return 404
    (route,) = [each["Properties"] for each in ROUTES.values() if each["Properties"]["RouteKey"] == key]
    return 401 if route["AuthorizationType"] == "JWT" and not token else None


@pytest.mark.parametrize("path", sorted({re.sub(r"{\w+}", "x1", item.path) for item in openapi.OPERATIONS}))
def test_a_request_comes_as_far_as_the_function_when_it_may_and_a_preflight_always(path):
    """A browser asks OPTIONS without a token before it sends one from another origin: an ANY route would refuse that."""
    is_open = f"ANY {path}" in OPEN
    assert through("OPTIONS", path, token=False) is None
    for method in ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"):
        assert through(method, path, token=True) is None
        assert through(method, path, token=False) == (None if is_open else 401)


@pytest.mark.parametrize("path", ["/", "/config.json", "/assets/page.js", "/samples/a.pdf"])
def test_the_pages_function_answers_every_method_when_a_file_of_it_is_asked_for(path):
    assert {through(method, path, token=False) for method in ("GET", "HEAD", "POST", "OPTIONS")} == {None}


@pytest.mark.parametrize("path", ["/api/v1/", "/api/v1", "/api", "/api/v2/me", "/x"])
def test_the_gateway_answers_by_itself_when_an_address_is_not_the_apis(path):
    assert through("GET", path, token=True) == 404


def test_the_gateway_and_the_function_say_the_same_of_other_origins():
    """API Gateway puts its own on each answer, its own refusals among them; the function answers the preflight."""
    cors = MADE["Resources"]["HttpApi"]["Properties"]["CorsConfiguration"]["Fn::If"][1]
    said = front.app._cors
    assert said
    told = said.to_dict("https://x.example")
    lower = {name.lower() for name in said.allow_headers}
    assert set(cors["AllowHeaders"]) <= lower
    assert set(cors["ExposeHeaders"]) == {name.lower() for name in said.expose_headers}
    assert cors["MaxAge"] == said.max_age
    assert set(cors["AllowMethods"]) == set(told["Access-Control-Allow-Methods"].split(","))
    assert set(cors["AllowMethods"]) == {item.method for item in openapi.OPERATIONS}


def test_what_is_open_is_throttled_by_itself_so_that_nobody_without_a_token_takes_the_others_share():
    """Each by a key that is a route's: API Gateway refuses a stage that throttles what is not there."""
    (stage,) = stack_file.resources(MADE, "AWS::ApiGatewayV2::Stage").values()
    throttles = stage["Properties"]["RouteSettings"]
    by_key = {route["Properties"]["RouteKey"]: name for name, route in ROUTES.items()}
    assert OPEN | {PREFLIGHT} <= throttles.keys() <= by_key.keys()
    assert {by_key[key] for key in throttles} <= set(stage["DependsOn"])
    most = stage["Properties"]["DefaultRouteSettings"]["ThrottlingRateLimit"]
    for limits in throttles.values():
        assert 0 < limits["ThrottlingRateLimit"] <= limits["ThrottlingBurstLimit"]
        assert limits["ThrottlingRateLimit"] < most


def test_an_api_call_is_over_before_the_gateway_gives_up():
    """An HTTP API answers within 30 seconds, whatever the function does."""
    assert MADE["Parameters"]["ApiTimeoutSeconds"]["MaxValue"] <= 30
    assert MADE["Parameters"]["ApiTimeoutSeconds"]["Default"] < 30


def test_tokens_are_checked_by_the_gateway_against_this_stacks_own_pool():
    authorizer = MADE["Resources"]["HttpAuthorizer"]["Properties"]
    assert authorizer["AuthorizerType"] == "JWT"
    assert authorizer["JwtConfiguration"]["Audience"] == [{"Ref": "UserPoolClient"}]
    assert "${UserPool}" in authorizer["JwtConfiguration"]["Issuer"]["Fn::Sub"]


def test_an_id_token_opens_nothing_when_a_route_is_signed_in():
    """Of Cognito's tokens only an access token has scopes, and this one has every access token of a sign-in."""
    for route in ROUTES.values():
        told = route["Properties"]
        if told["AuthorizationType"] == "JWT":
            assert told["AuthorizationScopes"] == ["aws.cognito.signin.user.admin"]


def test_who_was_removed_is_out_within_minutes_when_the_gateway_looks_at_tokens_alone():
    """15 minutes, an hour at most; and a day for what renews them. Units are easily mixed up: hours are the default."""
    client = MADE["Resources"]["UserPoolClient"]["Properties"]
    units = client["TokenValidityUnits"]
    assert units == {"AccessToken": "minutes", "IdToken": "minutes", "RefreshToken": "hours"}
    access, refresh = (MADE["Parameters"][client[f"{kind}TokenValidity"]["Ref"]] for kind in ("Access", "Refresh"))
    assert (access["Default"], access["MaxValue"], refresh["Default"]) == (15, 60, 24)
    pool = MADE["Resources"]["UserPool"]["Properties"]
    assert (pool["MfaConfiguration"], pool["EnabledMfas"]) == ("OPTIONAL", ["SOFTWARE_TOKEN_MFA"])


def test_the_access_log_says_who_and_from_where_and_what_path_when_a_request_came():
    """Mutation caught: one line left out, after which nobody can tell who deleted a library."""
    told = json.loads(MADE["Resources"]["HttpStage"]["Properties"]["AccessLogSettings"]["Format"])
    wanted = {
        "user": "$context.authorizer.claims.sub",
        "address": "$context.identity.sourceIp",
        "path": "$context.path",
        "refused": "$context.authorizer.error",
        "integration": "$context.integrationErrorMessage",
    }
    assert wanted.items() <= told.items()
