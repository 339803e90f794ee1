"""Which deployment is asked, and as whom: one that was signed in to, one that the environment names, or the stack here."""

import json
import os
from pathlib import Path
from urllib.parse import urlsplit

import click

from sheaf_client import sign_in, transport
from sheaf_client.api import Sheaf
from sheaf_client.sign_in import Profile
from sheaf_client.transport import SignedOut, Unreachable

USUAL = "default"


def connect(name: str | None, project: str | None) -> Sheaf:
    """Raises SignedOut where there is nobody to be."""
    if name is None and (address := os.environ.get("SHEAF_API")):
        return Sheaf(_secure(address).rstrip("/"), os.environ.get("SHEAF_TOKEN", ""), project)
    profile = _kept().get(name) if name else here(Path.cwd()) or _kept().get(USUAL)
    if profile is None:
        raise SignedOut("Nobody is signed in: `sheaf login ADDRESS`, or `make up` for a stack on this machine.")
    return of(profile, project)


def of(profile: Profile, project: str | None = None) -> Sheaf:
    """A profile's deployment; an access token is had when it is wanted."""
    return Sheaf(profile["api"], project=project or profile.get("projectId"), renew=lambda: token(profile))


def here(folder: Path) -> Profile | None:
    """The stack on this machine, if one is up in this folder or above it; a file that names another machine is none."""
    for each in (folder, *folder.parents):
        if (file := each / ".sheaf" / "local.json").is_file():
            profile = local(file)
            return profile if transport.is_own(urlsplit(profile["api"]).netloc) else None
    return None


def local(file: Path) -> Profile:
    """The demo user of the stack that has written this."""
    profile: Profile = json.loads(file.read_text())
    return profile


def login(name: str, address: str, username: str | None, project: str | None) -> Profile:
    """Sign in at a deployment's page or API and keep that, without the password. Raises SignedOut, Unreachable."""
    root = _secure(address).rstrip("/").removesuffix("/api/v1")
    try:
        place: Profile = transport.sent("GET", f"{root}/config.json").json()["signIn"]
    except (ValueError, KeyError, TypeError) as trouble:
        raise Unreachable(f"There is no Sheaf at {root}: no config.json there says where to sign in.") from trouble
    who = username or sign_in.ask("E-mail", is_secret=False)
    tokens = sign_in.by_password(place, who, sign_in.ask("Password", is_secret=True))
    profile: Profile = {
        "api": f"{root}/api/v1",
        "endpoint": place["endpoint"],
        "clientId": place["clientId"],
        "username": who,
        "refresh": tokens["RefreshToken"],
    }
    if project:
        profile["projectId"] = project
    _keep(_kept() | {name: profile})
    return profile


def token(profile: Profile) -> str:
    """An access token. Raises SignedOut, Unreachable."""
    if "refresh" in profile:
        return sign_in.renewed(profile, profile["refresh"])
    return sign_in.by_password(profile, profile["username"], profile["password"])["AccessToken"]


def _secure(address: str) -> str:
    """An address that nobody on the way reads along with. Raises Unreachable."""
    parts = urlsplit(address)
    if parts.scheme != "https" and not (parts.scheme == "http" and transport.is_own(parts.netloc)):
        raise Unreachable(f"{address}: an address begins with https://, or whoever is on the way would read along.")
    return address


def _file() -> Path:
    return Path(click.get_app_dir("sheaf")) / "profiles.json"


def _kept() -> dict[str, Profile]:
    """By their names."""
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
