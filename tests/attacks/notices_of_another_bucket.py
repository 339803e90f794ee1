"""Somebody with a bucket in the same account has S3 send its notices to the intake's queue: others' uploads then wait behind.

The wall: the queue's policy takes the notices of the one bucket of its stack.
"""

import copy

from tests.support import stack_file
from tests.support.policies import may_send

BUCKETS = (
    "arn:${AWS::Partition}:s3:::somebody-else",
    "arn:${AWS::Partition}:s3:::sheaf-",
    "arn:${AWS::Partition}:s3:::sheaf-another-stack",
    "",
)


def attack(walls: bool) -> list[str]:  # noqa: FBT001 - see the package
    made = copy.deepcopy(stack_file.load())
    if not walls:
        del made["Resources"]["IntakeQueuePolicy"]["Properties"]["PolicyDocument"]["Statement"][0]["Condition"][
            "ArnEquals"
        ]
    return [f"a notice of {bucket or 'no bucket'}" for bucket in BUCKETS if may_send(made, "IntakeQueue", bucket)]
