"""Which deployment is asked, and as whom: one that was signed in to, one that the environment names, or the stack here."""

import json
import os
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final, TypedDict
from urllib.parse import urlsplit

import click

from sheaf_client import transport
from sheaf_client.api import Sheaf
from sheaf_client.transport import SignedOut, Unreachable

USUAL = "default"
CHALLENGES: Final = {
    "NEW_PASSWORD_REQUIRED": ("NEW_PASSWORD", "Your password is somebody else's. A new one", True),
    "SOFTWARE_TOKEN_MFA": ("SOFTWARE_TOKEN_MFA_CODE", "The code of your authenticator app", False),
}


class Profile(TypedDict, total=False):
    """A deployment, where one signs in to it, and as whom: by a refresh token, or on a laptop by the demo user's password."""

    api: str
    endpoint: str
    clientId: str
    username: str
    password: str
    refresh: str
    projectId: str


def connect(name: str | None, project: str | None) -> Sheaf:
    """Raises SignedOut where there is nobody to be."""
    if name is None and (address := os.environ.get("SHEAF_API")):
        return Sheaf(_secure(address).rstrip("/"), os.environ.get("SHEAF_TOKEN", ""), project)
    profile = _kept().get(name) if name else here(Path.cwd()) or _kept().get(USUAL)
    if profile is None:
        raise SignedOut("Nobody is signed in: `sheaf login ADDRESS`, or `make up` for a stack on this machine.")
    return of(profile, project)


def of(profile: Profile, project: str | None = None) -> Sheaf:
    return Sheaf(profile["api"], project=project or profile.get("projectId"), renew=lambda: token(profile))


def here(folder: Path) -> Profile | None:
    """The stack on this machine, if one is up in this folder or above it; a file that names another machine is none."""
    for each in (folder, *folder.parents):
        if (file := each / ".sheaf" / "local.json").is_file():
            profile = local(file)
            return profile if transport.is_own(profile["api"]) and transport.is_own(profile["endpoint"]) else None
    return None


def local(file: Path) -> Profile:
    profile: Profile = json.loads(file.read_text())
    return profile


def login(name: str, address: str, username: str | None, project: str | None) -> Profile:
    """Sign in at a deployment's page or API and keep that, without the password. Raises SignedOut, Unreachable."""
    root = _secure(address).rstrip("/").removesuffix("/api/v1")
    try:
        place: Profile = transport.sent("GET", f"{root}/config.json").json()["signIn"]
        _secure(place["endpoint"])
    except (ValueError, KeyError, TypeError) as trouble:
        raise Unreachable(f"There is no Sheaf at {root}: no config.json there says where to sign in.") from trouble
    who = username or ask("E-mail", is_secret=False)
    tokens = by_password(place, who, ask("Password", is_secret=True))
    at: Profile = {"api": f"{root}/api/v1", "endpoint": place["endpoint"], "clientId": place["clientId"]}
    profile: Profile = {**at, "username": who, "refresh": tokens["RefreshToken"]}
    if project:
        profile["projectId"] = project
    _keep(_kept() | {name: profile})
    return profile


def token(profile: Profile) -> str:
    """An access token. Raises SignedOut, also when the session is over, and Unreachable."""
    if "refresh" not in profile:
        return by_password(profile, profile["username"], profile["password"])["AccessToken"]
    login = {"REFRESH_TOKEN": profile["refresh"]}
    reply = _pool(profile, "InitiateAuth", AuthFlow="REFRESH_TOKEN_AUTH", AuthParameters=login)
    return str(reply["AuthenticationResult"]["AccessToken"])


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
    return str(click.prompt(question, hide_input=is_secret, err=True))


def _secure(address: str) -> str:
    parts = urlsplit(address)
    if parts.scheme != "https" and not (parts.scheme == "http" and transport.is_own(address)):
        raise Unreachable(f"{address}: an address begins with https://, or whoever is on the way would read along.")
    return address


def _file() -> Path:
    return Path(click.get_app_dir("sheaf")) / "profiles.json"


def _kept() -> dict[str, Profile]:
    kept: dict[str, Profile] = json.loads(_file().read_text()) if _file().exists() else {}
    return kept


def _keep(profiles: dict[str, Profile]) -> None:
    """For this user's eyes only, from the first byte on."""
    newer = _file().with_suffix(".new")
    newer.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    newer.unlink(missing_ok=True)
    newer.touch(mode=0o600)
    newer.write_text(json.dumps(profiles, indent=2) + "\n")
    newer.replace(_file())


def _pool(place: Profile, verb: str, **asked: object) -> dict[str, Any]:
    target = f"AWSCognitoIdentityProviderService.{verb}"
    headers = {"Content-Type": "application/x-amz-json-1.1", "X-Amz-Target": target}
    body = {"ClientId": place["clientId"], **asked}
    answer = transport.sent("POST", place["endpoint"], headers=headers, json=body)
    reply: dict[str, Any] = answer.json()
    if answer.status != HTTPStatus.OK:
        raise SignedOut(f"Not signed in: {reply.get('message') or reply.get('__type')}")
    return reply
