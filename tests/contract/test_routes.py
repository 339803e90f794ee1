"""Every path but the three open ones asks for a token, and every path leads to the one function that knows them."""

import json

import pytest

from tests.support import template

MADE = template.load()
ROUTES = template.resources(MADE, "AWS::ApiGatewayV2::Route")
OPEN = {"GET /api/v1/health", "GET /api/v1/openapi.json", "GET /api/v1/docs"}
PAGE = {"GET /", "GET /config.json", "GET /assets/{path+}", "GET /samples/{path+}"}


@pytest.mark.parametrize("name", ROUTES)
def test_a_route_asks_for_a_token_unless_it_is_open_to_all(name):
    route = ROUTES[name]["Properties"]
    if route["RouteKey"] in OPEN | PAGE:
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
    assert keys - OPEN - PAGE == {"ANY /api/v1/{path+}"}
    assert not [key for key in PAGE if key.partition(" /")[2].startswith("api")], "no file may take a path of the API's"


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
