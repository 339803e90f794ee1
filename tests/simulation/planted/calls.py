"""Bugs in how AWS is called. The model alone would take these arguments, and would not hear of a client of one's own."""

from tests.simulation.planted.bug import Bug, bug
from tests.support.anchored import Edit

BUGS: list[Bug] = [
    bug(
        "a key's number is sent as a number",
        "DynamoDB takes numbers as text",
        Edit("_raw", "str(value)", "value"),
    ),
    bug(
        "a message is hidden for a fraction of a second",
        "SQS takes whole seconds",
        Edit("_hide", "math.ceil(seconds)", "seconds"),
    ),
    bug(
        "a notice is sent by a client of its own",
        "store.call tells what passes from what stays, for every call",
        Edit("closed", "call(world, 'events', 'put_events', Entries=[entry])", "__import__('boto3').client('events').put_events(Entries=[entry])"),
    ),
]  # fmt: skip
