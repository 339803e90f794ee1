"""`make aws-check`: what an account says of this template before it is deployed. Nothing in it is changed or executed.

First what can be asked at once, then the change sets of `sam deploy --no-execute-changeset`: docs/first-deploy.md.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from local import LocalError
from local.command import say
from local.deploy import target, transformed
from local.deploy.transformed import Made

CALLS = [line.split() for line in Path(__file__).with_name("rights.txt").read_text().splitlines()]
KEPT_FREE, OURS = 100, 20  # executions that AWS leaves without a reservation; and those of API, page and aggregator
GRAVE = {"ERROR", "SECURITY_WARNING"}
MAY_BE = {"True", "Conditional"}
OF_SAM = "samcli-deploy"  # how `sam deploy` begins the names of its change sets; what others have made is theirs


def executions(client: Any, here: Made) -> Iterator[str]:
    limit = client("lambda").get_account_settings()["AccountLimit"]["ConcurrentExecutions"]
    queues = sum(int(value) for name, value in here.settings.items() if name.endswith("Concurrency"))
    reserved = sum(int(value) for name, value in here.settings.items() if name.startswith("Reserved"))
    if queues + OURS > limit:
        yield f"The account has {limit} concurrent executions; the queues may take {queues}, the rest needs {OURS}."
    if reserved and limit - reserved < KEPT_FREE:
        yield f"{reserved} of {limit} executions reserved leave less than {KEPT_FREE}, which AWS refuses."


def findings(client: Any, here: Made) -> Iterator[str]:
    analyzer = client("accessanalyzer")
    for role in (name for name, each in here.resources.items() if each["Type"] == "AWS::IAM::Role"):
        for policy in here.policies(role):
            found = _pages(analyzer, "validate_policy", policyDocument=policy, policyType="IDENTITY_POLICY")["findings"]
            yield from (f"{role}: {each['findingDetails']}" for each in found if each["findingType"] in GRAVE)


def rights(client: Any, here: Made) -> Iterator[str]:
    iam = client("iam")
    for function, meant, action, on, *known in CALLS:
        names = ("ContextKeyName", "ContextKeyValues", "ContextKeyType")
        context = [(key, [value], "stringList") for key, value in (each.split("=") for each in known)]
        judged = iam.simulate_custom_policy(
            PolicyInputList=here.policies(f"{function}FunctionRole"),
            ActionNames=[action],
            ResourceArns=[here.plain(on)],
            ContextEntries=[dict(zip(names, each, strict=True)) for each in context],
        )["EvaluationResults"][0]["EvalDecision"]
        if (judged == "allowed") != (meant == "allowed"):
            yield f"{function}: {action} on {on} {' '.join(known)} should be {meant} and is {judged}."


def models(client: Any, here: Made) -> Iterator[str]:
    """Whether the model of Bedrock that is configured may be used; a profile's name has a region's before its model's."""
    if model := re.sub(r"^(us|eu|apac|global|jp|au)\.", "", here.settings["BedrockModel"].rpartition("/")[2]):
        found = client("bedrock").get_foundation_model_availability(modelId=model)
        if (found["agreementAvailability"]["status"], found["authorizationStatus"]) != ("AVAILABLE", "AUTHORIZED"):
            yield f"{model} may not be used yet: docs/engines.md, Bedrock the first time."


def changes(client: Any, stack: str) -> Iterator[str]:
    """What a deploy would replace, of the change sets that SAM has made; they go, and a stack that only they are of."""
    stacks = client("cloudformation")
    every = _pages(stacks, "list_change_sets", StackName=stack)["Summaries"]
    ours = [each for each in every if each["ChangeSetName"].startswith(OF_SAM)]
    for each in ours:
        made = _pages(stacks, "describe_change_set", ChangeSetName=each["ChangeSetId"])["Changes"]
        say(f"{each['ChangeSetName']}: {len(made)} changes.")
        replaced = [it["ResourceChange"] for it in made if it["ResourceChange"].get("Replacement") in MAY_BE]
        yield from (f"{it['LogicalResourceId']} would be replaced, or may be." for it in replaced)
        stacks.delete_change_set(ChangeSetName=each["ChangeSetId"])
    state = _pages(stacks, "describe_stacks", StackName=stack)["Stacks"][0]["StackStatus"]
    if state == "REVIEW_IN_PROGRESS" and len(ours) == len(every):
        stacks.delete_stack(StackName=stack)


def _pages(client: Any, operation: str, **asked: str) -> Any:
    return client.get_paginator(operation).paginate(**asked).build_full_result()


def ask_account() -> None:
    """Raises LocalError with what the account says against a deploy."""
    aimed = target.asked()
    client: Any = aimed.cloud().client
    here = transformed.made(client("sts").get_caller_identity()["Account"], aimed.region, aimed.settings)
    _refuse("account", [line for look in (executions, findings, rights, models) for line in look(client, here)])


def ask_changes() -> None:
    """Raises LocalError with what a deploy would replace."""
    aimed = target.asked()
    _refuse("changes", list(changes(aimed.cloud().client, aimed.stack)))


def _refuse(asked: str, wrong: list[str]) -> None:
    if wrong:
        raise LocalError("\n".join(wrong))
    say(f"Nothing is said against it ({asked}).")
