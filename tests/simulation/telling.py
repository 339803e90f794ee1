"""What a run tells when it is asked to: log lines and one line a call."""

from typing import Any


class Log:
    """Takes the log lines of every handler."""

    def __init__(self, simulation: Any) -> None:
        self.simulation = simulation

    def info(self, event: str, extra: dict[str, Any]) -> None:
        if any(isinstance(value, str) and "canary" in value for value in extra.values()):
            self.simulation.invariants.logged(f"{event} {extra}")
        if self.simulation.trace is not None:
            # Without what is for CloudWatch alone: it has the time of this machine, which no two runs share.
            said = {name: value for name, value in extra.items() if name != "_aws"}
            self.simulation.note(f"LOG {event} {said}", self.simulation.kernel.current, "")

    error = warning = info


def broken(*_: Any) -> None:
    raise ImportError("the deployed worker cannot be imported")


def brief(operation: str, arguments: dict[str, Any], reply: Any, refusal: str | None) -> str:
    """One line of a trace."""
    names, values = arguments.get("ExpressionAttributeNames", {}), arguments.get("ExpressionAttributeValues", {})
    text = " ".join(
        str(arguments[name])
        for name in ("TableName", "UpdateExpression", "ConditionExpression", "KeyConditionExpression")
        if name in arguments
    )
    for placeholder in sorted(names, key=len, reverse=True):
        text = text.replace(placeholder, names[placeholder])
    for placeholder in sorted(values, key=len, reverse=True):
        text = text.replace(placeholder, str(next(iter(values[placeholder].values()))))
    key = (
        {name: next(iter(value.values())) for name, value in arguments.get("Key", {}).items()}
        if isinstance(arguments.get("Key"), dict)
        else arguments.get("Key", "")
    )
    more = {
        "send_message_batch": lambda: [entry["MessageBody"] for entry in arguments["Entries"]],
        "change_message_visibility": lambda: (arguments["ReceiptHandle"], arguments["VisibilityTimeout"]),
    }
    return f"{key} {text} {more[operation]() if operation in more else ''} -> {refusal or 'ok'}"
