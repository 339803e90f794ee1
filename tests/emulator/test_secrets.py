"""A provider's key is the worker's alone: its role reads the secret that it was configured with, and no other."""

import json

import pytest
from botocore.exceptions import ClientError

from tests.support import stack_file
from tests.support.deployed import ACCOUNT

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
    """Whether it can be read. A parameter by its name: of one named by its ARN the emulator judges another resource."""
    try:
        if ":secretsmanager:" in arn:
            clients("secretsmanager").get_secret_value(SecretId=arn)
        else:
            clients("ssm").get_parameter(Name=f"/{arn.partition(':parameter/')[2]}", WithDecryption=True)
    except ClientError as error:
        if error.response["Error"]["Code"] not in {"AccessDenied", "AccessDeniedException"}:
            raise
        return False
    return True


def granting(arn):
    """What the template gives to the worker where the parameter names this secret."""
    document = stack_file.load()["Resources"][POLICY]["Properties"]["PolicyDocument"]
    return json.dumps(document).replace(json.dumps({"Ref": "OpenaiKeySecret"}), json.dumps(arn))


@pytest.fixture
def bare(deployed):
    """A role with no rights, by its name; gone afterwards."""
    iam, name = deployed.client("iam"), "sheaf-secrets-test"
    trust = {"Effect": "Allow", "Principal": {"AWS": ACCOUNT}, "Action": "sts:AssumeRole"}
    document = {"Version": "2012-10-17", "Statement": [trust]}
    iam.create_role(RoleName=name, AssumeRolePolicyDocument=json.dumps(document))
    yield name
    for policy in iam.list_role_policies(RoleName=name)["PolicyNames"]:
        iam.delete_role_policy(RoleName=name, PolicyName=policy)
    iam.delete_role(RoleName=name)


def test_a_worker_reads_no_secret_when_it_was_given_none(deployed, kept):
    assert all(read(deployed.client, arn) for arn in kept.values()), "nothing is denied to everybody"
    worker = deployed.as_role(ROLE)
    assert [name for name, arn in kept.items() if read(worker, arn)] == []


def test_one_secret_can_be_read_and_no_other_with_what_the_template_gives_a_worker(deployed, kept, bare):
    clients = deployed._assumed(bare)
    for name in ("secret, own", "parameter, own"):
        deployed.client("iam").put_role_policy(
            RoleName=bare, PolicyName="openai-key", PolicyDocument=granting(kept[name])
        )
        assert [each for each, arn in kept.items() if read(clients, arn)] == [name]
