"""A provider's key is the worker's alone: its role reads the secret that it was configured with, and no other."""

import json

import pytest
from botocore.exceptions import ClientError

from tests.support import template

pytestmark = pytest.mark.emulator

ROLE, POLICY = "ExtractPaperFunctionRole", "ExtractPaperOpenaiKey"


@pytest.fixture
def kept(deployed):
    """Two secrets and two parameters: one of each is the deployment's, the other somebody else's."""
    vault, parameters = deployed.client("secretsmanager"), deployed.client("ssm")
    arns = {}
    for name in ("own", "other"):
        arns[f"secret, {name}"] = vault.create_secret(Name=f"sheaf/{name}", SecretString="sk")["ARN"]
        parameters.put_parameter(Name=f"/sheaf/{name}", Value="sk", Type="SecureString")
        arns[f"parameter, {name}"] = parameters.get_parameter(Name=f"/sheaf/{name}")["Parameter"]["ARN"]
    yield arns
    for name in ("own", "other"):
        vault.delete_secret(SecretId=arns[f"secret, {name}"], ForceDeleteWithoutRecovery=True)
        parameters.delete_parameter(Name=f"/sheaf/{name}")


def read(clients, arn):
    """Whether it can be read, as `sheaf.keys` reads it."""
    try:
        if ":secretsmanager:" in arn:
            clients("secretsmanager").get_secret_value(SecretId=arn)
        else:
            clients("ssm").get_parameter(Name=arn, WithDecryption=True)
    except ClientError as error:
        if error.response["Error"]["Code"] not in {"AccessDenied", "AccessDeniedException"}:
            raise
        return False
    return True


def granting(arn):
    """What the template gives to the worker where the parameter names this secret."""
    document = template.load()["Resources"][POLICY]["Properties"]["PolicyDocument"]
    return json.dumps(document).replace(json.dumps({"Ref": "OpenaiKeySecret"}), json.dumps(arn))


def test_a_worker_reads_the_one_secret_that_it_was_given_when_it_tries_them_all(deployed, kept):
    """None before; then, with the template's own statement for each of the two that are its own, that one and no more."""
    twin = deployed.as_twin_of(ROLE)
    assert all(read(deployed.client, arn) for arn in kept.values()), "nothing is denied to everybody"
    assert not any(read(twin, arn) for arn in kept.values())
    for name in ("secret, own", "parameter, own"):
        deployed.client("iam").put_role_policy(
            RoleName=f"twin-of-{ROLE}", PolicyName="openai-key", PolicyDocument=granting(kept[name])
        )
        assert [each for each, arn in kept.items() if read(twin, arn)] == [name]
