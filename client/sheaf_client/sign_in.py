"""Tokens of a user pool: by a name and a password, with whatever else it asks first, and by a refresh token later."""

from http import HTTPStatus
from typing import Any, Final, TypedDict

import click

from sheaf_client import transport
from sheaf_client.transport import SignedOut


class Profile(TypedDict, total=False):
    """A deployment, where one signs in to it, and as whom: by a refresh token, or on a laptop by the demo user's password."""

    api: str
    endpoint: str
    clientId: str
    username: str
    password: str
    refresh: str
    projectId: str


CHALLENGES: Final = {
    "NEW_PASSWORD_REQUIRED": ("NEW_PASSWORD", "Your password is somebody else's. A new one", True),
    "SOFTWARE_TOKEN_MFA": ("SOFTWARE_TOKEN_MFA_CODE", "The code of your authenticator app", False),
}


def by_password(place: Profile, username: str, password: str) -> dict[str, str]:
    """Tokens by their names. Raises SignedOut with the reason, Unreachable."""
    login = {"USERNAME": username, "PASSWORD": password}
    reply = _pool(place, "InitiateAuth", AuthFlow="USER_PASSWORD_AUTH", AuthParameters=login)
    while name := reply.get("ChallengeName"):
        if name not in CHALLENGES:
            raise SignedOut(f"Sign in on the page once: {name} is asked for, which can be done only there.")
        field, question, is_secret = CHALLENGES[name]
        said = {"USERNAME": username, field: ask(question, is_secret=is_secret)}
        challenge = {"ChallengeName": name, "Session": reply["Session"], "ChallengeResponses": said}
        reply = _pool(place, "RespondToAuthChallenge", **challenge)
    tokens: dict[str, str] = reply["AuthenticationResult"]
    return tokens


def ask(question: str, *, is_secret: bool) -> str:
    """What somebody at the terminal answers."""
    return str(click.prompt(question, hide_input=is_secret, err=True))


def renewed(place: Profile, refresh: str) -> str:
    """Another access token. Raises SignedOut when the session is over, Unreachable."""
    login = {"REFRESH_TOKEN": refresh}
    reply = _pool(place, "InitiateAuth", AuthFlow="REFRESH_TOKEN_AUTH", AuthParameters=login)
    return str(reply["AuthenticationResult"]["AccessToken"])


def _pool(place: Profile, verb: str, **asked: object) -> dict[str, Any]:
    target = f"AWSCognitoIdentityProviderService.{verb}"
    headers = {"Content-Type": "application/x-amz-json-1.1", "X-Amz-Target": target}
    body = {"ClientId": place["clientId"], **asked}
    answer = transport.sent("POST", place["endpoint"], headers=headers, json=body)
    reply: dict[str, Any] = answer.json()
    if answer.status != HTTPStatus.OK:
        raise SignedOut(f"Not signed in: {reply.get('message') or reply.get('__type')}")
    return reply
