"""The template on the emulator: built, deployed, with a user; `local.json` says where, `env.json` is for SAM."""

import hashlib
import json
import secrets
import tomllib
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from botocore.exceptions import ClientError

from local import building, files
from local.aws import DIRECT, session
from local.command import Say
from local.ministack import emulator
from local.ministack.emulator import Emulator
from local.settings import HOME, REGION, ROOT
from sheaf.plain_json import JsonObject

if TYPE_CHECKING:
    from mypy_boto3_lambda import LambdaClient

USERNAME: Final = "demo@sheaf.local"
PROJECT: Final = "demo"  # a group of the user pool is a project, so membership is all that a project needs to exist
MARK: Final = "deployed-from"
CHOSEN: Final = "parameters.json"  # beside the emulator's state: what its user has chosen, as with `make model`
_EMPTY: Final = '""'  # as `sam` takes an empty value


class Stack(NamedTuple):
    name: str
    emulator: Emulator
    outputs: dict[str, str]
    resources: dict[str, str]

    @property
    def page(self) -> str:
        return f"{self.emulator.endpoint}/_aws/execute-api/{self.outputs['ApiId']}/"

    @property
    def api(self) -> str:
        return f"{self.page}api/v1"

    @property
    def environments(self) -> Path:
        return self.emulator.folder / "env.json"

    @property
    def lambdas(self) -> "LambdaClient":
        return session().client("lambda", endpoint_url=self.emulator.endpoint, config=DIRECT)


def deploy(
    *,
    template: Path = ROOT / "template.yaml",
    folder: Path = HOME,
    parameters: dict[str, str] | None = None,
    name: str = "sheaf",
    say: Say = print,
) -> Stack:
    """Bring the template up in the emulator of this folder, unless it is up already. Raises LocalError."""
    host = emulator.start(folder, say=say)
    listed = tomllib.loads(building.SAMCONFIG.read_text())["local"]["deploy"]["parameters"]["parameter_overrides"]
    usual = dict(entry.split("=", 1) for entry in listed)
    chosen = usual | files.read(folder / CHOSEN) | dict(parameters or {})
    sources = json.dumps([building.fingerprint(template, say), chosen], sort_keys=True)
    mark = hashlib.sha256(sources.encode()).hexdigest()[:40]
    made = session().resource("cloudformation", endpoint_url=host.endpoint, config=DIRECT).Stack(name)
    if not _is_deployed(made, mark):
        built = building.build(template, folder, host.endpoint, say)
        say("Deploying to the emulator (about 10 s).")
        overrides = [f"{key}={value or _EMPTY}" for key, value in chosen.items()]
        where = ("--template-file", str(built.resolve()), "--stack-name", name, "--tags", f"{MARK}={mark}")
        building.sam(("deploy", *where, "--parameter-overrides", *overrides), folder, host.endpoint)
        made.reload()
    outputs = {each["OutputKey"]: each["OutputValue"] for each in made.outputs or []}
    resources = {each.logical_id: each.physical_resource_id for each in made.resource_summaries.all()}
    stack = Stack(name, host, outputs, resources)
    _mend_concurrency(stack.lambdas)
    _write(stack.environments, _function_environments(stack))
    places = _places(stack, folder)
    _tell_page(stack, places)
    _write(folder / "local.json", places)
    return stack


def _is_deployed(made: Any, mark: str) -> bool:
    """Whether just this is up. Asked of the emulator, not of a file: killed, it falls back to an older state."""
    try:
        is_complete = made.stack_status in {"CREATE_COMPLETE", "UPDATE_COMPLETE"}
    except ClientError:
        return False
    return is_complete and {"Key": MARK, "Value": mark} in (made.tags or [])


def _mend_concurrency(functions: "LambdaClient") -> None:
    """Set each mapping's maximum as a number, each time, and wake it: MiniStack keeps CloudFormation's text, and its poller then fails."""
    for mapping in functions.list_event_source_mappings()["EventSourceMappings"]:
        limit = mapping.get("ScalingConfig", {}).get("MaximumConcurrency")
        if limit is not None:
            scaled: Any = {"ScalingConfig": {"MaximumConcurrency": int(limit)}, "Enabled": True}
            functions.update_event_source_mapping(UUID=mapping["UUID"], **scaled)


def _tell_page(stack: Stack, places: JsonObject) -> None:
    name = stack.resources["PageFunction"]
    before = stack.lambdas.get_function_configuration(FunctionName=name)["Environment"]["Variables"]
    sign_in = " ".join(f"{name}={places[name]}" for name in ("endpoint", "clientId", "username", "password"))
    wanted = {**before, "SIGN_IN": sign_in, "BUCKET_ORIGINS": stack.emulator.endpoint}
    if before != wanted:
        stack.lambdas.update_function_configuration(FunctionName=name, Environment={"Variables": wanted})


def _function_environments(stack: Stack) -> dict[str, dict[str, str]]:
    by_name = {physical: logical for logical, physical in stack.resources.items()}
    return {
        by_name[each["FunctionName"]]: each.get("Environment", {}).get("Variables", {})
        | {"AWS_ENDPOINT_URL": stack.emulator.endpoint, "AWS_LAMBDA_FUNCTION_NAME": each["FunctionName"]}
        for page in stack.lambdas.get_paginator("list_functions").paginate()
        for each in page["Functions"]
        if each["FunctionName"] in by_name
    }


def _places(stack: Stack, folder: Path) -> dict[str, Any]:
    known = files.read(folder / "local.json")
    pool, client = stack.outputs["UserPoolId"], stack.outputs["UserPoolClientId"]
    password = known.get("password") if known.get("userPoolId") == pool else None
    return {
        "api": stack.api,
        "page": stack.page,
        "endpoint": stack.emulator.endpoint,
        "region": REGION,
        "stack": stack.name,
        "userPoolId": pool,
        "clientId": client,
        "username": USERNAME,
        "password": ensure_user(stack.emulator.endpoint, pool, password),
        "projectId": PROJECT,
    }


def ensure_user(
    endpoint: str, pool: str, password: str | None, username: str = USERNAME, projects: Sequence[str] = (PROJECT,)
) -> str:
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


def _write(file: Path, content: object) -> None:
    text = json.dumps(content, indent=2) + "\n"
    if not file.exists() or file.read_text() != text:
        file.write_text(text)
