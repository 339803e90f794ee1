"""The demo user. A group of the user pool is a project, so membership is all that a project needs to exist."""

import secrets
from collections.abc import Sequence
from contextlib import suppress

from local.aws import DIRECT, session

USERNAME = "demo@sheaf.local"
PROJECT = "demo"


def ensure(
    endpoint: str, pool: str, password: str | None, username: str = USERNAME, projects: Sequence[str] = (PROJECT,)
) -> str:
    """The user exists and is in these projects; the answer is a password that works."""
    cognito = session().client("cognito-idp", endpoint_url=endpoint, config=DIRECT)
    try:
        cognito.admin_create_user(UserPoolId=pool, Username=username, MessageAction="SUPPRESS")
    except cognito.exceptions.UsernameExistsException:
        if password:
            return password
    chosen = password or "Aa1" + secrets.token_urlsafe(18)
    cognito.admin_set_user_password(UserPoolId=pool, Username=username, Password=chosen, Permanent=True)
    for project in projects:
        with suppress(cognito.exceptions.GroupExistsException):
            cognito.create_group(UserPoolId=pool, GroupName=project)
        cognito.admin_add_user_to_group(UserPoolId=pool, Username=username, GroupName=project)
    return chosen
