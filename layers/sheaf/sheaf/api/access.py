"""Who asks, and what they may do, by the token alone: a group is a project, or a role in it (`demo:viewer`). Pure."""

from enum import IntEnum
from typing import NamedTuple

from sheaf import ids
from sheaf.errors import Forbidden
from sheaf.plain_json import Json, JsonObject


class Role(IntEnum):
    """What a member may do: a viewer reads, an editor starts, stops and deletes; admin is kept for what comes."""

    VIEWER = 1
    EDITOR = 2
    ADMIN = 3


class Caller(NamedTuple):
    project: str
    user: str | None
    role: Role

    def must_be(self, role: Role) -> None:
        """Raises Forbidden for a lesser role."""
        if self.role < role:
            needed, own = role.name.lower(), self.role.name.lower()
            raise Forbidden(f"This needs the role {needed} in the project; yours is {own}.")


def caller(claims: JsonObject, wanted: str | None) -> Caller:
    """The caller in the project that `Sheaf-Project` names, or in the only one there is. Raises Forbidden."""
    roles = memberships(claims)
    if wanted is not None and wanted not in roles:
        raise Forbidden("You are not in this project. Leave the header Sheaf-Project out, or name one of your own.")
    if wanted is None and len(roles) != 1:
        raise Forbidden("Name the project in the header Sheaf-Project." if roles else "You are in no project yet.")
    project = wanted or next(iter(roles))
    return Caller(project, sub if isinstance(sub := claims.get("sub"), str) else None, roles[project])


def check_token(claims: JsonObject) -> None:
    """Raises Forbidden for any but an access token, should the gateway let one through."""
    if claims.get("token_use") != "access":
        raise Forbidden("This is no access token. Sign in, and send the access token, not the ID token.")


def memberships(claims: JsonObject) -> dict[str, Role]:
    """Projects and roles; the highest role where several are given. What cannot be read gives nothing."""
    roles: dict[str, Role] = {}
    for group in _groups(claims.get("cognito:groups")):
        project, colon, name = group.partition(":")
        role = {r.name.lower(): r for r in Role}.get(name) if colon else Role.EDITOR
        if ids.PROJECT.fullmatch(project) and role is not None:
            roles[project] = max(role, roles.get(project, role))
    return roles


def _groups(claim: Json) -> list[str]:
    """A list, or API Gateway's text of one, as in "[a b]"; none where a name could be two in the other form."""
    if isinstance(claim, str) and claim[:1] == "[" and claim[-1:] == "]":
        names = claim[1:-1].split(" ")
    else:
        names = [str(name) for name in claim] if isinstance(claim, list) else []
    return [] if any(mark in name for name in names for mark in ",[] ") else names
