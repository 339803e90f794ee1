"""Somebody who may make groups, but none named `victim`, makes one whose name becomes that in API Gateway's text of a list.

The wall: a name with a comma or a bracket takes the whole claim with it, and `victim:` is no editor. Without it the names
are cleaned of such marks, as they once were.
"""

from sheaf.api import access

NAMES = ["x,victim", "victim,x", "[victim]", "victim]", "[victim", "victim:", "victim:,", "[victim:admin]"]


def attack(*, walls: bool) -> list[str]:
    """The names by which one is a member of `victim`."""
    return [f"{role} of victim by the group {name}" for name in NAMES if (role := _role(name, walls=walls))]


def _role(name: str, *, walls: bool) -> str | None:
    claim = f"[{name}]"
    told = claim if walls else "[" + claim.strip("[]").replace(",", " ").rstrip(": ") + "]"
    role = access.memberships({"cognito:groups": told}).get("victim")
    return role.name.lower() if role else None
