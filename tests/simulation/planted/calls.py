"""Bugs in how AWS is called. The model alone would take these arguments, and would not hear of a client of one's own."""

from tests.simulation.planted.bug import Bug, bug

BUGS: list[Bug] = [
    bug(
        "a key's number is sent as a number",
        "DynamoDB takes numbers as text",
        ("store.py", '{"N": str(value)}', '{"N": value}'),
    ),
    bug(
        "a message is hidden for a fraction of a second",
        "SQS takes whole seconds",
        ("working.py", "max(1, min(math.ceil(seconds), HIDE_MAX_SECONDS))", "max(1, min(seconds, HIDE_MAX_SECONDS))"),
    ),
    bug(
        "a notice is sent by a client of its own",
        "store.call tells what passes from what stays, for every call",
        ("notices.py", "import json\n", "import json\n\nimport boto3\n"),
        ("notices.py", 'call(world, "events", "put_events", Entries=[entry])', 'boto3.client("events").put_events(Entries=[entry])'),
    ),
]  # fmt: skip
